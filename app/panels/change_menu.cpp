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
                     .enabled = each.enabled,
                     .checked = each.in_force,
                     .divider = each.divider,
                     .note = std::move(each.note)});
  ui.open_menu(kChangeMenu, at, std::move(items));
}

// A change is made in the open Scene, wherever of two it was asked for; values come from the second.
ViewInput with_second(const PanelInput& in) {
  ViewInput input = *in.input;
  const Compared* const compared = in.session.compared();
  input.other = compared ? compared->second.get() : nullptr;
  return input;
}

}  // namespace

void open_block_menu(ui::Ui& ui, const PanelInput& in, const ValueName& block, const Rect& at) {
  if (in.input) open(ui, at, block_offers(with_second(in), block));
}

void open_change_menu(ui::Ui& ui, const PanelInput& in) {
  const std::optional<ui::MenuWish> wish = ui.take_menu_wish();
  if (!in.input) return;
  if (wish) {
    if (const auto* pin = wish->about.get_if<SetPin>()) {
      open(ui, wish->at, change_offers(with_second(in), pin->selection));
    } else if (const auto* set = wish->about.get_if<SetWhatIf>()) {
      if (const Change* const force = set->what_if.find(ChangeKind::force_words))
        open(ui, wish->at, beginning_offers(with_second(in), force->numbers));
    } else if (const auto* step = wish->about.get_if<OpenStep>()) {
      if (const std::optional<ValueName> name = read_name(step->cell.name))
        open_block_menu(ui, in, {name->block, ValueKind::whole, name->encoder, name->layer}, wish->at);
    }
    return;
  }
  if (ui.popup_open() || ui.field_active() || !ui.pressed(ui::Key::menu)) return;
  const Rect& stage = in.layout.stage;
  open(ui, {stage.center().x, stage.y + kBreadcrumb, 1, 1},
       change_offers(with_second(in), in.session.pinned()));
}

}  // namespace glassformer
