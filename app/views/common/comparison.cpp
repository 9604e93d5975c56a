#include "app/views/common/comparison.h"

#include <algorithm>

#include "app/reading/difference.h"
#include "app/views/common/stage_text.h"
#include "engine/text/word_difference.h"

namespace glassformer {

std::string View::no_difference(const ViewInput& input) const {
  return glassformer::no_difference(unlike(input.result, *input.difference_to));
}

namespace {

constexpr float kHead = 52, kGap = 8;
constexpr float kOverHead = 12;  // of a figure, which has no strip above

// Words in a row, those marked that the other translation lacks; cut at the width.
void draw_marked(Canvas& canvas, Point at, float width, const WordDifference& words) {
  const Theme& theme = canvas.theme();
  float x = at.x;
  if (words.words.empty()) canvas.text({x, at.y}, "(nothing)", {.size = 14, .color = theme.second_text});
  for (const MarkedWord& word : words.words) {
    const TextStyle style{
        .font = word.right ? Font::regular : Font::semibold, .size = 14, .color = theme.ink};
    const float advance = canvas.measure(word.text, style).x;
    if (x + advance > at.x + width - 16) {
      canvas.text({x, at.y}, "…", style);
      return;
    }
    canvas.text({x, at.y}, word.text, style);
    if (!word.right)
      canvas.line({x, at.y + 10}, {x + advance, at.y + 10}, {.color = theme.reference, .width = 2});
    x += advance + 7;
  }
}

void draw_head(Canvas& canvas, const Rect& head, const std::string& name, const std::string& note) {
  const Theme& theme = canvas.theme();
  const float x = head.x + kStagePadding, width = head.width - 2 * kStagePadding;
  const TextStyle title{.font = Font::semibold, .size = 14, .color = theme.ink};
  canvas.text({x, head.y + 13}, elided(canvas, name, title, width), title);
  const float end = x + canvas.measure(name, title).x + 12;
  if (end + canvas.measure(note, caption_style(canvas)).x <= x + width)
    canvas.text({end, head.y + 13}, note, caption_style(canvas));
}

// Why there is no picture of the difference; empty: there is one, or none is asked for.
std::string why_not(const View& view, const ViewInput& input) {
  return input.difference_to ? view.no_difference(input) : std::string();
}

void draw_translation(Canvas& canvas, const Rect& head, const WordDifference& words) {
  draw_marked(canvas, {head.x + kStagePadding, head.y + 36}, head.width - 2 * kStagePadding, words);
}

}  // namespace

ComparisonLayout layout_comparison(const Rect& area, ComparedAs as, bool stacked) {
  ComparisonLayout layout;
  const Rect heads{area.x, area.y, area.width, kHead};
  const Rect pictures{area.x, area.y + kHead, area.width, std::max(0.0f, area.height - kHead)};
  const float half = (area.width - kGap) / 2;
  const auto left = [&](const Rect& rect) { return Rect{rect.x, rect.y, half, rect.height}; };
  const auto right = [&](const Rect& rect) { return Rect{rect.x + half + kGap, rect.y, half, rect.height}; };
  switch (as) {
    case ComparedAs::both:
      if (stacked) {
        const float each = (area.height - kGap) / 2;
        const auto half_at = [&](float y) { return Rect{area.x, y, area.width, each}; };
        ComparisonLayout upper = layout_comparison(half_at(area.y), ComparedAs::first);
        const ComparisonLayout lower = layout_comparison(half_at(area.y + each + kGap), ComparedAs::second);
        return {upper.first_head, lower.second_head, upper.first, lower.second};
      }
      return {left(heads), right(heads), left(pictures), right(pictures)};
    case ComparedAs::difference:
      return {left(heads), right(heads), pictures, {}};
    case ComparedAs::first:
      layout.first_head = heads;
      layout.first = pictures;
      break;
    case ComparedAs::second:
      layout.second_head = heads;
      layout.second = pictures;
      break;
  }
  return layout;
}

Command of_the_first(const Command& command, const SourcePlaces& back) {
  const auto there = [&](const Selection& selection) { return in_source_places(selection, back); };
  if (const auto* hover = command.get_if<SetHover>()) return SetHover{there(hover->selection)};
  if (const auto* pin = command.get_if<SetPin>()) return SetPin{there(pin->selection)};
  if (const auto* add = command.get_if<AddPin>()) return AddPin{there(add->selection)};
  if (const auto* open = command.get_if<OpenStep>()) {
    const std::optional<CellRef> cell = there({.cell = open->cell}).cell;
    return cell ? OpenStep{*cell, open->pin} : OpenStep{.cell = {open->cell.name, {}}, .pin = false};
  }
  return command;
}

AlterHit hits_of_second(const Compared& compared, std::string suffix) {
  return [suffix = std::move(suffix),
          back = source_places(*compared.second, *compared.first)](HitRegion& region) {
    region.label += suffix;
    for (std::optional<Command>* each : {&region.hover, &region.click, &region.add, &region.menu})
      if (*each) *each = of_the_first(**each, back);
  };
}

ViewInput second_input(const ViewInput& first, const Compared& compared) {
  struct Selections {
    Selection pinned, shown;
  };
  const SourcePlaces places = source_places(*compared.first, *compared.second);
  const auto own = std::make_shared<const Selections>(
      Selections{in_source_places(first.pinned, places), in_source_places(first.shown, places)});
  // Of one model: so is what it learned from.
  const bool same = compared.tokenizers.source == first.tokenizers.source &&
                    compared.tokenizers.target == first.tokenizers.target;
  return {.result = *compared.second,
          .snapshot = *compared.second->snapshot,
          .tokenizers = compared.tokenizers,
          .run = compared.run,
          .pinned = own->pinned,
          .shown = own->shown,
          .hovering = first.hovering,
          .looked_back = compared.looked_back,
          .source_language = compared.source_language,
          .target_language = compared.target_language,
          .training_text = same ? first.training_text : nullptr,
          .training_text_state = same ? first.training_text_state : TextState::unknown,
          .other = compared.first.get(),
          .second_of_two = true,
          .owner = own,
          .reduced_motion = first.reduced_motion,
          .dark_theme = first.dark_theme};
}

std::vector<ViewInput> sharing_inputs(const ViewInput& input) {
  std::vector<ViewInput> inputs{input};
  if (input.other)
    inputs.push_back({.result = *input.other,
                      .snapshot = *input.other->snapshot,
                      .tokenizers = input.tokenizers,
                      .run = input.run,
                      .pinned = input.pinned,
                      .shown = input.shown});
  return inputs;
}

Point comparison_minimum(Point least, ComparedAs as) {
  return {as == ComparedAs::both ? 2 * least.x + kGap : least.x, least.y + kHead + kOverHead};
}

bool stacks(Point least, ComparedAs as, float width) {
  return as == ComparedAs::both && width < comparison_minimum(least, as).x;
}

Point stacked_size(Point least, const Rect& area) {
  return {std::max(least.x, area.width), std::max(2 * (kHead + least.y) + kGap + kOverHead, area.height)};
}

void draw_comparison_heads(Canvas& canvas, const ComparisonLayout& layout, const Compared& compared) {
  const Rect &first = layout.first_head, &second = layout.second_head;
  if (!compared.second) return;
  const WordDifferences words = compare_both(compared.first->translation, compared.second->translation);
  if (first.width > 0) {
    draw_head(canvas, first, compared.first_name, "");
    draw_translation(canvas, first, words.first);
  }
  if (second.width <= 0) return;
  const bool difference = first.width > 0 && layout.second.width <= 0;
  draw_head(canvas, second, compared.second_name,
            difference             ? "less the first: blue is more, red is less"
            : compared.given_words ? "reads the words of the first"
                                   : "");
  draw_translation(canvas, second, words.second);
  if (first.width > 0 && second.y > first.y)
    canvas.line({second.x, second.y - kGap / 2}, {second.right(), second.y - kGap / 2},
                {.color = canvas.theme().border});
  if (first.width > 0 && second.y == first.y)
    canvas.line({second.x - kGap / 2, second.y},
                {second.x - kGap / 2, layout.second.width > 0 ? layout.second.bottom() : second.bottom()},
                {.color = canvas.theme().border});
}

ViewInput compared_input(const ViewInput& first, const Compared& compared, ComparedAs as) {
  if (as == ComparedAs::second) return second_input(first, compared);
  ViewInput input = first;
  if (as == ComparedAs::difference) input.difference_to = compared.second.get();
  if (as != ComparedAs::difference) input.other = compared.second.get();
  return input;
}

std::vector<NumberTable> shown_numbers(const View& view, const ViewInput& input) {
  const std::string why = why_not(view, input);
  return why.empty() ? view.numbers(input) : std::vector<NumberTable>{{.title = why}};
}

std::string shown_caption(const View& view, const ViewInput& input) {
  const std::string why = why_not(view, input);
  return why.empty() ? view.caption(input) : why;
}

std::string draw_no_difference(Canvas& canvas, const Rect& area, const View& view, const ViewInput& input) {
  const std::string why = why_not(view, input);
  if (!why.empty())
    paragraph(canvas, {area.x + kStagePadding, area.y + 16}, area.width - 2 * kStagePadding, why,
              {.size = 14, .color = canvas.theme().ink});
  return why;
}

void draw_comparison(Canvas& canvas, const Rect& area, ComparedAs as, const View& view, const View& second,
                     const ViewInput& first, const Compared& compared) {
  const ComparisonLayout layout =
      layout_comparison({area.x, area.y + kOverHead, area.width, area.height - kOverHead}, as,
                        stacks(view.minimum_size(first), as, area.width));
  draw_comparison_heads(canvas, layout, compared);
  if (as != ComparedAs::both) {
    const ViewInput input = compared_input(first, compared, as);
    const Rect& rect = as == ComparedAs::second ? layout.second : layout.first;
    if (draw_no_difference(canvas, rect, view, input).empty()) view.picture(canvas, input, rect);
    return;
  }
  view.picture(canvas, compared_input(first, compared, as), layout.first);
  second.picture(canvas, second_input(first, compared), layout.second);
}

namespace {

constexpr const char* kName = "Model";
const std::vector<std::string> kKinds{"Transformer", "Recurrent"};
constexpr float kWidth = 208;

}  // namespace

float ModelSwitch::reserved(const Canvas& canvas, const ViewInput& input) {
  return canvas.is_file() || !offered(input) ? 0 : kWidth + 12;
}

void ModelSwitch::show(ui::Ui& ui, const ViewInput& input, const Rect& area, std::string_view title) {
  if (!offered(input)) {
    recurrent_ = false;
    return;
  }
  const StageHead head(ui, area, title, {kWidth, 32});
  int chosen = recurrent_ ? 1 : 0;
  if (Segmented(ui, head.control(), kName, kKinds, chosen)) recurrent_ = chosen == 1;
}

bool ModelSwitch::set(std::string_view control, std::string_view value) {
  if (control != kName || (value != kKinds[0] && value != kKinds[1])) return false;
  recurrent_ = value == kKinds[1];
  return true;
}

}  // namespace glassformer
