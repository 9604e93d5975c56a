#include "app/views/decode/decode.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/change_offers.h"
#include "app/reading/scene_words.h"
#include "app/views/common/picking.h"
#include "app/views/common/stage_text.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

namespace {

constexpr float kRow = 24, kHead = 46, kFoot = 96;

struct Sums {
  long long with = 0, without = 0;
  double difference = 0;
  bool finite = true;
};

Sums sums_of(const CacheUse& use) {
  Sums sums{.with = use.before.all()};
  for (const CacheStep& step : use.steps) {
    sums.with += step.with.all();
    sums.without += step.without.all();
    sums.difference = std::max(sums.difference, step.difference);
    sums.finite = sums.finite && std::isfinite(step.difference);
  }
  return sums;
}

std::string difference_text(double value) {
  return value == 0 ? "0" : std::isfinite(value) ? format_short(value) : "not finite";
}

// Done within a frame.
bool is_small(const ViewInput& input) {
  const auto words = static_cast<double>(input.result.trace->target_out.front().size());
  return static_cast<double>(parameter_count(input.snapshot.config)) * words * words < 4e8;
}

int chosen_step(const ViewInput& input, const CacheUse& use) {
  const int last = static_cast<int>(use.steps.size()) - 1;
  return std::clamp(input.pinned.query.value_or(last), 0, std::max(0, last));
}

// "mask, 3 × 3": a row and a column a word that the decoder has read; of the kept ones none is made again.
std::string mask_words(const CacheUse& use, int step) {
  const std::string words = std::to_string(step + 1);
  return "mask, " + words + " × " + words + (use.kept && step > 0 ? ": new is 1 × " + words : "");
}

// Rows of Q, K, V and of the mask: what is new in this step, what is kept from the steps before.
void draw_rows(Canvas& canvas, const Rect& area, const ViewInput& input, const CacheUse& use) {
  const Theme& theme = canvas.theme();
  const int count = static_cast<int>(use.steps.size()), chosen = chosen_step(input, use);
  const float label = 74, gap = 16;
  const float cell = std::min(kRow, (area.width - label - gap - 3 * 34.0f) / static_cast<float>(count));
  const float mask = area.x + label + 3 * 34 + gap;
  const TextStyle small = caption_style(canvas);
  TextStyle head = small;
  head.x = AlignX::center;
  const char* names[] = {"Q", "K", "V"};
  for (int i = 0; i < 3; ++i)
    canvas.text({area.x + label + 34 * static_cast<float>(i) + 14, area.y + 34}, names[i], head);
  canvas.text({mask, area.y + 34}, elided(canvas, mask_words(use, chosen), small, area.right() - mask),
              small);
  for (int row = 0; row < count; ++row) {
    const float y = area.y + kHead + kRow * static_cast<float>(row);
    const bool now = row == chosen, before = row < chosen;
    const TextStyle word{.font = now ? Font::semibold : Font::regular,
                         .size = 12,
                         .color = row > chosen ? theme.faint_text : theme.ink};
    canvas.text(
        {area.x, y + kRow / 2},
        elided(canvas, target_word(input, use.steps[static_cast<std::size_t>(row)].read), word, label - 8),
        word);
    // A query is read once and thrown away; keys and values are what is kept.
    const Color colors[] = {theme.query, theme.key, theme.value};
    const Color tints[] = {theme.panel, theme.key_tint, theme.value_tint};
    for (int i = 0; i < 3; ++i) {
      const Rect box{area.x + label + 34 * static_cast<float>(i), y + 3, 28, kRow - 6};
      const bool kept = before && i > 0 && use.kept;
      if (now || (before && !use.kept))
        canvas.rectangle(box, {.fill = colors[i], .radius = 3});
      else if (kept)
        canvas.rectangle(box, {.fill = tints[i], .outline = colors[i], .radius = 3});
      else
        canvas.rectangle(box, {.outline = theme.border, .radius = 3, .dashed = row > chosen});
    }
    const int seen = use.kept ? row : chosen;
    for (int column = 0; column < count; ++column) {
      if (column > seen || row > chosen) continue;
      const Rect box{mask + cell * static_cast<float>(column) + 1, y + (kRow - cell) / 2 + 1, cell - 2,
                     cell - 2};
      canvas.rectangle(
          box, {.fill = now || !use.kept ? theme.ink : theme.sunken, .outline = theme.control, .radius = 2});
    }
  }
}

void draw_costs(Canvas& canvas, const Rect& area, const ViewInput& input, const CacheUse& use) {
  const Theme& theme = canvas.theme();
  TextStyle head = caption_style(canvas);
  head.x = AlignX::right;
  const float difference = area.right(), without = difference - 96, with = without - 110;
  const float bars = area.x, room = std::max(20.0f, with - 92 - bars);
  if (use.kept) {
    canvas.text({with, area.y + 34}, "with", head);
    canvas.text({difference, area.y + 34}, "difference", head);
  }
  canvas.text({without, area.y + 34}, "without", head);
  const double largest = static_cast<double>(use.steps.back().without.all());
  for (std::size_t row = 0; row < use.steps.size(); ++row) {
    const CacheStep& step = use.steps[row];
    const float y = area.y + kHead + kRow * (static_cast<float>(row) + 0.5f);
    const auto wide = [&](long long count) {
      return std::max(1.0f, room * static_cast<float>(static_cast<double>(count) / largest));
    };
    canvas.rectangle({bars, y - 8, wide(step.without.all()), 7},
                     {.fill = theme.paper, .outline = theme.second_text, .radius = 2});
    if (use.kept) canvas.rectangle({bars, y + 1, wide(step.with.all()), 7}, {.fill = theme.ink, .radius = 2});
    const bool now = static_cast<int>(row) == chosen_step(input, use);
    const TextStyle mono{
        .font = Font::mono, .size = 12, .color = now ? theme.ink : theme.second_text, .x = AlignX::right};
    canvas.text({without, y}, format_count(step.without.all()), mono);
    if (!use.kept) continue;
    canvas.text({with, y}, format_count(step.with.all()), mono);
    canvas.text({difference, y}, difference_text(step.difference), mono);
  }
}

}  // namespace

std::shared_ptr<const CacheUse> cache_use(const ViewInput& input, CacheUses& cache, bool at_once) {
  const CacheKey key{input.result.untouched_snapshot, input.result.trace};
  const Scene& scene = input.result.scene;
  const auto found = cache.get(
      key, at_once || is_small(input),
      [key, what_if = scene.what_if, substitutes = scene.substitutes,
       source = input.result.trace->source.front(), words = input.result.trace->target_out.front()] {
        return compare_with_cache(ChangedModel<float>(*key.model->weights, what_if, substitutes), source,
                                  words);
      });
  return found.current ? found.value : nullptr;
}

namespace {

std::string growing_mask_words(const CacheUse& use) {
  const std::string last = std::to_string(use.steps.size());
  return " The mask grows with every word, from 1 × 1 to " + last + " × " + last +
         (use.kept ? "; with the cache only its last row is new, 1 × " + last + " in the end." : ".");
}

}  // namespace

std::string cache_words(const CacheUse& use) {
  const Sums sums = sums_of(use);
  if (!use.kept)
    return "A change lets words read what stands behind them: every row has to be computed anew at every "
           "step, " +
           format_count(sums.without) + " multiplications for all words, the encoder’s among them." +
           growing_mask_words(use);
  const double times = static_cast<double>(sums.without) / static_cast<double>(sums.with);
  return "With the cache " + format_count(sums.with) +
         " multiplications for all words and the encoder, without " + format_count(sums.without) + ": " +
         format_fixed(times, 1) + " times as many. " +
         (sums.finite ? "The logits of both differ by at most " + difference_text(sums.difference) + "."
                      : "The logits are not finite, so that the two cannot be compared.") +
         growing_mask_words(use);
}

Point cache_page_minimum(const ViewInput& input) {
  const auto steps = static_cast<float>(input.result.trace->target_out.front().size());
  return {820, kStageTop + kHead + kRow * steps + kFoot + 12};
}

void draw_cache_page(Canvas& canvas, const Rect& area, const ViewInput& input, const CacheUse& use) {
  draw_stage_title(canvas, area, kCacheTitle,
                   use.kept
                       ? "One new row of Q, K and V, and one new row of the mask. What was computed for "
                         "the words before it stays as it is."
                       : "A change lets words read what stands behind them: a new word changes all rows, "
                         "and all are computed anew.");
  const Rect content = stage_content(area);
  const float left = std::round(std::clamp(content.width * 0.42f, 300.0f,
                                           74 + 3 * 34 + 16 + kRow * static_cast<float>(use.steps.size())));
  const Rect rows{content.x, content.y, left, content.height};
  const Rect costs{content.x + left + 40, content.y, content.width - left - 40, content.height};
  draw_heading(canvas, rows, "Rows at step " + std::to_string(chosen_step(input, use) + 1),
               {.note = use.kept ? "filled: new, outlined: kept" : "all computed anew"});
  draw_heading(canvas, costs, "Multiplications of a step",
               {.note = use.kept ? "filled: with the cache; outlined: without" : "no cache can be kept"});
  draw_rows(canvas, rows, input, use);
  draw_costs(canvas, costs, input, use);
  const float y = content.y + kHead + kRow * static_cast<float>(use.steps.size()) + 16;
  TextStyle style = caption_style(canvas);
  style.y = AlignY::top;
  paragraph(
      canvas, {content.x, y}, content.width,
      cache_words(use) +
          (use.kept ? " Counted: matrix products. Without the cache, as it is run here, every step runs "
                      "the encoder again."
                    : " Counted: matrix products."),
      style);

  HitGrid grid{
      .rect = {content.x, content.y + kHead, content.width, kRow * static_cast<float>(use.steps.size())},
      .rows = static_cast<int>(use.steps.size()),
      .columns = 1,
      .cell = {}};
  grid.cell = [before = input.pinned, words = input.result.trace->target_out.front()](int row, int) {
    HitRegion hit = picking("cache step " + std::to_string(row + 1), at_step(before, row));
    hit.menu = about_beginning({words.begin(), words.begin() + row + 1});
    return hit;
  };
  canvas.hit_grid(grid);
}

InspectorPage cache_page(const ViewInput& input, const CacheUse& use) {
  const int chosen = chosen_step(input, use);
  const CacheStep& step = use.steps[static_cast<std::size_t>(chosen)];
  InspectorPage page;
  page.caption = "Step " + std::to_string(chosen + 1) + " of the decoder";
  page.subject = "reads **" + target_word(input, step.read) + "**";
  const auto section = [](std::string heading, const StepCost& cost, const char* encoder) {
    InspectorSection parts{.heading = std::move(heading), .note = format_count(cost.all())};
    const auto row = [&](const char* label, long long count) {
      if (count > 0) parts.rows.push_back({.label = label, .value = format_count(count)});
    };
    row("projections", cost.projections);
    row("attention", cost.attention);
    row("feed-forward", cost.feed_forward);
    row("to the logits", cost.output);
    row(encoder, cost.encoder);
    return parts;
  };
  if (use.kept) {
    page.sections = {section("With the cache", step.with, "encoder"),
                     section("Without", step.without, "encoder, once more"),
                     section("Once, before the first word", use.before, "encoder")};
    page.sections.back().text = "The encoder, and the keys and values of its memory.";
  } else {
    page.sections = {section("All rows, in this step", step.without, "encoder, in every step")};
    page.sections.back().text = "Nothing is kept from the steps before.";
  }
  const std::string words = std::to_string(chosen + 1);
  page.sections.push_back({.heading = "The mask of this step",
                           .rows = {{.label = "computed anew", .value = words + " × " + words}}});
  if (use.kept) page.sections.back().rows.push_back({.label = "with the cache", .value = "1 × " + words});
  page.sections.push_back(
      {.heading = "In use and in training",
       .note = "measured now",
       .rows = {{.label = "word by word", .value = format_fixed(use.in_turn_ms, 2) + " ms"},
                {.label = "all words in one pass", .value = format_fixed(use.at_once_ms, 2) + " ms"}},
       .text = "In use a word has to be written before it can be read. In training all are known, so that "
               "every row is computed at once.",
       .for_hands = true});
  page.meaning = use.kept
                     ? "The mask hides what stands behind a word. So no row computed before can change when "
                       "a word is added: its keys and values are kept."
                     : "A row that reads what comes behind it is another one as soon as a word is added: its "
                       "key and value cannot be kept.";
  page.paper = "Paper, section 3.2.3";
  return page;
}

NumberTable cache_numbers(const ViewInput& input, const CacheUse& use) {
  NumberTable table{.title = "multiplications of each step, and the largest difference of the logits",
                    .columns = {"with the cache", "without", "difference"}};
  if (!use.kept) {
    table.title = "multiplications of each step: all rows are computed anew, no cache can be kept";
    table.columns = {"without a cache"};
  }
  for (const CacheStep& step : use.steps) {
    table.rows.push_back("reads " + target_word(input, step.read));
    const auto without = static_cast<double>(step.without.all());
    if (use.kept)
      table.values.push_back({static_cast<double>(step.with.all()), without, step.difference});
    else
      table.values.push_back({without});
  }
  return table;
}

}  // namespace glassformer
