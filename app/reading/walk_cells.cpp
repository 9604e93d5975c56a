// Numbers of the Walk by the names that the rest of the screen knows them by.
#include <string_view>

#include "app/reading/walk_scene.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr std::string_view kTokenIds = ".ids", kMask = ".mask", kUpdate = "adam.";

bool one_a_row(std::string_view name) {
  return is_name_of(ValueKind::token_loss, name) || is_name_of(ValueKind::mean, name) ||
         is_name_of(ValueKind::deviation, name);
}
bool table(std::string_view name) {
  return is_name_of(ValueKind::positions, name);
}

int rank_of(const Transformer<float>& tensors, std::string_view wanted) {
  int rank = 0;
  tensors.visit([&](const std::string& name, Parameter<const float> tensor) {
    if (name == wanted) rank = tensor.rank;
  });
  return rank;
}

bool inside(const Tensor& tensor, const std::vector<int>& index) {
  if (index.size() != tensor.shape.size()) return false;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    if (index[axis] < 0 || index[axis] >= tensor.shape[axis]) return false;
  return true;
}

// Where the number lies in the trace of the one sentence, its place in the Scene's batch put in front.
std::vector<int> traced_index(const StoredCell& cell, int sentence) {
  if (one_a_row(cell.name)) return {sentence, cell.row};
  if (table(cell.name)) return {cell.row, cell.column};
  if (cell.head >= 0) return {sentence, cell.head, cell.row, cell.column};
  return {sentence, cell.row, cell.column};
}

}  // namespace

CellRef cell_ref(const WalkScene& scene, const StoredCell& cell) {
  switch (cell.store) {
    case OperandStore::trace:
    case OperandStore::gradient:
      return {cell.name, traced_index(cell, scene.pass->sentence), cell.store == OperandStore::gradient};
    case OperandStore::parameter:
    case OperandStore::parameter_gradient: {
      const bool gradient = cell.store == OperandStore::parameter_gradient;
      if (rank_of(*scene.weights, cell.name) == 1) return {cell.name, {cell.column}, gradient};
      return {cell.name, {cell.row, cell.column}, gradient};
    }
    case OperandStore::ids:
      return {cell.name + std::string(kTokenIds), {cell.row}};
    case OperandStore::mask:
      return {cell.name + std::string(kMask), {cell.row, cell.column}};
    case OperandStore::loss:
      return {cell.name, {}};
    case OperandStore::update:
      return {std::string(kUpdate) + cell.name, {}};
  }
  return {};
}

std::optional<StoredCell> stored_of(const WalkScene& scene, const CellRef& cell) {
  const std::string_view name = cell.name;
  const std::vector<int>& at = cell.index;
  if (name == "loss") return StoredCell{OperandStore::loss, cell.name};
  if (name.starts_with(kUpdate))
    return StoredCell{OperandStore::update, std::string(name.substr(kUpdate.size()))};
  if (name.ends_with(kTokenIds) && at.size() == 1)
    return StoredCell{OperandStore::ids, std::string(name.substr(0, name.size() - kTokenIds.size())), -1,
                      at[0]};
  if (name.ends_with(kMask) && at.size() == 2)
    return StoredCell{OperandStore::mask, std::string(name.substr(0, name.size() - kMask.size())), -1, at[0],
                      at[1]};
  if (const int rank = rank_of(*scene.weights, name); rank > 0) {
    const OperandStore store = cell.gradient ? OperandStore::parameter_gradient : OperandStore::parameter;
    if (static_cast<int>(at.size()) != rank) return std::nullopt;
    const StoredCell found{store, cell.name, -1, rank == 1 ? 0 : at[0], at.back()};
    bool fits = false;
    scene.weights->visit([&](const std::string& each, Parameter<const float> tensor) {
      fits = fits || (each == name && found.row >= 0 && found.row < tensor.rows && found.column >= 0 &&
                      found.column < tensor.columns);
    });
    return fits ? std::optional(found) : std::nullopt;
  }
  const Tensor* tensor = scene.trace().find(name);
  if (tensor == nullptr || at.empty()) return std::nullopt;
  std::vector<int> here = at;
  if (!table(name)) {
    if (here[0] != scene.pass->sentence) return std::nullopt;
    here[0] = 0;
  }
  if (!inside(*tensor, here)) return std::nullopt;
  StoredCell found{cell.gradient ? OperandStore::gradient : OperandStore::trace, cell.name};
  if (one_a_row(name)) {
    found.row = at[1];
  } else {
    found.row = at[at.size() - 2];
    found.column = at.back();
    if (at.size() == 4) found.head = at[1];
  }
  return found;
}

}  // namespace glassformer
