// Changes of the learning that wait for a step of the run.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/files/atomic_file.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/train/live_settings.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

namespace glassformer {
namespace {

constexpr LearningWish kSlower{.rate_scale = 0.5, .dropout = {}, .smoothing = {}, .clip = {}};
constexpr LearningWish kNoDropout{.rate_scale = {}, .dropout = 0.0, .smoothing = {}, .clip = {}};

}  // namespace

TEST_CASE("a change that waits for a step is made there, as if somebody had made it then") {
  Trainer then(testing::copying_set(), testing::copying_config(), testing::small_options());
  testing::run(then, 12);
  then.change(with(then.live(), kSlower));
  testing::run(then, 8);

  Trainer waited(testing::copying_set(), testing::copying_config(), testing::small_options());
  waited.change_at(12, kSlower);
  CHECK(waited.live().rate_scale == 1);
  testing::run(waited, 20);
  testing::check_same_curves(then.curves(), waited.curves());
  REQUIRE(waited.curves().marks.size() == 1);
  CHECK(waited.curves().marks[0].step == 12);

  waited.change_at(3, kNoDropout);  // long past: now
  CHECK(waited.live().dropout == 0);
  CHECK(waited.curves().marks.back().step == 20);
  CHECK_THROWS_AS(waited.change_at(30, {.rate_scale = {}, .dropout = 1.5, .smoothing = {}, .clip = {}}),
                  Error);
}

TEST_CASE("a change that still waits is kept with the run and made when it goes on") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  Trainer whole(testing::copying_set(), testing::copying_config(), testing::small_options());
  whole.change_at(6, kNoDropout);
  whole.change_at(14, kSlower);
  testing::run(whole, 10);
  whole.save_copy(folder);
  testing::run(whole, 10);

  const auto again = Trainer::resume(folder, testing::copying_set(), 2, false);
  testing::run(*again, 10);
  testing::check_same_curves(whole.curves(), again->curves());
  CHECK(again->curves().marks.size() == 2);
  CHECK(again->live() == whole.live());
  CHECK(testing::same_weights(*whole.snapshot(), *again->snapshot()));
}

TEST_CASE("changes in a record that nobody could have asked for are refused") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  {
    Trainer trainer(testing::copying_set(), testing::copying_config(), testing::small_options());
    trainer.change_at(14, kSlower);
    testing::run(trainer, 3);
    trainer.save(folder);
  }
  const nlohmann::json record = read_json(folder + "/training.json");
  REQUIRE(record.at("later").size() == 1);
  for (const char* text :
       {R"([{"step": -3, "change": {"dropout": 0}}])", R"([{"step": 9}])", R"([7])", R"(3)",
        R"([{"step": 9, "change": {"dropout": "none"}}])", R"([{"step": 9, "change": {"dropout": 7}}])"}) {
    CAPTURE(text);
    nlohmann::json hostile = record;
    hostile["later"] = nlohmann::json::parse(text);
    write_atomically(folder + "/training.json", hostile.dump());
    CHECK_THROWS_AS(Trainer::resume(folder, testing::copying_set()), Error);
  }
}

}  // namespace glassformer
