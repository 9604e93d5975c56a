// The first page of the Lookup view: a table of facts asked at any place between them, by nearest key and by
// softmax.
#pragma once

#include <array>
#include <optional>

#include "app/views/common/view.h"
#include "app/views/lookup/lookup_table.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

// The guests that a café counted at six hours of a day.
struct LookupFact {
  const char* name;
  double hour;    // the key
  double guests;  // the value
};
inline constexpr std::array<LookupFact, 6> kLookupFacts{{{"breakfast", 8, 30},
                                                         {"coffee", 10, 14},
                                                         {"lunch", 13, 48},
                                                         {"tea", 16, 20},
                                                         {"dinner", 19, 40},
                                                         {"late", 22, 8}}};
inline constexpr const char* kWay = "The same table with your sentence";
inline constexpr double kFirstHour = 6, kLastHour = 24;

struct FactsState {
  double hour = 11.7;  // the query
  double temperature = 1;
  std::optional<int> lit;  // the fact that is pointed at or chosen
};

// All that the engine says about one query.
struct FactsAnswer {
  LookupScores scores;
  Lookup hard, soft;
};
FactsAnswer ask_facts(double hour, double temperature);
// The weighted sum with its numbers, without shares that would read 0: "0.354 × 14 + 0.645 × 48 = 35.9".
std::string facts_sum(const FactsAnswer& answer);

struct FactsLayout {
  Rect chart;
  ChartLayout plot;  // of the chart: hours across, guests upwards
  Rect query;        // the slider right under the plot, its ends the plot's
  Rect play;
  Rect hard, soft;  // verdicts
  Rect temperature, sum;
  Rect bridge;  // what this has to do with attention; empty: no room
  Rect way;     // the link behind its heading
  LookupTableLayout table;
};
FactsLayout layout_facts(const Canvas& canvas, const Rect& content);
void draw_facts(Canvas& canvas, const Rect& content, const FactsState& state);
// The chart, and in one row what the two answer.
void draw_curve_alone(Canvas& canvas, const Rect& content, const FactsState& state);

InspectorPage facts_page(const FactsState& state);
std::vector<NumberTable> facts_numbers(const FactsState& state);
std::string facts_caption(const FactsState& state);

}  // namespace glassformer
