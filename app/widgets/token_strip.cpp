#include "app/widgets/token_strip.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/widgets/explained_words.h"
#include "app/widgets/marks.h"

namespace glassformer {
namespace {

constexpr float kPositionRow = 20, kProbabilityRow = 18, kMoreRoom = 44;
constexpr float kSmallestText = 10, kSmallestChipInFiles = 9;

std::string chip_words(const TokenChip& chip) {
  return (chip.unknown ? "?" : "") + chip.text;
}

// What a chip leaves its word: small letters may come closer to the edge.
float word_room(const TokenChip& chip, float chip_width, float text_size) {
  const float edges = text_size > 12 ? 12 : text_size > 11 ? 8 : 3;
  return chip_width - edges - (chip.wrong ? 14 : 0) - (chip.word_start ? 4 : 0);
}

bool word_fits(const Canvas& canvas, const TokenChip& chip, float chip_width, const TextStyle& style) {
  return canvas.measure(chip_words(chip), style).x <= word_room(chip, chip_width, style.size);
}

}  // namespace

Rect TokenStripLayout::chip(int index) const {
  return {first.x + static_cast<float>(index) * (chip_width + gap), first.y, chip_width, chip_height};
}

void draw_share_bar(Canvas& canvas, const Rect& rect, double share, Color color) {
  canvas.rectangle(rect, {.fill = canvas.theme().sunken, .radius = 2});
  if (!(share > 0)) return;
  // The smallest share still shows.
  const float width = std::clamp(std::round(rect.width * static_cast<float>(share)), 2.0f, rect.width);
  canvas.rectangle({rect.x, rect.y, width, rect.height}, {.fill = color, .radius = 2});
}

void draw_chip(Canvas& canvas, const Rect& rect, const TokenChip& chip, float text_size) {
  const Theme& theme = canvas.theme();
  if (chip.future) {
    canvas.rectangle(rect, {.outline = theme.border, .radius = 6, .dashed = true});
    return;
  }
  Box box{.fill = theme.panel, .outline = theme.control, .radius = 6};
  TextStyle text{.size = text_size, .color = theme.ink, .x = AlignX::center};
  if (chip.hovered) box.fill = theme.hover;
  if (chip.special || chip.padding) {
    box.dashed = true;
    text.color = theme.second_text;
  }
  if (chip.padding) box.hatch = theme.control, text.size = std::min(text_size, 12.0f);
  if (chip.unknown) box.dashed = true, box.outline = theme.wrong, text.color = theme.wrong;
  if (chip.wrong) text.color = theme.wrong;
  if (chip.pin != ChipPin::none) {
    const bool query = chip.pin == ChipPin::query;
    box.fill = query ? theme.query_tint : theme.key_tint;
    box.outline = query ? theme.query : theme.key;
    box.outline_width = 1.5f;
    box.dashed = false;
    text.font = Font::semibold;
    text.color = chip.wrong || chip.unknown ? theme.wrong : theme.ink;
  }
  canvas.rectangle(rect, box);
  if (chip.word_start) {
    canvas.rectangle({rect.x, rect.y + 4, 3, rect.height - 8}, {.fill = theme.ink});
  }

  // The word, set smaller before it is cut.
  const float mark_room = chip.wrong ? 14 : 0, bar_room = chip.word_start ? 4 : 0;
  const float smallest = canvas.is_file() ? kSmallestChipInFiles : kSmallestText;
  while (text.size > smallest && !word_fits(canvas, chip, rect.width, text)) text.size -= 1;
  const std::string word = elided(canvas, chip_words(chip), text, word_room(chip, rect.width, text.size));
  const float width = canvas.measure(word, text).x;
  const Point center{rect.center().x + (bar_room - mark_room) / 2, rect.center().y};
  if (chip.padding) {
    canvas.rectangle({center.x - width / 2 - 3, center.y - 8, width + 6, 16}, {.fill = theme.panel});
  }
  canvas.text(center, word, text);
  if (chip.gap_before)
    canvas.rectangle({rect.x - 5, rect.y + 2, 2, rect.height - 4}, {.fill = theme.reference});
  if (chip.changed) {
    const float y = center.y + 9, half = std::min(width, rect.width - 8) / 2;
    canvas.line({center.x - half, y}, {center.x + half, y}, {.color = theme.reference, .width = 2});
  }
  if (chip.wrong) {
    const float y = center.y + std::round(text.size * 0.56f);
    canvas.line({center.x - width / 2, y}, {center.x + width / 2, y}, {.color = theme.wrong, .width = 1});
    draw_mark(canvas, {rect.right() - 11, rect.center().y}, Mark::cross, theme.wrong, 8);
  }
}

float chip_text_size(const Canvas& canvas, const std::vector<TokenChip>& chips, float chip_width,
                     float most) {
  for (float size : {14.0f, 12.0f, 11.0f}) {
    if (size > most) continue;
    // In regular letters, also the pinned one: a click must not change the size of all.
    const bool all = std::all_of(chips.begin(), chips.end(), [&](const TokenChip& chip) {
      return chip.padding || word_fits(canvas, chip, chip_width, {.font = Font::regular, .size = size});
    });
    if (all) return size;
  }
  return 11;
}

double readable_share(const Canvas& canvas, const std::vector<TokenChip>& chips, float chip_width) {
  if (chips.empty()) return 1;
  const auto readable = std::count_if(chips.begin(), chips.end(), [&](const TokenChip& chip) {
    return word_fits(canvas, chip, chip_width, {.size = kSmallestText});
  });
  return double(readable) / double(chips.size());
}

TokenStripLayout layout_token_strip(const Rect& area, const std::vector<TokenChip>& chips,
                                    const TokenStripOptions& options) {
  TokenStripLayout layout;
  const float label = options.label.empty() ? 0 : options.label_width;
  const int count = std::max({1, options.count, static_cast<int>(chips.size())});
  const float room = area.width - label, chip_count = static_cast<float>(count);
  layout.gap = options.gap;
  layout.chip_height = options.chip_height;
  layout.chip_width = options.width > 0
                          ? options.width
                          : std::clamp(std::floor((room + options.gap) / chip_count - options.gap),
                                       options.min_width, options.max_width);
  layout.first = {area.x + label, area.y + (options.positions ? kPositionRow : 0)};
  layout.height = layout.chip_height + (options.positions ? kPositionRow : 0) +
                  (options.probabilities ? kProbabilityRow : 0);
  const auto fitting = [&](float width) {
    return std::max(0, static_cast<int>(std::floor((width + layout.gap) / (layout.chip_width + layout.gap))));
  };
  layout.shown = static_cast<int>(chips.size());
  if (fitting(room) < layout.shown) layout.shown = std::max(1, fitting(room - kMoreRoom));
  return layout;
}

TokenStripLayout draw_token_strip(Canvas& canvas, const Rect& area, const std::vector<TokenChip>& chips,
                                  const TokenStripOptions& options) {
  const TokenStripLayout layout = layout_token_strip(area, chips, options);
  const Theme& theme = canvas.theme();
  const float middle = layout.first.y + layout.chip_height / 2;
  const TextStyle caption{.size = 12, .color = theme.second_text};
  if (!options.label.empty()) {
    canvas.text({area.x, middle}, elided(canvas, options.label, caption, options.label_width - 4), caption);
  }
  const float text_size =
      options.text_size > 0 ? options.text_size : chip_text_size(canvas, chips, layout.chip_width);
  for (int i = 0; i < layout.shown; ++i) {
    const TokenChip& chip = chips[static_cast<std::size_t>(i)];
    const Rect rect = layout.chip(i);
    if (options.positions) {
      canvas.text({rect.center().x, rect.y - 11}, std::to_string(i),
                  {.font = Font::mono, .size = 12, .color = theme.second_text, .x = AlignX::center});
    }
    draw_chip(canvas, rect, chip, text_size);
    if (chip.probability && !chip.future) {
      // Narrow chips show the number alone, and leave out its zero.
      const float y = rect.bottom() + 10;
      std::string value = format_probability(*chip.probability);
      const TextStyle style{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
      if (rect.width < 60 && value.starts_with("0")) value.erase(0, 1);
      const float width = canvas.measure(value, style).x;
      if (rect.width > width + 16) {
        draw_share_bar(canvas, {rect.x, y - 3, rect.width - width - 8, 5}, *chip.probability,
                       theme.second_text);
        canvas.text({rect.right(), y}, value, style);
      } else if (rect.width >= width) {
        canvas.text({rect.right(), y}, value, style);
      } else {
        draw_share_bar(canvas, {rect.x, y - 3, rect.width, 5}, *chip.probability, theme.second_text);
      }
    }
    if (options.hit) {
      HitRegion region = options.hit(i);
      region.rect = {rect.x - layout.gap / 2, area.y, rect.width + layout.gap, layout.height};
      if (region.tooltip.empty()) {
        // What is seen anyhow is not said again.
        TextStyle smallest{.font = chip.pin == ChipPin::none ? Font::regular : Font::semibold,
                           .size = kSmallestText};
        if (chip.probability || !word_fits(canvas, chip, rect.width, smallest)) region.tooltip = chip.text;
        if (const auto meaning = explained(chip.text); !meaning.empty()) region.tooltip = meaning;
        if (chip.probability) region.tooltip += "\nprobability " + format_pinned(*chip.probability);
      }
      canvas.hit(region);
    }
  }
  const int left_out = static_cast<int>(chips.size()) - layout.shown;
  if (left_out > 0) {
    canvas.text({layout.chip(layout.shown).x, middle}, "+ " + std::to_string(left_out), caption);
  }
  return layout;
}

}  // namespace glassformer
