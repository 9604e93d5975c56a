// What the files of this view share, part by part.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/inspector/page.h"
#include "app/scene/recurrent_scene.h"
#include "app/views/common/view.h"
#include "engine/math/matrix.h"
#include "engine/train/length_race.h"

namespace glassformer {

// A recurrent model of one's own, trained in the window on any data or read from a folder: how it learns, and
// the typed sentence in it.

struct OwnPage {
  std::shared_ptr<const RecurrentRunState> state;   // null: there is none
  std::shared_ptr<const RecurrentReading> reading;  // null: not there yet
  const RecurrentScene* scene() const { return reading ? reading->scene.get() : nullptr; }
};
OwnPage own_page(const ViewInput& input);

struct OwnLayout {
  Rect losses, text, states, looks;
};
OwnLayout layout_own(const Rect& content);
inline constexpr const char* kOwnTitle = "Own model";
std::string own_subtitle(const OwnPage& page);
void draw_own(Canvas& canvas, const Rect& content, const OwnPage& page);
// The ways to the views that show a recurrent model closer.
InspectorSection closer_ways(bool attends);
Point own_minimum();
InspectorPage own_inspector_page(const OwnPage& page);
std::vector<NumberTable> own_numbers(const OwnPage& page);
std::string own_caption(const OwnPage& page);

// A race of three models (engine/train/length_race.h) that trains on its own thread while the screen
// shows how far it is.

struct ShownRace {
  LengthRaceOptions options;
  std::array<RacerState, kRacers> racers = {};
  std::array<int, kRacers> waits = {};  // steps in a row that learning one longest sentence takes
  long held_out = 0;
  bool running = false;
  double seconds = 0;   // since it began
  std::string problem;  // why there is nothing, a sentence; empty: none
  // As last scored; null: not yet.
  std::shared_ptr<const RecurrentModel<float>> one_vector = nullptr, attention = nullptr;
  std::shared_ptr<const Snapshot> transformer = nullptr;
  std::shared_ptr<const TrainingSet> data = nullptr;
  const RacerState& of(Racer racer) const { return racers[static_cast<std::size_t>(racer)]; }
};

class RaceRunner {
 public:
  RaceRunner() = default;
  ~RaceRunner();
  RaceRunner(const RaceRunner&) = delete;
  RaceRunner& operator=(const RaceRunner&) = delete;

  // Nothing while one is under way.
  void start(const LengthRaceOptions& options);
  void stop();  // soon; what it has learned until then stays
  // Of the last start; null: there was none.
  std::shared_ptr<const ShownRace> shown() const;
  // The whole race here and now, on a runner that was never started. Throws Error as LengthRace does.
  void run(const LengthRaceOptions& options, const std::function<void(const ShownRace&)>& progress = {});

 private:
  void learn(const LengthRaceOptions& options, const std::function<void(const ShownRace&)>& progress);
  void show(ShownRace race);

  mutable std::mutex mutex_;
  std::shared_ptr<const ShownRace> shown_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

// One word being written, and its weights over the source by four score functions: three of the same dot
// products of one head of the Transformer, and the additive one of the recurrent model with attention. Both
// models learned the same task on the same batches and have read the same words.

struct ScoresChoice {
  int letters = 6;  // of recall the sentences in between
  int step = 0;     // of the decoder, from 0
  int head = 0;     // of the Transformer's cross-attention
};

struct ScoresPage {
  ScoresChoice choice;              // brought into range
  std::vector<std::string> reads;   // n words of the source, eos included
  std::vector<std::string> writes;  // as it should
  int heads = 1, head_width = 1;
  Matrix<float> weights;  // (4, n): dot, scaled dot, ReLU, additive
  double sum(int row) const;
  std::string step_name() const;  // "after b, writing a"
};
inline constexpr int kScoreRows = 4;
const char* score_name(int row);                             // "scaled dot"
std::string score_formula(int row, const ScoresPage& page);  // "softmax(q·k / √16)"

// Of the first held-out sentence of that length; nothing: the race has no models yet, or no such sentence.
std::optional<ScoresPage> scores_page(const ShownRace& race, const ScoresChoice& choice);

void draw_scores(Canvas& canvas, const Rect& content, const ScoresPage& page);
Point scores_minimum();
std::vector<NumberTable> scores_numbers(const ScoresPage& page);
std::string scores_caption(const ScoresPage& page);

// One sentence in a recurrent model: its states a row a letter, the one vector that is handed over, where the
// decoder looks if it can, and the arithmetic of one number of one state.

// What is looked at.
struct SentenceChoice {
  Racer racer = Racer::attention;  // one_vector or attention
  int letters = 6;                 // of recall the sentences in between
  int word = 0, unit = 0;          // of the encoder's states
  bool operator==(const SentenceChoice&) const = default;
};

struct SentencePage {
  SentenceChoice choice;  // brought into range
  std::shared_ptr<const RecurrentScene> scene;
  std::string written;          // by the model on its own
  std::string word = "letter";  // what a piece is called
  bool right = false;
  std::array<GruCell, 3> gates;  // r, z and n of the chosen word and unit

  int width() const { return static_cast<int>(scene->trace.handed_over.size()); }
  RecurrentPin pin() const;               // the state of that word and unit
  float gate(int which, int unit) const;  // 0 r, 1 z, 2 n of the chosen word
};

// The first held-out sentence of that length; null: there is none.
const EncodedPair* held_out_of(const ShownRace& race, int length);
// Where a page with sliders on its top begins; files have none.
Rect under_sliders(const Canvas& canvas, const Rect& content);

// Nothing: the race has no models yet, or no such sentence.
std::optional<SentencePage> sentence_page(const ShownRace& race, const SentenceChoice& choice);

struct SentenceLayout {
  Rect states, vector, side, gates;
  Rect cells;  // of the states' map
};
SentenceLayout layout_sentence(const Canvas& canvas, const Rect& content, const SentencePage& page);
Rect sentence_sliders(const Rect& content);  // on its top
void draw_sentence(Canvas& canvas, const Rect& content, const SentencePage& page);
Point sentence_minimum();

// r, z, n and "h' = (1 - z) n + z h" with their numbers, a line a step.
std::vector<std::string> gate_lines(const SentencePage& page);
std::vector<NumberTable> sentence_numbers(const SentencePage& page);
std::string sentence_caption(const SentencePage& page);

// Before attention: what one vector between encoder and decoder cannot hold. Three models learn the same task
// on the same batches, and how well each writes sentences of each length is drawn while they do.

inline constexpr std::array kRaceTasks{"copy", "reverse", "recall"};
inline constexpr std::array kRaceWidths{16, 32, 64, 128};

class BottleneckView : public View {
 public:
  BottleneckView() : runner_(std::make_shared<RaceRunner>()) {}
  explicit BottleneckView(std::shared_ptr<RaceRunner> runner) : runner_(std::move(runner)) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<BottleneckView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput&) const override;
  ViewPlace place(const ViewInput&) const override { return {.path = {"Before attention"}}; }
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool set(std::string_view control, std::string_view value) override;

 private:
  std::shared_ptr<RaceRunner> runner_;  // shared with copies
  std::optional<SentencePage> sentence() const;
  std::optional<ScoresPage> scores() const;
  void own_controls(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void longest_control(ui::Ui& ui, const Rect& content);
  void scores_controls(ui::Ui& ui, const Rect& content, const ScoresPage& page);
  void show_beside(ui::Ui& ui, const ViewInput& input, const ShownRace& race);
  void sentence_controls(ui::Ui& ui, const Rect& content, const SentencePage& page);

  struct Task {
    const char* name;
    int longest;  // for the next training
  };
  std::array<Task, 3> tasks_ = {{{kRaceTasks[0], 20}, {kRaceTasks[1], 20}, {kRaceTasks[2], 20}}};
  int task_ = 1;
  std::optional<int> width_;  // for the next training; nothing: that at which the three part on its task
  LengthRaceOptions next() const;
  enum class Page { lengths, sentence, scores, own };
  Page page_ = Page::lengths;
  SentenceChoice choice_;
  // The race's sentence as the other views show it, and what it was made of.
  std::shared_ptr<const RecurrentScene> beside_;
  RecurrentPin beside_pin_;
  std::shared_ptr<const RecurrentModel<float>> beside_model_;
  SentenceChoice beside_choice_;
  ScoresChoice score_choice_;
};

// Its parts, for the drawing.
inline constexpr const char* kRaceTitle = "What one vector cannot hold";
std::string task_words(const LengthRaceOptions& options);  // "write 1 to 20 letters backwards"
std::string race_subtitle(const ShownRace& race);
const char* racer_name(Racer racer);     // "one vector"
const char* racer_meaning(Racer racer);  // a sentence
// What the task measures its sentences by.
std::string length_word(const LengthRaceOptions& options);  // "letters", "sentences in between"
std::string word_word(const LengthRaceOptions& options);    // "letter", "word"
// States that a letter of a sentence of the longest kind goes through from where it is read to where it is
// written, at most; 1 where the place that writes it looks at it directly.
int longest_way(Racer racer, const LengthRaceOptions& options);
bool is_scored(const ShownRace& race);
double share_right(const RacerState& racer);  // of all held-out sentences
// The three as drawings with their meanings, before they are trained.
void draw_models(Canvas& canvas, const Rect& content);
Point models_minimum();
Rect longest_slider(const Rect& content);    // below the three models, in either picture
inline constexpr float kModelsHeight = 476;  // of what is said of them beside the charts
// The whole picture, title included.
void draw_race(Canvas& canvas, const ShownRace& race, const Rect& area, float reserved = 0);
// How many sentences of each length each of the three writes right.
void draw_shares(Canvas& canvas, const ShownRace& race, const Rect& part);
std::vector<NumberTable> race_numbers(const ShownRace& race);
std::string alike_words(const ShownRace& race);  // a sentence where the three are equal, else nothing
std::string race_caption(const ShownRace& race);
Point race_minimum();

}  // namespace glassformer
