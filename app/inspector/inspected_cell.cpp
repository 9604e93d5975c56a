#include "app/inspector/inspected_cell.h"

#include <algorithm>

namespace glassformer {

namespace {

bool is_positions(const std::string& name) {
  return is_name_of(ValueKind::positions, name);
}

std::string word_at(const std::vector<std::string>& words, int at) {
  const auto index = static_cast<std::size_t>(at);
  return at >= 0 && index < words.size() ? words[index] : "<pad>";
}

int sentence_of(const ViewInput& input, const CellRef& cell) {
  const Trace& trace = *input.result.trace;
  const bool batched = !cell.index.empty() && !is_positions(cell.name) && trace.find(cell.name) != nullptr;
  return std::clamp(batched ? cell.index[0] : input.pinned.sentence, 0,
                    static_cast<int>(trace.source.size()) - 1);
}

ShownMasks masks_over(const ViewInput& input, bool padded_axes) {
  return {input.result.scene.what_if, padded_axes};
}

}  // namespace

bool has_page(const StoredCell& cell) {
  return cell.store == OperandStore::trace || cell.store == OperandStore::parameter ||
         cell.store == OperandStore::ids;
}

InspectedCell::InspectedCell(const ViewInput& input, CellRef cell)
    : input_(input),
      cell_(std::move(cell)),
      sentence_(sentence_of(input, cell_)),
      words_(pass_words(input, sentence_)),
      reader_({*input.snapshot.weights, *input.result.trace, sentence_, sentence_}, words_,
              masks_over(input, over_padding())) {}

// Where an attention looks into the padding behind its sentence the page counts it too.
bool InspectedCell::over_padding() const {
  const std::optional<AttentionName> attention = read_attention_name(cell_.name);
  if (!attention) return false;
  if (input_.result.scene.what_if.padding_seen(attention->kind)) return true;
  const std::vector<int> at = index(), sizes = shape();
  for (std::size_t axis = 0; axis < at.size() && axis < sizes.size(); ++axis)
    if (at[axis] >= sizes[axis]) return true;
  return false;
}

bool InspectedCell::batched() const {
  return !cell_.index.empty() && !is_positions(cell_.name) && !parameter();
}

bool InspectedCell::parameter() const {
  return !parameter_shape(*input_.snapshot.weights, cell_.name).empty();
}

bool InspectedCell::id() const {
  const std::optional<StoredCell> found = reader_.stored(cell_);
  return found && found->store == OperandStore::ids;
}

bool InspectedCell::exists() const {
  const std::optional<StoredCell> found = reader_.stored(cell_);
  return found && has_page(*found);
}

std::vector<int> InspectedCell::index() const {
  return batched() ? std::vector<int>{cell_.index.begin() + 1, cell_.index.end()} : cell_.index;
}

std::vector<int> InspectedCell::shape() const {
  if (std::vector<int> shape = parameter_shape(*input_.snapshot.weights, cell_.name); !shape.empty())
    return shape;
  const Tensor* tensor = input_.result.trace->find(cell_.name);
  if (!tensor) return {};
  std::vector<int> shape = tensor->shape;
  if (batched() && !shape.empty()) shape.erase(shape.begin());

  // Padded axes get the sentence's own length.
  const std::optional<ValueName> name = read_name(cell_.name);
  const int rows = name && name->encoder ? source_length() : target_length();
  const std::optional<AttentionName> attention = read_attention_name(cell_.name);
  if (!attention || shape.size() != 3) {
    if (!shape.empty()) shape[0] = rows;
    return shape;
  }
  const bool queries_of_source = attention->kind == AttentionKind::encoder;
  const int keys = attention->kind == AttentionKind::decoder ? target_length() : source_length();
  shape[1] = of_keys(attention->value) ? keys : queries_of_source ? source_length() : target_length();
  if (!has_heads(attention->value)) shape[2] = keys;
  return shape;
}

CellRef InspectedCell::at(const std::string& name, const std::vector<int>& index) const {
  CellRef cell{name, {}};
  if (!is_positions(name)) cell.index.push_back(sentence_);
  cell.index.insert(cell.index.end(), index.begin(), index.end());
  return cell;
}

std::vector<double> InspectedCell::row(const std::string& name, std::vector<int> index) const {
  index.push_back(0);
  return reader_.row(at(name, index));
}

std::string InspectedCell::source_word(int at) const {
  return word_at(words_->source, at);
}
std::string InspectedCell::target_word(int at) const {
  return word_at(words_->target, at);
}
std::string InspectedCell::written_word(int at) const {
  return word_at(words_->written, at);
}

}  // namespace glassformer
