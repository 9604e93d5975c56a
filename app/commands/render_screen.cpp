#include "app/commands/render_screen.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include "app/canvas/png.h"
#include "app/figure/figure.h"
#include "app/format/number_format.h"
#include "app/offscreen.h"
#include "app/panels/find.h"
#include "app/views/common/view.h"
#include "app/views/view_table.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

constexpr double kPatience = 600;  // seconds, for a step of a large model

void show_watched(OffscreenProgram& program, int step) {
  if (const std::string why = program.session().why_no_watching(); !why.empty()) throw Error("render", why);
  program.press(ui::Key::f4);
  const auto there = [&] {
    const WatchState* const state = program.session().watched();
    return state && state->result && state->result->snapshot->step >= step;
  };
  if (!program.wait(there, kPatience))
    throw Error("--step", "it did not come to this step within ten minutes");
  program.press(ui::Key::space);  // paused, so that the words are those of the picture
  program.wait([&] { return !program.session().watched()->learns; }, kPatience);
  program.click("Watch: All");
}

void show_lesson(OffscreenProgram& program, int page) {
  if (!program.wait([&] { return program.visible("lesson page"); }, kPatience))
    throw Error("--lesson", "the lesson could not be opened");
  program.settle(120);
  LessonGuide& lessons = program.program().shell().lessons();
  TakenLesson* const taken = lessons.taken();
  if (!taken || page > std::ssize(taken->lesson().pages))
    throw Error("--step", "the lesson has no page " + std::to_string(page));
  program.press(ui::Key::f5);
  taken->turn_to(static_cast<std::size_t>(page - 1));
  if (!program.wait([&] { return taken->ready(); }, kPatience))
    throw Error("--step", "the page was not ready within ten minutes");
  program.settle(120);
  // What the view works out aside is in the picture as well.
  const auto drawn = [&] {
    const View* const view = program.program().shell().view();
    return !lessons.busy() && (!view || !view->traits().busy);
  };
  program.wait(drawn, kPatience);
  program.frame(8);
  program.wait(drawn, kPatience);
}

std::string words_of_screen(OffscreenProgram& program) {
  program.press(ui::Key::describe);
  program.frame(3);
  return program.text("description text");
}

}  // namespace

void render_screen(const ScreenPicture& picture) {
  if (!picture.out.empty() && !picture.out.ends_with(".png"))
    throw Error("--out", "a screen is drawn to a .png, not to “" + picture.out + "”");
  const bool lesson = picture.screen == "lesson", menu = picture.screen == "view-menu";
  const Point size = picture.size.value_or(lesson ? Point{1024, 768} : Point{1600, 1000});
  OffscreenProgram program({.model = picture.model,
                            .size = size * static_cast<float>(picture.scale),
                            .scale = picture.scale,
                            .dark = picture.dark,
                            .lesson = lesson ? picture.lesson : "",
                            .quiet = !lesson && !menu});
  if (!program.settle(120)) throw Error("render", "the sentence was not translated within two minutes");
  if (!picture.source.empty()) {
    program.session().apply({SetSource{picture.source}});
    program.settle(120);
  }
  for (const Notice& notice : program.session().notices())
    if (notice.error) throw Error("render", notice.text);
  if (picture.screen == "watch") show_watched(program, picture.step);
  if (lesson) show_lesson(program, picture.step);
  if (menu) program.press(ui::Key::find);
  program.settle(120);
  program.frame(3);
  if (!picture.out.empty()) {
    const std::string png =
        encode_png(static_cast<int>(program.size().x), static_cast<int>(program.size().y), program.pixels());
    write_with_caption(
        picture.out, png,
        printable("The screen “" + picture.screen + "”. Model: " + program.session().title().name) + ".\n");
  }
  if (picture.text) {
    std::istringstream lines(menu ? view_menu_words() : words_of_screen(program));
    for (std::string line; std::getline(lines, line);) std::cout << printable(line) << '\n';
  }
}

void render_window(const WindowPicture& picture) {
  if (!picture.out.ends_with(".png"))
    throw Error("--out", "the window is drawn to a .png, not to “" + picture.out + "”");
  OffscreenProgram program({.model = picture.page->model->folder,
                            .size = picture.size * static_cast<float>(picture.scale),
                            .scale = picture.scale,
                            .dark = picture.dark});
  program.settle(120);
  program.session().dismiss(Place::sentence);  // a model without sentences complains until it gets one
  program.program().shell().bring(picture.page, picture.panels);
  if (!program.settle(120)) throw Error("render", "the sentence was not translated within two minutes");
  for (const Notice& notice : program.session().notices())
    if (notice.error) throw Error("render", notice.text);
  const Compared* const compared = program.session().compared();
  if (compared && !compared->second) throw Error("--against", compared->problem);
  program.frame(2);
  if (program.program().ui().by_name.left().contains("Compared"))
    throw Error("--as", "the window cannot show the two so here");
  program.frame(3);
  // What the picture shows, beside it, as with every figure.
  const std::shared_ptr<const SceneResult> shown = program.session().result();
  std::string caption = "The whole window. Model: " + program.session().title().name + ".";
  if (shown && !shown->scene.sentences.empty())
    caption +=
        " Sentence: \"" + shown->scene.sentences.front().source + "\" -> \"" + shown->translation + "\".";
  if (compared)
    caption += " Compared with " + compared->second_name + ": \"" + compared->second->translation + "\".";
  const std::string png =
      encode_png(static_cast<int>(program.size().x), static_cast<int>(program.size().y), program.pixels());
  write_with_caption(picture.out, png, printable(to_file_text(caption)) + "\n");
}

bool is_screen(const std::string& name) {
  return std::ranges::find(kScreens, name) != kScreens.end();
}

std::string view_names() {
  std::string names = kWindow;
  for (const char* const screen : kScreens) names += std::string(", ") + screen;
  for (const ViewEntry& entry : view_table()) names += std::string(", ") + entry.name;
  return names;
}

std::string panel_names() {
  std::string names;
  for (const ViewEntry& entry : view_table()) {
    std::string gap = (names.empty() ? "" : "; ") + std::string(entry.name) + ": ";
    for (const std::string& panel : entry.make()->traits().panels) {
      names += gap + panel;
      gap = ", ";
    }
  }
  return names;
}

std::unique_ptr<View> view_named(const std::string& name) {
  for (const ViewEntry& entry : view_table()) {
    if (name == entry.name) return entry.make();
  }
  throw CLI::ValidationError("--view", "“" + name + "” is none of: " + view_names());
}

}  // namespace glassformer
