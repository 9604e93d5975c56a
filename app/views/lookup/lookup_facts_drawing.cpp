#include "app/views/lookup/lookup.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/explained_words.h"
#include "app/widgets/label_place.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

constexpr double kMostGuests = 60;
constexpr float kVerdictHeight = 104, kSumHeight = 40, kBridgeHeight = 106;
constexpr int kSamples = 900;  // of the curves, from the first hour to the last

double sample_hour(int i) {
  return kFirstHour + (kLastHour - kFirstHour) * i / kSamples;
}

ChartOptions chart_options(FactsParts parts) {
  ChartOptions options;
  options.x = {.low = kFirstHour, .high = kLastHour};
  options.x.title = parts == FactsParts::all ? "hour of the day: the keys" : "hour of the day";
  for (const LookupFact& fact : kLookupFacts)
    options.x.ticks.push_back({fact.hour, format_fixed(fact.hour, 0)});
  options.y = {.low = 0, .high = kMostGuests};
  for (const double tick : {0.0, 20.0, 40.0, 60.0}) options.y.ticks.push_back({tick, format_fixed(tick, 0)});
  options.labels_inside = false;
  return options;
}

// A stretch of queries that argmax answers alike.
struct Stretch {
  double from = 0, to = 0, answer = 0;
};

std::vector<Stretch> stretches() {
  std::vector<Stretch> all;
  for (int i = 0; i <= kSamples; ++i) {
    const double answer = ask_facts(sample_hour(i), 1).hard.answer[0];
    if (all.empty() || all.back().answer != answer)
      all.push_back({sample_hour(i), sample_hour(i), answer});
    else
      all.back().to = sample_hour(i);
  }
  return all;
}

// A label at one of the free places round a point; false: there is none.
bool draw_beside(Canvas& canvas, LabelSpace& space, Point at, const std::string& text,
                 const TextStyle& style) {
  const Point size{canvas.measure(text, style).x, 16};
  constexpr float kApart = 6;  // of two labels
  for (const float distance : {9.0f, 14.0f, 22.0f, 32.0f, 44.0f}) {
    if (const auto place = space.first_free(places_around(at, size, distance))) {
      space.keep_off(Rect{place->x - kApart, place->y, place->width + 2 * kApart, place->height});
      draw_explained(canvas, {place->x, place->center().y}, text, style);
      return true;
    }
  }
  return false;
}

// How steep the answer is at the query: a short line with its slope, inside the plot. Returns its ends.
std::array<Point, 2> draw_tangent(Canvas& canvas, const ChartLayout& plot, double hour,
                                  const Lookup& lookup) {
  const Point at = plot.to_point(hour, lookup.answer[0]);
  const Point way = plot.to_point(hour + 1, lookup.answer[0] + lookup.slope(0, 0)) - at;
  const auto end = [&](float sign) {
    const Point along = way * (sign / std::max(1.0f, std::hypot(way.x, way.y)));
    float reach = 46;
    const auto stop = [&](float speed, float low, float high) {
      if (speed != 0) reach = std::min(reach, std::max(0.0f, (speed > 0 ? high : low) / speed));
    };
    stop(along.x, plot.plot.x - at.x, plot.plot.right() - at.x);
    stop(along.y, plot.plot.y - at.y, plot.plot.bottom() - at.y);
    return at + along * reach;
  };
  const std::array ends{end(-1), end(1)};
  canvas.line(ends[0], ends[1], {.color = canvas.theme().query, .width = 2});
  return ends;
}

void draw_chart(Canvas& canvas, const Rect& area, const FactsState& state, const FactsAnswer& answer) {
  const Theme& theme = canvas.theme();
  const ChartLayout plot = draw_line_chart(canvas, area, {}, chart_options(state.parts));
  LabelSpace space({plot.plot.x, plot.plot.y - 8, plot.plot.width + 1, plot.plot.height + 8});

  // Argmax: level stretches, and a jump from one to the next.
  const Stroke dashed{.color = theme.reference, .width = 2, .dashed = true};
  const std::vector<Stretch> all = state.shows(FactsParts::nearest) ? stretches() : std::vector<Stretch>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Point from = plot.to_point(all[i].from, all[i].answer),
                to = plot.to_point(all[i].to, all[i].answer);
    if (i > 0) canvas.line(plot.to_point(all[i].from, all[i - 1].answer), from, {.color = theme.control});
    canvas.line(from, to, dashed);
    space.keep_off(std::array{from, to});
    if (i > 0) space.keep_off(std::array{plot.to_point(all[i].from, all[i - 1].answer), from});
  }

  // Softmax: one smooth curve.
  std::vector<Point> curve;
  for (int i = 0; i <= kSamples && state.shows(FactsParts::weights); i += 5)
    curve.push_back(
        plot.to_point(sample_hour(i), ask_facts(sample_hour(i), state.temperature).soft.answer[0]));
  canvas.polyline(curve, {.color = theme.ink, .width = 2});
  space.keep_off(curve);

  // The query, and what each of the two answers there.
  const float x = plot.to_x(state.hour);
  canvas.line({x, plot.plot.y}, {x, plot.plot.bottom()},
              {.color = theme.query, .width = 1.5f, .dashed = true});
  space.keep_off(Rect{x - 3, plot.plot.y, 6, plot.plot.height});
  for (const Lookup* lookup : {&answer.hard, &answer.soft}) {
    if (!state.shows(lookup == &answer.soft ? FactsParts::weights : FactsParts::nearest)) continue;
    if (state.shows(FactsParts::slopes)) space.keep_off(draw_tangent(canvas, plot, state.hour, *lookup));
    const Point at = plot.to_point(state.hour, lookup->answer[0]);
    const Stroke ring{.color = lookup == &answer.soft ? theme.ink : theme.reference, .width = 2};
    canvas.circle(at, 5, theme.paper, ring);
    space.keep_off(Rect{at.x - 40, at.y - 10, 80, 20});
  }
  if (state.shows(FactsParts::nearest)) draw_badge(canvas, {x, plot.plot.y - 4}, Badge::query, 16);
  space.keep_off(Rect{x - 9, plot.plot.y - 13, 18, 18});

  // The facts: a value over its key.
  for (const LookupFact& fact : kLookupFacts) {
    const Point at = plot.to_point(fact.hour, fact.guests);
    if (state.shows(FactsParts::all))
      canvas.line({at.x, plot.plot.bottom() - 4}, {at.x, plot.plot.bottom() + 5},
                  {.color = theme.key, .width = 3});
    canvas.circle(at, 5, theme.value, {.color = theme.paper, .width = 1});
    space.keep_off(Rect{at.x - 6, at.y - 6, 12, 12});
  }
  const TextStyle bold{.font = Font::semibold, .size = 12, .color = theme.ink};
  const TextStyle hard{.size = 12, .color = theme.reference};
  if (!all.empty())
    draw_beside(canvas, space, plot.to_point(all.back().to, all.back().answer), "argmax", hard);
  for (std::size_t i = 0; i < kLookupFacts.size(); ++i) {
    const LookupFact& fact = kLookupFacts[i];
    const bool strong = state.lit == static_cast<int>(i) ||
                        (state.shows(FactsParts::nearest) && answer.hard.best == static_cast<int>(i));
    draw_beside(canvas, space, plot.to_point(fact.hour, fact.guests), fact.name,
                strong ? bold : caption_style(canvas));
  }
  if (curve.empty()) return;
  for (const Point at : {curve[curve.size() * 13 / 16], curve[curve.size() * 5 / 8], curve[curve.size() / 8]})
    if (draw_beside(canvas, space, at, "softmax", bold)) break;
}

LookupTable facts_table(Canvas& canvas, const FactsState& state, const FactsAnswer& answer) {
  LookupTable table{.name_title = "fact",
                    .key_title = "hour",
                    .value_title = "guests",
                    .score_formula = "−(Q − K)² / 2",
                    .scored = state.shows(FactsParts::all)};
  if (!table.scored) table.soft_name = "weight";
  for (std::size_t i = 0; i < kLookupFacts.size(); ++i)
    table.lines.push_back({.name = kLookupFacts[i].name,
                           .score = answer.scores.scores[i],
                           .hard = answer.hard.weights[i],
                           .soft = answer.soft.weights[i],
                           .lit = state.lit == static_cast<int>(i)});
  const auto number = [&canvas](const Rect& cell, const std::string& text, Font font) {
    canvas.text({cell.right(), cell.center().y}, text,
                {.font = font, .size = 12, .color = canvas.theme().ink, .x = AlignX::right});
  };
  table.draw_key = [number, &canvas, hour = state.hour](const Rect& cell, int line) {
    if (line < 0)
      canvas.rectangle({cell.x, cell.center().y - 10, cell.width + 6, 20}, {.fill = canvas.theme().query_tint,
                                                                            .outline = canvas.theme().query,
                                                                            .outline_width = 1.5f,
                                                                            .radius = 6});
    number(
        cell,
        line < 0 ? format_fixed(hour, 1) : format_fixed(kLookupFacts[static_cast<std::size_t>(line)].hour, 0),
        Font::mono);
  };
  table.draw_value = [number, &answer](const Rect& cell, int line) {
    const int facts = static_cast<int>(kLookupFacts.size());
    const double value = line < facts    ? kLookupFacts[static_cast<std::size_t>(line)].guests
                         : line == facts ? answer.hard.answer[0]
                                         : answer.soft.answer[0];
    number(cell, format_fixed(value, line > facts ? 1 : 0), Font::mono);
  };
  table.hard_answer =
      "argmax takes “" + std::string(kLookupFacts[static_cast<std::size_t>(answer.hard.best)].name) + "”";
  table.soft_answer = std::string("softmax adds up weight × ") + (table.scored ? "value" : "guests");
  return table;
}

LookupVerdict hard_verdict(const FactsState& state, const FactsAnswer& answer) {
  LookupVerdict verdict{.soft = false, .answer = format_fixed(answer.hard.answer[0], 0)};
  if (!state.shows(FactsParts::slopes)) return verdict;
  const auto away = [&](const LookupFact& fact) { return std::abs(fact.hour - state.hour); };
  const double nearest = away(kLookupFacts[static_cast<std::size_t>(answer.hard.best)]);
  const bool jumps = std::ranges::count_if(kLookupFacts, [&](const LookupFact& fact) {
                       return away(fact) - nearest < 1e-9;
                     }) > 1;
  verdict.slope = jumps ? "it jumps here" : "slope 0 here";
  if (state.shows(FactsParts::all)) verdict.words = "No gradient: training could not move the query.";
  return verdict;
}

LookupVerdict soft_verdict(const FactsState& state, const FactsAnswer& answer) {
  if (!state.shows(FactsParts::slopes))
    return {.soft = true, .answer = format_fixed(answer.soft.answer[0], 1)};
  const double slope = answer.soft.slope(0, 0);
  return {.soft = true,
          .answer = format_fixed(answer.soft.answer[0], 1),
          .slope = "slope " + (std::abs(slope) < 0.005 ? format_short(slope) : format_signed(slope, 2)),
          .words = !state.shows(FactsParts::all) ? ""
                   : std::abs(slope) < 0.05      ? "Hardly a gradient here: the curve is nearly level."
                                                 : "A gradient: training knows which way to move it."};
}

}  // namespace

FactsLayout layout_facts(const Canvas& canvas, const Rect& content, FactsParts parts) {
  FactsLayout layout;
  const float gap = content.width >= 900 ? 48.0f : content.width >= 640 ? 28.0f : 20.0f;
  const float right = content.width >= 640 ? std::clamp(content.width * 0.48f, 372.0f, 520.0f) : 358.0f;
  const bool tabled = parts >= FactsParts::weights;
  const float left = tabled ? content.width - right - gap : content.width;
  layout.hard = {content.x, content.bottom() - kVerdictHeight, (left - 20) / 2, kVerdictHeight};
  layout.soft = {layout.hard.right() + 20, layout.hard.y, layout.hard.width, kVerdictHeight};
  const bool narrow = left < 240;  // one verdict under the other, without its words
  const float chart = std::min(content.height - kVerdictHeight - 44, 580.0f);
  layout.chart = {content.x, content.y, left, chart};
  layout.hard.y = std::min(layout.hard.y, layout.chart.bottom() + 60);
  layout.soft.y = narrow ? layout.hard.bottom() : layout.hard.y;
  if (narrow) {
    layout.hard.width = left;
    layout.hard.height = kVerdictHeight / 2;
    layout.soft = {content.x, layout.hard.bottom(), left, kVerdictHeight / 2};
  }
  layout.play = {content.x + left - 36, content.y - 4, 36, 32};
  layout.plot = layout_line_chart(
      canvas, {layout.chart.x, layout.chart.y + kHeadingHeight, left, chart - kHeadingHeight},
      chart_options(parts));
  layout.query = {layout.plot.plot.x, layout.chart.bottom() + 2, layout.plot.plot.width, 32};

  // The table beside it.
  if (!tabled) return layout;
  const float x = content.right() - right;
  layout.temperature = {x, content.y + kHeadingHeight - 4, right, kTemperatureHeight};
  const int facts = static_cast<int>(kLookupFacts.size());
  const float top = layout.temperature.bottom() + 8, room = content.bottom() - kSumHeight - top;
  const bool bridged = parts == FactsParts::all && room - kBridgeHeight >= lookup_table_height(facts) + 20;
  layout.table = layout_lookup_table(
      {x, top, right, room - (bridged ? kBridgeHeight : 0)}, facts,
      parts == FactsParts::all ? LookupWidths{.name = 62, .key = 52, .score = 50, .hard = 48, .value = 62}
                               : LookupWidths{.name = 62, .key = 52, .score = 0, .hard = 0, .value = 62});
  layout.sum = {x, layout.table.bottom() + 4, right, kSumHeight};
  if (!bridged) return layout;
  layout.bridge = {x, layout.sum.bottom() + 16, right, kBridgeHeight - 16};
  const float width = std::ceil(canvas.measure(kWay, caption_style(canvas)).x);
  layout.way = {x + right - width, layout.bridge.y + 2, width, 20};
  return layout;
}

void draw_facts(Canvas& canvas, const Rect& content, const FactsState& state) {
  const FactsLayout layout = layout_facts(canvas, content, state.parts);
  const FactsAnswer answer = ask_facts(state.hour, state.temperature);
  const Rect chart =
      draw_heading(canvas, layout.chart, "Ask at any hour", {.note = "guests by hour", .note_right = false});
  draw_chart(canvas, chart, state, answer);
  draw_still_slider(canvas, layout.query, (state.hour - kFirstHour) / (kLastHour - kFirstHour));
  if (state.shows(FactsParts::nearest)) draw_verdict(canvas, layout.hard, hard_verdict(state, answer));
  if (!state.shows(FactsParts::weights)) return;
  draw_verdict(canvas, layout.soft, soft_verdict(state, answer));

  draw_heading(canvas, {layout.temperature.x, content.y, layout.temperature.width, kHeadingHeight},
               "The table of facts",
               {.note = state.shows(FactsParts::all) ? "how near a key is becomes its weight"
                                                     : "the nearer, the larger its weight"});
  if (state.shows(FactsParts::temperature)) draw_temperature(canvas, layout.temperature, state.temperature);
  draw_lookup_table(canvas, layout.table, facts_table(canvas, state, answer));
  TextStyle sum{.font = Font::mono, .size = 12, .color = canvas.theme().ink, .y = AlignY::top};
  paragraph(canvas, {layout.sum.x, layout.sum.y}, layout.sum.width, facts_sum(answer), sum);

  if (layout.bridge.width <= 0) return;
  const Rect below = draw_heading(canvas, layout.bridge, "And attention?");
  TextStyle words = caption_style(canvas);
  words.y = AlignY::top;
  paragraph(canvas, {below.x, below.y - 4}, below.width,
            "Its facts are words. Key and value are rows of numbers instead of an hour and a count, and the "
            "score is a dot product instead of a distance. The softmax is the same.",
            words);
}

void draw_curve_alone(Canvas& canvas, const Rect& content, const FactsState& state) {
  constexpr float kRow = 48, kGap = 16;
  const FactsAnswer answer = ask_facts(state.hour, state.temperature);
  const float third = (content.width - 2 * kGap) / 3, y = content.bottom() - kRow;
  if (state.shows(FactsParts::nearest))
    draw_verdict(canvas, {content.x, y, third, kRow}, hard_verdict(state, answer));
  if (state.shows(FactsParts::weights))
    draw_verdict(canvas, {content.x + third + kGap, y, third, kRow}, soft_verdict(state, answer));
  TextStyle style = caption_style(canvas);
  style.x = AlignX::right;
  if (state.shows(FactsParts::temperature))
    canvas.text({content.right(), y + 10}, "temperature " + format_short(state.temperature), style);
  canvas.text({content.x, content.y + 6}, "guests by hour", caption_style(canvas));
  draw_chart(canvas, {content.x, content.y + 16, content.width, y - 8 - content.y - 16}, state, answer);
}

}  // namespace glassformer
