// What the benchmark measures on a real run, learning from the bundled grammar: what comes on top of
// its steps when their weights are kept for looking back, when a second run trains beside it, and when a
// window is open that shows it learn.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/scene/command.h"

namespace glassformer {

class OffscreenProgram;

struct BenchRun {
  std::string preset;
  double seconds = 5;  // of each of both sides of a comparison
  int threads = 0;     // 0: all cores
};

// The run itself, without an end.
NewRun run_on_grammar(const BenchRun& options);
// Opens it in the program, ready to train. Throws Error when that takes minutes.
void open_run(OffscreenProgram& program, const NewRun& run);

// tokens_per_s with and without the history, and the share of the speed that it costs.
nlohmann::json bench_history(const BenchRun& options);

// tokens_per_s of a run alone, and which share of it each of two such runs has that train at once.
nlohmann::json bench_pair(const BenchRun& options);

// tokens_per_s of the training alone and under an open window of 1600 x 1000 that shows its attention and is
// redrawn as often as without input; the frames' median and longest, and how much of a frame goes to building
// the interface. OpenGL without a display, in software where there is no other. Throws Error when this
// machine cannot draw.
nlohmann::json bench_window(const BenchRun& options);

// The same of a fresh model in "Watch one learn".
nlohmann::json bench_watch(const BenchRun& options);

}  // namespace glassformer
