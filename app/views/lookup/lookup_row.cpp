#include "app/views/lookup/lookup.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/covered.h"
#include "app/reading/scene_words.h"
#include "engine/model/place_words.h"

namespace glassformer {

std::string RowScene::place() const {
  return head_words(shown.layer, shown.head);
}

int RowScene::seen() const {
  return static_cast<int>(
      std::ranges::count_if(row.scores.scores, [](double score) { return !std::isinf(score); }));
}

bool RowScene::covered() const {
  return is_covered(input, cell(ValueKind::weights, 0));
}

CellRef RowScene::cell(ValueKind value, int column) const {
  return cell(value, *shown.query, column);
}

CellRef RowScene::cell(ValueKind value, int at, int column) const {
  return {attention_value(shown.kind, shown.layer, value), {shown.sentence, shown.head, at, column}};
}

bool RowScene::relu() const {
  return temperature == 1 && input.snapshot.config.attention_activation == AttentionActivation::relu;
}

std::string language_of(const RowScene& scene) {
  return scene.shown.kind == AttentionKind::decoder ? target_language(scene.input)
                                                    : source_language(scene.input);
}

RowScene row_scene(const ViewInput& input, double temperature) {
  RowScene scene{.input = input, .shown = within(input.shown, input), .temperature = temperature};
  Selection& shown = scene.shown;
  shown.head = std::max(0, shown.head);
  const std::vector<std::string> askers = query_words(input, shown.kind, shown.sentence);
  scene.rows = static_cast<int>(askers.size());
  // While the decoding is stepped, words to come are not shown.
  const bool stepped = input.shown_steps >= 0 && shown.sentence == 0 && shown.kind != AttentionKind::encoder;
  if (stepped) scene.rows = std::clamp(input.shown_steps, 1, scene.rows);
  shown.query = std::min(shown.query.value_or(scene.rows / 2), scene.rows - 1);
  const auto at = static_cast<std::size_t>(*shown.query);
  scene.asker = askers.at(at);
  if (shown.kind != AttentionKind::encoder && input.shown_steps != 0)
    scene.writes = target_out_words(input, shown.sentence).at(at);

  const Config& config = input.snapshot.config;
  const bool scaled = config_under(config, input.result.scene.what_if).attention_scale;
  scene.row = attention_row(*input.result.trace,
                            {.attention = value_in(shown.kind, shown.layer, ValueKind::whole),
                             .sentence = shown.sentence,
                             .head = shown.head,
                             .query = *shown.query,
                             .scale = scaled ? 1 / std::sqrt(double(config.head_width())) : 1},
                            temperature);
  scene.words = key_words(input, shown.kind, shown.sentence);
  if (stepped && shown.kind == AttentionKind::decoder)
    std::fill(scene.words.begin() + scene.rows, scene.words.end(), "not yet");
  scene.words.resize(scene.row.soft.weights.size(), "<pad>");
  return scene;
}

std::string row_sum(const RowScene& scene) {
  constexpr std::size_t kMost = 3;
  const std::vector<double>& weights = scene.row.soft.weights;
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  std::string text;
  double rest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double weight = weights[order[i]];
    if (i >= kMost || weight < 0.0005)
      rest += weight;
    else
      text += (i > 0 ? " + " : "") + format_fixed(weight, 3) + " × " + scene.words[order[i]];
  }
  return text + (rest >= 0.0005 ? " + the rest" : "");
}

Selection select_row(const RowScene& scene, int row) {
  Selection selection = scene.shown;
  selection.query = std::clamp(row, 0, std::max(0, scene.rows - 1));
  selection.key.reset();
  selection.cell.reset();
  selection.more_queries.clear();
  selection.more_keys.clear();
  return selection;
}

std::optional<InspectorPage> row_page(const RowScene& scene) {
  const Lookup& soft = scene.row.soft;
  const bool own = scene.temperature == 1;
  const std::optional<CellRef>& pinned = scene.input.shown.cell;
  const bool weight = pinned && is_name_of(ValueKind::weights, pinned->name) && pinned->index.size() == 4 &&
                      pinned->index[2] == *scene.shown.query &&
                      pinned->index[3] < static_cast<int>(soft.weights.size());
  if (pinned && (own || !weight)) return std::nullopt;

  InspectorPage page;
  page.paper = "Paper, section 3.2.1";
  if (weight) {
    const auto key = static_cast<std::size_t>(pinned->index[3]);
    page.caption = "Weight at another temperature";
    page.subject = "**" + scene.asker + "** asks **" + scene.words[key] + "**";
    page.value = format_pinned(soft.weights[key]);
    page.full_value = format_full(soft.weights[key]);
    const double score = scene.row.scores.scores[key];
    const float model = scene.input.result.trace->at(pinned->name).at(pinned->index);
    page.sections.push_back(
        {.heading = "How it was computed",
         .rows = {{.label = "score of the model",
                   .value = format_pinned(score),
                   .link = SetPin{selecting(scene.input.pinned,
                                            scene.cell(ValueKind::masked_scores, pinned->index[3]))}},
                  {.label = "÷ temperature", .value = format_short(scene.temperature)},
                  {.label = "softmax", .value = format_pinned(soft.weights[key]), .emphasized = true},
                  {.label = "at 1, as the model has it", .value = format_pinned(double(model))}}});
    page.meaning = "The model itself always works at temperature 1: this is what its scores would give.";
    return page;
  }

  page.caption = "One row of attention";
  page.subject = "**" + scene.asker + "** asks, " + scene.place();
  page.action = InspectorAction{"The whole head, step by step", OpenView{"head"}};
  page.name = attention_value(scene.shown.kind, scene.shown.layer, ValueKind::weights);
  InspectorSection rows{.heading = "The whole row",
                        .note = own ? "temperature 1" : "temperature " + format_short(scene.temperature)};
  for (std::size_t key = 0; key < scene.words.size(); ++key)
    rows.rows.push_back(
        {.label = scene.words[key],
         .value = std::isinf(scene.row.scores.scores[key]) ? "hidden" : format_fixed(soft.weights[key], 3),
         .share = soft.weights[key],
         .emphasized = scene.row.hard.best == static_cast<int>(key)});
  page.sections.push_back(std::move(rows));
  if (!scene.relu())
    page.sections.push_back({.heading = "Its gradient",
                             .rows = {{.label = "softmax: size", .value = format_gradient(soft.slope_size())},
                                      {.label = "argmax", .value = "0"}},
                             .text = "How strongly the answer changes with the query's " +
                                     std::to_string(soft.slope.cols()) + " numbers, taken together."});
  page.meaning =
      "A lookup in a table of words: query and keys say where to look, the values say what comes out.";
  return page;
}

std::vector<NumberTable> row_numbers(const RowScene& scene) {
  NumberTable keys{.title = "row of " + scene.asker + ", " + scene.place() + ", temperature " +
                            format_file(scene.temperature),
                   .columns = {"score", "argmax", scene.soft_name()}};
  for (std::size_t key = 0; key < scene.words.size(); ++key) {
    keys.rows.push_back(scene.words[key]);
    keys.values.push_back(
        {scene.row.scores.scores[key], scene.row.hard.weights[key], scene.row.soft.weights[key]});
  }
  NumberTable answers{.title = "weighted sum of the values", .rows = {"argmax", scene.soft_name()}};
  for (std::size_t column = 0; column < scene.row.soft.answer.size(); ++column)
    answers.columns.push_back("dimension " + std::to_string(column));
  answers.values = {scene.row.hard.answer, scene.row.soft.answer};
  return {keys, answers};
}

std::string row_caption(const RowScene& scene) {
  std::string title = attention_title(scene.shown.kind);
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  const auto best = static_cast<std::size_t>(scene.row.hard.best);
  return title + ", " + scene.place() + ", the row of “" + scene.asker + "” as a lookup at temperature " +
         format_short(scene.temperature) + ": argmax takes “" + scene.words[best] + "” alone, " +
         scene.soft_name() + " gives it " + format_probability(scene.row.soft.weights[best]) + ".";
}

}  // namespace glassformer
