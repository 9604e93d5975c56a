// The part of the session that keeps what was open while another run is prepared, and lets go of it when that
// is ready.
#include <filesystem>
#include <utility>

#include "app/session/run_name.h"
#include "app/session/session_state.h"

namespace glassformer {

namespace fs = std::filesystem;

std::string Session::State::open_folder() const {
  const bool of_run = thread || (run.phase == RunPhase::stopped && !run_folder.empty());
  return of_run ? run_folder : model ? model->folder : std::string();
}

std::string Session::State::folder_behind() const {
  return !behind ? std::string() : behind->thread ? behind->run.run_folder : model ? model->folder : "";
}

bool Session::State::waits_behind(const std::string& folder) const {
  return behind && behind->thread && behind->run.run_folder == folder;
}

RunThread* Session::State::keeper() const {
  return behind ? behind->thread.get() : thread.get();
}

// Before another run is begun: what is open waits behind it until it is ready to learn.
void Session::State::set_aside() {
  if (run.phase == RunPhase::preparing)
    return end_run();  // that one has not begun: what waits goes on waiting
  if (thread) thread->pause();
  behind.emplace(static_cast<const OpenRun&>(*this), std::move(thread), std::nullopt);
}

// The variant has no place beside the new run.
void Session::State::set_variant_aside() {
  if (!variant || !behind) return;
  if (compares_runs()) stop_comparing();
  clear_offer_to_compare();
  if (variant_thread()) variant_thread()->pause();
  behind->variant = std::move(variant);
  variant.reset();
}

void Session::State::let_go_of_behind() {
  if (!behind) return;
  // It was ended by hand: the next start has no need to offer it.
  if (behind->variant) forget_unfinished(behind->variant->folder);
  forget_unfinished(behind->run.run_folder);
  end_thread(std::move(behind->thread), behind->run.run_folder);
  if (behind->variant) end_thread(std::move(behind->variant->thread), behind->variant->folder);
  behind.reset();
}

// For who trains something and opens something else.
std::optional<Notice> Session::State::about_stopping() const {
  const OpenRun& open = behind ? behind->run : *this;
  const bool trains = open.run.phase == RunPhase::training, alone = !trains && variant_goes_on();
  const std::string folder = trains ? open.run_folder : alone ? variant->folder : "";
  if (folder.empty()) return std::nullopt;
  return Notice{.place = Place::training,
                .text = "Training of " + run_in_words(fs::path(folder).filename().string()) +
                        " was stopped for this. It is kept as it stood.",
                .action = "Go on with it",
                .command = ContinueRun{folder}};
}

void Session::State::end_run() {
  end_thread(std::move(thread), run_folder);
}

// Saving may take a while on a large model: the screen does not wait for it.
void Session::State::end_thread(std::unique_ptr<RunThread> ending, const std::string& folder) {
  if (!ending) return;
  const bool saves = ending->prepared();
  const auto held = std::make_shared<std::unique_ptr<RunThread>>(std::move(ending));
  const auto end = [held] {
    std::string problem = (*held)->finish_saving();
    if (!problem.empty()) return problem;
    problem = (*held)->end();
    held->reset();
    return problem;
  };
  endings.push_back(
      {.ended = std::async(std::launch::async, end).share(), .folder = folder, .saves = saves, .run = held});
}

// Those that are not over: who opens the folder or goes on in it waits for them.
std::vector<std::shared_future<std::string>> Session::State::saves_into(const std::string& folder) const {
  std::vector<std::shared_future<std::string>> saves;
  for (const Ending& ending : endings) {
    if (ending.folder == folder) saves.push_back(ending.ended);
  }
  return saves;
}

void Session::State::take_back_behind() {
  if (!behind) return;
  end_run();
  static_cast<OpenRun&>(*this) = std::move(behind->run);
  thread = std::move(behind->thread);
  if (behind->variant) variant = std::move(behind->variant);
  behind.reset();
}

// The data could not be prepared, or no longer are to be: what was open before goes on as it was.
void Session::State::return_from_preparing() {
  take_back_behind();
  for (RunThread* const each : {thread.get(), variant_thread()}) {
    if (!each) continue;
    each->want_moments(wants_moments);
    each->keep_history(history_bytes() / (each == thread.get() ? 1 : 2));
  }
  if (thread && run.phase == RunPhase::training) thread->go_on();
  if (variant_goes_on()) variant->thread->go_on();
  const bool let_go = !thread && run.phase != RunPhase::none;  // to be gone on with in its folder
  std::error_code absent;
  if (let_go && !run_folder.empty() && fs::exists(fs::path(run_folder) / "training.json", absent))
    open(run_folder);
  ask();
}

}  // namespace glassformer
