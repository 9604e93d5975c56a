// The stage while two Scenes are compared.
#include <algorithm>
#include <array>

#include "app/format/number_format.h"
#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/views/view_table.h"

namespace glassformer {

namespace {

constexpr float kStrip = 44;
constexpr const char *kFirstStage = "stage", *kSecondStage = "second stage", *kBothStages = "both stages";

constexpr std::array kWays{"Both", "First", "Second", "Difference"};

}  // namespace

// The same view once more, as the first one shows its Scene; null: it is not drawn twice.
View* Shell::second_view() {
  auto& made = second_views_[view_];
  if (!made)
    for (const ViewEntry& entry : view_table())
      if (view_ == entry.name) made = entry.make();
  View* const first = current_view();
  return made && first && made->show_like(*first) ? made.get() : nullptr;
}

// How the two can be shown here and now; while the second is on its way, as they will be.
std::vector<ComparedAs> Shell::ways_to_compare(const Compared& compared) {
  std::vector<ComparedAs> ways;
  if (second_view() != nullptr) ways.push_back(ComparedAs::both);
  ways.push_back(ComparedAs::first);
  if (!compared.second) return ways;
  ways.push_back(ComparedAs::second);
  if (current_view()->traits().shows_difference) ways.push_back(ComparedAs::difference);
  return ways;
}

// The picture of which words, numbers and files tell: the first, but where the second or both are one
// picture.
ViewInput Shell::shown_input(const ViewInput& first) {
  const Compared* compared = session_.compared();
  return compared && compared->second ? compared_input(first, *compared, shown_as_) : first;
}

// What the inspector tells of: the side that the mouse is on, else the one that was clicked.
ViewInput Shell::explained_input(const ViewInput& first) {
  const Compared* compared = session_.compared();
  if (!compared || !compared->second) return first;
  const bool there = session_.hovering() ? over_second_ : pinned_in_second_;
  const bool second = shown_as_ == ComparedAs::second || (shown_as_ == ComparedAs::both && there);
  return second ? second_input(first, *compared) : first;
}

void Shell::note_side(const ComparisonLayout& layout) {
  const std::optional<Point> mouse = ui_->mouse();
  if (mouse && layout.second.contains(*mouse)) over_second_ = true;
  if (mouse && layout.first.contains(*mouse)) over_second_ = false;
}

// C: with what there is to compare with, else a choice.
void Shell::start_or_stop_comparing() {
  if (session_.compared()) return ui_->push(StopComparing{});
  if (session_.beside()) return ui_->push(Compare{OtherRun{}});
  if (!session_.scene().what_if.empty()) return ui_->push(Compare{OtherUntouched{}});
  if (result_) ui_->push(OpenDialog{"compare"});
}

void Shell::compared_stage(const ViewInput& first, const Compared& compared, Rect area) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;

  // The ways, and the way out. What was asked for comes back when it is possible again.
  const Rect strip{area.x + kPadding, area.y, area.width - 2 * kPadding, kStrip};
  area.y += kStrip, area.height -= kStrip;
  const std::vector<ComparedAs> ways = ways_to_compare(compared);
  auto asked = std::ranges::find(ways, compared_as_);
  if (asked == ways.end()) asked = ways.begin();
  const ComparedAs as = shown_as_ = *asked;
  int chosen = static_cast<int>(asked - ways.begin());
  std::vector<std::string> words;
  for (const ComparedAs way : ways) words.emplace_back(kWays[static_cast<size_t>(way)]);
  const float width = ui.segmented_width(words);
  if (ui.Segmented({strip.x, strip.center().y - 16, width, 32}, "Compared", words, chosen))
    compared_as_ = ways[static_cast<size_t>(chosen)];
  float right = strip.right();
  if (ui.IconButton({right - 32, strip.center().y - 16, 32, 32}, ui::Icon::close, "Stop comparing",
                    {.tooltip = "Back to one (C)"}))
    ui.push(StopComparing{});
  right -= 40;
  const float other = ui.button_width("Another…");
  if (strip.x + width + 8 < right - other) {
    if (ui.QuietButton({right - other, strip.center().y - 16, other, 32}, "Another…",
                       {.id = "Compare with another", .tooltip = "Another step, sentence or model"}))
      ui.push(OpenDialog{"compare"});
    right -= other + 8;
  }
  // The second of two runs goes with the slider, or stays.
  if (compared.of_variant && compared.second) {
    const std::string hold = compared.held
                                 ? "Let it follow the slider"
                                 : "Hold the second at step " + format_count(compared.second->snapshot->step);
    const float wide = ui.button_width(hold);
    if (strip.x + width + 8 < right - wide &&
        ui.QuietButton({right - wide, strip.center().y - 16, wide, 32}, hold,
                       {.id = compared.held ? "Follow the slider" : "Hold the second",
                        .tooltip = compared.held ? "Both show the step of the slider"
                                                 : "It stays at this step while the slider moves the first"}))
      ui.push(Compare{compared.held ? OtherRun{} : OtherRun{compared.second->snapshot->step}});
  }

  // Each with the room that the larger of the two needs.
  Point least = current_view()->minimum_size(first);
  if (compared.second && second_view()) {
    const Point theirs = second_view()->minimum_size(second_input(first, compared));
    least = {std::max(least.x, theirs.x), std::max(least.y, theirs.y)};
  }
  const bool stacked = compared.second && stacks(least, as, area.width);
  if (stacked) area = ui.begin_scroll(area, kBothStages, stacked_size(least, area));
  const ComparisonLayout layout = layout_comparison(area, as, stacked);
  if (!compared.second) {
    const std::string why = compared.problem.empty() ? "Computing the second…" : compared.problem;
    const Rect head = layout.first_head.inset(4);
    paragraph(canvas, {head.x + kPadding, head.y}, area.width - 2 * kPadding, why, styles::body_second(t));
    ui.note(head, "second of two missing", why);
    return one_picture(*current_view(), first, layout.first, kFirstStage, true);
  }
  note_side(layout);
  draw_comparison_heads(canvas, layout, compared);
  ui.note(layout.first_head, "first of two", compared.first_name + ": " + compared.first->translation);
  ui.note(layout.second_head, "second of two", compared.second_name + ": " + compared.second->translation);
  const ViewInput second = second_input(first, compared);
  if (as == ComparedAs::second) {
    // What it is steered by would change the first, but for a view that cannot stand beside itself.
    return one_picture(*current_view(), second, layout.second, kFirstStage, second_view() == nullptr);
  }
  const ViewInput shown = compared_input(first, compared, as);
  const std::string why = draw_no_difference(canvas, layout.first, *current_view(), shown);
  if (!why.empty()) return ui.note(layout.first, "no difference", why);
  one_picture(*current_view(), shown, layout.first, kFirstStage, true);
  if (as != ComparedAs::both) return;
  // Side by side they are scrolled together; the one under the mouse leads.
  const bool leads = ui.mouse() && layout.second.contains(*ui.mouse());
  if (!stacked)
    ui.scroll_to(leads ? kFirstStage : kSecondStage, ui.scroll_of(leads ? kSecondStage : kFirstStage));
  ui.name_hits(" of the second");
  one_picture(*second_view(), second, layout.second, kSecondStage, false);
  ui.name_hits({});
  if (stacked) ui.end_scroll();
}

}  // namespace glassformer
