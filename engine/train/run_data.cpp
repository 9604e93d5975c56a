#include "engine/train/run_data.h"

#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/train/run_json.h"

namespace glassformer {

DataOptions run_data_options(const std::string& folder) {
  const Checkpoint checkpoint = load_checkpoint(folder);
  if (!checkpoint.training.is_object() || !checkpoint.training.contains("data"))
    throw Error(folder,
                "there is no training.json that tells of a run, so it cannot go on; train a new model");
  const nlohmann::json& data = checkpoint.training.at("data");
  if (!data.is_object() || !data.contains("origin") || !data.at("origin").is_object())
    throw Error(folder + "/training.json", "it does not say where the data came from; name them again");
  return recorded_origin(data);
}

std::shared_ptr<const TrainingSet> run_data(const std::string& folder, const DataOptions& options,
                                            const DataProgress& progress) {
  const Checkpoint checkpoint = load_checkpoint(folder);
  return std::make_shared<TrainingSet>(
      training_set(prepare_data(options, progress, checkpoint.tokenizers), options));
}

}  // namespace glassformer
