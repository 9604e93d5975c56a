#include "engine/train/evaluation.h"

#include <doctest/doctest.h>

#include <cmath>

#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "engine/train/translation.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

// A model that has learned a little, so that some of its sentences are right and some wrong.
std::shared_ptr<const Snapshot> half_trained() {
  TrainingOptions options = small_options();
  options.schedule = "cosine";
  options.peak = 0.01;
  options.steps = 100;
  options.warmup = 30;
  Config config = copying_config();
  config.d_model = 32;
  config.dropout = 0;
  Trainer trainer(copying_set(), config, options);
  while (!trainer.stop()) trainer.step();
  return trainer.snapshot();
}

// Words "a" to "h" for the ids 4 to 11.
Tokenizers letter_tokenizers() {
  const std::string words = "<pad>\n<unk>\n<bos>\n<eos>\na\nb\nc\nd\ne\nf\ng\nh\n";
  const auto tokenizer = load_tokenizer("words", words, {}, "test");
  return {tokenizer, tokenizer};
}

std::vector<SentencePair> as_text(const std::vector<EncodedPair>& pairs, const Tokenizers& tokenizers) {
  std::vector<SentencePair> texts;
  for (const EncodedPair& pair : pairs)
    texts.push_back({tokenizers.source->decode(pair.source), tokenizers.target->decode(pair.target)});
  return texts;
}

}  // namespace

TEST_CASE("exact match by teacher forcing is that of greedy search") {
  const auto model = half_trained();
  const auto tokenizers = letter_tokenizers();
  const auto set = copying_set();
  const auto& pairs = set->training;
  const auto forced = teacher_forced(*model->weights, pairs);
  REQUIRE(forced);
  CHECK(forced->exact_match > 0.1);
  CHECK(forced->exact_match < 0.95);
  const auto result = evaluate(*model, tokenizers, as_text(pairs, tokenizers), {});
  REQUIRE(result);
  CHECK(result->exact_match == doctest::Approx(forced->exact_match));
  CHECK(result->loss == doctest::Approx(forced->loss));
  CHECK(result->token_accuracy == doctest::Approx(forced->token_accuracy));
  CHECK(result->perplexity == doctest::Approx(std::exp(forced->nll)));
  CHECK(result->bleu > 0);
  CHECK(result->bleu < 100);
}

TEST_CASE("losses of the whole are the means of its parts, on any number of threads") {
  const auto model = half_trained();
  const auto set = copying_set();
  const auto& pairs = set->validation;
  double nll = 0, tokens = 0;
  for (const EncodedPair& pair : pairs) {
    const auto one = teacher_forced(*model->weights, {pair}, {.smoothing = 0});
    nll += one->nll * static_cast<double>(one->tokens);
    tokens += static_cast<double>(one->tokens);
    CHECK(one->loss == doctest::Approx(one->nll));
  }
  WorkerPool pool(3);
  const auto all = teacher_forced(*model->weights, pairs, {.smoothing = 0, .pool = &pool});
  CHECK(all->nll == doctest::Approx(nll / tokens));
  CHECK(all->nll == teacher_forced(*model->weights, pairs, {.smoothing = 0})->nll);
}

TEST_CASE("empty lines stay, lines that are too long count as wrong") {
  const auto model = half_trained();
  const auto tokenizers = letter_tokenizers();
  std::string too_long = "a";
  for (int i = 0; i < 20; ++i) too_long += " b";
  const std::vector<SentencePair> pairs = {{"a b", "a b"}, {"", ""}, {too_long, ""}, {too_long, too_long}};
  const auto result = evaluate(*model, tokenizers, pairs, {});
  REQUIRE(result);
  CHECK(result->sentences == 4);
  CHECK(result->translations[1].empty());
  CHECK(result->translations[2].empty());
  CHECK(result->exact_match <= 0.5);  // the second, perhaps the first, never the long ones
  CHECK(result->exact_match >= 0.25);
  CHECK(std::isfinite(result->loss));
}

TEST_CASE("translations come back in the order of the lines, each as if it were alone") {
  const auto model = half_trained();
  const auto tokenizers = letter_tokenizers();
  const std::vector<std::string> lines = {"a", "h g f e d c", " ", "b  c", "x a"};
  DecodeOptions beam;
  beam.search = Search::beam;
  beam.beam = 3;
  for (const DecodeOptions& options : {DecodeOptions(), beam}) {
    const auto together = translate_lines(*model, tokenizers, lines, options);
    REQUIRE(together.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto alone = translate_lines(*model, tokenizers, {lines[i]}, options);
      CHECK(together[i].text == alone[0].text);
      CHECK(together[i].result.ids == alone[0].result.ids);
    }
    CHECK(together[2].text.empty());
    CHECK(together[3].pieces.size() == 2);
    CHECK(together[4].pieces[0].unknown);
  }
}

TEST_CASE("a sentence that is too long says how long it may be") {
  const auto model = half_trained();
  std::string line = "a";
  for (int i = 0; i < 15; ++i) line += " b";
  const auto translation = translate_lines(*model, letter_tokenizers(), {line}, {})[0];
  CHECK(translation.text.empty());
  CHECK(translation.problem.find("16 tokens") != std::string::npos);
  CHECK(translation.problem.find("takes 15") != std::string::npos);
}

TEST_CASE("giving up ends the work without a result") {
  const auto model = half_trained();
  EvaluationOptions options;
  options.progress = [](long, long) { return false; };
  CHECK_FALSE(evaluate(*model, letter_tokenizers(), {{"a", "a"}}, options));
  CHECK_FALSE(
      teacher_forced(*model->weights, copying_set()->validation, {.keep_going = [] { return false; }}));
}

TEST_CASE("a model without tokenizers takes no text") {
  CHECK_THROWS_AS(translate_lines(*half_trained(), {}, {"a"}, {}), Error);
}

TEST_CASE("a sentence is read as translate reads it: unknown capitals are small letters") {
  const auto model = half_trained();
  const auto tokenizers = letter_tokenizers();
  const auto small = evaluate(*model, tokenizers, {{"a b c", "a b c"}, {"d e", "d e"}}, {});
  const auto capital = evaluate(*model, tokenizers, {{"A b c", "a b c"}, {"D E", "d e"}}, {});
  CHECK(capital->translations == small->translations);
  CHECK(capital->loss == small->loss);
}

TEST_CASE("pairs that the loss leaves out are counted") {
  const auto model = half_trained();
  std::string endless;
  for (int i = 0; i < 2000; ++i) endless += "a ";
  const auto result =
      evaluate(*model, letter_tokenizers(), {{"a b", "a b"}, {endless, endless}, {"", "a"}}, {});
  CHECK(result->sentences == 3);
  CHECK(result->left_out == 1);  // the empty source still ends, and that end is read
}

TEST_CASE("a line of megabytes is refused before it is cut into pieces") {
  const auto model = half_trained();
  const std::string endless(20'000'000, 'a');
  const auto read = translate_lines(*model, letter_tokenizers(), {endless, "a"}, {});
  CHECK(read[0].problem.find("20000000 bytes") != std::string::npos);
  CHECK(read[0].pieces.empty());
  CHECK(read[1].problem.empty());
}
