// One block, step by step: what a layer's sub-layers read from the residual stream and add to it. Level 2 of
// the four levels.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/views/block/block_scene.h"
#include "app/views/common/opens_cell.h"
#include "app/views/common/step_transport.h"

namespace glassformer {

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

  int stages(const ViewInput& input) const;
  void go_to(const ViewInput& input, int stage);  // from 0

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
