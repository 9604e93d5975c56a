#include "app/reading/cell_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/reading/scene_words.h"

namespace glassformer {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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

bool CellReader::exists() const {
  const ParameterView* weight = find_parameter(cell_.name);
  const Tensor* tensor = weight ? nullptr : input_.result.trace->find(cell_.name);
  if (!weight && !tensor) return false;
  const std::vector<int>& shape = weight ? weight->shape : tensor->shape;
  if (shape.size() != cell_.index.size()) return false;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (cell_.index[axis] < 0 || cell_.index[axis] >= shape[axis]) return false;
  return true;
}

double CellReader::value_of(const CellRef& cell) const {
  const ParameterView* weight = find_parameter(cell.name);
  const Tensor* tensor = weight ? nullptr : input_.result.trace->find(cell.name);
  if (!weight && !tensor) return kNone;
  const std::vector<int>& shape = weight ? weight->shape : tensor->shape;
  if (shape.size() != cell.index.size()) return kNone;
  size_t offset = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (cell.index[axis] < 0 || cell.index[axis] >= shape[axis]) return kNone;
    offset = offset * static_cast<size_t>(shape[axis]) + static_cast<size_t>(cell.index[axis]);
  }
  return weight ? static_cast<double>(weight->data[offset]) : static_cast<double>(tensor->values[offset]);
}

CellRef CellReader::at(const std::string& name, const std::vector<int>& index) const {
  CellRef cell{name, {}};
  if (!ends_with_positions(name)) cell.index.push_back(sentence_);
  cell.index.insert(cell.index.end(), index.begin(), index.end());
  return cell;
}

bool CellReader::has(const std::string& name) const {
  return input_.result.trace->find(name) != nullptr;
}

std::vector<double> CellReader::row(const std::string& name, const std::vector<int>& index) const {
  const Tensor* tensor = input_.result.trace->find(name);
  std::vector<double> values;
  if (!tensor) return values;
  CellRef cell = at(name, index);
  cell.index.push_back(0);
  for (int column = 0; column < tensor->columns(); ++column) {
    cell.index.back() = column;
    values.push_back(value_of(cell));
  }
  return values;
}

std::vector<double> CellReader::column(const std::string& name, const std::vector<int>& index, int column,
                                       int rows) const {
  std::vector<double> values;
  CellRef cell = at(name, index);
  cell.index.push_back(0);
  cell.index.push_back(column);
  for (int row = 0; row < rows; ++row) {
    cell.index[cell.index.size() - 2] = row;
    values.push_back(value_of(cell));
  }
  return values;
}

std::vector<double> CellReader::parameter_row(const std::string& name, int row) const {
  const ParameterView* weight = find_parameter(name);
  if (!weight || row < 0 || row >= weight->rows()) return {};
  const float* first = weight->data + static_cast<size_t>(row) * static_cast<size_t>(weight->columns());
  return {first, first + weight->columns()};
}

std::optional<double> CellReader::bias(const std::string& name, int at) const {
  const ParameterView* weight = find_parameter(name);
  if (!weight || at < 0 || at >= weight->columns()) return std::nullopt;
  return weight->data[at];
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
