#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/ui/ui.h"
#include "app/views/studies/studies.h"
#include "engine/math/error.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr float kChoice = 220, kSwitch = 160, kLeastRow = 28;
constexpr float kReach = 10;  // from the mouse to the dot that it means

StudyEntry entry_of(const std::string& file) {
  StudyEntry entry{.title = std::filesystem::path(file).stem().string()};
  entry.kept.file = file;
  try {
    entry.kept.study = read_study(file);
    entry.title = entry.kept.study.title;
    entry.kept = kept_study(file);
  } catch (const std::exception& error) {
    entry.problem = error.what();
    if (!entry.problem.ends_with('.')) entry.problem += '.';
  }
  if (!entry.readable()) return entry;
  const Study& study = entry.kept.study;
  for (const StudyRule& rule : study.rules) entry.rules.push_back(rule_result(study, entry.kept.runs, rule));
  for (std::size_t measure = 0; measure < study.measures.size(); ++measure) {
    auto& means = entry.means.emplace_back();
    for (std::size_t setting = 0; setting < study.sweep.settings.size(); ++setting)
      means.push_back(study_mean(entry.kept.runs, {measure, setting}));
  }
  entry.verdict = study_verdict(study, entry.kept.runs);
  look_here(entry);
  return entry;
}

struct StudiesState {
  std::string folder;  // empty: those that come with the program
  std::shared_ptr<Background<std::string, StudyList>> list =
      std::make_shared<Background<std::string, StudyList>>();
  int chosen = 0;
  std::optional<int> measure;  // nothing: that of the first verdict
  std::optional<std::size_t> hovered;
  float stage = 0;
  std::shared_ptr<StudyWork> work = std::make_shared<StudyWork>();

  StudyScene scene() {
    StudyScene scene{.all = list->get(folder, true, [of = folder] { return read_studies(of); }).value,
                     .hovered = hovered,
                     .stage = stage};
    scene.chosen = std::min(static_cast<std::size_t>(chosen), scene.all->size() - 1);
    if (scene.entry().readable())
      scene.measure = measure
                          ? std::min(static_cast<std::size_t>(*measure), scene.study().measures.size() - 1)
                          : scene.study().rules.front().shown_first();
    if (hovered && (!scene.entry().readable() || *hovered >= scene.dots().size())) scene.hovered.reset();
    return scene;
  }
  // The study or the measure, by their words.
  bool set(std::string_view control, std::string_view value) {
    if (control == kStudiesFolder) {
      folder = value;
      chosen = 0;
      measure.reset();
      return true;
    }
    const StudyScene now = scene();
    const auto at = [&](const auto& range, auto name) {
      return static_cast<int>(std::ranges::find(range, value, name) - range.begin());
    };
    const bool of_study = control == "Study";
    if (!of_study && control != "Measure") return false;
    const auto& measures = now.study().measures;
    int found = of_study ? at(*now.all, &StudyEntry::title) : at(measures, &StudyMeasure::words);
    if (!of_study && found == std::ssize(measures)) found = at(measures, &StudyMeasure::about);
    if (found == (of_study ? std::ssize(*now.all) : std::ssize(measures))) return false;
    if (of_study)
      chosen = found, measure.reset();
    else
      measure = found;
    hovered.reset();
    return true;
  }
};

// What both pages have: the study is chosen in the title's row, and its claim is above.
class StudyPage : public PageOf<StudyScene> {
 public:
  explicit StudyPage(std::shared_ptr<StudiesState> state) : state_(std::move(state)) {}
  std::optional<StudyScene> scene(const ViewInput&, Wait) const override { return state_->scene(); }
  ViewPlace place(const ViewInput&) const override { return {.path = {"Training", "Studies"}}; }
  ViewTraits traits() const override {
    std::string text = "study " + std::to_string(state_->chosen + 1);
    if (state_->measure) text += ", measure " + std::to_string(*state_->measure + 1);
    if (state_->hovered) text += ", run " + std::to_string(*state_->hovered + 1);
    return {.state = text, .numbers_from = state_->scene().entry().kept.run_command()};
  }
  PageWords words_of(const ViewInput&, const StudyScene* scene) const override {
    return {.title = "Is it so? What tutorials claim, measured",
            .short_title = "Is it so?",
            .caption = caption_of(*scene),
            .whole_from = 840};
  }
  float head_width(float stage) const override { return std::min(kChoice, stage - 380); }
  void head_control(ui::Ui& ui, const ViewInput&, const Rect& place) override {
    std::vector<std::string> titles;
    for (const StudyEntry& entry : *state_->scene().all) titles.push_back(entry.title);
    if (int chosen = state_->chosen; Combo(ui, place, "Study", titles, chosen))
      state_->set("Study", titles[static_cast<std::size_t>(chosen)]);
  }
  void draw_scene(Canvas& canvas, const Rect& area, const StudyScene& scene) const override {
    if (!scene.entry().readable())
      return draw_nothing_yet(canvas, stage_content(area), scene.entry().title, without_figure(scene));
    draw_study_head(canvas, area, scene);
    const StudyLayout at = layout_study(canvas, area, scene);
    if (scene.entry().run()) return draw_results(canvas, at, scene);
    const Rect rest{at.heading.x, at.heading.y, at.heading.width, at.figure.bottom() - at.heading.y};
    draw_nothing_yet(canvas, rest, scene.entry().problem.empty() ? "Not run yet" : "No results",
                     without_figure(scene));
  }
  Point minimum_of(const StudyScene& scene) const override {
    if (!scene.entry().run()) return {560, 400};
    const float width = std::max(560.0f, least_width(scene)), stage = std::max(width, scene.stage);
    const float rows = least_rows(scene) + 1;
    return {width,
            std::max(400.0f, study_head_height(scene, stage) + rows * least_row() + 24 + kRunRow + 12)};
  }
  void controls_of(ui::Ui& ui, const Rect& area, const StudyScene& scene) override {
    state_->stage = ui.scroll.seen(area).width;
    if (!scene.entry().readable()) return;
    const Rect content = stage_content(area, false);
    if (run_controls(ui, {content.x, content.bottom() - kRunRow, content.width, kRunRow}, scene,
                     *state_->work))
      state_->list = std::make_shared<Background<std::string, StudyList>>();
  }
  std::optional<InspectorPage> inspect_scene(const StudyScene& scene) const override;

 protected:
  virtual void draw_results(Canvas& canvas, const StudyLayout& at, const StudyScene& scene) const = 0;
  virtual std::string results_words(const StudyScene& scene) const = 0;
  virtual float least_row() const = 0;
  virtual float least_rows(const StudyScene& scene) const = 0;
  virtual float least_width(const StudyScene&) const { return 560; }

  std::string caption_of(const StudyScene& scene) const {
    if (!scene.entry().readable()) return scene.entry().title + ": " + without_figure(scene);
    return titled(scene.study()) + " “" + scene.study().claim + "” " + results_words(scene);
  }
  static std::string without_figure(const StudyScene& scene) {
    if (!scene.entry().problem.empty()) return scene.entry().problem;
    if (!scene.entry().cannot_run.empty()) return scene.entry().cannot_run;
    const Sweep& sweep = scene.study().sweep;
    return format_count(std::ssize(sweep.settings)) + " settings, each with " +
           format_count(std::ssize(sweep.seeds)) + " seeds, are to be trained. The command “" +
           scene.entry().kept.run_command() + "” does it.";
  }
  std::vector<std::string> said_first(const StudyScene& scene) const {
    if (!scene.entry().readable()) return {};
    std::vector<std::string> all{"Source: " + scene.study().source, expectation_words(scene.study())};
    for (const RuleResult& rule : scene.entry().rules) all.push_back(rule.sentence);
    all.push_back("Verdict: " + verdict_words(scene.entry().verdict));
    return all;
  }

  std::shared_ptr<StudiesState> state_;
};

std::optional<InspectorPage> StudyPage::inspect_scene(const StudyScene& scene) const {
  InspectorPage page{.caption = "Study", .subject = "**" + scene.entry().title + "**"};
  if (!scene.entry().readable()) return page;
  const std::vector<StudyRun>& runs = scene.entry().kept.runs;
  if (scene.hovered) {
    const StudyDot dot = scene.dots()[*scene.hovered];
    const StudyRun& run = runs[dot.run];
    page.caption = "One run";
    page.subject = "**" + scene.bands()[dot.band].name + "**, seed " + std::to_string(run.seed);
    page.value = scene.number(dot.value);
    page.name = scene.words();
    InspectorSection about{.heading = "The run",
                           .rows = {{.label = "steps", .value = format_count(run.steps)},
                                    {.label = "trained for", .value = format_duration(run.seconds)}},
                           .text = "On " + run.processor + ", by version " + run.version + "."};
    page.sections.push_back(std::move(about));
  } else {
    const double seconds = training_seconds(scene.study(), runs);
    page.value = verdict_words(scene.entry().verdict);
    page.sections.push_back(
        {.heading = "What was run",
         .rows = {{.label = "settings", .value = format_count(std::ssize(scene.study().sweep.settings))},
                  {.label = "runs", .value = format_count(std::ssize(runs))},
                  {.label = "training, one by one",
                   .value = runs.empty() ? "–" : "about " + format_duration(seconds)}},
         .text = "Trained with " + common_options(scene.study().sweep) + "."});
  }
  if (!scene.shown().meaning.empty())
    page.sections.push_back({.heading = "What is measured", .text = scene.shown().meaning});
  page.meaning =
      "A dot is what one run came to, each from another seed. The line is their mean, the band its 95 % "
      "interval (Student’s t). A verdict holds where the 95 % interval of the difference, paired by seed, "
      "lies "
      "wholly where the claim wants it.";
  return page;
}

class FigurePage : public StudyPage {
 public:
  using StudyPage::StudyPage;
  PageLabels names() const override { return {.label = "Figure", .parts = {"dots"}}; }
  void draw_part(std::string_view, Canvas& canvas, const Rect& area, const StudyScene& scene) const override {
    const Rect inner = area.inset(kStagePadding);
    if (!scene.entry().run())
      return draw_nothing_yet(canvas, inner, scene.entry().title, without_figure(scene));
    const Rect below = draw_heading(canvas, inner, titled(scene.study()) + " " + scene.words(),
                                    {.note = verdict_words(scene.entry().verdict)});
    draw_study_part(canvas, {below.x, below.y - 8, below.width, below.height + 8}, scene);
  }
  void controls_of(ui::Ui& ui, const Rect& area, const StudyScene& scene) override;
  PageContent describe_scene(const StudyScene& scene) const override;

 protected:
  void pick_dot(ui::Ui& ui, const Rect& area, const StudyScene& scene);
  void choose_measure(ui::Ui& ui, const Rect& area, const StudyScene& scene);
  void draw_results(Canvas& canvas, const StudyLayout& at, const StudyScene& scene) const override {
    draw_heading(canvas, at.heading, heading_of(scene),
                 {.note = "one dot per seed, with their mean and its 95 % interval",
                  .note_right = false,
                  .reserved = canvas.is_file() ? 0 : choice_width(scene) + 12});
    draw_study_dots(canvas, at.figure, scene);
  }
  std::string results_words(const StudyScene& scene) const override {
    if (!scene.entry().run()) return without_figure(scene);
    const bool single = scene.study().sweep.settings.size() == 1;
    return capitalized(scene.words()) + (single ? "" : " of each setting") +
           ": one dot per seed, with their mean and its 95 % interval.";
  }
  float least_row() const override { return kLeastPitch; }
  float least_rows(const StudyScene& scene) const override {
    return static_cast<float>(scene.bands().size());
  }
  static std::string heading_of(const StudyScene& scene) {
    return capitalized(scene.words()) + (scene.shown().unit.empty() ? "" : ", " + scene.shown().unit);
  }
  static float choice_width(const StudyScene& scene) {
    return study_pictures(scene.study()).size() > 1 ? kChoice : 0;
  }
};

void FigurePage::controls_of(ui::Ui& ui, const Rect& area, const StudyScene& scene) {
  state_->hovered.reset();
  if (scene.entry().run()) pick_dot(ui, area, scene), choose_measure(ui, area, scene);
  StudyPage::controls_of(ui, area, scene);
}

void FigurePage::pick_dot(ui::Ui& ui, const Rect& area, const StudyScene& scene) {
  const StudyLayout at = layout_study(ui.canvas(), area, scene);
  const DotLayout dots = layout_dots(ui.canvas(), at.figure, scene);
  const auto point = ui.plane(dots.plot, "study dots", "text").at;
  float nearest = kReach;
  const std::vector<StudyDot> all = scene.dots();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto place = dot_place(dots, scene, all[i]);
    if (!place) continue;
    const std::string words = scene.dot_words(all[i]);
    ui.note({place->x - 4, place->y - 2, 8, 4}, "dot " + words.substr(0, words.rfind(':')),
            scene.number(all[i].value));
    if (!point) continue;
    const float away = std::hypot(point->x - place->x, point->y - place->y);
    if (away < nearest) nearest = away, state_->hovered = i;
  }
}

void FigurePage::choose_measure(ui::Ui& ui, const Rect& area, const StudyScene& scene) {
  if (choice_width(scene) == 0) return;
  const StudyLayout at = layout_study(ui.canvas(), area, scene);
  std::vector<std::string> names;
  int chosen = 0;
  const std::vector<std::size_t> pictures = study_pictures(scene.study());
  for (const std::size_t picture : pictures) {
    names.push_back(picture_words(scene.study(), picture));
    if (names.back() == scene.words()) chosen = static_cast<int>(names.size()) - 1;
  }
  const float width = choice_width(scene);
  if (Combo(ui, {at.heading.right() - width, at.heading.y - 4, width, 28}, "Measure", names, chosen))
    state_->measure = static_cast<int>(pictures[static_cast<std::size_t>(chosen)]);
}

PageContent FigurePage::describe_scene(const StudyScene& scene) const {
  PageContent content{.sentences = said_first(scene)};
  if (!scene.entry().run()) return content;
  const Study& study = scene.study();
  NumberTable means{.title = scene.words() + ", over seeds",
                    .columns = {"mean", "low end of 95 %", "high end", "seeds"}};
  for (const StudyBand& band : scene.bands()) {
    const StudyMean& mean = scene.mean(band);
    means.rows.push_back(band.name);
    means.values.push_back({mean.value.mean, mean.low, mean.high, static_cast<double>(mean.value.count)});
  }
  NumberTable runs{.title = "runs"};
  for (const StudyMeasure& measure : study.measures) runs.columns.push_back(measure_words(measure));
  for (const StudyRun& run : scene.entry().kept.runs) {
    runs.rows.push_back(study.sweep.settings[run.setting].name + ", seed " + std::to_string(run.seed));
    runs.values.push_back(run.figures);
  }
  content.tables = {std::move(means), std::move(runs)};
  return content;
}

class TablePage : public StudyPage {
 public:
  using StudyPage::StudyPage;
  PageLabels names() const override { return {.label = "Table", .panel = "table"}; }
  PageContent describe_scene(const StudyScene& scene) const override {
    PageContent content{.sentences = said_first(scene)};
    if (!scene.entry().run()) return content;
    NumberTable table{.title = "mean and deviation over seeds"};
    const Study& study = scene.study();
    const bool single = study.sweep.settings.size() == 1;
    for (std::size_t i = 0; i < (single ? 1 : study.measures.size()); ++i)
      for (const char* const what : {"mean", "deviation"})
        table.columns.push_back((single ? "" : measure_words(study.measures[i]) + ", ") + what);
    const auto add_to = [&](std::vector<double>& values, const StudyMean& mean) {
      values.push_back(mean.value.mean);
      values.push_back(mean.value.deviation);
    };
    for (std::size_t row = 0; row < (single ? study.measures.size() : study.sweep.settings.size()); ++row) {
      table.rows.push_back(single ? measure_words(study.measures[row]) : study.sweep.settings[row].name);
      std::vector<double>& values = table.values.emplace_back();
      for (std::size_t i = 0; i < (single ? 1 : study.measures.size()); ++i)
        add_to(values, single ? scene.entry().means[row][0] : scene.entry().means[i][row]);
    }
    content.tables = {std::move(table)};
    return content;
  }

 protected:
  void draw_results(Canvas& canvas, const StudyLayout& at, const StudyScene& scene) const override {
    draw_heading(canvas, at.heading, "Mean ± deviation over seeds");
    draw_study_table(canvas, at.figure, scene);
  }
  std::string results_words(const StudyScene& scene) const override {
    return scene.entry().run() ? "Mean and deviation over seeds of all that was measured."
                               : "There is no table yet. " + without_figure(scene);
  }
  float least_row() const override { return kLeastRow; }
  float least_rows(const StudyScene& scene) const override {
    const Study& study = scene.study();
    return static_cast<float>(study.sweep.settings.size() == 1 ? study.measures.size()
                                                               : study.sweep.settings.size());
  }
  float least_width(const StudyScene& scene) const override {
    return study_table_width(scene) + 2 * kStagePadding;
  }
};

std::vector<std::unique_ptr<Page>> pages_of(const std::shared_ptr<StudiesState>& state) {
  std::vector<std::unique_ptr<Page>> pages;
  pages.push_back(std::make_unique<FigurePage>(state));
  pages.push_back(std::make_unique<TablePage>(state));
  return pages;
}

class StudiesView : public ViewOfPages<StudiesState> {
 public:
  StudiesView() : ViewOfPages({.label = "Studies page", .most_width = kSwitch}, pages_of) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<StudiesView>(*this); }
  bool set(std::string_view control, std::string_view value) override {
    return PagedView::set(control, value) || state().set(control, value);
  }
  bool show_like(const View&) override { return false; }  // of no model, so there is no second one
};

}  // namespace

StudyList read_studies(const std::string& folder) {
  StudyList list;
  try {
    for (const std::string& file : folder.empty() ? study_files() : study_files(folder))
      list.push_back(entry_of(file));
    if (list.empty()) list.push_back({.title = "No study", .problem = "There is none in " + folder + "."});
  } catch (const std::exception& error) {
    list.push_back({.title = "No study", .problem = error.what() + std::string(".")});
  }
  return list;
}

std::unique_ptr<View> make_studies_view() {
  return std::make_unique<StudiesView>();
}

}  // namespace glassformer
