// Before attention: what one vector between encoder and decoder cannot hold. Three models learn the same task
// on the same batches, and how well each writes sentences of each length is drawn while they do.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/views/bottleneck/race_runner.h"
#include "app/views/common/view.h"

namespace glassformer {

class BottleneckView : public View {
 public:
  BottleneckView() : runner_(std::make_shared<RaceRunner>()) {}
  explicit BottleneckView(std::shared_ptr<RaceRunner> runner) : runner_(std::move(runner)) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<BottleneckView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput&) const override;
  ViewPlace place(const ViewInput&) const override { return {.path = {"Before attention"}}; }
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool set(std::string_view control, std::string_view value) override;

 private:
  std::shared_ptr<RaceRunner> runner_;  // shared with copies
  std::string task_ = "reverse";
};

// Its parts, for the drawing.
const char* racer_name(Racer racer);     // "one vector"
const char* racer_meaning(Racer racer);  // a sentence
// States that a letter of a sentence of the longest kind goes through from where it is read to where it is
// written, at most; 1 where the place that writes it looks at it directly.
int longest_way(Racer racer, const LengthRaceOptions& options);
bool is_scored(const ShownRace& race);
double share_right(const RacerState& racer);  // of all held-out sentences
void draw_race(Canvas& canvas, const ShownRace& race, const Rect& content);
Point race_minimum();

}  // namespace glassformer
