// What models of other programs are set to and ours are not: a start id that is pad, ids that are never
// written, a source that begins with bos, waves laid out otherwise, and the length penalty that goes with
// them.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/analysis/position_study.h"
#include "engine/decode/beam_record.h"
#include "engine/decode/choices.h"
#include "engine/decode/decode.h"
#include "engine/decode/incremental.h"
#include "engine/math/error.h"
#include "engine/model/batch.h"
#include "engine/model/what_if/value_means.h"
#include "random_models.h"
#include "tests/refusal.h"

using namespace glassformer;

namespace {

const std::vector<int> kSource = {5, 6, 7, 3};

Config starting_with_pad() {
  Config config = small_config();
  config.target_vocab = 5;
  config.max_length = 8;
  config.eos_id = 0;
  config.start_id = config.pad_id = 4;
  config.forbidden_ids = {4};
  return config;
}

// Of every next word behind these, by the whole model; the forbidden out of the softmax.
RowVector<double> log_p_after(const Transformer<double>& model, const std::vector<int>& words) {
  Batch batch;
  batch.source.add(kSource);
  std::vector<int> read = {model.config.first_id()};
  read.insert(read.end(), words.begin(), words.end());
  batch.target_in.add(read);
  batch.target_out.add(read);
  Saved<double> saved;
  model.forward(batch, saved);
  RowVector<double> row = saved.logits.row(saved.logits.rows() - 1);
  for (const int id : model.config.forbidden_ids) row[id] = -std::numeric_limits<double>::infinity();
  row.array() -= std::log(row.array().exp().sum());
  return row;
}

struct Sentence {
  std::vector<int> words;
  double total = 0, score = 0;
};

// All sentences of at most three words, best first.
std::vector<Sentence> all_sentences(const Transformer<double>& model, double alpha) {
  std::vector<Sentence> all;
  const auto grow = [&](const auto& again, const std::vector<int>& before, double total) -> void {
    const RowVector<double> log_p = log_p_after(model, before);
    for (int id = 0; id < model.config.target_vocab; ++id) {
      if (id == 4) continue;
      std::vector<int> words = before;
      words.push_back(id);
      const double sum = total + log_p[id], length = static_cast<double>(words.size());
      if (id == model.config.eos_id || words.size() == 3)
        all.push_back({words, sum, sum / std::pow(length, alpha)});
      else
        again(again, words, sum);
    }
  };
  grow(grow, {}, 0);
  std::ranges::sort(all, std::greater<>(), &Sentence::score);
  return all;
}

}  // namespace

TEST_CASE("a start id that is pad is attended: finite numbers, and decoding by steps is the whole pass") {
  const Transformer<double> model = random_model<double>(starting_with_pad(), 3);
  const ChangedModel<double> untouched(model, {});
  const std::vector<std::vector<int>> sources = {kSource};
  IncrementalDecoder<double> decoder(untouched, nullptr, {.sources = sources, .max_length = 8});
  std::vector<int> read = {4, 1, 2, 3, 1};
  Batch batch;
  batch.source.add(kSource);
  batch.target_in.add(read);
  batch.target_out.add(std::vector{1, 2, 3, 1, 0});
  Saved<double> saved;
  model.forward(batch, saved);
  CHECK(saved.logits.allFinite());
  for (std::size_t place = 0; place < read.size(); ++place) {
    const Matrix<double>& logits = decoder.step({&read[place], 1});
    const auto row = static_cast<Eigen::Index>(place);
    CHECK((logits.row(0) - saved.logits.row(row)).cwiseAbs().maxCoeff() < 1e-10);
  }
  // Padding behind the words is masked still: the real rows stay.
  Batch longer = with_trailing_padding(batch, 2, model.config);
  Saved<double> padded;
  model.forward(longer, padded);
  CHECK((padded.logits.topRows(5) - saved.logits).cwiseAbs().maxCoeff() < 1e-10);
  CHECK(longer.target_in.padding(4, true) == std::vector<std::uint8_t>{0, 0, 0, 0, 0, 1, 1});
  CHECK(longer.target_in.padding(4, false) == std::vector<std::uint8_t>{1, 0, 0, 0, 0, 1, 1});
}

TEST_CASE("a forbidden word can't be forced, and right words are measured among the others") {
  const Transformer<double> model = random_model<double>(starting_with_pad(), 3);
  const ChangedModel<double> untouched(model, {});
  DecodeOptions options;
  options.forced = {1, 4};
  CHECK(testing::refusal([&] { decode(untouched, {kSource}, options); }) ==
        "decoding: a forced token must be one that the model may write, found 4");
  const std::vector<int> right = {3, 2};
  const FreeRun run = run_free(untouched, kSource, right);
  REQUIRE(!run.right_log_probabilities.empty());
  for (std::size_t place = 0; place < run.right_log_probabilities.size(); ++place) {
    const std::vector<int> before(run.ids.begin(), run.ids.begin() + static_cast<std::ptrdiff_t>(place));
    CHECK(run.right_log_probabilities[place] == doctest::Approx(log_p_after(model, before)[right[place]]));
  }
}

TEST_CASE("mean values count the start of a target that is pad, and no padding") {
  const Transformer<float> model = random_model<float>(starting_with_pad(), 3);
  Batch batch;
  batch.source.add(kSource);
  batch.target_in.add(std::vector{4, 1, 2});
  batch.target_out.add(std::vector{1, 2, 0});
  const ValueMeans bare = mean_values(model, batch),
                   padded = mean_values(model, with_trailing_padding(batch, 2, model.config));
  REQUIRE(bare.size() == padded.size());
  for (const auto& [name, means] : bare)
    for (std::size_t i = 0; i < means.size(); ++i)
      CHECK(padded.at(name)[i] == doctest::Approx(means[i]).epsilon(1e-5));
}

TEST_CASE("greedy search takes the best allowed word, whose probability is among the allowed") {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const Transformer<double> model = random_model<double>(starting_with_pad(), seed);
    const DecodeResult found = decode(model, {kSource}, {}).front();
    std::vector<int> before;
    for (std::size_t place = 0; place < found.ids.size(); ++place) {
      const RowVector<double> log_p = log_p_after(model, before);
      Eigen::Index best = 0;
      log_p.maxCoeff(&best);
      CHECK(found.ids[place] == static_cast<int>(best));
      CHECK(found.log_probabilities[place] == doctest::Approx(log_p[best]).epsilon(1e-9));
      // Only what may be written is offered.
      CHECK(found.steps[place].top.size() == 4);
      before.push_back(found.ids[place]);
    }
  }
}

TEST_CASE(
    "a beam as wide as the language finds what trying all allowed sentences finds, divided by n^alpha") {
  for (const double alpha : {0.0, 0.5, 1.0})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Transformer<double> model = random_model<double>(starting_with_pad(), seed);
      const std::vector<Sentence> all = all_sentences(model, alpha);
      DecodeOptions options;
      options.search = Search::beam;
      options.beam = 200;
      options.alpha = alpha;
      options.penalty = LengthPenalty::length;
      options.max_length = 4;
      options.record = true;
      const DecodeResult found = decode(model, {kSource}, options).front();
      CHECK(found.ids == all.front().words);
      CHECK(found.score == doctest::Approx(all.front().score).epsilon(1e-9));
      CHECK(found.hypotheses.size() == all.size());
      for (const BeamStep& step : found.record->steps)
        for (const BeamNode& node : step.considered) {
          CHECK(node.id != 4);
          CHECK(std::isfinite(node.total));
        }
    }
}

TEST_CASE("what may not be written has no share of the draw, and is said to be not allowed") {
  const std::vector<double> logits = {1, -std::numeric_limits<double>::infinity(), 0};
  const auto shares = token_shares(std::span<const double>(logits), {});
  REQUIRE(shares.size() == 3);
  CHECK(shares[2].id == 1);
  CHECK(shares[2].fate == ShareFate::not_allowed);
  CHECK(shares[2].before == 0);
  CHECK(shares[2].after == 0);
  CHECK(shares[0].fate == ShareFate::drawn);
  CHECK(shares[0].after == doctest::Approx(1 / (1 + std::exp(-1.0))));
  DecodeOptions top;
  top.top_k = 1;
  CHECK(token_shares(std::span<const double>(logits), top)[1].fate == ShareFate::cut_by_top_k);
  CHECK(token_shares(std::span<const double>(logits), top)[2].fate == ShareFate::not_allowed);
}

TEST_CASE("a source has its bos and eos where the model wants them, and loses them again") {
  Config config = small_config();
  config.source_bos = true;
  CHECK(source_row(std::vector{5, 6}, config) == std::vector{2, 5, 6, 3});
  CHECK(source_words(std::vector{2, 5, 6, 3}, config) == std::vector{5, 6});
  config.source_eos = false;
  CHECK(source_row(std::vector{5, 6}, config) == std::vector{2, 5, 6});
  CHECK(config.source_specials() == 1);
  config.start_id = 7;
  const std::vector<std::vector<int>> sources = {{5}}, targets = {{6}};
  const Batch batch = make_batch(sources, targets, config);
  CHECK(batch.source.ids()[0] == 2);
  CHECK(batch.target_in.ids()[0] == 7);
  CHECK(batch.target_out.ids()[1] == 3);
}

TEST_CASE(
    "the waves of another layout: frequencies, and a pair moved k places is the row that stands there") {
  const int length = 20;
  for (const int d : {8, 7})
    for (const PositionOrder order : {PositionOrder::interleaved, PositionOrder::halves})
      for (const PositionDivisor divisor : {PositionDivisor::d, PositionDivisor::d_less_two}) {
        const WaveForm form{order, divisor};
        const double whole = divisor == PositionDivisor::d ? d : d - 2;
        const std::vector<float> values = sinusoidal_table(length, d, form);
        const Plane table{values.data(), length, d};
        for (const Frequency& each : position_frequencies(d, form)) {
          CHECK(each.frequency == doctest::Approx(std::pow(10000.0, -2.0 * each.pair / whole)));
          const MovedPair moved = moved_pair(table, each.pair, 3, 5, form);
          CHECK(moved.sine == doctest::Approx(std::sin(3 * each.frequency)));
          CHECK(std::abs(moved.sine_difference()) < 1e-6);
          CHECK(std::abs(moved.cosine_difference()) < 1e-6);
        }
        CHECK(compare_frequency_ways(length, d, form).frequency < 1e-15);
        for (int column = 0; column < d; ++column) {
          const int pair = wave_pair(column, d, form);
          CHECK(column ==
                (is_sine(column, d, form) ? sine_column(pair, d, form) : cosine_column(pair, d, form)));
        }
      }
}

TEST_CASE("keys of other programs' models are read, written where they differ, and refused in a sentence") {
  const nlohmann::json plain = to_json(small_config());
  for (const char* key :
       {"source_bos", "start_id", "forbidden_ids", "position_order", "position_divisor", "length_penalty"})
    CHECK(!plain.contains(key));

  nlohmann::json json = plain;
  json["source_bos"] = true;
  json["start_id"] = 0;
  json["forbidden_ids"] = {0, 4};
  json["position_order"] = "halves";
  json["position_divisor"] = "d-2";
  json["activation"] = "gelu_sigmoid";
  json["length_penalty"] = "power";
  const Config config = config_from_json(json);
  CHECK(config.first_id() == 0);
  CHECK(config.starts_with_pad());
  CHECK(config.forbidden_ids == std::vector{0, 4});
  CHECK(config.wave_form() == WaveForm{PositionOrder::halves, PositionDivisor::d_less_two});
  CHECK(config.length_penalty == LengthPenalty::length);
  CHECK(to_json(config) == json);

  const auto refused = [&](const char* key, const nlohmann::json& value) {
    nlohmann::json wrong = plain;
    wrong[key] = value;
    std::string said;
    try {
      config_from_json(wrong);
    } catch (const Error& error) {
      said = error.what();
    }
    CAPTURE(key);
    CAPTURE(said);
    CHECK(said.find(key) != std::string::npos);
  };
  refused("source_bos", 1);
  refused("start_id", 13);
  refused("start_id", -2);
  refused("forbidden_ids", 3);
  refused("forbidden_ids", {13});
  refused("forbidden_ids", {-1});
  refused("forbidden_ids", {"a"});
  refused("position_order", "thirds");
  refused("position_divisor", "d-1");
  refused("length_penalty", "paper");
}
