#include "app/views/lookup/lookup_view.h"

#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/covered.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "engine/math/typed_number.h"

namespace glassformer {

namespace {

constexpr float kSubtitle = kStageTop - kStageTopBare;
constexpr const char* kWords = "words";

struct LookupWords {
  std::string title, subtitle;
};

LookupWords words_of(LookupPage page, const ViewInput& input) {
  switch (page) {
    case LookupPage::facts:
      return {"Looking up: one answer, or a blend",
              "A café counted its guests at six hours. How many come in between? Move the query and see."};
    case LookupPage::row:
      return {
          "A row of attention is a soft lookup",
          "The same table with the words of the sentence: the query of one word asks, every " +
              (input.shown.kind == AttentionKind::decoder ? target_language(input) : source_language(input)) +
              " word has a key and a value."};
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
  return {.hour = hour_, .temperature = temperature(), .lit = hovered_fact_ ? hovered_fact_ : chosen_fact_};
}

std::vector<ViewFact> LookupView::facts(const ViewInput&) const {
  const FactsAnswer answer = ask_facts(hour_, temperature());
  return {{.name = "soft", .number = answer.soft.answer.front()},
          {.name = "hard", .number = answer.hard.answer.front()},
          {.name = "slope", .number = answer.soft.slope(0, 0)},
          {.name = "query", .number = hour_}};
}

bool LookupView::set(std::string_view control, std::string_view value) {
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
  const LookupWords words = words_of(page_, input);
  const float reserved = canvas.is_file() ? 0 : area.width >= kWideLookup ? 420.0f : 250.0f;
  draw_stage_title(canvas, area, words.title, subtitle ? words.subtitle : "", reserved);
  switch (page_) {
    case LookupPage::facts:
      return draw_facts(canvas, inside, asked());
    case LookupPage::row:
      return draw_row(canvas, inside, row_scene(input, temperature()));
    case LookupPage::places:
      return draw_places(canvas, inside, compare_places(input, places_));
  }
}

void LookupView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                       const Rect& area) const {
  const Rect inside = area.inset(kStagePadding);
  if (name == kWords) return draw_row_alone(canvas, inside, row_scene(input, temperature()));
  draw_curve_alone(canvas, inside, asked());
}

bool LookupView::open_panel(std::string_view name) {
  page_ = name == kWords ? LookupPage::row : LookupPage::facts;
  return true;
}

ViewPlace LookupView::place(const ViewInput&) const {
  return {.path = {"Lookup", name_of(page_)}};
}

std::optional<InspectorPage> LookupView::inspect(const ViewInput& input) const {
  if (page_ == LookupPage::facts) return facts_page(asked());
  if (page_ == LookupPage::places) return places_page(compare_places(input, places_));
  return row_page(row_scene(input, temperature()));
}

std::vector<NumberTable> LookupView::numbers(const ViewInput& input) const {
  if (page_ == LookupPage::facts) return facts_numbers(asked());
  if (page_ == LookupPage::places) return places_numbers(compare_places(input, places_));
  const RowScene row = row_scene(input, temperature());
  return is_covered(input, row.cell(ValueKind::weights, 0)) ? std::vector<NumberTable>() : row_numbers(row);
}

std::string LookupView::caption(const ViewInput& input) const {
  if (page_ == LookupPage::facts) return facts_caption(asked());
  if (page_ == LookupPage::places) return places_caption(compare_places(input, places_));
  const RowScene row = row_scene(input, temperature());
  return is_covered(input, row.cell(ValueKind::weights, 0)) ? kCovered : row_caption(row);
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
  return {.shows = in_attention, .state = state_words(), .panels = {"curve", kWords}};
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
