// What the files of this view share, part by part.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "app/reading/head_words.h"
#include "app/reading/view_input.h"
#include "app/views/common/view.h"
#include "engine/train/head_report.h"

namespace glassformer {

// The head report as the view shows it: its columns, and the report made in the background.

struct HeadColumn {
  const char* heading;
  const char* meaning;  // a sentence
  double (*number)(const HeadReport& report, const PartRow& row);
  std::string (*text)(double value);  // of a number; nothing to measure is a dash
  float width = 60;
  bool percent = false;  // a share that is shown times 100
};
// Behind the name of the part and what it reads. "Can it go?" comes behind the first two.
std::span<const HeadColumn> head_columns();
inline constexpr std::size_t kFirstColumns = 2, kLostColumn = 1, kBleuColumn = 5;
std::string column_text(const HeadColumn& column, const HeadReport& report, const PartRow& row);
// Of these the first or all; BLEU is absent where the right answers are too short for it.
std::vector<std::size_t> shown_columns(const HeadReport& report, bool all);

bool is_head(const PartRow& row);
// The word that it most often reads most; empty: none.
std::string word_read_most(const PartRow& row, const Tokenizers& tokenizers);

// Indices of the rows that are heads, or sub-blocks, sorted by a column (nothing: as in the model). Rows
// without a number come last.
std::vector<std::size_t> sorted_parts(const HeadReport& report, bool heads, std::optional<std::size_t> column,
                                      bool falling);

// Makes reports one at a time, and keeps those of the last few weights.
class HeadMeasuring {
 public:
  HeadMeasuring() = default;
  ~HeadMeasuring();
  HeadMeasuring(const HeadMeasuring&) = delete;
  HeadMeasuring& operator=(const HeadMeasuring&) = delete;

  struct Found {
    std::shared_ptr<const HeadReport> report;  // null: not measured
    std::shared_ptr<const HeadReport> so_far;  // of one that is being measured or was cancelled, where a row
                                               // is known
    long step = 0;                             // of the weights that the report is of
    bool busy = false;
    long done = 0, all = 0;   // passes
    double seconds_left = 0;  // roughly; 0: not known yet
    bool no_pairs = false;    // nothing to measure on
    bool reading = false;     // what there is to measure on is being read

    // ", at step 500" of a report of earlier weights than those shown; else empty.
    std::string at_step(const ViewInput& input) const;
  };
  // Of the weights without what-ifs, else of the last ones of this run that were measured: those that learn
  // are others at each step. `start`: measure what is not known yet; `at_once`: here and now, or what is
  // being measured is waited for, unless `stop` becomes true: nothing is measured then.
  Found get(const ViewInput& input, bool start, bool at_once, const std::atomic<bool>* stop = nullptr);
  void cancel();
  bool busy() const {
    const std::lock_guard lock(mutex_);
    return work_.busy;
  }

 private:
  using Key = std::tuple<std::shared_ptr<const Transformer<float>>, std::shared_ptr<const TrainingText>>;
  // What a worker and the screen share.
  struct Progress {
    std::atomic<long> done = 0, all = 0;
    std::atomic<bool> stop = false;
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
    std::mutex mutex;
    std::shared_ptr<const HeadReport> so_far;
  };
  struct Work {
    bool busy = false;
    Key key;
    long step = 0;
    std::shared_ptr<Progress> progress;
    std::future<std::optional<HeadReport>> report;
  };
  struct Kept {
    Key key;
    long step = 0;
    std::shared_ptr<const HeadReport> report;
  };
  void keep(Kept report);
  void collect();
  // The current one, or one of the same weights and pairs read from a file.
  std::shared_ptr<const HeadReport> kept_of(const Key& key, long* step) const;
  static bool same(const Key& a, const Key& b);

  mutable std::mutex mutex_;
  std::vector<Kept> kept_;  // the latest last
  Work work_;
  Work cancelled_;  // what was known when it was cancelled
};

// The head report: which heads can go, in a sentence; which heads and sub-blocks of the model matter, a row a
// part, sorted by any column; and how the model fares with its heads taken out one after another.

class HeadsView : public View {
 public:
  HeadsView() : measuring_(std::make_shared<HeadMeasuring>()) {}
  std::unique_ptr<View> clone() const override;
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void finish(const ViewInput& input) const override { found(input, true); }
  std::string prepare(const ViewInput& input) const override;
  void stop_with(const StopFlag& stop) override { stop_ = stop; }
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput&) const override { return {.path = {"Head report"}}; }
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;

 private:
  static constexpr float kRow = 24, kHead = 30, kName = 140, kReads = 232, kCanGo = 76;
  static constexpr float kFoot = 92, kCurve = 204, kCurveHeight = 260, kCurveGap = 32;

  struct Layout {
    Rect box, table, foot, curve;
    float numbers = 0;                 // where what it reads ends
    std::vector<std::size_t> columns;  // that are shown
    std::vector<float> rights;         // where each of them ends
    float can_go = 0;                  // where its words begin
    Rect row(std::size_t line) const;
    Rect heading(std::size_t column, float y) const;
  };
  Layout layout(const Rect& area, const ViewInput& input, const HeadMeasuring::Found& now) const;
  std::size_t rows_of(const ViewInput& input) const;
  static bool learns(const ViewInput& input);
  HeadMeasuring::Found found(const ViewInput& input, bool at_once) const;
  const char* title() const;
  // The row of the pinned head; null: none, or not measured.
  const PartRow* chosen(const ViewInput& input, const HeadReport& report) const;
  void sort_by(std::size_t column);
  void sort_controls(ui::Ui& ui, const Layout& at, float y);
  float head_controls(ui::Ui& ui, const ViewInput& input, const Rect& area, const HeadMeasuring::Found& now);
  void headings(ui::Ui& ui, const Layout& at, float top);
  void row_controls(ui::Ui& ui, const ViewInput& input, const HeadReport& report, const Layout& at);
  NumberTable shown_table(const HeadReport& report, const ViewInput& input) const;
  void draw_nothing_measured(Canvas& canvas, const Rect& area, const HeadMeasuring::Found& now) const;
  // What they say, from the top of `area`; returns how high they are.
  float draw_sentences(Canvas& canvas, const Rect& area, const HeadReport& report) const;
  void draw_box(Canvas& canvas, const HeadMeasuring::Found& now, const Rect& box) const;
  // The words above the columns, from `y` down: they stay in sight when the rows are scrolled.
  void draw_headings(Canvas& canvas, const Layout& at, float y) const;
  // The rows of a report; of one that is being made those that are known, and the names of the others.
  void draw_table(Canvas& canvas, const ViewInput& input, const HeadReport& report, const Layout& at,
                  bool whole) const;
  void draw_row(Canvas& canvas, const ViewInput& input, const HeadReport& report, const PartRow& row,
                const Layout& at, const Rect& place) const;
  // Of the parts that are shown. Heads alone are taken out together.
  HeadSentences sentences_of(const HeadReport& report) const;
  const char* how_taken_out() const;  // a sentence
  bool has_curve(const HeadReport& report) const { return !blocks_ && report.stepwise.size() > 1; }
  void draw_curve_of(Canvas& canvas, const HeadReport& report, const Rect& area) const;

  std::shared_ptr<HeadMeasuring> measuring_;  // shared with copies
  StopFlag stop_;
  bool blocks_ = false;  // sub-blocks instead of heads
  bool all_ = false;     // all columns
  std::optional<std::size_t> sorted_ = kLostColumn;
  bool falling_ = false;
  bool asked_ = false;  // to measure, once
  float stage_ = 0;     // what of the width is in sight; 0: not on a screen
};

}  // namespace glassformer
