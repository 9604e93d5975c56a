// A model's folder of either kind, for whoever translates with it or measures it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/train/evaluation.h"
#include "engine/train/translation.h"

namespace glassformer {

class AnyModel {
 public:
  // Throws Error on anything missing, broken or not fitting the configuration.
  static AnyModel load(const std::string& folder);

  const std::string& folder() const { return folder_; }
  const Tokenizers& tokenizers() const;
  int source_vocab() const;
  nlohmann::json training() const;  // training.json; null when the folder has none
  std::vector<std::string> notes() const;
  LengthPenalty length_penalty() const;  // of beam search, unless another is asked for
  // Null: it is a recurrent model.
  const Checkpoint* transformer() const { return std::get_if<Checkpoint>(&model_); }
  // Throws Error for a recurrent model, which `what` is not for ("--what-if").
  const Checkpoint& only_transformer(const std::string& what) const;

  std::vector<Translation> translate(const std::vector<std::string>& lines, const DecodeOptions& options,
                                     const LineChanges& changes) const;
  std::optional<Evaluation> evaluate(const std::vector<SentencePair>& pairs,
                                     const EvaluationOptions& options) const;

 private:
  std::string folder_;
  std::variant<Checkpoint, RecurrentCheckpoint> model_;
};

// What a command says that a recurrent model has not.
Error not_of_recurrent(const std::string& folder, const std::string& what);

}  // namespace glassformer
