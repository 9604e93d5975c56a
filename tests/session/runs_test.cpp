// The list of runs, without a session: they learn beside each other, wait for one another, and end.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "app/session/runs.h"
#include "tests/session/session_helpers.h"

using namespace glassformer;

namespace {

bool soon(const std::function<bool()>& holds) {
  for (int tries = 0; tries < 30000; ++tries) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

void begin(Runs& runs, Run& run, const std::string& folder = {}) {
  run.recipe = reverse_run();
  run.folder = folder;
  run.state() = {};
  run.state().phase = RunPhase::preparing;
  runs.begin(run, make_run(*run.recipe, nullptr, {}, {}, {}), true);
}

bool reaches(Run& run, long step) {
  return soon([&] { return run.take(), run.state().step >= step; });
}

}  // namespace

TEST_CASE("four runs learn beside each other") {
  Runs runs({});
  begin(runs, runs.open());
  for (int i = 0; i < 3; ++i) begin(runs, runs.add_beside());
  const std::vector<Run*> beside = runs.all_beside();
  REQUIRE(beside.size() == 3);
  CHECK(runs.beside() == beside.back());  // the newest
  CHECK(reaches(runs.open(), 3));
  for (Run* const each : beside) CHECK(reaches(*each, 3));

  // One of them ends, the others go on, and its place is free for another.
  const int middle = beside[1]->shown.id, place = beside[1]->shown.place;
  CHECK(runs.beside(middle) == beside[1]);
  runs.end_beside(*beside[1]);
  CHECK(runs.beside(middle) == nullptr);
  CHECK(runs.all_beside() == std::vector<Run*>{beside[0], beside[2]});
  for (Run* const each : runs.all_beside()) CHECK(reaches(*each, each->state().step + 2));
  begin(runs, runs.add_beside());
  CHECK(runs.beside()->shown.place == place);
  CHECK(runs.beside()->shown.id != middle);
  CHECK(reaches(*runs.beside(), 3));

  runs.end_all_beside();
  CHECK(runs.beside() == nullptr);
  CHECK(runs.open().learns());
  CHECK(reaches(runs.open(), runs.open().state().step + 2));
}

TEST_CASE("what waits for another run comes back as it was, with those beside it, and goes on") {
  Runs runs({});
  begin(runs, runs.open());
  Run* const first = &runs.open();
  begin(runs, runs.add_beside());
  Run* const variant = runs.beside();
  REQUIRE(reaches(*first, 3));
  REQUIRE(reaches(*variant, 3));

  runs.set_aside();
  runs.set_all_beside_aside();
  CHECK(runs.pending() == first);
  CHECK(runs.beside() == nullptr);
  CHECK(&runs.open() != first);
  CHECK(runs.open().recipe.has_value());  // the next one begins by the same recipe unless told otherwise
  begin(runs, runs.open());
  runs.set_aside();  // that one has not begun: the first goes on waiting
  CHECK(runs.pending() == first);

  CHECK(runs.take_back());
  CHECK_FALSE(runs.take_back());
  CHECK(&runs.open() == first);
  CHECK(runs.beside() == variant);
  runs.catch_up();
  CHECK(reaches(*first, first->state().step + 2));
  CHECK(reaches(*variant, variant->state().step + 2));
}

TEST_CASE("what is not wanted any more is saved in its folder and ends") {
  const Home& home = home_of_test();
  const std::string folder = home.scratch.path("waiting");
  Runs runs({});
  begin(runs, runs.open(), folder);
  REQUIRE(reaches(runs.open(), 3));
  runs.set_aside();
  CHECK(runs.pending_in(folder));
  CHECK(runs.end_pending() == std::vector<std::string>{folder});
  CHECK(runs.pending() == nullptr);
  CHECK(runs.saves_into(folder).size() == 1);
  std::vector<std::string> problems;
  REQUIRE(soon([&] { return runs.take_ended(problems); }));
  CHECK(problems.empty());
  CHECK_FALSE(runs.ending());
  CHECK(std::filesystem::exists(std::filesystem::path(folder) / "training.json"));
}

TEST_CASE("a run that cannot be saved at its end is in the list again, and can be kept elsewhere") {
  const Home& home = home_of_test();
  const std::string blocked = home.scratch.write("file", "no folder") + "/run";
  Runs runs({});
  begin(runs, runs.open(), blocked);
  REQUIRE(reaches(runs.open(), 1));  // a slow machine is refused its first save before a second step
  runs.end_open();
  CHECK(runs.open().thread == nullptr);
  std::vector<std::string> problems;
  REQUIRE(soon([&] { return runs.take_ended(problems); }));
  REQUIRE(runs.ended_unsaved().size() == 1);
  Run& unsaved = *runs.ended_unsaved().front();
  CHECK(runs.unsaved() == std::vector<Run*>{&unsaved});
  CHECK(unsaved.as_unsaved().folder == blocked);
  CHECK(unsaved.as_unsaved().why != "");

  const std::string elsewhere = home.scratch.path("elsewhere");
  unsaved.thread->keep_in(elsewhere);
  REQUIRE(soon([&] { return unsaved.take(), !unsaved.is_unsaved(); }));
  CHECK(unsaved.folder == elsewhere);
  CHECK(std::filesystem::exists(std::filesystem::path(elsewhere) / "training.json"));
  CHECK(runs.remove(unsaved) != nullptr);
  CHECK(runs.unsaved().empty());
}

TEST_CASE("what a variant has in common with the open run is changed for both, the rest for one") {
  Runs runs({});
  Run& variant = runs.add_beside();
  begin(runs, variant);
  variant.first = first_settings(variant.recipe->config, variant.recipe->training);
  variant.first_of_open = variant.first;
  variant.first_of_open.dropout += 0.1;  // they differ in their dropout
  REQUIRE(reaches(variant, 3));
  Curves of_open;
  RunMark mark;
  mark.step = 1;
  mark.change = {variant.first_of_open, variant.first_of_open};
  mark.change->after.rate_scale = 0.5;
  mark.change->after.dropout = 0.4;
  of_open.marks = {mark};
  variant.follow_changes(of_open);
  REQUIRE(soon([&] { return variant.take(), variant.state().live.rate_scale == 0.5; }));
  CHECK(variant.state().live.dropout == doctest::Approx(variant.first.dropout));
}
