#include "tests/benchmark/looking.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/offscreen.h"
#include "app/session/run_scene.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/ablation.h"
#include "tests/benchmark/times.h"
#include "tests/benchmark/training.h"

namespace glassformer {
namespace {

constexpr int kWords = 32;                             // of both sides, with bos and eos
constexpr std::size_t kDragged = 60, kFewestKept = 8;  // steps
constexpr double kLookPatience = 120;                  // seconds, until something was computed

std::string ids_as_text(const std::vector<int>& ids, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(ids[static_cast<std::size_t>(i) % ids.size()]) + " ";
  return text;
}

// Milliseconds from a Scene to its Trace with gradients.
double trace_ms(const BenchRun& options) {
  const BenchShape& shape = bench_shape(options.preset);
  Config config = bench_config(shape, 0);
  config.max_length = kWords + 1;
  auto weights = std::make_shared<Transformer<float>>(config);
  weights->initialize(1);
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->config = config;
  snapshot->weights = std::move(weights);
  Random random(1);
  const auto ids = bench_sentences(shape, 2, random);
  Scene scene;
  scene.sentences = {{.source = ids_as_text(ids[0], kWords - (config.source_eos ? 1 : 0)),
                      .target = ids_as_text(ids[1], kWords - 1)}};
  std::vector<double> times;
  const auto start = BenchClock::now();
  while (times.size() < 5 || seconds_since(start) < options.seconds) {
    const auto begin = BenchClock::now();
    with_gradients(*run_scene(snapshot, {}, scene));
    times.push_back(seconds_since(begin));
  }
  return median(std::move(times)) * 1e3;
}

// Seconds of a frame until it is on the screen.
double draw(OffscreenProgram& program) {
  const auto begin = BenchClock::now();
  program.frame();
  program.finish_drawing();
  return seconds_since(begin);
}

nlohmann::json times_ms(const std::vector<double>& seconds) {
  return {{"median_ms", median(seconds) * 1e3}, {"longest_ms", longest(seconds) * 1e3}};
}

}  // namespace

nlohmann::json bench_walk(const BenchRun& options) {
  setenv("LP_NUM_THREADS", "0", 0);  // as in the window
  OffscreenProgram program({.view = "walk", .threads = options.threads, .draws = true});
  open_run(program, run_on_grammar(options));
  const auto step = [&] { return program.text("Walk step"); };
  if (!program.wait([&] { return !step().empty(); }, kLookPatience))
    throw Error("bench", "the Walk did not open");
  program.finish_drawing();

  std::vector<double> frames, building;
  program.press(ui::Key::right, true);
  while (program.find("Walk next")->enabled) {
    const std::string before = step();
    const double seconds = draw(program);
    if (step() == before) continue;  // the key repeats more slowly than frames follow each other
    frames.push_back(seconds);
    building.push_back(program.build_seconds());
  }
  program.release(ui::Key::right);
  nlohmann::json frame = times_ms(frames);
  frame["interface_median_ms"] = median(building) * 1e3;
  return {{"trace_ms", trace_ms(options)}, {"steps", frames.size()}, {"frame", frame}};
}

nlohmann::json bench_slider(const BenchRun& options) {
  setenv("LP_NUM_THREADS", "0", 0);
  OffscreenProgram program({.threads = options.threads, .draws = true});
  Session& session = program.session();
  open_run(program, run_on_grammar(options));
  session.apply({Train{}});
  const auto start = BenchClock::now();
  program.wait(
      [&] { return seconds_since(start) > options.seconds && session.run().history.size() >= kFewestKept; },
      options.seconds + kLookPatience);
  session.apply({PauseTraining{}});
  program.wait([&] { return session.run().phase == RunPhase::paused; }, kLookPatience);
  program.settle();

  const History::Kept kept = session.run().history;
  const std::size_t count = std::min(kDragged, kept.size());
  std::vector<double> answers;
  for (std::size_t i = 0; i < count; ++i) {
    const long step = kept[i * kept.size() / count]->step();
    const auto asked = BenchClock::now();
    session.apply({ShowStep{step}});
    while (session.result()->snapshot->step != step && seconds_since(asked) < kLookPatience) draw(program);
    answers.push_back(seconds_since(asked));
  }
  if (answers.empty()) throw Error("bench", "no step was kept in so short a time");
  return {{"kept_steps", kept.size()}, {"answer", times_ms(answers)}};
}

// Every head of the model muted, one after the other: how long until the numbers with it are there.
nlohmann::json bench_change(const BenchRun& options) {
  setenv("LP_NUM_THREADS", "0", 0);
  OffscreenProgram program({.threads = options.threads, .draws = true});
  Session& session = program.session();
  program.settle(kLookPatience);
  const auto answers = [&] {
    std::vector<double> seconds;
    for (const Change& change : every_head(*session.snapshot()->weights)) {
      WhatIf what_if;
      what_if.toggle(change);
      const auto asked = BenchClock::now();
      session.apply({SetWhatIf{what_if}});
      while (session.result()->scene.what_if != what_if && seconds_since(asked) < kLookPatience)
        draw(program);
      seconds.push_back(seconds_since(asked));
    }
    return times_ms(seconds);
  };
  const nlohmann::json idle = answers();
  session.apply({SetWhatIf{}, Train{}});
  program.wait([&] { return session.run().step > 0; }, kLookPatience);
  const nlohmann::json training = answers();
  session.apply({PauseTraining{}});
  program.wait([&] { return session.run().phase == RunPhase::paused; }, kLookPatience);
  return {{"idle", idle}, {"while_training", training}};
}

nlohmann::json bench_begin(const BenchRun& options) {
  setenv("LP_NUM_THREADS", "0", 0);
  const auto begun = [&](double waited) {
    OffscreenProgram program({.threads = options.threads, .draws = true});
    Session& session = program.session();
    program.settle(kLookPatience);
    const auto opened = BenchClock::now();
    while (seconds_since(opened) < waited) draw(program);
    const auto pressed = BenchClock::now();
    session.apply({Train{}});
    while (session.run().step < 1 || session.run().phase == RunPhase::preparing) {
      draw(program);
      if (seconds_since(pressed) > kLookPatience) throw Error("bench", "training did not begin");
    }
    return seconds_since(pressed) * 1e3;
  };
  const double at_once = begun(0), after_a_second = begun(1);
  return {
      {"at_once_ms", at_once}, {"after_a_second_ms", after_a_second}, {"later_ms", begun(options.seconds)}};
}

nlohmann::json bench_lessons(const BenchRun& options) {
  setenv("LP_NUM_THREADS", "0", 0);
  OffscreenProgram program({.threads = options.threads, .draws = true});
  program.settle(kLookPatience);
  std::vector<double> seconds;
  for (int lesson = 1;; ++lesson) {
    program.click("Lessons");
    program.frame(2);
    program.click("All lessons");
    program.frame(2);
    const std::string row = "lesson " + std::to_string(lesson);
    if (!program.find(row)) break;
    const auto clicked = BenchClock::now();
    program.click(row);
    const auto ready = [&] { return program.find("lesson heading") && !program.find("lesson state"); };
    while (!ready() && seconds_since(clicked) < kLookPatience) draw(program);
    seconds.push_back(seconds_since(clicked));
    program.settle(kLookPatience);
  }
  nlohmann::json result = times_ms(seconds);
  result["lessons"] = seconds.size();
  return result;
}

nlohmann::json bench_report(const BenchRun& options) {
  setenv("LP_NUM_THREADS", "0", 0);
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("glassformer-report-" + std::to_string(getpid()))).string();
  OffscreenProgram program({.threads = options.threads, .draws = true});
  program.settle(kLookPatience);
  program.press(ui::Key::report);
  program.frame(2);
  program.type("Report folder", folder);
  program.frame(2);
  const auto clicked = BenchClock::now();
  if (!program.click("Write the report")) throw Error("bench", "the report is not to be written");
  std::vector<double> frames;
  while (!program.find("report done") && !program.find("report problem") &&
         seconds_since(clicked) < kLookPatience)
    frames.push_back(draw(program));
  const double seconds = seconds_since(clicked);
  const std::string said = program.text("report problem");
  delete_own(folder);
  if (!said.empty()) throw Error("bench", said);
  nlohmann::json result = times_ms(frames);
  result["seconds"] = seconds;
  return result;
}

}  // namespace glassformer
