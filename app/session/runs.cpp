#include "app/session/runs.h"

#include <algorithm>
#include <utility>

#include "engine/math/ready.h"

namespace glassformer {

namespace {

bool waits(const Run& run) {
  return run.place == RunPlace::pending || run.place == RunPlace::pending_beside;
}

}  // namespace

Runs::Runs(std::function<void()> wake) : wake_(std::move(wake)) {
  all_.push_back(std::make_unique<Run>());
}

Run* Runs::first(RunPlace place) const {
  const auto found = std::ranges::find(all_, place, [](const auto& run) { return run->place; });
  return found != all_.end() ? found->get() : nullptr;
}

std::vector<Run*> Runs::all(RunPlace place) const {
  std::vector<Run*> found;
  for (const auto& run : all_)
    if (run->place == place) found.push_back(run.get());
  return found;
}

Run& Runs::open() const {
  return *first(RunPlace::open);
}

Run* Runs::beside(int id) const {
  const std::vector<Run*> all = all_beside();
  const auto found = id == 0 && !all.empty()
                         ? all.end() - 1
                         : std::ranges::find(all, id, [](const Run* run) { return run->shown.id; });
  return found != all.end() ? *found : nullptr;
}

std::vector<Run*> Runs::all_beside() const {
  return all(RunPlace::beside);
}

std::vector<Run*> Runs::all_trials() const {
  return all(RunPlace::trial);
}

const Run* Runs::pending() const {
  return first(RunPlace::pending);
}

bool Runs::pending_in(const std::string& folder) const {
  return pending() && pending()->thread && pending()->folder == folder;
}

void Runs::begin(Run& run, RunThread::Make make, bool running) {
  run.thread = std::make_unique<RunThread>(
      std::move(make), RunThread::Options{.folder = run.folder,
                                          .running = running,
                                          .history = history_ / (run.place == RunPlace::open ? 1 : 2),
                                          .moments = moments_,
                                          .looks = run.state().held_out,
                                          .wake = wake_});
}

Run& Runs::add_beside() {
  int free = 0;
  const std::vector<Run*> others = all_beside();
  while (std::ranges::find(others, free, [](const Run* run) { return run->shown.place; }) != others.end())
    ++free;
  Run& added = *all_.emplace_back(std::make_unique<Run>());
  added.place = RunPlace::beside;
  added.shown.id = ++last_id_;
  added.shown.place = free;
  return added;
}

Run& Runs::add_trial() {
  Run& added = *all_.emplace_back(std::make_unique<Run>());
  added.place = RunPlace::trial;
  return added;
}

Run& Runs::add_watched() {
  Run& added = *all_.emplace_back(std::make_unique<Run>());
  added.place = RunPlace::watched;
  return added;
}

Run* Runs::watched() const {
  return first(RunPlace::watched);
}

void Runs::set_aside() {
  Run& before = open();
  if (before.state().phase == RunPhase::preparing) return end(before);
  if (before.thread) before.thread->pause();
  all_.push_back(std::make_unique<Run>(before.record()));
  before.place = RunPlace::pending;
}

void Runs::set_all_beside_aside() {
  if (!pending()) return;
  for (Run* const each : all_beside()) {
    if (each->active()) each->active()->pause();
    each->place = RunPlace::pending_beside;
  }
}

std::vector<std::string> Runs::end_pending() {
  std::vector<std::string> folders;
  for (const RunPlace place : {RunPlace::pending, RunPlace::pending_beside}) {
    for (Run* const each : all(place)) {
      folders.push_back(each->folder);
      end(*each);
      remove(*each);
    }
  }
  return folders;
}

bool Runs::take_back() {
  Run* const back = first(RunPlace::pending);
  if (!back) return false;
  end(open());
  remove(open());
  back->place = RunPlace::open;
  for (Run* const each : all(RunPlace::pending_beside)) each->place = RunPlace::beside;
  return true;
}

void Runs::end_open() {
  end(open());
}

void Runs::end_beside(Run& run) {
  end(run);
  remove(run);
}

void Runs::end_all_beside() {
  for (Run* const each : all_beside()) end_beside(*each);
}

void Runs::clear_open() {
  end_open();
  open() = Run();
}

std::unique_ptr<Run> Runs::remove(Run& run) {
  const auto found = std::ranges::find(all_, &run, [](const auto& each) { return each.get(); });
  std::unique_ptr<Run> removed = std::move(*found);
  all_.erase(found);
  return removed;
}

// Saving may take a while on a large model: its thread goes, and what the run was stays.
void Runs::end(Run& run) {
  if (!run.thread) return;
  const bool saves = run.thread->prepared();
  auto ended = std::make_unique<Run>();
  ended->place = RunPlace::unsaved;
  ended->folder = run.folder;
  ended->shown = run.shown;
  ended->thread = std::move(run.thread);
  const auto held = std::make_shared<std::unique_ptr<Run>>(std::move(ended));
  const auto save_and_end = [held] {
    RunThread& thread = *(*held)->thread;
    std::string problem = thread.finish_saving();
    if (!problem.empty()) return problem;
    problem = thread.end();
    held->reset();
    return problem;
  };
  endings_.push_back({.ended = std::async(std::launch::async, save_and_end).share(),
                      .folder = run.folder,
                      .saves = saves,
                      .run = held});
}

void Runs::keep_history(std::size_t bytes) {
  history_ = bytes;
  if (open().thread) open().thread->keep_history(bytes);
  for (Run* const each : all_beside())
    if (each->active()) each->active()->keep_history(bytes / 2);
}

void Runs::want_moments(bool wanted) {
  moments_ = wanted;
  if (open().thread) open().thread->want_moments(wanted);
  for (Run* const each : all_beside())
    if (each->active()) each->active()->want_moments(wanted);
}

void Runs::pause() {
  if (open().thread) open().thread->pause();
  for (Run* const each : all_beside())
    if (each->active()) each->active()->pause();
}

void Runs::catch_up() {
  want_moments(moments_);
  keep_history(history_);
  if (open().learns()) open().thread->resume();
  for (Run* const each : all_beside())
    if (each->learns()) each->thread->resume();
}

std::vector<std::shared_future<std::string>> Runs::saves_into(const std::string& folder) const {
  std::vector<std::shared_future<std::string>> saves;
  for (const Ending& ending : endings_) {
    if (ending.folder == folder) saves.push_back(ending.ended);
  }
  return saves;
}

bool Runs::take_ended(std::vector<std::string>& problems) {
  return std::erase_if(endings_, [&](const Ending& ending) {
           if (!is_ready(ending.ended)) return false;
           const std::string& problem = ending.ended.get();
           if (*ending.run) {
             (*ending.run)->state().unsaved = problem;
             (*ending.run)->state().failed_saves = 1;
             all_.push_back(std::move(*ending.run));
           } else if (!problem.empty()) {
             problems.push_back(problem);
           }
           return true;
         }) > 0;
}

std::vector<Run*> Runs::ended_unsaved() const {
  return all(RunPlace::unsaved);
}

std::vector<Run*> Runs::unsaved() const {
  std::vector<Run*> found;
  for (const RunPlace place : {RunPlace::open, RunPlace::beside, RunPlace::watched, RunPlace::unsaved})
    for (Run* const each : all(place))
      if (each->is_unsaved()) found.push_back(each);
  return found;
}

void Runs::follow_folder(const std::string& from, const std::string& to) {
  for (const auto& each : all_)
    if (each->begin.folder == from) each->begin.folder = to;
}

bool Runs::finish_saving_pending() {
  bool saved = true;
  for (const auto& each : all_)
    if (waits(*each) && each->thread) saved = each->thread->finish_saving().empty() && saved;
  return saved;
}

void Runs::finish_saving() {
  for (const Ending& ending : endings_)
    if (ending.saves) ending.ended.wait();
  for (const auto& each : all_)
    if (!waits(*each) && each->thread) each->thread->finish_saving();
}

std::vector<std::string> Runs::close() {
  end_open();
  end_all_beside();
  if (Run* const each = watched()) end_beside(*each);
  for (Run* const each : all_trials()) end_beside(*each);
  std::vector<std::string> problems;
  for (const Ending& ending : endings_)
    if (ending.saves) problems.push_back(ending.ended.get());
  for (Run* const each : ended_unsaved()) problems.push_back(each->thread->end());
  return problems;
}

}  // namespace glassformer
