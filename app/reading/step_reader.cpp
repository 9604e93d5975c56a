#include "app/reading/step_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/reading/covered.h"
#include "app/reading/difference.h"
#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"
#include "app/widgets/heatmap.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

int sentence_of(const ViewInput& input) {
  return std::clamp(input.pinned.sentence, 0, static_cast<int>(input.result.trace->source.size()) - 1);
}

std::shared_ptr<const SentenceGradients> pass_of(const ViewInput& input, int sentence) {
  const auto& pass = input.result.gradients;
  return pass && pass->sentence == sentence ? pass : nullptr;
}

}  // namespace

std::string axis_word(const Operand& operand, bool columns) {
  const auto tokens = [](Extent extent) { return extent == Extent::source || extent == Extent::target; };
  const Extent extent = columns ? operand.columns : operand.rows;
  if (tokens(operand.rows) && tokens(operand.columns)) return columns ? "key" : "query";
  switch (extent) {
    case Extent::one:
      return {};
    case Extent::source:
    case Extent::target:
    case Extent::source_vocab:
      return "word";
    case Extent::target_vocab:
      return columns && tokens(operand.rows) ? "next word" : "word";
    case Extent::model:
    case Extent::head:
      return "dimension";
    case Extent::hidden:
      return "unit";
    case Extent::positions:
      return "position";
  }
  return {};
}

std::string cell_text(const Operand& operand, const std::string& row, const std::string& column) {
  std::string down = axis_word(operand, false), across = axis_word(operand, true);
  if (down == across && !down.empty()) down = "row", across = "column";
  return (down.empty() ? "" : ", " + down + " " + row) + (across.empty() ? "" : ", " + across + " " + column);
}

std::string axes_text(const Operand& operand, bool transposed, int rows, int columns) {
  const auto counted = [](int count, const std::string& word) {
    if (word.empty()) return std::string();
    const std::string many = word == "query" ? "queries" : word + "s";
    return format_count(count) + " " + (count == 1 ? word : many);
  };
  const std::string down = axis_word(operand, transposed), across = axis_word(operand, !transposed);
  if (down == across && !down.empty()) return format_count(rows) + " × " + counted(columns, across);
  const std::string first = counted(rows, down), second = counted(columns, across);
  return first + (first.empty() || second.empty() ? "" : " × ") + second;
}

StepReader::StepReader(const ViewInput& input, StepLists& lists, bool backward)
    : StepReader(input, lists, sentence_of(input), backward ? pass_of(input, sentence_of(input)) : nullptr) {}

StepReader::StepReader(const ViewInput& input, StepLists& lists, int sentence,
                       std::shared_ptr<const SentenceGradients> pass)
    : NumberReader(
          {*input.snapshot.weights, pass ? pass->trace : *input.result.trace, pass ? 0 : sentence, sentence},
          pass_words(input, sentence), ShownMasks{input.result.scene.what_if}),
      input_(input),
      sentence_(sentence),
      pass_(std::move(pass)) {
  const Config computed = config_under(input.snapshot.config, input.result.scene.what_if);
  scales_ = computed.attention_scale;
  steps_ = lists.get(computed, true, [&] { return training_steps(computed); }).value;
  const SceneResult* const other = input.difference_to ? input.difference_to : input.other;
  if (!other || pass_ || !unlike(input.snapshot.config, other->snapshot->config).empty()) return;
  if (sentence_ >= std::ssize(other->trace->source)) return;
  beside_.emplace(*other->snapshot->weights, *other->trace, sentence_, ShownMasks{other->scene.what_if});
  same_words_ = same_shape(input.result, *other);
}

OperandNumbers StepReader::beside(const Operand& operand) const {
  if (!beside_ || !same_words_ || beside_->sizes().of(operand.rows) != extent(operand.rows) ||
      beside_->sizes().of(operand.columns) != extent(operand.columns))
    return {};
  return beside_->of(operand);
}

OperandNumbers StepReader::beside_of_other_words(const Operand& operand) const {
  const auto comparable = [&](Extent each) {
    return each == Extent::source || each == Extent::target || beside_->sizes().of(each) == extent(each);
  };
  const bool there = beside_ && !same_words_ && comparable(operand.rows) && comparable(operand.columns);
  return there ? beside_->of(operand) : OperandNumbers{};
}

const Step* StepReader::step_making(const Operand& output) const {
  const auto found =
      std::ranges::find_if(*steps_, [&](const Step& step) { return !step.off && step.output == output; });
  return found == steps_->end() ? nullptr : &*found;
}

MatrixAxis StepReader::axis(const Operand& operand, bool columns) const {
  return whole_axis(extent(columns ? operand.columns : operand.rows), words(operand, columns));
}

std::optional<CellRef> StepReader::cell(const Operand& operand, int row, int column) const {
  if (operand.store == OperandStore::mask || operand.store == OperandStore::update) return std::nullopt;
  return shown(stored_cell(operand, row, column, config()));
}

Maker StepReader::maker(const CellRef& cell) const {
  const std::optional<StoredCell> at = stored(cell);
  return at ? maker_of(*at, *steps_, numbers().sizes()) : Maker{};
}

namespace {

// Over all words, and along the other axes over the places shown.
double largest_number(const OperandNumbers& table, const Operand& operand, const MatrixAxis& rows,
                      const MatrixAxis& columns) {
  const auto places = [](Extent extent, const MatrixAxis& axis, int count) {
    if (extent != Extent::source && extent != Extent::target) return axis.places;
    return whole_axis(count).places;
  };
  double largest = 0;
  for (const int row : places(operand.rows, rows, table.rows)) {
    for (const int column : places(operand.columns, columns, table.columns)) {
      const float value = table(row, column);
      if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
  }
  return largest;
}

}  // namespace

MatrixNumbers operand_matrix(const StepReader& reader, const Operand& operand, bool transposed) {
  MatrixAxis rows = reader.axis(operand, transposed), columns = reader.axis(operand, !transposed);
  return operand_matrix(reader, operand, transposed, std::move(rows), std::move(columns));
}

MatrixNumbers operand_matrix(const StepReader& reader, const Operand& operand, bool transposed,
                             MatrixAxis rows, MatrixAxis columns) {
  MatrixNumbers matrix{.rows = std::move(rows), .columns = std::move(columns)};
  const OperandNumbers table = reader.numbers().of(operand);
  const OperandNumbers beside = reader.beside(operand);
  const bool difference = reader.input().difference_to != nullptr;
  if (!table.recorded() || (difference && !beside.recorded())) return {};
  const bool weights = is_name_of(ValueKind::weights, operand.name) && operand.store == OperandStore::trace;
  if (!difference && (weights || is_name_of(ValueKind::smoothed_target, operand.name)))
    matrix.scale = ColorScale::weight;

  // What a mask hides: −∞ itself, and the weights where the masked scores are −∞.
  OperandNumbers scores, scores_beside;
  if (weights) {
    Operand masked = operand;
    masked.name = written(*read_name(operand.name), ValueKind::masked_scores);
    scores = reader.numbers().of(masked);
    scores_beside = reader.beside(masked);
  }
  const auto covered = [&](int i, int j) {
    const auto cell = reader.input().covered ? reader.cell(operand, i, j) : std::nullopt;
    return cell && is_covered(reader.input(), *cell);
  };
  double largest = 0;
  bool any_hidden = false;
  for (const int row : matrix.rows.places) {
    for (const int column : matrix.columns.places) {
      const int i = transposed ? column : row, j = transposed ? row : column;
      if (covered(i, j)) {
        matrix.values.push_back(std::numeric_limits<float>::quiet_NaN());
        matrix.hidden.push_back(1);
        any_hidden = true;
        continue;
      }
      const float first = table(i, j);
      const float value = difference ? second_less_first(beside(i, j), first) : first;
      const float hidden_by = scores.recorded() ? scores(i, j) : first;
      const bool hidden = hidden_in_both(hidden_by, !difference                ? hidden_by
                                                    : scores_beside.recorded() ? scores_beside(i, j)
                                                                               : beside(i, j));
      matrix.values.push_back(value);
      matrix.hidden.push_back(hidden ? 1 : 0);
      any_hidden = any_hidden || hidden;
      // Of two Scenes side by side the colours end alike.
      for (const float each : {value, !difference && beside.recorded() ? beside(i, j) : value})
        if (std::isfinite(each)) largest = std::max(largest, std::abs(static_cast<double>(each)));
    }
  }
  if (const OperandNumbers others = reader.beside_of_other_words(operand); others.recorded()) {
    const MatrixAxis &down = transposed ? matrix.columns : matrix.rows,
                     &across = transposed ? matrix.rows : matrix.columns;
    for (const OperandNumbers& each : {table, others})
      largest = std::max(largest, largest_number(each, operand, down, across));
  }
  if (!any_hidden) matrix.hidden.clear();
  matrix.limit = matrix.scale == ColorScale::weight ? weight_limit(largest) : round_limit(largest);
  matrix.factor = shown_factor(operand, largest);
  return matrix;
}

double shown_factor(const Operand& operand, double largest) {
  // The largest gets one digit before the point.
  if (!is_gradient(operand.store) || largest == 0 || largest >= 1) return 1;
  return std::pow(10.0, -std::floor(std::log10(largest)));
}

namespace {

// A word in quotes, else the number of the place.
std::string place_text(const std::string& word, int place) {
  const std::string number = std::to_string(place);
  return word.empty() || word == number ? number : "“" + word + "”";
}

}  // namespace

std::function<HitRegion(int, int)> operand_hits(const StepReader& reader, const Operand& operand,
                                                const MatrixNumbers& matrix, bool transposed,
                                                const std::string& label) {
  struct Kept {
    MatrixNumbers matrix;
    std::vector<std::string> row_words, column_words;
    std::optional<CellRef> first;  // the cell at row 0 and column 0
    bool has_row, has_column, transposed;
    int head_width;  // of heads side by side; 0: one head, or none
    Operand operand;
    std::string label;
    Selection pinned;
  };
  const std::optional<CellRef> first = reader.cell(operand, 0, 0);
  const bool side_by_side = first && first->index.size() == 4 && operand.head < 0;
  auto kept = std::make_shared<Kept>(Kept{.matrix = matrix,
                                          .first = first,
                                          .has_row = operand.rows != Extent::one,
                                          .has_column = operand.columns != Extent::one,
                                          .transposed = transposed,
                                          .head_width = side_by_side ? reader.config().head_width() : 0,
                                          .operand = operand,
                                          .label = label,
                                          .pinned = reader.input().pinned});
  for (const int place : matrix.rows.places)
    kept->row_words.push_back(reader.word(operand, transposed, place));
  for (const int place : matrix.columns.places)
    kept->column_words.push_back(reader.word(operand, !transposed, place));
  return [kept = std::shared_ptr<const Kept>(std::move(kept))](int shown_row, int shown_column) {
    const auto i = static_cast<std::size_t>(shown_row), j = static_cast<std::size_t>(shown_column);
    int row = kept->matrix.rows.places[i], column = kept->matrix.columns.places[j];
    const std::string row_word = kept->transposed ? kept->column_words[j] : kept->row_words[i];
    const std::string column_word = kept->transposed ? kept->row_words[i] : kept->column_words[j];
    if (kept->transposed) std::swap(row, column);
    HitRegion hit;
    hit.label = kept->label + " " + std::to_string(row) + " " + std::to_string(column);
    const float value = kept->matrix.at(shown_row, shown_column);
    hit.tooltip = plain_symbol(kept->operand.symbol) +
                  cell_text(kept->operand, place_text(row_word, row), place_text(column_word, column)) +
                  "\n" +
                  (kept->matrix.is_hidden(shown_row, shown_column) ? std::string("hidden by the mask")
                                                                   : format_full(static_cast<double>(value)));
    if (!kept->first) return hit;
    CellRef cell = *kept->first;
    if (kept->head_width > 0) cell.index[1] = column / kept->head_width, column %= kept->head_width;
    if (kept->has_column) cell.index.back() += column;
    if (kept->has_row) cell.index[cell.index.size() - (kept->has_column ? 2 : 1)] += row;
    const Selection selection = selecting(kept->pinned, cell);
    hit.hover = SetHover{selection};
    hit.click = SetPin{selection};
    return hit;
  };
}

}  // namespace glassformer
