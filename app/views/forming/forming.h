// What the files of this view share, part by part.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/views/common/step_charts.h"
#include "app/views/common/view.h"

namespace glassformer {

// One sentence read by a model at several steps of its training: what the small multiples of a head show.

// The kept steps that show the history: 0 and the newest, and between them quarters of quarters, as far as
// they differ. The one that is looked back at takes the place of its neighbour on the training slider.
History::Kept forming_steps(const ViewInput& input, int count);

struct FormingKey {
  std::vector<int> source, target;  // ids, without bos and eos
  bool own_words = false;           // `target` is empty: the newest of the steps writes it
  double smoothing = 0;
  History::Kept steps;
  bool operator==(const FormingKey&) const = default;
};

// Given the same words at every step, so that all tables have the same rows.
struct FormingTraces {
  std::vector<int> source, target;
  History::Kept steps;                              // whose weights read them
  std::map<long, std::shared_ptr<const Trace>> at;  // by step
};

using FormingCache = Background<FormingKey, FormingTraces>;

// What is asked for: the words that the model is given now, whatever step is looked at; `before` knows them.
FormingKey forming_key(const ViewInput& input, int count, const FormingTraces* before);
// Reads them, taking over from `before` what it has of the same words. Throws Error when kept weights are
// gone.
FormingTraces trace_steps(const FormingKey& key, const FormingTraces* before);

// What the rows and the columns of its tables represent.
struct AxisWords {
  std::vector<std::string> queries, keys;
};
AxisWords axis_words(const ViewInput& input, const FormingTraces& traces, AttentionKind kind);
std::string head_name(int head);  // "head 2"; -1: "mean of all heads"

// How a head came to look as it does: its weights for the open sentence at several steps of the training,
// side by side, and where these steps are on the training slider.

inline constexpr float kFormingGap = 8;  // between heads under one another

class FormingView : public StepCharts {
 public:
  FormingView() : cache_(std::make_shared<FormingCache>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<FormingView>(*this); }
  ViewTraits traits() const override {
    return {.follows_kind = true,
            .busy = cache_->busy(),
            .state = all_ ? "all heads" : "one head",
            .panels = {"steps"}};
  }
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  // The maps without the axis.
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;

 private:
  static constexpr float kHeader = 32, kFoot = 30, kAxis = 92;  // round the maps
  static constexpr float kColumnGap = 28, kNarrowGap = 10, kSmallestTile = 40;
  // Where its parts are.
  struct Multiples {
    std::vector<Rect> columns;  // a step each, its heading included
    float labels = 0;           // width left of the first
    Rect maps;                  // of all columns, below the headings
    Rect axis;                  // of the steps, under the maps; empty: none
  };
  Multiples multiples(const Canvas& canvas, const ViewInput& input, const Rect& content,
                      const FormingTraces& traces, bool axis = true) const;
  FormingCache::Found found(const ViewInput& input, bool at_once) const;
  void lead_to_steps(ui::Ui& ui, const ViewInput& input, const Rect& area, const FormingTraces& traces);
  std::vector<int> heads(const ViewInput& input) const;

  void draw_columns(Canvas& canvas, const ViewInput& input, const FormingTraces& traces,
                    const Multiples& parts) const;
  // From each picture (their middles) to its step on the axis, the loss over it where there is room.
  void draw_axis(Canvas& canvas, const ViewInput& input, const FormingTraces& traces, const Rect& below,
                 const std::vector<float>& middles) const;

  bool all_ = false;                     // every head of the layer
  std::shared_ptr<FormingCache> cache_;  // shared with copies
};

}  // namespace glassformer
