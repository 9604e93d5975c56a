#include <string>
#include <utility>

#include "app/figure/describe.h"
#include "app/lessons/page_in_words.h"
#include "app/panels/find.h"
#include "app/panels/rails.h"
#include "app/panels/shell.h"
#include "app/panels/stage.h"
#include "app/panels/start_page.h"
#include "app/panels/watch_page.h"
#include "app/panels/what_if_strip.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {

// What was chosen in the View menu, or found by it.
void Shell::take_found(ui::Ui& ui, const PanelInput& in) {
  FindForm& find = dialogs_.find;
  opened_.views = dialogs_.open == kViewMenu;
  find.scale = scale();
  if (const std::string look = std::exchange(find.look, {}); !look.empty()) chosen(ui, in, look);
  const std::optional<ui::MenuItem> item = std::exchange(find.chosen, std::nullopt);
  if (item && item->command)
    ui.push(*item->command);
  else if (item)
    chosen(ui, in, item->label);
}

// What concerns the screen alone.
void Shell::chosen(ui::Ui& ui, const PanelInput& in, const std::string& what) {
  if (what == "Dark") set_theme(!theme_.dark);
  if (what == "larger" || what == "smaller") set_scale(scale() + (what == "larger" ? 0.25 : -0.25));
  if (what == "No motion") session_.settings().reduced_motion = !session_.settings().reduced_motion;
  if (what == "Map over the stage") opened_.map = !opened_.map;
  if (what == "Inspector") toggle_inspector();
  if (what == "Whole window" || what == "First screen") {
    if (session_.watched()) stop_watching();
    set_quiet(what == "First screen");
  }
  if (what == "Quit") wants_close_ = true;
  if (what == "Lecture mode") set_lecture(true);
  if (what.starts_with("Copy the ")) copy(ui, in, what.substr(9));
  chosen_lesson(what);
  if (what == "Save session") save_session();
  if (what == "Save session as…") ui.push(OpenDialog{"save session"});
  if (what == "Copy link text") copy_link(ui);
  if (what == "Back to what was") desk_.go_back(session_, view_);
  for (const double s : kScales)
    if (what == "Text " + std::to_string(static_cast<int>(s * 100)) + " %") set_scale(s);
  ui.ask_frame(0);
}

// What is on screen in words: the View menu, else the open view.
void Shell::describe_view(bool views) {
  const PanelInput in = panel_input();
  DescribeForm& form = dialogs_.describe;
  form = {};
  form.path = "~/" + view_ + ".txt";
  if (views) {
    form.path = "~/views.txt";
    form.text = view_menu_words();
    return;
  }
  if (const WatchState* const watched = session_.watched()) {
    form.path = "~/watch.txt";
    form.text = watch_words(*watched, session_.tokenizers());
    return;
  }
  if (quiet() && in.input && !in.input->result.scene.sentences.empty()) {
    form.path = "~/start.txt";
    const StartWay lesson = lesson_way(lessons_, session_.settings());
    form.text = start_words(*in.input) + lesson.key + ": " + lesson.title + ". " + lesson.words +
                "\nF4: Watch one learn\nF2: Whole window\n";
    return;
  }
  form.text = in.input && in.view ? text_of(described(*in.view, *in.input)) : "Nothing is shown yet.\n";
  if (const TakenLesson* const lesson = lessons_.taken())
    form.text = page_in_words(*lesson) + "\n" + form.text;
}

// Figures of the stage on their way to files.
void Shell::take_written_figures() {
  for (Notice& done : figures_.take_written()) {
    if (done.error) {
      session_.notify(std::move(done));
    } else {
      session_.dismiss(Place::figure);
      say(std::move(done.text));
    }
  }
  said_.saving = writing();
}

void Shell::save_figure_to(const SaveFigure& what) {
  if (!view() || !result_) return;
  FigureContent content{*session_.all_shown()};
  content.result = result_;
  content.view = view()->clone();
  content.selection = session_.pinned();
  content.theme = theme_;
  content.covered = lessons_.covered();
  content.panel = what.panel;
  if (const Compared* compared = session_.compared(); compared && compared->second) {
    content.panel.clear();
    const View* second = comparing_.second_view(view_, view());
    content.second = {.as = comparing_.shown_as(),
                      .view = second ? second->clone() : view()->clone(),
                      .compared = *compared};
  }
  figures_.start(std::move(content), what, {layout_.stage.width, layout_.stage.height}, options_.wake);
}

void Shell::panels(ui::Ui& ui, const PanelInput& in) {
  backdrops_ = {{layout_.top_bar, theme_.panel},
                {layout_.sentence, theme_.panel},
                {layout_.slider, theme_.panel},
                {layout_.names, theme_.panel}};
  if (const std::string what = top_bar_.draw(ui, in); !what.empty()) chosen(ui, in, what);
  if (layout_.map_place == MapPlace::rail)
    map_.rail(ui, in, layout_.map);
  else if (layout_.map_place == MapPlace::column || layout_.map_place == MapPlace::narrow_column)
    map_.column(ui, in, layout_.map, false);
  const bool listed = lesson_list(ui, in);
  if (!listed) stage(ui, in);
  if (!listed && layout_.inspector_place == InspectorPlace::line)
    inspector_.line(ui, in, layout_.inspector);
  else if (!listed && layout_.inspector_place == InspectorPlace::column)
    right_column(ui, in, layout_.inspector, false);
  if (sentence_.draw(ui, in)) decoding_.stop();
  if (std::string link = sentence_.take_link(); !link.empty())
    wanted_session_ = std::move(link), ui.ask_frame(0);
  if (layout_.panels.words) {
    strips_.draw(ui, in);
    decoding_.draw(ui, in);
  }
  if (layout_.panels.training) slider_.draw(ui, in);
  const bool own = !lessons_.taken() && !listed;  // else the panels are as those need them
  if (own && draw_rails(ui, in, session_.watched() ? watch_open_ : open_) && !session_.watched())
    keep_panels();
  if (!listed) lessons_.draw_targets(ui);
  drawers(ui, in);
  open_change_menu(ui, in);
}

void Shell::drawers(ui::Ui& ui, const PanelInput& in) {
  const auto over = [&](const Rect& rect, const auto& draw) {
    ui.begin_layer(rect, false);
    ui.canvas().rectangle(rect, {.fill = theme_.paper});
    draw();
    ui.end_layer();
  };
  if (!layout_.map_over()) opened_.map = false;
  if (opened_.map) over(layout_.map_drawer, [&] { map_.column(ui, in, layout_.map_drawer, true); });
  if (!layout_.inspector_over()) opened_.inspector = false;
  if (opened_.inspector)
    over(layout_.inspector_drawer, [&] { right_column(ui, in, layout_.inspector_drawer, true); });
}

// The inspector, or the card of the lesson that is taken.
void Shell::right_column(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool drawer) {
  if (!lessons_.taken()) return inspector_.column(ui, in, rect, drawer);
  if (lesson_card_.column(ui, in, lessons_, rect)) return;
  inspector_.column(ui, in, {rect.x, rect.y + kBreadcrumb, rect.width, rect.height - kBreadcrumb}, drawer);
}

// The list over the stage and the right column; false: it is not open.
bool Shell::lesson_list(ui::Ui& ui, const PanelInput& in) {
  if (!lesson_list_.open) return false;
  const bool column = layout_.inspector_place == InspectorPlace::column;
  Rect stage = layout_.stage;
  if (layout_.inspector_place == InspectorPlace::line) stage.height += layout_.inspector.height;
  if (const auto wish = lesson_list_.draw(ui, in, stage, column ? layout_.inspector : Rect{}))
    take_lesson(wish->lesson, wish->page);
  return true;
}

// Its marks, its file when that was written anew, and what its card asks for.
void Shell::follow_lesson() {
  if (!wanted_lesson_.empty() && session_.result()) {
    const std::string wanted = std::exchange(wanted_lesson_, {});
    try {
      take_lesson(lessons_.number_of(wanted));
    } catch (const Error& error) {
      say(message_text(error.what()));
    }
  }
  if (lessons_.taken() || lesson_list_.open) lessons_.read_again(time_);
  if (lessons_.taken() && ui_) ui_->ask_frame(0.5);  // its file may be saved meanwhile
  if (!lessons_.taken() && !before_lesson_.empty() && !desk_.opening()) {
    opened_.inspector = false;  // it was open as the lesson's card
    desk_.restore(session_, view_, std::exchange(before_lesson_, {}));
    if (open_.quiet) sentence_.focus();
  }
  lessons_.keep_mark(session_.settings());
  session_.keep_sentences(!lessons_.taken());
  if (const auto wish = lessons_.take_wish()) {
    if (wish->lesson) return take_lesson(*wish->lesson);
    lessons_.leave();
    lesson_list_.show();
  }
}

// By its line in the menu: "12  From encoder to decoder".
void Shell::chosen_lesson(const std::string& line) {
  if (line == "Leave the lesson") lessons_.leave();
  if (line == "All lessons") lesson_list_.show();
  for (std::size_t i = 0; i < lessons_.all().size(); ++i)
    // Its copies come behind it.
    if ((line == "How to write a lesson" && lessons_.all()[i].name() == "how-to-write.lesson") ||
        line == std::to_string(i + 1) + "  " + lessons_.all()[i].read.lesson.title.plain)
      return take_lesson(i);
}

void Shell::take_lesson(std::size_t lesson, std::size_t page) {
  const bool first = !lessons_.taken() && before_lesson_.empty();
  if (const std::string problem = lessons_.take(lesson, session_.settings(), "", page); !problem.empty())
    return say(problem);
  if (session_.watched()) stop_watching();
  try {
    if (first) before_lesson_ = desk_.lines_to_return(session_, view_);
  } catch (const Error&) {
    // What is shown cannot be told in lines: it is not come back to.
  }
  lesson_list_.open = false;
  lesson_card_.show();
  opened_.inspector = layout_.inspector_place != InspectorPlace::column;
}

bool Shell::mouse_rests(Point at, bool used) {
  std::optional<std::pair<long, std::size_t>> page;
  if (lessons_.taken()) page.emplace(lessons_.takings(), lessons_.taken()->open());
  if (std::exchange(turned_to_, page) != page && page) rests_at_ = at;
  if (!page || used || rests_at_ != at) rests_at_.reset();
  const bool column = layout_.inspector_place == InspectorPlace::column;
  return rests_at_ && !(column ? layout_.inspector : layout_.inspector_drawer).contains(at);
}

}  // namespace glassformer
