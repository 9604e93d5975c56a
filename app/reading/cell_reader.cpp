#include "app/reading/cell_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/reading/scene_words.h"

namespace glassformer {

namespace {

bool ends_with_positions(const std::string& name) {
  return is_name_of(ValueKind::positions, name);
}

std::string word_at(const std::vector<std::string>& words, int at) {
  const auto index = static_cast<size_t>(at);
  return at >= 0 && index < words.size() ? words[index] : "<pad>";
}

int row_length(const std::vector<std::vector<int>>& rows, int sentence) {
  const auto at = static_cast<size_t>(sentence);
  return at < rows.size() ? static_cast<int>(rows[at].size()) : 0;
}

}  // namespace

CellReader::CellReader(const ViewInput& input, CellRef cell) : input_(input), cell_(std::move(cell)) {
  if (input_.snapshot.weights) parameters_ = parameters(*input_.snapshot.weights);
  const bool batched = !parameter() && !ends_with_positions(cell_.name) && !cell_.index.empty();
  sentence_ = batched ? cell_.index[0] : input_.pinned.sentence;
}

const Config& CellReader::config() const {
  return input_.snapshot.config;
}

const ParameterView* CellReader::find_parameter(std::string_view name) const {
  for (const ParameterView& each : parameters_)
    if (each.name == name) return &each;
  return nullptr;
}

bool CellReader::parameter() const {
  return find_parameter(cell_.name) != nullptr;
}

CellNames CellReader::names(int sentence) const {
  return {*input_.snapshot.weights, *input_.result.trace, sentence, sentence};
}

int CellReader::sentence_of(const CellRef& cell) const {
  const bool batched = !cell.index.empty() && !ends_with_positions(cell.name) &&
                       input_.result.trace->find(cell.name) != nullptr;
  const int last = static_cast<int>(input_.result.trace->source.size()) - 1;
  return std::clamp(batched ? cell.index[0] : sentence_, 0, last);
}

// An attention of a sentence with padding behind it: whoever looks there has a page too.
bool CellReader::over_padding() const {
  if (!read_attention_name(cell_.name)) return false;
  const std::vector<int> index = index_without_batch(), shape = real_shape();
  bool outside = false;
  for (std::size_t axis = 0; axis < index.size() && axis < shape.size(); ++axis)
    outside = outside || index[axis] >= shape[axis];
  return outside || input_.result.scene.what_if.drop_padding_mask;
}

StepNumbers CellReader::numbers() const {
  const WhatIf& what_if = input_.result.scene.what_if;
  return {*input_.snapshot.weights,
          *input_.result.trace,
          sentence_of(cell_),
          {.causal = !what_if.drop_causal_mask,
           .padding = !what_if.drop_padding_mask,
           .padded_axes = over_padding()}};
}

bool CellReader::exists() const {
  const std::optional<StoredCell> found = stored_of(names(sentence_of(cell_)), cell_);
  return found && (found->store == OperandStore::trace || found->store == OperandStore::parameter);
}

StoredCell CellReader::stored() const {
  return stored_of(names(sentence_of(cell_)), cell_).value();
}

std::optional<CellRef> CellReader::shown(const StoredCell& cell) const {
  if (cell.store != OperandStore::trace && cell.store != OperandStore::parameter) return std::nullopt;
  return cell_ref(names(sentence_of(cell_)), cell);
}

double CellReader::value_of(const CellRef& cell) const {
  const int sentence = sentence_of(cell);
  const std::optional<StoredCell> found = stored_of(names(sentence), cell);
  if (!found || (found->store != OperandStore::trace && found->store != OperandStore::parameter))
    return std::numeric_limits<double>::quiet_NaN();
  return number_in({*input_.snapshot.weights, *input_.result.trace, sentence}, *found);
}

CellRef CellReader::at(const std::string& name, const std::vector<int>& index) const {
  CellRef cell{name, {}};
  if (!ends_with_positions(name)) cell.index.push_back(sentence_);
  cell.index.insert(cell.index.end(), index.begin(), index.end());
  return cell;
}

std::vector<double> CellReader::row(const std::string& name, const std::vector<int>& index) const {
  const Tensor* tensor = input_.result.trace->find(name);
  std::vector<double> values;
  if (!tensor) return values;
  // The last axis lies in one piece.
  std::vector<int> first = at(name, index).index;
  first.push_back(0);
  if (first.size() != tensor->shape.size()) return values;
  std::size_t offset = 0;
  for (std::size_t axis = 0; axis < first.size(); ++axis) {
    if (first[axis] < 0 || first[axis] >= tensor->shape[axis]) return values;
    offset = offset * static_cast<std::size_t>(tensor->shape[axis]) + static_cast<std::size_t>(first[axis]);
  }
  const float* const numbers = tensor->values.data() + offset;
  values.assign(numbers, numbers + tensor->columns());
  return values;
}

int CellReader::source_length() const {
  return row_length(input_.result.trace->source, sentence_);
}
int CellReader::target_length() const {
  return row_length(input_.result.trace->target_in, sentence_);
}

std::vector<int> CellReader::real_shape() const {
  if (const ParameterView* weight = find_parameter(cell_.name)) return weight->shape;
  const Tensor* tensor = input_.result.trace->find(cell_.name);
  if (!tensor) return {};
  std::vector<int> shape = tensor->shape;
  if (!ends_with_positions(cell_.name) && !shape.empty()) shape.erase(shape.begin());

  // Padded axes get the sentence's own length.
  const std::optional<AttentionName> attention = read_attention_name(cell_.name);
  const bool encoder =
      cell_.name.starts_with("encoder") || cell_.name.starts_with("source") || cell_.name == "memory";
  int rows = encoder ? source_length() : target_length();
  if (attention && shape.size() == 3) {
    const bool over_keys = of_keys(attention->value);
    const int keys = attention->kind == AttentionKind::decoder ? target_length() : source_length();
    if (over_keys) rows = keys;
    shape[1] = rows;
    if (!has_heads(attention->value)) shape[2] = keys;
  } else if (!shape.empty()) {
    shape[0] = rows;
  }
  return shape;
}

std::vector<int> CellReader::index_without_batch() const {
  if (parameter() || ends_with_positions(cell_.name) || cell_.index.empty()) return cell_.index;
  return {cell_.index.begin() + 1, cell_.index.end()};
}

std::string CellReader::source_word(int at) const {
  return word_at(source_words(input_, sentence_), at);
}
std::string CellReader::target_word(int at) const {
  return word_at(target_in_words(input_, sentence_), at);
}
std::string CellReader::written_word(int at) const {
  return word_at(target_out_words(input_, sentence_), at);
}

}  // namespace glassformer
