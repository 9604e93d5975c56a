// What the screen shows of a model that is watched as it learns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel_input.h"
#include "app/reading/attention_table.h"
#include "app/scene/watch_state.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// A word of an attempt beside the right words.
struct AttemptWord {
  std::string text;  // empty: one is missing here
  bool right = false;
  int times = 1;  // that it comes one after another
};

// What is written beside what is right, word by word; nothing is missing at its end where it continues.
struct Attempt {
  std::vector<AttemptWord> words;        // at most kMostWords, then "…"
  int hits = 0, wrong = 0, missing = 0;  // of all words, shown or not
  bool cut = false;
  // "one word is missing", "nothing: it ends at once"; empty: all is right.
  // Nobody has said what is right: words differ, none is wrong.
  std::string says(bool known = true) const;
  bool writes_nothing() const;
};
Attempt attempt_of(const std::string& written, const std::string& right);

// The word that a row would write after the right words, and the chance of the right one.
struct WatchedRow {
  std::string right, next;
  bool hit = false;
  double chance = 0;
};

// What is shown of it: one thing at a time, or everything.
enum class WatchPart { writes, reads, measures, all };

struct WatchScene {
  std::vector<std::string> reads;     // the source, "(end)" last
  std::vector<WatchedRow> rows;       // the right words, "(end)" last
  std::vector<AttentionTable> heads;  // of the cross-attention, layer by layer
  int all_heads = 0;                  // of the model
  int layers = 0, heads_in_layer = 0;
  bool known = true;  // somebody has said what is right
  std::string right;  // the sentence that it should write
  Attempt own;        // what it writes on its own
  // No word of that is right, and the right ones surprise it more than half as much as an even guess would.
  bool guesses = false;
  std::string says;  // of the written words: that it guesses, else how many are wrong or missing
  std::string asks(WatchPart part, bool small = false) const;  // what to look at now
};
WatchScene watch_scene(const SceneResult& result, const Tokenizers& tokenizers, bool known = true);

double even_guess(const Config& config);  // the loss of one that knows nothing
double lowest_possible(const Config& config, double smoothing);

std::string goal_words(const WatchState& state);  // whose words the rows are
// "61.2 % of 1 000 right": of all held-out sentences, where they were counted at this step; else empty.
std::string counted_right(const RunState& run, long step);
std::string learns_how(const WatchState& state);  // a sentence, where it has the recipe "quick"; else empty
// As Ctrl+D and --text say it: seconds, step, loss, right, on its own, a line a row.
std::string watch_words(const WatchState& state, const Tokenizers& tokenizers);

// The screen of a model that is watched as it learns from noise: what it writes; what each row reads and
// would write; its loss.
class WatchPage {
 public:
  // True when the way back was chosen.
  bool draw(ui::Ui& ui, const PanelInput& in, const WatchState& state, const Rect& stage);

 private:
  void draw_part(ui::Ui& ui, const PanelInput& in, const WatchState& state, const WatchScene& scene,
                 const Rect& area, float foot, bool small);
  // Source, goal and attempt; returns where they end.
  float draw_sentences(ui::Ui& ui, const PanelInput& in, const WatchState& state, const WatchScene& scene,
                       const Rect& rect);
  void draw_rows(ui::Ui& ui, const WatchScene& scene, const Rect& rect);
  void other_heads(ui::Ui& ui, Point right, const WatchScene& scene, int open, bool small);
  void draw_heads(ui::Ui& ui, const WatchScene& scene, int open, const Rect& area, bool small);

  WatchPart part_ = WatchPart::writes;
  std::optional<int> head_;   // that is enlarged, layer by layer; nothing: the last layer's first
  bool heads_shown_ = false;  // all of them, small
};

}  // namespace glassformer
