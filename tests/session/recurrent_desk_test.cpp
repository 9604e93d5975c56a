// The recurrent model beside the Transformer: learns into a folder of its own, and is opened from one.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/session/model_list.h"
#include "app/session/paths.h"
#include "app/session/recurrent_reader.h"
#include "app/session/run_table.h"
#include "app/session/settings.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/recurrent/recurrent_trace.h"
#include "tests/session/recurrent_runs.h"
#include "tests/session/session_helpers.h"

namespace glassformer::recurrent_desk_test {

TEST_CASE("it learns into a folder among the runs, and that opens again as it stood") {
  Session session(nothing_open());
  CHECK_FALSE(session.recurrent_run());
  session.apply({TrainRecurrent{small_run(60)}});
  REQUIRE(over(session));
  const auto learned = session.recurrent_run();
  CHECK(learned->problem == "");
  CHECK(learned->step == 60);
  CHECK(learned->of_step % 20 == 0);  // as it was validated
  CHECK(learned->name == "reverse");
  REQUIRE(learned->curves);
  CHECK(learned->curves->steps.size() == 60);
  CHECK(learned->curves->validations.size() == 3);
  CHECK(learned->tokens_per_s > 0);
  CHECK(learned->curves->steps[59].loss < learned->curves->steps[0].loss);
  CHECK(std::filesystem::path(learned->folder).filename().string().ends_with(" reverse recurrent"));
  CHECK(holds_recurrent_model(learned->folder));
  // It is a model that can be opened, and a line of the table of runs, without a complaint there.
  const std::string runs = std::filesystem::path(learned->folder).parent_path().string();
  std::vector<std::string> problems;
  const std::vector<KeptRun> kept = kept_runs(runs, problems);
  CHECK(problems.empty());
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].recurrent());
  CHECK(kept[0].record.last_step == 60);
  REQUIRE(kept[0].record.curves);
  CHECK(best_validation(*kept[0].record.curves)->step == learned->of_step);
  CHECK(command_of(kept[0]).find(" --architecture recurrent --width 12 ") != std::string::npos);
  // Beside the Transformer it keeps its name.
  session.apply({RenameRun{learned->folder, "another"}});
  REQUIRE(frames_until(session, [&] { return !session.run_folder_change()->under_way; }));
  CHECK(session.run_folder_change()->problem.find("it is open") != std::string::npos);
  const std::vector<ListedModel> models = list_models(runs, {});
  CHECK(std::ranges::count(models, learned->folder, &ListedModel::folder) == 1);

  Session other(nothing_open());
  other.apply({OpenModel{learned->folder}});
  REQUIRE(over(other));
  const auto opened = other.recurrent_run();
  CHECK(opened->problem == "");
  REQUIRE(opened->model);
  CHECK(opened->opened);
  REQUIRE(opened->curves);
  CHECK(opened->curves->steps.size() == 60);
  CHECK(opened->step == 60);
  CHECK(opened->planned == 60);
  CHECK_FALSE(opened->can_resume());
  CHECK(opened->of_step == learned->of_step);
  std::vector<int> ids;
  for (const Piece& piece : opened->tokenizers.source->encode(learned->sample)) ids.push_back(piece.id);
  REQUIRE(!ids.empty());
  // What translates is kept: the best by validation, here the last.
  const RecurrentTrace one = trace(*learned->model, ids, {2}), two = trace(*opened->model, ids, {2});
  CHECK(one.handed_over.isApprox(two.handed_over));
}

TEST_CASE("one learns at a time, until it is stopped, and nothing of it is lost") {
  Session session(nothing_open());
  session.apply({TrainRecurrent{small_run(1000000)}});
  REQUIRE(frames_until(session, [&] { return session.recurrent_run()->step > 5; }));
  NewRecurrentRun second = small_run(10);
  second.data.training.task = "copy";
  session.apply({TrainRecurrent{second}});
  CHECK(session.recurrent_run()->name == "reverse");
  session.apply({OpenModel{session.recurrent_run()->folder}});
  CHECK(session.recurrent_run()->running);
  session.apply({StopRecurrent{}});
  REQUIRE(over(session));
  const auto stopped = session.recurrent_run();
  CHECK(stopped->problem == "");
  CHECK(stopped->step >= 5);
  const auto kept = load_recurrent_checkpoint(stopped->folder).model;
  CHECK(kept->output_projection.weight == stopped->model->output_projection.weight);
  session.apply({TrainRecurrent{second}});
  REQUIRE(over(session));
  CHECK(session.recurrent_run()->name == "copy");
  CHECK(session.recurrent_run()->step == 10);
  CHECK(holds_recurrent_model(stopped->folder));
}

TEST_CASE("one that was stopped goes on where it stood, in this session and in the next, to the same end") {
  constexpr int kSteps = 2500;
  Session at_once(nothing_open());
  at_once.apply({TrainRecurrent{small_run(kSteps)}});
  REQUIRE(over(at_once));
  CHECK_FALSE(at_once.recurrent_run()->can_resume());  // it has come to its end
  at_once.apply({ResumeRecurrent{}});
  CHECK_FALSE(at_once.recurrent_run()->running);

  const auto until = [](Session& session, long step) {
    REQUIRE(frames_until(session, [&] {
      const auto state = session.recurrent_run();
      return state->step >= step && (state->running || !state->ended.empty());
    }));
    session.apply({StopRecurrent{}});
    REQUIRE(over(session));
    return session.recurrent_run();
  };
  Session session(nothing_open());
  session.apply({ResumeRecurrent{}});
  CHECK_FALSE(session.recurrent_run());
  session.apply({TrainRecurrent{small_run(kSteps)}});
  const auto first = until(session, 0);
  REQUIRE(first->step < kSteps);
  CHECK(first->can_resume());
  session.apply({ResumeRecurrent{}});
  const auto second = until(session, first->step + 1);
  CHECK(second->problem == "");
  CHECK(second->folder == first->folder);
  CHECK(second->step > first->step);
  REQUIRE(second->can_resume());

  Session next(nothing_open());
  next.apply({OpenModel{first->folder}});
  REQUIRE(over(next));
  next.apply({ResumeRecurrent{}});
  REQUIRE(over(next));
  const auto end = next.recurrent_run();
  CHECK(end->problem == "");
  CHECK(end->step == kSteps);
  CHECK_FALSE(end->opened);
  CHECK(end->sample != "");
  const auto whole = at_once.recurrent_run();
  REQUIRE(end->curves->steps.size() == kSteps);
  for (std::size_t i = 0; i < kSteps; ++i) CHECK(end->curves->steps[i].loss == whole->curves->steps[i].loss);
  CHECK(end->of_step == whole->of_step);
  CHECK(end->model->output_projection.weight == whole->model->output_projection.weight);
}

TEST_CASE("who cannot go on says why, and stands as it stood") {
  const Home& home = home_of_test();
  const std::string corpus = home.scratch.path("pairs.tsv");
  {
    std::ofstream pairs(corpus);
    for (int i = 0; i < 60; ++i) pairs << "a b " << i << "\tb a " << i << "\n";
  }
  NewRecurrentRun run = small_run(1000000);
  run.data.training = {.corpus = corpus};
  Session session(nothing_open());
  session.apply({TrainRecurrent{run}});
  REQUIRE(frames_until(session, [&] { return session.recurrent_run()->step > 2; }));
  session.apply({StopRecurrent{}});
  REQUIRE(over(session));
  const auto stopped = session.recurrent_run();
  std::filesystem::remove(corpus);
  session.apply({ResumeRecurrent{}});
  REQUIRE(over(session));
  const auto failed = session.recurrent_run();
  CHECK(failed->problem.find("pairs.tsv") != std::string::npos);
  CHECK(failed->step == stopped->step);
  CHECK(failed->model == stopped->model);
  CHECK(holds_recurrent_model(failed->folder));
}

TEST_CASE("closing waits until it is saved") {
  std::string folder;
  std::shared_ptr<const RecurrentModel<float>> seen;
  {
    Session session(nothing_open());
    session.apply({TrainRecurrent{small_run(1000000)}});
    REQUIRE(frames_until(session, [&] { return session.recurrent_run()->step > 5; }));
    folder = session.recurrent_run()->folder;
    CHECK(session.close() == "");
    CHECK_FALSE(session.recurrent_run()->running);
    seen = session.recurrent_run()->model;
  }
  CHECK(load_recurrent_checkpoint(folder).model->output_projection.weight == seen->output_projection.weight);
}

TEST_CASE("one that learned at the program's end is offered at the next start, until opened or refused") {
  SessionOptions options = nothing_open();
  options.model = program_file("models/reverse").string();
  std::string folder;
  {
    Session session(options);
    session.apply({TrainRecurrent{small_run(1000000)}});
    REQUIRE(frames_until(session, [&] { return session.recurrent_run()->step > 5; }));
    folder = session.recurrent_run()->folder;
  }
  const auto offered = [&](const Session& session) {
    const Notice* const offer = notice(session, Place::model);
    return offer && offer->action == "Open it" && offer->command->get<OpenModel>().folder == folder;
  };
  {
    Session next(options);
    CHECK(offered(next));
    CHECK_FALSE(next.recurrent_run());
  }
  {
    Session next(options);
    REQUIRE(offered(next));
    next.apply({*notice(next, Place::model)->command});
    REQUIRE(over(next));
    CHECK(next.recurrent_run()->can_resume());
    CHECK_FALSE(offered(next));
  }
  Session last(options);
  CHECK_FALSE(offered(last));
  // Stopped by hand it is over, as far as that goes.
  last.apply({OpenModel{folder}});
  REQUIRE(over(last));
  last.apply({ResumeRecurrent{}});
  REQUIRE(frames_until(last, [&] { return last.recurrent_run()->running; }));
  CHECK(frames_until(last, [] { return !read_settings(settings_file()).unfinished_recurrent.empty(); }));
  last.apply({StopRecurrent{}});
  REQUIRE(over(last));
  CHECK(last.close() == "");
  CHECK(read_settings(settings_file()).unfinished_recurrent.empty());
}

TEST_CASE("who refuses the recurrent model of the last time is not asked again") {
  SessionOptions options = nothing_open();
  options.model = program_file("models/reverse").string();
  {
    Session session(options);
    session.apply({TrainRecurrent{small_run(1000000)}});
    REQUIRE(frames_until(session, [&] { return session.recurrent_run()->running; }));
  }
  {
    Session next(options);
    REQUIRE(notice(next, Place::model));
    next.dismiss(Place::model);
  }
  Session last(options);
  CHECK_FALSE(notice(last, Place::model));
}

TEST_CASE("a session that keeps no runs writes no folder of one") {
  const Home& home = home_of_test();
  SessionOptions options = nothing_open();
  options.keep_runs = false;
  Session session(options);
  session.apply({TrainRecurrent{small_run(10)}});
  REQUIRE(over(session));
  CHECK(session.recurrent_run()->step == 10);
  CHECK(session.recurrent_run()->folder == "");
  CHECK_FALSE(std::filesystem::exists(home.scratch.path("data/glassformer/runs")));
}

TEST_CASE("the typed sentence is read by it, or a held-out one instead, and which one is told") {
  Session session(nothing_open());
  session.apply({TrainRecurrent{small_run(10)}});
  REQUIRE(over(session));
  const RecurrentRunState& state = *session.recurrent_run();
  using Of = RecurrentReading::Of;
  const auto of = [&](const std::string& typed) { return recurrent_reading(state, typed); };
  CHECK(of("").of == Of::nothing_typed);
  CHECK(of("the cat").of == Of::instead);
  CHECK(of(state.sample).of == Of::typed);
  CHECK(of(state.sample).scene->trace.source == of("").scene->trace.source);
  std::string longer = state.sample;
  for (int i = 0; i < 40; ++i) longer += " " + state.sample;
  CHECK(of(longer).of == Of::cut);
  CHECK(of(longer).scene->reads.size() == static_cast<std::size_t>(state.model->config.max_length));
  CHECK_FALSE(of(std::string(4000000, 'a')).problem.empty());
  RecurrentRunState without = state;
  without.sample.clear();
  CHECK(recurrent_reading(without, "the cat").of == Of::unknown);
  CHECK_FALSE(recurrent_reading(without, "").problem.empty());

  RecurrentReader reader({});
  const auto shared = session.recurrent_run();
  const auto reads = [&](const std::string& typed) {
    return frames_until(session, [&] {
      reader.update(shared, typed);
      return reader.shown() && reader.shown()->of == Of::typed;
    });
  };
  REQUIRE(reads(state.sample));
  auto other = std::make_shared<RecurrentRunState>(state);
  other->name = "other";
  CHECK(reader.update(other, state.sample));
  CHECK_FALSE(reader.shown());  // never one model's sentence under another's name
}

// The step that the typed sentence is read at.
TEST_CASE("what cannot be is told in a sentence") {
  const Home& home = home_of_test();
  Session session(nothing_open());
  NewRecurrentRun run = small_run(10);
  run.data.training.task.clear();
  run.data.training.corpus = home.scratch.path("nothing.tsv");
  session.apply({TrainRecurrent{run}});
  REQUIRE(over(session));
  CHECK(session.recurrent_run()->problem.find("nothing.tsv") != std::string::npos);
  CHECK_FALSE(session.recurrent_run()->model);

  const std::string folder = home.scratch.path("broken");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/config.json") << R"({"architecture": "recurrent", "width": -3})";
  session.apply({OpenModel{folder}});
  REQUIRE(over(session));
  CHECK_FALSE(session.recurrent_run()->problem.empty());
  CHECK_FALSE(session.recurrent_run()->model);
}

}  // namespace glassformer::recurrent_desk_test
