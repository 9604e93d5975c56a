#include "app/panels/comparing.h"

#include <algorithm>
#include <array>

#include "app/format/number_format.h"
#include "app/panels/stage.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

constexpr float kStrip = 44;
constexpr const char *kFirstStage = "stage", *kSecondStage = "second stage", *kBothStages = "both stages";

constexpr std::array kCompareWays{"Both", "First", "Second", "Difference"};

// The second of two runs goes with the slider, or stays: left of `end`, where that is behind `from`.
void hold_button(ui::Ui& ui, const Compared& compared, float from, Point end) {
  const std::string hold = compared.held
                               ? "Let it follow the slider"
                               : "Hold the second at step " + format_count(compared.second->snapshot->step);
  const float wide = ui.button_width(hold);
  if (from < end.x - wide &&
      QuietButton(ui, {end.x - wide, end.y - 16, wide, 32}, hold,
                  {.id = compared.held ? "Follow the slider" : "Hold the second",
                   .tooltip = compared.held ? "Both show the step of the slider"
                                            : "It stays at this step while the slider moves the first"}))
    ui.push(Compare{OtherRun{compared.held ? std::nullopt : std::optional(compared.second->snapshot->step),
                             compared.variant}});
}

}  // namespace

void Comparing::begin_frame(const Session& session) {
  if (!session.compared()) asked_ = ComparedAs::both;
}

View* Comparing::second_view(const std::string& name, const View* first) {
  View* const made = second_views_.view(name);
  return made && first && made->show_like(*first) ? made : nullptr;
}

// How the two can be shown here and now; while the second is on its way, as they will be.
std::vector<ComparedAs> Comparing::ways(const PanelInput& in, const Compared& compared) {
  std::vector<ComparedAs> ways;
  if (second_view(in) != nullptr) ways.push_back(ComparedAs::both);
  ways.push_back(ComparedAs::first);
  if (!compared.second) return ways;
  ways.push_back(ComparedAs::second);
  if (in.view->traits().shows_difference) ways.push_back(ComparedAs::difference);
  return ways;
}

ViewInput Comparing::shown_input(const Session& session, const ViewInput& first) const {
  const Compared* compared = session.compared();
  return compared && compared->second ? compared_input(first, *compared, shown_) : first;
}

bool Comparing::explains_second(const Session& session) const {
  const Compared* compared = session.compared();
  if (!compared || !compared->second) return false;
  const bool there = session.hovering() ? over_second_ : pinned_in_second_;
  return shown_ == ComparedAs::second || (shown_ == ComparedAs::both && there);
}

ViewInput Comparing::explained_input(const Session& session, const ViewInput& first) const {
  return explains_second(session) ? second_input(first, *session.compared()) : first;
}

void Comparing::explained_commands(const Session& session, Commands& commands, size_t from) const {
  if (!explains_second(session)) return;
  const SourcePlaces back = source_places(*session.compared()->second, *session.compared()->first);
  for (size_t i = from; i < commands.size(); ++i) commands[i] = of_the_first(commands[i], back);
}

void Comparing::note_side(const ui::Ui& ui, const ComparisonLayout& layout) {
  const std::optional<Point> mouse = ui.mouse();
  if (mouse && layout.second.contains(*mouse)) over_second_ = true;
  if (mouse && layout.first.contains(*mouse)) over_second_ = false;
}

void start_or_stop_comparing(ui::Ui& ui, const PanelInput& in) {
  if (in.session.compared()) return ui.push(StopComparing{});
  if (!in.session.beside().empty()) return ui.push(Compare{OtherRun{}});
  if (!in.session.scene().what_if.empty()) return ui.push(Compare{OtherUntouched{}});
  if (in.result) ui.push(OpenDialog{"compare"});
}

// The ways, and the way out. What was asked for comes back when it is possible again.
void Comparing::strip(ui::Ui& ui, const PanelInput& in, const Compared& compared, const Rect& strip) {
  const std::vector<ComparedAs> possible = ways(in, compared);
  auto asked = std::ranges::find(possible, asked_);
  if (asked == possible.end()) asked = possible.begin();
  shown_ = *asked;
  int chosen = static_cast<int>(asked - possible.begin());
  std::vector<std::string> words;
  for (const ComparedAs way : possible) words.emplace_back(kCompareWays[static_cast<size_t>(way)]);
  const float width = ui.segmented_width(words);
  if (Segmented(ui, {strip.x, strip.center().y - 16, width, 32}, "Compared", words, chosen))
    asked_ = possible[static_cast<size_t>(chosen)];
  float right = strip.right();
  if (IconButton(ui, {right - 32, strip.center().y - 16, 32, 32}, ui::Icon::close, "Stop comparing",
                 {.tooltip = "Back to one (C)"}))
    ui.push(StopComparing{});
  right -= 40;
  const float other = ui.button_width("Another…");
  if (strip.x + width + 8 < right - other) {
    if (QuietButton(ui, {right - other, strip.center().y - 16, other, 32}, "Another…",
                    {.id = "Compare with another", .tooltip = "Another step, sentence or model"}))
      ui.push(OpenDialog{"compare"});
    right -= other + 8;
  }
  if (compared.variant > 0 && compared.second)
    hold_button(ui, compared, strip.x + width + 8, {right, strip.center().y});
}

// With the room that the larger of the two needs.
Point Comparing::least_of_each(const PanelInput& in, const ViewInput& first, const Compared& compared) {
  const Point least = in.view->minimum_size(first);
  if (!compared.second || !second_view(in)) return least;
  const Point theirs = second_view(in)->minimum_size(second_input(first, compared));
  return {std::max(least.x, theirs.x), std::max(least.y, theirs.y)};
}

Point Comparing::minimum_size(const PanelInput& in, const ViewInput& first, const Compared& compared,
                              float width) {
  const Point each = least_of_each(in, first, compared);
  const bool stacked = compared.second && stacks(each, shown_, width);
  const Point both = stacked ? stacked_size(each, {}) : comparison_minimum(each, shown_);
  return {both.x, both.y + kStrip};
}

void Comparing::draw(ui::Ui& ui, const PanelInput& in, const ViewInput& first, const Compared& compared,
                     Rect area) {
  Canvas& canvas = ui.canvas();
  strip(ui, in, compared, {area.x + kPadding, area.y, area.width - 2 * kPadding, kStrip});
  area.y += kStrip, area.height -= kStrip;
  const ComparedAs as = shown_;

  const Point least = least_of_each(in, first, compared);
  const bool stacked = compared.second && stacks(least, as, area.width);
  if (stacked) area = ui.scroll.begin(area, kBothStages, stacked_size(least, area));
  const ComparisonLayout layout = layout_comparison(area, as, stacked);
  if (!compared.second) {
    const std::string why = compared.problem.empty() ? "Computing the second…" : compared.problem;
    const Rect head = layout.first_head.inset(4);
    paragraph(canvas, {head.x + kPadding, head.y}, area.width - 2 * kPadding, why,
              styles::body_second(in.theme));
    ui.note(head, "second of two missing", why);
    return draw_picture(ui, *in.view, first, layout.first, {kFirstStage});
  }
  note_side(ui, layout);
  draw_comparison_heads(canvas, layout, compared);
  ui.note(layout.first_head, "first of two", compared.first_name + ": " + compared.first->translation);
  ui.note(layout.second_head, "second of two", compared.second_name + ": " + compared.second->translation);
  const ViewInput second = second_input(first, compared);
  if (as == ComparedAs::second) {
    // What it is steered by would change the first, but for a view that cannot be beside itself.
    ui.alter_hits(hits_of_second(compared, ""));
    draw_picture(ui, *in.view, second, layout.second, {kFirstStage, second_view(in) == nullptr});
    return ui.alter_hits({});
  }
  const ViewInput shown = compared_input(first, compared, as);
  const std::string why = draw_no_difference(canvas, layout.first, *in.view, shown);
  if (!why.empty()) return ui.note(layout.first, "no difference", why);
  draw_picture(ui, *in.view, shown, layout.first, {kFirstStage});
  if (as != ComparedAs::both) return;
  // Side by side they are scrolled together; the one under the mouse leads.
  const bool leads = ui.mouse() && layout.second.contains(*ui.mouse());
  if (!stacked)
    ui.scroll.to(leads ? kFirstStage : kSecondStage, ui.scroll.of(leads ? kSecondStage : kFirstStage));
  ui.alter_hits(hits_of_second(compared, " of the second"));
  draw_picture(ui, *second_view(in), second, layout.second, {kSecondStage, false});
  ui.alter_hits({});
  if (stacked) ui.scroll.end();
}

}  // namespace glassformer
