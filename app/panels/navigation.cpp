#include "app/panels/navigation.h"

#include <string_view>
#include <utility>

#include "app/panels/inspector_panel.h"

namespace glassformer {

Selection in_layer_of(Selection base, const std::string& name) {
  const std::optional<ValueName> read = read_name(name);
  const bool of_stack = read && (in_layer(read->block) || read->block == BlockKind::final_norm);
  const bool encoder = of_stack && read->encoder, was_encoder = base.kind == AttentionKind::encoder;
  // A parameter of cross-attention leaves the decoder's attention as it is.
  const bool tells = read && !(is_parameter(read->value) && read->block == BlockKind::cross_attention);
  if (const auto attention = tells ? attention_of(*read) : std::nullopt) {
    base = of_kind(std::move(base), *attention);
  } else if (encoder != was_encoder) {
    base = of_kind(std::move(base), encoder ? AttentionKind::encoder : AttentionKind::cross);
  }
  if (read && in_layer(read->block)) base.layer = read->layer;
  return base;
}

Selection selection_of(const Session& session, AttentionKind kind) {
  const Selection s = of_kind(session.pinned(), kind);
  return session.shown_steps() > 0 && !s.query ? at_step(s, session.shown_steps() - 1) : s;
}

void go_deeper(ui::Ui& ui, const PanelInput& in) {
  if (in.input && in.view && in.view->key(ViewKey::enter, *in.input, ui.commands())) return;
  Selection s = in.session.pinned();
  const bool number = in.input && s.cell && cell_to_work_out(*in.view, *in.input);
  if (in.view_name != "attention") return ui.push(OpenView{number ? "cell" : "attention"});
  if (s.head >= 0) return ui.push(OpenView{"head"});
  s.head = 0;
  s.cell.reset();
  ui.push(SetPin{s});
}

void go_up(ui::Ui& ui, const PanelInput& in, int levels) {
  Commands wanted;
  if (in.input && in.view && in.view->key({ViewKey::backspace, levels}, *in.input, wanted)) {
    const bool leaves =
        in.view_name == "cell" && levels == 1 && !wanted.empty() && !wanted.back().is<SetPin>();
    if (leaves && !in.before_cell.empty() && in.before_cell != "walk")
      wanted.back() = OpenView{in.before_cell};
    for (Command& each : wanted) ui.push(std::move(each));
    return;
  }
  Selection s = in.session.pinned();
  if (in.view_name != "attention") return ui.push(OpenView{"attention"});
  if (s.cell || s.query || s.key) return ui.push(ClearPin{});
  if (s.head < 0) return;
  s.head = -1;
  ui.push(SetPin{s});
}

}  // namespace glassformer
