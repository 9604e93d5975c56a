#include <algorithm>
#include <utility>

#include "app/format/number_format.h"
#include "app/panels/shell.h"
#include "app/widgets/formula.h"

namespace glassformer {

// Keys count only when no text field has the keyboard; what a dialog or a menu needs it has taken before.
void Shell::keyboard() {
  ui::Ui& ui = *ui_;
  using ui::Key;
  go_on_playing();
  if (std::exchange(picked_twice_, false)) go_deeper();
  if (ui.pressed(Key::quit)) wants_close_ = true;
  if (ui.field_active() || ui.popup_open()) return;
  if (!dialogs_.open.empty()) {
    if (ui.pressed(Key::escape)) dialogs_.leave();
    return;
  }
  if (ui.pressed(Key::undo)) ui.push(Undo{});
  if (ui.pressed(Key::redo)) ui.push(Redo{});
  if (ui.pressed(Key::copy)) copy("matrix");
  if (ui.pressed(Key::open)) ui.push(OpenDialog{"open model"});
  if (ui.pressed(Key::larger)) set_scale(scale() + 0.25);
  if (ui.pressed(Key::smaller)) set_scale(scale() - 0.25);
  if (ui.pressed(Key::space)) play();
  if (ui.pressed(Key::right)) step_decoding(1);
  if (ui.pressed(Key::left)) step_decoding(-1);
  if (ui.pressed(Key::home)) step_decoding(-1'000'000);
  if (ui.pressed(Key::end)) step_decoding(1'000'000);
  if (ui.pressed(Key::up)) change_layer(1);
  if (ui.pressed(Key::down)) change_layer(-1);
  if (ui.pressed(Key::backspace)) go_up();
  if (ui.pressed(Key::enter)) go_deeper();
  if (ui.pressed(Key::escape)) {
    // First what lies over the stage, then the pin.
    if (decode_open_)
      decode_open_ = false;
    else if (map_open_)
      map_open_ = false;
    else if (inspector_open_)
      inspector_open_ = false;
    else {
      playing_ = false;
      replay_from_.reset();
      ui.push(ShowDecodeStep{-1});
      ui.push(ClearPin{});
      ui.push(ShowStep{});
    }
    ui.ask_frame(0);
  }
  while (const auto letter = ui.typed()) key_letter(*letter);
}

void Shell::key_letter(char letter) {
  ui::Ui& ui = *ui_;
  const auto attention = [&](AttentionKind kind) {
    Selection s = selection_of(kind);
    const Snapshot* snapshot = session_.snapshot();
    if (!snapshot) return;
    const int layers =
        kind == AttentionKind::encoder ? snapshot->config.encoder_layers : snapshot->config.decoder_layers;
    s.layer = std::clamp(s.layer, 0, std::max(0, layers - 1));
    ui.push(SetPin{s});
    if (current_view()->shows_block())
      ui.push(OpenStep{.cell = {attention_value(kind, s.layer, ValueKind::output), {}}, .pin = false});
    else if (!current_view()->follows_kind())
      ui.push(OpenView{"attention"});
  };
  const auto head = [&](int h) {
    const Snapshot* snapshot = session_.snapshot();
    if (!snapshot || h >= snapshot->config.heads) return;
    Selection s = session_.pinned();
    s.head = h;
    s.cell.reset();
    ui.push(SetPin{s});
  };
  switch (letter) {
    case 'e':
      return attention(AttentionKind::encoder);
    case 'd':
      return attention(AttentionKind::decoder);
    case 'x':
      return attention(AttentionKind::cross);
    case 't':
      if (session_.training())
        ui.push(PauseTraining{});
      else if (session_.snapshot())
        ui.push(Train{});
      return;
    case 'n':
      if (session_.snapshot() && !session_.training()) ui.push(TrainOneStep{});
      return;
    case 'c':
      return start_or_stop_comparing();
    case 's':
      if (result_) ui.push(OpenDialog{"save figure"});
      return;
    case '?':
      return ui.push(OpenDialog{"keys"});
    case 'w':
      if (layout_.bottom == BottomSize::low) source_strip_ = !source_strip_;
      return;
    case 'm':
      if (layout_.map_place == MapPlace::rail || layout_.map_place == MapPlace::hidden)
        map_open_ = !map_open_;
      return;
    case 'i':
      if (layout_.inspector_place != InspectorPlace::column) inspector_open_ = !inspector_open_;
      return;
    case '[':
      return show_next_kept(-1);
    case ']':
      return show_next_kept(1);
    case 'o':
      return;  // held: the untouched model
    case '/':
      focus_source_ = true;
      return;
    case '0':
      return head(-1);
    default:
      break;
  }
  if (letter >= '1' && letter <= '8') return head(letter - '1');
  if (const auto input = view_input(); input && current_view())
    current_view()->key(letter, *input, ui.commands());
}

// The selection on another attention, at the step where the decoding stands.
Selection Shell::selection_of(AttentionKind kind) const {
  const Selection s = of_kind(session_.pinned(), kind);
  return session_.shown_steps() > 0 && !s.query ? at_step(s, session_.shown_steps() - 1) : s;
}

void Shell::change_layer(int by) {
  const Snapshot* snapshot = session_.snapshot();
  if (!snapshot) return;
  Selection s = session_.pinned();
  const Config& config = snapshot->config;
  const int layers = s.kind == AttentionKind::encoder ? config.encoder_layers : config.decoder_layers;
  const int layer = std::clamp(s.layer + by, 0, std::max(0, layers - 1));
  if (layer == s.layer) return;
  s.layer = layer;
  s.cell.reset();
  map_encoder_.reset();
  map_decoder_.reset();
  ui_->push(SetPin{s});
}

// Deeper: from all heads to the first one, from a head to its pipeline, from a pinned number of any other
// view to that number, else to the attention.
void Shell::go_deeper() {
  const auto input = view_input();
  if (View* view = current_view(); input && view && view->deeper(*input, ui_->commands())) return;
  Selection s = session_.pinned();
  const bool number = input && s.cell && cell_to_work_out(*input);
  if (view_ != "attention") return ui_->push(OpenView{number ? "cell" : "attention"});
  if (s.head >= 0) return ui_->push(OpenView{"head"});
  s.head = 0;
  s.cell.reset();
  ui_->push(SetPin{s});
}

// Up: from a pinned number to its head, from a head to the mean of all, from any other view to the attention;
// from the cell that a way began with to the view in which it began.
void Shell::go_up(int levels) {
  const auto input = view_input();
  Commands wanted;
  if (View* view = current_view(); input && view && view->up(levels, *input, wanted)) {
    const bool leaves = view_ == "cell" && levels == 1 && !wanted.empty() && !wanted.back().is<SetPin>();
    if (leaves && !before_cell_.empty() && before_cell_ != "walk") wanted.back() = OpenView{before_cell_};
    for (Command& each : wanted) ui_->push(std::move(each));
    return;
  }
  Selection s = session_.pinned();
  if (view_ != "attention") return ui_->push(OpenView{"attention"});
  if (s.cell || s.query || s.key) return ui_->push(ClearPin{});
  if (s.head < 0) return;
  s.head = -1;
  ui_->push(SetPin{s});
}

void Shell::copy(const std::string& what) {
  const auto input = view_input();
  if (!input || !current_view()) return;
  std::string text;
  if (what == "sentence") {
    text = (input->result.scene.sentences.empty() ? std::string()
                                                  : input->result.scene.sentences.front().source) +
           "\t" + input->result.translation;
  } else if (what == "formula") {
    if (const auto shown = page())
      for (const InspectorSection& section : shown->sections)
        for (const Formula& formula : section.formulas) text += formula_as_text(formula) + "\n";
  } else {
    // Tab-separated, as spreadsheets take it.
    const std::vector<NumberTable> tables = shown_numbers(*current_view(), shown_input(*input));
    if (tables.empty()) return;
    const NumberTable& table = tables.front();
    for (const std::string& column : table.columns) text += "\t" + column;
    text += "\n";
    for (size_t r = 0; r < table.values.size(); ++r) {
      text += r < table.rows.size() ? table.rows[r] : std::string();
      for (const double value : table.values[r]) text += "\t" + format_file(value);
      text += "\n";
    }
  }
  if (!text.empty()) ui_->push(CopyText{to_file_text(text)});
}

}  // namespace glassformer
