// How good a model is on sentence pairs: what it makes of them on its own, and how sure it is of the right
// words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/model/model.h"
#include "engine/text/corpus.h"
#include "engine/train/trainer.h"

namespace glassformer {

// Means over the target tokens, the right words given (teacher forcing), without dropout.
struct TeacherForced {
  double loss = 0;  // label-smoothed
  double nll = 0;
  double token_accuracy = 0;  // 0 to 1
  long tokens = 0;            // target tokens, eos counted
};

// Pairs longer than the model's max_length are left out. `keep_going` is asked between batches; false gives
// nullopt.
std::optional<TeacherForced> teacher_forced(const Transformer<float>& model,
                                            const std::vector<EncodedPair>& pairs, double smoothing,
                                            const std::function<bool()>& keep_going = {});

struct EvaluationOptions {
  DecodeOptions decode;
  double smoothing = 0.1;
  bool lowercase = false;                             // for BLEU and exact match
  std::function<bool(long done, long all)> progress;  // asked between batches; false gives up
};

struct Evaluation {
  long sentences = 0;
  double loss = 0, nll = 0, perplexity = 0, token_accuracy = 0;
  double exact_match = 0;                 // 0 to 1: the translation equals the reference letter for letter
  double bleu = 0;                        // 0 to 100
  std::string signature;                  // of the BLEU
  std::vector<std::string> translations;  // in the order of the pairs
};

// Empty lines stay; a source too long for the model counts as wrong and is translated to nothing. Throws
// Error when the model has no tokenizers. nullopt when `progress` gave up.
std::optional<Evaluation> evaluate(const Snapshot& model, const Tokenizers& tokenizers,
                                   const std::vector<SentencePair>& pairs, const EvaluationOptions& options);

// Translates ids in batches of similar length, results in the order of the sources (ids as the model wants
// them, eos included where it ends the source). An empty result when `keep_going` said no.
std::vector<DecodeResult> translate_all(const Transformer<float>& model,
                                        const std::vector<std::vector<int>>& sources,
                                        const DecodeOptions& options,
                                        const std::function<bool(long done, long all)>& keep_going = {});

}  // namespace glassformer
