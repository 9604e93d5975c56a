// The parts of the Attention view's picture. All of them show one AttentionScene.
#pragma once

#include <string>
#include <vector>

#include "app/reading/attention_table.h"
#include "app/views/attention/attention_layout.h"
#include "app/views/common/view.h"

namespace glassformer {

// A row of the wall: the heads of one layer of one attention.
struct WallRow {
  AttentionKind kind;
  int layer;
};
// Of the attention that is shown, or of every one: first that of the first screen, to be in sight.
std::vector<WallRow> wall_rows(const ViewInput& input, bool every);
std::string wall_row_name(const WallRow& row, bool every);  // "layer 1", "encoder, layer 1"
std::string all_heads(const ViewInput& input);              // of every attention: "all 24"

struct AttentionScene {
  const ViewInput& input;
  Selection pinned, shown;  // inside the model and the sentence
  bool every = false;       // the wall has the heads of every attention
  int heads = 1;
  std::vector<std::string> queries;  // word of each row: what it has just read
  std::vector<std::string> keys;     // word of each column
  std::vector<std::string> writes;   // word each row writes or should; empty for the encoder
  bool should = false;               // it writes others
  AttentionTable table;              // of the head shown
  std::vector<double> padding;  // what each row gives to the padding behind the words: not drawn, but told
  double limit = 0;             // of a difference: its scale is symmetric and ends here; 0: weights
  int computed_rows = 0;        // of the head shown: rows of steps not yet reached are left empty
};

// Of so many rows those that have been reached, while the decoding is stepped.
int computed_rows(const ViewInput& input, AttentionKind kind, int sentence, int rows);
inline constexpr const char* kWallHeading = "All heads";  // its heading
inline constexpr float kEverySwitch = 84;  // px beside its heading, of the switch to every attention
AttentionScene attention_scene(const ViewInput& input, bool every);

// "Which English words each French word reads", and the line under it.
std::string attention_question(const ViewInput& input, AttentionKind kind);
std::string attention_subtitle(const ViewInput& input, AttentionKind kind);

void draw_attention_wall(Canvas& canvas, const AttentionLayout& parts, const AttentionScene& scene);
// `alone`: without what only the mouse needs, with words beside the rows rather than a note in little room.
void draw_head_heatmap(Canvas& canvas, const Rect& area, const AttentionScene& scene, bool alone = false);
void draw_head_ribbons(Canvas& canvas, const Rect& area, const AttentionScene& scene);
void draw_small_ribbons(Canvas& canvas, const Rect& area, const AttentionScene& scene);
void draw_small_heatmap(Canvas& canvas, const Rect& area, const AttentionScene& scene);
void draw_attention_row(Canvas& canvas, const Rect& area, const AttentionScene& scene);

// A pin whose cell follows its layer, head, query and key.
Selection repinned(Selection selection);

// "cross layer 2 head 3", "cross layer 2 head mean"
std::string head_label(const Selection& selection);

}  // namespace glassformer
