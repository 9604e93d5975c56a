// What the files of this view share, part by part.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/hit_region.h"
#include "app/reading/attention_table.h"
#include "app/reading/background.h"
#include "app/reading/view_input.h"
#include "app/theme/geometry.h"
#include "app/ui/ui.h"
#include "app/views/common/picking.h"
#include "app/views/common/view.h"
#include "app/widgets/wall.h"
#include "engine/model/what_if/what_if.h"

namespace glassformer {

// The attention of a recurrent model as one head: which source word each state of the decoder looks at. It
// has no layers and no heads, and its query is a state.

std::string alignment_title();
std::string alignment_subtitle(const RecurrentScene& scene);
// Below the title. A scene without attention has nothing to draw, and says so.
void draw_alignment(Canvas& canvas, const Rect& content, const RecurrentLook& look, bool ribbons);
float alignment_head_right(const Rect& content);  // of the part with the head
Point alignment_minimum(const RecurrentScene& scene);
// Left and right: the word before and the next; the only layer stays.
bool alignment_key(ViewKey key, const RecurrentLook& look, Commands& commands);
InspectorPage alignment_page(const RecurrentLook& look);
std::vector<NumberTable> alignment_numbers(const RecurrentScene& scene);
std::string alignment_caption(const RecurrentScene& scene);

// Where the parts of the Attention view are. Wide areas show the wall of all heads beside one head
// enlarged; what is left below the wall holds the same head as ribbons, or the chosen row as bars when there
// is little room. In a narrow area one part at a time has the whole width, and the switch chooses which.

constexpr float kSwitchWidth = 168;  // Heatmap | Ribbons, kept free of the heading beside it
// Of a head so wide: a very narrow stage has the switch of three parts beside the heading.
constexpr float switch_width(float head) {
  return head < 480 ? 196 : kSwitchWidth;
}

enum class AttentionPane { heatmap, ribbons, wall };

struct AttentionLayout {
  bool columns = true;  // wall and enlarged head side by side
  bool title = true, subtitle = true;
  Rect wall;          // with its heading; empty: not shown
  Rect below;         // under the wall, with its heading; empty: no room
  bool bars = false;  // the row as bars, not as ribbons or heatmap
  Rect head;          // the enlarged head with its heading; empty: not shown
  Rect part_switch;   // Heatmap | Ribbons, or in a narrow area | All heads
  float tile = 88, gap = 16;
};

AttentionLayout layout_attention(const Rect& area, int layers, int heads, AttentionPane part);
// The wall alone, its tiles as large as the area has room for.
AttentionLayout layout_wall_alone(const Rect& area, int layers, int heads);

// The height the wall needs with its heading at the smallest tiles.
float smallest_wall_height(int layers, int heads);

// The parts of the Attention view's picture. All of them show one AttentionScene.

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
  std::vector<double> padding;  // what each row gives to the padding behind the words: not drawn, but said
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

// What the parts of the Attention view answer to the mouse: a cell, a row or column, a head.

HitRegion cell_hit(const AttentionScene& scene, int row, int column);
// A whole row or column: no single cell is meant. `where` makes the label its own: " row", " chip".
HitRegion line_hit(const AttentionScene& scene, std::optional<int> row, std::optional<int> column,
                   const std::string& where);

// One row of a head by hand: a draft that shows what it would do. Applied, it is a change of the Scene; until
// then it is seen here alone.

class RowEditor {
 public:
  // The pinned row of a head of the Scene's own sentence; nothing happens where none is pinned.
  void begin(const ViewInput& input);
  // The draft is of the words and the head that are shown; else it is dropped.
  bool open(const ViewInput& input);

  void draw(ui::Ui& ui, const ViewInput& input, const Rect& area);

  const std::vector<float>& weights() const { return draft_->weights; }

 private:
  struct Draft {
    AttentionKind kind = AttentionKind::cross;
    int layer = 0, head = 0, query = 0;
    std::shared_ptr<const Trace> trace;  // of which it is a row
    std::vector<float> untouched, weights;
    std::vector<bool> hidden;  // what a mask hides stays at 0
    int key = 0;               // that the arrows move
    int heads = 1;             // of the layer
    bool all_heads = false;    // the row is put into each of them
    bool operator==(const Draft&) const = default;
  };
  // What the row would make of the output.
  struct Effect {
    struct Word {
      std::string word;
      double before = 0, after = 0;
    };
    std::vector<Word> next;   // of the decoder's rows: the likeliest words after this one, before or now
    std::string translation;  // from there on
  };

  void set(int key, float to);
  void take_keys(ui::Ui& ui);
  void draw_bars(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void draw_heading(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void draw_buttons(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void draw_effect(ui::Ui& ui, const ViewInput& input, const Rect& area);
  float sum_of_draft() const;
  WhatIf applied(const WhatIf& what_if) const;
  Effect effect(const SceneResult& result, const Tokenizers& tokenizers) const;

  std::optional<Draft> draft_;
  bool give_way_ = false;  // when one moves, the others share what is left
  std::shared_ptr<Background<Draft, Effect>> effects_ = std::make_shared<Background<Draft, Effect>>();
};

}  // namespace glassformer
