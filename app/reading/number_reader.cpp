#include "app/reading/number_reader.h"

#include <limits>

#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

// An operand that begins at the cell: its first number is the cell's.
Operand operand_from(const StoredCell& cell) {
  Operand operand;
  operand.store = cell.store;
  operand.name = cell.name;
  operand.head = cell.head;
  operand.first_row = cell.row;
  operand.first_column = cell.column;
  operand.columns = is_one_a_row(cell) ? Extent::one : Extent::model;
  return operand;
}

}  // namespace

std::shared_ptr<const PassWords> pass_words(const ViewInput& input, int sentence) {
  return std::make_shared<const PassWords>(PassWords{.source = source_words(input, sentence),
                                                     .target = target_in_words(input, sentence),
                                                     .written = target_out_words(input, sentence),
                                                     .source_vocabulary = input.tokenizers.source,
                                                     .target_vocabulary = input.tokenizers.target});
}

NumberReader::NumberReader(const CellNames& pass, std::shared_ptr<const PassWords> words, ShownMasks masks)
    : pass_(pass), words_(std::move(words)), numbers_(pass.weights, pass.trace, pass.sentence, masks) {}

double NumberReader::value(const StoredCell& cell) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (cell.store == OperandStore::mask) return kNone;
  if (cell.store == OperandStore::ids) return numbers_.ids(cell.name)[static_cast<std::size_t>(cell.row)];
  const OperandNumbers found = numbers_.of(operand_from(cell));
  return found.recorded() ? static_cast<double>(found(0, 0)) : kNone;
}

double NumberReader::value(const CellRef& cell) const {
  const std::optional<StoredCell> found = stored(cell);
  return found ? value(*found) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> NumberReader::row(const CellRef& cell) const {
  CellRef first = cell;
  if (first.index.empty()) return {};
  first.index.back() = 0;
  const std::optional<StoredCell> found = stored(first);
  const Tensor* const tensor = found ? pass_.trace.find(found->name) : nullptr;
  if (tensor == nullptr || is_one_a_row(*found)) return {};
  const OperandNumbers numbers = numbers_.of(operand_from(*found));
  std::vector<double> values;
  for (int column = 0; numbers.recorded() && column < tensor->columns(); ++column)
    values.push_back(static_cast<double>(numbers(0, column)));
  return values;
}

const std::vector<std::string>& NumberReader::words(const Operand& operand, bool columns) const {
  const Extent extent = columns ? operand.columns : operand.rows;
  if (operand.name == "target_out" && !columns) return words_->written;
  if (extent == Extent::source) return words_->source;
  if (extent == Extent::target) return words_->target;
  static const std::vector<std::string> none;
  return none;
}

std::string NumberReader::word(const Operand& operand, bool columns, int place) const {
  const Extent extent = columns ? operand.columns : operand.rows;
  if (extent == Extent::source_vocab || extent == Extent::target_vocab) return vocabulary_word(extent, place);
  const std::vector<std::string>& all = words(operand, columns);
  const auto at = static_cast<std::size_t>(place);
  if (at < all.size()) return all[at];
  return all.empty() ? std::to_string(place) : "<pad>";
}

std::string NumberReader::vocabulary_word(Extent vocabulary, int id) const {
  const auto& tokenizer =
      vocabulary == Extent::source_vocab ? words_->source_vocabulary : words_->target_vocabulary;
  return tokenizer && id < tokenizer->size() ? word_of(tokenizer.get(), config(), id) : std::to_string(id);
}

}  // namespace glassformer
