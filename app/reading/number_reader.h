// The one reader of numbers. Of a pass of one sentence it says where a cell is kept, its value, its row, the
// words it belongs to, and the step that made it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/cell_names.h"
#include "app/reading/view_input.h"
#include "engine/model/steps/step_sources.h"

namespace glassformer {

// The words of a pass: of its rows, and of its two vocabularies.
struct PassWords {
  std::vector<std::string> source, target,
      written;  // "<bos>" first in the target, "<eos>" last in the written
  std::shared_ptr<const Tokenizer> source_vocabulary, target_vocabulary;  // null: ids are words
};
std::shared_ptr<const PassWords> pass_words(const ViewInput& input, int sentence);

// The pass must outlive the reader.
class NumberReader {
 public:
  NumberReader(const CellNames& pass, std::shared_ptr<const PassWords> words, ShownMasks masks = {});
  void set_update(const StepNumbers::Update& update) { numbers_.set_update(update); }

  const StepNumbers& numbers() const { return numbers_; }
  const Config& config() const { return pass_.weights.config; }
  const PassWords& words() const { return *words_; }
  int extent(Extent extent) const { return numbers_.sizes().of(extent); }

  // Nothing for a name or a place that this pass does not have.
  std::optional<StoredCell> stored(const CellRef& cell) const { return stored_of(pass_, cell); }
  std::optional<CellRef> shown(const StoredCell& cell) const { return cell_ref(pass_, cell); }
  // NaN when there is no such number, when it was not recorded, and for masks, which are rules.
  double value(const StoredCell& cell) const;
  double value(const CellRef& cell) const;
  // The numbers along its last axis, padding included; empty when it was not recorded.
  std::vector<double> row(const CellRef& cell) const;

  // The words along an axis of an operand; empty where the places are only counted (and for a vocabulary).
  const std::vector<std::string>& words(const Operand& operand, bool columns) const;
  // One of them: "car", or "5"; "<pad>" behind the end of the sentence. Also for vocabularies.
  std::string word(const Operand& operand, bool columns, int place) const;
  std::string vocabulary_word(Extent vocabulary, int id) const;

 private:
  CellNames pass_;
  std::shared_ptr<const PassWords> words_;
  StepNumbers numbers_;
};

}  // namespace glassformer
