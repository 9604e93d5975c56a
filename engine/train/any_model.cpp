#include "engine/train/any_model.h"

#include <filesystem>

#include "engine/files/json_file.h"
#include "engine/math/error.h"

namespace glassformer {

Error not_of_recurrent(const std::string& folder, const std::string& what) {
  return Error(folder, "it holds a recurrent model, and " + what + " is for Transformers alone");
}

AnyModel AnyModel::load(const std::string& folder) {
  AnyModel any;
  any.folder_ = folder;
  if (holds_recurrent_model(folder))
    any.model_ = load_recurrent_checkpoint(folder);
  else
    any.model_ = load_checkpoint(folder);
  return any;
}

const Tokenizers& AnyModel::tokenizers() const {
  return std::visit([](const auto& model) -> const Tokenizers& { return model.tokenizers; }, model_);
}

int AnyModel::source_vocab() const {
  const Checkpoint* model = transformer();
  return model ? model->snapshot.config.source_vocab
               : std::get<RecurrentCheckpoint>(model_).model->config.source_vocab;
}

nlohmann::json AnyModel::training() const {
  if (const Checkpoint* model = transformer()) return model->training;
  const std::string file = folder_ + "/training.json";
  return std::filesystem::exists(file) ? read_json(file) : nlohmann::json();
}

std::vector<std::string> AnyModel::notes() const {
  const Checkpoint* model = transformer();
  return model ? model->notes : std::vector<std::string>();
}

LengthPenalty AnyModel::length_penalty() const {
  const Checkpoint* model = transformer();
  return model ? model->snapshot.config.length_penalty : LengthPenalty::paper;
}

const Checkpoint& AnyModel::only_transformer(const std::string& what) const {
  if (const Checkpoint* model = transformer()) return *model;
  throw not_of_recurrent(folder_, what);
}

std::vector<Translation> AnyModel::translate(const std::vector<std::string>& lines,
                                             const DecodeOptions& options, const LineChanges& changes) const {
  if (const Checkpoint* model = transformer())
    return translate_lines(model->snapshot, model->tokenizers, lines, options, {}, changes);
  const auto& model = std::get<RecurrentCheckpoint>(model_);
  return translate_lines(*model.model, model.tokenizers, lines, options);
}

std::optional<Evaluation> AnyModel::evaluate(const std::vector<SentencePair>& pairs,
                                             const EvaluationOptions& options) const {
  if (const Checkpoint* model = transformer())
    return glassformer::evaluate(model->snapshot, model->tokenizers, pairs, options);
  const auto& model = std::get<RecurrentCheckpoint>(model_);
  return glassformer::evaluate(*model.model, model.tokenizers, pairs, options);
}

}  // namespace glassformer
