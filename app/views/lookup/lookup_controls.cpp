#include <algorithm>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_head.h"
#include "app/views/common/stage_text.h"
#include "app/views/lookup/lookup_view.h"

namespace glassformer {

void LookupView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  // Which page.
  const Rect inner = stage_inner(area);
  std::vector<std::string> names;
  for (int i = 0; i < kLookupPages; ++i)
    names.push_back(name_of(static_cast<LookupPage>(i), area.width >= kWideLookup));
  const float width = ui.segmented_width(names);
  int chosen = static_cast<int>(page_);
  if (ui.Segmented({inner.right() - width, inner.y + 9, width, 32}, "Lookup", names, chosen)) {
    page_ = static_cast<LookupPage>(chosen), turn_to_top(ui);
    playing_ = false;
    ui.ask_frame(0);
    return;
  }
  const Rect inside = content(input, area);
  switch (page_) {
    case LookupPage::facts:
      return facts_controls(ui, input, inside);
    case LookupPage::row:
      return row_controls(ui, input, inside);
    case LookupPage::places:
      return places_controls(ui, input, inside);
  }
}

void LookupView::temperature_slider(ui::Ui& ui, const Rect& area) {
  const Rect track = temperature_track(area);
  ui.Slider(track, "Temperature", warmth_, {.minimum = kColdest, .maximum = kHottest, .step = 0.05});
  if (std::abs(warmth_) < 0.025) warmth_ = 0;  // exactly 1
  ui.note(area, "temperature", format_short(temperature()));
}

void LookupView::go_on_playing(ui::Ui& ui, bool reduced_motion) {
  if (!playing_) return;
  // Smoothly, or in a few jumps of an hour.
  const double step = reduced_motion ? 1 : 0.1, seconds = reduced_motion ? 0.8 : 0.05;
  const auto now = std::chrono::steady_clock::now();
  if (now >= next_) {
    hour_ = std::min(kLastHour, hour_ + step);
    if (hour_ >= kLastHour) playing_ = false;
    next_ = now + std::chrono::milliseconds(static_cast<int>(seconds * 1000));
    ui.ask_frame(0);
  }
  if (playing_) ui.ask_frame(std::max(0.01, std::chrono::duration<double>(next_ - now).count()));
}

void LookupView::facts_controls(ui::Ui& ui, const ViewInput& input, const Rect& inside) {
  const FactsLayout layout = layout_facts(ui.canvas(), inside);
  const auto play = [&] {
    playing_ = !playing_;
    if (playing_ && hour_ >= kLastHour) hour_ = kFirstHour;
    next_ = std::chrono::steady_clock::now();
  };
  if (!ui.field_active() && !ui.popup_open() && ui.pressed(ui::Key::space)) play();
  if (ui.IconButton(layout.play, playing_ ? ui::Icon::pause : ui::Icon::play,
                    playing_ ? "Pause: Lookup" : "Play: Lookup"))
    play();
  go_on_playing(ui, input.reduced_motion);
  if (ui.Slider(layout.query, "Query", hour_, {.minimum = kFirstHour, .maximum = kLastHour, .step = 0.1}))
    playing_ = false;
  temperature_slider(ui, layout.temperature);
  if (layout.way.width > 0 && ui.LinkButton({layout.way.x, layout.way.y}, kWay)) {
    page_ = LookupPage::row;
    playing_ = false;
    ui.ask_frame(0);
  }

  // The query can also be dragged in the chart.
  const ui::Response chart = ui.area(layout.plot.plot, "facts chart", "area", false);
  if (const auto mouse = ui.mouse(); mouse && chart.held) {
    hour_ = std::round(layout.plot.x_at(mouse->x) * 10) / 10;
    playing_ = false;
    ui.ask_frame(0);
  }

  // A fact is chosen in the table.
  const std::optional<int> before = std::exchange(hovered_fact_, std::nullopt);
  for (int i = 0; i < layout.table.lines; ++i) {
    const ui::Response response =
        ui.area(layout.table.line(i), "fact " + std::string(kLookupFacts[static_cast<std::size_t>(i)].name));
    if (response.hovered) hovered_fact_ = i;
    if (response.clicked) chosen_fact_ = chosen_fact_ == i ? std::nullopt : std::optional(i);
  }
  if (hovered_fact_ != before) ui.ask_frame(0);
}

void LookupView::row_controls(ui::Ui& ui, const ViewInput& input, const Rect& inside) {
  const RowScene scene = row_scene(input, temperature());
  const RowLayout layout = layout_row(inside, static_cast<int>(scene.words.size()));
  const int row = *scene.shown.query;
  if (ui.IconButton(layout.back, ui::Icon::back, "Previous word", {.enabled = row > 0}))
    ui.push(SetPin{select_row(scene, row - 1)});
  if (ui.IconButton(layout.next, ui::Icon::next, "Next word", {.enabled = row + 1 < scene.rows}))
    ui.push(SetPin{select_row(scene, row + 1)});
  temperature_slider(ui, layout.temperature);
  int kind = static_cast<int>(scene.shown.kind);
  if (ui.Segmented(layout.kind, "Whose attention", {"Encoder", "Decoder", "Cross"}, kind))
    ui.push(SetPin{of_kind(input.pinned, static_cast<AttentionKind>(kind))});
  ui.note(layout.asker, "lookup row", scene.asker);
}

void LookupView::places_controls(ui::Ui& ui, const ViewInput& input, const Rect& inside) {
  const Places places = compare_places(input, places_);
  const PlacesLayout layout = layout_places(inside);
  double length = places.length, from = places.from;
  if (ui.Slider(layout.length, "Words in the sentence", length,
                {.minimum = double(kFewestPlaces), .maximum = double(places.most), .step = 1}))
    places_.length = static_cast<int>(std::lround(length));
  if (ui.Slider(layout.from, "Seen from place", from,
                {.minimum = 0, .maximum = double(places.length - 1), .step = 1}))
    places_.from = static_cast<int>(std::lround(from));

  // A place is also chosen in the two lower charts.
  const auto choose = [&](const Rect& part, const PlaceSignal& signal, const char* label) {
    const ChartLayout plot = alike_plot(ui.canvas(), part, places, signal);
    const ui::Response response = ui.area(plot.plot, label, "area", false);
    if (const auto mouse = ui.mouse(); mouse && response.held) {
      places_.from = static_cast<int>(std::lround(plot.x_at(mouse->x)));
      ui.ask_frame(0);
    }
  };
  choose(layout.index_alike, places.index, "alike by index");
  choose(layout.wave_alike, places.waves, "alike by waves");
}

}  // namespace glassformer
