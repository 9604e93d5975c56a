#include <cmath>
#include <filesystem>

#include "app/panels/find.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/menus.h"
#include "app/panels/top_bar.h"
#include "app/panels/train_words.h"
#include "engine/train/presets.h"

namespace glassformer {

using ui::MenuItem;

namespace {

std::string short_folder(const std::string& path) {
  const std::filesystem::path p(path);
  return p.filename().empty() ? p.parent_path().filename().string() : p.filename().string();
}

// The dummy run of the tutorials: a model of ten words that has learned nothing, on a sentence like "2 5 3".
NewRun ten_symbols() {
  const std::string task = toy_task_name(ToyTask::symbols);
  NewRun run;
  run.config = suggested_config(task, preset("nano"));
  run.training = suggested_options(task, run.config, preset("nano"));
  run.data.training.task = task;
  return run;
}

}  // namespace

std::vector<MenuItem> file_menu(const PanelInput& in) {
  Session& session = in.session;
  const bool has_picture = in.result != nullptr;
  const NamedSession& named = in.named;
  std::vector<MenuItem> items{
      {.label = "New model…", .command = OpenDialog{"new model"}},
      {.label = "Ten symbols, untrained", .command = ten_symbols()},
      {.label = "Open model…", .keys = "Ctrl+O", .command = OpenDialog{"open model"}},
      {.label = "Open a model from elsewhere…", .command = OpenDialog{"open elsewhere"}},
      {.label = "Open corpus…", .command = OpenDialog{"open corpus"}},
      {.label = "Save model…", .command = OpenDialog{"save model"}, .enabled = session.snapshot() != nullptr},
      {.label = "Save figure…", .keys = "S", .command = OpenDialog{"save figure"}, .enabled = has_picture},
      {.label = "Report…", .keys = "Ctrl+R", .command = OpenDialog{"report"}, .enabled = has_picture},
      {.label = "Open session…",
       .keys = "Ctrl+Shift+O",
       .command = OpenDialog{"open session"},
       .divider = true},
      {.label = "Save session",
       .keys = "Ctrl+S",
       .enabled = has_picture,
       .note = named.changed ? named.name + ", changed" : named.name},
      {.label = "Save session as…", .enabled = has_picture},
      {.label = "Copy link text", .keys = "Ctrl+Shift+C", .enabled = has_picture},
      {.label = "Back to what was", .enabled = named.can_go_back},
      {.label = "The bundled model", .command = OpenModel{}, .divider = true}};
  for (const std::string& model : session.settings().recent_models)
    if (items.size() < 16)
      items.push_back({.label = short_folder(model), .command = OpenModel{model}, .note = model});
  items.push_back({.label = "Quit", .keys = "Ctrl+Q", .divider = true});
  return items;
}

std::vector<MenuItem> model_menu(Session& session) {
  const bool open = session.snapshot() != nullptr, training = session.training();
  const bool preparing = session.run().phase == RunPhase::preparing, begins = open && !preparing;
  const bool known = begins && session.recipe().has_value();
  const std::string unknown =
      preparing ? "when the data are prepared" : "nobody knows what it was trained on";
  std::vector<MenuItem> items{
      preparing ? MenuItem{.label = "Cancel preparing the data", .command = CancelPreparing{}}
                : MenuItem{.label = training ? "Pause training" : "Continue training",
                           .keys = "T",
                           .command = training ? Command(PauseTraining{}) : Command(Train{}),
                           .enabled = session.train_would() != TrainWould::nothing,
                           .note = train_words(session).menu},
      {.label = "One step",
       .keys = "N",
       .command = TrainOneStep{},
       .enabled = begins && !training && session.train_would() != TrainWould::nothing},
      {.label = "Change one thing…",
       .command = OpenDialog{"change one thing"},
       .enabled = known,
       .divider = true,
       .note = known ? "rate, dropout, masks, norm, heads: here, in a copy, or beside it" : unknown},
      {.label = "Start over…",
       .command = OpenDialog{"start over"},
       .enabled = known,
       .divider = true,
       .note = known ? "from random weights, by the same recipe; what you have is kept" : unknown}};
  for (const RunBeside* const each : session.beside())
    if (each->run.phase != RunPhase::stopped)
      items.push_back({.label = "End the variant “" + each->title() + "”", .command = EndVariant{each->id}});
  const std::vector<MenuItem> more{
      {.label = "Runs…", .command = OpenDialog{"runs"}, .divider = true},
      session.compared() ? MenuItem{.label = "Stop comparing", .keys = "C", .command = StopComparing{}}
                         : MenuItem{.label = "Compare with…",
                                    .keys = "C",
                                    .command = OpenDialog{"compare"},
                                    .enabled = open},
      {.label = "Undo the last change",
       .keys = "Ctrl+Z",
       .command = Undo{},
       .enabled = session.can_undo(),
       .divider = true},
      {.label = "Redo", .keys = "Ctrl+Shift+Z", .command = Redo{}, .enabled = session.can_redo()},
      {.label = "Copy the matrix", .keys = "Ctrl+C", .enabled = open, .divider = true},
      {.label = "Copy the sentence", .enabled = open},
      {.label = "Copy the formula", .enabled = open}};
  items.insert(items.end(), more.begin(), more.end());
  return items;
}

std::vector<MenuItem> window_menu(const PanelInput& in) {
  std::vector<MenuItem> items;
  const Layout& layout = in.layout;
  const bool map = layout.map_place == MapPlace::rail || layout.map_place == MapPlace::hidden;
  if (map) items.push_back({.label = "Map over the stage", .keys = "M"});
  if (layout.inspector_place != InspectorPlace::column) items.push_back({.label = "Inspector", .keys = "I"});
  if (in.lessons.taken() == nullptr)
    items.push_back({.label = layout.panels.quiet ? "Whole window" : "First screen", .keys = "F2"});
  items.push_back({.label = "In words", .keys = "Ctrl+D", .command = OpenDialog{"describe"}});
  items.push_back({.label = "Lecture mode", .keys = "F5"});
  items.push_back({.label = "Dark", .checked = in.theme.dark, .divider = true});
  items.push_back({.label = "No motion", .checked = in.session.settings().reduced_motion});
  for (const double s : kScales)
    items.push_back({.label = "Text " + std::to_string(static_cast<int>(s * 100)) + " %",
                     .checked = s == in.scale,
                     .divider = s == kScales[0]});
  return items;
}

// A tick is done, a dot the one that is open.
std::vector<MenuItem> lessons_menu(const PanelInput& in) {
  LessonGuide& lessons = in.lessons;
  const Settings& settings = in.session.settings();
  std::vector<MenuItem> items{{.label = "All lessons", .keys = "L"}};
  const std::vector<ListedLesson>& all = lessons.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Lesson& lesson = all[i].read.lesson;
    const LessonMark* const mark = mark_of(settings, all[i]);
    items.push_back({.label = std::to_string(i + 1) + "  " + lesson.title.plain,
                     .checked = mark && mark->done,
                     .here = lessons.taken() != nullptr && lessons.number() == i,
                     .divider = i == 0 || (all[i].own && !all[i - 1].own),
                     .note = lesson.minutes > 0 ? std::to_string(lesson.minutes) + " min" : ""});
  }
  items.push_back({.label = "Leave the lesson", .enabled = lessons.taken() != nullptr, .divider = true});
  return items;
}

std::vector<MenuItem> help_menu() {
  return {{.label = "What am I looking at?", .command = OpenDialog{"parts"}},
          {.label = "How to write a lesson"},
          {.label = "Keys", .keys = "?", .command = OpenDialog{"keys"}},
          {.label = "About Glassformer", .command = OpenDialog{"about"}}};
}

float TopBar::menus(ui::Ui& ui, const PanelInput& in, float x) {
  const float gap = in.layout.top_bar.width < 1200 ? 0.0f : 4.0f;
  const auto menu = [&](const char* name, std::vector<MenuItem> items) {
    const float width = std::ceil(ui.text_width(name)) + 20;
    const std::optional<MenuItem> chosen = Menu(ui, {x, 8, width, 32}, name, items);
    x += width + gap;
    if (chosen && !chosen->command) chosen_ = chosen->label;
  };
  menu("File", file_menu(in));
  menu("Model", model_menu(in.session));
  const float view = std::ceil(ui.text_width("View")) + 20;
  if (in.opened.views) ui.canvas().rectangle({x, 8, view, 32}, {.fill = in.theme.hover, .radius = 6});
  if (Menu(ui, {x, 8, view, 32}, "View", {})) ui.push(OpenDialog{kViewMenu});
  x += view + gap;
  menu("Lessons", lessons_menu(in));
  menu("Help", help_menu());
  return x;
}

// On a narrow window everything hangs on one word.
void TopBar::one_menu(ui::Ui& ui, const PanelInput& in, float x) {
  std::vector<MenuItem> all;
  const auto add = [&](std::vector<MenuItem> items) {
    items.front().divider = !all.empty();
    all.insert(all.end(), items.begin(), items.end());
  };
  add(file_menu(in));
  all.pop_back();
  add(model_menu(in.session));
  add({{.label = "View…", .keys = "Ctrl+K", .command = OpenDialog{kViewMenu}}});
  add(window_menu(in));
  add(lessons_menu(in));
  add(help_menu());
  all.push_back({.label = "Quit", .divider = true});
  const float width = std::ceil(ui.text_width("Menu")) + 20;
  const std::optional<MenuItem> chosen = Menu(ui, {x, 8, width, 32}, "Menu", all);
  if (chosen && !chosen->command) chosen_ = chosen->label;
}

}  // namespace glassformer
