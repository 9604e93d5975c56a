#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/decode/beam_record.h"
#include "engine/math/worker_pool.h"
#include "engine/recurrent/recurrent_decoder.h"
#include "tests/recurrent_helpers.h"

using namespace glassformer;

namespace {

// A vocabulary of five words, so that every sentence of up to four can be tried.
RecurrentModel<double> five_word_model(RecurrentAttention attention, std::uint64_t seed) {
  RecurrentConfig config = small_recurrent_config(attention);
  config.source_vocab = config.target_vocab = 5;
  config.source_eos = false;
  return random_recurrent_model<double>(config, seed);
}

const std::vector<int> kFewWords = {4, 1, 4};

// Of the word after these, by the forward pass.
RowVector<double> log_p_behind(const RecurrentModel<double>& model, const std::vector<int>& words) {
  RecurrentSaved<double> saved;
  model.forward(batch_of(model.config, {{kFewWords}, {words}}), saved);
  RowVector<double> row = saved.logits.row(std::ssize(words));
  row.array() -= std::log(row.array().exp().sum());
  return row;
}

struct Written {
  std::vector<int> words;
  double score = 0;
};

// All sentences of at most so many words that end with eos or are cut off there, best score first.
std::vector<Written> everything(const RecurrentModel<double>& model, std::size_t longest, double alpha) {
  std::vector<Written> all;
  const std::function<void(const std::vector<int>&, double)> grow = [&](const std::vector<int>& before,
                                                                        double total) {
    const RowVector<double> log_p = log_p_behind(model, before);
    for (int id = 0; id < model.config.target_vocab; ++id) {
      std::vector<int> words = before;
      words.push_back(id);
      const double sum = total + log_p[id];
      if (id == model.config.eos_id || words.size() == longest)
        all.push_back({words, sum / std::pow((5 + static_cast<double>(words.size())) / 6, alpha)});
      else
        grow(words, sum);
    }
  };
  grow({}, 0);
  std::ranges::sort(all, std::greater<>(), &Written::score);
  return all;
}

std::vector<std::vector<int>> many_sources(const RecurrentConfig& config, int count) {
  std::vector<std::vector<int>> sources = random_pairs(config, count, 31).sources;
  for (std::vector<int>& source : sources) source.push_back(config.eos_id);
  return sources;
}

}  // namespace

TEST_CASE("recurrent beam search: a beam of the vocabulary finds the best of all sentences of two words") {
  for (const auto attention :
       {RecurrentAttention::none, RecurrentAttention::additive, RecurrentAttention::dot}) {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      const RecurrentModel<double> model = five_word_model(attention, seed);
      DecodeOptions options{.search = Search::beam, .beam = 5, .max_length = 3};
      for (const double alpha : {0.0, 0.6}) {
        options.alpha = alpha;
        const std::vector<Written> all = everything(model, 2, alpha);
        const DecodeResult found = decode(model, {kFewWords}, options).front();
        REQUIRE(found.hypotheses.size() == 5);
        for (std::size_t i = 0; i < 5; ++i) {
          CHECK(found.hypotheses[i].ids == all[i].words);
          CHECK(found.hypotheses[i].score == doctest::Approx(all[i].score).epsilon(1e-9));
        }
      }
    }
  }
}

TEST_CASE("recurrent beam search: a beam as wide as the language finds what trying every sentence finds") {
  for (const auto attention : {RecurrentAttention::none, RecurrentAttention::additive}) {
    for (const std::uint64_t seed : {1, 2}) {
      const RecurrentModel<double> model = five_word_model(attention, seed);
      const std::vector<Written> all = everything(model, 4, 0.6);
      const DecodeOptions options{.search = Search::beam, .beam = 600, .record = true, .max_length = 5};
      const DecodeResult found = decode(model, {kFewWords}, options).front();
      CHECK(found.ids == all.front().words);
      CHECK(found.score == doctest::Approx(all.front().score).epsilon(1e-9));
      REQUIRE(found.record);
      CHECK(found.record->finished.size() == all.size());
      for (std::size_t i = 0; i < 10; ++i)
        CHECK(found.record->words(found.record->finished[i].place) == all[i].words);
    }
  }
}

TEST_CASE("recurrent search: a beam of one, temperature 0 and top-k 1 are greedy") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentModel<float> model = random_recurrent_model<float>(each.config, 16);
    const auto sources = many_sources(each.config, 40);
    const auto greedy = decode(model, sources, {});
    for (const DecodeOptions& options : {DecodeOptions{.search = Search::beam, .beam = 1, .alpha = 0},
                                         DecodeOptions{.search = Search::sampling, .temperature = 0},
                                         DecodeOptions{.search = Search::sampling, .top_k = 1}}) {
      const auto same = decode(model, sources, options);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        CHECK(same[i].ids == greedy[i].ids);
        CHECK(same[i].score == doctest::Approx(greedy[i].score));
      }
    }
  }
}

TEST_CASE("recurrent search: results depend neither on threads nor on who else is decoded") {
  WorkerPool pool(3);
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const RecurrentModel<float> model = random_recurrent_model<float>(each.config, 17);
    const auto sources = many_sources(each.config, 40);
    for (const Search kind : {Search::greedy, Search::beam, Search::sampling}) {
      DecodeOptions options{.search = kind, .seed = 5};
      const auto alone = decode(model, sources, options);
      options.pool = &pool;
      const auto together = decode(model, sources, options);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        CHECK(alone[i].ids == together[i].ids);
        CHECK(alone[i].log_probabilities == together[i].log_probabilities);
      }
      if (kind != Search::sampling) CHECK(decode(model, {sources[20]}, options)[0].ids == alone[20].ids);
    }
  }
}

TEST_CASE("recurrent sampling: words come as often as their probability says, and follow the seed") {
  const RecurrentModel<double> model = five_word_model(RecurrentAttention::additive, 6);
  const RowVector<double> wanted = log_p_behind(model, {}).array().exp();
  constexpr int kDraws = 4000;
  const std::vector<std::vector<int>> sources(kDraws, kFewWords);
  DecodeOptions options{.search = Search::sampling, .max_length = 2, .seed = 9};
  const auto drawn = decode(model, sources, options);
  std::vector<int> counts(5);
  for (const DecodeResult& result : drawn) ++counts[static_cast<std::size_t>(result.ids.at(0))];
  for (int id = 0; id < 5; ++id) {
    const double expected = kDraws * wanted[id], spread = std::sqrt(expected * (1 - wanted[id]));
    CHECK(std::abs(counts[static_cast<std::size_t>(id)] - expected) < 5 * spread);
  }
  const auto same_ids = [&](const std::vector<DecodeResult>& other) {
    return std::ranges::equal(drawn, other, {}, &DecodeResult::ids, &DecodeResult::ids);
  };
  CHECK(same_ids(decode(model, sources, options)));
  options.seed = 10;
  CHECK(!same_ids(decode(model, sources, options)));
}
