// The head report as the view shows it: its columns, and the report made aside.
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

#include "app/reading/view_input.h"
#include "engine/train/head_report.h"

namespace glassformer {

struct HeadColumn {
  const char* heading;
  const char* meaning;  // a sentence
  double (*number)(const HeadReport& report, const PartRow& row);
  std::string (*text)(double value);  // of a number; nothing to measure is a dash
  float width = 60;
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
  // As it is, or the same weights and pairs read from a file.
  std::shared_ptr<const HeadReport> kept_of(const Key& key, long* step) const;
  static bool same(const Key& a, const Key& b);

  mutable std::mutex mutex_;
  std::vector<Kept> kept_;  // the latest last
  Work work_;
  Work cancelled_;  // what was known when it was cancelled
};

}  // namespace glassformer
