#include "app/views/what_if/what_if.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/change_offers.h"
#include "app/session/change_words.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/marks.h"
#include "engine/math/error.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/change_kinds.h"
#include "engine/model/what_if/change_text.h"
#include "engine/text/printable.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

constexpr const char* kBetween = "   ";

// Places are named by the words that are there without the changes.
const SceneResult& plain_result(const WhatIfScene& scene) {
  return scene.input.result.plain ? *scene.input.result.plain : scene.input.result;
}

ChangeWords words_to_read(const WhatIfScene& scene) {
  return change_words(plain_result(scene), scene.input.tokenizers);
}

// A part of a sentence as one: "This model has 4 heads; there is no head 9."
std::string as_sentence(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words.ends_with('.') ? words : words + ".";
}

// As a source with such words is named.
std::string about_unknown(const WhatIfScene& scene, const std::string& text) {
  const Config& config = scene.input.snapshot.config;
  const UnknownWords found = unknown_words(text, words_to_read(scene), scene.input.tokenizers);
  const std::string source = unknown_words_sentence(found.source, format_count(config.source_vocab)),
                    target = unknown_words_sentence(found.target, format_count(config.target_vocab));
  return source + (source.empty() || target.empty() ? "" : " ") + target;
}

std::string why_not(const WhatIfScene& scene, const Change& change) {
  const SceneResult& plain = plain_result(scene);
  const std::string wrong = misfit(change, {*scene.plain.model, static_cast<int>(plain.source_words.size()),
                                            static_cast<int>(plain.target_in_words.size())});
  if (!wrong.empty() || change.by != Replacement::other) return wrong;
  return why_not_from_second(plain, scene.input.other, change);
}

}  // namespace

std::vector<std::string> change_examples(const WhatIfScene& scene) {
  const int layer = scene.plain.model->config.decoder_layers - 1;
  const auto reads = static_cast<int>(scene.plain.target_in.size()),
             keys = static_cast<int>(scene.plain.source.size());
  std::vector<Change> changes{mute_head(AttentionKind::cross, layer, 0)};
  changes.back().by = Replacement::mean;
  changes.push_back(mute_head(AttentionKind::cross, layer, 0));
  changes.back().kind = ChangeKind::set_weight;
  changes.back().row = std::min(1, reads - 1);
  changes.back().column = std::min(1, keys - 1);
  changes.back().amount = 0.5;
  if (keys > 2) {
    changes.push_back(change_of(ChangeKind::swap_words));
    changes.back().row = 0;
    changes.back().column = 1;
  }
  changes.push_back(change_of(ChangeKind::edit_parameter));
  changes.back().parameter = written({BlockKind::feed_forward, ValueKind::weight1, false, layer});
  changes.back().row = 0;
  changes.back().column = 1;
  changes.back().amount = 0.3;
  const ChangeWords words = words_to_read(scene);
  std::vector<std::string> texts;
  for (const Change& change : changes) texts.push_back(text_of(change, words));
  return texts;
}

WhatIf with_typed(const WhatIfScene& scene, const std::string& text) {
  const WhatIf read = read_what_if(text, words_to_read(scene));
  constexpr const char* kWhere = "what-if";
  if (read.empty()) throw Error(kWhere, "there is no change in it");
  WhatIf next = open_changes(scene.input);
  for (const Change& change : read.changes) {
    if (const std::string wrong = why_not(scene, change); !wrong.empty()) throw Error(kWhere, wrong);
    next.set(change, true);
  }
  if (next == open_changes(scene.input)) throw Error(kWhere, "it is in force already");
  return next;
}

void ChangeField::enter(ui::Ui& ui, const WhatIfScene& scene) {
  try {
    ui.push(SetWhatIf{with_typed(scene, text_)});
    unknown_ = about_unknown(scene, text_);
    text_.clear();
    error_.clear();
  } catch (const Error& error) {
    const std::string words = message_text(error.what());
    const std::size_t where = words.find(": ");
    error_ = as_sentence(where == std::string::npos ? words : words.substr(where + 2));
  }
}

void ChangeField::draw(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene) {
  const std::vector<std::string> examples = change_examples(scene);
  const ui::FieldEvent event =
      TextField(ui, at.field, "Change in words", text_,
                {.hint = "or type it, as " + examples.back(), .error = error_, .stays = true});
  if (event == ui::FieldEvent::changed || event == ui::FieldEvent::left) error_.clear(), unknown_.clear();
  if (event == ui::FieldEvent::left) text_.clear();
  if (event == ui::FieldEvent::entered) enter(ui, scene);

  Canvas& canvas = ui.canvas();
  TextStyle style = caption_style(canvas);
  const Rect line{at.field.x, at.field.bottom() + 2, at.field.width, 16};
  if (!error_.empty()) {
    style.color = ui.theme().wrong;
    canvas.text({line.x, line.center().y}, elided(canvas, error_, style, line.width), style);
    ui.tooltip(line, error_);
    return ui.note(line, "change not read", error_);
  }
  if (!unknown_.empty()) {
    canvas.text({line.x, line.center().y}, elided(canvas, unknown_, style, line.width), style);
    ui.tooltip(line, unknown_);
    return ui.note(line, "unknown words of the change", unknown_);
  }
  // As many examples as there is room for.
  std::string help = "Enter adds it, as on the command line:";
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const std::string more = help + (i == 0 ? " " : kBetween) + examples[i];
    if (canvas.measure(more, style).x > line.width) continue;
    help = more;
  }
  canvas.text({line.x, line.center().y}, elided(canvas, help, style, line.width), style);
  ui.note(line, "how changes are written", help);
}

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

// Values come from the Scene that is beside this one; without one the way to it.
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
  const std::optional<ui::MenuItem> taken = Menu(ui, {x, at.changes.y, more_width - 8, at.changes.height},
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
