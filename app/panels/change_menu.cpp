#include "app/panels/change_menu.h"

#include <utility>
#include <vector>

#include "app/panels/layout.h"
#include "app/reading/change_offers.h"

namespace glassformer {

namespace {

void open(ui::Ui& ui, const Rect& at, std::vector<Offer> offers) {
  std::vector<ui::MenuItem> items;
  for (Offer& each : offers)
    items.push_back({.label = std::move(each.words),
                     .command = SetWhatIf{std::move(each.what_if)},
                     .checked = each.in_force});
  ui.open_menu(kChangeMenu, at, std::move(items));
}

}  // namespace

void open_block_menu(ui::Ui& ui, const PanelInput& in, const ValueName& block, const Rect& at) {
  if (const Snapshot* snapshot = in.session.snapshot())
    open(ui, at, block_offers(in.session.scene().what_if, block, snapshot->config));
}

void open_change_menu(ui::Ui& ui, const PanelInput& in) {
  const std::optional<ui::MenuWish> wish = ui.take_menu_wish();
  if (!in.input) return;
  if (wish) {
    if (const auto* pin = wish->click.get_if<SetPin>())
      open(ui, wish->at, change_offers(*in.input, pin->selection));
    return;
  }
  if (ui.popup_open() || ui.field_active() || !ui.pressed(ui::Key::menu)) return;
  const Rect& stage = in.layout.stage;
  open(ui, {stage.center().x, stage.y + kBreadcrumb, 1, 1}, change_offers(*in.input, in.session.pinned()));
}

}  // namespace glassformer
