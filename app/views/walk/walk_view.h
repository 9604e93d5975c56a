// The Walk: every operation of a training step with the real numbers, one after another.
//
// The steps come from engine/model/steps; the numbers from a pass over the one sentence, forward and
// backward. The list stands in the map's column, the transport below the picture.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/inspector/walk_pages.h"
#include "app/views/common/opens_cell.h"
#include "app/views/walk/walk_summary.h"

namespace glassformer {

class WalkView : public View, public OpensCell {
 public:
  WalkView()
      : cache_(std::make_shared<WalkCache>()),
        checks_(std::make_shared<CheckCache>()),
        summaries_(std::make_shared<SummaryCache>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<WalkView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool column(ViewColumn which, ui::Ui& ui, const ViewInput& input, const Rect& rect) override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  void open_cell(const CellRef& cell) override { asked_ = cell; }

  void go_to(int step) { step_ = step; }
  int count(const ViewInput& input) const;  // of steps; 0 while there are no gradients

 private:
  std::shared_ptr<const WalkScene> scene(const ViewInput& input) const;
  const Step* current(const WalkScene& scene) const;
  std::optional<StoredCell> shown_cell(const WalkScene& scene, const ViewInput& input) const;
  bool deeper(const ViewInput& input, Commands& commands) const;
  void follow(const WalkScene& scene, const ViewInput& input);  // what was asked for or pinned
  void show_cell(const WalkScene& scene, const StoredCell& cell);
  float words_width(const Rect& inner) const;
  void draw_step(Canvas& canvas, const ViewInput& input, const std::shared_ptr<const WalkScene>& scene,
                 const Rect& area, bool sizes) const;
  Rect step_area(const Canvas& canvas, const WalkScene& scene, const Rect& area) const;  // of its matrices
  bool windows(ui::Ui& ui, const WalkScene& scene, const Rect& rect);
  bool scroll_matrices(ui::Ui& ui, const WalkScene& scene, const Rect& area);
  int last(const WalkScene& scene) const { return static_cast<int>(scene.steps.size()) - 1; }
  void move(const WalkScene& scene, int by);
  void move_block(const WalkScene& scene, int by);  // to the next block's first step
  void keys(ui::Ui& ui, const WalkScene& scene);
  void segments(ui::Ui& ui, const WalkScene& scene, const Rect& bar);
  void transport(ui::Ui& ui, const WalkScene& scene, const Rect& rect);
  void go_on_playing(ui::Ui& ui, const WalkScene& scene);

  int step_ = 0;
  std::optional<CellRef> asked_;  // to go to, as soon as there are steps
  ChosenWeight weight_;           // last pinned
  WalkWindow window_;
  bool playing_ = false;
  int speed_ = 2;  // index into the speeds
  std::chrono::steady_clock::time_point next_;
  int shown_ = 0;                       // the step of the last frame
  float width_ = 0;                     // of the stage in the last frame
  float seen_ = 0;                      // and how much of it was in sight; 0: there was none
  int scrolled_to_ = -1;                // the step that the list was last brought to
  std::shared_ptr<WalkCache> cache_;    // shared with copies
  std::shared_ptr<CheckCache> checks_;  // of pinned gradients
  std::shared_ptr<SummaryCache> summaries_;
};

}  // namespace glassformer
