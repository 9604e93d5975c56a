// What the files of this view share, part by part.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/views/common/operand_row.h"
#include "app/views/common/step_transport.h"
#include "engine/model/steps/step_values.h"

namespace glassformer {

// What the pipeline of one attention head is drawn from: its operands in the order in which they are made.

// X -> Q, K, V -> QK^T -> / sqrt(k) -> + mask -> softmax -> x V -> concat -> W_O (paper, figure 2).
enum class HeadStage { project, match, scale, mask, softmax, sum, concat, output };
inline constexpr int kHeadStages = 8;

struct HeadScene {
  HeadScene(const ViewInput& input, StepLists& lists);

  StepReader reader;
  Selection shown;  // inside the model and the sentence; always one head
  bool cross = false;
  AttentionValues block;
  HeadValues head;

  // Queries and keys are turned by their positions before they are matched.
  bool rotates() const { return head.rotated_query.symbol != head.query.symbol; }
  // The steps of the Walk that a stage covers; three for the projections, and for a match of turned ones.
  std::vector<const Step*> steps(HeadStage stage) const;
  // What a stage gives; of the projections the queries.
  const Operand& result(HeadStage stage) const;

  std::string short_name(HeadStage stage) const;  // over its picture: "÷ √k"
  std::string title(HeadStage stage) const;       // "Softmax"
  std::string why(HeadStage stage) const;         // its sentences
  std::string sums_words() const;
  std::string place() const;  // "layer 1, head 2"
};

// The pipeline as a whole: every matrix in place, those done drawn, those to come as frames with their shape.
// A low area has one row with the names of the stages.

inline constexpr float kFoldedFlow = 36;  // px: the height of that row

struct HeadFlow {
  bool folded = false;      // `stage` alone is set
  Rect x, memory;           // what the queries, and in cross-attention the keys and values, are made of
  std::array<Rect, 3> qkv;  // one under the other
  std::array<Rect, kHeadStages> stage;  // of the projections all three together
  float middle = 0;                     // the line that the other stages are on
  float bottom = 0;
};

HeadFlow head_flow(const HeadScene& scene, const Rect& area);
void draw_head_flow(Canvas& canvas, const HeadFlow& flow, const HeadScene& scene, HeadStage current);

// One stage of the pipeline with all its numbers: operands and result with their words, shapes and row sums.

void draw_head_step(Canvas& canvas, const Rect& area, const HeadScene& scene, HeadStage stage);

// The matrices that a stage shows, in the order in which they are there.
std::vector<OperandPart> head_parts(const HeadScene& scene, HeadStage stage);

// One head's pipeline, unfolding in order: level 3 of the four levels.

class HeadView : public View {
 public:
  HeadView() : lists_(std::make_shared<StepLists>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<HeadView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  std::vector<std::string> sentences(const ViewInput& input) const override;
  bool open_panel(std::string_view name) override {
    alone_ = name;
    return true;
  }
  std::string no_difference(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  bool show_like(const View& first) override {
    transport_ = dynamic_cast<const HeadView&>(first).transport_;
    return true;
  }

  int step_count(const ViewInput&) const override { return kHeadStages; }
  void show_step(const ViewInput&, int stage) override { go_to(static_cast<HeadStage>(stage)); }
  void go_to(HeadStage stage) { transport_.at = static_cast<int>(stage); }

 private:
  HeadStage stage() const;

  std::string alone_;  // the panel that alone is described; empty: all of the picture
  StepTransport transport_{static_cast<int>(HeadStage::softmax)};
  std::shared_ptr<StepLists> lists_;  // shared with copies
};

}  // namespace glassformer
