#include "app/views/what_if/what_if.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/session/change_words.h"
#include "app/session/measuring.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "engine/model/what_if/what_if_tap.h"

namespace glassformer {

namespace {

constexpr const char* kWordsPart = "words";
constexpr const char* kPartsNames[] = {"heads", "sub-blocks", "layer × place"};

// The part that lies in a direction from another, across groups; the same where none does.
std::size_t neighbour(const WhatIfScene& scene, std::size_t part, int across, int down) {
  std::size_t first = 0;
  int column = 0, row = 0, before = 0, total = 0;
  std::vector<std::size_t> firsts;
  for (const PartGroup& group : scene.groups) {
    firsts.push_back(first);
    const auto columns = static_cast<int>(group.columns.size());
    if (part >= first && part < first + group.count()) {
      row = static_cast<int>(part - first) / columns;
      column = before + static_cast<int>(part - first) % columns;
    }
    before += columns;
    first += group.count();
  }
  total = before;
  column = std::clamp(column + across, 0, std::max(0, total - 1));
  row += down;
  for (std::size_t g = 0; g < scene.groups.size(); ++g) {
    const PartGroup& group = scene.groups[g];
    const auto columns = static_cast<int>(group.columns.size());
    if (column < columns) {
      row = std::clamp(row, 0, std::max(0, group.layers - 1));
      return firsts[g] + static_cast<std::size_t>(row * columns + column);
    }
    column -= columns;
  }
  return part;
}

// The sentence's loss at the right end of the title; returns what it takes.
float draw_loss(Canvas& canvas, Point right, const WhatIfScene& scene) {
  if (!scene.effects) return 0;
  std::string loss = format_loss(scene.effects->loss_before);
  if (scene.changed()) loss += " → " + format_loss(scene.effects->loss_after);
  const TextStyle number{.font = Font::mono, .size = 14, .color = canvas.theme().ink, .x = AlignX::right};
  canvas.text(right, loss, number);
  const float width = canvas.measure(loss, number).x + 8;
  TextStyle words = caption_style(canvas);
  words.x = AlignX::right;
  std::string label = "loss, " + given_words(scene.input, 0);
  if (reads_ahead(scene.what_if())) label += ", each after the words so far";
  canvas.text({right.x - width, right.y}, label, words);
  return width + canvas.measure(label, words).x + 16;
}

std::vector<std::string> block_choices() {
  std::vector<std::string> names;
  for (const ValueName& block : part_blocks()) names.push_back(block_words(block));
  return names;
}

// Of the Scene's changes, one after another.
std::string changes_in_words(const ViewInput& input, const WhatIfScene& scene) {
  const ChangeWords names = change_words(input.result, input.tokenizers);
  std::string text = "Changed: ";
  for (std::size_t i = 0; i < scene.what_if().changes.size(); ++i)
    text += (i == 0 ? "" : "; ") + chip_words(scene.what_if().changes[i], names);
  return text + ".";
}

}  // namespace

std::unique_ptr<View> make_what_if_view() {
  return std::make_unique<WhatIfView>();
}

WhatIfScene WhatIfView::scene(const ViewInput& input, bool at_once) const {
  return what_if_scene(input, choice_, *work_, at_once);
}

ViewTraits WhatIfView::traits() const {
  std::string state = kPartsNames[static_cast<int>(choice_.parts)];
  state += choice_.by == Replacement::mean    ? ", by its mean"
           : choice_.by == Replacement::other ? ", from the second"
                                              : ", by 0";
  if (choice_.held_out) state += ", held-out";
  return {.shows = is_compared_word,
          .follows_kind = true,
          .wants_training_text = true,
          .busy = work_->busy(),
          .state = state,
          .panels = {kWordsPart}};
}

void WhatIfView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const WhatIfScene shown = scene(input, canvas.is_file());
  const WhatIfLayout at = layout_what_if(area, shown, canvas.is_file());
  const float reserved = draw_loss(canvas, {at.inner.right(), area.y + 25}, shown);
  // The strip that names the changes in the window is no part of a file.
  const std::string subtitle =
      canvas.is_file() && shown.changed() ? changes_in_words(input, shown) : what_if_subtitle(shown);
  draw_stage_title(canvas, area, what_if_title(shown), at.subtitle ? subtitle : "", reserved);
  const auto words = words_of_place(shown, *work_, canvas.is_file());
  draw_words(canvas, at, shown, words.get());
  draw_parts(canvas, at, shown);
}

void WhatIfView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const WhatIfScene shown = scene(input, canvas.is_file());
  draw_words_alone(canvas, layout_words(area.inset(kStagePadding), shown), shown);
}

bool WhatIfView::open_panel(std::string_view name) {
  part_ = name;
  return true;
}

Point WhatIfView::minimum_size(const ViewInput& input) const {
  return what_if_minimum(scene(input, false));
}

void WhatIfView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const WhatIfScene shown = scene(input, false);
  const WhatIfLayout at = layout_what_if(area, shown, false);
  switches(ui, at, shown);
  tiles(ui, at, shown);
  draw_changes_bar(ui, at, shown, choice_);
  field_.draw(ui, at, shown);
  keys(ui, shown);
}

void WhatIfView::switches(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& shown) {
  constexpr float kGap = 12;
  const std::vector<std::string> parts(std::begin(kPartsNames), std::end(kPartsNames));
  std::vector<std::string> by{"by 0", "its mean"};
  if (shown.input.other) by.emplace_back("the second");
  const std::vector<std::string> over{
      "This sentence",
      std::to_string(shown.pairs ? shown.pairs->sentences() : int(kMeasuringPairs)) + " held-out"};
  // Set in 12 px at this height, so that they need less than they ask for; where even that is too much, they
  // share what there is.
  const float asked[] = {ui.segmented_width(parts) * 0.92f, ui.segmented_width(by) * 0.92f,
                         ui.segmented_width(over) * 0.92f};
  const float room = at.bare_switches ? at.heading.width - 2 * kGap : asked[0] + asked[1] + asked[2];
  const float share = std::min(1.0f, room / (asked[0] + asked[1] + asked[2]));
  float x = at.heading.right();
  const auto next = [&](int which) {
    const float width = std::floor(asked[which] * share);
    x -= width;
    const Rect rect{std::round(x), at.heading.y, width, at.heading.height};
    x -= kGap;
    return rect;
  };
  const Rect last = next(2);
  if (choice_.parts == PartsShown::places) {
    if (Combo(ui, last, "Places of", block_choices(), choice_.block)) choice_.part.reset();
  } else {
    int held_out = choice_.held_out ? 1 : 0;
    if (Segmented(ui, last, "Loss over", over, held_out)) choice_.held_out = held_out == 1;
  }
  constexpr Replacement kBy[] = {Replacement::zero, Replacement::mean, Replacement::other};
  int replaced = static_cast<int>(std::ranges::find(kBy, shown.choice.by) - std::begin(kBy));
  const Rect by_rect = next(1);
  if (Segmented(ui, by_rect, "Replaced", by, replaced)) choice_.by = kBy[replaced];
  if (by.size() > 2)
    ui.tooltip(
        by_rect,
        "“the second” puts in what the second Scene has, place by place: as many in both, or one place "
        "alone");
  int which = static_cast<int>(choice_.parts);
  if (Segmented(ui, next(0), "Mute each", parts, which)) {
    choice_.parts = static_cast<PartsShown>(which);
    choice_.part.reset();
  }
}

void WhatIfView::choose(ui::Ui& ui, const WhatIfScene& shown, std::size_t part) {
  const Change& change = shown.change(part);
  if (choice_.parts != PartsShown::heads) choice_.part = part;
  ui.push(SetPin{selecting_part(shown.input.pinned, change)});
}

void WhatIfView::tiles(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& shown) {
  for (std::size_t part = 0; part < shown.count(); ++part) {
    const Rect tile = at.tile(shown, part);
    const ui::Response response = ui.area(tile, "mute " + part_name(shown.change(part)), "button", false);
    if (!response.hovered) continue;
    if (choice_.parts == PartsShown::heads)
      ui.push(SetHover{selecting_part(shown.input.pinned, shown.change(part))});
    ui.tooltip(tile, part_tooltip(shown, part));
    if (!response.clicked) continue;
    choose(ui, shown, part);
    ui.push(SetWhatIf{clicked_part(shown, part, response.control)});
  }
}

// Arrows move over the tiles, Space mutes and restores.
void WhatIfView::keys(ui::Ui& ui, const WhatIfScene& shown) {
  using ui::Key;
  if (ui.field_active() || ui.popup.is_open() || shown.count() == 0) return;
  int across = 0, down = 0;
  if (ui.pressed(Key::right)) ++across;
  if (ui.pressed(Key::left)) --across;
  if (ui.pressed(Key::down)) ++down;
  if (ui.pressed(Key::up)) --down;
  const std::size_t part = shown.part.value_or(0);
  if (across != 0 || down != 0) choose(ui, shown, shown.part ? neighbour(shown, part, across, down) : part);
  if (ui.pressed(Key::space) && shown.part) {
    choose(ui, shown, part);
    ui.push(SetWhatIf{clicked_part(shown, part, true)});
  }
}

ViewPlace WhatIfView::place(const ViewInput&) const {
  return {.path = {"What if"}};
}

std::optional<InspectorPage> WhatIfView::inspect(const ViewInput& input) const {
  if (input.shown.cell && !is_compared_word(*input.shown.cell)) return std::nullopt;
  const WhatIfScene shown = scene(input, false);
  if (shown.place) return place_page(shown, words_of_place(shown, *work_, false).get());
  if (shown.part) return part_page(shown, muted_part(shown, *work_, false).get());
  return changes_page(shown);
}

// Enter opens the head.
bool WhatIfView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  if (key.typed != ViewKey::enter || input.pinned.cell || input.pinned.query) return false;
  const WhatIfScene shown = scene(input, false);
  if (!shown.part) return false;
  const Change& change = shown.change(*shown.part);
  commands.push_back(SetPin{selecting_part(input.pinned, change)});
  if (change.kind == ChangeKind::mute_head)
    commands.push_back(OpenView{"head"});
  else
    commands.push_back(OpenStep{.cell = {written(change.block, ValueKind::output), {}}, .pin = false});
  return true;
}

std::vector<NumberTable> WhatIfView::numbers(const ViewInput& input) const {
  const WhatIfScene shown = scene(input, true);
  NumberTable words{
      .title = "what the changes do to each word of the untouched translation",
      .columns = {"p before", "p after", "KL", "logit difference before", "logit difference after"}};
  for (std::size_t i = 0; i < shown.plain.output.size(); ++i) {
    const PlaceEffect* const place = shown.effect(static_cast<int>(i));
    if (!place) continue;
    words.rows.push_back(std::to_string(i) + " " + shown.before[i] + " against " +
                         shown.word(place->against));
    words.values.push_back({std::exp(place->before), std::exp(place->after), place->kl,
                            place->logit_difference_before, place->logit_difference_after});
  }
  if (!part_.empty()) return {words};
  NumberTable parts{.title = "change of the loss when one " + parts_word(choice_.parts) + " alone is muted",
                    .columns = {"change", "low", "high"}};
  for (std::size_t i = 0; i < shown.importance.parts.size(); ++i) {
    const Difference& each = shown.importance.parts[i];
    parts.rows.push_back(part_name(shown.change(i)));
    parts.values.push_back({each.mean, each.low, each.high});
  }
  NumberTable alone{.title = "each change alone", .columns = {"words that differ", "loss"}};
  if (shown.effects) {
    const ChangeWords names = change_words(input.result, input.tokenizers);
    alone.rows.push_back("untouched");
    alone.values.push_back({0, shown.effects->loss_before});
    for (const AloneEffect& each : shown.effects->alone) {
      alone.rows.push_back(chip_words(each.change, names));
      alone.values.push_back({static_cast<double>(shown.changed_words_of(each.output)), each.loss});
    }
    alone.rows.push_back("all, as now");
    alone.values.push_back({static_cast<double>(changed_words(shown.columns)), shown.effects->loss_after});
  }
  return {words, parts, alone};
}

std::string WhatIfView::caption(const ViewInput& input) const {
  const WhatIfScene shown = scene(input, true);
  std::string text;
  if (shown.changed()) {
    text = changes_in_words(input, shown) + " " + format_count(changed_words(shown.columns)) + " of " +
           format_count(words_in(shown.columns)) + " words differ";
    if (shown.effects)
      text += "; the loss goes from " + format_loss(shown.effects->loss_before) + " to " +
              format_loss(shown.effects->loss_after);
    text += ". ";
    for (const std::string& note : {mean_note(shown), what_if_note(shown)})
      if (!note.empty()) text += note + " ";
  } else {
    text = "Nothing is changed. ";
  }
  if (!part_.empty()) return text + "Before and after: the probability of each untouched word.";
  if (!shown.trouble.empty()) return text + shown.trouble;
  return text + "Below: change of the loss when one " + parts_word(choice_.parts) + " alone is " +
         replaced_by(shown.choice.by) + ", over " +
         (choice_.held_out && choice_.parts != PartsShown::places && shown.pairs
              ? format_count(shown.pairs->sentences()) + " held-out sentences"
              : "this sentence") +
         " (" + format_loss(shown.importance.untouched) + " untouched).";
}

}  // namespace glassformer
