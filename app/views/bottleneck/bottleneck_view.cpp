#include "app/views/bottleneck/bottleneck_view.h"

#include <algorithm>

#include "app/format/number_format.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_head.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr const char* kTitle = "What one vector cannot hold";
constexpr const char* kNothing =
    "A recurrent model that hands one vector from its encoder to its decoder, the same with attention, and a "
    "Transformer learn one task on the same batches. It takes a minute or two.";
constexpr const char* kTasks[] = {"copy", "reverse"};

std::string task_words(const LengthRaceOptions& options) {
  const std::string length = "1 to " + std::to_string(options.longest) + " letters";
  return options.task == "copy" ? "write " + length + " again" : "write " + length + " backwards";
}

std::string subtitle_of(const ShownRace& race) {
  return "All three learn to " + task_words(race.options) + ", on the same batches.";
}

}  // namespace

std::unique_ptr<View> make_bottleneck_view() {
  return std::make_unique<BottleneckView>();
}

ViewTraits BottleneckView::traits() const {
  const auto race = runner_->shown();
  return {.busy = race && race->running, .state = task_};
}

void BottleneckView::picture(Canvas& canvas, const ViewInput&, const Rect& area) const {
  const auto race = runner_->shown();
  const float reserved = canvas.is_file() ? 0 : 320;
  draw_stage_title(canvas, area, kTitle, race ? subtitle_of(*race) : "", reserved);
  const Rect content = stage_content(area);
  if (!race) return draw_nothing_yet(canvas, content, "Nothing has been trained here yet", kNothing);
  if (!race->problem.empty())
    return draw_nothing_yet(canvas, content, "They could not be trained", race->problem);
  draw_race(canvas, *race, content);
}

void BottleneckView::controls(ui::Ui& ui, const ViewInput&, const Rect& area) {
  const auto race = runner_->shown();
  const bool running = race && race->running;
  const std::vector<std::string> tasks{"Copy", "Reverse"};
  const float width = ui.segmented_width(tasks), train = ui.button_width("Train the three");
  const StageHead head(ui, area, kTitle, {width + 12 + train, 32});
  int chosen = task_ == kTasks[0] ? 0 : 1;
  const Rect& control = head.control();
  if (ui.Segmented({control.right() - width, control.y, width, 32}, "Task", tasks, chosen))
    task_ = kTasks[chosen];
  const Rect button{control.x, control.y, train, 32};
  if (running) {
    if (ui.Button(button, "Stop")) runner_->stop();
    ui.ask_frame(0.1);
  } else if (ui.Button(button, "Train the three")) {
    LengthRaceOptions options;
    options.task = task_;
    runner_->start(options);
    ui.ask_frame(0);
  }
  if (race) ui.note(area, "race", running ? "running" : race->problem.empty() ? "over" : race->problem);
}

Point BottleneckView::minimum_size(const ViewInput&) const {
  return runner_->shown() ? race_minimum() : Point{480, 260};
}

bool BottleneckView::set(std::string_view control, std::string_view value) {
  if (control != "Task" || (value != "Copy" && value != "Reverse")) return false;
  task_ = value == "Copy" ? kTasks[0] : kTasks[1];
  return true;
}

std::optional<InspectorPage> BottleneckView::inspect(const ViewInput& input) const {
  if (input.shown.cell) return std::nullopt;
  InspectorPage page;
  page.caption = "Before attention";
  page.subject = "**One vector**";
  page.meaning =
      "A recurrent encoder reads word by word and keeps what it has read in one state. Without attention the "
      "decoder gets the last of them and nothing else, however long the sentence was. With attention it "
      "looks back at the states of all words. A Transformer has no states that wait for each other.";
  page.paper = "Paper, section 1";
  const auto race = runner_->shown();
  if (!race || !is_scored(*race)) return page;
  InspectorSection right{.heading = "Written right",
                         .note = format_count(race->held_out) + " held-out sentences"};
  for (int i = 0; i < kRacers; ++i) {
    const auto racer = static_cast<Racer>(i);
    const double share = share_right(race->of(racer));
    right.rows.push_back({.label = racer_name(racer), .value = format_percent(share), .share = share});
  }
  page.sections.push_back(std::move(right));
  for (int i = 0; i < kRacers; ++i) {
    const auto racer = static_cast<Racer>(i);
    page.sections.push_back({.heading = racer_name(racer), .text = racer_meaning(racer)});
  }
  return page;
}

std::vector<NumberTable> BottleneckView::numbers(const ViewInput&) const {
  const auto race = runner_->shown();
  if (!race || race->racers.front().step == 0) return {};
  NumberTable models{
      .title = "models",
      .columns = {"weights", "step", "loss", "tokens/s", "right", "steps in a row", "longest way"}};
  NumberTable lengths{.title = "share written right by letters of the sentence"};
  for (int i = 0; i < kRacers; ++i) {
    const auto racer = static_cast<Racer>(i);
    const RacerState& state = race->of(racer);
    models.rows.emplace_back(racer_name(racer));
    models.values.push_back({static_cast<double>(state.parameters), static_cast<double>(state.step),
                             state.loss, state.tokens_per_s, share_right(state),
                             static_cast<double>(race->waits[static_cast<std::size_t>(i)]),
                             static_cast<double>(longest_way(racer, race->options))});
    lengths.columns.emplace_back(racer_name(racer));
  }
  lengths.columns.emplace_back("sentences");
  for (std::size_t n = 0; is_scored(*race) && n < race->racers.front().scores.size(); ++n) {
    lengths.rows.push_back(std::to_string(n + 1));
    std::vector<double> row;
    for (const RacerState& state : race->racers) row.push_back(state.scores[n].share());
    row.push_back(static_cast<double>(race->racers.front().scores[n].pairs));
    lengths.values.push_back(std::move(row));
  }
  if (lengths.values.empty()) return {models};
  return {lengths, models};
}

std::string BottleneckView::caption(const ViewInput&) const {
  const auto race = runner_->shown();
  if (!race || !is_scored(*race))
    return "One vector, attention and a Transformer, learning one task: nothing is scored yet.";
  return "Share of held-out sentences written right, by their length, after " +
         format_count(race->of(Racer::transformer).scored_at) + " steps of learning to " +
         task_words(race->options) + ".";
}

}  // namespace glassformer
