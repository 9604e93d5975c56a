// What the dialog of a report knows while it is open.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/report/report_content.h"
#include "app/report/report_folder.h"

namespace glassformer {

struct ReportForm {
  std::string title, name, course, folder;  // as typed
  std::string usual_title;                  // where none is typed
  std::vector<OfferedFigures> offered;
  std::string weights;     // "1.7 MB"; empty: the model's folder cannot go along
  std::string no_weights;  // why not
  bool with_model = false, latex = false, runs = false;
  int length = 0;       // 1: all tables
  std::string no_runs;  // why there is no table of runs

  std::string impossible;           // why nothing can be reported now; empty: it can
  std::string problem;              // what went wrong
  std::string done;                 // where it was written, a sentence
  std::string written;              // the folder
  std::string taken, other_folder;  // why the folder cannot be had, and one that can
  bool writing = false;
  bool cancelled = false;  // what it needs is not measured before it is wanted again
  double share = 0;        // of it
  bool focus = false;
  enum class Wish { none, write, stop, open };
  Wish wish = Wish::none;  // asked for in this frame

  void check_folder();                     // sets `taken` and `other_folder`
  std::vector<FigureAsk> figures() const;  // that are ticked
  ReportRequest request() const;
};

// A report on its way to a folder, on a worker: the screen stays live.

class ReportWriter {
 public:
  ReportWriter() = default;
  ~ReportWriter();  // stops it; nothing is left

  // `stop`, that stop() sets, is known to what the request measures; `wake` is called by the worker when it
  // is done.
  void start(const std::string& folder, ReportRequest request, std::vector<SceneLine> lines,
             std::function<void()> wake, std::shared_ptr<std::atomic<bool>> stop);
  bool writing() const { return work_.valid(); }
  double share() const { return work_.valid() ? state_->share.load() : 0; }
  void stop();

  struct Done {
    std::optional<WrittenReport> report;  // nothing: it was stopped, or
    std::string problem;                  // went wrong, a sentence
  };
  std::optional<Done> take_done();

 private:
  struct State {
    std::atomic<double> share = 0;
    std::shared_ptr<std::atomic<bool>> stopped;
  };
  std::shared_ptr<State> state_;
  std::future<Done> work_;
};

}  // namespace glassformer
