// How good a model is on sentence pairs: what it makes of them on its own, and how sure it is of the right
// words.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/model/saved.h"
#include "engine/model/snapshot.h"
#include "engine/recurrent/recurrent_model.h"
#include "engine/text/data.h"
#include "engine/train/bleu.h"
#include "engine/train/translation.h"

namespace glassformer {

// Means over the target tokens, the right words given (teacher forcing), without dropout.
struct TeacherForced {
  double loss = 0;  // label-smoothed
  double nll = 0;
  double token_accuracy = 0;  // 0 to 1
  // 0 to 1: sentences whose every token, eos included, is the most likely one. Where the right words so far
  // are those that the model would choose, greedy search goes the same way: this is its exact match, without
  // the search.
  double exact_match = 0;
  long sentences = 0, tokens = 0;  // target tokens, eos counted
};

// Sees each batch of right words that a Transformer has read.
using ForcedLook = std::function<void(const Batch& batch, const Saved<float>& saved, int heads)>;

struct TeacherForcing {
  double smoothing = 0.1;
  WorkerPool* pool = nullptr;                    // never changes a result
  std::function<bool()> keep_going = {};         // asked between batches; false aborts
  std::span<const ChangesInForce> changes = {};  // for each pair; empty: none
  ForcedLook look = {};
};

// Pairs longer than the model's max_length are left out. nullopt when `keep_going` gave up.
std::optional<TeacherForced> teacher_forced(const Transformer<float>& model,
                                            const std::vector<EncodedPair>& pairs,
                                            const TeacherForcing& options = {});
// A recurrent model has no changes.
std::optional<TeacherForced> teacher_forced(const RecurrentModel<float>& model,
                                            const std::vector<EncodedPair>& pairs,
                                            const TeacherForcing& options = {});

struct EvaluationOptions {
  DecodeOptions decode;
  double smoothing = 0.1;
  bool lowercase = false;  // for BLEU and exact match
  BleuWords bleu_words = BleuWords::wmt_13a;
  std::vector<std::vector<std::string>> more_references =
      {};                                                  // a list as long as the pairs each; for BLEU, chrF
  LineChanges changes = {};                                // in force for each sentence
  std::function<bool(long done, long all)> progress = {};  // asked between batches; false aborts
  ForcedLook look = {};
};

struct Evaluation {
  long sentences = 0;
  long left_out = 0;  // of them by the loss, being too long; when all are, the next four say nothing
  double loss = 0, nll = 0, perplexity = 0, token_accuracy = 0;
  double exact_match = 0;      // 0 to 1: the translation is the reference, letter for letter after cleaning
  double bleu = 0, chrf2 = 0;  // 0 to 100
  std::string signature;       // of the BLEU
  std::vector<std::string> translations;  // in the order of the pairs
  std::vector<bool> right;                // which of them are the reference
  std::vector<double> log_probabilities;  // of each translation, summed over its words
};

// Cleaned, the source as translate and the window read it (engine/text/reading.h), and cut into pieces.
std::vector<EncodedPair> pairs_as_read(const std::vector<SentencePair>& pairs, const Tokenizers& tokenizers);
bool fits(const EncodedPair& pair, const Config& config);  // it is not too long for the model

// Sources are read as translate and the window read them (engine/text/reading.h): unknown capitals small.
// Empty lines stay; a source too long for the model counts as wrong and is translated to nothing. The loss
// leaves out pairs that are too long. Throws Error when the model has no tokenizers. nullopt when `progress`
// gave up.
std::optional<Evaluation> evaluate(const Snapshot& model, const Tokenizers& tokenizers,
                                   const std::vector<SentencePair>& pairs, const EvaluationOptions& options);
std::optional<Evaluation> evaluate(const RecurrentModel<float>& model, const Tokenizers& tokenizers,
                                   const std::vector<SentencePair>& pairs, const EvaluationOptions& options);

}  // namespace glassformer
