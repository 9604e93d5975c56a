#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/picking.h"
#include "app/views/common/stage_text.h"
#include "app/views/masks/masks.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr float kMapsGap = 32, kMapHead = 44, kMapLegend = 38, kFootGap = 10, kLeastMap = 90;
constexpr float kLeastCell = 14, kLeastCellOfMany = 6, kFootRoom = 190, kLeastWidth = 500;
constexpr float kShareBar = 24, kShareGap = 6, kWideMap = 340;
constexpr double kRounding = 5e-3;  // of a sum that is shown
constexpr float kMostAspect = 1.6f;
constexpr int kMostCell = 44, kManyWords = 16;

struct MistakeSide {
  const char* what = "";  // "right", "mistaken": what its cells are called
  const AttentionTable& table;
  std::vector<double> sums;
  std::string heading, note;
};

MistakeSide right_side(const MistakeScene& scene) {
  MistakeSide side{.what = "right", .table = scene.right, .sums = {}, .heading = {}, .note = {}};
  bool whole = true;
  for (int row = 0; row < scene.rows(); ++row) {
    side.sums.push_back(scene.head().right_sum(row));
    whole = whole && (row == scene.covered || std::abs(side.sums.back() - 1) < kRounding);
  }
  side.heading = scene.relu ? "−∞ before the ReLU" : "−∞ before the softmax";
  side.note = whole        ? "rows sum to 1"
              : scene.relu ? "divided by the keys that a row sees"
                           : "a row set by hand sums to what it was given";
  return side;
}

MistakeSide mistaken_side(const MistakeScene& scene) {
  MistakeSide side{.what = "mistaken", .table = scene.mistaken, .sums = {}, .heading = {}, .note = {}};
  bool less = false;
  for (int row = 0; row < scene.rows(); ++row) {
    side.sums.push_back(scene.head().kept(row));
    less = less || (row != scene.covered && side.sums.back() < scene.head().right_sum(row) - kRounding);
  }
  side.heading = scene.relu ? "0 after the ReLU" : "0 after the softmax";
  side.note = !less        ? "here no row loses anything"
              : scene.relu ? "divided by all keys: rows get smaller"
                           : "rows that looked ahead no longer do";
  return side;
}

Selection of_row(const MistakeScene& scene, int row) {
  Selection selection = scene.shown;
  selection.query = row;
  selection.key.reset();
  selection.cell.reset();
  return selection;
}

HitRegion cell_hit(const MistakeScene& scene, bool mistaken, int row, int column) {
  const auto word = [&](int place) { return "“" + scene.words[static_cast<std::size_t>(place)] + "”"; };
  const MistakenHead& head = scene.head();
  const std::string weight = format_probability(static_cast<double>(head.right(row, column))),
                    spread = format_probability(static_cast<double>(head.spread(row, column)));
  const bool hidden = scene.right.is_hidden(row, column);
  std::string tip = word(row);
  if (row == scene.covered) {
    tip += " is covered until the question is answered";
  } else if (hidden && mistaken) {
    tip += " had given " + word(column) + " " + spread + ": set to 0";
  } else if (hidden) {
    tip += " does not see " + word(column);
  } else {
    tip += " gives " + word(column) + " " + (mistaken ? spread + ", less than " + weight : weight);
  }
  Selection selection = of_row(scene, row);
  // Only the right weight is a number of this pass.
  if (!mistaken)
    selection =
        selecting(selection, {attention_value(AttentionKind::decoder, selection.layer, ValueKind::weights),
                              {selection.sentence, selection.head, row, column}});
  return picking(std::string(mistaken ? "mistaken" : "right") + " weights query " + std::to_string(row) +
                     " key " + std::to_string(column),
                 selection, tip);
}

HeatmapOptions map_options(const MistakeScene& scene, const MistakeSide& side, bool low) {
  HeatmapOptions options;
  options.limit = scene.relu ? 0 : 1;
  if (scene.relu)
    options.limit = weight_limit(
        std::max(largest_magnitude(scene.right.data()), largest_magnitude(scene.mistaken.data())));
  options.color_bar = false;
  options.max_cell = kMostCell;
  options.max_aspect = kMostAspect;
  options.frame = true;
  if (!low) options.row_title = {Badge::query, "query"};
  if (!low) options.column_title = {Badge::key, "key"};
  options.row_labels = options.column_labels = scene.words;
  for (int row = 0; row < scene.rows(); ++row)
    options.right_values.push_back(scene.sum_text(row, side.sums[static_cast<std::size_t>(row)]));
  options.right_title = "sum";
  options.pinned_row = scene.shown.query;
  options.pinned_column = scene.shown.key;
  if (!scene.shown.query) options.hovered_row = scene.row;
  // Cells are asked about after the drawing, so they keep their own scene.
  const auto kept = std::make_shared<const MistakeScene>(scene);
  const bool mistaken = &side.table == &scene.mistaken;
  options.cell_hit = [kept, mistaken](int row, int column) { return cell_hit(*kept, mistaken, row, column); };
  options.row_hit = [kept, what = std::string(side.what)](int row) {
    return picking(what + " row " + std::to_string(row), of_row(*kept, row), mistake_words(*kept, row));
  };
  return options;
}

void draw_side(Canvas& canvas, const Rect& place, const MistakeScene& scene, const MistakeSide& side,
               const HeatmapOptions& options, bool bars) {
  const Theme& theme = canvas.theme();
  const bool mistaken = &side.table == &scene.mistaken;
  const TextStyle strong{.font = Font::semibold, .size = 14, .color = theme.ink};
  canvas.text({place.x, place.y + 10}, elided(canvas, side.heading, strong, place.width), strong);
  TextStyle note = caption_style(canvas);
  if (mistaken) note.color = theme.reference;
  canvas.text({place.x, place.y + 30}, elided(canvas, side.note, note, place.width), note);
  const Rect below{place.x, place.y + kMapHead, place.width - (bars ? kShareBar + kShareGap : 0),
                   place.height - kMapHead};
  const HeatmapLayout map = draw_heatmap(canvas, below, side.table.data(), options);
  if (!bars || map.row_step > 1) return;
  for (int row = 0; row < scene.rows(); ++row) {
    if (row == scene.covered) continue;
    const float x = map.cells.right() + map.right + kShareGap, y = map.cell(row, 0).center().y;
    const double sum = side.sums[static_cast<std::size_t>(row)];
    const bool lost = sum < scene.head().right_sum(row) - kRounding;
    draw_share_bar(canvas, {x, y - 2, kShareBar, 4}, std::clamp(sum, 0.0, 1.0),
                   lost ? theme.reference : theme.ink);
  }
}

std::string foot_words(const MistakeScene& scene) {
  std::string text = capitalized(head_words(scene.shown.layer, scene.shown.head)) +
                     ". Both start from the same scores, those of the pass that masks as it should. ";
  text += scene.shown.layer == 0 ? "A pass that makes the mistake has the same ones in this layer. "
                                 : "A pass that makes the mistake from the first layer on has others here. ";
  return text + "To learn so on purpose: Model, Change one thing…, All options…, Future hidden behind the " +
         (scene.relu ? "ReLU." : "softmax.");
}

// What the colours mean, in one line.
void draw_legend(Canvas& canvas, Point at, double limit) {
  const TextStyle words{.size = 12, .color = canvas.theme().ink};
  draw_color_bar_across(canvas, {at.x + 14, at.y, 72, 10}, ColorScale::weight, limit);
  canvas.text({at.x + 118, at.y + 5}, "weights", words);
  draw_hatched(canvas, {at.x + 190, at.y - 3, 16, 16});
  canvas.text({at.x + 214, at.y + 5}, "hidden: left −∞, right 0", words);
}

}  // namespace

void draw_mistake_page(Canvas& canvas, const Rect& area, const MistakeScene& scene) {
  const Rect content = stage_content(area);
  if (!scene.causal())
    return draw_nothing_yet(canvas, content, "The causal mask is off",
                            "Nothing hides the words to come, so that nothing can hide them too late. The "
                            "first page has its switch.");
  // What is below the maps.
  const TextStyle explanation{.size = 14, .color = canvas.theme().ink, .y = AlignY::top};
  TextStyle caption = caption_style(canvas);
  caption.y = AlignY::top;
  const std::string words = mistake_words(scene, scene.row), foot = foot_words(scene);
  const float explanation_height = paragraph_height(canvas, content.width, words, explanation),
              foot_height = kMapLegend + explanation_height + kFootGap +
                            paragraph_height(canvas, content.width, foot, caption);

  // Two maps of one size of cells; where there is little room the words of the rows are left of both.
  const MistakeSide sides[] = {right_side(scene), mistaken_side(scene)};
  const float height = std::max(kMapHead + kLeastMap, content.height - foot_height),
              half = (content.width - kMapsGap) / 2;
  const bool low = height < 320, narrow = half < kWideMap, bars = half >= kWideMap + kShareBar;
  HeatmapOptions options[] = {map_options(scene, sides[0], low), map_options(scene, sides[1], low)};
  float widths[] = {half, half};
  const auto layout_of = [&](int side) {
    const float room = widths[side] - (bars ? kShareBar + kShareGap : 0);
    return layout_heatmap(canvas, {content.x, content.y, room, height - kMapHead}, sides[side].table.data(),
                          options[side]);
  };
  if (narrow) {
    options[1].show_row_labels = false;
    options[1].row_title = {};
    const float words_width = layout_of(0).left / 2;
    widths[0] += words_width, widths[1] -= words_width;
  }
  const HeatmapLayout first = layout_of(0), second = layout_of(1);
  const float high = std::max(1.0f, std::min(first.cell_height, second.cell_height)),
              wide = std::min(first.cell_width, second.cell_width);
  for (HeatmapOptions& each : options) {
    each.max_cell = static_cast<int>(high);
    each.max_aspect = (wide + 0.01f) / high;
  }
  const HeatmapLayout map = layout_of(0);
  float x = content.x;
  for (int side = 0; side < 2; ++side) {
    draw_side(canvas, {x, content.y, widths[side], height}, scene, sides[side], options[side], bars);
    x += widths[side] + kMapsGap;
  }

  float y = content.y + kMapHead + (map.bounds.bottom() - content.y) + 18;
  draw_legend(canvas, {content.x, y}, options[0].limit);
  y += kMapLegend - 14;
  paragraph(canvas, {content.x, y}, content.width, words, explanation);
  paragraph(canvas, {content.x, y + explanation_height + kFootGap}, content.width, foot, caption);
}

Point mistake_minimum(const ViewInput& input, const Selection& chosen) {
  const Selection shown = within(of_kind(chosen, AttentionKind::decoder), input);
  const auto words = static_cast<float>(key_words(input, AttentionKind::decoder, shown.sentence).size());
  const float cell = words > kManyWords ? kLeastCellOfMany : kLeastCell;
  return {std::max(kLeastWidth, 2 * words * cell + 80 + 2 * 46 + kMapsGap + 2 * kStagePadding),
          kStageTop + kMapHead + 56 + words * cell + kFootRoom};
}

}  // namespace glassformer
