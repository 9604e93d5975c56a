// What the Masks view shows and where: the padded batch, the masks, scores before and weights after, and the
// leak.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/hit_region.h"
#include "app/reading/attention_table.h"
#include "app/views/common/view.h"

namespace glassformer {

struct MaskScene {
  const ViewInput& input;
  Selection shown;            // inside the model and the batch
  int rows = 0, columns = 0;  // with padding
  int real_rows = 0, real_columns = 0;
  std::vector<std::string> queries;  // rows, "<pad>" behind the sentence's end
  std::vector<std::string> keys;     // columns
  bool causal = false;               // this attention has a causal mask at all
  bool causal_on = false, padding_on = true;
  AttentionTable scores, weights;  // of the Scene as it is
  AttentionTable compared;         // the causal (or padding) mask the other way round; empty: not computed
  double scores_end = 1;           // of their colours, the same for a Scene beside this one
  std::optional<int> covered;      // the row that a lesson asks for: none of its scores and weights is told
  bool compared_is_leak = true;    // compared lacks the mask; else it is the pass with the mask

  bool may_look(int row, int column) const { return !weights.is_hidden(row, column); }
  // The table that lacks a mask, if any is at hand.
  const AttentionTable* leaking() const;
};

// `chosen` is the selection whose attention is shown; it need not be the one that all views share.
MaskScene mask_scene(const ViewInput& input, const Selection& chosen);

// The Scene's changes with these masks on or off; the padding's of all attentions at once.
SetWhatIf with_masks(const ViewInput& input, AttentionKind kind, bool padding, bool causal);

// What the inspector, the CSV and the caption say.
InspectorPage mask_page(const MaskScene& scene);
std::vector<NumberTable> mask_numbers(const MaskScene& scene);
std::string mask_caption(const MaskScene& scene);

// The share of attention that falls on words not yet written (causal), or on padding (else), over the real
// rows.
double leaked_share(const MaskScene& scene, const AttentionTable& weights);
// "of attention falls on words not yet written, in a model that learned with the mask".
std::string leak_words(const MaskScene& scene);

// Every real sentence of the batch on its key side: chips of one row, padded to the longest.
struct BatchRow {
  std::vector<std::string> words;
  int real = 0;  // the others are padding
};
std::vector<BatchRow> batch_rows(const ViewInput& input, AttentionKind kind);

// The traces with the causal mask and without it; null where the session has not recorded one.
std::shared_ptr<const Trace> with_causal_mask(const SceneResult& result);
std::shared_ptr<const Trace> without_causal_mask(const SceneResult& result);

constexpr float kMaskTitleWidth = 64;                     // of "Padding", kept free of its switch
constexpr float kMaskLabelWidth = 68, kMaskHeading = 26;  // left of a panel, above it

struct MaskLayout {
  bool subtitle = true, side_text = true;
  bool one_row = false;  // mask, scores and weights side by side: there is no causal mask to combine it with
  float chip_pitch = 30, chip_height = 24;
  Rect batch;                 // the chips, positions above
  float cell = 18;            // px
  Rect masks[3];              // cells alone: padding, causal, combined (one only without a causal mask)
  Rect tables[3];             // scores, weights, compared
  Rect mask_text, leak_text;  // right of the panels, or a line below them
  Rect scale;                 // that both sides of a comparison share; empty: one Scene alone
  Rect labels;                // words of the rows, left of the panels, beside masks[0]
  Rect padding_switch, causal_switch;
};
inline constexpr float kMasksSubtitleFrom = 600;  // height of the stage
Point masks_minimum(const MaskScene& scene);
MaskLayout layout_masks(const Rect& area, const MaskScene& scene, int sentences);

void draw_masks(Canvas& canvas, const Rect& area, const MaskScene& scene);

// One picture alone, with words on both axes: who may look at whom, or the weights after the mask.
inline constexpr const char *kMaskPart = "mask", *kWeightsPart = "weights";
void draw_mask_part(Canvas& canvas, const Rect& area, const MaskScene& scene, bool weights);

struct PairName {
  std::string what;  // "causal mask"
  ValueKind value;   // of the trace
};
HitRegion pair_hit(const MaskScene& scene, const WhatIf& before, const PairName& name, int row, int column);
// The cells that only a missing mask makes visible: the staircase above the diagonal, or the columns of
// padding. `cell`: a cell's pitch.
void draw_leak_outline(Canvas& canvas, Point cell, const Rect& map, const MaskScene& scene);
// What stands beside the panels: what the cells mean, and how much leaks.
void draw_mask_text(Canvas& canvas, const MaskLayout& layout, const MaskScene& scene);
void draw_leak_text(Canvas& canvas, const MaskLayout& layout, const MaskScene& scene);

}  // namespace glassformer
