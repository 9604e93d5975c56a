#include <cstdlib>
#include <utility>
#include <vector>

#include "app/offscreen.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "app/views/studies/studies.h"
#include "engine/math/error.h"
#include "tests/benchmark/looking.h"
#include "tests/benchmark/times.h"

namespace glassformer {

nlohmann::json bench_start(const BenchRun& options) {
  constexpr int kTimes = 5;
  constexpr double kPatience = 60;
  setenv("LP_NUM_THREADS", "0", 0);  // as in the window
  nlohmann::json result = nlohmann::json::object();
  for (const auto& [name, quiet] : {std::pair{"whole", false}, std::pair{"quiet", true}}) {
    std::vector<double> pictures, contexts, frames;
    for (int i = 0; i < kTimes; ++i) {
      const auto begin = BenchClock::now();
      OffscreenProgram program({.quiet = quiet, .threads = options.threads, .draws = true});
      const auto whole = [&] {
        const auto shown = program.session().result();
        return shown && !program.session().working();
      };
      if (!program.wait(whole, kPatience)) throw Error("bench", "the first sentence was not translated");
      program.frame();
      program.finish_drawing();
      pictures.push_back(seconds_since(begin) - program.context_seconds());
      contexts.push_back(program.context_seconds());
      program.settle(kPatience);
      program.frame(3);
      frames.push_back(program.build_seconds());
    }
    result[name] = {{"first_picture_ms", median(pictures) * 1e3},
                    {"context_ms", median(contexts) * 1e3},
                    {"frame_ms", median(frames) * 1e3}};
  }
  // What the view of studies waits for when it is opened.
  std::vector<double> studies;
  for (int i = 0; i < kTimes; ++i) {
    const auto begin = BenchClock::now();
    read_studies({});
    studies.push_back(seconds_since(begin));
  }
  result["studies_ms"] = median(studies) * 1e3;
  // The model that comes along, with every step that is kept of it.
  std::vector<double> openings;
  for (int i = 0; i < kTimes; ++i) {
    const auto begin = BenchClock::now();
    const OpenedModel model = open_model(program_file("models/english-french").string());
    for (const auto& kept : model.history) kept->snapshot();
    openings.push_back(seconds_since(begin));
  }
  result["model_ms"] = median(openings) * 1e3;
  return result;
}

}  // namespace glassformer
