// What the files of this view share, part by part.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/views/common/view.h"
#include "app/widgets/line_chart.h"
#include "engine/analysis/attention_row.h"
#include "engine/analysis/position_study.h"
#include "engine/layers/soft_lookup.h"

namespace glassformer {

// The picture that the facts and a row of attention share: one line a fact, with its key under the query, its
// score, what a hard and a soft lookup take of it, and its value over the two answers.

struct LookupLine {
  std::string name;
  double score = 0;  // −∞: hidden by a mask
  double hard = 0, soft = 0;
  bool lit = false;  // pinned or under the mouse: its name is outlined as a key
};

struct LookupTable {
  std::vector<LookupLine> lines;
  std::string name_title;                // "fact"
  std::string query_title = "query";     // or who asks
  std::string key_title, value_title;    // behind the badges: "hour", "guests"
  std::string score_formula;             // "Q · K / √8"
  bool scored = true;                    // with scores, argmax, and the badges of key and value
  double score_limit = 0;                // end of the scores' colours; 0: plain numbers
  std::string hard_answer, soft_answer;  // "argmax takes lunch"
  std::string soft_name = "softmax";
  // What is in the cells of the key's and the value's column. Key: a line, -1 the query. Value: a line,
  // then argmax's answer, then softmax's.
  std::function<void(const Rect&cell, int line)> draw_key, draw_value;
};

struct LookupWidths {
  float name = 76, key = 44, score = 56, hard = 56, value = 52;  // the softmax column takes the rest
};

struct LookupTableLayout {
  Rect name, key, score, hard, soft, value;  // columns, from the head to the last answer
  float head = 24, row_height = 24;
  int lines = 0;
  float bottom() const { return name.bottom(); }
  Rect line(int line) const;  // -1: the query's; lines and lines + 1: the answers'
  Rect cell(const Rect& column, int line) const;
};

// Rows are as high as the area allows, from 20 to 42.
LookupTableLayout layout_lookup_table(const Rect& area, int lines, const LookupWidths& widths);
float lookup_table_height(int lines);  // the least
void draw_lookup_table(Canvas& canvas, const LookupTableLayout& layout, const LookupTable& table);

// The temperature with its value and its two ends; on screen a slider is on its track, whose place is the
// logarithm of the temperature to base 10.
inline constexpr double kColdest = -2, kHottest = 3;
inline constexpr float kTemperatureHeight = 60;
void draw_temperature(Canvas& canvas, const Rect& area, double temperature);
Rect temperature_track(const Rect& area);

// A slider that a file shows where the screen has a live one.
void draw_still_slider(Canvas& canvas, const Rect& track, double share);

// What a lookup means for training: its answer, how steeply it depends on the query, and in words. Three
// lines of words take 102 px.
struct LookupVerdict {
  std::string soft_name = "softmax";
  bool soft = false;
  std::string answer;  // empty: none shown
  std::string slope;   // "slope 0"
  std::string words;
};
void draw_verdict(Canvas& canvas, const Rect& area, const LookupVerdict& verdict);

// The first page of the Lookup view: a table of facts asked at any place between them, by nearest key and by
// softmax.

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

// How much of the page is shown, each with all before it: the facts as dots, the answer of the nearest one,
// the weights with their blend, how steep the answers are, the temperature; then scores and what attention
// calls them.
enum class FactsParts { dots, nearest, weights, slopes, temperature, all };

struct FactsState {
  double hour = 11.7;  // the query
  double temperature = 1;
  std::optional<int> lit;  // the fact that is pointed at or chosen
  FactsParts parts = FactsParts::all;

  bool shows(FactsParts part) const { return parts >= part; }
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
// Without the table the chart has all the width.
FactsLayout layout_facts(const Canvas& canvas, const Rect& content, FactsParts parts = FactsParts::all);
void draw_facts(Canvas& canvas, const Rect& content, const FactsState& state);
// The chart, and in one row what the two answer.
void draw_curve_alone(Canvas& canvas, const Rect& content, const FactsState& state);

InspectorPage facts_page(const FactsState& state);
std::vector<NumberTable> facts_numbers(const FactsState& state);
std::string facts_caption(const FactsState& state);

// The third page of the Lookup view: two signals of where a word is. The index itself, as one more
// number, and the paper's sines and cosines: how large they get, and how alike they make two places.

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
  DistanceSimilarity neighbours;  // dot products of neighbouring places
};

struct Places {
  int length = 0, from = 0, width = 0;
  WaveForm form;            // the open model's
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

// The second page of the Lookup view: the same table, with the words of the sentence for facts and one row of
// the open model's attention for the lookup.

// The row that the selection means: its own query, or one in the middle of the sentence; head 1 for the mean.
struct RowScene {
  const ViewInput& input;
  Selection shown;                 // inside the model; layer, head and query are set
  int rows = 0;                    // queries of the sentence
  std::string asker, writes;       // the row's word, and what it is to write; writes is empty in the encoder
  std::vector<std::string> words;  // of the keys; padding that is looked at besides
  double temperature = 1;
  AttentionRow row;

  std::string place() const;  // "layer 2, head 1"
  int seen() const;           // keys that the mask leaves
  // The model's own weights are shown, and a ReLU makes them: else a softmax of its scores.
  bool relu() const;
  std::string soft_name() const { return relu() ? "ReLU / n" : "softmax"; }
  bool covered() const;                             // a page of a lesson asks for the row
  CellRef cell(ValueKind value, int column) const;  // of the row: weights, masked_scores, query, context
  CellRef cell(ValueKind value, int key, int column) const;  // key, value
};
RowScene row_scene(const ViewInput& input, double temperature);

std::string language_of(const RowScene& scene);  // of the words that are read

// The weighted sum in words, strongest first: "0.972 × a + 0.026 × <eos> + the rest".
std::string row_sum(const RowScene& scene);

// The shared selection on another row, without a key or a number.
Selection select_row(const RowScene& scene, int row);

struct RowLayout {
  Rect asker, back, next, temperature, kind;
  LookupTableLayout table;
  Rect hard, soft;
};
RowLayout layout_row(const Rect& content, int words);
float row_page_height(int words);
// `plain`: of each word its score and its weight alone.
void draw_row(Canvas& canvas, const Rect& content, const RowScene& scene, bool plain);
// Its table, in which the query has the name of who asks.
void draw_row_alone(Canvas& canvas, const Rect& content, const RowScene& scene, bool plain);
void draw_row_plain(Canvas& canvas, const Rect& area, const RowScene& scene);

// Nothing when the Trace's own number explains itself.
std::optional<InspectorPage> row_page(const RowScene& scene);
std::vector<NumberTable> row_numbers(const RowScene& scene);
std::string row_caption(const RowScene& scene);

// Attention as a soft lookup, the bridge for beginners: a table of facts asked by nearest key and by softmax,
// then the same picture as one row of the open model's attention, then why a word's place is not seen in its
// index.

enum class LookupPage { facts, row, places };
inline constexpr int kLookupPages = 3;
// Of a stage on which the pages have their full names.
inline constexpr float kWideLookup = 900;
// "A table of facts", or short for a narrow stage: "Facts".
std::string name_of(LookupPage page, bool wide = true);

class LookupView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<LookupView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  // "curve": the facts; "words": a row of attention; "places".
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  // soft and hard: the guests that softmax and argmax answer; slope of softmax's answer, in guests an hour.
  std::vector<ViewFact> facts(const ViewInput& input) const override;
  // "Query" (an hour), "Temperature" (above 0) and "Lookup" (a page); kShownParts of the first two.
  bool set(std::string_view control, std::string_view value) override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;

  int step_count(const ViewInput&) const override { return kLookupPages; }
  void show_step(const ViewInput&, int page) override { go_to(static_cast<LookupPage>(page)); }
  void go_to(LookupPage page) { page_ = page; }

 private:
  FactsState asked() const;
  double temperature() const;
  std::string state_words() const;
  Rect content(const ViewInput& input, const Rect& area) const;

  bool whole() const { return page_ == LookupPage::places || parts_ == FactsParts::all; }
  void page_switch(ui::Ui& ui, const Rect& inner, bool wide);
  void set_unseen(ui::Ui& ui);
  void temperature_slider(ui::Ui& ui, const Rect& area);
  bool query_slider(ui::Ui& ui, const Rect& track);
  void facts_controls(ui::Ui& ui, const ViewInput& input, const Rect& content);
  void row_controls(ui::Ui& ui, const ViewInput& input, const Rect& content);
  void places_controls(ui::Ui& ui, const ViewInput& input, const Rect& content);
  void advance_playing(ui::Ui& ui, bool reduced_motion);

  LookupPage page_ = LookupPage::facts;
  FactsParts parts_ = FactsParts::all;
  double hour_ = FactsState{}.hour;
  double warmth_ = 0;  // logarithm of the temperature, to base 10
  std::optional<int> hovered_fact_, chosen_fact_;
  PlacesState places_;
  bool playing_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace glassformer
