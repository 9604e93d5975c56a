// The learning-rate designer: the run's own schedule beside others that one can shape, and where the run
// stands on it.
#pragma once

#include <optional>
#include <vector>

#include "app/views/common/view.h"
#include "engine/layers/schedule.h"

namespace glassformer {

constexpr float kListRow = 32, kKnobRow = 50;  // heights, as drawn and as pressed

class ScheduleView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<ScheduleView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput&) const override { return {560, 664}; }
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
    std::string label, value;
    double minimum = 0, maximum = 1, at = 0;
    bool logarithmic = true;
  };
  std::vector<Knob> knobs(const ViewInput& input) const;
  void turn(Schedule& schedule, std::size_t knob, double value) const;

  // The curves to compare, without the run's own, which always comes first. Until someone changes one: a
  // proposal.
  std::vector<Schedule> variants(const ViewInput& input) const;
  Schedule edited(const ViewInput& input) const;  // the chosen one
  std::size_t chosen(const ViewInput& input) const;
  long last_step(const ViewInput& input) const;

  std::string state_words() const;
  void offer_to_learn_by(ui::Ui& ui, const ViewInput& input, const Rect& editor,
                         const Schedule& schedule) const;
  void draw_chart(Canvas& canvas, const Rect& part, const ViewInput& input) const;
  void draw_list(Canvas& canvas, const Rect& part, const ViewInput& input) const;
  void draw_editor(Canvas& canvas, const Rect& part, const ViewInput& input) const;

  std::optional<std::vector<Schedule>> variants_;
  std::size_t chosen_ = 0;
  bool even_ = false;
  std::optional<long> hovered_;  // step under the mouse
};

}  // namespace glassformer
