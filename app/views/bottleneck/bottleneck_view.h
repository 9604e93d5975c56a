// Before attention: what one vector between encoder and decoder cannot hold. Three models learn the same task
// on the same batches, and how well each writes sentences of each length is drawn while they do.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/views/bottleneck/own_page.h"
#include "app/views/bottleneck/race_runner.h"
#include "app/views/bottleneck/scores_page.h"
#include "app/views/bottleneck/sentence_page.h"
#include "app/views/common/view.h"

namespace glassformer {

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
inline constexpr float kModelsHeight = 476;  // of what is told of them beside the charts
// The whole picture, title included.
void draw_race(Canvas& canvas, const ShownRace& race, const Rect& area, float reserved = 0);
// How many sentences of each length each of the three writes right.
void draw_shares(Canvas& canvas, const ShownRace& race, const Rect& part);
std::vector<NumberTable> race_numbers(const ShownRace& race);
std::string alike_words(const ShownRace& race);  // a sentence where the three are equal, else nothing
std::string race_caption(const ShownRace& race);
Point race_minimum();

}  // namespace glassformer
