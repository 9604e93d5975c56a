#include "engine/train/history.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "engine/files/atomic_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "random_models.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"
#include "tests/training_helpers.h"

using namespace glassformer;

namespace {

std::vector<long> steps_of(const History& history) {
  std::vector<long> steps;
  for (const auto& kept : history.kept()) steps.push_back(kept->step());
  return steps;
}

// As a run would: every step is offered.
void offer_steps(History& history, const Transformer<float>& weights, long first, long last) {
  for (long step = first; step <= last; ++step)
    if (history.wants(step)) history.add(weights, step);
}

}  // namespace

TEST_CASE("what is kept comes back to 16 bits of the largest of its row, with every option of the model") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    Transformer<float> model = random_model<float>(each.config, 5);
    model.target_embedding.row(1).setZero();
    const auto kept = KeptWeights::of(model, 7);
    REQUIRE(kept);
    CHECK(kept->bytes() < 3 * model.parameter_count());
    const auto snapshot = kept->snapshot();
    CHECK(snapshot->step == 7);
    std::vector<Parameter<const float>> before, after;
    const auto collect = [](std::vector<Parameter<const float>>& tensors) {
      return
          [&tensors](const std::string&, const Parameter<const float>& tensor) { tensors.push_back(tensor); };
    };
    std::as_const(model).visit(collect(before));
    snapshot->weights->visit(collect(after));
    REQUIRE(before.size() == after.size());
    double worst = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      using Map = Eigen::Map<const Matrix<float>>;
      const Map a(before[i].data, before[i].rows, before[i].columns);
      const Map b(after[i].data, after[i].rows, after[i].columns);
      for (int row = 0; row < before[i].rows; ++row) {
        const double largest = a.row(row).cwiseAbs().maxCoeff();
        const double off = (a.row(row) - b.row(row)).cwiseAbs().maxCoeff();
        worst = std::max(worst, largest > 0 ? off / largest : off);
      }
    }
    CHECK(worst > 0);
    CHECK(worst < 0.51 / 32767);
  }
}

TEST_CASE("on several threads the same bits are kept, of matrices that are cut into pieces too") {
  WorkerPool pool(3);
  Config config = varied_configs().front().config;
  config.source_vocab = config.target_vocab = 6000;
  const Transformer<float> model = random_model<float>(config, 6);
  const ScratchFolder scratch;
  KeptWeights::of(model, 3)->write(scratch.path("one"));
  KeptWeights::of(model, 3, &pool)->write(scratch.path("three"));
  CHECK(read_file(scratch.path("one")) == read_file(scratch.path("three")));
}

TEST_CASE("more room lets steps closer together be kept again, and too little for one step keeps none") {
  const Transformer<float> model = random_model<float>(varied_configs().front().config, 6);
  const std::size_t one = KeptWeights::of(model, 0)->bytes();
  History history(4 * one);
  offer_steps(history, model, 0, 60);
  REQUIRE_FALSE(history.wants(61));
  history.set_budget(40 * one);
  CHECK(history.wants(61));

  History tight(one - 1);
  CHECK(tight.wants(0));
  tight.add(model, 0);
  CHECK(tight.kept().empty());
  CHECK_FALSE(tight.wants(1));
}

TEST_CASE("a model with numbers that are not finite is not kept") {
  Transformer<float> model = random_model<float>(varied_configs().front().config, 5);
  History history(1 << 20);
  history.add(model, 0);
  for (const float odd : {-std::numeric_limits<float>::infinity(), std::nanf("")}) {
    model.target_embedding(3, 2) = odd;
    CHECK(KeptWeights::of(model, 1) == nullptr);
    history.add(model, 1);
    CHECK(steps_of(history) == std::vector<long>{0});
  }
}

TEST_CASE("keeping moves no attention weight of the bundled model by more than 1e-3") {
  const Checkpoint checkpoint = load_checkpoint(source_folder() + "/models/english-french");
  const auto kept = KeptWeights::of(*checkpoint.snapshot.weights, 1)->snapshot();
  const Config& config = checkpoint.snapshot.config;
  Random random(8);
  Batch batch;
  for (const auto& ids : random_sentences({5, 20, 12}, config.source_vocab, random)) batch.source.add(ids);
  for (const auto& ids : random_sentences({9, 14, 3}, config.target_vocab, random)) {
    batch.target_in.add(ids);
    batch.target_out.add(ids);
  }
  Saved<float> exact, rounded;
  checkpoint.snapshot.weights->forward(batch, exact);
  kept->weights->forward(batch, rounded);
  float worst = 0;
  const auto compare = [&](const AttentionSaved<float>& a, const AttentionSaved<float>& b) {
    worst = std::max(worst, (a.weights - b.weights).cwiseAbs().maxCoeff());
  };
  for (std::size_t i = 0; i < exact.encoder_layers.size(); ++i)
    compare(exact.encoder_layers[i].self_attention, rounded.encoder_layers[i].self_attention);
  for (std::size_t i = 0; i < exact.decoder_layers.size(); ++i) {
    compare(exact.decoder_layers[i].self_attention, rounded.decoder_layers[i].self_attention);
    compare(exact.decoder_layers[i].cross_attention, rounded.decoder_layers[i].cross_attention);
  }
  CHECK(worst > 0);
  CHECK(worst < 1e-3);
}

TEST_CASE("a history is dense early, sparse later, and never exceeds its budget") {
  const Transformer<float> model = random_model<float>(varied_configs().front().config, 1);
  const std::size_t one = KeptWeights::of(model, 0)->bytes();
  History history(40 * one + one / 2);
  offer_steps(history, model, 0, 30);
  CHECK(steps_of(history).size() == 31);  // every step while there is room

  offer_steps(history, model, 31, 20000);
  CHECK(history.bytes() == one * history.kept().size());
  CHECK(history.kept().size() <= 40);
  CHECK(history.kept().size() >= 20);
  const std::vector<long> steps = steps_of(history);
  CHECK(steps.front() == 0);
  CHECK(steps.back() > 19000);
  double widest = 0;
  for (std::size_t i = 1; i < steps.size(); ++i)
    widest = std::max(widest, std::sqrt(steps[i]) - std::sqrt(steps[i - 1]));
  CHECK(widest < 3 * std::sqrt(20000.0) / static_cast<double>(steps.size()));
  CHECK(nearest(history.kept(), 0)->step() == 0);
  CHECK(nearest(history.kept(), 1000000)->step() == steps.back());
}

TEST_CASE("keeping becomes rare as a run grows long") {
  const Transformer<float> model = random_model<float>(varied_configs().front().config, 1);
  History history(20 * KeptWeights::of(model, 0)->bytes());
  int added = 0;
  for (long step = 0; step <= 100000; ++step) {
    if (!history.wants(step)) continue;
    history.add(model, step);
    ++added;
  }
  CHECK(added < 400);
}

TEST_CASE("the first, the best and the newest step stay, and the budget wins over all of them") {
  const Transformer<float> model = random_model<float>(varied_configs().front().config, 1);
  const std::size_t one = KeptWeights::of(model, 0)->bytes();
  History history(4 * one);
  for (const long step : {0, 10, 20, 25, 30}) {
    history.add(model, step);
    if (step == 20) history.keep_best(20);
  }
  CHECK(steps_of(history) == std::vector<long>{0, 10, 20, 30});
  history.add(model, 31);
  CHECK(steps_of(history) == std::vector<long>{0, 10, 20, 31});
  history.keep_best(12);  // not there: 20 stays the best
  history.add(model, 32);
  CHECK(steps_of(history) == std::vector<long>{0, 10, 20, 32});

  History narrow(2 * one);
  for (const long step : {0, 1, 2, 3}) {
    narrow.add(model, step);
    if (step == 2) narrow.keep_best(2);
  }
  CHECK(steps_of(narrow) == std::vector<long>{0, 3});
  History nothing(one - 1);
  nothing.add(model, 0);
  CHECK(nothing.kept().empty());
  CHECK(nearest(nothing.kept(), 5) == nullptr);
}

TEST_CASE("steps come in order") {
  const Transformer<float> model = random_model<float>(varied_configs().front().config, 1);
  History history(1 << 20);
  history.add(model, 5);
  CHECK_THROWS_AS(history.add(model, 4), Error);
  history.add(model, 5);  // is kept already
  CHECK(steps_of(history) == std::vector<long>{5});
  CHECK(history.bytes() == KeptWeights::of(model, 5)->bytes());
}

TEST_CASE("no more steps are kept than the slider has places, whatever the budget") {
  const Transformer<float> model = random_model<float>(varied_configs().front().config, 1);
  History history(std::size_t{1} << 40);
  offer_steps(history, model, 0, 3000);
  CHECK(history.kept().size() == 300);
  CHECK(steps_of(history).front() == 0);
}

TEST_CASE("without a budget nothing is kept, and what an earlier session kept stays") {
  const Transformer<float> model = random_model<float>(varied_configs().front().config, 1);
  const auto early = KeptWeights::of(model, 3);
  History history(0, {early});
  CHECK_FALSE(history.wants(4));
  history.add(model, 4);
  CHECK(steps_of(history) == std::vector<long>{3});
  CHECK(history.bytes() == early->bytes());
  history.set_budget(10 * early->bytes());
  CHECK(history.wants(4));
  history.add(model, 4);
  CHECK(steps_of(history) == std::vector<long>{3, 4});
}

TEST_CASE("kept weights come back from a file to the bit, and a broken file is told of") {
  const ScratchFolder scratch;
  const NamedConfig shared = varied_configs()[1];
  const Transformer<float> model = random_model<float>(shared.config, 5);
  const auto kept = KeptWeights::of(model, 7);
  const std::string path = scratch.path("7.safetensors");
  kept->write(path);
  const KeptWeights read(shared.config, 7, path);
  CHECK(read.step() == 7);
  CHECK(testing::same_weights(*read.snapshot(), *kept->snapshot()));
  const std::string again = scratch.path("again.safetensors");
  read.write(again);
  CHECK(read_file(again) == read_file(path));

  const KeptWeights other(varied_configs()[0].config, 7, path);
  CHECK_THROWS_AS(other.snapshot(), Error);  // another model's
  const std::string bytes = read_file(path);
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{40}, bytes.size() - 1}) {
    write_atomically(path, bytes.substr(0, size));
    CHECK_THROWS_AS(read.snapshot(), Error);
  }
  std::filesystem::remove(path);
  CHECK_THROWS_AS(read.snapshot(), Error);
  CHECK_THROWS_AS(KeptWeights(shared.config, 7, path), Error);
}
