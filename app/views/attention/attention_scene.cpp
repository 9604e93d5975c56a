#include <algorithm>
#include <cmath>

#include "app/inspector/inspector.h"
#include "app/inspector/pages.h"
#include "app/reading/scene_words.h"
#include "app/views/attention/attention.h"
#include "app/views/common/stage_text.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

std::string kind_label(AttentionKind kind) {
  return kind == AttentionKind::encoder ? "encoder" : kind == AttentionKind::decoder ? "decoder" : "cross";
}

}  // namespace

Selection repinned(Selection selection) {
  selection.cell.reset();
  selection.cell = selected_cell(selection);
  return selection;
}

std::string head_label(const Selection& selection) {
  const std::string head = selection.head < 0 ? "mean" : std::to_string(selection.head + 1);
  return kind_label(selection.kind) + " " + layer_words(selection.layer) + " head " + head;
}

std::vector<WallRow> wall_rows(const ViewInput& input, bool every) {
  std::vector<WallRow> rows;
  for (const AttentionKind kind : {AttentionKind::cross, AttentionKind::encoder, AttentionKind::decoder})
    for (int layer = 0; layer < attention_layers(input.snapshot.config, kind); ++layer)
      if (every || kind == input.shown.kind) rows.push_back({kind, layer});
  return rows;
}

std::string wall_row_name(const WallRow& row, bool every) {
  return (every ? kind_label(row.kind) + ", " : "") + layer_words(row.layer);
}

std::string all_heads(const ViewInput& input) {
  return "all " + std::to_string(std::ssize(wall_rows(input, true)) * input.snapshot.config.heads);
}

int computed_rows(const ViewInput& input, AttentionKind kind, int sentence, int rows) {
  const bool all = kind == AttentionKind::encoder || input.shown_steps < 0 || sentence != 0;
  return all ? rows : std::min(input.shown_steps, rows);
}

AttentionScene attention_scene(const ViewInput& input, bool every) {
  AttentionScene scene{
      .input = input,
      .pinned = within(input.pinned, input),
      .shown = within(input.shown, input),
      .every = every,
      .heads = input.snapshot.config.heads,
      .queries = {},
      .keys = {},
      .writes = {},
      .should = input.shown.kind != AttentionKind::encoder && has_right_words(input, input.shown.sentence) &&
                !writes_what_is_asked(*input.result.trace, within(input.shown, input).sentence),
      .table = {},
      .padding = {},
      .limit = difference_limit(input, within(input.shown, input).kind, within(input.shown, input).sentence),
      .computed_rows = 0};
  const AttentionKind kind = scene.shown.kind;
  const int sentence = scene.shown.sentence;
  scene.queries = query_words(input, kind, sentence);
  scene.keys = key_words(input, kind, sentence);
  if (kind != AttentionKind::encoder) scene.writes = target_out_words(input, sentence);
  scene.table = shown_attention(input, kind, scene.shown.layer, scene.shown.head, sentence);
  scene.padding = padding_weights(*input.result.trace, scene.shown);

  // While the decoding is stepped, words to come are not on the axes yet. Row j has read word j and writes
  // word j + 1.
  scene.computed_rows = computed_rows(input, kind, sentence, scene.table.rows);
  if (scene.computed_rows == scene.table.rows) return scene;
  const auto rows = static_cast<size_t>(scene.computed_rows);
  for (size_t i = rows; i < scene.queries.size(); ++i) scene.queries[i].clear();
  for (size_t i = rows; i < scene.writes.size(); ++i) scene.writes[i].clear();
  if (kind == AttentionKind::decoder)
    for (size_t i = rows; i < scene.keys.size(); ++i) scene.keys[i].clear();
  return scene;
}

namespace {

bool sees_future(const ViewInput& input) {
  return input.result.scene.what_if.has(ChangeKind::causal_mask_off);
}

}  // namespace

std::string attention_question(const ViewInput& input, AttentionKind kind) {
  const std::string source = source_language(input), target = target_language(input);
  switch (kind) {
    case AttentionKind::encoder:
      return "Which other " + source + " words each " + source + " word reads";
    case AttentionKind::decoder:
      return sees_future(input) ? "Which " + target + " words each " + target + " word reads, later ones too"
                                : "Which earlier words each " + target + " word looks back at";
    case AttentionKind::cross:
      break;
  }
  return "Which " + source + " words each " + target + " word reads";
}

std::string attention_subtitle(const ViewInput& input, AttentionKind kind) {
  const std::string source = source_language(input);
  const std::string target = input.target_language.empty() || input.target_language == "target"
                                 ? "the target"
                                 : input.target_language;
  const std::string article = std::string("aeiouAEIOU").find(source[0]) == std::string::npos ? "a " : "an ";
  switch (kind) {
    case AttentionKind::encoder:
      return "Self-attention of the encoder: every row is a word that reads, every column a word it reads, "
             "brighter is more.";
    case AttentionKind::decoder:
      return (sees_future(input) ? "Self-attention, its mask off: every row is one step of writing "
                                 : "Masked self-attention: every row is one step of writing ") +
             target +
             (sees_future(input) ? ", every column a word, written or not, brighter is more."
                                 : ", every column a word already written, brighter is more.");
    case AttentionKind::cross:
      break;
  }
  return "Cross-attention: every row is one step of writing " + target + ", every column " + article +
         source + " word, brighter is more.";
}

namespace {

constexpr float kSmallTile = 48, kColumnGap = 40;
constexpr float kLowArea = 560;     // under it the subtitle goes and tiles stay small
constexpr float kLowestArea = 400;  // under it the title goes too, for the sake of the map
constexpr float kWideSwitchWidth = 256, kSwitchHeight = 32;

float gap_of(float tile) {
  return tile >= 80 ? 16 : tile >= 60 ? 12 : 8;
}

WallLayout wall_layout(int layers, int heads, float tile) {
  WallOptions options;
  options.layers = layers;
  options.heads = heads;
  options.tile = tile;
  options.gap = gap_of(tile);
  return layout_wall({0, 0, 100000, 100000}, options);
}

float width_of(int heads, float tile) {
  return static_cast<float>(heads) * tile + static_cast<float>(heads - 1) * gap_of(tile);
}

}  // namespace

float smallest_wall_height(int layers, int heads) {
  return kHeadingHeight + wall_layout(layers, heads, kSmallTile).height;
}

AttentionLayout layout_attention(const Rect& area, int layers, int heads, AttentionPane part) {
  AttentionLayout layout;
  layout.subtitle = area.height >= kLowArea;
  layout.title = area.height >= kLowestArea;
  Rect content = stage_content(area, layout.subtitle);
  if (!layout.title) {
    const float up = content.y - area.y - 12;
    content.y -= up, content.height += up;
  }

  // Clear of the switch in the title, which is nearer where there is no subtitle.
  const float switch_top = content.y - (layout.subtitle || !layout.title ? 4.0f : 0.0f);

  // The largest tiles that leave the enlarged head more than half of the width, and the wall inside the
  // height.
  const float share = layout.subtitle ? 0.44f : 0.34f;
  const float split = area.width < 800 ? 24 : layout.subtitle ? kColumnGap : 52;
  layout.tile = layout.subtitle ? 88 : 64;
  while (layout.tile > kSmallTile &&
         (width_of(heads, layout.tile) > share * content.width ||
          kHeadingHeight + wall_layout(layers, heads, layout.tile).height > content.height))
    layout.tile -= 4;
  layout.gap = gap_of(layout.tile);
  const float wall_width = width_of(heads, layout.tile);
  const float head_width = content.width - split - wall_width;
  const float wall_height = kHeadingHeight + wall_layout(layers, heads, layout.tile).height;
  layout.columns = (head_width >= 380 || (head_width >= 320 && head_width > wall_width)) &&
                   (layout.title || wall_height <= content.height);

  if (!layout.columns) {
    const float width = content.width < 480 ? switch_width(content.width) : kWideSwitchWidth;
    layout.part_switch = {content.right() - width, switch_top, width, kSwitchHeight};
    (part == AttentionPane::wall ? layout.wall : layout.head) = content;
    layout.tile =
        std::clamp(std::floor((content.width + 8) / static_cast<float>(heads)) - 8, kSmallTile, 88.0f);
    layout.gap = gap_of(layout.tile);
    return layout;
  }

  layout.wall = {content.x, content.y, wall_width, std::min(wall_height, content.height)};
  layout.head = {content.x + wall_width + split, content.y, head_width, content.height};
  layout.part_switch = {layout.head.right() - kSwitchWidth, switch_top, kSwitchWidth, kSwitchHeight};
  const float left = content.height - wall_height - 16;
  layout.bars = left < 190 || wall_width < 300;
  if (left >= (layout.bars ? 110 : 190))
    layout.below = {content.x, content.y + wall_height + 16, wall_width, left};
  return layout;
}

AttentionLayout layout_wall_alone(const Rect& area, int layers, int heads) {
  AttentionLayout layout;
  layout.columns = false;
  layout.wall = area.inset(kStagePadding);
  layout.tile = 400;
  while (layout.tile > kSmallTile &&
         (width_of(heads, layout.tile) > layout.wall.width ||
          kHeadingHeight + wall_layout(layers, heads, layout.tile).height > layout.wall.height))
    layout.tile -= 4;
  layout.gap = gap_of(layout.tile);
  return layout;
}

namespace {

// The head that is shown with these words alone, and what Ctrl makes of a click on them.
HitRegion word_region(const AttentionScene& scene, std::string label, std::optional<int> row,
                      std::optional<int> column, std::string tooltip) {
  Selection selection = scene.shown;
  selection.query = row;
  selection.key = column;
  selection.more_queries.clear();
  selection.more_keys.clear();
  HitRegion hit = picking(std::move(label), repinned(selection), std::move(tooltip));
  hit.add = AddPin{selection};
  return hit;
}

}  // namespace

HitRegion cell_hit(const AttentionScene& scene, int row, int column) {
  const auto query = static_cast<size_t>(row), key = static_cast<size_t>(column);
  if (row >= scene.computed_rows)
    return {
        .label = head_label(scene.shown) + " query " + std::to_string(row) + " key " + std::to_string(column),
        .tooltip = "not computed yet: this word is written in a later step"};
  const float value = scene.table.at(row, column);
  const std::string weight = scene.table.is_hidden(row, column) ? "hidden by the mask"
                             : scene.limit > 0                  ? "weight " + value_text(std::abs(value)) +
                                                     (value < 0 ? " less" : " more") + " than in the second"
                                               : "weight " + value_text(value);
  const std::string head =
      scene.shown.head < 0 ? "mean over heads" : "head " + std::to_string(scene.shown.head + 1);
  return word_region(
      scene, head_label(scene.shown) + " query " + std::to_string(row) + " key " + std::to_string(column),
      row, column,
      "query “" + scene.queries[query] + "”, key “" + scene.keys[key] + "”, " + head + "\n" + weight);
}

HitRegion line_hit(const AttentionScene& scene, std::optional<int> row, std::optional<int> column,
                   const std::string& where) {
  const std::string axis = row ? "query " + std::to_string(*row) : "key " + std::to_string(*column);
  const std::string& word =
      row ? scene.queries[static_cast<size_t>(*row)] : scene.keys[static_cast<size_t>(*column)];
  if (row && *row >= scene.computed_rows)
    return {.label = head_label(scene.shown) + " " + axis + where,
            .tooltip = "not computed yet: this word is written in a later step"};
  return word_region(scene, head_label(scene.shown) + " " + axis + where, row, column,
                     (row ? "query “" : "key “") + word + "”");
}

}  // namespace glassformer
