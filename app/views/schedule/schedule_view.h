// The learning-rate designer: the run's own schedule beside others that one can shape, and where the run
// is on it.
#pragma once

#include <optional>
#include <vector>

#include "app/views/common/step_charts.h"
#include "app/views/common/view.h"
#include "engine/layers/schedule.h"

namespace glassformer {

constexpr float kListRow = 32, kKnobRow = 54;  // heights, as drawn and as pressed

class ScheduleView : public StepCharts {
 public:
  ScheduleView() { even_ = true; }  // a linear warm-up is straight
  std::unique_ptr<View> clone() const override { return std::make_unique<ScheduleView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view) override { return alone_ = true; }
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;

 private:
  struct Parts {
    Rect chart, list, editor;
  };
  Parts parts(const ViewInput& input, const Rect& area) const;
  // Something that a slider turns.
  struct Knob {
    std::string label, value;  // the value as typed
    double minimum = 0, maximum = 1, at = 0;
    double unit = 0;  // the slider snaps to multiples of it; 0: to two significant digits
    bool whole = true;
  };
  std::vector<Knob> knobs(const ViewInput& input) const;
  void turn(Schedule& schedule, std::size_t knob, double value) const;
  // A field and a slider; true when they have changed the schedule.
  bool draw_knob(ui::Ui& ui, const Rect& place, std::size_t index, const Knob& knob, Schedule& schedule);

  // The curves to compare, without the run's own, which always comes first. Until someone changes one: a
  // proposal.
  std::vector<Schedule> variants(const ViewInput& input) const;
  Schedule edited(const ViewInput& input) const;  // the chosen one
  std::size_t chosen(const ViewInput& input) const;
  long last_step(const ViewInput& input) const;

  // Without what is proposed.
  std::vector<Schedule> shaped() const { return variants_.value_or(std::vector<Schedule>()); }

  std::string state_words() const;
  void show_axis_end(ui::Ui& ui, const ViewInput& input, const Rect& place);
  void offer_to_learn_by(ui::Ui& ui, const ViewInput& input, const Rect& editor,
                         const Schedule& schedule) const;
  void draw_chart(Canvas& canvas, const Rect& part, const ViewInput& input) const;
  void draw_curves(Canvas& canvas, const Rect& below, const ViewInput& input,
                   const std::vector<Schedule>& all, bool here) const;
  void draw_list(Canvas& canvas, const Rect& part, const ViewInput& input) const;
  void draw_editor(Canvas& canvas, const Rect& part, const ViewInput& input) const;

  bool alone_ = false;  // the chart is described alone
  std::optional<std::vector<Schedule>> variants_;
  std::size_t chosen_ = 0;
  float width_ = 0;              // of the stage in the last frame; 0: none yet
  std::optional<long> hovered_;  // step under the mouse
  // What is being typed, as long as it reads as the value of the knob.
  struct Typing {
    std::size_t knob = 0;
    std::string text, value;
  };
  std::optional<Typing> typing_;
  long asked_end_ = 0;  // step at which the axis ends; 0: by the curves
  std::optional<std::string> typed_end_;
};

}  // namespace glassformer
