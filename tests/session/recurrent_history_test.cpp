// The kept steps of a recurrent run: in memory, in its folder, and on the slider.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/session/recurrent_reader.h"
#include "tests/session/recurrent_runs.h"
#include "tests/session/session_helpers.h"

namespace glassformer::recurrent_history_test {

bool reads_at(Session& session, long step) {
  return frames_until(session, [&] {
    const auto& scene = session.recurrent().scene;
    return scene && scene->step == step;
  });
}

TEST_CASE("its steps are kept, in memory and in its folder, and it is looked at as it was at one of them") {
  Session session(nothing_open());
  session.apply({ShowStep{3, true}});  // there is none yet
  session.apply({TrainRecurrent{small_run(60)}});
  REQUIRE(over(session));
  const auto learned = session.recurrent_run();
  REQUIRE(learned->history.size() > 30);
  CHECK(learned->history.front()->step() == 0);
  CHECK(learned->history.back()->step() == 60);
  REQUIRE(reads_at(session, learned->of_step));
  const auto newest = learned->model;

  session.apply({ShowStep{7, true}});
  CHECK(session.recurrent_run()->shown_step() == 7);
  CHECK_FALSE(session.looked_back());  // the Transformer stays where it is
  REQUIRE(reads_at(session, 7));
  const auto at_7 = session.recurrent().scene->model;
  CHECK(at_7->output_projection.weight != newest->output_projection.weight);
  CHECK(session.recurrent_run()->model == newest);
  session.apply({ShowStep{learned->of_step, true}});  // whole, not as it is kept to look back at
  CHECK_FALSE(session.recurrent_run()->looked_at);
  REQUIRE(reads_at(session, learned->of_step));
  CHECK(session.recurrent().scene->model == newest);

  Session next(nothing_open());
  next.apply({OpenModel{learned->folder}});
  REQUIRE(over(next));
  REQUIRE(next.recurrent_run()->history.size() == learned->history.size());
  REQUIRE(reads_at(next, learned->of_step));
  next.apply({ShowStep{7, true}});
  REQUIRE(reads_at(next, 7));
  CHECK(next.recurrent().scene->model->output_projection.weight == at_7->output_projection.weight);

  // What was taken away is reported, and the model is shown again.
  std::filesystem::remove_all(learned->folder + "/history");
  next.apply({ShowStep{0, true}});
  CHECK(frames_until(next, [&] {  // beside the model that is nowhere, whose notice may come late
    const Notice* const shown = notice(next, Place::model);
    return shown && shown->error && shown->text.starts_with("The recurrent model “");
  }));
  REQUIRE(reads_at(next, learned->of_step));
  CHECK_FALSE(next.recurrent_run()->looked_at);

  // A folder of a program that kept none.
  Session old(nothing_open());
  old.apply({OpenModel{learned->folder}});
  REQUIRE(over(old));
  CHECK(old.recurrent_run()->history.empty());
  CHECK(old.recurrent_run()->model->output_projection.weight == newest->output_projection.weight);
  old.apply({ShowStep{7, true}});
  CHECK_FALSE(old.recurrent_run()->looked_at);
}

TEST_CASE("it learns on while somebody looks back, keeps what its budget allows, and goes on as it stands") {
  Session session(nothing_open());
  session.apply({KeepHistory{0}, TrainRecurrent{small_run(1000000)}});
  REQUIRE(frames_until(session, [&] { return session.recurrent_run()->step > 5; }));
  CHECK(session.recurrent_run()->history.empty());
  session.apply({KeepHistory{64}});
  REQUIRE(frames_until(session, [&] { return session.recurrent_run()->history.size() > 5; }));
  const long first = session.recurrent_run()->history.front()->step();
  CHECK(first > 5);
  session.apply({ShowStep{0, true}});
  REQUIRE(reads_at(session, first));
  const long then = session.recurrent_run()->step;
  REQUIRE(frames_until(session, [&] { return session.recurrent_run()->step > then + 20; }));
  CHECK(session.recurrent_run()->shown_step() == first);
  CHECK(session.recurrent().scene->step == first);
  session.apply({StopRecurrent{}});
  REQUIRE(over(session));
  const auto stopped = session.recurrent_run();
  CHECK(stopped->shown_step() == first);
  session.apply({ResumeRecurrent{}});
  CHECK_FALSE(session.recurrent_run()->looked_at);
  REQUIRE(frames_until(session, [&] { return session.recurrent_run()->step > stopped->step; }));
  CHECK(session.recurrent_run()->history.front()->step() == first);  // as its folder has it
  session.apply({StopRecurrent{}});
  REQUIRE(over(session));
}

}  // namespace glassformer::recurrent_history_test
