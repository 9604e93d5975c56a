#include "app/views/parameters/parameter_sheets.h"

#include <algorithm>
#include <utility>

#include "app/reading/difference.h"
#include "app/widgets/heatmap.h"

namespace glassformer {

namespace {

constexpr int kBins = 41;  // odd, so that zero lies in the middle of one

// "encoder.layers.0.self_attn" is part of "encoder.layers.0".
std::string part_of(const std::string& block) {
  const bool layer = block.find(".layers.") != std::string::npos;
  return layer ? block.substr(0, block.rfind('.')) : block;
}

std::string part_title(const std::string& title) {
  return title.substr(0, title.find(','));
}

std::string block_title(const std::string& title) {
  const auto comma = title.find(", ");
  if (comma == std::string::npos) return title;
  std::string rest = title.substr(comma + 2);
  rest[0] = static_cast<char>(rest[0] - 'a' + 'A');
  return rest;
}

double reach_of(const Transformer<float>& model, const std::string& name) {
  const auto parameter = find_parameter(model, name);
  if (!parameter) return 0;
  return largest_magnitude({.values = {parameter->data, parameter->rows(), parameter->columns()}});
}

}  // namespace

const char* sheet_title(SheetKind kind) {
  switch (kind) {
    case SheetKind::weight:
      return "Weight";
    case SheetKind::gradient:
      return "Gradient";
    case SheetKind::first_moment:
      return "Adam's m";
    case SheetKind::second_moment:
      break;
  }
  return "Adam's v";
}

std::shared_ptr<const Transformer<float>> sheet_model(const Snapshot& snapshot, SheetKind kind) {
  switch (kind) {
    case SheetKind::weight:
      return snapshot.weights;
    case SheetKind::gradient:
      return snapshot.gradients;
    case SheetKind::first_moment:
      return snapshot.first_moment;
    case SheetKind::second_moment:
      break;
  }
  return snapshot.second_moment;
}

std::optional<ParameterView> find_parameter(const Transformer<float>& model, const std::string& name) {
  for (ParameterView& parameter : parameters(model))
    if (parameter.name == name) return std::move(parameter);
  return std::nullopt;
}

std::vector<float> tensor_difference(const SheetKey& key) {
  const auto first = find_parameter(*key.model, key.name), second = find_parameter(*key.beside, key.name);
  std::vector<float> difference;
  for (long i = 0; i < first->size(); ++i)
    difference.push_back(second_less_first(second->data[i], first->data[i]));
  return difference;
}

TensorSheet make_sheet(const SheetKey& key, int most_cells) {
  TensorSheet sheet;
  const auto parameter = find_parameter(*key.model, key.name);
  if (!parameter) return sheet;
  sheet.rows = parameter->rows();
  sheet.columns = parameter->columns();
  std::vector<float> difference;
  if (key.difference) difference = tensor_difference(key);
  const std::span<const float> values(key.difference ? difference.data() : parameter->data,
                                      static_cast<std::size_t>(parameter->size()));
  sheet.picture = pooled({values.data(), sheet.rows, sheet.columns}, most_cells, most_cells);
  sheet.histogram =
      symmetric_histogram(values, kBins, key.beside && !key.difference ? reach_of(*key.beside, key.name) : 0);
  sheet.summary = summarize(values);
  return sheet;
}

std::string tensor_role(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kRoles{{
      {"in_proj_weight", "query, key, value"},
      {"in_proj_bias", "query, key, value bias"},
      {"out_proj.weight", "output"},
      {"out_proj.bias", "output bias"},
      {"linear1.weight", "to hidden"},
      {"linear1.bias", "hidden bias"},
      {"linear2.weight", "from hidden"},
      {"linear2.bias", "output bias"},
      {"embedding.weight", "one row a word"},
      {"positions.weight", "one row a position"},
      {"output_projection.weight", "one row a word"},
      {"output_projection.bias", "one bias a word"},
      {"embedding_norm.weight", "norm scale"},
      {"embedding_norm.bias", "norm shift"},
      {"", ""},
  }};
  for (const auto& [end, role] : kRoles)
    if (!end.empty() && name.ends_with(end)) return std::string(role);
  return name.ends_with(".weight") ? "norm scale" : "norm shift";
}

std::optional<ParameterBlock> block_of(const Config& config, const std::string& tensor) {
  for (ParameterBlock& block : parameter_blocks(config))
    for (const ParameterShape& shape : block.tensors)
      if (shape.name == tensor) return std::move(block);
  return std::nullopt;
}

std::vector<TreeRow> parameter_tree(const Config& config, const std::string& open_tensor) {
  const std::vector<ParameterBlock> blocks = parameter_blocks(config);
  const auto holds = [&](const ParameterBlock& block) {
    return std::any_of(block.tensors.begin(), block.tensors.end(),
                       [&](const ParameterShape& shape) { return shape.name == open_tensor; });
  };

  std::vector<TreeRow> rows;
  for (std::size_t first = 0; first < blocks.size();) {
    // The blocks of one part.
    std::size_t last = first;
    const std::string part = part_of(blocks[first].name);
    TreeRow row{.title = part_title(blocks[first].title), .tensor = blocks[first].tensors.front().name};
    while (last < blocks.size() && part_of(blocks[last].name) == part) {
      row.count += blocks[last].count();
      row.open = row.open || holds(blocks[last]);
      ++last;
    }
    const bool several = last - first > 1;
    if (!several) row.title = blocks[first].title;
    rows.push_back(row);

    // Open: its blocks, and the tensors of the open one.
    for (std::size_t b = first; row.open && b < last; ++b) {
      const bool open = holds(blocks[b]);
      if (several)
        rows.push_back(
            {1, block_title(blocks[b].title), blocks[b].tensors.front().name, blocks[b].count(), open});
      if (!open) continue;
      for (const ParameterShape& shape : blocks[b].tensors)
        rows.push_back({several ? 2 : 1, tensor_role(shape.name), shape.name, shape.count(),
                        shape.name == open_tensor, true});
    }
    first = last;
  }
  return rows;
}

}  // namespace glassformer
