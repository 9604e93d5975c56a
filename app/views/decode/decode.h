// What the files of this view share, part by part.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/view_input.h"
#include "app/views/common/view.h"
#include "engine/decode/beam_record.h"
#include "engine/decode/cache_use.h"
#include "engine/decode/choices.h"
#include "engine/model/transformer.h"

namespace glassformer {

// The second page of the Decode view: what one more word costs with the keys and values of the words before
// it kept, and without.

// Of which Scene; the key keeps both alive.
struct CacheKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  bool operator==(const CacheKey&) const = default;
};
using CacheUses = Background<CacheKey, CacheUse>;

// Null: being computed. The words are those that the Scene's decoder reads.
std::shared_ptr<const CacheUse> cache_use(const ViewInput& input, CacheUses& cache, bool at_once);

inline constexpr const char* kCacheTitle = "What a new word costs";
void draw_cache_page(Canvas& canvas, const Rect& area, const ViewInput& input, const CacheUse& use);
Point cache_page_minimum(const ViewInput& input);
InspectorPage cache_page(const ViewInput& input, const CacheUse& use);
NumberTable cache_numbers(const ViewInput& input, const CacheUse& use);
std::string cache_words(const CacheUse& use);  // "with the cache …, without …: … times as many"

// What the sampling page of the Decode view shows: the distribution that a place is drawn from under the
// page's settings, and sentences drawn with them, made in the background under the Scene's changes.

struct SamplingSettings {
  double temperature = 1;
  int top_k = 0;  // 0 keeps all
  double top_p = 1;
  bool operator==(const SamplingSettings&) const = default;
};

// Of which decoding; the keys keep model and trace alive.
struct PlacesKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  std::vector<int> written = {};
  bool operator==(const PlacesKey&) const = default;
};
// log p of every token at every place of the Scene's decoding, after the words it wrote before.
struct PlaceDistributions {
  std::vector<std::vector<double>> log_probabilities;  // (places, V_t)
};
struct SamplesKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  SamplingSettings settings = {};
  std::uint64_t first_seed = 1;
  bool operator==(const SamplesKey&) const = default;
};
struct Samples {
  SamplesKey key;
  DecodeResult greedy;
  std::vector<DecodeResult> drawn;  // of first_seed and the seeds after it
};

inline constexpr int kSamples = 5;

// What the page remembers; copies of a view share what was computed.
struct SamplingState {
  SamplingSettings own = {}, seen = {};  // own: the page's; seen: the Scene's when own was chosen
  std::optional<std::uint64_t> first_seed = {};
  std::shared_ptr<Background<PlacesKey, PlaceDistributions>> places =
      std::make_shared<Background<PlacesKey, PlaceDistributions>>();
  std::shared_ptr<Background<SamplesKey, Samples>> samples =
      std::make_shared<Background<SamplesKey, Samples>>();

  bool busy() const { return places->busy() || samples->busy(); }
};

SamplingSettings settings_of(const DecodeOptions& options);
DecodeOptions sampling_options(const DecodeOptions& scene, const SamplingSettings& settings,
                               std::uint64_t seed);

struct SamplingScene {
  const ViewInput& input;
  SamplingSettings settings;
  std::uint64_t first_seed = 1;
  int step = 0;                         // the place that is explained, of the Scene's decoding
  bool forced = false;                  // its word is forced, not chosen
  std::vector<TokenShare> shares = {};  // of that place, best first; empty: being computed, or no place
  std::shared_ptr<const Samples> samples = {};  // null: being drawn

  const std::vector<int>& written() const { return input.result.decoding.ids; }
  int places() const { return static_cast<int>(written().size()); }
  bool is_scenes(std::uint64_t seed) const;  // the Scene's own decoding is drawn so, with this seed
};
SamplingScene sampling_scene(const ViewInput& input, const SamplingState& state, bool at_once);

// One sentence for each setting of what it does to the numbers shown.
struct SettingWords {
  std::string heading, text;
};
std::vector<SettingWords> setting_words(const SamplingScene& scene);
// Where a sentence was drawn by numbers that are not finite, a sentence; empty: none was.
std::string not_finite_words(const SamplingScene& scene);
std::string settings_words(const SamplingSettings& settings);  // "temperature 1.00, top-k off, top-p off"
std::string fate_word(ShareFate fate);                         // "top-k"; empty: it is drawn from

// The third page of the Decode view: a place's distribution before and after temperature, top-k and top-p,
// and five sentences drawn with them side by side.

inline constexpr const char* kSamplingTitle = "Drawing the next word instead of taking the likeliest";

// Where the parts of the picture are.
struct SamplingLayout {
  Rect controls;  // one row
  Rect places;    // the Scene's decoding, a chip a word
  Rect bars, words;
  Rect samples;
};
SamplingLayout layout_sampling(const Rect& area);
Point sampling_minimum();

// The most probable words have a bar each, the others one together.
int bars_shown(const SamplingScene& scene);
long others_count(const SamplingScene& scene);
TokenShare others_share(const SamplingScene& scene);

void draw_sampling_page(Canvas& canvas, const Rect& area, const SamplingScene& scene);
void sampling_controls(ui::Ui& ui, const Rect& area, const SamplingScene& scene, SamplingState& state);

std::optional<InspectorPage> sampling_page(const SamplingScene& scene);
std::vector<NumberTable> sampling_numbers(const SamplingScene& scene);
std::string sampling_caption(const SamplingScene& scene);

// The search that the Decode view shows: made for its own width and penalty, whatever the Scene's
// decoding is, under the Scene's changes.

// What is searched, and how. The key keeps model and trace alive.
struct BeamKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};  // of the Scene: another one, other words or changes
  int width = 4;
  double alpha = 0.6;
  LengthPenalty penalty = LengthPenalty::paper;
  bool operator==(const BeamKey&) const = default;
};

struct BeamFound {
  BeamKey key;
  DecodeResult beam;    // with its record
  DecodeResult greedy;  // the most probable word at every step
  ScoredWords greedy_score;
  std::vector<int> right;                  // the known translation, with eos; empty: there is none
  std::optional<ScoredWords> right_score;  // nothing: the model cannot write so many words
  std::vector<int> forced;                 // what everything begins with

  const BeamRecord& record() const { return *beam.record; }
  int hypotheses() const { return static_cast<int>(beam.hypotheses.size()); }
};
using BeamCache = Background<BeamKey, BeamFound>;

DecodeOptions beam_options(const BeamKey& key);
BeamCache::Found beam_found(const ViewInput& input, BeamCache& cache, const BeamKey& wanted, bool at_once);

// The first step, from 0, at which the model's numbers are not finite behind some beginning; nothing: they
// are.
std::optional<int> not_finite_from(const BeamRecord& record);

// How the right translation fares against what was found.
enum class Verdict {
  none,          // nobody knows what is right
  found,         // the search found it
  search_error,  // it scores better than what was found
  model_error,   // the model prefers something else
};
// The known translation does not begin with what everything is forced to begin with.
bool ruled_out(const BeamFound& found);
Verdict verdict(const BeamFound& found);

// The beam as lanes: which nodes of the record are drawn, and where. Steps run across; the winner keeps the
// first lane, and every branch lies in the highest free lane below the one it leaves.

struct TreeNode {
  BeamPlace place;
  int parent = -1;  // in DecodeTree::nodes; -1: <bos>
  int lane = 0;
  bool winner = false, greedy = false;  // on the way of either
  bool stub = false;                    // the first that was cut at its step: it was never continued
  bool dies = false;                    // kept, but nothing of it was kept at the next step
  std::optional<int> finish;            // it ends the sentence of this rank, from 0
};

struct DecodeTree {
  std::vector<TreeNode> nodes;  // every parent before its children
  int first = 0;                // step of the first column
  int lanes = 1, columns = 0;   // a column a step, up to the last that has a node
  std::vector<int> folded;      // a step: kept or finished nodes that are not drawn

  std::optional<int> find(BeamPlace place) const;
};

inline constexpr int kMostLanes = 9;
inline constexpr double kFoldedShare = 0.02;  // of the best, finished ones too: less is folded

// What is not a finite number has no place. `winners`: so many of the finished ones are drawn whole.
// `greedy`: its words, drawn as far as the beam follows them.
DecodeTree lay_out_tree(const BeamRecord& record, int winners, const std::vector<int>& greedy);

// So many of its steps and lanes, a node of `around` among them: what an area too small for all of them has
// room for. What is left out of these steps is folded.
DecodeTree part_of_tree(const DecodeTree& tree, int around, int steps, int lanes);

// What the Decode view shows of one search: the lanes, the node that is explained, and what is said about
// them.

struct DecodeScene {
  const ViewInput& input;
  std::shared_ptr<const BeamFound> found;  // null: being searched
  BeamKey wanted;                          // what the controls say; found may be of the one before
  DecodeTree tree;
  std::optional<int> explained;  // in tree.nodes
  bool pinned = false;           // a person chose it

  const BeamRecord& record() const { return found->record(); }
  const BeamNode& at(int node) const { return record().at(tree.nodes[static_cast<std::size_t>(node)].place); }
  std::string word(int node) const;
  std::string words(const std::vector<int>& ids) const;  // as text, with <eos> where it ends
  double probability(int node) const;                    // of its word
  bool visible(int node) const;                          // up to the step that the transport shows
};

DecodeScene decode_scene(const ViewInput& input, BeamCache& cache, const BeamKey& wanted,
                         const std::vector<int>& pinned_words, bool at_once);

// "5th, −3.41; the 4th had −3.38" of one that was cut; "cut at step 6" of one that nothing was kept of.
std::string cut_words(const DecodeScene& scene, int node);
// The same for less and less room: in one line, in two, without what it is compared with.
std::vector<std::vector<std::string>> cut_lines(const DecodeScene& scene, int node);
std::string end_words(const BeamFound& found);  // why the search ended
// Where the numbers are not finite, a sentence; empty: they are.
std::string not_finite_words(const BeamFound& found);
std::string verdict_words(const DecodeScene& scene);  // of the right translation; empty: none is known
std::string penalty_words(const BeamKey& key);        // "((5 + words) / 6)^α" or "words^α"
std::string ordinal(int rank);                        // "4th"

// The Scene's changes with this beginning forced, or with none.
WhatIf forcing(const WhatIf& what_if, const std::vector<int>& words);

// How a beam search finds its sentence: the living beginnings as lanes, what was cut and by how much, and the
// finished sentences with the arithmetic of their scores.

struct DecodeLayout;

enum class DecodePage { beam, cache, sampling };

class DecodeView : public View {
 public:
  DecodeView() : cache_(std::make_shared<BeamCache>()), uses_(std::make_shared<CacheUses>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<DecodeView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool open_panel(std::string_view name) override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;

 private:
  DecodeScene scene(const ViewInput& input, bool at_once) const;
  BeamKey wanted(const ViewInput& input) const;
  // The Scene's own beam is changed where it has one, so that it can be undone; else the view's.
  void want(ui::Ui& ui, const ViewInput& input, const BeamKey& key);
  void choose_page(ui::Ui& ui, const Rect& area, std::string_view title);
  void choose_nodes(ui::Ui& ui, const DecodeScene& scene, const Rect& area);
  void move_with_arrows(ui::Ui& ui, const DecodeScene& scene, const DecodeLayout& at);
  void show_forced(ui::Ui& ui, const DecodeScene& scene, const Rect& row, float x);

  DecodePage page_ = DecodePage::beam;
  std::string part_;                  // of the beam, that alone is described; empty: all of it
  std::shared_ptr<BeamCache> cache_;  // shared with copies, as the next
  std::shared_ptr<CacheUses> uses_;
  SamplingState sampling_;
  // Width and penalty, where the Scene has no beam; nothing: those of the model.
  std::optional<BeamKey> own_;
  std::vector<int> pinned_;  // the beginning that ends with the pinned node; empty: none
};

// Where the parts of the picture are.
struct DecodeLayout {
  Rect controls;                          // one row
  Rect steps;                             // the names of the columns
  Rect tree;                              // all lanes
  float start = 0, column = 0, lane = 0;  // width of <bos>, pitch of a column and of a lane
  float folded = 0, legend = 0;           // y of two lines below
  int first_step = 0;                     // of the first column
  Rect table;
  Rect node(int lane_index, int column_index) const;
  Rect first() const;  // <bos>
};
DecodeLayout layout_decode(const Rect& area, const DecodeScene& scene);
// The tree without what is around it, as many of its steps and lanes as have room; `head` px are left above.
DecodeLayout layout_tree_alone(const Rect& inner, DecodeScene& scene, float head);
Point decode_minimum(const DecodeScene& scene);

std::string beam_title(const DecodeScene& scene);
void draw_tree(Canvas& canvas, const DecodeLayout& at, const DecodeScene& scene);
void draw_finished(Canvas& canvas, const Rect& table, const DecodeScene& scene);
int finished_rows(const DecodeScene& scene);
// px that hold its longest sentence beside the numbers, roughly.
float table_wants(const DecodeScene& scene);
InspectorPage decode_page(const DecodeScene& scene);

}  // namespace glassformer
