#include "app/views/masks/masks.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/marks.h"
#include "engine/model/dropout_masks.h"

namespace glassformer {

namespace {

constexpr int kMostColumns = 64;
constexpr float kPartHead = 30, kPartGap = 14, kWordWidth = 76, kDropLegend = 30, kLeastRow = 5,
                kMostRow = 18;
constexpr const char* kNoDropout =
    "p is 0: this model drops nothing while it learns, every mask would be all ones.";

std::string counted_columns(const char* what, Eigen::Index shown, Eigen::Index all) {
  return std::string(what) + " 1 to " + format_count(shown) + (shown < all ? " of " + format_count(all) : "");
}

// The sentence's rows of a mask over all rows of the batch.
DroppedPart part_of(std::string name, const char* what, const Matrix<float>& all, int first,
                    const std::vector<std::string>& words) {
  DroppedPart part{.name = std::move(name)};
  const Eigen::Index columns = std::min<Eigen::Index>(all.cols(), kMostColumns);
  part.shown = counted_columns(what, columns, all.cols());
  part.rows = words;
  for (Eigen::Index column = 0; column < columns; ++column)
    part.columns.push_back(std::to_string(column + 1));
  part.mask = all.block(first, 0, std::ssize(words), columns);
  return part;
}

void count_dropped(DroppedPart& part) {
  for (Eigen::Index i = 0; i < part.mask.size(); ++i) {
    if (part.hidden.size() > 0 && part.hidden.data()[i] != 0) continue;
    ++part.cells;
    if (part.mask.data()[i] == 0) ++part.dropped;
  }
}

std::string share_words(const DroppedPart& part) {
  const double share = part.cells > 0 ? static_cast<double>(part.dropped) / part.cells : 0;
  return "dropped " + format_count(part.dropped) + " of " + format_count(part.cells) + ": " +
         format_percent(share, 1) + ", p is " + format_percent(part.p, 1);
}

float row_height(const Rect& content, const DroppedStep& step) {
  float rows = 0;
  for (const DroppedPart& part : step.parts) rows += static_cast<float>(part.mask.rows());
  const float room =
      content.height - kDropLegend - static_cast<float>(step.parts.size()) * (kPartHead + kPartGap);
  return std::clamp(std::floor(room / std::max(rows, 1.0f)), kLeastRow, kMostRow);
}

void draw_part(Canvas& canvas, const Rect& place, const DroppedPart& part, float row) {
  const Theme& theme = canvas.theme();
  draw_heading(canvas, place, part.name, {.note = part.shown + "; " + share_words(part)});
  const auto rows = static_cast<int>(part.mask.rows()), columns = static_cast<int>(part.mask.cols());
  const float room = (place.width - kWordWidth) / static_cast<float>(std::max(columns, 1));
  const float column = std::clamp(std::floor(room), 2.0f, part.hidden.size() > 0 ? 28.0f : 16.0f);
  const Rect map{place.x + kWordWidth, place.y + kPartHead, column * static_cast<float>(columns),
                 row * static_cast<float>(rows)};
  std::vector<Color> colors;
  for (Eigen::Index i = 0; i < part.mask.size(); ++i)
    colors.push_back(part.mask.data()[i] == 0 ? theme.panel : theme.control);
  canvas.grid(map, rows, columns, colors);
  for (int r = 0; r < rows && part.hidden.size() > 0; ++r)
    for (int c = 0; c < columns; ++c)
      if (part.hidden(r, c) != 0)
        draw_hatched(canvas, {map.x + column * static_cast<float>(c), map.y + row * static_cast<float>(r),
                              column, row});
  canvas.rectangle({map.x - 1, map.y - 1, map.width + 2, map.height + 2}, {.outline = theme.control});
  TextStyle words = caption_style(canvas);
  words.x = AlignX::right;
  const int every = std::max(1, static_cast<int>(std::ceil(14 / row)));
  for (int r = 0; r < rows; r += every)
    canvas.text({map.x - 8, map.y + (static_cast<float>(r) + 0.5f) * row},
                elided(canvas, part.rows[static_cast<std::size_t>(r)], words, kWordWidth - 8), words);
}

}  // namespace

DroppedStep dropped_step(const ViewInput& input, const Selection& chosen) {
  const Selection shown = within(chosen, input);
  const Config& config = input.snapshot.config;
  const double attention_p = attention_rate(config);
  DroppedStep step{.p = config.dropout,
                   .attention_p = attention_p,
                   .step = input.snapshot.step + 1,
                   .seed = input.run.options.seed};
  if (step.p <= 0 && attention_p <= 0) return step;
  const Trace& trace = *input.result.trace;
  const Batch batch = make_raw_batch(trace.source, trace.target_in, trace.target_out, config);
  const DropoutMasks masks(
      *input.snapshot.weights, batch,
      {.p = step.p, .attention_p = attention_p, .seed = input.run.options.seed, .step = step.step});
  step.growth = masks.growth();
  step.attention_growth = masks.attention_growth();
  const bool encoder = shown.kind == AttentionKind::encoder;
  const Side side = encoder ? Side::source : Side::target;
  const int first = (encoder ? batch.source : batch.target_in).begin(shown.sentence);
  const std::vector<std::string> queries = query_words(input, shown.kind, shown.sentence);
  const std::string stack = encoder ? "Encoder" : "Decoder", layer = std::to_string(shown.layer + 1);
  step.parts.push_back(part_of(stack + ": embeddings", "numbers", masks.embedding(side), first, queries));
  step.parts.push_back(part_of(stack + " layer " + layer + ": units of the feed-forward", "units",
                               masks.hidden(side, shown.layer), first, queries));
  const int head = std::max(shown.head, 0);
  DroppedPart weights{.name = stack + " layer " + layer + ", head " + std::to_string(head + 1) + ": weights"};
  weights.shown = attention_title(shown.kind);
  weights.rows = queries;
  weights.columns = key_words(input, shown.kind, shown.sentence);
  weights.mask = masks.weights(shown.kind, shown.layer, shown.sentence, head);
  const AttentionTable table =
      attention_table(trace, shown.kind, shown.layer, head, shown.sentence, ValueKind::weights);
  weights.hidden = Matrix<float>::Zero(weights.mask.rows(), weights.mask.cols());
  for (int row = 0; row < std::min<int>(table.rows, static_cast<int>(weights.hidden.rows())); ++row)
    for (int column = 0; column < std::min<int>(table.columns, static_cast<int>(weights.hidden.cols()));
         ++column)
      weights.hidden(row, column) = table.is_hidden(row, column) ? 1.0f : 0.0f;
  step.parts.push_back(std::move(weights));
  for (DroppedPart& part : step.parts) part.p = step.p, count_dropped(part);
  step.parts.back().p = attention_p;
  return step;
}

std::string dropout_subtitle(const DroppedStep& step) {
  if (step.parts.empty()) return kNoDropout;
  return "Step " + format_count(step.step) + " drawn from seed " +
         format_count(static_cast<long long>(step.seed)) + ", were these sentences its batch: a share p of " +
         format_percent(step.p, 1) +
         " becomes 0, the rest grows by 1 / (1 − p) = " + format_fixed(step.growth, 3) +
         (step.attention_p != step.p ? "; of the weights p is " + format_percent(step.attention_p, 1) : "") +
         ".";
}

void draw_dropout_page(Canvas& canvas, const Rect& area, const ViewInput&, const DroppedStep& step) {
  const Rect content = stage_content(area);
  if (step.parts.empty())
    return draw_nothing_yet(canvas, content, "Nothing is dropped",
                            "One that drops: Model, Change one thing…, Dropout.");
  const Theme& theme = canvas.theme();
  const float row = row_height(content, step);
  float y = content.y;
  for (const DroppedPart& part : step.parts) {
    const float height = kPartHead + row * static_cast<float>(part.mask.rows());
    draw_part(canvas, {content.x, y, content.width, height}, part, row);
    y += height + kPartGap;
  }
  const TextStyle words{.size = 12, .color = theme.ink};
  float x = content.x + kWordWidth;
  const auto legend = [&](const Box& box, const std::string& text) {
    const Rect sign{x, y, 16, 16};
    if (box.fill == theme.ink)
      draw_hatched(canvas, sign);
    else
      canvas.rectangle(sign, box);
    canvas.text({x + 24, y + 8}, text, words);
    x += 24 + canvas.measure(text, words).x + 28;
  };
  legend({.fill = theme.control},
         "kept, × " + format_fixed(step.growth, 3) +
             (step.attention_p != step.p ? ", weights × " + format_fixed(step.attention_growth, 3) : ""));
  legend({.fill = theme.panel, .outline = theme.control}, "dropped, 0");
  legend({.fill = theme.ink}, "hidden by a mask, 0 already");
}

Point dropout_minimum(const DroppedStep& step) {
  float height = kStageTop + 12 + kDropLegend;
  for (const DroppedPart& part : step.parts)
    height += kPartHead + kPartGap + kLeastRow * static_cast<float>(part.mask.rows());
  return {760, std::max(400.0f, height)};
}

std::string dropout_caption(const DroppedStep& step) {
  if (step.parts.empty()) return std::string("Dropout: ") + kNoDropout;
  std::string text = dropout_subtitle(step);
  for (const DroppedPart& part : step.parts) text += " " + part.name + ": " + share_words(part) + ".";
  return text;
}

std::vector<NumberTable> dropout_numbers(const DroppedStep& step) {
  std::vector<NumberTable> tables;
  for (const DroppedPart& part : step.parts) {
    NumberTable& table = tables.emplace_back();
    table.title = "dropout mask, " + part.name;
    table.rows = part.rows;
    table.columns = part.columns;
    for (Eigen::Index row = 0; row < part.mask.rows(); ++row) {
      std::vector<double>& values = table.values.emplace_back();
      for (Eigen::Index column = 0; column < part.mask.cols(); ++column)
        values.push_back(static_cast<double>(part.mask(row, column)));
    }
  }
  return tables;
}

InspectorPage dropout_page(const DroppedStep& step) {
  InspectorPage page;
  page.caption = "Dropout";
  page.subject = "**What one training step drops**";
  if (!step.parts.empty()) {
    InspectorSection shares{.heading = "Dropped", .note = "p " + format_percent(step.p, 1)};
    for (const DroppedPart& part : step.parts)
      shares.rows.push_back(
          {.label = part.name,
           .value = format_percent(part.cells > 0 ? static_cast<double>(part.dropped) / part.cells : 0, 1)});
    page.sections.push_back(std::move(shares));
  } else {
    page.sections.push_back({.heading = "p 0 %", .text = kNoDropout});
  }
  page.meaning =
      "What is kept grows by 1 / (1 − p), so that the mean of a number stays as it is. Every step draws "
      "other "
      "masks; translating drops nothing.";
  page.paper = "Paper, section 5.4";
  return page;
}

}  // namespace glassformer
