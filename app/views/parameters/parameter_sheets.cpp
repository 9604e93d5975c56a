#include "app/views/parameters/parameters.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/difference.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "engine/model/names.h"

namespace glassformer {

namespace {

constexpr int kBins = 41;          // odd, so that zero lies in the middle of one
constexpr double kBeyond = 1.125;  // of a marked limit, so that it does not lie on the histogram's end

// The blocks of a layer are one part of the tree.
bool same_part(const ParameterBlock& a, const ParameterBlock& b) {
  const auto name = [](const ParameterBlock& block) { return *read_name(block.tensors.front().name); };
  return a.name == b.name || in_same_layer(name(a), name(b));
}

std::string capitalized(std::string words) {
  words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

double reach_of(const Transformer<float>& model, const std::string& name) {
  const auto parameter = find_parameter(model, name);
  if (!parameter) return 0;
  return largest_magnitude({.values = {parameter->data, parameter->rows(), parameter->columns()}});
}

// So far the histogram of these weights reaches at least; 0 where no limit is marked.
double reach_of_limit(const Transformer<float>& model, const std::string& name) {
  const auto begin = beginning_of(model, name);
  return begin ? kBeyond * begin->limit : 0;
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

std::optional<InitialWeights> beginning_of(const Transformer<float>& model, const std::string& name) {
  const auto parameter = find_parameter(model, name);
  if (!parameter) return std::nullopt;
  return initial_weights(model.config, name, parameter->rows(), parameter->columns());
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
  double reach = 0;
  if (key.beside && !key.difference) reach = reach_of(*key.beside, key.name);
  if (key.weights && !key.difference) {
    reach = std::max(reach, reach_of_limit(*key.model, key.name));
    if (key.beside) reach = std::max(reach, reach_of_limit(*key.beside, key.name));
    if (const auto begin = beginning_of(*key.model, key.name); begin && begin->limit > 0) {
      sheet.limit = begin->limit;
      sheet.outside = count_outside(values, begin->limit);
    }
  }
  sheet.histogram = symmetric_histogram(values, kBins, reach);
  sheet.summary = summarize(values);
  return sheet;
}

std::string share_outside(const TensorSheet& sheet) {
  if (sheet.outside == 0) return format_percent(0);
  const double share = double(sheet.outside) / double(sheet.summary.count);
  return share < 0.0005 ? "under " + format_percent(0.001, 1) : format_percent(share, 1);
}

std::string tensor_role(const std::string& name) {
  const std::optional<ValueName> read = read_name(name);
  if (!read) return {};
  const bool of_output = read->block == BlockKind::output;
  switch (read->value) {
    case ValueKind::projections_weight:
      return "query, key, value";
    case ValueKind::projections_bias:
      return "query, key, value bias";
    case ValueKind::output_weight:
      return of_output ? "one row a word" : "output";
    case ValueKind::output_bias:
      return of_output ? "one bias a word" : "output bias";
    case ValueKind::weight1:
      return "to hidden";
    case ValueKind::gate_weight:
      return "to gates";
    case ValueKind::bias1:
      return "hidden bias";
    case ValueKind::weight2:
      return "from hidden";
    case ValueKind::bias2:
      return "output bias";
    case ValueKind::embedding_table:
      return "one row a word";
    case ValueKind::position_table:
      return "one row a position";
    case ValueKind::gain:
      return "norm scale";
    default:
      return "norm shift";
  }
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
    TreeRow row{.title = blocks[first].part, .tensor = blocks[first].tensors.front().name};
    while (last < blocks.size() && same_part(blocks[first], blocks[last])) {
      row.count += blocks[last].count();
      row.open = row.open || holds(blocks[last]);
      ++last;
    }
    const bool several = last - first > 1;
    if (!several) row.title = blocks[first].title();
    rows.push_back(row);

    // Open: its blocks, and the tensors of the open one.
    for (std::size_t b = first; row.open && b < last; ++b) {
      const bool open = holds(blocks[b]);
      if (several)
        rows.push_back(
            {1, capitalized(blocks[b].inside), blocks[b].tensors.front().name, blocks[b].count(), open});
      if (!open) continue;
      for (const ParameterShape& shape : blocks[b].tensors)
        rows.push_back({several ? 2 : 1, tensor_role(shape.name), shape.name, shape.count(),
                        shape.name == open_tensor, true});
    }
    first = last;
  }
  return rows;
}

namespace {

// Whether these numbers are what the beginning would give.
std::string within_words(long step, const TensorSheet& sheet) {
  const std::string all = format_count(sheet.summary.count);
  if (sheet.outside == 0)
    return step == 0 ? "All " + all + " numbers lie within."
                     : "All " + all + " numbers still lie within after " + format_count(step) +
                           (step == 1 ? " step." : " steps.");
  const std::string some = format_count(sheet.outside) + " of " + all + " numbers lie outside";
  return step == 0 ? some + ": these weights did not all begin so." : some + ": training carried them there.";
}

InspectorSection even_section(const InitialWeights& begin, long step, const TensorSheet* sheet) {
  const std::string fans = std::to_string(begin.fan_in) + " + " + std::to_string(begin.fan_out);
  InspectorSection section{.heading = "How it began", .note = "Xavier"};
  section.formulas = {
      formula_row({formula_text("a ="),
                   formula_root(formula_fraction(formula_text("6"), formula_text("inputs + outputs")))}),
      formula_row({formula_mono("="), formula_root(formula_fraction(formula_mono("6"), formula_mono(fans)))}),
      formula_mono("= " + format_pinned(begin.limit))};
  section.text = "Drawn evenly from −a to a";
  if (begin.matrices == 3) section.text += ", query, key and value each as a matrix of its own";
  section.text += ".";
  if (!sheet) return section;
  section.rows = {{.label = "smallest now", .value = format_pinned(sheet->summary.smallest)},
                  {.label = "largest now", .value = format_pinned(sheet->summary.largest)},
                  {.label = "outside ±a now", .value = share_outside(*sheet), .emphasized = true}};
  section.text += " " + within_words(step, *sheet);
  return section;
}

}  // namespace

bool is_embedding_table(const std::string& name) {
  return name == embedding_value(true, ValueKind::embedding_table) ||
         name == embedding_value(false, ValueKind::embedding_table);
}

InitialWeights as_begun(InitialWeights begin, const std::string& name, const TrainingOptions& options) {
  if (options.unit_embeddings && is_embedding_table(name) && begin.kind == InitialWeights::Kind::normal)
    begin.deviation = 1;
  return begin;
}

InspectorSection beginning_section(const InitialWeights& begin, long step, const TensorSheet* sheet,
                                   bool given_rows) {
  if (begin.kind == InitialWeights::Kind::even) return even_section(begin, step, sheet);
  InspectorSection section{.heading = "How it began"};
  if (begin.kind == InitialWeights::Kind::normal) {
    section.text = "Drawn from a normal distribution around 0 with deviation " +
                   (begin.deviation == 1 ? "1" : "1/√d = " + format_pinned(begin.deviation)) +
                   (given_rows ? ", but for the rows that a file of vectors had." : ".");
    if (sheet) section.rows = {{.label = "deviation now", .value = format_pinned(sheet->summary.deviation)}};
    return section;
  }
  section.text = "Every number began as " + format_short(begin.value) + ".";
  if (sheet)
    section.rows = {{.label = "smallest now", .value = format_pinned(sheet->summary.smallest)},
                    {.label = "largest now", .value = format_pinned(sheet->summary.largest)}};
  return section;
}

NumberTable beginning_numbers(const std::string& name, const InitialWeights& begin,
                              const TensorSheet& sheet) {
  NumberTable numbers{.title = name + ", how it began", .rows = {"weights"}};
  switch (begin.kind) {
    case InitialWeights::Kind::even:
      numbers.columns = {"inputs", "outputs", "limit a", "outside now", "of"};
      numbers.values = {{double(begin.fan_in), double(begin.fan_out), begin.limit, double(sheet.outside),
                         double(sheet.summary.count)}};
      break;
    case InitialWeights::Kind::normal:
      numbers.columns = {"mean", "deviation"};
      numbers.values = {{0, begin.deviation}};
      break;
    case InitialWeights::Kind::constant:
      numbers.columns = {"every number"};
      numbers.values = {{begin.value}};
      break;
  }
  return numbers;
}

}  // namespace glassformer
