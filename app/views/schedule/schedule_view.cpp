#include "app/views/schedule/schedule_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "app/ui/ui.h"
#include "app/views/common/run_events.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostVariants = 4;
constexpr float kAddRow = 44;  // the button under the list
// From these widths on the sliders are beside the chart, or beside the list under it.
constexpr float kSideBySide = 740, kLowBeside = 860, kHalves = 500;
constexpr float kNarrowest = 440;  // of the stage
constexpr float kEndField = 144;   // the field for the end of the axis, its label and a gap
constexpr std::array kScheduleKinds{ScheduleKind::noam, ScheduleKind::constant, ScheduleKind::linear,
                                    ScheduleKind::cosine};

// Without room for the line under the title, and for a list over the sliders.
bool is_low(const Rect& area) {
  return area.height < 664;
}

// A wide one of those: the list is under the chart, with its button in the heading.
bool adds_in_heading(const Rect& area) {
  return is_low(area) && area.width - 2 * kStagePadding >= kLowBeside;
}

// On a narrow stage the field for the axis is in the heading of the list.
bool end_in_title(const Rect& area) {
  return area.width - 2 * kStagePadding >= 700;
}

// Another kind with the same peak, warm-up and end, so that only the shape changes.
Schedule reshaped(const Schedule& from, ScheduleKind kind, long last) {
  Schedule schedule = from;
  const double peak = from.peak_rate();
  schedule.kind = kind;
  schedule.warmup = std::max(1L, from.warmup);
  schedule.peak = peak;
  if (schedule.total_steps <= schedule.warmup) schedule.total_steps = std::max(last, schedule.warmup + 1);
  if (kind == ScheduleKind::noam) schedule.factor = noam_factor(peak, schedule.d_model, schedule.warmup);
  return schedule;
}

}  // namespace

std::unique_ptr<View> make_schedule_view() {
  return std::make_unique<ScheduleView>();
}

std::vector<Schedule> ScheduleView::variants(const ViewInput& input) const {
  if (variants_) return *variants_;
  const Schedule own = run_schedule(input.run, input.snapshot.config);
  return {reshaped(own, own.kind == ScheduleKind::cosine ? ScheduleKind::noam : ScheduleKind::cosine,
                   chart_steps(input.run))};
}

std::size_t ScheduleView::chosen(const ViewInput& input) const {
  const std::size_t count = variants(input).size();
  return count == 0 ? 0 : std::min(chosen_, count - 1);
}

Schedule ScheduleView::edited(const ViewInput& input) const {
  const std::vector<Schedule> all = variants(input);
  return all.empty() ? run_schedule(input.run, input.snapshot.config) : all[chosen(input)];
}

long ScheduleView::last_step(const ViewInput& input) const {
  if (asked_end_ > 0) return asked_end_;
  long last = std::max(chart_steps(input.run), input.run.step);
  for (const Schedule& schedule : variants(input)) {
    if (schedule.kind != ScheduleKind::constant) last = std::max(last, 2 * schedule.warmup);
    if (schedule.kind == ScheduleKind::linear || schedule.kind == ScheduleKind::cosine)
      last = std::max(last, schedule.total_steps);
  }
  return last;
}

// By the stage of the last frame: wide ones need less height.
Point ScheduleView::minimum_size(const ViewInput& input) const {
  const auto curves = static_cast<float>(variants(input).size() + 1);
  const float list = kHeadingHeight + kListRow * curves + 44,
              editor = kHeadingHeight + 44 + 3 * kKnobRow + 40;
  constexpr float kChart = 210, kLowChart = 160;
  const float inner = width_ - 2 * kStagePadding, low = kStageTopBare + 12;
  if (inner >= kLowBeside)
    return {kLowBeside + 2 * kStagePadding, low + std::max(editor, kLowChart + 12 + list)};
  if (inner >= kHalves || width_ == 0) return {kHalves + 2 * kStagePadding, 664};
  return {kNarrowest, kStageTop + 12 + kChart + 40 + list + kAddRow + editor};
}

ScheduleView::Parts ScheduleView::parts(const ViewInput& input, const Rect& area) const {
  const Rect content = stage_content(area, !is_low(area));
  const float list_height =
      kHeadingHeight + kListRow * static_cast<float>(variants(input).size() + 1) + kAddRow;
  const float editor_height = kHeadingHeight + 44 + 3 * kKnobRow + 40;
  if (adds_in_heading(area)) {
    // The list under the chart, the sliders beside both.
    const float side = 300, left = content.width - side - 40, list = list_height - kAddRow,
                y = content.bottom() - list;
    return {{content.x, content.y, left, y - 12 - content.y},
            {content.x, y, left, list},
            {content.right() - side, content.y, side, editor_height}};
  }
  if (content.width < kHalves) {
    // One under the other.
    const float editor_y = content.bottom() - editor_height, list_y = editor_y - 20 - list_height;
    return {{content.x, content.y, content.width, list_y - 20 - content.y},
            {content.x, list_y, content.width, list_height},
            {content.x, editor_y, content.width, editor_height}};
  }
  if (content.width >= kSideBySide) {
    // The chart beside its list and sliders.
    const float side = 300, x = content.right() - side;
    return {{content.x, content.y, content.width - side - 40, content.height},
            {x, content.y, side, list_height},
            {x, content.y + list_height + 16, side, editor_height}};
  }
  const float lower = std::max(list_height, editor_height), half = (content.width - 32) / 2;
  const float y = content.bottom() - lower;
  return {{content.x, content.y, content.width, content.height - lower - 20},
          {content.x, y, half, lower},
          {content.x + half + 32, y, half, lower}};
}

std::vector<ScheduleView::Knob> ScheduleView::knobs(const ViewInput& input) const {
  const Schedule schedule = edited(input);
  const double most = double(std::max(20000L, 2 * last_step(input)));
  const auto steps = [](const char* label, double least, double largest, long at) {
    return Knob{label, std::to_string(at), least, std::max(largest, double(at)), double(at)};
  };
  const auto real = [](const char* label, double least, double largest, double at) {
    return Knob{.label = label,
                .value = format_file(at),
                .minimum = std::min(least, at),
                .maximum = std::max(largest, at),
                .at = at,
                .whole = false};
  };
  std::vector<Knob> knobs;
  if (schedule.kind == ScheduleKind::noam) {
    knobs.push_back(real("factor", 0.05, 10, schedule.factor));
    knobs.push_back(steps("warm-up, in steps", 1, most / 2, schedule.warmup));
    knobs.push_back(steps("width d", 8, 2048, schedule.d_model));
    knobs.back().unit = 8;
    return knobs;
  }
  knobs.push_back(real("peak", 1e-5, 0.1, schedule.peak));
  if (schedule.kind == ScheduleKind::constant) return knobs;
  knobs.push_back(steps("warm-up, in steps", 1, most / 2, schedule.warmup));
  knobs.push_back(steps("total steps", 10, most, schedule.total_steps));
  return knobs;
}

void ScheduleView::turn(Schedule& schedule, std::size_t knob, double value) const {
  const long whole = std::max(1L, std::lround(value));
  if (knob == 0) (schedule.kind == ScheduleKind::noam ? schedule.factor : schedule.peak) = value;
  if (knob == 1) schedule.warmup = whole;
  if (knob == 2 && schedule.kind == ScheduleKind::noam) schedule.d_model = static_cast<int>(whole);
  if (knob == 2 && schedule.kind != ScheduleKind::noam) schedule.total_steps = whole;
  if (schedule.kind == ScheduleKind::linear || schedule.kind == ScheduleKind::cosine) {
    if (knob == 1) schedule.total_steps = std::max(schedule.total_steps, schedule.warmup + 1);
    if (knob == 2) schedule.warmup = std::min(schedule.warmup, std::max(1L, schedule.total_steps - 1));
  }
}

void ScheduleView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  draw_stage_title(canvas, area, "How large a step to take, and when",
                   is_low(area)
                       ? ""
                       : "Small steps at first, which deep models with the norm behind the sum need, "
                         "then large ones, and small ones to settle.",
                   canvas.is_file() ? 0 : 220 + (end_in_title(area) ? kEndField : 0));
  const Parts at = parts(input, area);
  draw_chart(canvas, at.chart, input);
  draw_list(canvas, at.list, input);
  draw_editor(canvas, at.editor, input);
}

void ScheduleView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  // Where the layout at hand is too wide for the stage, the narrowest is tried first.
  const float width = ui.find("stage: scroll bar across") ? kNarrowest : area.width;
  if (width_ != width) ui.ask_frame(0);
  width_ = width;
  const Rect inner = stage_inner(area);
  const float steps_width = ui.segmented_width({"Early steps wide", "Even"});
  int even = even_ ? 1 : 0;
  if (Segmented(ui, {inner.right() - steps_width, inner.y + 9, steps_width, 32}, "Schedule axis",
                {"Early steps wide", "Even"}, even))
    even_ = even == 1;
  const Parts at = parts(input, area);
  show_axis_end(ui, input,
                end_in_title(area)
                    ? Rect{inner.right() - steps_width - kEndField, inner.y + 12, kEndField, 26}
                    : Rect{at.list.right() - kEndField, at.list.y - 4, kEndField, 26});

  // The mouse or the arrows read the curves.
  hovered_.reset();
  if (const auto point = ui.plane(at.chart, "schedule chart", "text").at) {
    const double share = std::clamp(double((point->x - at.chart.x) / at.chart.width), 0.0, 1.0);
    hovered_ = std::max(1L, std::lround(step_axis(0, double(last_step(input)), even_).value(share)));
  }

  event_tooltips(ui, at.chart, step_axis(0, double(last_step(input)), even_), input.run);

  // The list: choose, remove, add.
  std::vector<Schedule> all = variants(input);
  bool changed = false;
  float y = at.list.y + kHeadingHeight + kListRow;
  for (std::size_t i = 0; i < all.size(); ++i, y += kListRow) {
    const std::string number = std::to_string(i + 1);
    if (ui.area({at.list.x, y, at.list.width - 40, kListRow}, "curve " + number).clicked) chosen_ = i;
    if (IconButton(ui, {at.list.right() - 28, y + 2, 28, 28}, ui::Icon::close, "Remove curve " + number)) {
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
      if (chosen_ >= i && chosen_ > 0) --chosen_;
      changed = true;
      break;
    }
  }
  const float add_width = ui.button_width("Add a curve");
  const Rect under{at.list.x,
                   at.list.y + kHeadingHeight + kListRow * static_cast<float>(variants(input).size() + 1) + 6,
                   add_width, 32};
  const Rect beside{at.list.right() - add_width, at.list.y - 6, add_width, 32};
  if (Button(ui, adds_in_heading(area) ? beside : under, "Add a curve",
             {.enabled = all.size() < kMostVariants})) {
    all.push_back(edited(input));
    chosen_ = all.size() - 1;
    changed = true;
  }
  if (changed) variants_ = all;
  if (all.empty()) return;

  offer_to_learn_by(ui, input, at.editor, all[std::min(chosen_, all.size() - 1)]);

  // The chosen one's shape and sliders.
  Schedule& schedule = all[std::min(chosen_, all.size() - 1)];
  int kind = static_cast<int>(std::find(kScheduleKinds.begin(), kScheduleKinds.end(), schedule.kind) -
                              kScheduleKinds.begin());
  const Rect kinds{at.editor.x, at.editor.y + kHeadingHeight, at.editor.width, 32};
  if (Segmented(ui, kinds, "Shape", {"noam", "constant", "linear", "cosine"}, kind)) {
    schedule = reshaped(schedule, kScheduleKinds[static_cast<std::size_t>(kind)], last_step(input));
    variants_ = all;
    return;
  }
  const std::vector<Knob> turned = knobs(input);
  y = at.editor.y + kHeadingHeight + 44;
  for (std::size_t i = 0; i < turned.size(); ++i, y += kKnobRow)
    if (draw_knob(ui, {at.editor.x, y, at.editor.width, kKnobRow}, i, turned[i], schedule)) variants_ = all;
}

// Before the start the run takes the curve over; one that has begun begins again, or has a variant beside it.
void ScheduleView::offer_to_learn_by(ui::Ui& ui, const ViewInput& input, const Rect& editor,
                                     const Schedule& schedule) const {
  const RunState& run = input.run;
  if (input.second_of_two || run.phase == RunPhase::preparing) return;
  const bool begun = run.step > 0;
  const std::string words = begun ? "Start again by it" : "Learn by it";
  const float y = editor.bottom() - 32, first = ui.button_width(words);
  if (Button(ui, {editor.x, y, first, 32}, words,
             {.id = "Learn by this curve",
              .tooltip = begun ? "The same run from step 0, at this rate; the one before is kept"
                               : "The run that has not begun yet takes this rate"}))
    ui.push(ResetTraining{.schedule = schedule});
  const bool full = all_places_taken(input.beside);
  if (Button(ui, {editor.x + first + 8, y, ui.button_width("Train it beside"), 32}, "Train it beside",
             {.enabled = !full,
              .id = "Train this curve beside",
              .tooltip = full ? "Four runs learn already: end one of those beside this one first"
                              : "Another run, at this rate, beside the one that is open"})) {
    const Config& config = input.snapshot.config;
    Config planned = config;
    if (run.curves) planned.dropout = settings_at(*run.curves, run.live, 0).dropout;  // as the run began
    ui.push(TrainVariant{{.about = "Schedule",
                          .name = schedule_words(schedule),
                          .shows = "The same beginning, at another learning rate.",
                          .config = planned,
                          .training = with_schedule(run.options, schedule, config.d_model)}});
  }
}

ViewPlace ScheduleView::place(const ViewInput&) const {
  return {.path = {"Training", "Schedule"}};
}

std::optional<InspectorPage> ScheduleView::inspect(const ViewInput& input) const {
  const Schedule own = run_schedule(input.run, input.snapshot.config);
  const long step = std::max(1L, hovered_.value_or(std::max(1L, input.step())));
  InspectorPage page;
  page.caption = "Learning rate";
  page.subject = (hovered_ ? "at step **" : "this run, at step **") + format_count(step) + "**";
  const double rate = run_rate(input.run, own, step);
  page.value = format_short(rate);
  page.full_value = format_file(rate);
  InspectorSection how{.heading = "How it was computed"};
  how.formulas.push_back(schedule_formula(own.kind));
  const double scale = input.run.curves ? settings_at(*input.run.curves, input.run.live, step).rate_scale : 1;
  if (scale != 1) {
    how.rows.push_back({.label = "by the plan", .value = format_short(own.rate(step))});
    how.rows.push_back({.label = "times, as it was changed to", .value = format_short(scale)});
  }
  page.sections.push_back(how);

  InspectorSection compared{.heading = "At this step"};
  compared.rows.push_back({.label = "this run", .value = format_short(rate), .emphasized = true});
  const std::vector<Schedule> all = variants(input);
  for (std::size_t i = 0; i < all.size(); ++i)
    compared.rows.push_back({.label = std::to_string(i + 1) + "  " + schedule_name(all[i].kind),
                             .value = format_short(all[i].rate(step))});
  page.sections.push_back(compared);
  page.meaning =
      "Adam divides by how large the gradients have been, which a few steps say badly: one of several "
      "reasons why the rate starts near 0 and rises.";
  page.paper = "Paper, section 5.3";
  return page;
}

std::vector<NumberTable> ScheduleView::numbers(const ViewInput& input) const {
  const Schedule own = run_schedule(input.run, input.snapshot.config);
  NumberTable table{.title = "learning rate by step",
                    .columns = {"this run: " + run_schedule_words(input.run, input.snapshot.config)}};
  const std::vector<Schedule> all = alone_ ? shaped() : variants(input);
  for (const Schedule& schedule : all) table.columns.push_back(schedule_words(schedule));
  for (const double step : run_rate_curve(input.run, own, last_step(input)).steps) {
    table.rows.push_back(std::to_string(std::lround(step)));
    table.values.push_back({run_rate(input.run, own, std::lround(step))});
    for (const Schedule& schedule : all) table.values.back().push_back(schedule.rate(std::lround(step)));
  }
  return {table};
}

std::string ScheduleView::caption(const ViewInput& input) const {
  std::string text = "Learning rate: " + run_schedule_words(input.run, input.snapshot.config);
  for (const Schedule& schedule : alone_ ? shaped() : variants(input))
    text += "; compared with " + schedule_words(schedule);
  return text;
}

ViewTraits ScheduleView::traits() const {
  return {.state = state_words(), .panels = {"learning-rate"}};
}

std::string ScheduleView::state_words() const {
  std::string text = even_ ? "even" : "early steps wide";
  if (asked_end_ > 0) text += ", to step " + std::to_string(asked_end_);
  if (!variants_) return text + ", as proposed";
  for (std::size_t i = 0; i < variants_->size(); ++i)
    text += std::string(i == chosen_ ? ", chosen: " : ", ") + schedule_words((*variants_)[i]);
  return text;
}

}  // namespace glassformer
