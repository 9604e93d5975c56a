#include <doctest/doctest.h>

#include <cmath>

#include "engine/layers/adam.h"
#include "engine/math/error.h"
#include "engine/math/softmax.h"
#include "engine/math/worker_pool.h"
#include "engine/recurrent/recurrent_decoder.h"
#include "tests/recurrent_helpers.h"

using namespace glassformer;

namespace {

// As the model reads them.
std::vector<std::vector<int>> as_read(std::vector<std::vector<int>> sources, const RecurrentConfig& config) {
  for (std::vector<int>& source : sources) source.push_back(config.eos_id);
  return sources;
}

int best_word(const Matrix<double>& logits, Eigen::Index row) {
  return arg_max(logits.row(row).data(), static_cast<int>(logits.cols()));
}

// Adam, from all zero moments.
class SmallTraining {
 public:
  explicit SmallTraining(RecurrentModel<float>& model)
      : model_(model), gradient_(model.config), first_(model.config), second_(model.config) {}

  double step(const Batch& batch, double rate) {
    model_.forward(batch, saved_);
    const Loss loss = model_.loss(saved_, {0, true});
    model_.backward(saved_, gradient_);
    std::vector<float*> gradients, firsts, seconds;
    gradient_.visit([&](const std::string&, Parameter<float> tensor) { gradients.push_back(tensor.data); });
    first_.visit([&](const std::string&, Parameter<float> tensor) { firsts.push_back(tensor.data); });
    second_.visit([&](const std::string&, Parameter<float> tensor) { seconds.push_back(tensor.data); });
    AdamStep adam;
    adam.step = ++steps_;
    adam.rate = rate;
    std::size_t i = 0;
    model_.visit([&](const std::string&, Parameter<float> tensor) {
      adam_update(tensor.data, gradients[i], firsts[i], seconds[i], tensor.size(), adam);
      ++i;
    });
    return loss.loss;
  }

 private:
  RecurrentModel<float>& model_;
  RecurrentModel<float> gradient_, first_, second_;
  RecurrentSaved<float> saved_;
  long steps_ = 0;
};

// So many words, to be written the other way round.
Sentences reversals(int count, int length, const RecurrentConfig& config, Random& random) {
  Sentences pairs;
  for (int i = 0; i < count; ++i) {
    pairs.sources.push_back(random_words(length, config.source_vocab, random));
    pairs.targets.emplace_back(pairs.sources.back().rbegin(), pairs.sources.back().rend());
  }
  return pairs;
}

}  // namespace

TEST_CASE("recurrent decoder: its steps give the logits of the forward pass, rows dropped and doubled") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentConfig& config = each.config;
    const RecurrentModel<double> model = random_recurrent_model<double>(config, 11);
    Random random(12);
    Sentences pairs;
    for (int i = 0; i < 20; ++i) {  // more than a chunk
      pairs.sources.push_back(random_words(1 + random.below(7), config.source_vocab, random));
      pairs.targets.push_back(random_words(5, config.target_vocab, random));
    }
    RecurrentSaved<double> saved;
    model.forward(batch_of(config, pairs), saved);
    const auto sources = as_read(pairs.sources, config);
    RecurrentDecoder<double> decoder(model, {sources, 0, config.max_length, nullptr});
    std::vector<int> sentences;
    for (int i = 0; i < 20; ++i) sentences.push_back(i);
    for (int step = 0; step < 6; ++step) {
      std::vector<int> ids;
      for (const int i : sentences)
        ids.push_back(saved.words.target_in.id(saved.words.target_in.begin(i) + step));
      const Matrix<double>& logits = decoder.step(ids);
      for (std::size_t row = 0; row < sentences.size(); ++row) {
        const auto index = static_cast<Eigen::Index>(row);
        const int token = saved.words.target_in.begin(sentences[row]) + step;
        CHECK((logits.row(index) - saved.logits.row(token)).cwiseAbs().maxCoeff() < 1e-12);
        if (!config.attends()) continue;
        const SentenceRows& rows = saved.attention.sentences[static_cast<std::size_t>(sentences[row])];
        const auto weights = decoder.weights(static_cast<int>(row));
        REQUIRE(std::ssize(weights) == rows.keys);
        for (int key = 0; key < rows.keys; ++key)
          CHECK(std::abs(weights[static_cast<std::size_t>(key)] -
                         saved.attention.weights_of(rows)(step, key)) < 1e-12);
      }
      const std::vector<int> from = step % 2 == 0 ? std::vector<int>{3, 1, 1, 7, 4, 5, 2, 0, 6, 8}
                                                  : std::vector<int>{9, 8, 7, 7, 6, 5, 3, 2, 1, 0};
      std::vector<int> next;
      for (const int row : from) next.push_back(sentences[static_cast<std::size_t>(row)]);
      decoder.select(from);
      sentences = next;
    }
  }
}

TEST_CASE("recurrent greedy search: every word is the forward pass's best after the words before") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentConfig& config = each.config;
    const RecurrentModel<double> model = random_recurrent_model<double>(config, 13);
    const Sentences pairs = random_pairs(config, 9, 14);
    DecodeOptions options;
    const auto results = decode(model, as_read(pairs.sources, config), options);
    REQUIRE(results.size() == 9);
    int words = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::vector<int>& ids = results[i].ids;
      REQUIRE(!ids.empty());
      const bool ended = ids.back() == config.eos_id;
      CHECK((ended || std::ssize(ids) == config.max_length - 1));
      std::vector<int> written(ids.begin(), ids.end() - 1);  // the last word is predicted only
      RecurrentSaved<double> saved;
      model.forward(batch_of(config, {{pairs.sources[i]}, {written}}), saved);
      double score = 0;
      for (std::size_t step = 0; step < ids.size(); ++step) {
        const auto row = static_cast<Eigen::Index>(step);
        CHECK(best_word(saved.logits, row) == ids[step]);
        const double log_p =
            saved.logits(row, ids[step]) - std::log(saved.logits.row(row).array().exp().sum());
        CHECK(results[i].log_probabilities[step] == doctest::Approx(log_p));
        CHECK(results[i].steps[step].top.front().id == ids[step]);
        score += log_p;
        ++words;
      }
      CHECK(results[i].score == doctest::Approx(score));
    }
    CHECK(words > 20);
  }
}

TEST_CASE("recurrent greedy search: options count, and what cannot be is refused") {
  const RecurrentConfig config = small_recurrent_config(RecurrentAttention::additive);
  const RecurrentModel<float> model = random_recurrent_model<float>(config, 15);
  const std::vector<std::vector<int>> sources = {{4, 5, 3}, {6, 3}};
  DecodeOptions options;
  options.forced = {7, 8};
  options.max_length = 4;
  options.alternatives = 3;
  for (const DecodeResult& result : decode(model, sources, options)) {
    REQUIRE(result.ids.size() >= 2);
    CHECK(result.ids.size() <= 3);
    CHECK(result.ids[0] == 7);
    CHECK(result.ids[1] == 8);
    CHECK(result.steps[0].top.size() == 3);
  }
  int asked = 0;
  CHECK(decode(model, sources, options, [&] { return ++asked < 2; })[0].ids.size() == 1);
  options.forced = {10};
  CHECK_THROWS_AS(decode(model, sources, options), Error);
  options = {.search = Search::beam, .beam = 0};
  CHECK_THROWS_AS(decode(model, sources, options), Error);
  CHECK_THROWS_AS(decode(model, {{4, 99}}, {}), Error);
  CHECK_THROWS_AS(decode(model, {std::vector<int>(13, 4)}, {}), Error);
  RecurrentDecoder<float> decoder(model, {sources, 0, 2, nullptr});
  decoder.step(std::vector<int>{2, 2});
  CHECK_THROWS_AS(decoder.step(std::vector<int>{2}), Error);
  decoder.step(std::vector<int>{4, 4});
  CHECK_THROWS_AS(decoder.step(std::vector<int>{4, 4}), Error);
}

TEST_CASE("recurrent model: each kind learns to write four words backwards") {
  for (const auto attention :
       {RecurrentAttention::none, RecurrentAttention::additive, RecurrentAttention::dot}) {
    CAPTURE(static_cast<int>(attention));
    RecurrentConfig config = small_recurrent_config(attention);
    config.width = 32;
    config.layers = 1;
    config.source_vocab = config.target_vocab = 10;
    RecurrentModel<float> model(config);
    model.initialize(1);
    SmallTraining training(model);
    Random random(2);
    double first = 0, last = 0;
    for (int step = 1; step <= 600; ++step) {
      last = training.step(batch_of(config, reversals(32, 4, config, random)), 0.005);
      if (step == 1) first = last;
    }
    CHECK(first > 1.5);
    CHECK(last < 0.2);

    const Sentences fresh = reversals(50, 4, config, random);
    const auto results = decode(model, as_read(fresh.sources, config), {});
    int right = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::vector<int> wanted = fresh.targets[i];
      wanted.push_back(config.eos_id);
      right += results[i].ids == wanted ? 1 : 0;
    }
    CHECK(right >= 45);
  }
}
