#include "app/views/lookup/lookup_places.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/widgets/heatmap.h"

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
  places.waves =
      signal_of(sinusoidal_table(places.length, places.width), places.width, places.from, places.word_length);
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

}  // namespace glassformer
