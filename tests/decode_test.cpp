#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "engine/decode/decode.h"
#include "engine/decode/incremental.h"
#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "random_models.h"

using namespace glassformer;

namespace {

std::vector<std::vector<int>> some_sources(const Config& config, int count) {
  Random random(3);
  std::vector<int> lengths;
  for (int i = 0; i < count; ++i) lengths.push_back(1 + random.below(config.max_length - 1));
  return random_sentences(lengths, config.source_vocab, random);
}

// Log-probabilities of the next token by running the whole decoder over the whole prefix.
RowVector<double> whole_prefix(const Transformer<double>& model, const std::vector<int>& source,
                               const std::vector<int>& prefix) {
  Batch batch;
  batch.rules.mask_padding.fill(false);
  batch.source.add(source);
  batch.target_in.add(prefix);
  batch.target_out.add(prefix);
  Saved<double> saved;
  model.forward(batch, saved);
  return saved.logits.row(saved.logits.rows() - 1);
}

std::vector<std::vector<int>> ids_of(const std::vector<DecodeResult>& results) {
  std::vector<std::vector<int>> ids;
  for (const DecodeResult& result : results) ids.push_back(result.ids);
  return ids;
}

}  // namespace

TEST_CASE("a token at a time gives what the whole decoder gives, through splits, drops and reorderings") {
  int number = 0;
  for (NamedConfig each : varied_configs()) {
    CAPTURE(each.name);
    each.config.max_length = 36;
    const bool with_panels = number++ % 2 == 0;
    const Transformer<double> model = random_model<double>(each.config, 21);
    const auto sources = some_sources(each.config, 3);
    const DecoderPanels<double> panels(model, nullptr);
    const ChangedModel<double> untouched(model, {});
    IncrementalDecoder<double> decoder(untouched, with_panels ? &panels : nullptr,
                                       {.sources = sources, .max_length = each.config.max_length});
    std::vector<int> sentence = {0, 1, 2};
    std::vector<std::vector<int>> prefixes(3);
    Random random(4);
    double worst = 0;
    for (int step = 0; step + 1 < each.config.max_length; ++step) {
      std::vector<int> ids;
      for (auto& prefix : prefixes) {
        ids.push_back(step == 0 ? each.config.bos_id : random.below(each.config.target_vocab));
        prefix.push_back(ids.back());
      }
      const Matrix<double> logits = decoder.step(ids);
      for (std::size_t row = 0; row < prefixes.size(); ++row) {
        const auto wanted =
            whole_prefix(model, sources[static_cast<std::size_t>(sentence[row])], prefixes[row]);
        worst = std::max(worst, (logits.row(static_cast<Eigen::Index>(row)) - wanted).cwiseAbs().maxCoeff());
      }
      // Any selection of the rows, some twice, some not at all.
      std::vector<int> from;
      std::vector<int> next_sentence;
      std::vector<std::vector<int>> next_prefixes;
      for (int i = 0; i < 2 + random.below(3); ++i) {
        from.push_back(random.below(decoder.rows()));
        next_sentence.push_back(sentence[static_cast<std::size_t>(from.back())]);
        next_prefixes.push_back(prefixes[static_cast<std::size_t>(from.back())]);
      }
      decoder.select(from);
      sentence = next_sentence;
      prefixes = next_prefixes;
    }
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("a beam of one without length penalty is greedy search") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 22);
    const auto sources = some_sources(each.config, 5);
    DecodeOptions options;
    const auto greedy = decode(model, sources, options);
    options.search = Search::beam;
    options.beam = 1;
    options.alpha = 0;
    const auto beam = decode(model, sources, options);
    CHECK(ids_of(beam) == ids_of(greedy));
    for (std::size_t i = 0; i < sources.size(); ++i) CHECK(beam[i].score == doctest::Approx(greedy[i].score));
  }
}

TEST_CASE("a wide beam finds the best of all short outputs") {
  // With at most two generated tokens every output can be tried.
  Config config = small_config();
  const Transformer<double> model = random_model<double>(config, 23);
  const std::vector<int> source = {5, 6, 3};
  const auto log_softmax = [](RowVector<double> row) {
    row.array() -= std::log(row.array().exp().sum());
    return row;
  };
  double best = -1e9;
  const RowVector<double> first = log_softmax(whole_prefix(model, source, {2}));
  for (int a = 0; a < config.target_vocab; ++a) {
    if (a == config.eos_id) {
      best = std::max(best, first[a]);
      continue;
    }
    best = std::max(best, first[a] + log_softmax(whole_prefix(model, source, {2, a})).maxCoeff());
  }
  DecodeOptions options;
  options.search = Search::beam;
  options.beam = 40;
  options.alpha = 0;
  options.max_length = 3;
  CHECK(decode(model, {source}, options)[0].score == doctest::Approx(best));
}

TEST_CASE("results depend neither on threads nor on who else is decoded") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 24);
  const auto sources = some_sources(config, 40);
  WorkerPool pool(3);
  for (const Search search : {Search::greedy, Search::beam, Search::sampling}) {
    DecodeOptions options;
    options.search = search;
    const auto alone = decode(model, sources, options);
    options.pool = &pool;
    const auto together = decode(model, sources, options);
    CHECK(ids_of(alone) == ids_of(together));
    if (search != Search::sampling) CHECK(decode(model, {sources[20]}, options)[0].ids == alone[20].ids);
  }
}

TEST_CASE("one sentence, its products shared out among threads, has the same bits") {
  Config config = varied_configs().front().config;
  config.d_model = 64;
  config.heads = 4;
  config.d_ff = 600;
  config.target_vocab = 1000;
  const Transformer<float> model = random_model<float>(config, 3);
  const auto sources = some_sources(config, 1);
  DecodeOptions options;
  const DecodeResult alone = decode(model, sources, options).front();
  WorkerPool pool(3);
  options.pool = &pool;
  const DecodeResult shared = decode(model, sources, options).front();
  CHECK(shared.ids == alone.ids);
  CHECK(shared.log_probabilities == alone.log_probabilities);
}

TEST_CASE("sampling follows its seed, and top-k 1, a tiny nucleus and temperature 0 are greedy") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 25);
  const auto sources = some_sources(config, 10);
  DecodeOptions options;
  const auto greedy = ids_of(decode(model, sources, options));
  options.search = Search::sampling;
  const auto first = ids_of(decode(model, sources, options));
  CHECK(ids_of(decode(model, sources, options)) == first);
  options.seed = 2;
  CHECK(ids_of(decode(model, sources, options)) != first);
  DecodeOptions narrow = options;
  narrow.top_k = 1;
  CHECK(ids_of(decode(model, sources, narrow)) == greedy);
  narrow = options;
  narrow.top_p = 1e-6;
  CHECK(ids_of(decode(model, sources, narrow)) == greedy);
  narrow = options;
  narrow.temperature = 0;
  CHECK(ids_of(decode(model, sources, narrow)) == greedy);
}

TEST_CASE("sampled tokens come as often as their probability says") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 26);
  const std::vector<std::vector<int>> sources(4000, std::vector<int>{5, 6, 3});
  DecodeOptions options;
  options.search = Search::sampling;
  options.max_length = 2;
  options.alternatives = config.target_vocab;
  const auto results = decode(model, sources, options);
  std::vector<double> counts(static_cast<std::size_t>(config.target_vocab));
  for (const DecodeResult& result : results) counts[static_cast<std::size_t>(result.ids[0])] += 1.0 / 4000;
  for (const Candidate& candidate : results[0].steps[0].top) {
    CHECK(std::abs(counts[static_cast<std::size_t>(candidate.id)] - std::exp(candidate.log_probability)) <
          0.035);
  }
}

TEST_CASE("a forced prefix begins every output") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 27);
  const auto sources = some_sources(config, 4);
  for (const Search search : {Search::greedy, Search::beam, Search::sampling}) {
    DecodeOptions options;
    options.search = search;
    options.forced = {7, 4, 9};
    for (const DecodeResult& result : decode(model, sources, options)) {
      REQUIRE(result.ids.size() >= 3);
      CHECK(std::vector<int>(result.ids.begin(), result.ids.begin() + 3) == options.forced);
      CHECK(result.steps.size() == result.ids.size());
    }
  }
}

TEST_CASE("every step lists its candidates best first, and the probabilities of all add up to 1") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 28);
  for (const Search search : {Search::greedy, Search::beam}) {
    DecodeOptions options;
    options.search = search;
    options.alternatives = config.target_vocab;
    const DecodeResult result = decode(model, {{5, 6, 3}}, options)[0];
    REQUIRE(result.steps.size() == result.ids.size());
    for (const DecodeStep& step : result.steps) {
      REQUIRE(std::ssize(step.top) == config.target_vocab);
      double sum = 0;
      for (std::size_t i = 0; i < step.top.size(); ++i) {
        sum += std::exp(step.top[i].log_probability);
        if (i > 0) CHECK(step.top[i].log_probability <= step.top[i - 1].log_probability);
      }
      CHECK(sum == doctest::Approx(1).epsilon(1e-5));
    }
    if (search == Search::greedy) CHECK(result.steps[0].top[0].id == result.ids[0]);
  }
}

TEST_CASE("an output never exceeds the length asked for, and stopping early keeps what there is") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 29);
  DecodeOptions options;
  options.max_length = 4;
  for (const auto& result : decode(model, some_sources(config, 8), options)) CHECK(result.ids.size() <= 3);
  int asked = 0;
  options.max_length = 0;
  const auto stopped = decode(model, {{5, 6, 3}}, options, [&] { return ++asked <= 2; });
  CHECK(stopped[0].ids.size() <= 2);
  CHECK(asked <= 3);
}

TEST_CASE("what cannot be decoded is refused by name") {
  const Config config = small_config();
  const Transformer<float> model(config);
  CHECK_THROWS_WITH_AS(decode(model, {{5}, {99}}, {}), doctest::Contains("source sentence 2"), Error);
  CHECK_THROWS_WITH_AS(decode(model, {std::vector<int>(13, 5)}, {}), doctest::Contains("at most 12"), Error);
  DecodeOptions options;
  options.forced = {-1};
  CHECK_THROWS_AS(decode(model, {{5}}, options), Error);
}
