// What the files of this view share, part by part.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/common/opens_cell.h"
#include "app/views/common/operand_row.h"
#include "app/views/common/step_transport.h"
#include "engine/analysis/block_study.h"
#include "engine/model/names.h"
#include "engine/model/steps/step_values.h"

namespace glassformer {

// What one block (a layer of the encoder or the decoder) is drawn from: its steps in the order in which they
// are made, without the inside of the heads.

enum class BlockWork { attend, add, norm, expand, activate, gate, contract };

struct BlockStage {
  BlockWork work;
  const Step* step;  // of the scene's steps
  ValueName value;   // what it gives
  int sublayer() const { return step->place.sublayer; }
};

// The row and, where it has one, the column of the number that is looked at.
struct BlockFocus {
  std::string name;
  Extent words = Extent::source;  // what its row counts
  int row = 0;
  std::optional<int> column = {};
};

struct BlockScene {
  BlockScene(const ViewInput& input, StepLists& lists);

  StepReader reader;
  Selection shown;  // inside the model and the sentence
  bool encoder = false;
  int layer = 0;
  Operand stream;  // what the block reads
  std::vector<BlockStage> stages;
  std::optional<BlockFocus> focus;   // hovered or pinned
  std::optional<BlockFocus> pinned;  // large matrices show what lies around it

  const BlockStage& at(int stage) const { return stages[static_cast<std::size_t>(stage)]; }
  int count() const { return static_cast<int>(stages.size()); }
  // The stage that makes this value, of whatever layer, or one of the attention or the feed-forward that it
  // lies in.
  std::optional<int> stage_of(const ValueName& value) const;
  // The stage whose result this is; -1: the stream below the block.
  int made_by(const Operand& operand) const;
  // The attention whose heads an attending stage joins.
  AttentionKind kind(const BlockStage& stage) const;

  std::string short_name(const BlockStage& stage) const;  // "× W_1"
  std::string title(const BlockStage& stage) const;       // "First product"
  std::string sublayer_name(int sublayer) const;          // "Feed-forward"
  std::string place() const;                              // "decoder, layer 1"
  // Of the word looked at, among the rows of this operand.
  std::optional<int> lit_row(const Operand& operand) const;

  // The numbers of a value of the Trace, real rows alone.
  Plane plane(const Operand& operand) const;
};

// The block as a whole: the residual stream from left to right, every sub-layer on it, and the way past each
// of them.

struct BlockFlow {
  Rect area;
  float pitch = 0;
  Rect stream;              // what the block reads
  std::vector<Rect> stage;  // one each
  float bypass = 0;         // the line of the way past
};

inline constexpr float kBlockFlow = 128;  // high, with tiles of the usual size
BlockFlow block_flow(const BlockScene& scene, const Rect& area);
void draw_block_flow(Canvas& canvas, const BlockFlow& flow, const BlockScene& scene, int current);

// One stage of a block with all its numbers: what goes in, what comes out, and what LayerNorm, the sum and
// the activation do to every word.

// Its words and its matrices from left to right (of an activation and of gates: one under the other).
OperandRow block_row(const BlockScene& scene, const BlockStage& stage);
// Of the matrices read: the word and the number looked at, an elementwise stage's in all of them.
void set_looks(const Canvas& canvas, const BlockScene& scene, const BlockStage& stage,
               std::vector<OperandPart>& parts);

// A bar for every word beside the matrices of a stage.
struct RowBars {
  std::string symbol, word;  // "μ", "mean"
  std::vector<double> values;
  bool diverging = false;        // from the middle to both sides
  bool percent = false;          // printed so
  std::optional<Operand> value;  // the numbers of the Trace that they are
};
// Mean and deviation of a norm's rows; what a sum adds beside the stream. Others have none.
std::vector<RowBars> row_bars(const BlockScene& scene, const BlockStage& stage);

// How often each unit of an activation fires.
std::vector<UnitActivity> unit_activity(const BlockScene& scene, const BlockStage& stage);
std::string firing_words(const FiringSummary& summary, int units);

void draw_block_step(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage);
// Without its box and without why.
void draw_block_part(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage);

// Where draw_block_step puts the heads of an attending stage; empty for the others.
std::vector<Rect> block_heads(const Canvas& canvas, const Rect& area, const BlockScene& scene,
                              const BlockStage& stage);

// Before and after the activation, unit by unit, and below how many words each unit fires for; or gate, value
// and their product, which may well be busy below 0.
void draw_units(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage,
                std::vector<OperandPart> parts);

// One block, step by step: what a layer's sub-layers read from the residual stream and add to it. Level 2 of
// the four levels.

class BlockView : public View, public OpensCell {
 public:
  BlockView() : lists_(std::make_shared<StepLists>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<BlockView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  static bool shows(const CellRef& cell);
  std::string no_difference(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  // To the part of the block that this number lies in.
  void open_cell(const CellRef& cell) override;
  bool show_like(const View& first) override {
    const auto& of_first = dynamic_cast<const BlockView&>(first);
    transport_ = of_first.transport_;
    chosen_ = of_first.chosen_;
    return true;
  }

  int step_count(const ViewInput& input) const override;
  void show_step(const ViewInput& input, int stage) override;

 private:
  // A part of the layer, until the selection goes to another attention: then that one's.
  struct Chosen {
    std::optional<ValueName> value;     // nothing: no value of the model
    std::optional<AttentionKind> kind;  // of the selection then; nothing: the next one seen
  };
  int stage(const BlockScene& scene) const;
  void choose(const BlockScene& scene, int stage);
  void to_neighbour(ui::Ui& ui, const BlockScene& scene);

  StepTransport transport_;
  std::optional<Chosen> chosen_;
  std::shared_ptr<StepLists> lists_;  // shared with copies
};

}  // namespace glassformer
