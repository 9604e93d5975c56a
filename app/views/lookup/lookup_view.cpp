#include "app/views/lookup/lookup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/covered.h"
#include "app/reading/scene_words.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "engine/math/typed_number.h"

namespace glassformer {

void LookupView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const LookupPage before = page_;
  if (whole())
    page_switch(ui, stage_inner(area), area.width >= kWideLookup);
  else
    set_unseen(ui);
  if (page_ != before) return;
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

void LookupView::page_switch(ui::Ui& ui, const Rect& inner, bool wide) {
  std::vector<std::string> names;
  for (int i = 0; i < kLookupPages; ++i) names.push_back(name_of(static_cast<LookupPage>(i), wide));
  const float width = ui.segmented_width(names);
  int chosen = static_cast<int>(page_);
  if (!Segmented(ui, {inner.right() - width, inner.y + 9, width, 32}, "Lookup", names, chosen)) return;
  page_ = static_cast<LookupPage>(chosen), turn_to_top(ui);
  playing_ = false;
  ui.ask_frame(0);
}

// What a page sets is set while its control is not shown too.
void LookupView::set_unseen(ui::Ui& ui) {
  playing_ = false;
  if (ui.by_name.left().empty()) return;
  constexpr float kAway = -4000;
  const Rect away = ui.scroll.begin({kAway, kAway, 900, 400}, "lookup unseen", {});
  page_switch(ui, away, true);
  if (page_ == LookupPage::row || parts_ < FactsParts::temperature) temperature_slider(ui, away);
  if (page_ == LookupPage::row) query_slider(ui, away);
  ui.scroll.end();
}

bool LookupView::query_slider(ui::Ui& ui, const Rect& track) {
  return Slider(ui, track, "Query", hour_, {.minimum = kFirstHour, .maximum = kLastHour, .step = 0.1});
}

void LookupView::temperature_slider(ui::Ui& ui, const Rect& area) {
  const Rect track = temperature_track(area);
  Slider(ui, track, "Temperature", warmth_, {.minimum = kColdest, .maximum = kHottest, .step = 0.05});
  if (std::abs(warmth_) < 0.025) warmth_ = 0;  // exactly 1
  ui.note(area, "temperature", format_short(temperature()));
}

void LookupView::advance_playing(ui::Ui& ui, bool reduced_motion) {
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
  const FactsLayout layout = layout_facts(ui.canvas(), inside, parts_);
  const auto play = [&] {
    playing_ = !playing_;
    if (playing_ && hour_ >= kLastHour) hour_ = kFirstHour;
    next_ = std::chrono::steady_clock::now();
  };
  if (whole()) {
    if (!ui.field_active() && !ui.popup.is_open() && ui.pressed(ui::Key::space)) play();
    if (IconButton(ui, layout.play, playing_ ? ui::Icon::pause : ui::Icon::play,
                   playing_ ? "Pause: Lookup" : "Play: Lookup"))
      play();
    advance_playing(ui, input.reduced_motion);
  }
  if (query_slider(ui, layout.query)) playing_ = false;
  if (parts_ >= FactsParts::temperature) temperature_slider(ui, layout.temperature);
  if (layout.way.width > 0 && LinkButton(ui, {layout.way.x, layout.way.y}, kWay)) {
    page_ = LookupPage::row;
    playing_ = false;
    ui.ask_frame(0);
  }

  // The query can also be dragged in the chart.
  constexpr float kFlag = 14;  // of the query, over the plot
  const Rect& plot = layout.plot.plot;
  const ui::Response chart =
      ui.area({plot.x, plot.y - kFlag, plot.width, plot.height + kFlag}, "facts chart", "area", false);
  if (const auto mouse = ui.mouse(); mouse && chart.held) {
    hour_ = std::round(layout.plot.x_at(mouse->x) * 10) / 10;
    playing_ = false;
    ui.ask_frame(0);
  }

  // A fact is chosen in the table.
  const std::optional<int> before = std::exchange(hovered_fact_, std::nullopt);
  for (int i = 0; i < layout.table.lines && parts_ >= FactsParts::weights; ++i) {
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
  if (IconButton(ui, layout.back, ui::Icon::back, "Previous word", {.enabled = row > 0}))
    ui.push(SetPin{select_row(scene, row - 1)});
  if (IconButton(ui, layout.next, ui::Icon::next, "Next word", {.enabled = row + 1 < scene.rows}))
    ui.push(SetPin{select_row(scene, row + 1)});
  ui.note(layout.asker, "lookup row", scene.asker);
  if (!whole()) return;
  temperature_slider(ui, layout.temperature);
  int kind = static_cast<int>(scene.shown.kind);
  if (Segmented(ui, layout.kind, "Whose attention", {"Encoder", "Decoder", "Cross"}, kind))
    ui.push(SetPin{of_kind(input.pinned, static_cast<AttentionKind>(kind))});
}

void LookupView::places_controls(ui::Ui& ui, const ViewInput& input, const Rect& inside) {
  const Places places = compare_places(input, places_);
  const PlacesLayout layout = layout_places(inside);
  double length = places.length, from = places.from;
  if (Slider(ui, layout.length, "Words in the sentence", length,
             {.minimum = double(kFewestPlaces), .maximum = double(places.most), .step = 1}))
    places_.length = static_cast<int>(std::lround(length));
  if (Slider(ui, layout.from, "Seen from place", from,
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

namespace {

constexpr float kSubtitle = kStageTop - kStageTopBare;
constexpr const char *kCurve = "curve", *kWords = "words", *kPlaces = "places";

void draw_covered(Canvas& canvas, const Rect& area) {
  draw_nothing_yet(canvas, area, "Covered", kCovered);
}

struct LookupWords {
  std::string title, subtitle;
};

std::string languages_words(const ViewInput& input) {
  return input.shown.kind == AttentionKind::decoder ? target_language(input) : source_language(input);
}

LookupWords words_of(LookupPage page, const ViewInput& input, FactsParts parts) {
  switch (page) {
    case LookupPage::facts:
      if (parts < FactsParts::weights)
        return {"Looking up between the facts",
                "A café counted its guests at six hours. How many come in between?"};
      return {"Looking up: one answer, or a blend",
              "A café counted its guests at six hours. How many come in between? Move the query and see."};
    case LookupPage::row:
      if (parts != FactsParts::all)
        return {"A row of attention is a soft lookup",
                "One word asks. How much does it read of each " + languages_words(input) + " word?"};
      return {"A row of attention is a soft lookup",
              "The same table with the words of the sentence: the query of one word asks, every " +
                  languages_words(input) + " word has a key and a value."};
    case LookupPage::places:
      break;
  }
  return {
      "Why a place is not told by its number",
      "Attention ignores order. The simplest signal of where a word stands, beside the one that is used."};
}

}  // namespace

std::string name_of(LookupPage page, bool wide) {
  switch (page) {
    case LookupPage::facts:
      return wide ? "A table of facts" : "Facts";
    case LookupPage::row:
      return wide ? "A row of attention" : "Attention";
    case LookupPage::places:
      break;
  }
  return "Positions";
}

std::unique_ptr<View> make_lookup_view() {
  return std::make_unique<LookupView>();
}

double LookupView::temperature() const {
  return warmth_ == 0 ? 1 : std::pow(10.0, warmth_);
}

FactsState LookupView::asked() const {
  return {.hour = hour_,
          .temperature = temperature(),
          .lit = hovered_fact_ ? hovered_fact_ : chosen_fact_,
          .parts = parts_};
}

std::vector<ViewFact> LookupView::facts(const ViewInput&) const {
  const FactsAnswer answer = ask_facts(hour_, temperature());
  return {{.name = "soft", .number = answer.soft.answer.front()},
          {.name = "hard", .number = answer.hard.answer.front()},
          {.name = "slope", .number = answer.soft.slope(0, 0)},
          {.name = "query", .number = hour_}};
}

bool LookupView::set(std::string_view control, std::string_view value) {
  if (control == kShownParts) {
    constexpr std::array<std::string_view, 6> kParts = {"dots",   "nearest",     "weights",
                                                        "slopes", "temperature", ""};
    const auto named = std::ranges::find(kParts, value);
    if (named == kParts.end()) return false;
    parts_ = static_cast<FactsParts>(named - kParts.begin());
    return page_ != LookupPage::places;  // which is whole
  }
  if (control == "Lookup") {
    for (int i = 0; i < kLookupPages; ++i)
      for (const bool wide : {true, false})
        if (value == name_of(static_cast<LookupPage>(i), wide))
          return page_ = static_cast<LookupPage>(i), true;
    return false;
  }
  const std::optional<double> number = typed_number(value);
  if (!number) return false;
  if (control == "Query" && *number >= kFirstHour && *number <= kLastHour) return hour_ = *number, true;
  if (control == "Temperature" && *number >= kColdest && *number <= kHottest) return warmth_ = *number, true;
  return false;
}

Point LookupView::minimum_size(const ViewInput& input) const {
  float height = 350;
  if (page_ == LookupPage::row)
    height = row_page_height(static_cast<int>(row_scene(input, temperature()).words.size()));
  if (page_ == LookupPage::places) height = 424;
  return {page_ == LookupPage::places ? 760.0f : 610.0f, kStageTopBare + height + 12};
}

Rect LookupView::content(const ViewInput& input, const Rect& area) const {
  return stage_content(area, area.height >= minimum_size(input).y + kSubtitle);
}

void LookupView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Rect inside = content(input, area);
  const bool subtitle = inside.y >= area.y + kStageTop;
  const LookupWords words = words_of(page_, input, parts_);
  const float reserved = canvas.is_file() ? 0 : area.width >= kWideLookup ? 420.0f : 250.0f;
  draw_stage_title(canvas, area, words.title, subtitle ? words.subtitle : "", reserved);
  switch (page_) {
    case LookupPage::facts:
      return draw_facts(canvas, inside, asked());
    case LookupPage::row: {
      const RowScene row = row_scene(input, temperature());
      return row.covered() ? draw_covered(canvas, inside) : draw_row(canvas, inside, row, !whole());
    }
    case LookupPage::places:
      return draw_places(canvas, inside, compare_places(input, places_));
  }
}

void LookupView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                       const Rect& area) const {
  const Rect inside = area.inset(kStagePadding);
  if (name == kWords) {
    const RowScene row = row_scene(input, temperature());
    return row.covered() ? draw_covered(canvas, inside)
                         : draw_row_alone(canvas, inside, row, parts_ != FactsParts::all);
  }
  if (name == kPlaces) return draw_places(canvas, inside, compare_places(input, places_));
  draw_curve_alone(canvas, inside, asked());
}

bool LookupView::open_panel(std::string_view name) {
  page_ = name == kWords ? LookupPage::row : name == kPlaces ? LookupPage::places : LookupPage::facts;
  return true;
}

ViewPlace LookupView::place(const ViewInput&) const {
  return {.path = {"Lookup", name_of(page_)}};
}

std::optional<InspectorPage> LookupView::inspect(const ViewInput& input) const {
  if (page_ == LookupPage::facts) return facts_page(asked());
  if (page_ == LookupPage::places) return places_page(compare_places(input, places_));
  const RowScene row = row_scene(input, temperature());
  if (row.covered()) return InspectorPage{.caption = "Covered", .meaning = kCovered};
  return row_page(row);
}

std::vector<NumberTable> LookupView::numbers(const ViewInput& input) const {
  if (page_ == LookupPage::facts) return facts_numbers(asked());
  if (page_ == LookupPage::places) return places_numbers(compare_places(input, places_));
  const RowScene row = row_scene(input, temperature());
  return row.covered() ? std::vector<NumberTable>() : row_numbers(row);
}

std::string LookupView::caption(const ViewInput& input) const {
  if (page_ == LookupPage::facts) return facts_caption(asked());
  if (page_ == LookupPage::places) return places_caption(compare_places(input, places_));
  const RowScene row = row_scene(input, temperature());
  return row.covered() ? kCovered : row_caption(row);
}

// From the facts to the row of attention, from there to the head it belongs to; back to the facts.
bool LookupView::key(ViewKey key, const ViewInput&, Commands& commands) {
  if (key.typed == ViewKey::backspace) {
    if (page_ == LookupPage::facts) return false;
    page_ = LookupPage::facts;
    return true;
  }
  if (key.typed != ViewKey::enter) return false;
  if (page_ == LookupPage::facts)
    page_ = LookupPage::row;
  else if (page_ == LookupPage::row)
    commands.push_back(OpenView{"head"});
  else
    commands.push_back(OpenView{"positions"});
  return true;
}

ViewTraits LookupView::traits() const {
  return {.shows = in_attention, .state = state_words(), .panels = {kCurve, kWords, kPlaces}};
}

std::string LookupView::state_words() const {
  const std::string warm = ", temperature " + format_short(temperature());
  switch (page_) {
    case LookupPage::facts:
      return "facts, hour " + format_fixed(hour_, 1) + warm + (playing_ ? ", playing" : "");
    case LookupPage::row:
      return "row" + warm;
    case LookupPage::places:
      break;
  }
  return "places, " + std::to_string(places_.length) + " seen from " + std::to_string(places_.from);
}

}  // namespace glassformer
