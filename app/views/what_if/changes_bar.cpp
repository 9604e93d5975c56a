#include "app/views/what_if/changes_bar.h"

#include <algorithm>
#include <cmath>

#include "app/reading/change_offers.h"
#include "app/widgets/marks.h"
#include "engine/model/what_if/change_kinds.h"

namespace glassformer {

namespace {

struct WayToChange {
  const char* title;
  const char* note;
  std::vector<ChangeKind> kinds;         // in use when one of them is there
  std::optional<Command> command = {};   // what a click asks for
  std::optional<PartsShown> parts = {};  // or which parts it shows here
  const char* more = nullptr;            // the view with the rest of it
  std::string trouble = {};              // why it does nothing in this model
  std::optional<Replacement> by = {};    // or by what the parts shown are replaced
};

// Values come from the Scene that stands beside this one; without one the way to it.
WayToChange take_a_value(const WhatIfScene& scene) {
  WayToChange offer{.title = "Take a value", .note = "of a second sentence: C", .kinds = {}};
  if (scene.input.other) {
    offer.note = "of the second: click a head";
    offer.by = Replacement::other;
  } else {
    offer.command = OpenDialog{"compare"};
  }
  return offer;
}

WayToChange at_once(const WhatIfScene& scene, WayToChange offer, ChangeKind kind) {
  const Change change = change_of(kind);
  offer.trouble = misfit(change, {*scene.plain.model, 0, 0});
  WhatIf next = open_changes(scene.input);
  next.set(change, !next.has(kind));
  offer.command = SetWhatIf{std::move(next)};
  return offer;
}

std::vector<WayToChange> ways_to_change(const WhatIfScene& scene) {
  using enum ChangeKind;
  return {
      {.title = "Mute a head", .note = "by 0 or its mean", .kinds = {mute_head}, .parts = PartsShown::heads},
      {.title = "Skip a sub-block",
       .note = "only the residual stays",
       .kinds = {mute_sub_block},
       .parts = PartsShown::sub_blocks},
      {.title = "Edit a row",
       .note = "of one head’s attention",
       .kinds = {edit_row, cut_weight, set_weight, hide_pair},
       .command = OpenView{"attention"}},
      at_once(scene,
              {.title = "Causal mask off",
               .note = "words see what follows",
               .kinds = {causal_mask_off, padding_mask_off},
               .more = "masks"},
              causal_mask_off),
      at_once(scene, {.title = "Scale off", .note = "no division by √k", .kinds = {scale_off}}, scale_off),
      at_once(scene,
              {.title = "Positions off",
               .note = "order is not told",
               .kinds = {positions_off, shift_positions, swap_positions, permute_positions},
               .more = "positions"},
              positions_off),
      {.title = "Swap a word",
       .note = "right click on its chip",
       .kinds = {swap_words},
       .command = OpenView{"tokens"}},
      {.title = "Force a word",
       .note = "the translation goes on",
       .kinds = {force_words},
       .command = OpenView{"output"}},
      {.title = "Change a weight",
       .note = "one cell of a matrix",
       .kinds = {edit_parameter},
       .command = OpenView{"parameters"}},
      take_a_value(scene),
  };
}

bool in_use(const WhatIfScene& scene, const WayToChange& offer) {
  return std::ranges::any_of(scene.what_if().changes, [&](const Change& change) {
    if (offer.kinds.empty()) return change.by == Replacement::other;
    return std::ranges::find(offer.kinds, change.kind) != offer.kinds.end();
  });
}

void take(ui::Ui& ui, const WayToChange& offer, WhatIfChoice& choice) {
  if (offer.parts) {
    choice.parts = *offer.parts;
    choice.part.reset();
  }
  if (offer.by) choice.by = *offer.by;
  if (offer.command) ui.push(*offer.command);
}

void draw_card(ui::Ui& ui, const Rect& card, const WhatIfScene& scene, const WayToChange& offer,
               WhatIfChoice& choice) {
  Canvas& canvas = ui.canvas();
  const Theme& theme = ui.theme();
  const bool enabled = offer.trouble.empty();
  const ui::Response response = ui.area(card, offer.title, "button", enabled);
  canvas.rectangle(card, {.fill = response.hovered && enabled ? theme.hover : theme.panel,
                          .outline = theme.control,
                          .radius = 6});
  const TextStyle title{.size = 14, .color = enabled ? theme.ink : theme.faint_text};
  const TextStyle note{.size = 12, .color = enabled ? theme.second_text : theme.faint_text};
  const float room = card.width - 40;
  canvas.text({card.x + 12, card.y + 15}, elided(canvas, offer.title, title, room), title);
  canvas.text({card.x + 12, card.y + 32}, elided(canvas, offer.note, note, room + 12), note);
  if (in_use(scene, offer)) canvas.circle({card.right() - 14, card.y + 14}, 4, theme.reference, {});
  ui.tooltip(card, offer.trouble);
  if (response.clicked && enabled) take(ui, offer, choice);
  if (!offer.more) return;
  const Rect way{card.right() - 28, card.bottom() - 24, 28, 24};
  const std::string label = std::string(offer.title) + ": more";
  const ui::Response more = ui.area(way, label, "button");
  draw_mark(canvas, way.center(), Mark::chevron_right, more.hovered ? theme.ink : theme.second_text, 8);
  ui.tooltip(way, "Opens the view with all of these");
  if (more.clicked) ui.push(OpenView{offer.more});
}

void draw_cards(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene, WhatIfChoice& choice) {
  constexpr int kColumns = 5;
  constexpr float kGap = 8;
  const std::vector<WayToChange> all = ways_to_change(scene);
  const float width = std::floor((at.changes.width - kGap * (kColumns - 1)) / kColumns);
  const float height = (at.changes.height - kGap) / 2;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto column = static_cast<float>(i % kColumns), row = static_cast<float>(i / kColumns);
    draw_card(ui,
              {at.changes.x + column * (width + kGap), at.changes.y + row * (height + kGap), width, height},
              scene, all[i], choice);
  }
}

// As many buttons as there is room for, the rest behind "3 more".
void draw_row(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene, WhatIfChoice& choice) {
  const std::vector<WayToChange> all = ways_to_change(scene);
  const Theme& theme = ui.theme();
  float x = at.changes.x + 64;
  const float more_width = 96;
  std::size_t i = 0;
  for (; i < all.size(); ++i) {
    const float width = std::ceil(ui.text_width(all[i].title, 12)) + 20;
    const bool last = i + 1 == all.size();
    if (x + width > at.changes.right() - (last ? 0 : more_width)) break;
    const Rect rect{x, at.changes.y, width, at.changes.height};
    const bool enabled = all[i].trouble.empty();
    const ui::Response response = ui.area(rect, all[i].title, "button", enabled);
    ui.canvas().rectangle(rect, {.fill = response.hovered && enabled ? theme.hover : theme.panel,
                                 .outline = theme.control,
                                 .radius = 6});
    ui.canvas().text(rect.center(), all[i].title,
                     {.size = 12, .color = enabled ? theme.ink : theme.faint_text, .x = AlignX::center});
    if (in_use(scene, all[i])) ui.canvas().circle({rect.right() - 5, rect.y + 5}, 3, theme.reference, {});
    ui.tooltip(rect, enabled ? all[i].note : all[i].trouble);
    if (response.clicked && enabled) take(ui, all[i], choice);
    x += width + 6;
  }
  if (i == all.size()) return;
  std::vector<ui::MenuItem> rest;
  for (std::size_t j = i; j < all.size(); ++j)
    rest.push_back({.label = all[j].title,
                    .keys = {},
                    .command = all[j].command,
                    .enabled = all[j].trouble.empty(),
                    .checked = in_use(scene, all[j]),
                    .divider = false,
                    .note = all[j].note});
  const std::optional<ui::MenuItem> taken = ui.Menu({x, at.changes.y, more_width - 8, at.changes.height},
                                                    std::to_string(rest.size()) + " more", rest);
  // What shows other parts here has no command.
  if (!taken || taken->command) return;
  const auto place = std::ranges::find(all, taken->label, &WayToChange::title);
  if (place != all.end()) take(ui, *place, choice);
}

}  // namespace

void draw_changes_bar(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene, WhatIfChoice& choice) {
  ui.canvas().text({at.inner.x, at.changes_heading}, at.cards ? "Change something else" : "Change",
                   {.font = Font::semibold, .size = 14, .color = ui.theme().ink});
  if (at.cards)
    draw_cards(ui, at, scene, choice);
  else
    draw_row(ui, at, scene, choice);
}

}  // namespace glassformer
