#include "app/views/masks/masks.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/token_strip.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

namespace {

constexpr std::array kKinds = {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross};
constexpr float kHeaderRow = 28, kBlockHead = 34, kEffectRow = 32, kRowLabel = 96;
constexpr float kTableWidth = 560, kTextGap = 36, kLeastText = 280, kBesideHeight = 132, kTextRoom = 84;
constexpr std::array kColumns = {"words: stack’s output", "words: logits", "padding’s rows", "loss"};

const char* block_name(AttentionKind kind) {
  constexpr std::array names = {"Encoder’s self-attention", "Decoder’s self-attention", "Cross-attention"};
  return names[static_cast<std::size_t>(kind)];
}

const PaddingStudy::Block& block_of(const PaddingStudy& study, AttentionKind kind) {
  return study.blocks[static_cast<std::size_t>(kind)];
}

std::array<double, 4> numbers_of(const PaddingEffect& effect) {
  return {effect.stack_output, effect.logits, effect.padding_rows, effect.loss};
}

std::string apart(double value) {
  return value == 0 ? "0" : std::isfinite(value) ? format_short(value) : "not finite";
}

bool is_finite(const PaddingEffect& effect) {
  return std::ranges::all_of(numbers_of(effect), [](double value) { return std::isfinite(value); });
}

struct PaddingLayout {
  bool beside = true;  // the sentences are right of the numbers
  float block = 0;     // pitch
  Rect table;          // all of it, from the columns' names on
  float foot = 0;
  float top(std::size_t block_index) const {
    return table.y + kHeaderRow + static_cast<float>(block_index) * block;
  }
  float column_right(std::size_t column) const {
    return table.x + kRowLabel + (table.width - kRowLabel) * static_cast<float>(column + 1) / 4;
  }
};

PaddingLayout layout_padding(const Rect& area) {
  const Rect content = stage_content(area);
  PaddingLayout at;
  at.beside = content.width >= kTableWidth + kTextGap + kLeastText;
  at.block = at.beside ? kBesideHeight : kBlockHead + 2 * kEffectRow + kTextRoom;
  at.table = {content.x, content.y, at.beside ? kTableWidth : content.width, kHeaderRow + 3 * at.block};
  at.foot = at.table.bottom();
  return at;
}

// Of each column, over all attentions: what its bars are measured by.
std::array<double, 4> largest_of(const PaddingStudy& study) {
  std::array<double, 4> largest{};
  for (const PaddingStudy::Block& block : study.blocks)
    for (const PaddingEffect& effect : {block.masked, block.seen}) {
      const auto numbers = numbers_of(effect);
      for (std::size_t i = 0; i < largest.size(); ++i)
        if (std::isfinite(numbers[i])) largest[i] = std::max(largest[i], numbers[i]);
    }
  return largest;
}

void draw_effects(Canvas& canvas, const PaddingLayout& at, float top, const PaddingStudy::Block& block,
                  bool seen, const std::array<double, 4>& largest) {
  const Theme& theme = canvas.theme();
  for (int row = 0; row < 2; ++row) {
    const bool off = row == 1, in_force = off == seen;
    const float y = top + kBlockHead + kEffectRow * (static_cast<float>(row) + 0.5f);
    if (in_force)
      canvas.rectangle({at.table.x, y - kEffectRow / 2, at.table.width, kEffectRow},
                       {.fill = theme.sunken, .radius = 4});
    canvas.text({at.table.x + 10, y}, off ? "mask off" : "mask on",
                {.font = in_force ? Font::semibold : Font::regular,
                 .size = 12,
                 .color = in_force ? theme.ink : theme.second_text});
    const auto numbers = numbers_of(off ? block.seen : block.masked);
    for (std::size_t column = 0; column < numbers.size(); ++column) {
      const float wide = at.column_right(1) - at.column_right(0) - 20;
      const double share =
          largest[column] > 0 && std::isfinite(numbers[column]) ? numbers[column] / largest[column] : 0;
      draw_share_bar(canvas, {at.column_right(column) - 10 - wide, y + 9, wide, 3}, share, theme.ink);
      canvas.text({at.column_right(column) - 10, y - 3}, block.padding == 0 ? "–" : apart(numbers[column]),
                  {.font = Font::mono,
                   .size = 12,
                   .color = in_force ? theme.ink : theme.second_text,
                   .x = AlignX::right});
    }
  }
}

void draw_block(Canvas& canvas, const PaddingLayout& at, const Rect& content, AttentionKind kind, bool seen,
                const PaddingStudy* study, bool relu) {
  const Theme& theme = canvas.theme();
  const float top = at.top(static_cast<std::size_t>(kind));
  canvas.line({content.x, top}, {content.right(), top}, {theme.border});
  const TextStyle strong{.font = Font::semibold, .size = 14, .color = theme.ink};
  const float name_x = content.x + (canvas.is_file() ? 10.0f : 54.0f), y = top + 18;
  canvas.text({name_x, y}, block_name(kind), strong);
  if (study == nullptr) return;
  const PaddingStudy::Block& block = block_of(*study, kind);
  TextStyle caption = caption_style(canvas);
  caption.x = AlignX::right;
  const std::string count =
      block.padding == 0 ? "no padding" : "keys of padding: " + format_count(block.padding);
  canvas.text({at.table.right() - 10, y}, count, caption);
  draw_effects(canvas, at, top, block, seen, largest_of(*study));
  const TextStyle words{.size = 12, .color = theme.ink, .y = AlignY::top};
  if (at.beside) {
    const float x = at.table.right() + kTextGap;
    const float used =
        paragraph(canvas, {x, top + 9}, content.right() - x, padding_words(*study, kind), words);
    const std::string slip = zeroed_words(*study, kind, relu).empty()
                                 ? ""
                                 : "Weights of 0 behind the softmax instead: rows would add up to " +
                                       format_probability(block.zeroed.mean) + " on average, at worst to " +
                                       format_probability(block.zeroed.least) + ".";
    const float room = at.top(1) - at.top(0) - 18 - used;
    TextStyle quiet = words;
    quiet.color = theme.second_text;
    if (paragraph_height(canvas, content.right() - x, slip, quiet) <= room)
      paragraph(canvas, {x, top + 9 + used + 6}, content.right() - x, slip, quiet);
  } else {
    paragraph(canvas, {content.x + 10, top + kBlockHead + 2 * kEffectRow + 6}, content.width - 20,
              padding_words(*study, kind), words);
  }
}

}  // namespace

std::shared_ptr<const PaddingStudy> padding_study(const ViewInput& input, PaddingStudies& studies,
                                                  bool at_once) {
  const PaddingKey key{input.result.untouched_snapshot, input.result.trace};
  double tokens = 0;
  for (const auto& row : key.trace->source) tokens += 2.0 * static_cast<double>(row.size());
  const bool small = static_cast<double>(parameter_count(input.snapshot.config)) * tokens < 5e6;
  const Scene& scene = input.result.scene;
  const auto found = studies.get(
      key, at_once || small,
      [key, what_if = scene.what_if, substitutes = scene.substitutes, smoothing = scene.smoothing] {
        return study_padding(*key.model->weights, *key.trace, what_if, substitutes, smoothing);
      });
  return found.current ? found.value : nullptr;
}

std::array<Point, 3> padding_switches(const Rect& area) {
  const PaddingLayout at = layout_padding(area);
  std::array<Point, 3> places;
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = {at.table.x + 10, at.top(i) + 9};
  return places;
}

std::string padding_switch_label(AttentionKind kind) {
  return std::string("Padding mask: ") + block_name(kind);
}

SetWhatIf with_padding_mask(const ViewInput& input, AttentionKind kind, bool on) {
  WhatIf what_if = input.result.scene.what_if;
  what_if.see_padding(kind, !on);
  return {what_if};
}

Point padding_minimum() {
  return {600, kStageTop + kHeaderRow + 3 * (kBlockHead + 2 * kEffectRow + kTextRoom) + 88};
}

void draw_padding_page(Canvas& canvas, const Rect& area, const ViewInput& input, const PaddingStudy* study) {
  const PaddingLayout at = layout_padding(area);
  const Rect content = stage_content(area);
  TextStyle caption = caption_style(canvas);
  if (study == nullptr) {
    canvas.text({content.x + 10, at.table.y + 12}, "Computing…", caption);
  } else {
    caption.x = AlignX::right;
    for (std::size_t column = 0; column < kColumns.size(); ++column)
      canvas.text({at.column_right(column) - 10, at.table.y + 12}, kColumns[column], caption);
  }
  for (const AttentionKind kind : kKinds)
    draw_block(canvas, at, content, kind, input.result.scene.what_if.padding_seen(kind), study,
               input.snapshot.config.attention_activation == AttentionActivation::relu);
  canvas.line({content.x, at.foot}, {content.right(), at.foot}, {canvas.theme().border});
  TextStyle style = caption_style(canvas);
  style.y = AlignY::top;
  std::string foot =
      "Each <pad> gets the embedding of the word that the longest sentence of the batch has at its "
      "place. The numbers: the largest difference to the pass with <pad> that any number shows; of "
      "the loss, how much its mean moves. The stack is the encoder for its own attention, else the decoder; "
      "its "
      "output leaves " +
      std::string(input.snapshot.config.final_norm ? "its final norm" : "its last layer") +
      ". One mask at a time: the other two stay on.";
  if (at.beside)
    foot +=
        " To learn so on purpose: New model, Every option, Padding added and Padding seen by, or train "
        "--extra-padding 3 --unmasked-padding encoder.";
  paragraph(canvas, {content.x + 10, at.foot + 10}, content.width - 20, foot, style);
}

std::string padding_words(const PaddingStudy& study, AttentionKind kind) {
  const PaddingStudy::Block& block = block_of(study, kind);
  if (block.padding == 0) return "These sentences are equally long: there is no padding to read.";
  if (!is_finite(block.masked) || !is_finite(block.seen))
    return "The numbers are not finite, so that nothing can be compared.";
  const bool own = kind == AttentionKind::decoder;
  if (block.masked.stack_output > 0)
    return "Even with the mask on the rows of words move by up to " + apart(block.masked.stack_output) +
           ": a change lets them read the padding.";
  if (block.seen.stack_output > 0) {
    std::string text = "Needs one: without it the rows of words move by up to " +
                       apart(block.seen.stack_output) + ", with it by 0.";
    if (own)
      return text + (study.causal ? " A change lets words read what stands behind them."
                                  : " The causal mask is off: words read what stands behind them, and there "
                                    "stands the padding.");
    return text + (kind == AttentionKind::encoder
                       ? " Else what a sentence means would depend on those it stands beside."
                       : " Else the decoder would translate words that the sentence does not have.");
  }
  if (!own || !study.causal) return "Nothing reads the padding here, not even without the mask.";
  std::string text =
      "Needs none: 0 without it as well. Padding stands behind the words, and the causal mask hides from a "
      "word all that stands behind it.";
  if (block.seen.padding_rows > 0)
    text += " The padding’s own rows do move, by up to " + apart(block.seen.padding_rows) +
            ", but the loss leaves them out: it moves by " + apart(block.seen.loss) + ".";
  return text;
}

std::string zeroed_words(const PaddingStudy& study, AttentionKind kind, bool relu) {
  const PaddingStudy::Block& block = block_of(study, kind);
  if (relu || block.padding == 0 || !std::isfinite(block.zeroed.mean) || block.zeroed.least > 1 - 5e-3)
    return {};
  return std::string(block_name(kind)) +
         ": weights of 0 behind the softmax are no mask. The padding has had its share, and rows of words "
         "beside it would add up to " +
         format_probability(block.zeroed.mean) +
         " on average in the first layer, and the row that loses most to " +
         format_probability(block.zeroed.least) + ", not to 1.";
}

NumberTable padding_numbers(const PaddingStudy& study) {
  NumberTable table{.title = "largest difference when other words stand in the place of the padding",
                    .columns = {kColumns.begin(), kColumns.end()}};
  for (const AttentionKind kind : kKinds) {
    const PaddingStudy::Block& block = block_of(study, kind);
    if (block.padding == 0) continue;
    for (const bool off : {false, true}) {
      table.rows.push_back(std::string(block_name(kind)) + (off ? ", mask off" : ", mask on"));
      const auto numbers = numbers_of(off ? block.seen : block.masked);
      table.values.emplace_back(numbers.begin(), numbers.end());
    }
  }
  return table;
}

NumberTable zeroed_numbers(const PaddingStudy& study) {
  NumberTable table{
      .title = "what rows of words would add up to, with weights of 0 behind the softmax as the mask",
      .columns = {"mean", "least"}};
  for (const AttentionKind kind : kKinds) {
    const PaddingStudy::Block& block = block_of(study, kind);
    if (block.padding == 0 || !std::isfinite(block.zeroed.mean)) continue;
    table.rows.emplace_back(block_name(kind));
    table.values.push_back({block.zeroed.mean, block.zeroed.least});
  }
  return table;
}

std::string padding_caption(const PaddingStudy& study) {
  std::string text = "Which attention needs a padding mask: other words stand in the place of the padding.";
  for (const AttentionKind kind : kKinds)
    text += std::string(" ") + block_name(kind) + ": " + padding_words(study, kind);
  return text;
}

InspectorPage padding_page(const ViewInput& input, const PaddingStudy* study) {
  InspectorPage page;
  page.caption = "What the padding mask is for";
  page.subject = "**Does it need one?**";
  for (const AttentionKind kind : kKinds) {
    const bool on = !input.result.scene.what_if.padding_seen(kind);
    page.switches.push_back({block_name(kind), on, with_padding_mask(input, kind, !on)});
  }
  if (study != nullptr)
    for (const AttentionKind kind : kKinds)
      page.sections.push_back(
          {.heading = block_name(kind),
           .text = padding_words(*study, kind) + " " +
                   zeroed_words(*study, kind,
                                input.snapshot.config.attention_activation == AttentionActivation::relu)});
  page.meaning =
      "Padding only fills the batch to one length. Where a word reads it, a translation depends on the "
      "sentences that it happens to stand beside.";
  page.paper = "Paper, section 3.2.3";
  return page;
}

}  // namespace glassformer
