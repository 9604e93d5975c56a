#include <algorithm>

#include "app/format/csv.h"
#include "app/format/number_format.h"
#include "app/panels/shell.h"
#include "app/panels/stage.h"
#include "app/widgets/formula.h"

namespace glassformer {

constexpr int kAllWords = 1'000'000;

namespace {

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

// What a dialog or a menu needs it has taken before. While a text field has the keyboard only those count
// that no field knows.
void Shell::keyboard(ui::Ui& ui, const PanelInput& in) {
  using ui::Key;
  decoding_.go_on_playing(ui, in);
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
  if (ui.popup_open()) return;
  if (!dialogs_.open.empty()) {
    if (!ui.field_active() && ui.pressed(Key::escape)) dialogs_.leave();
    return;
  }
  start_keys(ui);
  if (ui.pressed(Key::open)) ui.push(OpenDialog{"open model"});
  if (ui.pressed(Key::describe)) ui.push(OpenDialog{"describe"});
  if (ui.pressed(Key::find)) ui.push(OpenDialog{kViewMenu});
  if (ui.pressed(Key::save)) save_session();
  if (ui.pressed(Key::report) && in.result) ui.push(OpenDialog{"report"});
  if (ui.pressed(Key::open_session)) ui.push(OpenDialog{"open session"});
  if (ui.field_active()) return;
  if (ui.pressed(Key::undo)) ui.push(Undo{});
  if (ui.pressed(Key::redo)) ui.push(Redo{});
  if (ui.pressed(Key::copy)) copy(ui, in, "matrix");
  if (ui.pressed(Key::copy_link)) copy_link(ui);
  if (ui.pressed(Key::larger) && !lecture_.on) set_scale(scale() + 0.25);
  if (ui.pressed(Key::smaller) && !lecture_.on) set_scale(scale() - 0.25);
  if (session_.watched()) return;
  if (!lesson_list_.open && !quiet()) stage_keys(ui, in);
  if (ui.pressed(Key::escape)) {
    // First what lies over the stage, then the pin.
    if (lecture_.on)
      set_lecture(false);
    else if (lesson_list_.open)
      lesson_list_.open = false;
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
      ui.push(ShowStep{});
    }
    ui.ask_frame(0);
  }
  // The list lies over what the other letters are for.
  while (const auto letter = ui.typed())
    if ((!lesson_list_.open && !quiet()) ||
        std::string_view(quiet() ? "lmi/?o" : "l?").find(*letter) != std::string_view::npos)
      key_letter(ui, in, *letter);
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
    if (ui.pressed(key) && !to_view(arrow)) change_layer(ui, in, by);
  };
  if (ui.pressed(Key::space)) decoding_.play(ui, in);
  words(Key::right, ViewKey::right, 1);
  words(Key::left, ViewKey::left, 1);
  words(Key::home, ViewKey::left, kAllWords);
  words(Key::end, ViewKey::right, kAllWords);
  layers(Key::up, ViewKey::up, 1);
  layers(Key::down, ViewKey::down, -1);
  if (ui.pressed(Key::backspace)) go_back(ui, in);
  // In a lesson Enter answers and goes on: it does not lead away from the page's picture.
  if (ui.pressed(Key::enter) && !lessons_.taken()) go_deeper(ui, in);
}

void Shell::key_letter(ui::Ui& ui, const PanelInput& in, char letter) {
  const auto attention = [&](AttentionKind kind) {
    Selection s = selection_of(in.session, kind);
    const Snapshot* snapshot = in.session.snapshot();
    if (!snapshot) return;
    const int layers =
        kind == AttentionKind::encoder ? snapshot->config.encoder_layers : snapshot->config.decoder_layers;
    s.layer = std::clamp(s.layer, 0, std::max(0, layers - 1));
    ui.push(SetPin{s});
    if (in.view->traits().shows_block)
      ui.push(OpenStep{.cell = {attention_value(kind, s.layer, ValueKind::output), {}}, .pin = false});
    else if (!in.view->traits().follows_kind)
      ui.push(OpenView{"attention"});
  };
  const auto head = [&](int h) {
    const Snapshot* snapshot = in.session.snapshot();
    if (!snapshot || h >= snapshot->config.heads) return;
    Selection s = in.session.pinned();
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
      lesson_list_.open ? void(lesson_list_.open = false) : lesson_list_.show();
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
        open_.map = !open_.map, keep_panels();
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
      return head(-1);
    default:
      break;
  }
  if (letter >= '1' && letter <= '8') return head(letter - '1');
  if (in.input && in.view) in.view->key(letter, *in.input, ui.commands());
}

void Shell::change_layer(ui::Ui& ui, const PanelInput& in, int by) {
  const Snapshot* snapshot = in.session.snapshot();
  if (!snapshot) return;
  Selection s = in.session.pinned();
  const Config& config = snapshot->config;
  const int layers = s.kind == AttentionKind::encoder ? config.encoder_layers : config.decoder_layers;
  const int layer = std::clamp(s.layer + by, 0, std::max(0, layers - 1));
  if (layer == s.layer) return;
  s.layer = layer;
  s.cell.reset();
  map_.fold();
  ui.push(SetPin{s});
}

void Shell::copy(ui::Ui& ui, const PanelInput& in, const std::string& what) {
  const std::optional<ViewInput>& input = in.input;
  if (!input || !in.view) return;
  std::string text;
  if (what == "sentence") {
    text = (input->result.scene.sentences.empty() ? std::string()
                                                  : input->result.scene.sentences.front().source) +
           "\t" + input->result.translation;
  } else if (what == "formula") {
    if (const auto shown = inspector_.page(in))
      for (const InspectorSection& section : shown->sections)
        for (const Formula& formula : section.formulas) text += formula_as_text(formula) + "\n";
  } else {
    // Tab-separated, as spreadsheets take it.
    const std::vector<NumberTable> tables =
        shown_numbers(*in.view, in.comparing.shown_input(in.session, *input));
    if (tables.empty()) return;
    const NumberTable& table = tables.front();
    for (const std::string& column : table.columns) text += "\t" + column;
    text += "\n";
    for (size_t r = 0; r < table.values.size(); ++r) {
      text += r < table.rows.size() ? table.rows[r] : std::string();
      for (const double value : table.values[r]) text += "\t" + csv_number(value);
      text += "\n";
    }
  }
  if (!text.empty()) ui.push(CopyText{to_file_text(text)});
}

}  // namespace glassformer
