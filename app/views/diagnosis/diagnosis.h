// What the files of this view share, part by part.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/reading/background.h"
#include "app/scene/selection.h"
#include "app/views/common/step_charts.h"
#include "app/views/common/view.h"
#include "app/widgets/line_chart.h"
#include "engine/train/diagnosis.h"

namespace glassformer {

// What the looks at a run found, as tables: a row for each part of the model, a number in it for each look.
// Each is a plot of the Diagnosis view and a table of its CSV.

enum class Finding { gradient, update, silent, entropy, saturation };

struct FindingRow {
  std::string name;            // "encoder layer 1", "cross-attention, layer 2, head 1"
  std::vector<double> values;  // one a look; NaN: not known
  // Of a layer: which stack it is in, and how far up, from 0 to 1.
  enum class Stack { none, encoder, decoder } stack = Stack::none;
  double height = 1;
  // Of a head.
  AttentionKind kind = AttentionKind::cross;
  int layer = 0, head = 0;
};

struct FindingTable {
  Finding finding = Finding::gradient;
  std::string heading, advice;  // "What to look at: ..."
  std::vector<FindingRow> rows;
  std::size_t heads = 0;  // rows that belong together, those of one attention; 0: the rows are layers

  std::string value(std::size_t row, std::size_t look) const;  // as read: "0.012", "40 %"
  double mean(std::size_t look) const;                         // of the rows that are known; else NaN
};

struct Findings {
  bool recorded = false;             // false: one look at the open model, which knows nothing of gradients
  std::vector<double> steps;         // of the looks
  std::vector<FindingTable> tables;  // in the order of Finding; the first two only when
                                     // recorded, silent units only where a unit can be silent

  std::size_t look_at(long step) const;  // the last one up to this step, else the first
};

Findings findings(const Diagnosis& diagnosis, const Config& config);  // that fits the model
Findings findings_now(const Look& look, const Config& config);

// The row of this head; nothing when none is meant alone.
std::optional<std::size_t> row_of(const FindingTable& table, const Selection& selection);
std::string finding_text(Finding finding, double value);

// Whether a run learns well: gradients and updates layer by layer, units that do nothing, and how widely or
// how narrowly every head reads, over the steps, under one cursor; each plot says what to look at.

class DiagnosisView : public StepCharts {
 public:
  DiagnosisView() : now_(std::make_shared<LookNow>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<DiagnosisView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;

 private:
  static constexpr const char* kTitle = "Whether the model learns well";
  // The open model looked at once, for its open sentences.
  // Of weights and how many sentences of the training text they read; without any of the Scene's trace.
  using LookNow = Background<
      std::tuple<std::shared_ptr<const Transformer<float>>, std::size_t, std::shared_ptr<const Trace>>, Look>;

  // One plot with its words.
  struct Panel {
    const FindingTable* table = nullptr;
    Rect rect;                          // all of it
    Rect plot;                          // curves, or the rows of all heads
    Rect legend;                        // right of curves
    bool last = false;                  // of its column: the steps are below
    float pitch = 0;                    // of the rows of heads
    Rect row(std::size_t index) const;  // of a head, or of a layer in the legend
  };
  // What is drawn: the tables, and where the cursor is in them.
  struct Shown {
    std::size_t fixed = 0;           // one look, at so many sentences of the training text
    std::string read_words() const;  // of one look: "4 sentences of the training text"
    Findings found;
    Axis axis;
    std::size_t look = 0;  // the last one up to the step under the mouse, or that is looked back at
    long cursor = 0;       // its step
  };
  Shown shown(const ViewInput& input) const;
  // Their tables belong to `shown`.
  std::vector<Panel> panels(const Canvas& canvas, const Rect& area, const Shown& shown) const;
  // Of one table: `words` high from its top to its plot.
  static Panel panel_of(const FindingTable& table, const Rect& rect, float words, bool recorded);
  void draw_panel(Canvas& canvas, const ViewInput& input, const Shown& shown, const Panel& panel) const;
  // One cursor over all plots, and the row under the mouse; a click on a head pins it.
  void follow_mouse(ui::Ui& ui, const ViewInput& input, const Rect& area, const Shown& now);
  bool is_hovered(const Panel& panel, std::size_t row) const;
  // Of the head under the mouse, else the pinned one.
  std::optional<std::size_t> chosen_head(const Panel& panel, const ViewInput& input) const;

  void draw_curves(Canvas& canvas, const Shown& shown, const Panel& panel) const;
  void draw_legend(Canvas& canvas, const Shown& shown, const Panel& panel) const;
  void draw_heads(Canvas& canvas, const ViewInput& input, const Shown& shown, const Panel& panel) const;
  void draw_reading(Canvas& canvas, const ViewInput& input, const Shown& shown, const Panel& panel) const;

  std::optional<long> hovered_;  // step under the mouse
  std::optional<std::pair<Finding, std::size_t>> hovered_row_;
  std::shared_ptr<LookNow> now_;  // shared with copies
};

}  // namespace glassformer
