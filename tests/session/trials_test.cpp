// Settings that are tried in the background.
#include "app/session/trials.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "app/session/paths.h"
#include "app/session/run_table.h"
#include "engine/math/error.h"
#include "tests/session/session_helpers.h"

namespace glassformer {
namespace {

NewRun fitted_run(long steps) {
  NewRun run = reverse_run();
  run.training.steps = steps;
  run.config.source_vocab = run.config.target_vocab = 20;
  return run;
}

std::string refusal_of(const std::string& text) {
  try {
    planned_trials(fitted_run(10), text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a plan of trials changes one setting each, for every seed") {
  const std::vector<Trial> trials =
      planned_trials(fitted_run(10), "vary heads = 1, 2\nvary norm = pre\nseeds = 4, 5\n");
  REQUIRE(trials.size() == 6);
  CHECK(trials[0].name == "heads 1, seed 4");
  CHECK(trials[1].config.heads == 2);
  CHECK(trials[2].config.final_norm);  // as train has it
  CHECK(trials[2].config.heads == fitted_run(10).config.heads);
  CHECK(trials[5].training.seed == 5);
  CHECK(planned_trials(fitted_run(10), "vary layers = 3\n")[0].config.decoder_layers == 3);
}

TEST_CASE("what cannot be tried is refused by the sentence of the reader") {
  CHECK(refusal_of("vary heads = 1,, 2\n") == "row:1: expected a value between commas, found nothing");
  CHECK(refusal_of("\nvary = 1\n").find("row:2: expected the name of an option of train") == 0);
  CHECK(refusal_of("vary heads = 2\nseeds = x\n") ==
        "row:2: expected whole numbers, with commas between them, found \"x\"");
  CHECK(refusal_of("vary heads = two\n") == "--heads: expected a whole number, found \"two\"");
  CHECK(refusal_of("vary heads = 3\n").find("heads") != std::string::npos);
  CHECK(refusal_of("vary task = copy\n") ==
        "--task: expected a setting of the model or of its training, found \"copy\"");
  CHECK(refusal_of("seeds = 1\n").find("vary SETTING") != std::string::npos);
}

TEST_CASE("trials are trained one after another, told of, and stand among the runs") {
  Session session(nothing_open());
  session.apply({reverse_run()});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  session.apply({TrySettings{planned_trials(fitted_run(8), "vary heads = 1, 2\nseeds = 1, 2\n"), 2}});
  CHECK(session.trials().under_way());
  CHECK(session.trials().now.size() == 2);
  CHECK(trials_in_words(session.trials()).find("1 of 4: heads 1, seed 1") == 0);
  // Others have to wait.
  session.apply({TrySettings{planned_trials(fitted_run(8), "vary heads = 1\n"), 1}});
  CHECK(session.trials().all == 4);
  REQUIRE(frames_until(session, [&] { return !session.trials().under_way(); }));
  CHECK(trials_in_words(session.trials()) == "All 4 runs are trained.");
  REQUIRE(notice(session, Place::training));
  CHECK(notice(session, Place::training)->text.find("All 4 runs") != std::string::npos);
  CHECK(session.run().phase == RunPhase::ready);  // what is open was not touched
  CHECK(session.finish_saving());
  std::vector<std::string> problems;
  const std::vector<KeptRun> runs = kept_runs(runs_folder().string(), problems);
  REQUIRE(runs.size() == 4);
  CHECK(problems.empty());
  for (const KeptRun& run : runs) CHECK(run.record.last_step == 8);
  const std::vector<RunRow> rows = run_rows(runs, "", true);  // seeds together
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "heads 1");
}

TEST_CASE("cancelled trials keep what they have learned, and so do those that closing ends") {
  const auto kept = [] {
    std::vector<std::string> problems;
    return kept_runs(runs_folder().string(), problems).size();
  };
  Session session(nothing_open());
  session.apply({reverse_run()});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  const TrySettings long_ones{planned_trials(fitted_run(100000), "vary heads = 1, 2\n"), 1};
  const auto learns = [&] { return !session.trials().now.empty() && session.trials().now[0].step > 5; };
  session.apply({long_ones});
  REQUIRE(frames_until(session, learns));
  session.apply({CancelTrials{}});
  CHECK_FALSE(session.trials().under_way());
  CHECK(trials_in_words(session.trials()) == "0 of 2 runs reached the end, the others were cancelled.");
  CHECK(session.finish_saving());
  CHECK(kept() == 1);
  session.apply({long_ones});
  REQUIRE(frames_until(session, learns));
  CHECK(session.close().empty());
  CHECK(kept() == 2);
}

}  // namespace glassformer
