#include "app/reading/cell_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "engine/model/names.h"
#include "engine/model/place_words.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr std::string_view kTokenIds = ".ids", kUpdate = "adam.";

bool one_a_row(std::string_view name) {
  using enum ValueKind;
  return std::ranges::any_of(std::array{token_loss, mean, deviation, rms},
                             [&](ValueKind value) { return is_name_of(value, name); });
}
bool table(std::string_view name) {
  return is_name_of(ValueKind::positions, name);
}

bool inside(const std::vector<int>& shape, const std::vector<int>& index) {
  if (index.size() != shape.size()) return false;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    if (index[axis] < 0 || index[axis] >= shape[axis]) return false;
  return true;
}

const std::vector<int>* ids_of(const CellNames& names, std::string_view list) {
  const Trace& trace = names.trace;
  const auto* rows = list == "source"       ? &trace.source
                     : list == "target_in"  ? &trace.target_in
                     : list == "target_out" ? &trace.target_out
                                            : nullptr;
  const auto at = static_cast<std::size_t>(names.sentence);
  return rows != nullptr && at < rows->size() ? &(*rows)[at] : nullptr;
}

std::optional<StoredCell> stored_id(const CellNames& names, std::string_view list, int at) {
  const std::vector<int>* ids = ids_of(names, list);
  if (ids == nullptr || at < 0 || at >= static_cast<int>(ids->size())) return std::nullopt;
  return StoredCell{OperandStore::ids, std::string(list), -1, at};
}

std::optional<StoredCell> stored_value(const CellNames& names, const Tensor& tensor, const CellRef& cell) {
  std::vector<int> at = cell.index;
  if (!table(cell.name)) {
    if (at.empty() || at[0] != names.shown_sentence) return std::nullopt;
    at[0] = names.sentence;
  }
  if (!inside(tensor.shape, at)) return std::nullopt;
  StoredCell found{cell.gradient ? OperandStore::gradient : OperandStore::trace, cell.name};
  if (one_a_row(cell.name)) {
    found.row = at[1];
    return found;
  }
  found.row = at[at.size() - 2];
  found.column = at.back();
  if (at.size() == 4) found.head = at[1];
  return found;
}

std::optional<StoredCell> stored_parameter(const CellNames& names, const CellRef& cell) {
  const std::vector<int> shape = parameter_shape(names.weights, cell.name);
  if (shape.empty() || !inside(shape, cell.index)) return std::nullopt;
  return StoredCell{cell.gradient ? OperandStore::parameter_gradient : OperandStore::parameter, cell.name, -1,
                    shape.size() == 1 ? 0 : cell.index[0], cell.index.back()};
}

}  // namespace

std::optional<CellRef> cell_ref(const CellNames& names, const StoredCell& cell) {
  switch (cell.store) {
    case OperandStore::trace:
    case OperandStore::gradient: {
      const bool gradient = cell.store == OperandStore::gradient;
      const Tensor* tensor = names.trace.find(cell.name);
      if (tensor == nullptr) return std::nullopt;
      const int sentence = names.shown_sentence;
      if (one_a_row(cell.name)) return CellRef{cell.name, {sentence, cell.row}, gradient};
      if (table(cell.name)) return CellRef{cell.name, {cell.row, cell.column}, gradient};
      if (tensor->rank() == 4)
        return CellRef{cell.name, {sentence, std::max(0, cell.head), cell.row, cell.column}, gradient};
      return CellRef{cell.name, {sentence, cell.row, cell.column}, gradient};
    }
    case OperandStore::parameter:
    case OperandStore::parameter_gradient: {
      const bool gradient = cell.store == OperandStore::parameter_gradient;
      if (parameter_shape(names.weights, cell.name).size() == 1)
        return CellRef{cell.name, {cell.column}, gradient};
      return CellRef{cell.name, {cell.row, cell.column}, gradient};
    }
    case OperandStore::ids:
      return CellRef{cell.name + std::string(kTokenIds), {cell.row}};
    case OperandStore::mask:
      return CellRef{written(*read_name(cell.name), ValueKind::mask), {cell.row, cell.column}};
    case OperandStore::loss:
      return CellRef{cell.name, {}};
    case OperandStore::update:
      return CellRef{std::string(kUpdate) + cell.name, {}};
  }
  return std::nullopt;
}

std::optional<StoredCell> stored_of(const CellNames& names, const CellRef& cell) {
  const std::string_view name = cell.name;
  const std::vector<int>& at = cell.index;
  if (const Tensor* tensor = names.trace.find(cell.name)) return stored_value(names, *tensor, cell);
  if (name == "loss") return StoredCell{OperandStore::loss, cell.name};
  if (name.starts_with(kUpdate))
    return StoredCell{OperandStore::update, std::string(name.substr(kUpdate.size()))};
  if (name.ends_with(kTokenIds) && at.size() == 1)
    return stored_id(names, name.substr(0, name.size() - kTokenIds.size()), at[0]);
  if (const auto read = read_name(name); read && read->value == ValueKind::mask && at.size() == 2)
    return StoredCell{OperandStore::mask, written(*read, ValueKind::whole), -1, at[0], at[1]};
  return stored_parameter(names, cell);
}

bool is_one_a_row(const StoredCell& cell) {
  const bool kept = cell.store == OperandStore::trace || cell.store == OperandStore::gradient;
  return kept && one_a_row(cell.name);
}

std::vector<int> parameter_shape(const Transformer<float>& weights, std::string_view wanted) {
  std::vector<int> shape;
  weights.visit([&](const std::string& name, Parameter<const float> tensor) {
    if (name == wanted) shape = tensor.shape();
  });
  return shape;
}

std::string counted_layer(std::string_view name) {
  const std::optional<ValueName> read = read_name(name);
  if (!read || !in_layer(read->block)) return {};
  const ValueName layer{.block = BlockKind::layer, .encoder = read->encoder, .layer = read->layer};
  std::string words = written(layer);
  words += ": " + layer_words(read->layer) + "; names count from 0";
  return words;
}

Formula walk_formula(std::string_view text) {
  std::vector<Formula> parts;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool index = text[i] == '_' && !plain.empty() && i + 1 < text.size() &&
                       std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0;
    if (!index) {
      plain += text[i];
      continue;
    }
    // The base is the word before the underscore.
    const std::size_t start = plain.find_last_of(" ([") + 1;
    std::string base = plain.substr(start), low;
    plain.resize(start);
    while (i + 1 < text.size() && std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0)
      low += text[++i];
    if (!plain.empty()) parts.push_back(formula_text(plain));
    plain.clear();
    parts.push_back(formula_index(formula_text(base), formula_text(low)));
  }
  if (!plain.empty()) parts.push_back(formula_text(plain));
  return formula_row(std::move(parts));
}

std::string_view without_prime(std::string_view symbol) {
  constexpr std::string_view kPrime = "′";
  if (symbol.ends_with(kPrime)) symbol.remove_suffix(kPrime.size());
  return symbol;
}

std::string operand_which(const Step& step, const Operand& operand) {
  const auto same = [&](const Operand& other) {
    return other.symbol == operand.symbol && other.name != operand.name;
  };
  const auto like = [&](const Operand& input) {
    return same(input) || (is_gradient(input.store) && same(value_of(input)));
  };
  if (std::ranges::none_of(step.inputs, like)) return {};
  const std::optional<ValueName> read = read_name(operand.name);
  if (read && in_layer(read->block)) return layer_words(read->layer);
  const bool ids = operand.store == OperandStore::ids;
  if (!ids && !(read && in_embedding(read->block))) return operand.name;
  const bool source = ids ? operand.rows == Extent::source : read->encoder;
  return source ? "source" : "target";
}

}  // namespace glassformer
