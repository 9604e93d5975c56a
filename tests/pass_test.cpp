#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "engine/model/optimizer.h"
#include "engine/model/trace.h"
#include "engine/model/training_pass.h"
#include "random_models.h"

using namespace glassformer;

namespace {

// Looks at everything and changes nothing.
template <class Scalar>
class Onlooker : public Tap<Scalar> {
 public:
  void operator()(const TapPoint&, MatrixRef<Scalar> value) override {
    seen += static_cast<double>(value.size());
  }
  double seen = 0;
};

// Some steps of training; the weights they lead to.
Transformer<float> train(const Config& config, int threads, int steps) {
  WorkerPool pool(threads);
  Transformer<float> model(config), gradient(config), m(config), v(config);
  model.initialize(1);
  Saved<float> saved;
  saved.pool = &pool;
  saved.dropout = 0.2;
  Random random(5);
  for (int step = 1; step <= steps; ++step) {
    std::vector<int> source_lengths, target_lengths;
    for (int i = 0; i < 100 * step; ++i) {  // in the end too many for one pass
      source_lengths.push_back(1 + random.below(config.max_length - 2));
      target_lengths.push_back(random.below(config.max_length - 1));
    }
    const Batch batch = make_batch(random_sentences(source_lengths, config.source_vocab, random),
                                   random_sentences(target_lengths, config.target_vocab, random), config);
    saved.step = step;
    training_pass(model, batch, 0.1, saved, gradient);
    AdamStep adam;
    adam.step = step;
    adam.gradient_scale = clip_scale(gradient_norm(gradient, &pool), 0.5);
    adam_step(model, gradient, m, v, adam, &pool);
  }
  return model;
}

bool same_bits(const Transformer<float>& a, const Transformer<float>& b) {
  std::vector<const float*> wanted;
  a.visit([&](const std::string&, Parameter<const float> tensor) { wanted.push_back(tensor.data); });
  bool same = true;
  std::size_t index = 0;
  b.visit([&](const std::string&, Parameter<const float> tensor) {
    same = same && std::memcmp(wanted[index++], tensor.data, tensor.size() * sizeof(float)) == 0;
  });
  return same;
}

}  // namespace

TEST_CASE("a training pass is forward, loss and backward, to the bit") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 8);
    const Batch batch = random_batch(each.config, 9);
    WorkerPool pool(2);
    Saved<float> at_once, in_turn;
    at_once.pool = in_turn.pool = &pool;
    at_once.dropout = in_turn.dropout = 0.2;
    Transformer<float> gradient(each.config), wanted(each.config);
    const Loss loss = training_pass(model, batch, 0.1, at_once, gradient);
    model.forward(batch, in_turn);
    CHECK(loss.loss == model.loss(batch, in_turn, {.smoothing = 0.1, .gradient = true}).loss);
    model.backward(batch, in_turn, wanted);
    CHECK(same_bits(gradient, wanted));
  }
}

TEST_CASE("packing sentences together does not change what any of them gives") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 8);
    const Batch batch = random_batch(each.config, 9);
    Saved<double> together, alone;
    model.forward(batch, together);
    for (int i = 0; i < batch.sentences(); ++i) {
      Batch one;
      one.source.add(batch.source.sentence(i));
      one.target_in.add(batch.target_in.sentence(i));
      one.target_out.add(batch.target_out.sentence(i));
      model.forward(one, alone);
      const auto rows = together.logits.middleRows(batch.target_in.begin(i), batch.target_in.length(i));
      CHECK((rows - alone.logits.topRows(rows.rows())).cwiseAbs().maxCoeff() < 1e-12);
    }
  }
}

TEST_CASE("pad tokens as rows change neither the real rows nor the gradients") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Config& config = each.config;
    const Transformer<double> model = random_model<double>(config, 8);
    const Batch packed = random_batch(config, 9);
    Batch padded;
    const auto add = [&](const PackedIds& from, PackedIds& to) {
      for (int i = 0; i < from.sentences(); ++i) {
        std::vector<int> row(from.sentence(i).begin(), from.sentence(i).end());
        row.resize(static_cast<std::size_t>(from.longest()), config.pad_id);
        to.add(row);
      }
    };
    add(packed.source, padded.source);
    add(packed.target_in, padded.target_in);
    add(packed.target_out, padded.target_out);
    CHECK(without_trailing_padding(padded, config.pad_id).target_in.tokens() == packed.target_in.tokens());

    Transformer<double> a(config), b(config);
    Saved<double> saved;
    model.forward(packed, saved);
    const double loss = model.loss(packed, saved, {0.1, true}).loss;
    model.backward(packed, saved, a);
    model.forward(padded, saved);
    CHECK(model.loss(padded, saved, {0.1, true}).loss == doctest::Approx(loss).epsilon(1e-12));
    model.backward(padded, saved, b);
    double worst = 0;
    std::vector<const double*> wanted;
    a.visit([&](const std::string&, Parameter<double> tensor) { wanted.push_back(tensor.data); });
    std::size_t index = 0;
    b.visit([&](const std::string&, Parameter<double> tensor) {
      const double* values = wanted[index++];
      for (std::size_t i = 0; i < tensor.size(); ++i)
        worst = std::max(worst, std::abs(values[i] - tensor.data[i]));
    });
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("a later target token changes no earlier output") {
  const Config config = small_config();
  const Transformer<double> model = random_model<double>(config, 2);
  Batch batch;
  batch.source.add(std::vector<int>{5, 6, 7, 3});
  batch.target_in.add(std::vector<int>{2, 8, 9, 10});
  batch.target_out.add(std::vector<int>{8, 9, 10, 3});
  Batch changed = batch;
  changed.target_in.clear();
  changed.target_in.add(std::vector<int>{2, 8, 9, 4});
  Saved<double> before, after;
  model.forward(batch, before);
  model.forward(changed, after);
  CHECK(before.logits.topRows(3) == after.logits.topRows(3));
  CHECK((before.logits.row(3) - after.logits.row(3)).cwiseAbs().maxCoeff() > 1e-6);

  batch.rules.mask_causal = changed.rules.mask_causal = false;
  model.forward(batch, before);
  model.forward(changed, after);
  CHECK((before.logits.row(0) - after.logits.row(0)).cwiseAbs().maxCoeff() > 1e-6);
}

TEST_CASE("a source of nothing but pad tokens gives weights of 0 and no NaN") {
  const Config config = small_config();
  const Transformer<double> model = random_model<double>(config, 2);
  Batch batch;
  batch.source.add(std::vector<int>{0, 0, 0});
  batch.target_in.add(std::vector<int>{2, 8});
  batch.target_out.add(std::vector<int>{8, 3});
  Saved<double> saved;
  Transformer<double> gradient(config);
  model.forward(batch, saved);
  CHECK(saved.logits.allFinite());
  CHECK(saved.encoder_layers[0].self_attention.weights.cwiseAbs().maxCoeff() == 0);
  CHECK(saved.encoder_layers[0].self_attention.context.cwiseAbs().maxCoeff() == 0);
  CHECK(std::isfinite(model.loss(batch, saved, {0.1, true}).loss));
  model.backward(batch, saved, gradient);
  CHECK(std::isfinite(gradient_norm(gradient)));
}

TEST_CASE("an empty source is no error") {
  Config config = small_config();
  config.source_eos = false;
  const Transformer<double> model = random_model<double>(config, 2);
  const std::vector<std::vector<int>> none = {{}}, target = {{5, 6}};
  const Batch batch = make_batch(none, target, config);
  Saved<double> saved;
  Transformer<double> gradient(config);
  model.forward(batch, saved);
  CHECK(std::isfinite(model.loss(batch, saved, {0.1, true}).loss));
  model.backward(batch, saved, gradient);
  CHECK(std::isfinite(gradient_norm(gradient)));
}

TEST_CASE("looking in changes no bit, forward or backward") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 8);
    const Batch batch = random_batch(each.config, 9);
    Saved<float> plain, watched;
    Transformer<float> a(each.config), b(each.config);
    Onlooker<float> tap;
    model.forward(batch, plain);
    model.loss(batch, plain, {0.1, true});
    model.backward(batch, plain, a);
    model.forward(batch, watched, tap);
    model.loss(batch, watched, {0.1, true}, tap);
    model.backward(batch, watched, b, tap);
    CHECK(tap.seen > 0);
    CHECK(same_bits(a, b));
  }
}

TEST_CASE("training gives the same bits on one, two, three and eight threads") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> one = train(each.config, 1, 3);
    CHECK(same_bits(one, train(each.config, 2, 3)));
    CHECK(same_bits(one, train(each.config, 3, 3)));
    CHECK(same_bits(one, train(each.config, 8, 3)));
  }
}

TEST_CASE("a batch that does not fit the model is refused by name") {
  const Config config = small_config();
  const Transformer<float> model(config);
  Saved<float> saved;
  Batch batch;
  batch.source.add(std::vector<int>{5, 99});
  batch.target_in.add(std::vector<int>{2});
  batch.target_out.add(std::vector<int>{3});
  CHECK_THROWS_WITH_AS(model.forward(batch, saved), doctest::Contains("from 0 to 10, found 99"), Error);
  batch.source.clear();
  batch.source.add(std::vector<int>(13, 5));
  CHECK_THROWS_WITH_AS(model.forward(batch, saved), doctest::Contains("at most 12"), Error);
}

TEST_CASE("the same seed gives the same weights, and their spread is as specified") {
  Config config = small_config();
  config.d_model = 64;
  config.heads = 4;
  config.d_ff = 96;
  config.target_vocab = 300;
  Transformer<float> a(config), b(config), c(config);
  a.initialize(5);
  b.initialize(5);
  c.initialize(6);
  CHECK(same_bits(a, b));
  CHECK(!same_bits(a, c));
  const auto& query = a.encoder_layers[0].self_attention.input.weight;
  const float bound = std::sqrt(6.0f / 128);
  CHECK(query.cwiseAbs().maxCoeff() <= bound);
  CHECK(query.cwiseAbs().maxCoeff() > 0.99f * bound);
  CHECK(a.encoder_layers[0].feed_forward.linear1.weight.cwiseAbs().maxCoeff() <= std::sqrt(6.0f / 160));
  const double deviation = std::sqrt(a.target_embedding.cast<double>().squaredNorm() / (300.0 * 64));
  CHECK(deviation == doctest::Approx(0.125).epsilon(0.02));
  CHECK(a.decoder_layers[1].norm3.weight.minCoeff() == 1);
  CHECK(a.decoder_layers[1].norm3.bias.cwiseAbs().maxCoeff() == 0);
}
