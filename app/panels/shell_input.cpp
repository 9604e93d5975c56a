// What the person asks of the window: the screen's own commands, what was chosen in a menu, the keyboard.
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/panels/find.h"
#include "app/panels/shell.h"
#include "app/panels/stage.h"
#include "app/panels/start_page.h"
#include "app/panels/watch_page.h"
#include "app/views/common/opens_cell.h"
#include "app/views/view_table.h"

namespace glassformer {

namespace {

constexpr std::size_t kLongestWay = 64;
constexpr int kAllWords = 1'000'000;

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

bool something_unsaved(const PanelInput& in) {
  return in.session.training() || in.session.keeps_run() || in.session.can_undo() || in.named.changed ||
         in.lessons.taken();
}

Notice quit_question() {
  return {.place = Place::model,
          .error = false,
          .text = "Ctrl+Q was pressed in a field. What was changed here and is not saved would be lost.",
          .action = "End the program",
          .command = OpenDialog{"quit"}};
}

}  // namespace

void Shell::apply(const Commands& commands, double time) {
  time_ = time;
  for (const Command& command : commands) {
    command.visit(Overloaded{
        [&](const OpenView& open) {
          if (session_.watched()) stop_watching();
          for (const ViewEntry& entry : view_table())
            if (open.view == entry.name) show_view(open.view), lesson_desk_.list.open = false;
          if (!lessons_.taken() && !desk_.opening()) set_quiet(false);
          if (!open.control.empty() && view()) view()->set(open.control, open.value);
          if (layout_.map_place == MapPlace::hidden) opened_.map = false;
        },
        [&](const OpenModel&) {
          if (session_.watched()) stop_watching();
          if (!lessons_.taken() && !desk_.opening() && !lesson_desk_.returns()) set_quiet(false);
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
          if (open.name == "report") reports_.fill(panel_input());
          const bool alone = view() && !session_.compared();
          dialogs_.figure.panels = alone ? view()->traits().panels : std::vector<std::string>();
          dialogs_.figure.of_heads = view() && view()->traits().shows_weights;
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

// A pinned number that the new view does not show is unpinned; its words stay lit.
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
  if (ui_) ui_->scroll.to(PictureOptions{}.scroll, {});
  Selection pin = session_.pinned();
  const ViewTraits traits = view()->traits();
  if (pin.cell && !traits.shows(*pin.cell)) pin.cell.reset();
  if (pin.sentence != 0 && !traits.shows_batch) {
    pin = {.kind = pin.kind, .layer = pin.layer, .head = pin.head};
  }
  if (pin != session_.pinned()) session_.apply({SetPin{pin}});
}

Shell::VisitedView Shell::here() const {
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
  const VisitedView before = way_.back(), now = here();
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

// What is on screen in words: the View menu, else the open view.
void Shell::describe_view(bool views) {
  const PanelInput in = panel_input();
  DescribeForm& form = dialogs_.describe;
  form = {};
  const WatchState* const watched = session_.watched();
  const bool first = quiet() && in.input && !in.input->result.scene.sentences.empty();
  form.path = "~/" + (views ? "views" : watched ? "watch" : first ? "start" : view_) + ".txt";
  form.text = views     ? view_menu_words()
              : watched ? watch_words(*watched, session_.tokenizers())
              : first   ? first_screen_words(in)
                        : stage_words(in);
}

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
  if (what.starts_with("Copy the ")) copy_shown(ui, in, inspector_, what.substr(9));
  if (const auto lesson = lesson_desk_.chosen(what)) take_lesson(*lesson);
  if (what == "Save session") say_if(sessions_.save(ui_, view_));
  if (what == "Save session as…") ui.push(OpenDialog{"save session"});
  if (what == "Copy link text") say_if(sessions_.copy_link(ui, view_));
  if (what == "Back to what was") desk_.go_back(session_, view_);
  for (const double s : kScales)
    if (what == "Text " + std::to_string(static_cast<int>(s * 100)) + " %") set_scale(s);
  ui.ask_frame(0);
}

void Shell::toggle_inspector() {
  if (layout_.inspector_over())
    opened_.inspector = !opened_.inspector;
  else if (!lessons_.taken())
    open_.inspector = !open_.inspector, keep_panels(open_, session_.settings());
}

// Of the lessons that come with the program the first that is not done; nothing: all are.
void Shell::take_next_lesson() {
  if (const auto next = next_lesson(lessons_, session_.settings()))
    take_lesson(*next);
  else
    lesson_desk_.list.show();
}

Commands Shell::dropped(const std::vector<std::string>& paths) {
  DroppedFiles dropped = dropped_files(paths);
  if (!dropped.session.empty()) sessions_.want(std::move(dropped.session));
  if (!dropped.import_from.empty()) dialogs_.show_import(dropped.import_from);
  if (!dropped.lesson.empty()) lesson_desk_.want(std::move(dropped.lesson));
  return std::move(dropped.commands);
}

// What a dialog or a menu needs it has taken before. While a text field has the keyboard only those count
// that no field knows.
void Shell::keyboard(ui::Ui& ui, const PanelInput& in) {
  using ui::Key;
  decoding_.continue_playing(ui, in);
  if (clicks_.take()) go_deeper(ui, in);
  if (ui.pressed(Key::quit)) {
    // In a field the key can be a slip.
    const bool asks = ui.field_active() && (!dialogs_.open.empty() || something_unsaved(in));
    if (asks)
      session_.notify(quit_question());
    else
      wants_close_ = true;
  }
  const bool finds = dialogs_.open == kViewMenu;
  if (finds && ui.pressed(Key::describe)) return ui.push(OpenDialog{"describe"});
  if ((dialogs_.open.empty() || finds) && ui.pressed(Key::f5)) {
    if (finds) dialogs_.leave();
    set_lecture(!lecture_.on);
  }
  if (ui.popup.is_open()) return;
  if (!dialogs_.open.empty()) {
    if (!ui.field_active() && ui.pressed(Key::escape)) dialogs_.leave();
    return;
  }
  start_keys(ui);
  if (ui.pressed(Key::open)) ui.push(OpenDialog{"open model"});
  if (ui.pressed(Key::describe)) ui.push(OpenDialog{"describe"});
  if (ui.pressed(Key::find)) ui.push(OpenDialog{kViewMenu});
  if (ui.pressed(Key::save)) say_if(sessions_.save(&ui, view_));
  if (ui.pressed(Key::report) && in.result) ui.push(OpenDialog{"report"});
  if (ui.pressed(Key::open_session)) ui.push(OpenDialog{"open session"});
  if (ui.field_active()) return;
  if (ui.pressed(Key::undo)) ui.push(Undo{});
  if (ui.pressed(Key::redo)) ui.push(Redo{});
  if (ui.pressed(Key::copy)) copy_shown(ui, in, inspector_, "matrix");
  if (ui.pressed(Key::copy_link)) say_if(sessions_.copy_link(ui, view_));
  if (ui.pressed(Key::larger) && !lecture_.on) set_scale(scale() + 0.25);
  if (ui.pressed(Key::smaller) && !lecture_.on) set_scale(scale() - 0.25);
  if (session_.watched()) return;
  if (!lesson_desk_.list.open && !quiet()) stage_keys(ui, in);
  if (ui.pressed(Key::escape)) {
    // First what lies over the stage, then the pin.
    if (lecture_.on)
      set_lecture(false);
    else if (lesson_desk_.list.open)
      lesson_desk_.list.open = false;
    else if (in.opened.decoding)
      in.opened.decoding = false;
    else if (in.opened.map)
      in.opened.map = false;
    else if (in.opened.inspector && !lessons_.taken())  // a lesson's card stays
      in.opened.inspector = false;
    else {
      decoding_.stop();
      slider_.stop();
      ui.push(ShowDecodeStep{-1});
      ui.push(ClearPin{});
      ui.push(ShowStep{{}, slides_recurrent(in)});
    }
    ui.ask_frame(0);
  }
  // The list lies over what the other letters are for.
  while (const auto letter = ui.typed())
    if ((!lesson_desk_.list.open && !quiet()) ||
        std::string_view(quiet() ? "lmi/?o" : "l?").find(*letter) != std::string_view::npos)
      key_letter(ui, in, *letter);
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

void Shell::stage_keys(ui::Ui& ui, const PanelInput& in) {
  using ui::Key;
  const auto to_view = [&](ViewKey key) {
    return in.input && in.view && in.view->key(key, *in.input, ui.commands());
  };
  const auto words = [&](Key key, char arrow, int count) {
    if (ui.pressed(key) && !to_view({arrow, count}))
      step_decoding(ui, in, arrow == ViewKey::left ? -count : count);
  };
  const auto layers = [&](Key key, char arrow, int by) {
    if (ui.pressed(key) && !to_view(arrow) && turn_layer(ui, in, by)) map_.fold();
  };
  if (ui.pressed(Key::space)) decoding_.play(ui, in);
  words(Key::right, ViewKey::right, 1);
  words(Key::left, ViewKey::left, 1);
  words(Key::home, ViewKey::left, kAllWords);
  words(Key::end, ViewKey::right, kAllWords);
  layers(Key::up, ViewKey::up, 1);
  layers(Key::down, ViewKey::down, -1);
  if (ui.pressed(Key::backspace)) go_back(ui, in);
  // In a lesson Enter answers and continues: it does not lead away from the page's picture.
  if (ui.pressed(Key::enter) && !lessons_.taken()) go_deeper(ui, in);
}

void Shell::key_letter(ui::Ui& ui, const PanelInput& in, char letter) {
  switch (letter) {
    case 'e':
      return open_attention(ui, in, AttentionKind::encoder);
    case 'd':
      return open_attention(ui, in, AttentionKind::decoder);
    case 'x':
      return open_attention(ui, in, AttentionKind::cross);
    case 't':
      if (layout_.hidden.train && !in.session.training()) return;
      if (in.session.training())
        ui.push(PauseTraining{});
      else if (in.session.snapshot())
        ui.push(Train{});
      return;
    case 'n':
      if (in.session.snapshot() && !in.session.training() && !layout_.hidden.train) ui.push(TrainOneStep{});
      return;
    case 'c':
      return start_or_stop_comparing(ui, in);
    case 's':
      if (in.result) ui.push(OpenDialog{"save figure"});
      return;
    case 'l':
      if (lecture_.on) set_lecture(false);
      lesson_desk_.list.open ? void(lesson_desk_.list.open = false) : lesson_desk_.list.show();
      return;
    case '?':
      return ui.push(OpenDialog{"keys"});
    case 'w':
      if (in.layout.bottom == BottomSize::low) in.opened.source_strip = !in.opened.source_strip;
      return;
    case 'm':
      if (!quiet() && in.input && in.view && in.view->key(letter, *in.input, ui.commands())) return;
      if (in.layout.map_over())
        in.opened.map = !in.opened.map;
      else if (!lessons_.taken())
        open_.map = !open_.map, keep_panels(open_, session_.settings());
      return;
    case 'i':
      return toggle_inspector();
    case '[':
      return slider_.show_next_kept(ui, in, -1);
    case ']':
      return slider_.show_next_kept(ui, in, 1);
    case 'o':
      return;  // held: the untouched model
    case '/':
      sentence_.focus();
      return;
    case '0':
      return choose_head(ui, in, -1);
    default:
      break;
  }
  if (letter >= '1' && letter <= '8') return choose_head(ui, in, letter - '1');
  if (in.input && in.view) in.view->key(letter, *in.input, ui.commands());
}

}  // namespace glassformer
