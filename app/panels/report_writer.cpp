#include "app/panels/report_writer.h"

#include <chrono>
#include <utility>

#include "app/session/priority.h"
#include "engine/math/failure.h"

namespace glassformer {

ReportWriter::~ReportWriter() {
  stop();
}

void ReportWriter::stop() {
  if (state_) *state_->stopped = true;
}

void ReportWriter::start(const std::string& folder, ReportRequest request, std::vector<SceneLine> lines,
                         std::function<void()> wake, std::shared_ptr<std::atomic<bool>> stop) {
  if (work_.valid()) return;
  state_ = std::make_shared<State>();
  state_->stopped = std::move(stop);
  auto work = [folder, request = std::move(request), lines = std::move(lines), state = state_,
               wake = std::move(wake)]() -> Done {
    Done done;
    try {
      give_way(Patience::scene);
      done.report = write_report(folder, request, lines, [&](double share) {
        state->share = share;
        return !*state->stopped;
      });
    } catch (const std::exception& error) {
      done.problem = failure_words(error);
    }
    if (wake) wake();
    return done;
  };
  work_ = std::async(std::launch::async, std::move(work));
}

std::optional<ReportWriter::Done> ReportWriter::take_done() {
  if (!work_.valid() || work_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  return work_.get();
}

}  // namespace glassformer
