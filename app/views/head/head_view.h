// One head's pipeline, unfolding in order: level 3 of the four levels.
#pragma once

#include <memory>

#include "app/views/common/step_transport.h"
#include "app/views/head/head_scene.h"

namespace glassformer {

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

  void go_to(HeadStage stage) { transport_.at = static_cast<int>(stage); }

 private:
  HeadStage stage() const;

  std::string alone_;  // the panel that alone is described; empty: all of the picture
  StepTransport transport_{static_cast<int>(HeadStage::softmax)};
  std::shared_ptr<StepLists> lists_;  // shared with copies
};

}  // namespace glassformer
