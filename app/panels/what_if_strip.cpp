#include "app/panels/what_if_strip.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/layout.h"
#include "app/panels/styles.h"
#include "app/reading/change_offers.h"
#include "app/session/change_words.h"
#include "app/session/measuring.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

constexpr float kChipGap = 8, kChipCross = 32;  // between parts; of a chip, right of its words
constexpr float kLeastChip = 96;                // narrower than this its words say nothing

// What a change takes was taken once, and the sentence may be another by now: its values still go in where
// both have a place. Empty: they are as many, or the place is named.
std::string why_in_part(const Change& change, const SceneResult& plain, const SceneResult& result) {
  const std::shared_ptr<const Trace>& other = result.scene.substitutes.other;
  if (change.by != Replacement::other || change.row != kEverywhere || !other) return {};
  return places_apart(*plain.trace, *other, change);
}

// Why a change does nothing in this model and sentence; empty: it does something. What it takes from
// elsewhere is not asked for while it is still to come.
std::string why_idle(const Change& change, const SceneResult& plain, const SceneResult& result,
                     bool to_come) {
  const std::string wrong =
      misfit(change, {*plain.snapshot->weights, static_cast<int>(plain.source_words.size()),
                      static_cast<int>(plain.target_in_words.size())});
  if (!wrong.empty() || to_come) return wrong;
  const Substitutes& substitutes = result.scene.substitutes;
  if (change.by == Replacement::mean && !substitutes.means)
    return "the held-out sentences to take a mean over are not known";
  if (change.by == Replacement::other && !substitutes.other)
    return "there was no second Scene to take the value from; compare, then choose it again";
  if (change.by == Replacement::other && change.row != kEverywhere)
    return places_apart(*plain.trace, *substitutes.other, change);
  return {};
}

// A mean that is wanted is not known yet: the sentences that it is taken over are being read, or run through.
bool awaits_means(const PanelInput& in) {
  return in.result && glassformer::wants(in.session.scene().what_if, Replacement::mean) &&
         !in.result->scene.substitutes.means &&
         (in.session.working() || in.session.all_shown()->training_text_state == TextState::reading);
}

// The changes as chips, as many as there is room for, and how many more there are.
class Chips {
 public:
  Chips(ui::Ui& ui, const PanelInput& in, bool to_come) : ui_(ui), in_(in), to_come_(to_come) {
    // In the words that are there without them.
    if (in.result) plain_ = in.result->plain ? in.result->plain.get() : in.result;
    if (plain_) words_ = change_words(*plain_, in.session.tokenizers());
  }

  void draw(float x, float right, float y) {
    const std::size_t count = changes().size();
    for (std::size_t i = 0; i < count; ++i) {
      // The count of the others needs its place as well.
      const std::size_t others = count - i - 1;
      const float room = right - x - (others > 0 ? kChipGap + width_of(more(others), more_style()) : 0);
      const std::string text = chip_words(changes()[i], words_);
      const float wanted = width_of(text, text_style()) + 12 + kChipCross;
      if (wanted > room && (i > 0 || room < kLeastChip)) return draw_rest(i, x, right, y);
      const Rect chip{x, y - 14, std::min(wanted, room), 28};
      draw_chip(i, text, chip);
      x = chip.right() + kChipGap;
    }
  }

 private:
  const std::vector<Change>& changes() const { return in_.session.scene().what_if.changes; }
  TextStyle text_style() const { return {.size = 14, .color = in_.theme.ink}; }
  TextStyle more_style() const { return styles::caption(in_.theme); }
  float width_of(const std::string& text, const TextStyle& style) const {
    return std::ceil(ui_.canvas().measure(text, style).x);
  }
  static std::string more(std::size_t count) { return "+ " + std::to_string(count) + " more"; }

  void draw_rest(std::size_t first, float x, float right, float y) {
    const std::size_t count = changes().size() - first;
    const std::string all =
        first > 0 ? more(count) : std::to_string(count) + (count == 1 ? " change" : " changes");
    const std::string text = elided(ui_.canvas(), all, more_style(), std::max(0.0f, right - x));
    const Rect place{x, y - 10, width_of(text, more_style()), 20};
    ui_.canvas().text({x, y}, text, more_style());
    std::string each;
    for (std::size_t i = first; i < changes().size(); ++i)
      each += (each.empty() ? "" : ", ") + chip_words(changes()[i], words_);
    ui_.note(place, "more changes", all + ": " + each);
    ui_.tooltip(place, each);
  }

  void draw_chip(std::size_t index, const std::string& text, const Rect& chip) {
    Canvas& canvas = ui_.canvas();
    const Theme& t = in_.theme;
    const float y = chip.center().y;
    canvas.rectangle(chip, {.fill = t.sunken, .outline = t.border, .radius = 6});
    TextStyle style = text_style();
    const std::string shown = elided(canvas, text, style, chip.width - 12 - kChipCross);
    std::string tip = shown == text ? std::string() : text;
    ui_.note(chip, "change: " + text, shown);
    const std::string idle =
        plain_ ? why_idle(changes()[index], *plain_, *in_.result, to_come_) : std::string();
    if (!idle.empty()) {
      style.color = t.second_text;
      tip += (tip.empty() ? "" : "\n") + ("Does nothing here: " + idle);
      ui_.note(chip, "idle: " + text, idle);
    } else if (plain_ && !to_come_) {
      const std::string part = why_in_part(changes()[index], *plain_, *in_.result);
      if (!part.empty()) {
        tip += (tip.empty() ? "" : "\n") + ("Only at the places that both have: " + part);
        ui_.note(chip, "in part: " + text, part);
      }
    }
    ui_.tooltip(chip, tip);
    canvas.text({chip.x + 12, y}, shown, style);
    if (!idle.empty())
      canvas.line({chip.x + 12, y}, {chip.right() - kChipCross, y}, {.color = t.second_text});
    const Rect cross{chip.right() - 28, y - 14, 28, 28};
    const ui::Response response = ui_.area(cross, "undo: " + text, "button");
    ui::draw_icon(canvas, ui::Icon::close, cross.center(), response.hovered ? t.ink : t.second_text);
    if (response.clicked) ui_.push(SetWhatIf{in_.session.scene().what_if.without(index)});
  }

  ui::Ui& ui_;
  const PanelInput& in_;
  const SceneResult* plain_ = nullptr;
  ChangeWords words_;
  bool to_come_;
};

}  // namespace

void draw_what_if_strip(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.rectangle(rect, {.fill = t.panel, .outline = t.reference, .outline_width = 2, .radius = 6});
  const float y = rect.center().y;
  const TextStyle strong{.font = Font::semibold, .size = 14, .color = t.reference};
  const float begin = rect.x + 16 + std::ceil(canvas.measure("Changed", strong).x);
  canvas.text({rect.x + 16, y}, "Changed", strong);
  ui.note({rect.x + 16, y - 10, begin - rect.x - 16, 20}, "what the strip is", "Changed");
  const float undo = ui.button_width("Undo all");
  float right = rect.right() - 12;
  // What the views show is of before.
  const bool means = awaits_means(in);
  const bool computing =
      means || (in.result && in.session.working() && in.result->scene.what_if != in.session.scene().what_if);
  if (computing) {
    const float room = right - undo - kChipGap - begin - 16;
    std::string said = means ? "taking the mean…" : "computing…";
    if (std::ceil(canvas.measure(said, strong).x) > room) said = "…";
    const float width = std::ceil(canvas.measure(said, strong).x);
    canvas.text({right - width, y}, said, strong);
    const Rect place{right - width, y - 10, width, 20};
    const std::string why = means
                                ? "of before the change: the mean is being taken over the held-out sentences"
                                : "of before the change: computing…";
    ui.note(place, "what is shown", why);
    ui.tooltip(place, "What is shown is " + why);
    right -= width + kChipGap;
  } else if (rect.width > 480) {
    draw_keycap(canvas, {right - 50, y}, "hold O");
    ui.tooltip({right - 50, y - 10, 50, 20}, "While O is held, the untouched model is shown");
    right -= 64;
  }
  if (QuietButton(ui, {right - undo, y - 16, undo, 32}, "Undo all")) ui.push(SetWhatIf{});
  // With O held it is the untouched model.
  const bool of_before = in.result && in.result->scene.what_if != in.session.scene().what_if;
  Chips(ui, in, means || of_before).draw(begin + 16, right - undo - kChipGap, y);
}

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
  ui.popup.open_menu(kChangeMenu, at, std::move(items));
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
  // The word that is at this place of the output, then what reads it.
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
  if (ui.popup.is_open() || ui.field_active() || !ui.pressed(ui::Key::menu)) return;
  const Rect& stage = in.layout.stage;
  open(ui, {stage.center().x, stage.y + kBreadcrumb, 1, 1}, offers_shown(in));
}

}  // namespace glassformer
