// Values that are recorded: where they come from, what a cache uses, what is predicted.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/analysis/prediction.h"
#include "engine/decode/cache_use.h"
#include "engine/decode/decode.h"
#include "engine/math/error.h"
#include "engine/model/sentence_loss.h"
#include "engine/recurrent/recurrent_trace.h"
#include "engine/train/run_json.h"
#include "tests/random_models.h"
#include "tests/recurrent_helpers.h"
#include "tests/scratch_folder.h"

namespace glassformer::recorded_values_test {

double at(const Tensor& tensor, int sentence, int place, int column) {
  return static_cast<double>(tensor.at(std::vector<int>{sentence, place, column}));
}

TEST_CASE("recorded values of a recurrent model are those of each sentence read alone, by their names") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentModel<float> model = random_recurrent_model<float>(each.config, 3);
    const Batch batch = batch_of(each.config, random_pairs(each.config, 5, 8));
    RecurrentSaved<float> saved;
    model.forward(batch, saved);
    const auto values = recorded_values(model, batch, saved);
    CHECK(values.contains("attention.weights") == each.config.attends());
    CHECK(values.size() == (each.config.attends() ? 25U : 23U));

    const int d = each.config.width, top = each.config.layers - 1;
    for (int sentence = 0; sentence < batch.sentences(); ++sentence) {
      const auto source = batch.source.sentence(sentence), target = batch.target_in.sentence(sentence);
      const RecurrentTrace alone =
          trace(model, {source.begin(), source.end()}, {target.begin(), target.end()});
      for (int layer = 0; layer <= top; ++layer) {
        const auto value = [&](RecurrentValue kind, bool encoder) -> const Tensor& {
          return values.at(written({kind, encoder, layer}));
        };
        for (const bool encoder : {true, false}) {
          const GruTrace& gru = (encoder ? alone.encoder : alone.decoder)[static_cast<std::size_t>(layer)];
          for (int place = 0; place < gru.output.rows(); ++place) {
            for (int i = 0; i < d; ++i) {
              const auto near = [&](RecurrentValue kind, float right) {
                return std::abs(at(value(kind, encoder), sentence, place, i) - static_cast<double>(right)) <
                       1e-5;
              };
              CHECK(near(RecurrentValue::reset, gru.gates(place, i)));
              CHECK(near(RecurrentValue::update, gru.gates(place, d + i)));
              CHECK(near(RecurrentValue::candidate, gru.gates(place, 2 * d + i)));
              CHECK(near(RecurrentValue::state, gru.output(place, i)));
              // h' = (1 - z) n + z h
              const double z = at(value(RecurrentValue::update, encoder), sentence, place, i);
              const double n = at(value(RecurrentValue::candidate, encoder), sentence, place, i);
              const double h = static_cast<double>(gru.previous(place, i));
              CHECK(at(value(RecurrentValue::state, encoder), sentence, place, i) ==
                    doctest::Approx((1 - z) * n + z * h).epsilon(1e-4));
            }
          }
        }
      }
      const Tensor& last = values.at(written({RecurrentValue::last, true, top}));
      for (int i = 0; i < d; ++i)
        CHECK(static_cast<double>(last.at(std::vector<int>{sentence, i})) ==
              doctest::Approx(static_cast<double>(alone.handed_over(i))).epsilon(1e-4));
      if (!each.config.attends()) continue;
      const Tensor& weights = values.at(written({RecurrentValue::weights, false, 0}));
      for (int i = 0; i < alone.weights.rows(); ++i)
        for (int j = 0; j < weights.columns(); ++j) {
          const double right = j < alone.weights.cols() ? static_cast<double>(alone.weights(i, j)) : 0;
          CHECK(std::abs(at(weights, sentence, i, j) - right) < 1e-5);
        }
    }
  }
}

nlohmann::json recorded(const std::string& corpus, const std::string& folder) {
  return {{"origin", {{"training", {{"corpus", corpus}}}}}, {"folder", folder}};
}

TEST_CASE("a relative path is meant from the folder in which it was typed") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("typed here");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/pairs.tsv") << "a\tb\n";
  CHECK(recorded_origin(recorded("pairs.tsv", folder)).training.corpus == folder + "/pairs.tsv");
  CHECK(recorded_origin(recorded("gone.tsv", folder)).training.corpus == "gone.tsv");
  CHECK(recorded_origin(recorded("/else/where.tsv", folder)).training.corpus == "/else/where.tsv");
}

TEST_CASE("a record without the folder, or with something else there, keeps the path as it was typed") {
  nlohmann::json json = recorded("pairs.tsv", "");
  json.erase("folder");
  CHECK(recorded_origin(json).training.corpus == "pairs.tsv");
  json["folder"] = 5;
  CHECK(recorded_origin(json).training.corpus == "pairs.tsv");
}

// Products of (rows, inner) by (inner, columns), counted one after another.
struct Counter {
  long long count = 0;
  void product(long long rows, long long inner, long long columns) {
    for (long long row = 0; row < rows; ++row) count += inner * columns;
  }
};

void count_attention(Counter& counter, const Config& config, int queries, int keys) {
  const int k = config.d_model / config.heads;
  for (int head = 0; head < config.heads; ++head) {
    counter.product(queries, k, keys);
    counter.product(queries, keys, k);
  }
}

long long counted(const Config& config, int source, int words, bool cache) {
  Counter counter;
  const int d = config.d_model, rows = cache ? 1 : words;
  if (!cache)
    for (int layer = 0; layer < config.encoder_layers; ++layer) {
      for (int matrix = 0; matrix < 4; ++matrix) counter.product(source, d, d);
      count_attention(counter, config, source, source);
      if (config.feed_forward == FeedForwardKind::swiglu) counter.product(source, d, config.d_ff);
      counter.product(source, d, config.d_ff);
      counter.product(source, config.d_ff, d);
    }
  for (int layer = 0; layer < config.decoder_layers; ++layer) {
    for (int matrix = 0; matrix < 4; ++matrix) counter.product(rows, d, d);
    count_attention(counter, config, rows, words);
    for (int matrix = 0; matrix < 2; ++matrix) counter.product(rows, d, d);
    if (!cache)
      for (int matrix = 0; matrix < 2; ++matrix) counter.product(source, d, d);
    count_attention(counter, config, rows, source);
    if (config.feed_forward == FeedForwardKind::swiglu) counter.product(rows, d, config.d_ff);
    counter.product(rows, d, config.d_ff);
    counter.product(rows, config.d_ff, d);
  }
  counter.product(rows, d, config.target_vocab);
  return counter.count;
}

TEST_CASE("with and without the cache the logits agree, and the products are counted as they are made") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 31);
    const ChangedModel<double> untouched(model, {});
    const std::vector<int> source = {5, 6, 3, 4}, words = {4, 7, 9, 5, 6};
    const CacheUse use = compare_with_cache(untouched, source, words);
    CHECK(use.kept);
    // What a run of one word computes more without the cache.
    CHECK(use.before.all() == counted(each.config, 4, 1, false) - counted(each.config, 4, 1, true));
    REQUIRE(use.steps.size() == words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const CacheStep& step = use.steps[i];
      CHECK(step.read == (i == 0 ? each.config.bos_id : words[i - 1]));
      CHECK(step.difference < 1e-11);
      CHECK(step.with.all() == counted(each.config, 4, static_cast<int>(i) + 1, true));
      CHECK(step.without.all() == counted(each.config, 4, static_cast<int>(i) + 1, false));
    }
  }
}

TEST_CASE("a change that lets words read ahead leaves nothing to keep") {
  const Transformer<double> model = random_model<double>(small_config(), 32);
  WhatIf what_if;
  what_if.toggle(change_of(ChangeKind::causal_mask_off));
  const CacheUse use = compare_with_cache(ChangedModel<double>(model, what_if), {5, 6, 3}, {4, 7, 6});
  CHECK_FALSE(use.kept);
  CHECK(use.before.all() == 0);
  REQUIRE(use.steps.size() == 3);
  for (int i = 0; i < 3; ++i) {
    const CacheStep& step = use.steps[static_cast<std::size_t>(i)];
    CHECK(step.with.all() == 0);
    CHECK(step.difference == 0);
    CHECK(step.without.all() == counted(small_config(), 3, i + 1, false));
  }
}

TEST_CASE("running free writes greedy's words and asks for the right ones after them") {
  const Transformer<double> model = random_model<double>(small_config(), 33);
  const ChangedModel<double> untouched(model, {});
  const std::vector<int> source = {5, 6, 3}, right = {4, 7, 9, 3};
  const FreeRun run = run_free(untouched, source, right);
  CHECK(run.ids == decode(model, {source}, {}).front().ids);
  REQUIRE(run.right_log_probabilities.size() == std::min(run.ids.size(), right.size()));
  for (std::size_t place = 0; place < run.right_log_probabilities.size(); ++place) {
    DecodeOptions options;
    options.forced.assign(run.ids.begin(), run.ids.begin() + static_cast<std::ptrdiff_t>(place));
    options.forced.push_back(right[place]);
    options.max_length = static_cast<int>(place) + 2;
    CHECK(decode(model, {source}, options).front().log_probabilities[place] ==
          doctest::Approx(run.right_log_probabilities[place]).epsilon(1e-9));
  }
}

const TraceInput kSentences = {{{5, 6, 7}, {8, 9}}, {{4, 5}, {6, 7, 8, 9}}};

Trace traced(double smoothing) {
  const Config config = small_config();
  return record_trace(random_model<float>(config, 1), kSentences,
                      {.smoothing = smoothing, .gradients = true});
}

TEST_CASE("p - y of a word is the gradient of its logit, times the words that share the loss") {
  const Trace trace = traced(0.1);
  const double tokens = 8;
  for (int sentence = 0; sentence < 2; ++sentence) {
    const int places = static_cast<int>(trace.target_out[static_cast<std::size_t>(sentence)].size());
    for (int position = 0; position < places; ++position) {
      const Prediction prediction = prediction_at(trace, sentence, position, 1000);
      REQUIRE(static_cast<int>(prediction.strongest.size()) == trace.at("logits").columns());
      double sum = 0;
      for (const WordShare& word : prediction.strongest) {
        const int index[] = {sentence, position, word.id};
        const Tensor& gradient = trace.gradients.find("logits")->second;
        CHECK(word.difference / tokens ==
              doctest::Approx(static_cast<double>(gradient.at(index))).epsilon(1e-4).scale(0.01));
        CHECK(word.logit == static_cast<double>(trace.at("logits").at(index)));
        sum += word.difference;
      }
      CHECK(std::abs(sum) < 1e-5);  // what one word gains the others lose
    }
  }
}

TEST_CASE("the loss of a word is KL and the entropy of its target, and without smoothing only surprise") {
  const Trace trace = traced(0.1), sharp = traced(0);
  const Prediction smoothed = prediction_at(trace, 1, 2, 3), plain = prediction_at(sharp, 1, 2, 3);
  CHECK(smoothed.loss == doctest::Approx(smoothed.kl + smoothed.target_entropy));
  double kl = 0;
  const Plane y = trace.plane("smoothed_target", 1), log_p = trace.plane("log_probabilities", 1);
  for (int id = 0; id < y.columns; ++id)
    kl += y(2, id) * (std::log(static_cast<double>(y(2, id))) - static_cast<double>(log_p(2, id)));
  CHECK(smoothed.kl == doctest::Approx(kl).epsilon(1e-4));
  CHECK(plain.target_entropy == 0);
  CHECK(plain.loss == doctest::Approx(-std::log(plain.right.probability)));
  CHECK(plain.right.id == 8);
  CHECK(plain.right.target == 1);
}

TEST_CASE("as far as some of its words a sentence has their mean loss and their probability together") {
  const Trace trace = traced(0.1);
  double sum = 0;
  for (int tokens = 1; tokens <= 5; ++tokens) {
    sum += prediction_at(trace, 1, tokens - 1, 1).loss;
    CHECK(loss_so_far(trace, 1, tokens) == doctest::Approx(sum / tokens));
  }
  CHECK(loss_so_far(trace, 1, 5) == trace.sentence_loss[1]);

  const std::vector<double> written = {-0.5, -1, -0.25};
  CHECK(log_probability_so_far(written, 0) == 0);
  CHECK(log_probability_so_far(written, 2) == -1.5);
  CHECK(log_probability_so_far(written, 9) == -1.75);
}

TEST_CASE("the strongest words come first, ties by the lower id, and no more than there are") {
  const Trace trace = traced(0.1);
  const Prediction prediction = prediction_at(trace, 0, 0, 3);
  REQUIRE(prediction.strongest.size() == 3);
  const Plane log_p = trace.plane("log_probabilities", 0);
  int larger = 0;
  for (int id = 0; id < log_p.columns; ++id) larger += log_p(0, id) > log_p(0, prediction.strongest[2].id);
  CHECK(larger <= 2);
  CHECK(prediction.strongest[0].probability >= prediction.strongest[1].probability);
  CHECK_THROWS_AS(prediction_at(trace, 0, 3, 1), Error);
  CHECK_THROWS_AS(prediction_at(trace, 2, 0, 1), Error);
}

}  // namespace glassformer::recorded_values_test
