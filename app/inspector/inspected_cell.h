// The cell that a page is about: its place without the batch, the other numbers and the words of its
// sentence.
#pragma once

#include <string>
#include <vector>

#include "app/reading/number_reader.h"

namespace glassformer {

// Values of a pass, weights and ids have a page of the inspector in every view; masks, which are rules,
// gradients and the optimizer's numbers have theirs in the Walk.
bool has_page(const StoredCell& cell);

// Valid as long as the input.
class InspectedCell {
 public:
  InspectedCell(const ViewInput& input, CellRef cell);

  const ViewInput& input() const { return input_; }
  const NumberReader& reader() const { return reader_; }
  const Config& config() const { return reader_.config(); }
  const CellRef& cell() const { return cell_; }
  int sentence() const { return sentence_; }
  bool exists() const;     // it lies inside a tensor of the Trace or a parameter, or is an id
  bool parameter() const;  // it is a weight of the model
  bool id() const;         // of a word, in the vocabulary
  double value() const { return reader_.value(cell_); }

  // Its index, and the sizes of its axes with this sentence's real tokens; both without the batch axis.
  std::vector<int> index() const;
  std::vector<int> shape() const;

  // A value of the Trace at this sentence; `index` leaves the batch axis out.
  CellRef at(const std::string& name, const std::vector<int>& index) const;
  double value_at(const std::string& name, const std::vector<int>& index) const {
    return reader_.value(at(name, index));
  }
  // The numbers along the last axis; `index` without batch and last axis. Empty when there are none.
  std::vector<double> row(const std::string& name, std::vector<int> index) const;

  int source_length() const { return static_cast<int>(words_->source.size()); }
  int target_length() const { return static_cast<int>(words_->target.size()); }
  // Words of the sentence; "<pad>" behind its end.
  std::string source_word(int at) const;
  std::string target_word(int at) const;   // the word a decoder row has read
  std::string written_word(int at) const;  // the word it is asked to write
  std::string stack_word(bool encoder, int at) const { return encoder ? source_word(at) : target_word(at); }

 private:
  bool batched() const;
  bool over_padding() const;

  const ViewInput& input_;
  CellRef cell_;
  int sentence_ = 0;
  std::shared_ptr<const PassWords> words_;
  NumberReader reader_;
};

}  // namespace glassformer
