#include "app/panels/shell.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/panels/runs_dialog.h"
#include "app/panels/stage.h"
#include "app/panels/what_if_strip.h"
#include "app/views/common/opens_cell.h"
#include "app/views/view_table.h"

namespace glassformer {

namespace {

constexpr std::size_t kLongestWay = 64;

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace

Shell::Shell(Session& session, ShellOptions options)
    : session_(session),
      options_(std::move(options)),
      view_(options_.view),
      desk_(options_.wake),
      wanted_lesson_(options_.lesson),
      wanted_session_(options_.session) {
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
  if (session_.unsaved().empty()) return;  // a notice tells of what else was not saved
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
  // A lesson's card stands beside what it tells of, not over it, where half a stage is left.
  constexpr float kLeastBeside = 400;
  if (lessons_.taken() && opened_.inspector && layout_.inspector_place != InspectorPlace::column &&
      layout_.inspector_drawer.x - layout_.stage.x >= kLeastBeside)
    layout_.stage.width = layout_.inspector_drawer.x - layout_.stage.x;
  choose_result(ui);
  take_written_figures();
  ask_for_gradients(ui);
  sessions(ui);
  const PanelInput in = panel_input();
  follow_computing(in);
  follow_lesson();
  lessons_.frame(ui, session_, in.input ? &*in.input : nullptr, view_, in.view,
                 dialogs_.open.empty() && !lesson_list_.open, lecture_.on);

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

// One panel in large type, light whatever the theme is.
void Shell::set_lecture(bool on) {
  if (on && !std::exchange(lecture_.was_on, true)) dark_before_ = theme_.dark;
  lecture_.on = lecture_.was_on = on;
  theme_ = !on && dark_before_ ? dark_theme() : light_theme();
}

// What is compared is shown as the pair that it is, until the next pair is there. While O is held the
// untouched model stands in.
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
  const int wanted = traits.wants_gradients ? session_.pinned().sentence : -1;
  if (wanted != gradients_of_) ui.push(WantGradients{wanted});
  gradients_of_ = wanted;
  if (traits.wants_moments != wants_moments_) ui.push(WantMoments{traits.wants_moments});
  wants_moments_ = traits.wants_moments;
  // A report may hold what is measured on it.
  const bool wants_text = traits.wants_training_text || dialogs_.open == "report";
  if (wants_text != wants_training_text_) ui.push(WantTrainingText{wants_text});
  wants_training_text_ = wants_text;
}

// The map follows the Walk: a layer unfolded by hand stays open until the next step.
void Shell::follow_computing(const PanelInput& in) {
  std::string computing = in.input && in.view ? in.view->place(*in.input).computing : std::string();
  if (computing != computing_) map_.fold();
  computing_ = std::move(computing);
}

// Map and inspector of small windows, over the stage.
void Shell::dialogs(ui::Ui& ui) {
  dialogs_.draw(ui, session_, layout_.window);
  session_wishes(ui);
  follow_report(ui);
  if (const auto wanted = std::exchange(dialogs_.figure.wanted, std::nullopt))
    figures_.start(runs_figure(dialogs_.runs, theme_), *wanted, kRunsFigure, options_.wake);
  const UnsavedAnswer answer = dialogs_.answer;
  if (answer == UnsavedAnswer::close_anyway) wants_close_ = close_anyway_ = true;
  if (answer == UnsavedAnswer::try_again && dialogs_.closing) wants_close_ = true;  // which saves
}

void Shell::apply(const Commands& commands, double time) {
  time_ = time;
  for (const Command& command : commands) {
    command.visit(Overloaded{
        [&](const OpenView& open) {
          if (session_.watched()) stop_watching();
          for (const ViewEntry& entry : view_table())
            if (open.view == entry.name) show_view(open.view), lesson_list_.open = false;
          if (!lessons_.taken() && !desk_.opening()) set_quiet(false);
          if (!open.control.empty() && view()) view()->set(open.control, open.value);
          if (layout_.map_place == MapPlace::hidden) opened_.map = false;
        },
        [&](const OpenModel&) {
          if (session_.watched()) stop_watching();
          if (!lessons_.taken() && !desk_.opening() && before_lesson_.empty()) set_quiet(false);
        },
        [&](const OpenStep& open) {
          if (session_.watched()) stop_watching();
          if (!lessons_.taken()) set_quiet(false);
          show_step(open);
        },
        [&](const SetPin& pin) {
          clicks_.click(pin.selection.cell, time_);
          if (view()) view()->set("Model", "Transformer");
          comparing_.note_pin();
          lessons_.note_pin(pin.selection);
        },
        [&](const OpenDialog& open) {
          if (open.name == "quit") return void(wants_close_ = true);
          if (open.name == "target") return sentence_.edit_target(result_ ? result_->translation : "");
          if (open.name == "save session") desk_.fill(dialogs_.session_form, session_, view_);
          const bool views = dialogs_.open == kViewMenu;
          dialogs_.show(open.name, session_, view_);
          if (open.name == "describe") describe_view(views);
          if (open.name == kViewMenu) dialogs_.find.start(panel_input());
          if (open.name == "report") fill_report();
          const bool alone = view() && !session_.compared();
          dialogs_.figure.panels = alone ? view()->traits().panels : std::vector<std::string>();
        },
        [&](const SaveFigure& what) { save_figure_to(what); },
        [&](const CopyText& what) {
          ImGui::SetClipboardText(what.text.c_str());
          say("Copied");
        },
        [&](const ReadData&) { dialogs_.show("data", session_, view_); },
        // Who was leaving leaves when that has succeeded.
        [&](const KeepRunsIn&) { wants_close_ = wants_close_ || dialogs_.closing; }, [](const auto&) {}});
  }
  going_back_ = false;
}

// A pinned number that the new view does not show is let go; its words stay lit.
void Shell::show_view(const std::string& name) {
  if (view_ == name) return;
  clicks_.forget();
  if (name == "cell") before_cell_ = view_;
  if (std::exchange(going_back_, false)) {
    way_.pop_back();
  } else {
    if (way_.size() >= kLongestWay) way_.erase(way_.begin());
    way_.push_back(here());
  }
  view_ = name;
  if (ui_) ui_->scroll_to(PictureOptions{}.scroll, {});
  Selection pin = session_.pinned();
  const ViewTraits traits = view()->traits();
  if (pin.cell && !traits.shows(*pin.cell)) pin.cell.reset();
  if (pin.sentence != 0 && !traits.shows_batch) {
    pin = {.kind = pin.kind, .layer = pin.layer, .head = pin.head};
  }
  if (pin != session_.pinned()) session_.apply({SetPin{pin}});
}

Shell::Stop Shell::here() const {
  const Scene& scene = session_.scene();
  return {view_, session_.pinned(), scene.sentences.empty() ? std::string() : scene.sentences.front().source,
          session_.open_folder()};
}

// Up inside a view; out of it the way one came, and where one came from nowhere, up the levels.
void Shell::go_back(ui::Ui& ui, const PanelInput& in) {
  Commands wanted;
  if (in.input && in.view && in.view->key({ViewKey::backspace, 1}, *in.input, wanted) &&
      std::ranges::none_of(wanted,
                           [](const Command& each) { return each.is<OpenView>() || each.is<OpenStep>(); })) {
    for (Command& each : wanted) ui.push(std::move(each));
    return;
  }
  if (way_.empty()) return go_up(ui, in);
  const Stop before = way_.back(), now = here();
  // Who turned to another head, sentence or model meanwhile stays with it.
  Selection pin = in.session.pinned();
  const bool turned = pin.kind != before.pinned.kind || pin.layer != before.pinned.layer ||
                      pin.head != before.pinned.head || now.source != before.source ||
                      now.folder != before.folder;
  if (turned)
    pin.cell.reset();
  else
    pin = before.pinned;
  ui.push(SetPin{pin});
  ui.push(OpenView{before.view});
  going_back_ = true;
}

// To the step of the Walk; from the map also to the place in the open block.
void Shell::show_step(const OpenStep& open) {
  const int sentence = session_.pinned().sentence;
  const bool stays = !open.pin && view()->traits().shows_block;
  if (!stays) show_view("walk");
  Selection selection = stays ? in_layer_of(session_.pinned(), open.cell.name) : session_.pinned();
  selection.sentence = sentence;
  selection = open.pin ? selecting(selection, open.cell) : selection;
  if (!open.pin) selection.cell.reset();
  session_.apply({SetPin{selection}});
  if (auto* opens = dynamic_cast<OpensCell*>(view())) opens->open_cell(open.cell);
}

void Shell::say(std::string text) {
  said_.text = std::move(text);
  said_.until = time_ + 2 + 0.05 * static_cast<double>(said_.text.size());  // long enough to be read
}

Commands Shell::dropped(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (paths.empty()) return {};
  fs::path first = paths.front();
  if (fs::is_regular_file(first, ignored) &&
      (first.filename() == "config.json" || first.extension() == ".safetensors"))
    first = first.parent_path();
  const bool session = first.extension() == kSessionEnding;
  if (session || first.extension() == ".lesson") {
    (session ? wanted_session_ : wanted_lesson_) = first.string();
    return {};
  }
  if (fs::is_directory(first, ignored)) return {OpenModel{first.string()}};
  DataOptions data;
  if (paths.size() >= 2) {
    data.training.source = paths[0];
    data.training.target = paths[1];
  } else {
    data.training.corpus = paths[0];
  }
  return {ReadData{data}};
}

}  // namespace glassformer
