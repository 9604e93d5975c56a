// One view on a stage of its own, without a window: frames are drawn, the mouse is moved and pressed, and
// what the view asked for is kept. Every button is the real one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/fonts/baked_fonts.h"
#include "app/ui/ui.h"
#include "app/views/common/view.h"
#include "tests/ui/sample_scene.h"

struct ImGuiContext;

namespace glassformer {

class ViewStage {
 public:
  // Some frames are drawn. The scene must outlive the stage; pins and hovers that the view asks for are
  // carried out on it.
  ViewStage(std::string_view view, SampleScene& scene, Point size = {1000, 660});
  ~ViewStage();
  ViewStage(const ViewStage&) = delete;
  ViewStage& operator=(const ViewStage&) = delete;

  View& view() { return *view_; }
  std::string state() const { return view_->traits().state; }
  Rect area() const { return {280, 0, size_.x, size_.y}; }

  void frames(int count = 2);
  // Moves over the middle of a widget or live part, presses, releases and draws what has become of it. False:
  // nothing of that label.
  bool click(std::string_view label);
  bool hover(std::string_view label);
  void move_to(Point at);
  void press();
  // A control of this label takes this value, as if a hand had set it. False: it did not.
  bool set(std::string_view label, std::string_view value);
  // Every choice of the view's switches and rows of choices that are there now: label and value.
  std::vector<std::pair<std::string, std::string>> choices() const;
  // Turns the wheel here: so many notches down, and to the right.
  void wheel(Point at, float down, float right = 0);
  bool has(std::string_view label) const { return ui_->find(label).has_value(); }
  std::optional<ui::Widget> find(std::string_view label) const { return ui_->find(label); }
  std::vector<std::string> labels() const { return ui_->labels(); }

  // Everything asked for since the last call.
  Commands take_commands();

 private:
  void frame();

  SampleScene& scene_;
  Point size_;
  std::unique_ptr<View> view_;
  ImGuiContext* context_ = nullptr;
  std::unique_ptr<BakedFonts> fonts_;
  std::unique_ptr<ui::Ui> ui_;
  Theme theme_ = light_theme();
  Commands commands_;
  double time_ = 0;
};

}  // namespace glassformer
