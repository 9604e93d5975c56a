#include "app/views/bottleneck/bottleneck.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "app/format/number_format.h"
#include "app/session/run_record.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/training_curves.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

namespace {

constexpr float kOwnGap = 32;

std::string joined(const std::vector<std::string>& words, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) text += (i > from ? " " : "") + words[i];
  return text;
}

std::string read_words(const RecurrentScene& scene) {
  const bool eos = scene.model->config.source_eos;
  return joined(scene.reads, 0, scene.reads.size() - (eos ? 1 : 0));
}

// An untrained model writes as long as it may.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 160;
  if (text.size() <= kMost) return text;
  const std::size_t space = text.rfind(' ', kMost);
  return text.substr(0, space == std::string::npos ? 0 : space) + " …";
}

const char* attention_words(const RecurrentConfig& config) {
  switch (config.recurrent_attention) {
    case RecurrentAttention::none:
      return "none: one vector";
    case RecurrentAttention::additive:
      return "additive";
    case RecurrentAttention::dot:
      break;
  }
  return "dot";
}

void draw_losses(Canvas& canvas, const Rect& area, const RecurrentRunState& state) {
  const Curves& curves = *state.curves;
  const Rect chart = draw_heading(canvas, area, "Loss", {.note = "of each step, and of held-out pairs"});
  ChartOptions options;
  const auto last = static_cast<double>(std::max<std::size_t>(2, curves.steps.size()));
  options.x = step_axis(1, last, true);
  options.bottom = kTitleBottom;
  if (state.looked_at) options.cursor = static_cast<double>(state.shown_step());
  const auto columns = static_cast<int>(chart.width);
  const CurveColumns steps = step_curve(curves.steps, &StepPoint::loss, options.x, columns);
  const CurveColumns held = validation_curve(
      curves.validations, [](const ValidationPoint& point) { return std::optional(point.loss); }, options.x,
      columns);
  std::vector<Series> series{{.x = steps.x, .y = steps.y, .kind = CurveKind::raw}};
  if (held.x.size() > 1) series.push_back({.label = "held out", .x = held.x, .y = held.y});
  options.y = fit_axis(series);
  draw_line_chart(canvas, chart, series, options);
}

HeatmapOptions map_options(const RecurrentScene& scene) {
  HeatmapOptions options;
  options.color_bar = false;
  options.min_cell = 4;
  options.max_aspect = 2;
  options.row_labels = scene.writes;
  options.column_labels = scene.reads;
  options.row_title = {Badge::none, "has written", ""};
  return options;
}

void draw_states(Canvas& canvas, const Rect& area, const RecurrentScene& scene) {
  const Matrix<float>& states = scene.trace.encoder.back().output;
  const Rect map = draw_heading(canvas, area, "The encoder's states");
  HeatmapOptions options;
  options.scale = ColorScale::signed_value;
  options.limit = 1;
  options.row_labels = scene.reads;
  options.show_column_labels = false;
  options.numbers = options.color_bar = false;
  options.min_cell = 3;
  options.max_cell = 22;
  options.stretch = 3;
  draw_heatmap(canvas, map,
               {.values = {states.data(), static_cast<int>(states.rows()), static_cast<int>(states.cols())}},
               options);
}

}  // namespace

OwnPage own_page(const ViewInput& input) {
  return {.state = input.recurrent_run, .reading = input.recurrent_reading};
}

OwnLayout layout_own(const Rect& content) {
  const float left = std::round((content.width - kOwnGap) * 0.56f), right = content.width - kOwnGap - left;
  const float top = std::round(content.height * 0.46f), low = content.height - top - 16;
  const float x = content.x + left + kOwnGap, y = content.y + top + 16;
  return {.losses = {content.x, content.y, left, top},
          .text = {x, content.y, right, top},
          .states = {content.x, y, left, low},
          .looks = {x, y, right, low}};
}

std::string own_subtitle(const OwnPage& page) {
  if (!page.state) return "A recurrent model on any data, beside the Transformer.";
  const RecurrentRunState& state = *page.state;
  const std::string name = "“" + state.name + "”";
  if (!state.problem.empty()) return name + ": " + state.problem;
  if (state.preparing) return name + (state.stage.empty() ? " is being read." : ": " + state.stage + ".");
  const std::string back = state.looked_at
                               ? " It is shown as it was at step " + format_count(state.shown_step()) + "."
                               : std::string();
  const std::string steps = "step " + format_count(state.step) +
                            (state.planned > 0 ? " of " + format_count(state.planned) : std::string());
  if (state.running)
    return name + " learns: " + steps + ", " + format_count(std::llround(state.tokens_per_s)) +
           " tokens a second." + back;
  if (!state.curves) return name + ", as its folder has it.";
  std::string ended = state.ended;
  if (!ended.empty()) ended[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(ended[0])));
  if (!ended.empty() && ended.back() != '.') ended += '.';
  const std::string shown = state.of_step == state.step || state.looked_at
                                ? back
                                : " The weights of step " + format_count(state.of_step) +
                                      " are kept and shown: they did best on held-out pairs.";
  return name + " stands at " + steps + ". " + ended + shown +
         (state.folder.empty() ? " It is kept nowhere." : "");
}

// What the picture's sentence is.
const char* heading_of(RecurrentReading::Of of) {
  using enum RecurrentReading::Of;
  return of == instead || of == nothing_typed ? "A held-out sentence" : "The typed sentence";
}

const char* note_of(RecurrentReading::Of of) {
  switch (of) {
    case RecurrentReading::Of::typed:
      return "";
    case RecurrentReading::Of::cut:
      return "Only its beginning: the model takes no more.";
    case RecurrentReading::Of::unknown:
      return "It has words that this model does not know.";
    case RecurrentReading::Of::instead:
      return "The typed sentence has words that this model does not know.";
    case RecurrentReading::Of::nothing_typed:
      break;
  }
  return "Nothing is typed.";
}

void draw_own(Canvas& canvas, const Rect& content, const OwnPage& page) {
  if (!page.state)
    return draw_nothing_yet(canvas, content, "There is none yet",
                            "New recurrent model: choose what it learns from, whether its decoder may look "
                            "back at the source, and how wide its state is. A folder that holds one can be "
                            "opened as well.");
  const std::string problem = !page.state->problem.empty() ? page.state->problem
                              : page.reading               ? page.reading->problem
                                                           : std::string();
  if (page.scene() == nullptr)
    return draw_nothing_yet(canvas, content, problem.empty() ? "One moment" : "There is nothing to show",
                            problem.empty() ? "Its data and its weights are being made ready." : problem);
  const OwnLayout at = layout_own(content);
  const RecurrentScene& scene = *page.scene();
  if (page.state->curves && page.state->curves->steps.size() > 1)
    draw_losses(canvas, at.losses, *page.state);
  else
    draw_nothing_yet(canvas, at.losses, "No curve",
                     page.state->running ? "It begins." : "Its folder has no record of its losses.");
  const Rect text = draw_heading(canvas, at.text, heading_of(page.reading->of));
  const TextStyle words{.size = 14, .color = canvas.theme().ink, .y = AlignY::top};
  float y = text.y + 4;
  const std::string written = joined(scene.writes, 1, scene.writes.size());
  for (const std::string& line :
       {"It reads “" + shortened(read_words(scene)) + "”.", "It writes “" + shortened(written) + "”.",
        std::string(note_of(page.reading->of)),
        "Attention " + std::string(attention_words(scene.model->config)) + " · " +
            std::to_string(scene.model->config.width) + " numbers a state · " +
            format_count(static_cast<long long>(scene.model->parameter_count())) + " weights"})
    if (!line.empty()) y += paragraph(canvas, {text.x, y}, text.width, line, words) + 6;
  draw_states(canvas, at.states, scene);
  if (!scene.attends()) {
    const Rect looks = draw_heading(canvas, at.looks, "All that is handed over");
    paragraph(canvas, {looks.x, looks.y + 4}, looks.width,
              "The last row on the left: the decoder begins with it and looks at nothing else.", words);
    return;
  }
  const Rect looks = draw_heading(canvas, at.looks, "Where the decoder looks");
  const Matrix<float>& weights = scene.trace.weights;
  draw_heatmap(
      canvas, looks,
      {.values = {weights.data(), static_cast<int>(weights.rows()), static_cast<int>(weights.cols())}},
      map_options(scene));
}

Point own_minimum() {
  return {760, 560};
}

InspectorSection closer_ways(bool attends) {
  InspectorSection ways{.heading = "The recurrent model, closer", .for_hands = true};
  if (attends)
    ways.rows.push_back({.label = "Its attention as one head",
                         .value = "Attention",
                         .link = OpenView{"attention", "Model", "Recurrent"}});
  ways.rows.push_back({.label = "A gate with its arithmetic",
                       .value = "One cell",
                       .link = OpenView{"cell", "Model", "Recurrent"}});
  return ways;
}

InspectorPage own_inspector_page(const OwnPage& page) {
  InspectorPage shown;
  shown.caption = "Before attention";
  shown.subject = page.state ? "**" + page.state->name + "**" : "**Own model**";
  shown.meaning =
      "A second kind of model: two recurrent networks, of which the second begins where the first has ended. "
      "It learns with the same data, loss and optimizer as a Transformer.";
  if (!page.state) return shown;
  InspectorSection section{.heading = "As it stands"};
  if (page.state->step > 0)
    section.rows.push_back({.label = "step", .value = format_count(page.state->step)});
  if (page.state->curves && !page.state->curves->validations.empty())
    section.rows.push_back({.label = "loss of held-out pairs",
                            .value = format_loss(page.state->curves->validations.back().loss)});
  if (!page.state->folder.empty() && page.state->model)
    section.text = "Kept as " + run_in_words(std::filesystem::path(page.state->folder).filename().string()) +
                   "; Open model lists it.";
  if (!section.rows.empty() || !section.text.empty()) shown.sections.push_back(std::move(section));
  if (page.scene() == nullptr) return shown;
  shown.sections.push_back(closer_ways(page.scene()->attends()));
  return shown;
}

std::vector<NumberTable> own_numbers(const OwnPage& page) {
  std::vector<NumberTable> tables;
  if (page.state && page.state->curves && !page.state->curves->validations.empty()) {
    NumberTable& losses = tables.emplace_back(NumberTable{.title = "held-out loss", .columns = {"loss"}});
    for (const ValidationPoint& point : page.state->curves->validations) {
      losses.rows.push_back(std::to_string(point.step));
      losses.values.push_back({point.loss});
    }
  }
  if (page.scene() == nullptr || !page.scene()->attends()) return tables;
  NumberTable& table = tables.emplace_back(NumberTable{.title = "alignment weights",
                                                       .columns = page.scene()->reads,
                                                       .rows = page.scene()->writes,
                                                       .one_quantity = true});
  const Matrix<float>& weights = page.scene()->trace.weights;
  for (Eigen::Index i = 0; i < weights.rows(); ++i) {
    std::vector<double>& row = table.values.emplace_back();
    for (Eigen::Index j = 0; j < weights.cols(); ++j) row.push_back(static_cast<double>(weights(i, j)));
  }
  return tables;
}

std::string own_caption(const OwnPage& page) {
  if (page.scene() == nullptr) return own_subtitle(page);
  return own_subtitle(page) + " It reads “" + read_words(*page.scene()) + "” and writes “" +
         joined(page.scene()->writes, 1, page.scene()->writes.size()) + "”.";
}

}  // namespace glassformer
