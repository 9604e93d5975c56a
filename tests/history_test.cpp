#include "engine/train/history.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "random_models.h"
#include "tests/source_folder.h"

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
    const KeptWeights kept(model, 7);
    CHECK_FALSE(kept.whole());
    CHECK(kept.bytes() < 3 * model.parameter_count());
    const auto snapshot = kept.snapshot();
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

TEST_CASE("a model with numbers that are not finite is kept whole") {
  Transformer<float> model = random_model<float>(varied_configs().front().config, 5);
  for (const float odd : {-std::numeric_limits<float>::infinity(), std::nanf("")}) {
    model.target_embedding(3, 2) = odd;
    const KeptWeights kept(model, 1);
    CHECK(kept.whole());
    CHECK(kept.bytes() == 4 * model.parameter_count());
    const float back = kept.snapshot()->weights->target_embedding(3, 2);
    CHECK((std::isnan(odd) ? std::isnan(back) : back == odd));
  }
}

TEST_CASE("keeping moves no attention weight of the bundled model by more than 1e-3") {
  const Checkpoint checkpoint = load_checkpoint(source_folder() + "/models/english-french");
  const auto kept = KeptWeights(*checkpoint.snapshot.weights, 1).snapshot();
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
  const std::size_t one = KeptWeights(model, 0).bytes();
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
  CHECK(history.nearest(0)->step() == 0);
  CHECK(history.nearest(1000000)->step() == steps.back());
}

TEST_CASE("keeping becomes rare as a run grows long") {
  const Transformer<float> model = random_model<float>(varied_configs().front().config, 1);
  History history(20 * KeptWeights(model, 0).bytes());
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
  const std::size_t one = KeptWeights(model, 0).bytes();
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
  CHECK(nothing.nearest(5) == nullptr);
}

TEST_CASE("steps come in order") {
  const Transformer<float> model = random_model<float>(varied_configs().front().config, 1);
  History history(1 << 20);
  history.add(model, 5);
  CHECK_THROWS_AS(history.add(model, 5), Error);
  CHECK_THROWS_AS(history.add(model, 4), Error);
  CHECK(steps_of(history) == std::vector<long>{5});
}
