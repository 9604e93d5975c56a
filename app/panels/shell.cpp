#include "app/panels/shell.h"

#include <algorithm>
#include <utility>

#include "app/panels/rails.h"
#include "app/panels/runs_dialog.h"
#include "app/panels/stage.h"
#include "app/panels/styles.h"
#include "app/panels/what_if_strip.h"
#include "app/views/view_table.h"
#include "engine/math/error.h"

namespace glassformer {

Shell::Shell(Session& session, ShellOptions options)
    : session_(session),
      options_(std::move(options)),
      view_(options_.view),
      desk_(options_.wake),
      sessions_(session_, dialogs_, desk_, options_.session),
      reports_(session_, dialogs_, views_, desk_, options_.wake),
      lesson_desk_(session_, lessons_, desk_, options_.lesson) {
  const bool dark = options_.theme ? *options_.theme == "dark" : session_.settings().dark;
  theme_ = dark ? dark_theme() : light_theme();
  if (view_table().empty()) return;
  const auto known = std::ranges::any_of(view_table(), [&](const ViewEntry& e) { return view_ == e.name; });
  if (!known) view_ = view_table().front().name;
  if (session_.preview()) dialogs_.open = "data";
  begin_panels();
  if (options_.lecture) set_lecture(true);
}

Shell::~Shell() = default;

// As last time, but whole where something is opened that the first screen does not show.
void Shell::begin_panels() {
  const Settings& kept = session_.settings();
  const bool whole = !options_.session.empty() || !options_.lesson.empty() || options_.lecture ||
                     session_.preview() || !kept.unfinished_run.empty();
  if (whole || options_.quiet == false) return;
  open_ = options_.quiet ? OpenPanels::none() : kept_panels(kept);
  if (open_.quiet) sentence_.focus();
}

double Shell::scale() const {
  if (lecture_.on) return std::max(lecture_scale(pixels_), own_scale());
  return own_scale();
}

float Shell::least_type() const {
  return lecture_.on ? static_cast<float>(kCaptionSize * lecture_scale(pixels_) / scale()) : 0;
}

double Shell::own_scale() const {
  if (options_.scale) return std::clamp(*options_.scale, 1.0, 4.0);
  const double kept = session_.settings().scale;
  return std::clamp(kept > 0 ? kept : options_.monitor_scale, 1.0, 2.5);
}

void Shell::set_scale(double scale) {
  options_.scale.reset();
  session_.settings().scale = std::clamp(scale, 1.0, 2.5);
}

void Shell::set_theme(bool dark) {
  session_.settings().dark = dark;
  theme_ = dark ? dark_theme() : light_theme();
}

void Shell::ask_before_closing() {
  wants_close_ = false;
  if (session_.unsaved().empty()) return;  // a notice lists what else was not saved
  dialogs_.show("unsaved", session_, view_);
  dialogs_.closing = true;
  if (ui_) ui_->ask_frame(0);
}

PanelInput Shell::panel_input() {
  PanelInput in{.session = session_,
                .layout = layout_,
                .theme = theme_,
                .time = time_,
                .scale = scale(),
                .result = result_.get(),
                .view = view(),
                .view_name = view_,
                .before_cell = before_cell_,
                .computing = computing_,
                .said = said_,
                .opened = opened_,
                .comparing = comparing_,
                .lessons = lessons_,
                .named = {desk_.name(), desk_.changed(), desk_.can_go_back()}};
  if (!result_ || !result_->trace || !result_->snapshot) return in;
  shown_ = session_.all_shown();
  in.input.emplace(view_input(*shown_, *result_,
                              {.pinned = session_.pinned(),
                               .shown = session_.shown(),
                               .hovering = session_.hovering(),
                               .reduced_motion = session_.settings().reduced_motion,
                               .dark_theme = theme_.dark}));
  in.input->covered = lessons_.covered();
  return in;
}

void Shell::frame(ui::Ui& ui, Point window, double time) {
  ui_ = &ui;
  time_ = time;
  const double scale_now = scale();
  pixels_ = window * static_cast<float>(scale_now);
  if (scale() != scale_now) ui.ask_frame(0);  // a lecture in another window: larger type from the next on
  layout_ = layout_for(window, lessons_.hidden(), panels_now());
  // A lesson's card is beside what it explains, not over it, where half a stage is left.
  constexpr float kLeastBeside = 400;
  if (lessons_.taken() && opened_.inspector && layout_.inspector_place != InspectorPlace::column &&
      layout_.inspector_drawer.x - layout_.stage.x >= kLeastBeside)
    layout_.stage.width = layout_.inspector_drawer.x - layout_.stage.x;
  choose_result(ui);
  take_written_figures();
  ask_for_gradients(ui);
  say_if(sessions_.frame(ui, view_, open_));
  const PanelInput in = panel_input();
  const std::shared_ptr<const Shown> held = shown_;  // `in` refers to it until the frame has ended
  follow_computing(in);
  follow_lesson();
  lessons_.frame(ui, session_, in.input ? &*in.input : nullptr, view_, in.view,
                 dialogs_.open.empty() && !lesson_desk_.list.open, lecture_.on);

  if (lecture_.on) {
    backdrops_.clear();
    lecture_.hears = dialogs_.open.empty();
    lecture_.draw(ui, in, window);
    if (!lecture_.on) set_lecture(false);
  } else {
    panels(ui, in);
  }
  dialogs(ui);
  take_found(ui, in);
  keyboard(ui, in);
}

// A lesson has the whole window, and its card the right column.
OpenPanels Shell::panels_now() const {
  if (lessons_.taken() || lesson_desk_.list.open) return {};
  OpenPanels now = session_.watched() ? watch_open_ : open_;
  if (lecture_.on) now.quiet = false;
  return now;
}

void Shell::set_quiet(bool quiet) {
  if (open_.quiet == quiet) return;
  open_ = quiet ? OpenPanels::none() : OpenPanels{};
  opened_ = {};
  if (quiet) sentence_.focus();
  keep_panels(open_, session_.settings());
  if (ui_) ui_->ask_frame(0);
}

// One panel in large type, light whatever the theme is.
void Shell::set_lecture(bool on) {
  if (on && !std::exchange(lecture_.was_on, true)) dark_before_ = theme_.dark;
  lecture_.on = lecture_.was_on = on;
  theme_ = !on && dark_before_ ? dark_theme() : light_theme();
}

void Shell::watch_one() {
  if (session_.watched() || lessons_.taken()) return;
  if (const std::string why = session_.why_no_watching(); !why.empty()) return say(why);
  lesson_desk_.list.open = false;
  opened_ = {};
  watch_open_ = OpenPanels::none();
  watch_ = {};
  session_.apply({WatchOne{}});
  if (ui_) ui_->ask_frame(0);
}

void Shell::stop_watching() {
  session_.apply({StopWatching{}});
  if (quiet()) sentence_.focus();
  if (ui_) ui_->ask_frame(0);
}

// What is compared is shown as the pair that it is, until the next pair is there. While O is held the
// untouched model is shown instead.
void Shell::choose_result(ui::Ui& ui) {
  result_ = session_.result();
  const Compared* const compared = session_.compared();
  if (compared && compared->second) result_ = compared->first;
  comparing_.begin_frame(session_);
  const auto plain = ui.held('o') && result_ ? result_->plain : nullptr;
  if (!plain) return;
  result_ = plain;
  ui.ask_frame(0.1);
}

// Gradients and moments are made while a view shows them.
void Shell::ask_for_gradients(ui::Ui& ui) {
  const ViewTraits traits = view() ? view()->traits() : ViewTraits{};
  // A report may hold what is measured on the training text.
  const Wanted wanted{.gradients = traits.wants_gradients ? session_.pinned().sentence : -1,
                      .moments = traits.wants_moments,
                      .text = traits.wants_training_text || dialogs_.open == "report"};
  const Wanted before = std::exchange(wanted_, wanted);
  if (wanted.gradients != before.gradients) ui.push(WantGradients{wanted.gradients});
  if (wanted.moments != before.moments) ui.push(WantMoments{wanted.moments});
  if (wanted.text != before.text) ui.push(WantTrainingText{wanted.text});
}

// The map follows the Walk: a layer unfolded by hand stays open until the next step.
void Shell::follow_computing(const PanelInput& in) {
  std::string computing = in.input && in.view ? in.view->place(*in.input).computing : std::string();
  if (computing != computing_) map_.fold();
  computing_ = std::move(computing);
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

void Shell::follow_lesson() {
  LessonDesk::Followed followed = lesson_desk_.follow(view_, time_);
  say_if(std::move(followed.said));
  if (lessons_.taken() && ui_) ui_->ask_frame(0.5);  // its file may be saved meanwhile
  if (followed.left) {
    opened_.inspector = false;  // it was open as the lesson's card
    if (open_.quiet) sentence_.focus();
  }
  if (followed.next) take_lesson(*followed.next);
}

void Shell::take_lesson(std::size_t lesson, std::size_t page) {
  std::string problem = lesson_desk_.take(lesson, view_, page);
  if (problem.empty()) opened_.inspector = layout_.inspector_place != InspectorPlace::column;
  say_if(std::move(problem));
}

bool Shell::mouse_rests(Point at, bool used) {
  const bool column = layout_.inspector_place == InspectorPlace::column;
  return lesson_desk_.mouse_rests(at, used, column ? layout_.inspector : layout_.inspector_drawer);
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
    sessions_.want(std::move(link)), ui.ask_frame(0);
  if (layout_.panels.words) {
    strips_.draw(ui, in);
    decoding_.draw(ui, in);
  }
  if (layout_.panels.training) slider_.draw(ui, in);
  const bool own = !lessons_.taken() && !listed;  // else the panels are as those need them
  if (own && draw_rails(ui, in, session_.watched() ? watch_open_ : open_) && !session_.watched())
    keep_panels(open_, session_.settings());
  if (!listed) lessons_.draw_targets(ui);
  drawers(ui, in);
  open_change_menu(ui, in);
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
      return keep_panels(open_, session_.settings());
  }
}

// The list over the stage and the right column; false: it is not open.
bool Shell::lesson_list(ui::Ui& ui, const PanelInput& in) {
  if (!lesson_desk_.list.open) return false;
  const bool column = layout_.inspector_place == InspectorPlace::column;
  Rect stage = layout_.stage;
  if (layout_.inspector_place == InspectorPlace::line) stage.height += layout_.inspector.height;
  if (const auto wish = lesson_desk_.list.draw(ui, in, stage, column ? layout_.inspector : Rect{}))
    take_lesson(wish->lesson, wish->page);
  return true;
}

// The inspector, or the card of the lesson that is taken.
void Shell::right_column(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool drawer) {
  if (!lessons_.taken()) return inspector_.column(ui, in, rect, drawer);
  if (lesson_desk_.card.column(ui, in, lessons_, rect)) return;
  inspector_.column(ui, in, {rect.x, rect.y + kBreadcrumb, rect.width, rect.height - kBreadcrumb}, drawer);
}

// Map and inspector of small windows, over the stage.
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

void Shell::dialogs(ui::Ui& ui) {
  dialogs_.draw(ui, session_, layout_.window);
  say_if(sessions_.do_wishes(ui, view_));
  say_if(reports_.frame(ui, panel_input()));
  if (const auto wanted = std::exchange(dialogs_.figure.wanted, std::nullopt))
    figures_.start(runs_figure(dialogs_.runs, theme_), *wanted, kRunsFigure, options_.wake);
  const UnsavedAnswer answer = dialogs_.answer;
  if (answer == UnsavedAnswer::close_anyway) wants_close_ = close_anyway_ = true;
  if (answer == UnsavedAnswer::try_again && dialogs_.closing) wants_close_ = true;  // which saves
}

void Shell::say(std::string text) {
  said_.text = std::move(text);
  said_.until = time_ + 2 + 0.05 * static_cast<double>(said_.text.size());  // long enough to be read
}

void Shell::say_if(std::string text) {
  if (!text.empty()) say(std::move(text));
}

}  // namespace glassformer
