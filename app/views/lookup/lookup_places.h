// The third page of the Lookup view: two signals of where a word stands. The index itself, as one more
// number, and the paper's sines and cosines: how large they get, and how alike they make two places.
#pragma once

#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/views/common/view.h"
#include "app/widgets/line_chart.h"
#include "engine/layers/soft_lookup.h"
#include "engine/model/position_study.h"

namespace glassformer {

inline constexpr int kFewestPlaces = 4;  // of the slider

struct PlacesState {
  int length = 64;  // words in the sentence
  int from = 20;    // the place that the others are compared with
};

// One signal over a whole sentence, compared with itself at one place.
struct PlaceSignal {
  std::vector<float> table;  // (length, columns)
  int columns = 1;
  double squared_length = 0;     // of the last place's row
  std::vector<double> products;  // (length) dot product with every place
  Lookup lookup;     // these as attention scores, divided by √columns; the values are the places
  double share = 0;  // of the last row in the squared length of the word's and its own numbers
  DistanceSimilarity neighbours;  // dot products of places that stand one apart
};

struct Places {
  int length = 0, from = 0, width = 0;
  int most = 0;             // length that the slider goes to
  int longest = 0;          // sentence that the open model can take
  double largest_word = 0;  // number in the embeddings of the open sentence
  double word_length = 0;   // their mean squared length
  PlaceSignal index, waves;
};
Places compare_places(const ViewInput& input, const PlacesState& state);

struct PlacesLayout {
  Rect length, from;                                        // the sliders' tracks
  Rect index_values, wave_values, index_alike, wave_alike;  // parts, heading and verdict included
};
PlacesLayout layout_places(const Rect& content);
// The plot of one of the two parts below.
ChartLayout alike_plot(const Canvas& canvas, const Rect& part, const Places& places,
                       const PlaceSignal& signal);
void draw_places(Canvas& canvas, const Rect& content, const Places& places);

InspectorPage places_page(const Places& places);
std::vector<NumberTable> places_numbers(const Places& places);
std::string places_caption(const Places& places);

}  // namespace glassformer
