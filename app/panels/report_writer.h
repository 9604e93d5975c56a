// A report on its way to a folder, on a worker: the screen goes on.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/report/report_folder.h"

namespace glassformer {

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
