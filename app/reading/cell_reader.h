// Reads numbers of a Trace and of the parameters by name, and says in words which row of the sentence they
// belong to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/reading/cell_names.h"
#include "app/reading/view_input.h"
#include "engine/model/parameters.h"

namespace glassformer {

class CellReader {
 public:
  CellReader(const ViewInput& input, CellRef cell);

  const ViewInput& input() const { return input_; }
  const Config& config() const;
  const CellRef& cell() const { return cell_; }
  int sentence() const { return sentence_; }
  bool exists() const;     // the cell lies inside a tensor of the Trace or a parameter
  bool parameter() const;  // it is a weight of the model
  double value() const { return value_of(cell_); }

  // The pass that the cell's sentence is in.
  StepNumbers numbers() const;
  // Where the cell is kept; it exists. And the screen's name of a number of the same sentence, when that has
  // a page: values of the Trace and parameters do.
  StoredCell stored() const;
  std::optional<CellRef> shown(const StoredCell& cell) const;

  // NaN when there is no such number.
  double value_of(const CellRef& cell) const;
  // A value of the Trace at this sentence; `index` leaves the batch axis out.
  CellRef at(const std::string& name, const std::vector<int>& index) const;
  double value_at(const std::string& name, const std::vector<int>& index) const {
    return value_of(at(name, index));
  }
  // The numbers along the last axis; `index` without batch and last axis. Empty when there are none.
  std::vector<double> row(const std::string& name, const std::vector<int>& index) const;

  int source_length() const;  // real tokens
  int target_length() const;
  // Axis sizes of the cell's tensor with this sentence's real tokens, batch axis left out.
  std::vector<int> real_shape() const;
  std::vector<int> index_without_batch() const;

  // Words of the sentence; "<pad>" behind its end.
  std::string source_word(int at) const;
  std::string target_word(int at) const;   // the word a decoder row has read
  std::string written_word(int at) const;  // the word it is asked to write
  std::string stack_word(bool encoder, int at) const { return encoder ? source_word(at) : target_word(at); }

 private:
  const ParameterView* find_parameter(std::string_view name) const;
  CellNames names(int sentence) const;
  int sentence_of(const CellRef& cell) const;
  bool over_padding() const;

  const ViewInput& input_;
  CellRef cell_;
  int sentence_ = 0;
  std::vector<ParameterView> parameters_;
};

}  // namespace glassformer
