// Kills a training at random moments, as often as is asked for, and has it resume from what its folder holds.
// Prints figures; ends with status 1 when a folder did not open or too much was lost.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <random>
#include <thread>

#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/train/run_data.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

namespace {

using namespace glassformer;
using Clock = std::chrono::steady_clock;

constexpr double kSecondsBetweenSaves = 1, kLongestLife = 2.5, kMostLost = 30;

double now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// What the training reports of itself, in memory that outlives it.
struct Progress {
  std::atomic<long> step{0}, saved_step{-1};
  std::atomic<double> saved{0};  // when the last save that was finished had begun
  std::atomic<bool> saving{false};
};

Config config() {
  Config config = testing::copying_config();
  config.d_model = 64;
  config.d_ff = 256;
  return config;
}

TrainingOptions options() {
  TrainingOptions options = testing::demanding_options();
  options.steps = 100'000'000;
  options.patience = 0;
  options.validate_every = 50;
  options.threads = 1;
  return options;
}

[[noreturn]] void train_and_save(const std::string& folder, Progress& progress) {
  const bool resumes = holds_a_model(folder);
  auto trainer = resumes ? Trainer::resume(folder, testing::copying_set(), 1)
                         : std::make_unique<Trainer>(testing::copying_set(), config(), options());
  trainer->keep_history(8 << 20);
  double saved = 0;
  while (true) {
    if (now() - saved > kSecondsBetweenSaves) {
      saved = now();
      progress.saving = true;
      trainer->save(folder);
      progress.saved_step = trainer->step_count();
      progress.saved = saved;
      progress.saving = false;
    }
    if (trainer->validation_due()) trainer->validate();
    trainer->step();
    progress.step = trainer->step_count();
  }
}

struct Figures {
  int kills = 0, in_saves = 0, before_first = 0, unopened = 0, fell_back = 0, foreign = 0;
  long most_steps = 0;
  double most_seconds = 0;
};

void kill_once(const std::string& folder, Progress& progress, double life, Figures& figures) {
  const bool opened_before = progress.saved_step >= 0;
  progress.saved = now();  // nothing of what it will have learned
  progress.saving = false;
  const pid_t training = ::fork();
  if (training == 0) {
    try {
      train_and_save(folder, progress);
    } catch (const std::exception& error) {
      std::cerr << error.what() << "\n";
      ::_exit(3);
    }
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(life));
  ::kill(training, SIGKILL);
  const double killed = now();
  int status = 0;
  ::waitpid(training, &status, 0);
  ++figures.kills;
  if (!WIFSIGNALED(status)) {  // it could not resume
    ++figures.unopened;
    return;
  }
  figures.in_saves += progress.saving;
  if (!holds_a_model(folder)) {
    ++(opened_before || progress.saved_step >= 0 ? figures.unopened : figures.before_first);
    return;
  }
  try {
    load_checkpoint(folder);
    const long step = Trainer::resume(folder, testing::copying_set(), 1, false)->step_count();
    figures.most_steps = std::max(figures.most_steps, progress.step - step);
    figures.most_seconds = std::max(figures.most_seconds, killed - progress.saved);
    if (step < progress.saved_step) ++figures.fell_back;
    if (!holds_only_own(folder)) ++figures.foreign;
  } catch (const Error& error) {
    std::cerr << error.what() << "\n";
    ++figures.unopened;
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int kills = count > 1 ? std::stoi(arguments[1]) : 1000;
  void* const shared =
      ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  Progress& progress = *new (shared) Progress;
  std::mt19937 generator(count > 2 ? static_cast<unsigned>(std::stoi(arguments[2])) : 1);
  std::uniform_real_distribution<double> life(0.02, kLongestLife);
  Figures figures;
  constexpr int kOfOneFolder = 50;
  for (int done = 0; done < kills;) {
    const ScratchFolder folder;
    progress.saved_step = -1;
    for (int i = 0; i < kOfOneFolder && done < kills; ++i, ++done) {
      kill_once(folder.path("run"), progress, life(generator), figures);
      if (done % 100 == 99) std::cerr << done + 1 << " of " << kills << "\n";
    }
  }
  std::cout << "kills " << figures.kills << ", in a save " << figures.in_saves << ", before the first save "
            << figures.before_first << "\nfolders that did not open " << figures.unopened
            << ", behind a finished save " << figures.fell_back << ", with files that no list names "
            << figures.foreign << "\nmost lost: " << figures.most_steps << " steps, " << figures.most_seconds
            << " s of learning\n";
  return figures.unopened + figures.fell_back + figures.foreign > 0 || figures.most_seconds > kMostLost ? 1
                                                                                                        : 0;
}
