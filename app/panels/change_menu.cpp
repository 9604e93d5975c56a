#include "app/panels/change_menu.h"

#include <algorithm>
#include <iterator>
#include <optional>
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

// The block that the stage is about, where that is not the selected attention.
std::optional<ValueName> block_shown(const PanelInput& in) {
  const std::string& view = in.view_name;
  if (view == "embedding" || view == "tokens" || view == "positions")
    return ValueName{BlockKind::embedding, ValueKind::whole, true};
  if (view == "output") return ValueName{BlockKind::output};
  std::optional<ValueName> block = read_name(in.computing);
  if (!block) return std::nullopt;
  block->value = ValueKind::whole;
  const Selection& pinned = in.session.pinned();
  const bool selected =
      attention_of(*block) == pinned.kind && block->layer == pinned.layer && pinned.head >= 0;
  return selected ? std::nullopt : block;
}

bool lies_in(const CellRef& cell, const ValueName& block) {
  std::optional<ValueName> name = read_name(cell.name);
  if (!name) return false;
  name->value = ValueKind::whole;
  return in_embedding(block.block) ? in_embedding(name->block) : *name == block;
}

// One cell shows a weight of the selected attention where no number is selected.
Selection cell_shown(const PanelInput& in) {
  Selection shown = in.session.pinned();
  if (shown.cell && shown.cell->name == in.computing) return shown;
  shown.cell.reset();
  shown.head = std::max(0, shown.head);
  shown.query = shown.query.value_or(0);
  shown.key = shown.key.value_or(0);
  return shown;
}

// Of what is selected, or else of the block that the stage is about.
std::vector<Offer> offers_shown(const PanelInput& in) {
  const ViewInput input = with_second(in);
  const Selection& pinned = in.session.pinned();
  if (in.view_name == "cell") return change_offers(input, cell_shown(in));
  const std::optional<ValueName> block = block_shown(in);
  if (block && !(pinned.cell && lies_in(*pinned.cell, *block))) return block_offers(input, *block);
  std::vector<Offer> of_pinned = change_offers(input, pinned);
  if (pinned.cell || !pinned.query || pinned.kind == AttentionKind::encoder) return of_pinned;
  // The word that stands at this place of the output, then what reads it.
  Selection place = pinned;
  place.cell = CellRef{output_value(ValueKind::logits), {0, *pinned.query}};
  std::vector<Offer> offers = change_offers(input, place);
  if (!offers.empty() && !of_pinned.empty()) of_pinned.front().divider = true;
  std::ranges::move(of_pinned, std::back_inserter(offers));
  return offers;
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
  open(ui, {stage.center().x, stage.y + kBreadcrumb, 1, 1}, offers_shown(in));
}

}  // namespace glassformer
