// How far scores of source words are from a grammar's links: the arithmetic by hand, the scores against the
// model in double.
#include "engine/train/word_alignment.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/layers/tap.h"
#include "engine/math/error.h"
#include "engine/model/names.h"
#include "engine/model/trace.h"
#include "engine/text/aligned_data.h"
#include "engine/text/piece_owners.h"
#include "engine/train/alignment_error.h"
#include "tests/aligned_grammar.h"
#include "tests/random_models.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"

using namespace glassformer;
using glassformer::testing::refusal;

namespace {

using Owners = std::vector<int>;

std::vector<Piece> pieces_of(const std::vector<std::string>& texts) {
  std::vector<Piece> pieces;
  for (const std::string& text : texts) pieces.push_back({.text = text});
  return pieces;
}

TEST_CASE("a piece belongs to the token that shares most of its bytes") {
  const AlignedPair bird = aligned_pair("to the red bird.");  // À l'oiseau rouge.
  const auto owners = [&](const std::vector<Piece>& pieces) {
    return piece_owners(pieces, bird.text.target, bird.target);
  };
  CHECK(owners(pieces_of({"À", "l", "'oi", "seau", "rou", "ge."})) == Owners{0, 1, 2, 2, 3, 3});
  CHECK(owners(pieces_of({"à", std::string(kWordStart), "L'", "OISEAU", " ", "rouge", "."})) ==
        Owners{0, -1, 1, 2, -1, 3, 4});
  std::vector<Piece> bytes = pieces_of({"<0xC3>", "<0x80>", "l'oiseau", "rouge."});
  bytes[0].byte = bytes[1].byte = true;
  CHECK(owners(bytes) == Owners{0, 0, 2, 3});

  CHECK(refusal([&] { owners(pieces_of({"À", "l'oiseau", "rouge"})); }).find("shorter") != std::string::npos);
  CHECK(refusal([&] {
          owners(pieces_of({"À", "l'oiseau", "rouge", ".", "."}));
        }).find("longer") != std::string::npos);
}

TEST_CASE("the error rate by hand") {
  const AlignedPair cat = aligned_pair("to the red cat.");  // Au chat rouge.
  Matrix<double> scores = Matrix<double>::Zero(4, 5);
  scores(0, 1) = scores(0, 3) = 2;  // Au: "the", the first of equals, is possible
  scores(1, 3) = 1;                 // chat: "cat" is sure
  scores(2, 3) = 1;                 // rouge: "cat" is wrong
  scores.row(3).setConstant(-2);
  scores(3, 4) = -1;  // the stop is possible
  AlignmentCount count = count_links(cat, scores);
  CHECK(count.links == 4);
  CHECK(count.sure == 2);
  CHECK(count.right_sure == 1);
  CHECK(count.right_possible == 3);
  CHECK(count.error_rate() == doctest::Approx(100 * (1 - 4.0 / 6)));

  // Two pairs together are one of all links.
  count.add(count);
  CHECK(count.links == 8);
  CHECK(count.error_rate() == doctest::Approx(100 * (1 - 4.0 / 6)));

  // The right links alone.
  scores.setZero();
  scores(0, 0) = scores(1, 3) = scores(2, 2) = scores(3, 4) = 1;
  CHECK(count_links(cat, scores).error_rate() == doctest::Approx(0));

  // Au to, chat the, rouge cat, and the stops.
  CHECK(count_links(cat, diagonal_scores(cat)).error_rate() == doctest::Approx(100 * (1 - 2.0 / 6)));
}

TEST_CASE("what has no link or no score is left out") {
  AlignedPair cat = aligned_pair("to the red cat.");
  const double none = std::numeric_limits<double>::quiet_NaN();
  Matrix<double> scores = Matrix<double>::Zero(4, 5);
  scores(1, 3) = 1;
  scores.row(2).setConstant(none);
  CHECK(count_links(cat, scores).links == 3);
  CHECK(count_links(cat, scores).sure == 2);
  cat.target[0].makers = {{99, false}};
  CHECK(count_links(cat, scores).links == 2);
  CHECK(count_links(cat, scores).right_sure == 1);
  CHECK(std::isnan(AlignmentCount().error_rate()));
}

TEST_CASE("a source token has the sum of its pieces, a target token their mean") {
  AlignedPair pair;
  pair.source.resize(2);
  pair.target.resize(3);
  Matrix<double> pieces(3, 4);
  pieces << 1, 2, 4, 8,  //
      3, 6, 0, 2,        //
      5, 5, 5, 5;
  // A blank belongs to nobody; the last token of the target has no piece.
  const Matrix<double> tokens = token_scores(pair, pieces, {0, 0, 1}, {1, -1, 0, 1});
  CHECK(tokens(0, 0) == 2);
  CHECK(tokens(0, 1) == 7);
  CHECK(tokens(1, 0) == 5);
  CHECK(tokens(1, 1) == 10);
  CHECK(std::isnan(tokens(2, 0)));
}

// The row of one source place is multiplied by a factor.
struct ScaledWord : Tap<double> {
  int place = 0;
  double factor = 1;
  void operator()(const TapPoint& point, MatrixRef<double> value) override {
    if (point.name == embedding_value(true, ValueKind::embedding)) value.row(place) *= factor;
  }
};

// log p of each right word.
RowVector<double> log_probabilities(const Transformer<double>& model, const Batch& batch, int place,
                                    double factor) {
  ScaledWord tap;
  tap.place = place;
  tap.factor = factor;
  Saved<double> saved;
  model.forward(batch, saved, tap);
  RowVector<double> logs(batch.target_out.tokens());
  for (int row = 0; row < logs.size(); ++row) {
    const RowVector<double> logits = saved.logits.row(row);
    logs[row] = logits[batch.target_out.id(row)] - std::log(logits.array().exp().sum());
  }
  return logs;
}

TEST_CASE("gradient and muting are those of the model in double, attention is its row") {
  const std::vector<int> source = {5, 9, 4, 5}, target = {6, 4, 10};
  for (NamedConfig each : varied_configs()) {
    CAPTURE(each.name);
    each.config.source_bos = true;
    Transformer<float> model(each.config);
    model.initialize(7);
    const std::vector<Matrix<double>> scores = source_scores(model, source, target);
    const auto heads = static_cast<std::size_t>(each.config.heads);
    REQUIRE(scores.size() == static_cast<std::size_t>(each.config.decoder_layers) * (heads + 1) + 2);
    const Trace trace = record_trace(model, {{source}, {target}});
    Matrix<double> mean = Matrix<double>::Zero(3, 4);
    for (int head = 0; head < each.config.heads; ++head) {
      const Matrix<double>& weights = scores[static_cast<std::size_t>(head)];
      const Plane plane = trace.plane("decoder.layers.0.cross_attn.weights", 0, head);
      for (int word = 0; word < 3; ++word)
        for (int piece = 0; piece < 4; ++piece)  // behind bos
          CHECK(weights(word, piece) == static_cast<double>(plane(word, piece + 1)));
      mean += weights / each.config.heads;
    }
    CHECK((scores[heads] - mean).norm() < 1e-12);

    const Transformer<double> exact = model.cast<double>();
    const Batch batch = make_batch({{source}}, {{target}}, each.config);
    constexpr double kStep = 1e-5;
    for (int piece = 0; piece < 4; ++piece) {
      const auto with = [&](double factor) { return log_probabilities(exact, batch, piece + 1, factor); };
      const RowVector<double> slope = (with(1 + kStep) - with(1 - kStep)) / (2 * kStep);
      const RowVector<double> fall = with(1) - with(0);
      for (int word = 0; word < 3; ++word) {
        CHECK(scores[scores.size() - 2](word, piece) ==
              doctest::Approx(std::abs(slope[word])).epsilon(1e-3).scale(0.1));
        CHECK(scores.back()(word, piece) == doctest::Approx(fall[word]).epsilon(1e-3).scale(0.1));
      }
    }
  }
}

Tokenizers letters() {
  std::vector<std::string> sources, targets;
  for (const SentencePair& pair : Grammar::parse(kAlignedGrammar, "tiny").generate(3, 1)) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  const TokenizerOptions options{.kind = TokenizerKind::character, .pieces = 0};
  return {train_tokenizer(sources, options), train_tokenizer(targets, options)};
}

Transformer<float> model_of(const Tokenizers& tokenizers, int max_length = 40) {
  Config config = small_config();
  config.source_vocab = tokenizers.source->size();
  config.target_vocab = tokenizers.target->size();
  config.max_length = max_length;
  Transformer<float> model(config);
  model.initialize(3);
  return model;
}

TEST_CASE("heads that read all letters alike link to the longest word") {
  const Tokenizers tokenizers = letters();
  Transformer<float> model = model_of(tokenizers);
  Attention<float>& blind = model.decoder_layers[1].cross_attention;
  blind.input.weight.topRows(model.config.d_model).setZero();
  blind.input.bias.head(model.config.d_model).setZero();
  const AlignmentErrors errors = alignment_errors(model, tokenizers, {aligned_pair("to the red cat.")});
  // "the", the first of three: possible for Au, wrong for the others.
  REQUIRE(errors.heads.size() == 2);
  for (const double head : errors.heads[1]) CHECK(head == doctest::Approx(100 * (1 - 1.0 / 6)));
  CHECK(errors.layers[1] == doctest::Approx(100 * (1 - 1.0 / 6)));
  CHECK(errors.diagonal == doctest::Approx(100 * (1 - 2.0 / 6)));
}

TEST_CASE("the error rates are the same on any number of threads") {
  const Tokenizers tokenizers = letters();
  const Transformer<float> model = model_of(tokenizers);
  const std::vector<AlignedPair> pairs = Grammar::parse(kAlignedGrammar, "tiny").generate_aligned(3, 1);
  WorkerPool pool(3);
  const AlignmentErrors alone = alignment_errors(model, tokenizers, pairs);
  const AlignmentErrors together = alignment_errors(model, tokenizers, pairs, &pool);
  CHECK(alone.heads == together.heads);
  CHECK(alone.layers == together.layers);
  CHECK(alone.gradient == together.gradient);
  CHECK(alone.muting == together.muting);
  for (const double rate : {alone.gradient, alone.muting, alone.diagonal}) {
    CHECK(rate >= 0);
    CHECK(rate <= 100);
  }
}

TEST_CASE("a model without tokenizers and a pair that is too long are refused") {
  const Tokenizers tokenizers = letters();
  const std::vector<AlignedPair> pairs = {aligned_pair("to the red cat.")};
  CHECK(refusal([&] { alignment_errors(model_of(tokenizers), {}, pairs); }).find("without") !=
        std::string::npos);
  CHECK_THROWS_AS(alignment_errors(model_of(tokenizers, 10), tokenizers, pairs), Error);
}

TEST_CASE("the pairs that a run held out have links again") {
  DataOptions options;
  options.training.grammar = source_folder() + "/assets/grammars/english-french.grammar";
  options.training.pairs = 400;
  options.validation_pairs = 30;
  options.seed = 6;
  const std::vector<SentencePair> held_out = plain_pairs(options).validation;
  REQUIRE(held_out.size() == 30);
  const std::vector<AlignedPair> aligned = aligned_pairs(options, held_out);
  REQUIRE(aligned.size() == held_out.size());
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    CHECK(aligned[i].text == held_out[i]);
    CHECK(!aligned[i].target.empty());
  }
}

TEST_CASE("pairs of no grammar, or of one that has changed, have no links") {
  DataOptions task;
  task.training.task = "reverse";
  CHECK(refusal([&] { aligned_pairs(task, {}); }).find("a grammar's pairs alone, found reverse") !=
        std::string::npos);

  const ScratchFolder folder;
  DataOptions options;
  options.training.grammar = folder.write("tiny.grammar", kAlignedGrammar);
  options.training.pairs = 3;
  const std::string changed = refusal([&] {
    aligned_pairs(options, {{"to the red cat.", "Au chat bleu."}});
  });
  CHECK(changed.find("tiny.grammar") != std::string::npos);
  CHECK(changed.find("found none; choose test pairs that the run held out") != std::string::npos);
}

}  // namespace
