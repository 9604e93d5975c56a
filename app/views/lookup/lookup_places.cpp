#include "app/views/lookup/lookup.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/label_place.h"
#include "engine/layers/embedding.h"

namespace glassformer {

namespace {

constexpr int kMostPlaces = 256;

PlaceSignal signal_of(std::vector<float> table, int columns, int from, double word_length) {
  const int length = static_cast<int>(table.size()) / columns;
  PlaceSignal signal{.table = std::move(table), .columns = columns};
  const Matrix<double> rows =
      Eigen::Map<const Matrix<float>>(signal.table.data(), length, columns).cast<double>();
  const std::span<const double> own(rows.data() + std::ptrdiff_t(from) * columns,
                                    static_cast<std::size_t>(columns));
  signal.products = likeness(own, rows, 1).scores;
  const Matrix<double> places = Eigen::VectorXd::LinSpaced(length, 0, length - 1);
  signal.lookup = soft_lookup(likeness(own, rows, 1 / std::sqrt(double(columns))), places, 1);
  signal.squared_length =
      mean_squared_length({signal.table.data() + std::ptrdiff_t(length - 1) * columns, 1, columns});
  signal.neighbours = similarity_by_distance({signal.table.data(), length, columns}, 2).at(1);
  signal.share = signal.squared_length / std::max(1e-12, signal.squared_length + word_length);
  return signal;
}

}  // namespace

Places compare_places(const ViewInput& input, const PlacesState& state) {
  const Config& config = input.snapshot.config;
  Places places{.width = config.d_model,
                .most = std::clamp(2 * config.max_length, 64, kMostPlaces),
                .longest = config.max_length};
  if (config.positions == PositionKind::sinusoidal) places.form = config.wave_form();
  places.length = std::clamp(state.length, kFewestPlaces, places.most);
  places.from = std::clamp(state.from, 0, places.length - 1);
  const std::string embedding = embedding_value(true, ValueKind::embedding);
  if (input.result.trace->find(embedding)) {
    Plane words = input.result.trace->plane(embedding);
    words.rows = std::min(words.rows, static_cast<int>(input.result.source_words.size()));
    places.largest_word = largest_magnitude({.values = words});
    places.word_length = mean_squared_length(words);
  }
  places.index = signal_of(index_table(places.length), 1, places.from, places.word_length);
  places.waves = signal_of(sinusoidal_table(places.length, places.width, places.form), places.width,
                           places.from, places.word_length);
  return places;
}

InspectorPage places_page(const Places& places) {
  const std::string last = std::to_string(places.length - 1), own = std::to_string(places.from);
  const auto at = static_cast<std::size_t>(places.from), end = static_cast<std::size_t>(places.length - 1);
  const auto alike = [&](const PlaceSignal& signal) {
    return std::vector<InspectorRow>{
        {.label = "with itself, place " + own, .value = format_short(signal.products[at])},
        {.label = "with the last, place " + last, .value = format_short(signal.products[end])},
        {.label = "on itself",
         .value = format_fixed(signal.lookup.weights[at], 3),
         .share = signal.lookup.weights[at]},
        {.label = "on the last",
         .value = format_fixed(signal.lookup.weights[end], 3),
         .share = signal.lookup.weights[end]},
        {.label = "place it reads on average",
         .value = format_fixed(signal.lookup.answer[0], 1),
         .emphasized = true}};
  };
  InspectorPage page;
  page.caption = "Where a word stands";
  page.action = InspectorAction{"All about positions", OpenView{"positions"}};
  page.subject = "place **" + own + "** of **" + std::to_string(places.length) + "**";
  page.paper = "Paper, section 3.5";
  page.sections.push_back(
      {.heading = "The index itself", .note = "dot product", .rows = alike(places.index)});
  page.sections.push_back(
      {.heading = "Sines and cosines", .note = "dot product", .rows = alike(places.waves)});
  page.sections.push_back(
      {.heading = "Beside the word, at place " + last,
       .rows = {{.label = "the index has",
                 .value = format_percent(places.index.share, 1),
                 .share = places.index.share},
                {.label = "the waves have",
                 .value = format_percent(places.waves.share, 1),
                 .share = places.waves.share}},
       .text = "Of the squared length of word and place together: what a dot product of the two sees."});
  page.meaning =
      "A head should be able to look one word back, wherever it stands. With the index every dot product "
      "grows with the place; with bare waves it depends on the distance alone, before W_Q and W_K make "
      "queries "
      "and keys of them.";
  return page;
}

std::vector<NumberTable> places_numbers(const Places& places) {
  NumberTable table{
      .title = "every place compared with place " + std::to_string(places.from),
      .columns = {"index", "index: dot product", "index: weight", "waves: dot product", "waves: weight"}};
  for (std::size_t i = 0; i < places.index.products.size(); ++i) {
    table.rows.push_back("place " + std::to_string(i));
    table.values.push_back({double(places.index.table[i]), places.index.products[i],
                            places.index.lookup.weights[i], places.waves.products[i],
                            places.waves.lookup.weights[i]});
  }
  NumberTable share{.title = "the signal at the last place, and dot products of neighbours",
                    .columns = {"share", "squared length", "neighbours: smallest", "neighbours: largest"}};
  share.rows = {"index", "waves"};
  for (const PlaceSignal* signal : {&places.index, &places.waves})
    share.values.push_back(
        {signal->share, signal->squared_length, signal->neighbours.smallest, signal->neighbours.largest});
  return {table, share};
}

std::string places_caption(const Places& places) {
  return "The index itself and sines and cosines of " + std::to_string(places.width) + " dimensions over " +
         std::to_string(places.length) + " places: values, and dot products with place " +
         std::to_string(places.from) + ".";
}

namespace {

constexpr float kSliders = 44, kPlacesVerdict = 58, kSliderWords = 178;
constexpr int kWaves = 4;

// The part's plot and verdict.
Rect chart_of(const Rect& part) {
  return {part.x, part.y + kHeadingHeight - 6, part.width, part.height - kHeadingHeight + 6 - kPlacesVerdict};
}

void draw_words(Canvas& canvas, const Rect& part, const std::string& words) {
  TextStyle style = caption_style(canvas);
  style.y = AlignY::top;
  paragraph(canvas, {part.x, part.bottom() - kPlacesVerdict + 2}, part.width, words, style);
}

ChartOptions chart_options(const Places& places, double low, double high) {
  ChartOptions options;
  options.x = {.low = 0, .high = double(places.length - 1)};
  for (const double tick : round_ticks(0, places.length - 1, 5))
    options.x.ticks.push_back({tick, format_count(std::lround(tick))});
  options.y = {.low = low, .high = high};
  options.labels_inside = false;
  return options;
}

ChartOptions alike_options(const Places& places, const PlaceSignal& signal) {
  const auto [low, high] = std::minmax_element(signal.products.begin(), signal.products.end());
  ChartOptions options = chart_options(places, std::min(0.0, *low), std::max(1.0, *high));
  options.cursor = places.from;
  return options;
}

// Sampled between the places too, where a formula gives them.
struct Curve {
  std::vector<double> x, y;
};

Curve places_curve(const std::vector<double>& values) {
  Curve curve{.y = values};
  for (std::size_t i = 0; i < values.size(); ++i) curve.x.push_back(double(i));
  return curve;
}

Curve wave_curve(const Places& places, int column) {
  constexpr int kCurvePoints = 400;
  Curve curve;
  for (int i = 0; i <= kCurvePoints; ++i) {
    curve.x.push_back(double(places.length - 1) * i / kCurvePoints);
    curve.y.push_back(position_wave(curve.x.back(), column, places.width, places.form));
  }
  return curve;
}

// Values by place, over the band that the words' own numbers keep to, and a line where the model ends.
void draw_values(Canvas& canvas, const Rect& part, const Places& places, std::span<const Series> series,
                 double low, double high) {
  const Theme& theme = canvas.theme();
  ChartOptions options = chart_options(places, low, high);
  const ChartLayout plot = layout_line_chart(canvas, chart_of(part), options);
  LabelSpace space({plot.plot.x + 4, plot.plot.y - 2, plot.plot.width - 4, plot.plot.height + 2});
  for (const Series& each : series) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < each.x.size(); ++i) points.push_back(plot.to_point(each.x[i], each.y[i]));
    space.keep_off(points);
  }
  const float top = plot.to_y(std::min(places.largest_word, high)),
              bottom = plot.to_y(std::max(-places.largest_word, low));
  if (places.largest_word > 0)
    canvas.rectangle({plot.plot.x, top, plot.plot.width, bottom - top}, {.fill = theme.border});
  if (places.longest < places.length) {
    const float x = plot.to_x(places.longest - 1);
    canvas.line({x, plot.plot.y}, {x, plot.plot.bottom()}, {.color = theme.faint_text, .dashed = true});
    space.keep_off(Rect{x - 2, plot.plot.y, 4, plot.plot.height});
  }
  draw_line_chart(canvas, chart_of(part), series, options);

  // What band and line are, where there is room.
  const auto label = [&](const std::string& words, std::initializer_list<Point> wishes) {
    const TextStyle style = caption_style(canvas);
    const float width = canvas.measure(words, style).x;
    std::vector<Rect> places_for;
    for (const Point wish : wishes)
      for (const float x : {wish.x, wish.x - width}) places_for.push_back({x, wish.y - 8, width, 16});
    if (const auto place = space.first_free(places_for))
      canvas.text({place->x, place->center().y}, words, style);
  };
  const float right = plot.plot.right() - 4, left = plot.plot.x + 8;
  if (places.largest_word > 0)
    label("the words’ own numbers", {{right, top - 10},
                                     {right, top + 10},
                                     {right, bottom - 10},
                                     {left, top + 10},
                                     {left, bottom - 10},
                                     {left, top - 10}});
  if (places.longest < places.length) {
    const float x = plot.to_x(places.longest - 1);
    label("this model’s longest", {{x + 6, plot.plot.y + 10},
                                   {x - 6, plot.plot.y + 10},
                                   {x + 6, plot.plot.y + 28},
                                   {x - 6, plot.plot.y + 28},
                                   {x + 6, plot.plot.bottom() - 30},
                                   {x - 6, plot.plot.bottom() - 30}});
  }
}

void draw_alike(Canvas& canvas, const Rect& part, const Places& places, const PlaceSignal& signal) {
  const Curve curve = places_curve(signal.products);
  const std::array<Series, 1> series{Series{.x = curve.x, .y = curve.y}};
  const ChartLayout plot = draw_line_chart(canvas, chart_of(part), series, alike_options(places, signal));
  // The place that looks most alike.
  const auto best =
      std::max_element(signal.products.begin(), signal.products.end()) - signal.products.begin();
  if (best != places.from)
    canvas.circle(plot.to_point(double(best), signal.products[static_cast<std::size_t>(best)]), 5,
                  canvas.theme().ink, {});
}

std::string index_value_words(const Places& places) {
  const int last = places.length - 1;
  std::string text = "At place " + std::to_string(last) + " it is " + std::to_string(last);
  if (places.largest_word > 0)
    text += ", " + format_short(last / places.largest_word) +
            " times the words’ largest number: " + format_percent(places.index.share) +
            " of what attention compares is the place.";
  if (places.length > places.longest)
    text += " From " + std::to_string(places.longest) + " on it is a value that training never showed.";
  return text;
}

std::string wave_value_words(const Places& places) {
  return "Between −1 and 1 at every place: " + format_percent(places.waves.share) +
         " of what attention compares, in a sentence of any length.";
}

std::string alike_words(const Places& places, const PlaceSignal& signal) {
  const auto from = static_cast<std::size_t>(places.from);
  const auto best =
      static_cast<std::size_t>(std::ranges::max_element(signal.products) - signal.products.begin());
  const auto& weights = signal.lookup.weights;
  const std::string own = format_short(signal.products[from]);
  std::string text = "Most like itself (" + own + ").";
  if (best != from)
    text = "Most like place " + std::to_string(best) + " (" + format_short(signal.products[best]) +
           "), not like itself (" + own + ").";

  // What one place apart counts, and whether it matters where.
  const std::string least = format_short(signal.neighbours.smallest),
                    most = format_short(signal.neighbours.largest);
  text += " Neighbours: " + (least == most ? least + " wherever they stand."
                                           : "from " + least + " to " + most + ", by where they stand.");
  return text + " Softmax: " + format_probability(weights[from]) + " on itself, " +
         format_probability(weights.back()) + " on the last.";
}

}  // namespace

PlacesLayout layout_places(const Rect& content) {
  PlacesLayout layout;
  const float gap = 40, half = std::floor((content.width - gap) / 2), right = content.x + half + gap;
  const float room = content.height - kSliders, height = std::floor((room - 12) / 2);
  const auto track = [&](float x) { return Rect{x + kSliderWords, content.y, half - kSliderWords - 8, 32}; };
  layout.length = track(content.x);
  layout.from = track(right);
  const float upper = content.y + kSliders, lower = upper + height + 12;
  layout.index_values = {content.x, upper, half, height};
  layout.wave_values = {right, upper, half, height};
  layout.index_alike = {content.x, lower, half, height};
  layout.wave_alike = {right, lower, half, height};
  return layout;
}

ChartLayout alike_plot(const Canvas& canvas, const Rect& part, const Places& places,
                       const PlaceSignal& signal) {
  return layout_line_chart(canvas, chart_of(part), alike_options(places, signal));
}

void draw_places(Canvas& canvas, const Rect& content, const Places& places) {
  const Theme& theme = canvas.theme();
  const PlacesLayout layout = layout_places(content);

  // The sliders' words.
  const auto knob = [&](const Rect& track, const char* words, int value, double share) {
    canvas.text({track.x - kSliderWords, track.center().y}, words, caption_style(canvas));
    canvas.text({track.x - 16, track.center().y}, std::to_string(value),
                {.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right});
    draw_still_slider(canvas, track, share);
  };
  knob(layout.length, "words in the sentence", places.length,
       (places.length - kFewestPlaces) / double(places.most - kFewestPlaces));
  knob(layout.from, "seen from place", places.from, places.from / double(places.length - 1));

  // The index: one line that never ends.
  draw_heading(canvas, layout.index_values, "The index itself", {.note = "one number more, by place"});
  const std::vector<double> indices(places.index.table.begin(), places.index.table.end());
  const Curve line = places_curve(indices);
  const std::array<Series, 1> index{Series{.x = line.x, .y = line.y}};
  const double reach = std::max(1.0, places.largest_word);
  draw_values(canvas, layout.index_values, places, index, -reach, std::max(reach, double(places.length - 1)));
  draw_words(canvas, layout.index_values, index_value_words(places));

  // The waves: the fastest quiet, the slow ones strong.
  draw_heading(canvas, layout.wave_values, "Sines and cosines",
               {.note = std::to_string(std::min(kWaves, places.width)) + " of " +
                        std::to_string(places.width) + " numbers, by place"});
  std::vector<Curve> curves;
  for (int i = 0; i < std::min(kWaves, places.width); ++i)
    curves.push_back(
        wave_curve(places, sine_column(places.width * i / (2 * kWaves) / 2, places.width, places.form)));
  std::vector<Series> waves;
  for (std::size_t i = 0; i < curves.size(); ++i)
    waves.push_back({.x = curves[i].x,
                     .y = curves[i].y,
                     .kind = CurveKind::other,
                     .color = i == 0 ? theme.faint_text : theme.ink,
                     .width = i == 0 ? 1.0f : 2.0f});
  const double band = std::max(1.2, places.largest_word);
  draw_values(canvas, layout.wave_values, places, waves, -band, band);
  draw_words(canvas, layout.wave_values, wave_value_words(places));

  // How alike two places look.
  const std::string heading = "How alike to place " + std::to_string(places.from);
  draw_heading(canvas, layout.index_alike, heading, {.note = "dot product of two indices"});
  draw_alike(canvas, layout.index_alike, places, places.index);
  draw_words(canvas, layout.index_alike, alike_words(places, places.index));
  draw_heading(canvas, layout.wave_alike, heading, {.note = "dot product of two rows of waves"});
  draw_alike(canvas, layout.wave_alike, places, places.waves);
  draw_words(canvas, layout.wave_alike, alike_words(places, places.waves));
}

}  // namespace glassformer
