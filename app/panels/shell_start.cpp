// The quiet first screen, and the panels that are folded.
#include <algorithm>

#include "app/lessons/scene_lines.h"
#include "app/panels/shell.h"
#include "app/panels/stage.h"
#include "app/panels/styles.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

struct PanelName {
  const char* name;  // in the settings and in a session
  bool OpenPanels::*open;
};

constexpr PanelName kPanels[] = {{"map", &OpenPanels::map},
                                 {"inspector", &OpenPanels::inspector},
                                 {"training", &OpenPanels::training},
                                 {"words", &OpenPanels::words}};

}  // namespace

// "quiet map training"; empty: the whole window with nothing folded.
std::string Shell::window_words() const {
  std::string words = open_.quiet ? "quiet" : "whole";
  bool all = true;
  for (const PanelName& panel : kPanels) {
    all = all && open_.*panel.open;
    if (open_.*panel.open) words += std::string(" ") + panel.name;
  }
  return all && !open_.quiet ? "" : words;
}

void Shell::show_window(const std::string& words) {
  const std::vector<std::string> all = words_of_line(words);
  const auto has = [&](const char* word) { return std::ranges::find(all, word) != all.end(); };
  open_ = words.empty() ? OpenPanels{} : OpenPanels::none();
  if (words.empty()) return;
  open_.quiet = has("quiet");
  for (const PanelName& panel : kPanels) open_.*panel.open = has(panel.name);
}

// As last time, but whole where something is opened that the first screen does not show.
void Shell::begin_panels() {
  const Settings& kept = session_.settings();
  const bool whole = !options_.session.empty() || !options_.lesson.empty() || options_.lecture ||
                     session_.preview() || !kept.unfinished_run.empty();
  if (whole || options_.quiet == false) return;
  open_ = OpenPanels::none();
  open_.quiet = options_.quiet.value_or(kept.quiet);
  if (!options_.quiet)
    for (const PanelName& panel : kPanels)
      open_.*panel.open = std::ranges::find(kept.open, panel.name) != kept.open.end();
  if (open_.quiet) sentence_.focus();
}

// A lesson has the whole window, and its card the right column.
OpenPanels Shell::panels_now() const {
  if (lessons_.taken() || lesson_list_.open) return {};
  OpenPanels now = session_.watched() ? watch_open_ : open_;
  if (lecture_.on) now.quiet = false;
  return now;
}

void Shell::watch_one() {
  if (session_.watched() || lessons_.taken()) return;
  if (const std::string why = session_.why_no_watching(); !why.empty()) return say(why);
  lesson_list_.open = false;
  opened_ = {};
  watch_open_ = OpenPanels::none();
  session_.apply({WatchOne{}});
  if (ui_) ui_->ask_frame(0);
}

void Shell::stop_watching() {
  session_.apply({StopWatching{}});
  if (quiet()) sentence_.focus();
  if (ui_) ui_->ask_frame(0);
}

void Shell::set_quiet(bool quiet) {
  if (open_.quiet == quiet) return;
  open_ = quiet ? OpenPanels::none() : OpenPanels{};
  opened_ = {};
  if (quiet) sentence_.focus();
  keep_panels();
  if (ui_) ui_->ask_frame(0);
}

void Shell::toggle_inspector() {
  if (layout_.inspector_over())
    opened_.inspector = !opened_.inspector;
  else if (!lessons_.taken())
    open_.inspector = !open_.inspector, keep_panels();
}

void Shell::keep_panels() {
  Settings& kept = session_.settings();
  kept.quiet = open_.quiet;
  kept.open.clear();
  for (const PanelName& panel : kPanels)
    if (open_.*panel.open) kept.open.emplace_back(panel.name);
}

// Of the lessons that come with the program the first that is not done; nothing: all are.
void Shell::take_next_lesson() {
  if (const auto next = next_lesson(lessons_, session_.settings()))
    take_lesson(*next);
  else
    lesson_list_.show();
}

void Shell::start_keys(ui::Ui& ui) {
  using ui::Key;
  if (lecture_.on) return;
  if (session_.watched() && ui.pressed(Key::escape)) return stop_watching();
  if (ui.pressed(Key::f2)) {
    if (session_.watched()) stop_watching();
    if (!lessons_.taken()) set_quiet(!open_.quiet);
  }
  if (ui.pressed(Key::f3) && !lessons_.taken()) take_next_lesson();
  if (ui.pressed(Key::f4)) watch_one();
}

void Shell::stage(ui::Ui& ui, const PanelInput& in) {
  try {
    draw_open_stage(ui, in);
  } catch (const std::exception& error) {
    const std::string words = failure_words(error);
    paragraph(ui.canvas(), {layout_.stage.x + 32, layout_.stage.y + 32}, layout_.stage.width - 64, words,
              styles::body(theme_));
    ui.note(layout_.stage, "stage error", words);
  }
}

void Shell::draw_open_stage(ui::Ui& ui, const PanelInput& in) {
  if (const WatchState* const watched = session_.watched()) {
    const Rect below = draw_stage_state(ui, in, layout_.stage);
    if (watch_.draw(ui, in, *watched, below)) stop_watching();
    return;
  }
  if (!quiet()) return draw_stage(ui, in, layout_.stage);
  const Rect below = draw_stage_state(ui, in, layout_.stage);
  switch (start_.draw(ui, in, layout_.stage, below.y - layout_.stage.y, sentence_)) {
    case StartPage::Way::none:
      return;
    case StartPage::Way::lesson:
      return take_next_lesson();
    case StartPage::Way::watch:
      return watch_one();
    case StartPage::Way::heads:  // with all panels folded still
      open_ = OpenPanels::none();
      open_.quiet = false;
      return keep_panels();
  }
}

}  // namespace glassformer
