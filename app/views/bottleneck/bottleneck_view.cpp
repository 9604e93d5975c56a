#include "app/views/bottleneck/bottleneck.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/ui/ui.h"
#include "app/views/common/page.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr const char* kNothing =
    "Train the three: they learn one task on the same batches, in a minute or two.";
constexpr const char *kTrain = "Train the three", *kResume = "Go on";
constexpr std::array<const char*, 4> kPages = {"Lengths", "Sentence", "Scores", "Own model"};
// As `--panel` names them: the curves of the first page, and the other pages.
constexpr std::array<const char*, 4> kPanels = {"three-models", "one-sentence", "scores", "own-model"};
constexpr float kModelWidth = 216, kWide = 900, kRoomy = 1100, kPagesWidth = 470;

// At the right end of a part's heading: the same in the view that is made for it.
void open_link(ui::Ui& ui, const Rect& part, const std::string& words, const char* view) {
  const float width = ui.text_width(words, 12) + 4;
  if (LinkButton(ui, {part.right() - width, part.y}, words)) ui.push(OpenView{view, "Model", "Recurrent"});
}

}  // namespace

std::unique_ptr<View> make_bottleneck_view() {
  return std::make_unique<BottleneckView>();
}

ViewTraits BottleneckView::traits() const {
  const auto race = runner_->shown();
  return {.of_recurrent = page_ == Page::own,
          .busy = race && race->running,
          .state = tasks_[static_cast<std::size_t>(task_)].name,
          .panels = {kPanels.begin(), kPanels.end()}};
}

void BottleneckView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  if (page_ == Page::own) {
    const OwnPage page = own_page(input);
    draw_stage_title(canvas, area, kOwnTitle, own_subtitle(page), canvas.is_file() ? 0 : kPagesWidth);
    return draw_own(canvas, stage_content(area), page);
  }
  const auto race = runner_->shown();
  // Of the title's row: all of it where that has no room for more than the controls.
  const float reserved = canvas.is_file()      ? 0
                         : area.width < kWide  ? area.width
                         : area.width < kRoomy ? 670.0f
                                               : 750.0f;
  if (race && race->problem.empty() && page_ == Page::lengths)
    return draw_race(canvas, *race, area, reserved);
  draw_stage_title(canvas, area, kRaceTitle, race ? race_subtitle(*race) : kNothing, reserved);
  const Rect content = stage_content(area);
  if (!race) return draw_models(canvas, content);
  if (!race->problem.empty())
    return draw_nothing_yet(canvas, content, "They could not be trained", race->problem);
  if (const auto page = sentence()) return draw_sentence(canvas, content, *page);
  if (const auto page = scores()) return draw_scores(canvas, content, *page);
  draw_nothing_yet(
      canvas, content, "No sentence yet",
      "The models are shown as they were scored last: for the first time after a tenth of the steps.");
}

// What the three have learned, or what they are; of the other pages all.
void BottleneckView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                           const Rect& area) const {
  if (name != kPanels.front()) return with_panel(*this, name)->picture(canvas, input, area);
  const auto race = runner_->shown();
  const Rect room = area.inset(kStagePadding);
  if (!race) return draw_models(canvas, room);
  if (!race->problem.empty())
    return draw_nothing_yet(canvas, room, "They could not be trained", race->problem);
  draw_shares(canvas, *race, room);
}

bool BottleneckView::open_panel(std::string_view name) {
  const auto panel = std::ranges::find(kPanels, name);
  if (panel == kPanels.end()) return false;
  page_ = static_cast<Page>(panel - kPanels.begin());
  return true;
}

std::optional<SentencePage> BottleneckView::sentence() const {
  const auto race = runner_->shown();
  if (page_ != Page::sentence || !race) return std::nullopt;
  SentenceChoice choice = choice_;
  choice.letters = std::clamp(choice.letters, race->options.shortest(), race->options.longest);
  return sentence_page(*race, choice);
}

std::optional<ScoresPage> BottleneckView::scores() const {
  const auto race = runner_->shown();
  if (page_ != Page::scores || !race) return std::nullopt;
  ScoresChoice choice = score_choice_;
  choice.letters = std::clamp(choice.letters, race->options.shortest(), race->options.longest);
  return scores_page(*race, choice);
}

void BottleneckView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  if (page_ == Page::own) return own_controls(ui, input, area);
  const auto race = runner_->shown();
  const bool running = race && race->running;
  const std::vector<std::string> tasks{"Copy", "Reverse", "Recall"};
  const std::string train_words = area.width < kRoomy ? "Train" : kTrain;
  const float width = ui.segmented_width(tasks), train = ui.button_width(train_words);
  const std::vector<std::string> pages{kPages.begin(), kPages.end()};
  const float page_width = ui.segmented_width(pages);
  // What lies over the picture is scrolled with it: before the head, which may cover it.
  if (!running && page_ == Page::lengths) longest_control(ui, stage_content(area));
  if (const auto shown = sentence()) sentence_controls(ui, stage_content(area), *shown);
  if (const auto shown = scores()) scores_controls(ui, stage_content(area), *shown);
  if (race) show_beside(ui, input, *race);
  const StageHead head(ui, area, kRaceTitle, {page_width + 12 + width + 12 + train, 32});
  const Rect& control = head.control();
  int page = static_cast<int>(page_);
  if (Segmented(ui, {control.right() - page_width, control.y, page_width, 32}, "Page", pages, page))
    page_ = static_cast<Page>(page), turn_to_top(ui);
  if (Segmented(ui, {control.right() - page_width - 12 - width, control.y, width, 32}, "Task", tasks, task_))
    ui.ask_frame(0);
  const Rect button{control.x, control.y, train, 32};
  if (running) {
    if (Button(ui, button, "Stop")) runner_->stop();
    ui.ask_frame(0.1);
  } else if (Button(ui, button, train_words, {.id = kTrain})) {
    runner_->start(next());
    ui.ask_frame(0);
  }
  if (race) ui.note(area, "race", running ? "running" : race->problem.empty() ? "over" : race->problem);
}

// A model is made in New model, and stopped here; one that was stopped is resumed.
void BottleneckView::own_controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const OwnPage page = own_page(input);
  const bool learns = page.state && (page.state->running || page.state->preparing);
  const bool resumable = page.state && page.state->can_resume();
  const std::string words = learns ? "Stop" : resumable ? "New model…" : "New recurrent model…";
  const std::vector<std::string> pages{kPages.begin(), kPages.end()};
  const float width = ui.segmented_width(pages), button = ui.button_width(words),
              resume_width = resumable ? ui.button_width(kResume) + 8 : 0;
  if (page.scene() != nullptr) {
    if (!input.recurrent.own)
      ui.push(ShowRecurrent{.scene = page.reading->scene, .pin = input.recurrent.pin, .own = true});
    const OwnLayout at = layout_own(stage_content(area));
    if (page.scene()->attends()) open_link(ui, at.looks, "Attention view", "attention");
    open_link(ui, at.states, "One cell", "cell");
  }
  const StageHead head(ui, area, kOwnTitle, {resume_width + button + 12 + width, 32});
  const Rect& control = head.control();
  int chosen = static_cast<int>(page_);
  if (Segmented(ui, {control.right() - width, control.y, width, 32}, "Page", pages, chosen))
    page_ = static_cast<Page>(chosen), turn_to_top(ui);
  if (resumable && Button(ui, {control.x, control.y, resume_width - 8, 32}, kResume))
    ui.push(ResumeRecurrent{});
  if (Button(ui, {control.x + resume_width, control.y, button, 32}, words)) {
    if (learns)
      ui.push(StopRecurrent{});
    else
      ui.push(OpenDialog{"new recurrent model"});
  }
}

// The sentence of the Sentence page, for the views that show one: as soon as its model is there, and when
// another is chosen.
void BottleneckView::show_beside(ui::Ui& ui, const ViewInput& input, const ShownRace& race) {
  const auto& model = choice_.racer == Racer::attention ? race.attention : race.one_vector;
  if (!model) return;
  if (beside_model_ != model || beside_choice_ != choice_) {
    beside_model_ = model;
    beside_choice_ = choice_;
    SentenceChoice choice = choice_;
    choice.letters = std::clamp(choice.letters, race.options.shortest(), race.options.longest);
    const auto page = sentence_page(race, choice);
    beside_ = page ? page->scene : nullptr;
    if (page) beside_pin_ = page->pin();
  }
  if (beside_ && input.recurrent.scene != beside_) ui.push(ShowRecurrent{beside_, beside_pin_});
}

LengthRaceOptions BottleneckView::next() const {
  const Task& task = tasks_[static_cast<std::size_t>(task_)];
  return {.task = task.name, .longest = task.longest, .width = width_.value_or(race_width(task.name))};
}

// How far the next training goes, and how many numbers a state, or the one vector, has.
void BottleneckView::longest_control(ui::Ui& ui, const Rect& content) {
  const Rect line = longest_slider(content);
  int& longest = tasks_[static_cast<std::size_t>(task_)].longest;
  double value = longest;
  ui.canvas().text({line.x, line.y + 6},
                   "Train with up to " + std::to_string(longest) + " " +
                       (next().task == std::string("recall") ? "sentences in between" : "letters"),
                   caption_style(ui.canvas()));
  if (Slider(ui, {line.x, line.y + 14, line.width, 24}, "Longest", value,
             {.minimum = 4, .maximum = 40, .step = 1}))
    longest = static_cast<int>(std::lround(value));
  const std::vector<std::string> widths = [] {
    std::vector<std::string> words;
    for (const int width : kRaceWidths) words.push_back(std::to_string(width));
    return words;
  }();
  // Beside the slider, or, where the charts are, over it in their column.
  const bool charts = runner_->shown() != nullptr;
  const std::string words = charts ? "vector of" : "numbers in a vector";
  const float control = ui.segmented_width(widths), label = ui.text_width(words, 12) + 10;
  const float x = charts ? line.x + label : line.x - 32 - control, y = charts ? line.y - 36 : line.y + 4;
  if (charts ? y < content.y + kModelsHeight : x - label < content.x) return;
  ui.canvas().text({x - label, y + 16}, words, caption_style(ui.canvas()));
  int chosen = static_cast<int>(std::ranges::find(kRaceWidths, next().width) - kRaceWidths.begin());
  if (Segmented(ui, {x, y, control, 32}, "Width", widths, chosen))
    width_ = kRaceWidths[static_cast<std::size_t>(chosen)];
}

// Over the picture: which model, how long a sentence, which number; a click on the map chooses it as well.
void BottleneckView::sentence_controls(ui::Ui& ui, const Rect& content, const SentencePage& page) {
  const SentenceLayout at = layout_sentence(ui.canvas(), content, page);
  const auto words = static_cast<double>(page.scene->reads.size()), units = static_cast<double>(page.width());
  const auto race = runner_->shown();
  double letters = page.choice.letters, word = page.choice.word, unit = page.choice.unit;
  Rect line = sentence_sliders(content);
  const float width = (line.width - 2 * 16 - kModelWidth) / 3;
  int model = choice_.racer == Racer::one_vector ? 0 : 1;
  if (Segmented(ui, {line.x, line.y, kModelWidth - 16, 32}, "Model", {"One vector", "With attention"}, model))
    choice_.racer = model == 0 ? Racer::one_vector : Racer::attention;
  float x = line.x + kModelWidth;
  const auto slider = [&](const char* name, const std::string& now, double& value, double least,
                          double most) {
    ui.canvas().text({x, line.y + 6}, name + (" " + now), caption_style(ui.canvas()));
    const bool moved =
        Slider(ui, {x, line.y + 12, width, 24}, name, value, {.minimum = least, .maximum = most, .step = 1});
    x += width + 16;
    return moved;
  };
  const bool recall = race->options.task == "recall";
  if (slider(recall ? "In between" : "Letters", std::to_string(page.choice.letters), letters,
             race->options.shortest(), race->options.longest))
    choice_.letters = static_cast<int>(std::lround(letters));
  if (slider(recall ? "Behind word" : "Behind letter",
             std::to_string(page.choice.word + 1) + ", “" +
                 page.scene->reads[static_cast<std::size_t>(page.choice.word)] + "”",
             word, 0, words - 1))
    choice_.word = static_cast<int>(std::lround(word));
  if (slider("Unit", std::to_string(page.choice.unit), unit, 0, units - 1))
    choice_.unit = static_cast<int>(std::lround(unit));
  const ui::Response map = ui.area(at.cells, "states", "grid", false);
  if (const auto mouse = ui.mouse(); mouse && map.clicked) {
    choice_.word = static_cast<int>((mouse->y - at.cells.y) / at.cells.height * static_cast<float>(words));
    choice_.unit = static_cast<int>((mouse->x - at.cells.x) / at.cells.width * static_cast<float>(units));
  }
  ui.note(at.gates, "gates", gate_lines(page).back());
  if (page.scene->attends()) open_link(ui, at.side, "Attention view", "attention");
  open_link(ui, at.gates, "One cell", "cell");
}

// Over the picture: how long a sentence, which of its words is being written, which head.
void BottleneckView::scores_controls(ui::Ui& ui, const Rect& content, const ScoresPage& page) {
  const auto race = runner_->shown();
  const bool recall = race->options.task == "recall";
  const Rect line = sentence_sliders(content);
  const float width = (line.width - 2 * 16) / 3;
  const auto slider = [&](int at, const char* name, const std::string& now, int& value, int least, int most) {
    const float x = line.x + static_cast<float>(at) * (width + 16);
    ui.canvas().text({x, line.y + 6}, name + (" " + now), caption_style(ui.canvas()));
    double moved = value;
    if (Slider(ui, {x, line.y + 12, width, 24}, name, moved,
               {.minimum = static_cast<double>(least), .maximum = static_cast<double>(most), .step = 1}))
      value = static_cast<int>(std::lround(moved));
  };
  score_choice_ = page.choice;
  const std::string written = page.writes[static_cast<std::size_t>(page.choice.step)];
  slider(0, recall ? "In between" : "Letters", std::to_string(page.choice.letters), score_choice_.letters,
         race->options.shortest(), race->options.longest);
  slider(1, "Writes", std::to_string(page.choice.step + 1) + ", “" + written + "”", score_choice_.step, 0,
         static_cast<int>(page.writes.size()) - 1);
  slider(2, "Head", std::to_string(page.choice.head + 1), score_choice_.head, 0, page.heads - 1);
}

Point BottleneckView::minimum_size(const ViewInput&) const {
  if (page_ == Page::own) return own_minimum();
  if (!runner_->shown()) return models_minimum();
  return page_ == Page::sentence ? sentence_minimum()
         : page_ == Page::scores ? scores_minimum()
                                 : race_minimum();
}

bool BottleneckView::set(std::string_view control, std::string_view value) {
  if (control == "Page") {
    const auto page = std::ranges::find(kPages, value);
    if (page == kPages.end()) return false;
    page_ = static_cast<Page>(page - kPages.begin());
    return true;
  }
  if (control == "Width") {
    const auto width = std::ranges::find(kRaceWidths, value, [](int each) { return std::to_string(each); });
    if (width == kRaceWidths.end()) return false;
    width_ = *width;
    return true;
  }
  if (control != "Task") return false;
  constexpr std::array<std::string_view, 3> kTitles = {"Copy", "Reverse", "Recall"};
  const auto title = std::ranges::find(kTitles, value);
  if (title == kTitles.end()) return false;
  task_ = static_cast<int>(title - kTitles.begin());
  return true;
}

std::optional<InspectorPage> BottleneckView::inspect(const ViewInput& input) const {
  if (input.shown.cell) return std::nullopt;
  if (page_ == Page::own) return own_inspector_page(own_page(input));
  InspectorPage page;
  page.caption = "Before attention";
  page.subject = "**One vector**";
  page.meaning =
      "A recurrent encoder reads word by word and keeps what it has read in one state. Without attention the "
      "decoder gets the last of them and nothing else, however long the sentence was. With attention it "
      "looks back at the states of all words. In a Transformer no state of the "
      "sentence read waits for another; only when it writes does each word wait for the one before.";
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
  right.text = alike_words(*race);
  page.sections.push_back(std::move(right));
  page.sections.push_back(closer_ways(choice_.racer == Racer::attention));
  for (int i = 0; i < kRacers; ++i) {
    const auto racer = static_cast<Racer>(i);
    page.sections.push_back({.heading = racer_name(racer), .text = racer_meaning(racer)});
  }
  return page;
}

std::vector<NumberTable> race_numbers(const ShownRace& race) {
  if (race.racers.front().step == 0) return {};
  NumberTable models{
      .title = "models",
      .columns = {"weights", "step", "loss", "tokens/s", "right", "steps in a row", "longest way"}};
  NumberTable lengths{.title = "share written right by " + length_word(race.options)};
  for (int i = 0; i < kRacers; ++i) {
    const auto racer = static_cast<Racer>(i);
    const RacerState& state = race.of(racer);
    models.rows.emplace_back(racer_name(racer));
    models.values.push_back({static_cast<double>(state.parameters), static_cast<double>(state.step),
                             state.loss, state.tokens_per_s, share_right(state),
                             static_cast<double>(race.waits[static_cast<std::size_t>(i)]),
                             static_cast<double>(longest_way(racer, race.options))});
    lengths.columns.emplace_back(racer_name(racer));
  }
  lengths.columns.emplace_back("sentences");
  for (std::size_t n = 0; is_scored(race) && n < race.racers.front().scores.size(); ++n) {
    lengths.rows.push_back(std::to_string(race.racers.front().scores[n].words));
    std::vector<double> row;
    for (const RacerState& state : race.racers) row.push_back(state.scores[n].share());
    row.push_back(static_cast<double>(race.racers.front().scores[n].pairs));
    lengths.values.push_back(std::move(row));
  }
  if (lengths.values.empty()) return {models};
  return {lengths, models};
}

std::vector<NumberTable> BottleneckView::numbers(const ViewInput& input) const {
  if (page_ == Page::own) return own_numbers(own_page(input));
  if (const auto page = sentence()) return sentence_numbers(*page);
  if (const auto page = scores()) return scores_numbers(*page);
  const auto race = runner_->shown();
  return race ? race_numbers(*race) : std::vector<NumberTable>();
}

std::string BottleneckView::caption(const ViewInput& input) const {
  if (page_ == Page::own) return own_caption(own_page(input));
  if (const auto page = sentence()) return sentence_caption(*page);
  if (const auto page = scores()) return scores_caption(*page);
  const auto race = runner_->shown();
  return race_caption(race ? *race : ShownRace());
}

}  // namespace glassformer
