#include "engine/train/evaluation.h"

#include <algorithm>
#include <cmath>

#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/text/clean.h"
#include "engine/text/reading.h"
#include "engine/text/unicode.h"
#include "engine/train/batches.h"
#include "engine/train/bleu.h"
#include "engine/train/translation.h"

namespace glassformer {
namespace {

constexpr int kBatchTokens = 4000;

bool fits(const EncodedPair& pair, const Config& config) {
  const auto longest = static_cast<std::size_t>(config.max_length);
  const std::size_t source = pair.source.size() + (config.source_eos ? 1 : 0);
  return source >= 1 && source <= longest && pair.target.size() + 1 <= longest;
}

// Sentences that greedy search would get right to the last token.
long exactly_right(const Batch& batch, const Matrix<float>& logits) {  // (N_t, V_t)
  long right = 0;
  for (int sentence = 0; sentence < batch.sentences(); ++sentence) {
    bool all = true;
    for (int token = batch.target_out.begin(sentence); all && token < batch.target_out.begin(sentence + 1);
         ++token) {
      Eigen::Index best = 0;
      logits.row(token).maxCoeff(&best);
      all = best == batch.target_out.id(token);
    }
    right += all;
  }
  return right;
}

std::string comparable(const std::string& text, bool lowercase) {
  return lowercase ? to_lower(cleaned(text)) : cleaned(text);
}

}  // namespace

namespace {

// A batch of right words, with changes in force for its first sentence or all.
void add_batch(const ChangedModel<float>& model, Batch batch, const TeacherForcing& options,
               Saved<float>& saved, TeacherForced& sums) {
  if (model.what_if().empty()) {
    model.model().forward(batch, saved);
  } else {
    model.change(batch);
    WhatIfTap<float> tap = model.tap();
    tap.rows_of(batch);
    model.model().forward(batch, saved, tap);
  }
  const Loss loss = model.model().loss(batch, saved, {.smoothing = options.smoothing});
  const auto words = static_cast<double>(loss.tokens);
  sums.loss += loss.loss * words;
  sums.nll += loss.nll * words;
  sums.token_accuracy += loss.token_accuracy * words;
  sums.tokens += loss.tokens;
  sums.exact_match += static_cast<double>(exactly_right(batch, saved.logits));
  sums.sentences += batch.sentences();
}

}  // namespace

std::optional<TeacherForced> teacher_forced(const Transformer<float>& model,
                                            const std::vector<EncodedPair>& pairs,
                                            const TeacherForcing& options) {
  std::vector<int> kept;
  std::vector<PairLength> lengths;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!fits(pairs[i], model.config)) continue;
    kept.push_back(static_cast<int>(i));
    lengths.push_back({.source = static_cast<int>(pairs[i].source.size()) + 1,
                       .target = static_cast<int>(pairs[i].target.size()) + 1});
  }
  Saved<float> saved;
  saved.pool = options.pool;
  TeacherForced sums;
  // Changes are each pair's own: one at a time.
  for (std::size_t i = 0; i < kept.size() && !options.changes.empty(); ++i) {
    if (options.keep_going && !options.keep_going()) return std::nullopt;
    const auto index = static_cast<std::size_t>(kept[i]);
    add_batch(
        {model, options.changes[index].what_if, options.changes[index].substitutes},
        make_batch(std::span(&pairs[index].source, 1), std::span(&pairs[index].target, 1), model.config),
        options, saved, sums);
  }
  if (!options.changes.empty()) lengths.clear();
  const ChangedModel<float> untouched(model, {});
  for (const std::vector<int>& indices : plan_sorted(lengths, kBatchTokens)) {
    if (options.keep_going && !options.keep_going()) return std::nullopt;
    std::vector<std::vector<int>> sources, targets;
    for (const int index : indices) {
      const EncodedPair& pair = pairs[static_cast<std::size_t>(kept[static_cast<std::size_t>(index)])];
      sources.push_back(pair.source);
      targets.push_back(pair.target);
    }
    add_batch(untouched, make_batch(sources, targets, model.config), options, saved, sums);
  }
  if (sums.tokens > 0) {
    const auto words = static_cast<double>(sums.tokens);
    sums.loss /= words;
    sums.nll /= words;
    sums.token_accuracy /= words;
    sums.exact_match /= static_cast<double>(sums.sentences);
  }
  return sums;
}

std::optional<Evaluation> evaluate(const Snapshot& model, const Tokenizers& tokenizers,
                                   const std::vector<SentencePair>& pairs, const EvaluationOptions& options) {
  // Let the model translate on its own.
  std::vector<std::string> sources, references;
  for (const SentencePair& pair : pairs) {
    sources.push_back(tokenizers.source ? readable(*tokenizers.source, pair.source) : pair.source);
    references.push_back(pair.target);
  }
  const auto translations =
      translate_lines(model, tokenizers, sources, options.decode, options.progress, options.changes);
  if (translations.size() != pairs.size()) return std::nullopt;

  Evaluation result;
  result.sentences = static_cast<long>(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    result.translations.push_back(translations[i].text);
    result.right.push_back(translations[i].problem.empty() &&
                           comparable(translations[i].text, options.lowercase) ==
                               comparable(references[i], options.lowercase));
  }
  const auto right = std::ranges::count(result.right, true);
  if (!pairs.empty()) result.exact_match = static_cast<double>(right) / static_cast<double>(pairs.size());
  const BleuOptions bleu_options{.lowercase = options.lowercase};
  result.bleu = bleu(result.translations, references, bleu_options).score;
  result.signature = bleu_signature(bleu_options);

  // Ask how sure it is of the right words.
  std::vector<SentencePair> clean;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    clean.push_back({cleaned(sources[i]), cleaned(references[i])});
  std::vector<ChangesInForce> changes;
  for (const Translation& translation : translations) {
    if (options.changes) changes.push_back(translation.changes);
  }
  const auto forced =
      teacher_forced(*model.weights, encode_pairs(clean, tokenizers),
                     {.smoothing = options.smoothing, .pool = options.decode.pool, .changes = changes});
  result.left_out = result.sentences - forced->sentences;
  result.loss = forced->loss;
  result.nll = forced->nll;
  result.perplexity = std::exp(forced->nll);
  result.token_accuracy = forced->token_accuracy;
  return result;
}

}  // namespace glassformer
