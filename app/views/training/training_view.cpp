#include "app/views/training/training.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/format/part_names.h"
#include "app/reading/run_schedule.h"
#include "app/ui/ui.h"
#include "app/views/common/run_events.h"
#include "app/views/common/stage_text.h"
#include "engine/layers/adam.h"
#include "engine/layers/cross_entropy.h"

namespace glassformer {

namespace {

constexpr float kTop = 56;          // the title alone: no line below it
constexpr float kWideNames = 1000;  // where all names have one row

std::string title_of(const RunState& run) {
  if (!has_curves(run)) return "How the model learns";
  if (run.phase == RunPhase::none) return "How this model was trained";
  return "Loss falls as attention forms";
}

// Every validation and every step; `whose` is behind the titles.
std::vector<NumberTable> curve_tables(const Curves& curves, const std::string& whose) {
  const std::string looks = has_held_out_pairs(curves) ? "validation" : "mean of the training steps";
  NumberTable validations{.title = looks + whose,
                          .columns = {"loss", "nll", "token accuracy", "exact match", "best so far"}};
  for (const ValidationPoint& point : curves.validations) {
    validations.rows.push_back(std::to_string(point.step));
    const double exact = point.exact_match < 0 ? std::numeric_limits<double>::quiet_NaN() : point.exact_match;
    validations.values.push_back(
        {point.loss, point.nll, point.token_accuracy, exact, point.best ? 1.0 : 0.0});
  }
  NumberTable steps{.title = "steps" + whose,
                    .columns = {"loss", "learning rate", "gradient norm", "tokens per second"}};
  for (std::size_t i = 0; i < curves.steps.size(); ++i) {
    const StepPoint& point = curves.steps[i];
    steps.rows.push_back(std::to_string(i + 1));
    steps.values.push_back({point.loss, point.learning_rate, point.gradient_norm, point.tokens_per_s});
  }
  return {validations, steps};
}

// What one chart of the stack draws of these, by their headings.
std::vector<std::string> columns_of(int chart) {
  const std::vector<std::vector<std::string>> all{{"loss", "nll", "best so far"},
                                                  {"token accuracy", "exact match"},
                                                  {"gradient norm"},
                                                  {"tokens per second"},
                                                  {"learning rate"}};
  return all[static_cast<std::size_t>(chart)];
}

// False: it has none of them.
bool keep_columns(NumberTable& table, const std::vector<std::string>& kept) {
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    if (std::ranges::find(kept, table.columns[i]) != kept.end()) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.values) row.erase(row.begin() + at);
  }
  return !table.columns.empty();
}

// Too narrow for the switches beside the title: they are under it.
bool is_narrow(float width) {
  return width < 560;
}

constexpr float kUnderTitle = 44;  // where they are there

float top_of(float width) {
  return kTop + (is_narrow(width) ? kUnderTitle - 4 : 0);
}

}  // namespace

std::unique_ptr<View> make_training_view() {
  return std::make_unique<TrainingView>();
}

bool has_curves(const RunState& run) {
  return run.curves && (!run.curves->steps.empty() || !run.curves->validations.empty());
}

bool held_out(const RunState& run) {
  return run.curves && has_held_out_pairs(*run.curves);
}

double lowest_loss(const ViewInput& input) {
  return smoothed_entropy(input.run.options.smoothing, std::max(1, input.snapshot.config.target_vocab));
}

TrainingCharts TrainingView::charts(const ViewInput& input) const {
  long last = chart_steps(input.run);
  for (const RunBeside* const each : input.beside)
    if (has_curves(each->run)) last = std::max(last, chart_steps(each->run));
  const auto& curves = input.run.curves;
  long newest = input.run.step;
  if (curves) newest = std::max(newest, static_cast<long>(curves->steps.size()));
  return {.input = input,
          .axis = step_axis(0, double(last), even_),
          .cursor = std::clamp(hovered_.value_or(input.step()), 0L, std::max(newest, 0L)),
          .hovered = hovered_.has_value(),
          .log = log_,
          .curves = curves_};
}

std::vector<TrainingPanel> TrainingView::panels(const ViewInput& input, const Rect& area) const {
  using Kind = TrainingPanel::Kind;
  const bool steps = input.run.curves && !input.run.curves->steps.empty();
  std::vector<std::pair<Kind, float>> wanted{{Kind::loss, 0.35f}};
  if (held_out(input.run)) wanted.emplace_back(Kind::right, 0.18f);
  if (steps) {
    wanted.emplace_back(Kind::gradient, 0.15f);
    wanted.emplace_back(Kind::speed, 0.15f);
  }
  wanted.emplace_back(Kind::rate, 0.18f);

  // Share out what the headings leave; the last one needs room for the steps and the flag.
  constexpr float kFoot = 46;
  const Rect inner = stage_inner(area);
  float shares = 0;
  for (const auto& [kind, share] : wanted) shares += share;
  const float top = top_of(inner.width) + names_height(input, inner.width),
              room = inner.height - top - kFoot - 8;
  std::vector<TrainingPanel> result;
  float y = inner.y + top;
  for (const auto& [kind, share] : wanted) {
    const float height = std::floor(room * share / shares);
    result.push_back({kind, {inner.x, y, inner.width, height + (kind == Kind::rate ? kFoot : 0)}});
    y += height;
  }
  return result;
}

Point TrainingView::minimum_size(const ViewInput& input) const {
  return {440, has_curves(input.run) ? 560.0f + names_height(input, kWideNames) : 400.0f};
}

void TrainingView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Rect inner = stage_inner(area);
  const TextStyle title{.font = Font::semibold, .size = 18, .color = canvas.theme().ink};
  const float reserved = has_curves(input.run) && !canvas.is_file() ? 364 : 0;
  canvas.text({inner.x, inner.y + 25},
              elided(canvas, title_of(input.run), title,
                     is_narrow(inner.width) ? inner.width : inner.width - reserved),
              title);
  if (!has_curves(input.run)) return draw_empty(canvas, input, area);

  const std::vector<TrainingPanel> all = panels(input, area);
  const TrainingCharts shared = charts(input);
  draw_names(canvas, input,
             {inner.x, inner.y + top_of(inner.width) - 4, inner.width, names_height(input, inner.width)});
  draw_events(canvas, shared, all);
  draw_cursor(canvas, shared, all);
  for (const TrainingPanel& panel : all) draw_panel(canvas, shared, panel);
  draw_readings(canvas, shared, all.front());
}

// By its heading, as a name.
TrainingPanel::Kind TrainingView::kind_of(std::string_view name) const {
  const std::vector<std::string> all = traits().panels;
  return static_cast<TrainingPanel::Kind>(std::ranges::find(all, name) - all.begin());
}

bool TrainingView::open_panel(std::string_view name) {
  alone_ = kind_of(name);
  return true;
}

void TrainingView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                         const Rect& area) const {
  if (!has_curves(input.run)) return draw_empty(canvas, input, area);
  const Rect inner = area.inset(kStagePadding);
  const float names = names_height(input, inner.width);
  draw_names(canvas, input, {inner.x, inner.y, inner.width, names});
  const TrainingPanel chart{
      kind_of(name), {inner.x, inner.y + names, inner.width, inner.height - names}, true};
  const TrainingCharts shared = charts(input);
  draw_events(canvas, shared, {chart});
  draw_cursor(canvas, shared, {chart});
  draw_panel(canvas, shared, chart);
  // On a narrow file they would hide the curve, and no mouse asks for them.
  if (chart.kind == TrainingPanel::Kind::loss && !(canvas.is_file() && inner.width < 400))
    draw_readings(canvas, shared, chart);
}

void TrainingView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const Rect inner = stage_inner(area);
  if (!has_curves(input.run)) {
    hovered_.reset();
    const bool busy = input.run.phase == RunPhase::preparing || input.run.phase == RunPhase::training;
    const float width = ui.button_width("Train", ui::Icon::play);
    const float left = inner.center().x - std::min(360.0f, inner.width - 32) / 2;
    if (!busy && !unknown_training(input.run) &&
        Button(ui, {left, inner.center().y + 64, width, 32}, "Train",
               {.icon = ui::Icon::play, .id = "Train here"}))
      ui.push(Train{});
    return;
  }

  // How the axes run.
  const float scale_width = ui.segmented_width({"Linear", "Log"});
  const float steps_width = ui.segmented_width({"Early steps wide", "Even"});
  int scale = log_ ? 1 : 0, even = even_ ? 1 : 0;
  const float y = inner.y + (is_narrow(inner.width) ? kUnderTitle : 9);
  float x = inner.right() - scale_width;
  if (Segmented(ui, {x, y, scale_width, 32}, "Loss axis", {"Linear", "Log"}, scale)) log_ = scale == 1;
  x -= steps_width + 12;
  if (Segmented(ui, {x, y, steps_width, 32}, "Step axis", {"Early steps wide", "Even"}, even))
    even_ = even == 1;

  // One cursor over all charts.
  const std::vector<TrainingPanel> all = panels(input, area);
  const Rect place{inner.x, all.front().rect.y, inner.width, all.back().rect.bottom() - all.front().rect.y};
  hovered_.reset();
  if (const auto at = ui.plane(place, "training charts", "text").at) {
    const double share = std::clamp(double((at->x - place.x) / place.width), 0.0, 1.0);
    hovered_ = std::lround(charts(input).axis.value(share));
  }
  event_tooltips(ui, place, charts(input).axis, input.run);
}

ViewPlace TrainingView::place(const ViewInput&) const {
  return {.path = {"Training"}};
}

std::optional<InspectorPage> TrainingView::inspect(const ViewInput& input) const {
  InspectorPage page;
  page.caption = alone_ ? std::string(kChartNames[static_cast<std::size_t>(*alone_)]) : "Training";
  page.subject = input.run.data_name.empty() ? "no data chosen" : "**" + input.run.data_name + "**";
  const AdamOptions adam;  // of every run; the paper's
  if (!alone_)
    page.sections = {
        {.heading = "Adam",
         .note = "the paper’s values",
         .rows = {{.label = "β₁", .value = format_short(adam.beta1)},
                  {.label = "β₂", .value = format_short(adam.beta2)},
                  {.label = "ε", .value = format_short(adam.eps)}}},
        {.heading = "Fine-tuning",
         .text = "A model that has learned can learn on from other pairs: such a run begins with "
                 "the weights that it has instead of drawn ones. The command is train --fine-tune."},
        {.heading = "The paper’s machine",
         .text = "The paper trained its base model for 12 hours and its big one for 3.5 days, on 8 NVIDIA "
                 "P100."}};
  page.paper = "Paper, section 5";
  if (alone_ && alone_ != TrainingPanel::Kind::loss) return page;
  page.meaning =
      input.run.options.smoothing > 0
          ? "The loss is the mean of −log p over all words, weighted by their smoothed targets: " +
                format_percent(1 - input.run.options.smoothing) +
                " and a small share for the word to learn, small shares for all others. So it cannot "
                "fall to 0, and is larger than −log p of that word where the model is sure of it."
          : "The loss is the mean of −log p of the words to learn.";
  return page;
}

std::vector<NumberTable> TrainingView::numbers(const ViewInput& input) const {
  if (!has_curves(input.run)) return {};
  std::vector<NumberTable> tables = curve_tables(*input.run.curves, "");
  for (const RunBeside* const each : input.beside) {
    if (!has_curves(each->run)) continue;
    for (NumberTable& table : curve_tables(*each->run.curves, ", " + each->title()))
      tables.push_back(std::move(table));
  }
  if (!alone_) return tables;
  std::vector<NumberTable> own;
  for (NumberTable& table : tables)
    if (keep_columns(table, columns_of(static_cast<int>(*alone_)))) own.push_back(std::move(table));
  return own;
}

std::string TrainingView::caption(const ViewInput& input) const {
  if (!has_curves(input.run)) return "Training: no run yet";
  std::string beside;
  for (const RunBeside* const each : input.beside)
    beside +=
        (beside.empty() ? input.beside.size() == 1 ? "; beside it a variant, " : "; beside it variants, "
                        : ", ") +
        each->title();
  const std::string chart =
      alone_ ? std::string(kChartNames[static_cast<std::size_t>(*alone_)]) + ", training on "
             : "Training on ";
  const std::string lowest = alone_ && alone_ != TrainingPanel::Kind::loss
                                 ? std::string()
                                 : "; lowest possible loss with label smoothing " +
                                       format_short(input.run.options.smoothing) + ": " +
                                       format_loss(lowest_loss(input));
  return chart + input.run.data_name + ", " + format_count(chart_steps(input.run)) + " steps, seed " +
         std::to_string(input.run.options.seed) + lowest + beside;
}

// What is read at the step where one is.
std::vector<std::string> TrainingView::sentences(const ViewInput& input) const {
  if (!has_curves(input.run) || (alone_ && alone_ != TrainingPanel::Kind::loss)) return {};
  const TrainingCharts shared = charts(input);
  std::string all;
  for (const auto& [label, value] : readings(shared)) all += (all.empty() ? "" : ", ") + label + " " + value;
  return all.empty() ? std::vector<std::string>()
                     : std::vector{"At step " + format_count(shared.cursor) + ": " + all + "."};
}

ViewTraits TrainingView::traits() const {
  std::string text = std::string(log_ ? "log" : "linear") + (even_ ? ", even" : ", early steps wide");
  if (hovered_) text += ", cursor at " + std::to_string(*hovered_);
  ViewTraits traits{.state = text};
  for (const char* const name : kChartNames) {
    traits.panels.push_back(part_named(name));
    traits.panels.back()[0] = static_cast<char>(traits.panels.back()[0] - 'A' + 'a');
  }
  return traits;
}

bool TrainingView::column(ViewColumn which, ui::Ui& ui, const ViewInput& input, const Rect& rect) {
  return which == ViewColumn::left ? facts_column(ui, input, rect)
                                   : held_out_column(ui, input, rect, charts(input).cursor);
}

}  // namespace glassformer
