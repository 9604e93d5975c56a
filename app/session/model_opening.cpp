#include "app/session/model_opening.h"

#include <filesystem>
#include <utility>

#include "app/session/paths.h"
#include "engine/math/ready.h"

namespace glassformer {

namespace {

constexpr const char* kBundledModel = "models/english-french";
constexpr std::chrono::milliseconds kMoment{300};

}  // namespace

bool is_default_model(const std::string& folder) {
  try {
    return std::filesystem::equivalent(program_file(kBundledModel), resolved(folder));
  } catch (const std::exception&) {
    return false;  // one of the two is not there
  }
}

std::future<OpenedModel> open_soon(const std::string& folder, const Saves& saves,
                                   const std::function<void()>& wake,
                                   std::shared_ptr<OpeningProgress> progress) {
  return std::async(std::launch::async, [folder, saves, wake, progress = std::move(progress)] {
    struct Wake {
      const std::function<void()>& call;
      ~Wake() {
        if (call) call();
      }
    } const wake_at_end{wake};
    for (const auto& save : saves) save.wait();
    return open_model(plain_path(folder.empty() ? program_file(kBundledModel).string() : resolved(folder)),
                      [&](double share) {
                        progress->share = share;
                        return !progress->stopped;
                      });
  });
}

void ModelOpening::begin(const std::string& folder, const Saves& saves, std::optional<bool> resume) {
  stop();
  resume_ = resume;
  folder_ = folder;
  progress_ = std::make_shared<OpeningProgress>();
  opening_ = open_soon(folder, saves, wake_, progress_);
}

void ModelOpening::stop() {
  if (progress_) progress_->stopped = true;
  if (opening_.valid()) abandoned_.end(std::exchange(opening_, {}));
}

bool ModelOpening::ready() const {
  return is_ready(opening_);
}

std::optional<double> ModelOpening::share() const {
  if (!busy() || std::chrono::steady_clock::now() - progress_->begun <= kMoment) return std::nullopt;
  return progress_->share.load();
}

}  // namespace glassformer
