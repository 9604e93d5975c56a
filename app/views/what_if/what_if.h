// What the files of this view share, part by part.
#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/reading/background.h"
#include "app/reading/scene_words.h"
#include "app/reading/view_input.h"
#include "app/ui/ui.h"
#include "app/views/common/view.h"
#include "engine/model/what_if/ablation.h"
#include "engine/model/what_if/effect.h"

namespace glassformer {

// How much each part of a model matters: the change of the loss when that part alone is muted, computed
// in the background, one part after another.

// The parts that are muted one by one.
enum class PartsShown { heads, sub_blocks, places };

// Parts that belong together: layers down, heads (or sub-blocks, or places) across.
struct PartGroup {
  std::string title, short_title;
  std::vector<std::string> columns;
  int layers = 0;
  std::vector<Change> changes;  // layers x columns, row by row

  std::size_t count() const { return changes.size(); }
};
// `block` and `words` are those of the places.
std::vector<PartGroup> part_groups(const Transformer<float>& model, PartsShown parts, Replacement by,
                                   const ValueName& block, const std::vector<std::string>& words);
// "encoder self-attention", "decoder feed-forward"
std::string block_words(const ValueName& block);
// What one part is called: "cross 2, head 1", "encoder feed-forward 1, place 3".
std::string part_name(const Change& change);

struct ImportanceKey {
  std::shared_ptr<const Transformer<float>> model;
  std::shared_ptr<const Batch> held_out;           // null: the sentence alone
  std::vector<int> source, target_in, target_out;  // of the sentence, where it is that
  double smoothing = 0.1;
  std::shared_ptr<const ValueMeans> means;  // where parts are replaced by them
  std::shared_ptr<const Trace> other;       // where they are taken from it
  std::vector<Change> changes;
  bool operator==(const ImportanceKey&) const = default;
};

// Losses are means over the sentences, each over its own words.
struct Importance {
  double untouched = 0;
  std::vector<Difference> parts;  // those known so far, in the order of the changes
  std::size_t count = 0;          // of all
  bool whole() const { return parts.size() == count && count > 0; }
};

// Keeps what was computed last. Shared by copies of a view; safe to use from several threads.
class ImportanceWork {
 public:
  ImportanceWork() = default;
  ~ImportanceWork();
  ImportanceWork(const ImportanceWork&) = delete;
  ImportanceWork& operator=(const ImportanceWork&) = delete;

  // What is known by now; the rest follows. Another key ends the work on the one before, unless only
  // the weights are newer. `at_once`: all of it here and now.
  Importance get(const ImportanceKey& key, bool at_once);
  bool busy();

 private:
  struct Job {
    ImportanceKey key;
    std::mutex mutex;
    Importance found;
    std::atomic<bool> cancelled{false};
    std::future<void> work;
    bool running() const;
  };
  static void work(Job& job);

  std::mutex mutex_;
  std::vector<std::shared_ptr<Job>> jobs_;  // the oldest first
};

// What the changes of a Scene did to its translation, word by word: all of them together, each alone, and
// one part muted alone.

// What everything is measured on: the Scene without its changes.
struct PlainSentence {
  std::shared_ptr<const Transformer<float>> model;
  std::vector<int> source;                 // eos included where the model has one
  std::vector<int> output;                 // as decoded without changes
  std::vector<int> target_in, target_out;  // the right words, else the output: what the loss is of
  double smoothing = 0.1;
  DecodeOptions decode;
  bool operator==(const PlainSentence& other) const;  // all but how it is decoded
};
PlainSentence plain_sentence(const SceneResult& result);

// One change alone.
struct AloneEffect {
  Change change;
  std::vector<int> output = {};  // the translation with it
  double loss = 0;               // of the right words
};

struct WhatIfEffects {
  SentenceEffect output;                   // on the untouched output
  double loss_before = 0, loss_after = 0;  // of the right words
  std::vector<AloneEffect> alone;          // of at most kMostAlone changes
};
inline constexpr std::size_t kMostAlone = 8;
WhatIfEffects effects_of(const PlainSentence& plain, const WhatIf& what_if, const Substitutes& substitutes);

// The key keeps the result alive, and with it all that is read.
using EffectsCache = Background<std::shared_ptr<const Trace>, WhatIfEffects>;

// One part muted alone, by 0, by its mean and from a second Scene; what is not known is left out.
struct MutedPart {
  SentenceEffect by_zero;  // on the untouched output
  double loss_zero = 0;    // of the right words
  std::optional<SentenceEffect> by_mean;
  std::optional<double> loss_mean;
  std::optional<SentenceEffect> by_other;
  std::optional<double> loss_other;
};
MutedPart muted_alone(const PlainSentence& plain, Change change, const Substitutes& substitutes);

struct MutedKey {
  PlainSentence plain;
  Change change;
  std::shared_ptr<const ValueMeans> means;
  std::shared_ptr<const Trace> other;
  bool operator==(const MutedKey&) const = default;
};
using MutedCache = Background<MutedKey, MutedPart>;

// All changes that name no place of the sentence, over held-out pairs.
struct HeldOutEffect {
  double untouched = 0;  // mean over the pairs, each over its own words
  Difference change;
};
struct HeldOutKey {
  std::shared_ptr<const Transformer<float>> model;
  std::shared_ptr<const Batch> pairs;
  WhatIf what_if;
  double smoothing = 0.1;
  std::shared_ptr<const ValueMeans> means;
  bool operator==(const HeldOutKey&) const = default;
};
HeldOutEffect held_out_effect(const HeldOutKey& key);
using HeldOutCache = Background<HeldOutKey, HeldOutEffect>;

// The words that a place may be compared with: the likeliest before and after.
struct PlaceWord {
  int id = 0;
  double before = 0, after = 0;            // log-probability
  double less_before = 0, less_after = 0;  // logit of the written word less that of this one
};
std::vector<PlaceWord> place_words(const PlainSentence& plain, const WhatIf& what_if,
                                   const Substitutes& substitutes, const PlaceEffect& effect, int place,
                                   std::optional<int> chosen);

// What the What if view shows in one frame: the two outputs side by side, what the changes did to each word,
// and what the model loses without each of its parts.

// What a person chose in the view itself.
struct WhatIfChoice {
  PartsShown parts = PartsShown::heads;
  Replacement by = Replacement::zero;  // zero, mean, or other: from the Scene beside this one
  bool held_out = false;
  int block = 0;                         // of part_blocks(), whose places are muted
  std::optional<std::size_t> part = {};  // where the cursor is, of sub-blocks and places
};
// Every attention and feed-forward of a layer, in the order of the map.
const std::vector<ValueName>& part_blocks();

struct PairsKey {
  std::shared_ptr<const TrainingText> text;
  std::shared_ptr<const Tokenizer> source, target;
  int longest = 0;
  bool operator==(const PairsKey&) const = default;
};
struct MeansKey {
  std::shared_ptr<const Transformer<float>> model;
  std::shared_ptr<const Batch> pairs;
  bool operator==(const MeansKey&) const = default;
};
struct PlaceKey {
  std::shared_ptr<const Trace> trace;
  int place = 0;
  std::optional<int> chosen;
  bool operator==(const PlaceKey&) const = default;
};
// What is computed in the background; shared by copies of a view.
struct WhatIfWork {
  EffectsCache effects;
  MutedCache muted;
  HeldOutCache held_out;
  Background<PlaceKey, std::vector<PlaceWord>> places;
  Background<PairsKey, std::shared_ptr<const Batch>> pairs;
  Background<MeansKey, ValueMeans> means;
  ImportanceWork importance;
  bool busy();
};

struct WhatIfScene {
  const ViewInput& input;
  WhatIfChoice choice;
  PlainSentence plain;
  std::vector<OutputColumn> columns;
  std::vector<std::string> before, after;  // pieces of the two outputs, "·v" inside a word
  // Of each place of the untouched output: the place of the words that the views show which is beside it.
  std::vector<std::optional<int>> shown_places;
  std::shared_ptr<const WhatIfEffects> effects;   // null: being computed
  std::shared_ptr<const HeldOutEffect> held_out;  // null: not known, or not yet
  std::vector<PartGroup> groups;
  Importance importance;
  std::shared_ptr<const Batch> pairs;       // held out; null: none
  std::shared_ptr<const ValueMeans> means;  // null: not known, or not yet
  std::string trouble;                      // why a switch cannot show what it says: a sentence
  std::optional<std::size_t> part;          // the chosen one, of all groups together
  std::optional<int> place;                 // of the untouched output, that is pinned
  std::optional<int> against;               // the word that it is compared with

  const WhatIf& what_if() const { return input.result.scene.what_if; }  // in what is shown
  bool changed() const { return !what_if().empty(); }
  std::size_t count() const;  // of all parts
  const Change& change(std::size_t part) const;
  bool muted(const Change& change) const;      // now
  double limit() const;                        // the scale ends at the largest change of the loss
  const PlaceEffect* effect(int place) const;  // null: not known
  std::string word(int id) const;
  // How many words a translation has that are not as the untouched one's.
  int changed_words_of(const std::vector<int>& output) const;
};

WhatIfScene what_if_scene(const ViewInput& input, const WhatIfChoice& choice, WhatIfWork& work, bool at_once);

// What is known of the chosen part, and of the pinned place; null: not known, or nothing is chosen.
std::shared_ptr<const MutedPart> muted_part(const WhatIfScene& scene, WhatIfWork& work, bool at_once);
std::shared_ptr<const std::vector<PlaceWord>> words_of_place(const WhatIfScene& scene, WhatIfWork& work,
                                                             bool at_once);

// What a click on a part asks for: it alone is muted, or restored when it is; with `add` besides the others.
WhatIf clicked_part(const WhatIfScene& scene, std::size_t part, bool add);
// The pin of a part; of the feed-forwards the layer alone.
Selection selecting_part(const Selection& before, const Change& change);
// The pin of a place of the untouched output, at the place that is beside it in what the views show. The
// word it is compared with is a cell of the logits; so is a place beside which nothing is.
Selection selecting_place(const WhatIfScene& scene, int place, std::optional<int> against = {});
bool is_compared_word(const CellRef& cell);

std::string tile_number(double change);    // "+.264", "0"
std::string parts_word(PartsShown parts);  // "head"
std::string replaced_by(Replacement by);   // "replaced by its mean"
// "What the two changes do to the translation"
std::string what_if_title(const WhatIfScene& scene);
std::string what_if_subtitle(const WhatIfScene& scene);
// What takes a whole part away, or makes the numbers overflow: a sentence; empty: nothing of that.
std::string what_if_note(const WhatIfScene& scene);
// Of a mean that is not known, or not yet: a sentence; empty: none is wanted.
std::string mean_note(const WhatIfScene& scene);

// Where the parts of the What if view are.

// Tiles of one group.
struct GroupPlace {
  Rect tiles;
  float titles = 0, columns = 0;  // y of the middle of the two lines above
  Point pitch, size;              // of a tile; the gap is what is left
  Rect tile(int layer, int column) const;
};

struct WhatIfLayout {
  bool subtitle = true, cards = true;  // the changes as cards of two lines, or as one row of buttons
  bool bare_switches = false;          // they take the place of their heading
  Rect inner;
  // Word by word.
  float label = 84, column = 0;  // width left of the columns, and of each
  std::size_t shown = 0;         // of the columns
  int rows = 4;                  // of the bars
  float bar_height = 16;         // from kTallBar on the number is over its bar
  float letters = 14;            // of the chips
  float indices = 0, before = 0, after = 0, bars[4] = {}, caption = 0;
  Rect chip(std::size_t column, bool changed) const;
  Rect bar(std::size_t column, int row) const;  // with its number
  // How much each part matters.
  Rect heading;
  std::vector<GroupPlace> groups;
  bool numbers = true;  // they fit in a tile
  float scale = 0;      // y of the colour bar and the notes beside it
  Rect tile(const WhatIfScene& scene, std::size_t part) const;
  // Change something else: never exported.
  float changes_heading = 0;
  Rect changes, field;  // below the field is a line of 16 px
  float bottom = 0;
};

WhatIfLayout layout_what_if(const Rect& area, const WhatIfScene& scene, bool file);
// The two outputs and their probabilities alone.
WhatIfLayout layout_words(const Rect& area, const WhatIfScene& scene);
inline constexpr float kTallBar = 30;
// Of a sentence that the change made much longer, which then repeats itself, only the beginning is drawn.
std::size_t drawn_columns(const WhatIfScene& scene);
Point what_if_minimum(const WhatIfScene& scene);

void draw_words(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene,
                const std::vector<PlaceWord>* words);
void draw_words_alone(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene);
void draw_parts(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene);

// Any change by hand: a field that reads the words in which changes are written (change_text.h).

class ChangeField {
 public:
  // The field, and below it what is wrong with what is or was in it, else examples.
  void draw(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene);

 private:
  void enter(ui::Ui& ui, const WhatIfScene& scene);

  std::string text_, error_;
  std::string unknown_;  // what is to be known of the words of the last change
};

// Changes that fit the open model and sentence, as typed.
std::vector<std::string> change_examples(const WhatIfScene& scene);

// The Scene's changes and those of the text; an Error says in a sentence why not.
WhatIf with_typed(const WhatIfScene& scene, const std::string& text);

// "Change something else": what else of a Scene can be changed, each leading to where it is made.

// May switch which parts are muted.
void draw_changes_bar(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene, WhatIfChoice& choice);

// All changes of the Scene, what they did to the translation word by word, and how much each head, sub-block
// or place matters: the change of the loss when it alone is muted.

class WhatIfView : public View {
 public:
  WhatIfView() : work_(std::make_shared<WhatIfWork>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<WhatIfView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;

 private:
  WhatIfScene scene(const ViewInput& input, bool at_once) const;
  void switches(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene);
  void tiles(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene);
  void keys(ui::Ui& ui, const WhatIfScene& scene);
  // The cursor, and what a click on a part asks for besides.
  void choose(ui::Ui& ui, const WhatIfScene& scene, std::size_t part);

  WhatIfChoice choice_;
  std::string part_;  // that alone is described; empty: all of the picture
  ChangeField field_;
  std::shared_ptr<WhatIfWork> work_;  // shared with copies
};

// What the inspector says of the chosen part, of a pinned place, or of the changes.
InspectorPage part_page(const WhatIfScene& scene, const MutedPart* known);
InspectorPage place_page(const WhatIfScene& scene, const std::vector<PlaceWord>* words);
InspectorPage changes_page(const WhatIfScene& scene);
// What a hovered part says: its name, the change of the loss and how sure it is.
std::string part_tooltip(const WhatIfScene& scene, std::size_t part);

}  // namespace glassformer
