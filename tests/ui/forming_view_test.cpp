// Heads at several steps of a training, side by side.
#include "app/views/forming/forming.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/reading/attention_table.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/view_cases.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

namespace {

std::vector<long> steps_of(const History::Kept& kept) {
  std::vector<long> steps;
  for (const auto& each : kept) steps.push_back(each->step());
  return steps;
}

bool settled(ViewStage& stage, const std::string& label) {
  for (int i = 0; i < 2000 && !stage.has(label); ++i) stage.frames(1);
  return stage.has(label);
}

}  // namespace

TEST_CASE("the steps shown are quarters of quarters, and the one looked at is among them") {
  const SampleScene scene = kept_scene();
  ViewInput input = scene.input();
  CHECK(steps_of(forming_steps(input, 5)) == std::vector<long>{0, 5, 25, 100});  // 100 / 64 is nearest to 0
  input.looked_back = 40;
  const std::vector<long> shown = steps_of(forming_steps(input, 5));
  CHECK(std::ranges::find(shown, 40) != shown.end());
  CHECK(shown.front() == 0);
  CHECK(std::ranges::is_sorted(shown));
  SampleScene none = make_sample_scene();
  CHECK(forming_steps(none.input(), 5).empty());
}

TEST_CASE("the last table is the open model's own, the others are those of their steps") {
  const SampleScene scene = kept_scene();
  const FormingView view;
  const std::vector<NumberTable> tables = view.numbers(scene.input());
  REQUIRE(tables.size() == 4);
  const Selection& pinned = scene.pinned;
  const AttentionTable own =
      attention_table(*scene.result->trace, pinned.kind, pinned.layer, std::max(pinned.head, 0), 0);
  double first_off = 0, last_off = 0;
  for (int row = 0; row < own.rows; ++row) {
    double sum = 0;
    for (int key = 0; key < own.columns; ++key) {
      const auto r = static_cast<size_t>(row), k = static_cast<size_t>(key);
      const auto weight = static_cast<double>(own.at(row, key));
      first_off = std::max(first_off, std::abs(tables.front().values[r][k] - weight));
      last_off = std::max(last_off, std::abs(tables.back().values[r][k] - weight));
      sum += tables[1].values[r][k];
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-4));
  }
  CHECK(last_off < 2e-3);  // kept at 16 bits a number
  CHECK(first_off > 0.05);
}

TEST_CASE("a step's heading takes every view there; looking back changes no words") {
  SampleScene scene = kept_scene();
  ViewStage stage("forming", scene);
  REQUIRE(settled(stage, "Look at step 25"));
  stage.take_commands();
  REQUIRE(stage.click("Look at step 25"));
  CHECK(asked<ShowStep>(stage.take_commands())->step == 25);

  // The sentence was translated by the newest weights; an early step would write another one.
  ViewInput input = scene.input();
  const FormingKey now = forming_key(input, 5, nullptr);
  const FormingTraces traces = trace_steps(now, nullptr);
  input.looked_back = 5;
  CHECK(forming_key(input, 5, &traces).target == now.target);
  const FormingKey unknown = forming_key(input, 5, nullptr);
  if (scene.result->target_origin == TargetOrigin::model_output) CHECK(unknown.own_words);
}

TEST_CASE("what was read of a step is not read again") {
  const SampleScene scene = kept_scene();
  ViewInput input = scene.input();
  const FormingTraces before = trace_steps(forming_key(input, 5, nullptr), nullptr);
  input.looked_back = 40;
  const FormingTraces after = trace_steps(forming_key(input, 5, &before), &before);
  REQUIRE(after.at.contains(0));
  CHECK(after.at.at(0) == before.at.at(0));
  CHECK(after.at.contains(40));
}

TEST_CASE("another run's heads are read anew, though its steps have the same numbers") {
  const SampleScene one = kept_scene(), other = kept_scene();
  const FormingTraces before = trace_steps(forming_key(one.input(), 5, nullptr), nullptr);
  const FormingTraces after = trace_steps(forming_key(other.input(), 5, &before), &before);
  REQUIRE(after.at.size() == before.at.size());
  for (const auto& [step, trace] : after.at) CHECK(trace != before.at.at(step));
  ViewInput looking_back = other.input();
  looking_back.looked_back = 5;
  if (other.result->target_origin == TargetOrigin::model_output)
    CHECK(forming_key(looking_back, 5, &before).own_words);
}
