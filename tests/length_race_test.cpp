#include "engine/train/length_race.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/recurrent/recurrent_decoder.h"
#include "engine/text/toy_tasks.h"
#include "tests/refusal.h"

using namespace glassformer;
using glassformer::testing::refusal;

namespace {

LengthRaceOptions small_race(const std::string& task, int threads = 2) {
  return {
      .task = task, .longest = 5, .symbols = 4, .pairs = 600, .width = 16, .steps = 200, .threads = threads};
}

// Right by the task itself, a sentence at a time and without the engine's own count.
template <class Model>
std::vector<long> right_by_length(const LengthRace& race, const Model& model, int longest) {
  std::vector<long> right(static_cast<std::size_t>(longest), 0);
  const TrainingSet& data = race.data();
  for (std::size_t i = 0; i < data.validation.size(); ++i) {
    std::vector<int> source = data.validation[i].source;
    const std::size_t letters = source.size();
    source.push_back(model.config.eos_id);
    std::vector<int> written = decode(model, {source}, {}).front().ids;
    if (written.empty() || written.back() != model.config.eos_id) continue;
    written.pop_back();
    std::string text;
    for (const int id : written) text += (text.empty() ? "" : " ") + data.tokenizers.target->piece(id);
    const ToyTask task = toy_task(race.options().task);
    if (text == toy_answer(task, data.validation_text[i].source)) ++right[letters - 1];
  }
  return right;
}

}  // namespace

TEST_CASE("three models learn the same task, and what each writes right is counted by length") {
  LengthRace race(small_race("reverse"));
  CHECK_FALSE(race.state(Racer::attention).step);
  CHECK(race.state(Racer::attention).scores.empty());
  while (race.step()) {
  }
  REQUIRE(race.score());
  for (int i = 0; i < kRacers; ++i) {
    const RacerState& state = race.state(static_cast<Racer>(i));
    CAPTURE(i);
    CHECK(state.step == 200);
    CHECK(state.scored_at == 200);
    REQUIRE(state.losses.size() == 200);
    CHECK(state.loss == state.losses.back());
    CHECK(state.losses.back() < 0.7 * state.losses.front());
    CHECK(state.tokens_per_s > 0);
    REQUIRE(state.scores.size() == 5);
    const std::vector<long> right = i == 2   ? right_by_length(race, *race.transformer()->weights, 5)
                                    : i == 1 ? right_by_length(race, *race.recurrent(Racer::attention), 5)
                                             : right_by_length(race, *race.recurrent(Racer::one_vector), 5);
    long pairs = 0, all = 0;
    for (std::size_t n = 0; n < state.scores.size(); ++n) {
      CHECK(state.scores[n].right == right[n]);
      pairs += state.scores[n].pairs;
      all += right[n];
    }
    CHECK(pairs == race.held_out());
    if (i > 0) CHECK(all > 0);
  }
  // A step of one layer a word of both sides, eos and bos counted; a layer of the Transformer at once.
  CHECK(race.steps_in_a_row(Racer::one_vector) == 12);
  CHECK(race.steps_in_a_row(Racer::attention) == 12);
  CHECK(race.steps_in_a_row(Racer::transformer) == 2);
}

TEST_CASE("in recall the distance counts: each score is of the sentences with so many in between") {
  LengthRace race({.task = "recall", .longest = 3, .pairs = 700, .width = 16, .steps = 150, .threads = 2});
  while (race.step()) {
  }
  REQUIRE(race.score());
  std::vector<long> pairs(4, 0), right(4, 0);
  const auto model = race.recurrent(Racer::attention);
  for (std::size_t i = 0; i < race.data().validation.size(); ++i) {
    const std::string& text = race.data().validation_text[i].source;
    const auto distance = static_cast<std::size_t>(std::ranges::count(text, '.') - 1);
    ++pairs.at(distance);
    std::vector<int> source = race.data().validation[i].source;
    source.push_back(model->config.eos_id);
    const std::vector<int> written = decode(*model, {source}, {}).front().ids;
    const std::string answer = toy_answer(ToyTask::recall, text);
    if (written.size() == 2 && race.data().tokenizers.target->piece(written[0]) == answer &&
        written[1] == model->config.eos_id)
      ++right[distance];
  }
  for (const Racer racer : {Racer::one_vector, Racer::attention, Racer::transformer}) {
    const std::vector<LengthScore>& scores = race.state(racer).scores;
    REQUIRE(scores.size() == 4);
    for (std::size_t distance = 0; distance < 4; ++distance) {
      CHECK(scores[distance].words == static_cast<int>(distance));
      CHECK(scores[distance].pairs == pairs[distance]);
      if (racer == Racer::attention) CHECK(scores[distance].right == right[distance]);
    }
  }
  CHECK(std::ranges::max(right) > 0);
  // 16 words and eos are read one after another, bos and the answer written.
  CHECK(race.steps_in_a_row(Racer::attention) == 17 + 2);
}

TEST_CASE("a race is the same on any number of threads, and another with another seed") {
  const auto run = [](const LengthRaceOptions& options) {
    LengthRace race(options);
    for (int i = 0; i < 20; ++i) REQUIRE(race.step());
    std::vector<double> losses;
    for (int i = 0; i < kRacers; ++i) {
      const std::vector<double>& own = race.state(static_cast<Racer>(i)).losses;
      losses.insert(losses.end(), own.begin(), own.end());
    }
    return losses;
  };
  const std::vector<double> one = run(small_race("copy", 1));
  CHECK(one == run(small_race("copy", 3)));
  LengthRaceOptions other = small_race("copy", 1);
  other.seed = 2;
  CHECK(one != run(other));
}

TEST_CASE("scores of a race that are given up leave those of before") {
  LengthRace race(small_race("copy"));
  REQUIRE(race.step());
  int asked = 0;
  CHECK_FALSE(race.score([&] { return ++asked < 3; }));
  CHECK(race.state(Racer::one_vector).scores.empty());
  CHECK(race.state(Racer::one_vector).scored_at == -1);
}

TEST_CASE("a race that cannot be is refused in a sentence") {
  const auto refused = [](LengthRaceOptions options) { return refusal([&] { LengthRace race(options); }); };
  CHECK(refused({.task = "sort"}) == "length race: task must be copy, reverse or recall, found “sort”");
  CHECK(refused({.longest = 61}) == "length race: longest must be 1 to 60, found 61");
  CHECK(refused({.symbols = 1}) == "length race: symbols must be 2 to 26, found 1");
  CHECK(refused({.width = 30}) == "length race: width must be a multiple of 4, found 30");
  CHECK(refused({.steps = 0}) == "length race: steps must be 1 to 1000000, found 0");
  CHECK_FALSE(refused({.longest = 1, .symbols = 2}).empty());  // not so many different sentences
}
