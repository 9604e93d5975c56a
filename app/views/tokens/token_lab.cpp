#include "app/views/tokens/tokens.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/line_chart.h"
#include "app/widgets/token_strip.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

namespace {

constexpr float kPairRow = 24, kPairTable = 230, kCutHeight = 64, kLossRow = 26;

// The blank is a bar on a chip, and a sign in a table.
TokenChip chip_of_part(const std::string& part) {
  const bool first = part.starts_with(kWordStart);
  const std::string text = first ? part.substr(kWordStart.size()) : part;
  return {.text = text.empty() ? "␣" : text, .word_start = first};
}

std::string seen_part(const std::string& part) {
  std::string text = part;
  if (text.starts_with(kWordStart)) text = "␣" + text.substr(kWordStart.size());
  return text;
}

// Chips of different widths in rows; what does not fit is counted. Returns the height used.
float part_chips(Canvas& canvas, const Rect& area, const std::vector<std::string>& parts) {
  constexpr float kChip = 24, kRow = 30, kGap = 4, kMore = 48;
  float x = area.x, y = area.y;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TokenChip chip = chip_of_part(parts[i]);
    const float width = std::max(20.0f, std::ceil(canvas.measure(chip.text, {.size = 12}).x) + 14);
    const bool last_row = y + 2 * kRow > area.bottom();
    const bool fits = x + width + (last_row && i + 1 < parts.size() ? kMore : 0) <= area.right();
    if (!fits && last_row) {
      canvas.text({x + 2, y + kChip / 2}, "+ " + std::to_string(parts.size() - i), caption_style(canvas));
      break;
    }
    if (!fits) x = area.x, y += kRow;
    draw_chip(canvas, {x, y, width, kChip}, chip, 12);
    x += width + kGap;
  }
  return y + kRow - area.y;
}

// What is in the second cut where it differs from the first.
std::string different_parts(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  const auto from = std::ranges::mismatch(first, second).in2;
  auto end = second.end();
  for (auto other = first.end(); other != first.begin() && end != from && *(other - 1) == *(end - 1); --other)
    --end;
  std::string text;
  for (auto part = from; part != end; ++part) text += (text.empty() ? "" : "  ") + seen_part(*part);
  return text;
}

std::string merge_said(const MergeScene& scene) {
  const PairMerge* const last = scene.last();
  if (last == nullptr) return "No merge yet: every letter by itself.";
  const CountedPair& pair = last->pairs.front();
  return "Merge " + std::to_string(scene.made) + " joined " + seen_part(pair.first) + " and " +
         seen_part(pair.second) + ", " + format_count(pair.count) + " times.";
}

// Of the sentence.
std::vector<std::string> parts_now(const MergeScene& scene) {
  std::vector<std::string> parts;
  for (const std::string& word : scene.words)
    for (std::string& part : scene.merges.pieces_after(word, scene.made)) parts.push_back(std::move(part));
  return parts;
}

std::string pair_words(const CountedPair& pair) {
  return seen_part(pair.first) + " + " + seen_part(pair.second);
}

TextStyle number_style(const Canvas& canvas) {
  return {.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::right};
}

void draw_pairs(Canvas& canvas, const Rect& area, const MergeScene& scene) {
  const Theme& theme = canvas.theme();
  const PairMerge* const next = scene.next();
  const Rect rows = draw_heading(canvas, area, "Most frequent pairs", {.note = "times", .note_right = true});
  if (next == nullptr) {
    canvas.text({rows.x, rows.y + 10}, "No pair is left to join.", caption_style(canvas));
    return;
  }
  const auto fit = static_cast<std::size_t>(std::max(1.0f, rows.height / kPairRow));
  for (std::size_t i = 0; i < std::min(next->pairs.size(), fit); ++i) {
    const CountedPair& pair = next->pairs[i];
    const Rect row{rows.x, rows.y + kPairRow * static_cast<float>(i), rows.width, kPairRow};
    if (i == 0)
      canvas.rectangle(row.inset(1),
                       {.fill = theme.hover, .outline = theme.ink, .outline_width = 1.5f, .radius = 4});
    canvas.text({row.x + 8, row.center().y}, seen_part(pair.first) + "  +  " + seen_part(pair.second),
                {.font = i == 0 ? Font::semibold : Font::regular, .size = 12, .color = theme.ink});
    canvas.text({row.right() - 8, row.center().y}, format_count(pair.count), number_style(canvas));
  }
}

// How long the text is with so many pieces to write it with.
void draw_trade(Canvas& canvas, const Rect& area, const MergeScene& scene) {
  const Rect below = draw_heading(canvas, area, "Length of the text", {.note = "pieces, by vocabulary"});
  std::vector<double> x{static_cast<double>(scene.merges.alphabet())},
      y{static_cast<double>(scene.merges.letters())};
  for (const PairMerge& merge : scene.merges.merges()) {
    x.push_back(merge.vocabulary);
    y.push_back(static_cast<double>(merge.pieces));
  }
  if (x.size() < 2) return;
  Series series{.label = ""};
  series.x = x, series.y = y;
  ChartOptions options;
  options.x = {.low = x.front(), .high = std::max(x.back(), x.front() + 1)};
  options.y = {.low = 0, .high = y.front() * 1.05};
  options.x.title = "pieces in the vocabulary";
  options.bottom = 40;
  options.cursor = x[static_cast<std::size_t>(scene.made)];
  draw_line_chart(canvas, below, std::span<const Series>(&series, 1), options);
}

}  // namespace

const PairMerge* MergeScene::last() const {
  return made == 0 ? nullptr : &merges.merges()[static_cast<std::size_t>(made) - 1];
}

const PairMerge* MergeScene::next() const {
  const auto at = static_cast<std::size_t>(made);
  return at < merges.merges().size() ? &merges.merges()[at] : nullptr;
}

long MergeScene::pieces() const {
  return last() != nullptr ? last()->pieces : merges.letters();
}

int MergeScene::vocabulary() const {
  return last() != nullptr ? last()->vocabulary : merges.alphabet();
}

constexpr const char* kMergeOrder =
    "The order is that of this text, counted anew; the tokenizer’s ranks come from the text that it was made "
    "of.";

void draw_merges(Canvas& canvas, const Rect& whole, const MergeScene& scene) {
  const Theme& theme = canvas.theme();
  Rect area = draw_heading(canvas, whole, "Byte-pair encoding, merge by merge", {.reserved = 188});
  const float controls = canvas.is_file() ? 0 : kMergeControls;
  area.y += controls, area.height -= controls;
  const std::string said = merge_said(scene);
  canvas.text({area.x, area.y + 8}, elided(canvas, said, {.size = 14}, area.width),
              {.size = 14, .color = theme.ink});
  canvas.text(
      {area.x, area.y + 28},
      elided(canvas,
             format_count(scene.pieces()) + " pieces of a vocabulary of " + format_count(scene.vocabulary()) +
                 "; the order is that of this text, not of the tokenizer’s ranks.",
             caption_style(canvas), area.width),
      caption_style(canvas));
  part_chips(canvas, {area.x, area.y + 44, area.width, kCutHeight}, parts_now(scene));
  const float y = area.y + 44 + kCutHeight + 12;
  const Rect rest{area.x, y, area.width, area.bottom() - y};
  draw_pairs(canvas, {rest.x, rest.y, std::min(kPairTable, rest.width * 0.45f), rest.height}, scene);
  const float left = std::min(kPairTable, rest.width * 0.45f) + 32;
  draw_trade(canvas, {rest.x + left, rest.y, rest.width - left, std::min(rest.height, 260.0f)}, scene);
}

std::vector<NumberTable> merge_numbers(const MergeScene& scene) {
  NumberTable table{.title = "merges of byte-pair encoding, in their order",
                    .columns = {"times", "pieces of the text", "vocabulary"}};
  for (const PairMerge& merge : scene.merges.merges()) {
    const CountedPair& pair = merge.pairs.front();
    table.rows.push_back(pair_words(pair));
    table.values.push_back({static_cast<double>(pair.count), static_cast<double>(merge.pieces),
                            static_cast<double>(merge.vocabulary)});
  }
  const PairMerge* const next = scene.next();
  if (next == nullptr) return {table};
  NumberTable pairs{.title = "most frequent pairs after " + format_count(scene.made) + " merges",
                    .columns = {"times"}};
  for (const CountedPair& pair : next->pairs) {
    pairs.rows.push_back(pair_words(pair));
    pairs.values.push_back({static_cast<double>(pair.count)});
  }
  return {pairs, table};
}

InspectorPage merge_page(const MergeScene& scene, const std::string& language) {
  constexpr std::size_t kMostPairs = 5;
  InspectorPage page;
  page.caption = "Byte-pair encoding, " + language;
  page.subject = "**" + format_count(scene.made) + " merges**";
  std::string cut;
  const std::vector<std::string> parts = parts_now(scene);
  for (const std::string& part : parts) cut += (cut.empty() ? "" : "  ") + seen_part(part);
  page.sections = {{.heading = "This sentence",
                    .note = format_count(std::ssize(parts)) + " pieces",
                    .text = merge_said(scene) + " The sentence is cut into " + cut + "."}};
  if (const PairMerge* const next = scene.next()) {
    InspectorSection& pairs = page.sections.emplace_back();
    pairs.heading = "Most frequent pairs";
    for (const CountedPair& pair : next->pairs)
      if (pairs.rows.size() < kMostPairs)
        pairs.rows.push_back({.label = pair_words(pair), .value = format_count(pair.count)});
  }
  page.meaning =
      "The pair that stands side by side most often becomes one piece, again and again: frequent words grow "
      "whole, rare ones stay in parts.";
  page.paper = "Paper, section 5.1";
  return page;
}

std::string merge_caption(const MergeScene& scene) {
  return "Byte-pair encoding after " + format_count(scene.made) + " merges: the text that is counted in " +
         format_count(scene.pieces()) + " pieces of a vocabulary of " + format_count(scene.vocabulary()) +
         ". " + kMergeOrder;
}

void draw_piece_losses(Canvas& canvas, const Rect& area, const UnigramLosses& losses) {
  const Theme& theme = canvas.theme();
  Rect below = draw_heading(canvas, area, "What a unigram piece is worth here", {.reserved = 188});
  TextStyle words = caption_style(canvas);
  words.y = AlignY::top;
  const std::string said = "The best of all cuts has the log-probability " +
                           format_fixed(losses.cut.log_p, 2) +
                           ", the sum over its pieces, with those that are unknown. Without one of them the "
                           "next best cut has less: learning begins with many "
                           "pieces and drops those that are missed least.";
  below.y += paragraph(canvas, {below.x, below.y}, below.width, said, words) + 14;
  const float text_x = below.x + 110, right = below.x + std::min(below.width, 560.0f);
  TextStyle head = caption_style(canvas);
  head.color = theme.faint_text;
  canvas.text({below.x, below.y}, "piece", head);
  canvas.text({text_x + 172, below.y}, "instead of it", head);
  head.x = AlignX::right;
  canvas.text({text_x + 50, below.y}, "log p", head);
  canvas.text({text_x + 140, below.y}, "missed by", head);
  const float first = below.y + 12;
  const auto fit = static_cast<std::size_t>(std::max(0.0f, (area.bottom() - first) / kLossRow));
  for (std::size_t i = 0; i < std::min(losses.pieces.size(), fit); ++i) {
    const PieceLoss& piece = losses.pieces[i];
    const float y = first + kLossRow * (static_cast<float>(i) + 0.5f);
    const TokenChip chip = chip_of_part(piece.text);
    const float width = std::clamp(std::ceil(canvas.measure(chip.text, {.size = 12}).x) + 14, 20.0f, 100.0f);
    draw_chip(canvas, {below.x, y - 11, width, 22}, chip, 12);
    canvas.text({text_x + 50, y}, format_fixed(piece.log_p, 2), number_style(canvas));
    canvas.text({text_x + 140, y}, format_fixed(piece.loss, 2), number_style(canvas));
    // A single letter is there all the same, without a piece.
    std::string instead = different_parts(losses.cut.texts, piece.instead);
    if (instead.empty()) instead = "unknown";
    canvas.text({text_x + 172, y}, elided(canvas, instead, caption_style(canvas), right - text_x - 172),
                caption_style(canvas));
  }
}

std::vector<NumberTable> piece_loss_numbers(const UnigramLosses& losses) {
  NumberTable table{.title = "unigram pieces of the sentence", .columns = {"times", "log p", "missed by"}};
  for (const PieceLoss& piece : losses.pieces) {
    table.rows.push_back(seen_part(piece.text));
    table.values.push_back({static_cast<double>(piece.times), piece.log_p, piece.loss});
  }
  return {table};
}

InspectorPage piece_loss_page(const UnigramLosses& losses, const std::string& language) {
  InspectorPage page;
  page.caption = "Unigram, " + language;
  page.subject = "log p of the **best of all cuts**";
  page.value = format_fixed(losses.cut.log_p, 2);
  page.full_value = format_full(losses.cut.log_p);
  InspectorSection missed{.heading = "Missed by", .note = "log p without it"};
  for (const PieceLoss& piece : losses.pieces)
    missed.rows.push_back({.label = seen_part(piece.text), .value = format_fixed(piece.loss, 2)});
  page.sections = {std::move(missed)};
  page.meaning =
      "Learning begins with many pieces and drops those that are missed least: without one of them the next "
      "best cut of the sentence is less probable.";
  return page;
}

}  // namespace glassformer
