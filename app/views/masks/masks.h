// What the files of this view share, part by part.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/hit_region.h"
#include "app/reading/attention_table.h"
#include "app/reading/background.h"
#include "app/views/common/view.h"
#include "engine/analysis/mask_mistake.h"
#include "engine/analysis/padding_study.h"
#include "engine/math/matrix.h"

namespace glassformer {

// A page of the Masks view: the batch as the tensors that a training step reads, what of it the loss leaves
// out, and how the masks are spread over heads and queries.

// One tensor of ids, (B, L), filled up with padding.
struct IdTensor {
  const char* name = "";
  std::vector<std::vector<int>> ids;
  std::vector<int> real;  // of each row; what is behind is padding
  std::vector<std::vector<std::string>> words;
  bool in_loss = false;  // what the loss asks for: padding is ignored there
  bool answers = false;  // what the model answers: behind a row's end it is asked nothing
  int length() const { return ids.empty() ? 0 : static_cast<int>(ids.front().size()); }
};

// How the masks of one attention are spread: (B, 1, 1, L_k) for the padding, (1, L_q, L_k) for the future,
// and what both give, (B, H, L_q, L_k).
struct MaskShapes {
  const char* name = "";
  std::string letters;                       // of the result: "(B, H, T, S)"
  std::vector<int> padding, causal, result;  // causal empty: there is none
  std::string padding_letters, causal_letters;
};

struct BatchTensors {
  std::vector<IdTensor> tensors;             // source, target_input, target_predict, argmax of logits
  std::vector<MaskShapes> shapes;            // of the three attentions
  int pad_id = 0, counted = 0, cells = 0;    // target tokens that the loss is a mean over; all cells
  int width = 0, heads = 1, head_width = 0;  // d, h, k
  int vocabulary = 0;                        // V, of the target
};
BatchTensors batch_tensors(const ViewInput& input);

inline constexpr const char* kBatchTitle = "The batch as the model reads it";
inline constexpr const char* kBatchSubtitle =
    "The source, the target twice (read from <bos> on, asked for one word later), and what the model "
    "answers.";
void draw_batch_page(Canvas& canvas, const Rect& area, const ViewInput& input);
Point batch_minimum(const ViewInput& input);
std::string batch_loss_words(const BatchTensors& batch);
std::string shape_text(const std::vector<int>& shape);  // "(4, 8)"
// The shapes on the way from ids into the heads and to the logits: {"Q, K, V", "(4, 8, 64) → ...", "(B, S, d)
// →
// ..."}.
std::vector<std::array<std::string, 3>> shape_way(const BatchTensors& batch);
// The two ways to write a mask down, with what this batch has of each.
std::string mask_signs_words(const BatchTensors& batch);
// What dropping the last column of the target, and dropping each row's <eos>, leave. `causal`: that mask is
// on.
std::string target_slices_words(const BatchTensors& batch, bool causal);
std::vector<NumberTable> batch_numbers(const BatchTensors& batch);
InspectorPage batch_page(const ViewInput& input);

// A page of the Masks view: what the next training step drops of the embeddings, of one head's attention and
// of the feed-forward's units, drawn from the run's own random stream.

struct DroppedPart {
  std::string name;   // "Embeddings", "Weights of layer 2, head 1"
  std::string shown;  // "numbers 1 to 64 of 512"
  std::vector<std::string> rows, columns;
  Matrix<float> mask;          // (rows, columns): 0 or 1 / (1 - p)
  Matrix<float> hidden;        // of the weights: 1 where a mask hides the pair anyway; else empty
  int dropped = 0, cells = 0;  // hidden pairs are not counted
  double p = 0;
};

struct DroppedStep {
  double p = 0, growth = 1;
  double attention_p = 0, attention_growth = 1;  // of the weights
  long step = 0;                                 // of the training, whose masks they are
  unsigned long long seed = 0;
  std::vector<DroppedPart> parts;  // empty: both p are 0
};
// `chosen`: whose attention, layer, head and sentence.
DroppedStep dropped_step(const ViewInput& input, const Selection& chosen);

inline constexpr const char* kDropoutTitle = "What one training step drops";
std::string dropout_subtitle(const DroppedStep& step);
void draw_dropout_page(Canvas& canvas, const Rect& area, const ViewInput& input, const DroppedStep& step);
Point dropout_minimum(const DroppedStep& step);
std::string dropout_caption(const DroppedStep& step);
std::vector<NumberTable> dropout_numbers(const DroppedStep& step);
InspectorPage dropout_page(const DroppedStep& step);

// A page of the Masks view: words to come hidden before the softmax, as it should be, and behind it, a
// classic mistake after which rows no longer add up to 1.

// Of which Scene and layer; the key keeps both alive.
struct MistakeKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  int layer = 0;
  bool operator==(const MistakeKey&) const = default;
};
using MistakeStudies = Background<MistakeKey, MaskMistake>;

// One sentence and head of the decoder's own attention.
struct MistakeScene {
  Selection shown;                           // inside the model and the batch
  std::shared_ptr<const MaskMistake> study;  // null: being computed
  std::vector<std::string> words;            // of rows and columns, no padding
  AttentionTable right, mistaken;            // (words, words); empty without a causal mask
  bool relu = false;                         // in place of the softmax: rows add up to 1 in neither
  bool padding_seen = false;                 // what is behind the words counts padding
  std::string given;                         // the right words, or its own: to the passes
  std::optional<int> covered;                // the row that a lesson asks for: no number of it is shown
  int row = 0;                               // that is explained: the pinned one, else one that loses much

  bool causal() const { return study && study->causal; }
  int rows() const { return right.rows; }
  const MistakenHead& head() const;
  std::string sum_text(int of, double sum) const;  // a row's: "0.43"; of the covered one: "?"
};
// `chosen`: whose layer, head and sentence; the attention is always the decoder's own.
MistakeScene mistake_scene(const ViewInput& input, const Selection& chosen, MistakeStudies& studies,
                           bool at_once);

inline constexpr const char* kMistakeTitle = "A mask that comes too late";
std::string mistake_subtitle(const MistakeScene& scene);
void draw_mistake_page(Canvas& canvas, const Rect& area, const MistakeScene& scene);
Point mistake_minimum(const ViewInput& input, const Selection& chosen);

// What the two ways make of one row: "Row “voit” keeps 0.43; 0.57 went to the four words to come …".
std::string mistake_words(const MistakeScene& scene, int row);
std::string mistake_caption(const MistakeScene& scene);
std::vector<NumberTable> mistake_numbers(const MistakeScene& scene);
InspectorPage mistake_page(const MistakeScene& scene);

// A page of the Masks view: which attention needs a padding mask, answered by putting other words in the
// place of the padding and looking which rows notice.

// Of which Scene; the key keeps both alive.
struct PaddingKey {
  std::shared_ptr<const Snapshot> model = {};
  std::shared_ptr<const Trace> trace = {};
  bool operator==(const PaddingKey&) const = default;
};
using PaddingStudies = Background<PaddingKey, PaddingStudy>;

// Null: being computed.
std::shared_ptr<const PaddingStudy> padding_study(const ViewInput& input, PaddingStudies& studies,
                                                  bool at_once);

inline constexpr const char* kPaddingTitle = "Who needs a padding mask";
void draw_padding_page(Canvas& canvas, const Rect& area, const ViewInput& input, const PaddingStudy* study);
Point padding_minimum();
// Where the switches are, by AttentionKind, and what they are called.
std::array<Point, 3> padding_switches(const Rect& area);
std::string padding_switch_label(AttentionKind kind);
// The Scene's changes with this mask on or off.
SetWhatIf with_padding_mask(const ViewInput& input, AttentionKind kind, bool on);

// Whether this attention needs the mask, in a sentence or two that hold for these numbers.
std::string padding_words(const PaddingStudy& study, AttentionKind kind);
// What zeros behind the softmax would leave of a row; empty where that is all of it.
std::string zeroed_words(const PaddingStudy& study, AttentionKind kind, bool relu);
NumberTable padding_numbers(const PaddingStudy& study);
NumberTable zeroed_numbers(const PaddingStudy& study);
std::string padding_caption(const PaddingStudy& study);
InspectorPage padding_page(const ViewInput& input, const PaddingStudy* study);

// What the Masks view shows and where: the padded batch, the masks, scores before and weights after, and the
// leak.

struct MaskScene {
  const ViewInput& input;
  Selection shown;            // inside the model and the batch
  int rows = 0, columns = 0;  // with padding
  int real_rows = 0, real_columns = 0;
  std::vector<std::string> queries;  // rows, "<pad>" behind the sentence's end
  std::vector<std::string> keys;     // columns
  bool causal = false;               // this attention has a causal mask at all
  bool causal_on = false, padding_on = true;
  AttentionTable scores, weights;  // of the unchanged Scene
  AttentionTable compared;         // the causal (or padding) mask the other way round; empty: not computed
  double scores_end = 1;           // of their colours, the same for a Scene beside this one
  std::optional<int> covered;      // the row that a lesson asks for: none of its scores and weights is shown
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
// What is beside the panels: what the cells mean, and how much leaks.
void draw_mask_text(Canvas& canvas, const MaskLayout& layout, const MaskScene& scene);
void draw_leak_text(Canvas& canvas, const MaskLayout& layout, const MaskScene& scene);

}  // namespace glassformer
