#include "engine/train/evaluation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/text/clean.h"
#include "engine/text/reading.h"
#include "engine/text/unicode.h"
#include "engine/train/batches.h"
#include "engine/train/bleu.h"
#include "engine/train/translation.h"

namespace glassformer {
bool fits(const EncodedPair& pair, const Config& config) {
  const auto longest = static_cast<std::size_t>(config.max_length);
  const std::size_t source = pair.source.size() + static_cast<std::size_t>(config.source_specials());
  return source >= 1 && source <= longest && pair.target.size() + 1 <= longest;
}

namespace {

constexpr int kBatchTokens = 4000;

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

// Pairs that fit the model, and their batches.
struct FittingPairs {
  FittingPairs(const std::vector<EncodedPair>& all, const Config& model) : pairs(all), config(model) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!fits(pairs[i], config)) continue;
      kept.push_back(i);
      lengths.push_back({.source = static_cast<int>(pairs[i].source.size()) + 1,
                         .target = static_cast<int>(pairs[i].target.size()) + 1});
    }
  }
  // `indices` of kept.
  Batch batch(const std::vector<int>& indices) const {
    std::vector<std::vector<int>> sources, targets;
    for (const int index : indices) {
      const EncodedPair& pair = pairs[kept[static_cast<std::size_t>(index)]];
      sources.push_back(pair.source);
      targets.push_back(pair.target);
    }
    return make_batch(sources, targets, config);
  }

  const std::vector<EncodedPair>& pairs;
  Config config;
  std::vector<std::size_t> kept;
  std::vector<PairLength> lengths;
};

void add_loss(const Batch& batch, const Loss& loss, const Matrix<float>& logits, TeacherForced& sums) {
  const auto words = static_cast<double>(loss.tokens);
  sums.loss += loss.loss * words;
  sums.nll += loss.nll * words;
  sums.token_accuracy += loss.token_accuracy * words;
  sums.tokens += loss.tokens;
  sums.exact_match += static_cast<double>(exactly_right(batch, logits));
  sums.sentences += batch.sentences();
}

TeacherForced means_of(TeacherForced sums) {
  if (sums.tokens > 0) {
    const auto words = static_cast<double>(sums.tokens);
    sums.loss /= words;
    sums.nll /= words;
    sums.token_accuracy /= words;
    sums.exact_match /= static_cast<double>(sums.sentences);
  }
  return sums;
}

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
  if (options.look) options.look(batch, saved, model.model().config.heads);
  add_loss(batch, model.model().loss(batch, saved, {.smoothing = options.smoothing}), saved.logits, sums);
}

}  // namespace

std::optional<TeacherForced> teacher_forced(const Transformer<float>& model,
                                            const std::vector<EncodedPair>& pairs,
                                            const TeacherForcing& options) {
  FittingPairs fitting(pairs, model.config);
  Saved<float> saved;
  saved.pool = options.pool;
  TeacherForced sums;
  // Changes are each pair's own: one at a time.
  for (std::size_t i = 0; i < fitting.kept.size() && !options.changes.empty(); ++i) {
    if (options.keep_going && !options.keep_going()) return std::nullopt;
    const ChangesInForce& changes = options.changes[fitting.kept[i]];
    add_batch({model, changes.what_if, changes.substitutes}, fitting.batch({static_cast<int>(i)}), options,
              saved, sums);
  }
  if (!options.changes.empty()) fitting.lengths.clear();
  const ChangedModel<float> untouched(model, {});
  for (const std::vector<int>& indices : plan_sorted(fitting.lengths, kBatchTokens)) {
    if (options.keep_going && !options.keep_going()) return std::nullopt;
    add_batch(untouched, fitting.batch(indices), options, saved, sums);
  }
  return means_of(sums);
}

std::optional<TeacherForced> teacher_forced(const RecurrentModel<float>& model,
                                            const std::vector<EncodedPair>& pairs,
                                            const TeacherForcing& options) {
  const FittingPairs fitting(pairs, batch_config(model.config));
  RecurrentSaved<float> saved;
  saved.pool = options.pool;
  TeacherForced sums;
  for (const std::vector<int>& indices : plan_sorted(fitting.lengths, kBatchTokens)) {
    if (options.keep_going && !options.keep_going()) return std::nullopt;
    const Batch batch = fitting.batch(indices);
    model.forward(batch, saved);
    add_loss(saved.words, model.loss(saved, {.smoothing = options.smoothing}), saved.logits, sums);
  }
  return means_of(sums);
}

namespace {

// As translate and the window read them.
std::vector<std::string> sources_as_read(const std::vector<SentencePair>& pairs,
                                         const Tokenizers& tokenizers) {
  std::vector<std::string> sources;
  for (const SentencePair& pair : pairs)
    sources.push_back(tokenizers.source ? readable(*tokenizers.source, pair.source) : pair.source);
  return sources;
}

// How good what a model wrote on its own is.
Evaluation scored(const std::vector<SentencePair>& pairs, const std::vector<Translation>& translations,
                  const EvaluationOptions& options) {
  std::vector<std::string> references;
  for (const SentencePair& pair : pairs) references.push_back(pair.target);
  Evaluation result;
  result.sentences = static_cast<long>(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    result.translations.push_back(translations[i].text);
    result.right.push_back(translations[i].problem.empty() &&
                           comparable(translations[i].text, options.lowercase) ==
                               comparable(references[i], options.lowercase));
    const std::vector<double>& words = translations[i].result.log_probabilities;
    result.log_probabilities.push_back(std::accumulate(words.begin(), words.end(), 0.0));
  }
  const auto right = std::ranges::count(result.right, true);
  if (!pairs.empty()) result.exact_match = static_cast<double>(right) / static_cast<double>(pairs.size());
  const BleuOptions bleu_options{.lowercase = options.lowercase, .words = options.bleu_words};
  std::vector<std::vector<std::string>> all = options.more_references;
  all.insert(all.begin(), references);
  result.bleu = bleu_of_several(result.translations, all, bleu_options).score;
  result.chrf2 = chrf2_of_several(result.translations, all);
  result.signature = bleu_signature(bleu_options, all.size());
  return result;
}

// And how sure it is of the right words.
void add_forced(const TeacherForced& forced, Evaluation& result) {
  result.left_out = result.sentences - forced.sentences;
  result.loss = forced.loss;
  result.nll = forced.nll;
  result.perplexity = std::exp(forced.nll);
  result.token_accuracy = forced.token_accuracy;
}

}  // namespace

std::vector<EncodedPair> pairs_as_read(const std::vector<SentencePair>& pairs, const Tokenizers& tokenizers) {
  const std::vector<std::string> sources = sources_as_read(pairs, tokenizers);
  std::vector<SentencePair> clean;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    clean.push_back({cleaned(sources[i]), cleaned(pairs[i].target)});
  return encode_pairs(clean, tokenizers);
}

std::optional<Evaluation> evaluate(const Snapshot& model, const Tokenizers& tokenizers,
                                   const std::vector<SentencePair>& pairs, const EvaluationOptions& options) {
  const std::vector<std::string> sources = sources_as_read(pairs, tokenizers);
  const auto translations =
      translate_lines(model, tokenizers, sources, options.decode, options.progress, options.changes);
  if (translations.size() != pairs.size()) return std::nullopt;
  Evaluation result = scored(pairs, translations, options);
  std::vector<ChangesInForce> changes;
  for (const Translation& translation : translations) {
    if (options.changes) changes.push_back(translation.changes);
  }
  add_forced(*teacher_forced(*model.weights, pairs_as_read(pairs, tokenizers),
                             {.smoothing = options.smoothing,
                              .pool = options.decode.pool,
                              .changes = changes,
                              .look = options.look}),
             result);
  return result;
}

std::optional<Evaluation> evaluate(const RecurrentModel<float>& model, const Tokenizers& tokenizers,
                                   const std::vector<SentencePair>& pairs, const EvaluationOptions& options) {
  const std::vector<std::string> sources = sources_as_read(pairs, tokenizers);
  const auto translations = translate_lines(model, tokenizers, sources, options.decode, options.progress);
  if (translations.size() != pairs.size()) return std::nullopt;
  Evaluation result = scored(pairs, translations, options);
  add_forced(*teacher_forced(model, pairs_as_read(pairs, tokenizers),
                             {.smoothing = options.smoothing, .pool = options.decode.pool}),
             result);
  return result;
}

}  // namespace glassformer
