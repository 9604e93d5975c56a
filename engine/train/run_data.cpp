#include "engine/train/run_data.h"

#include <array>
#include <cstdint>
#include <utility>

#include "engine/math/error.h"
#include "engine/math/text_hash.h"
#include "engine/model/checkpoint.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/train/run_folder.h"
#include "engine/train/run_json.h"
#include "engine/train/trainer_state.h"

namespace glassformer {

namespace {

// What a folder says of its data, whatever the kind of its model.
struct Kept {
  Tokenizers tokenizers;
  nlohmann::json training;  // null: no training.json
};
Kept kept_in(const std::string& folder) {
  if (!holds_recurrent_model(folder)) {
    Checkpoint checkpoint = load_checkpoint(folder);
    return {std::move(checkpoint.tokenizers), std::move(checkpoint.training)};
  }
  return {load_recurrent_checkpoint(folder).tokenizers, read_record(folder)};
}

}  // namespace

DataOptions run_data_options(const std::string& folder) {
  const nlohmann::json training = kept_in(folder).training;
  if (!training.is_object() || !training.contains("data"))
    throw Error(folder,
                "there is no training.json that tells of a run, so it cannot go on; train a new model");
  const nlohmann::json& data = training.at("data");
  if (!data.is_object() || !data.contains("origin") || !data.at("origin").is_object())
    throw Error(folder + "/training.json", "it does not say where the data came from; name them again");
  return recorded_origin(data);
}

std::shared_ptr<const TrainingSet> run_data(const std::string& folder, const DataOptions& options,
                                            const DataProgress& progress) {
  return std::make_shared<TrainingSet>(
      training_set(prepare_data(options, progress, kept_in(folder).tokenizers), options));
}

namespace {

// Of numbers, a byte at a time.
class Hash {
 public:
  void add(std::uint32_t number) {
    std::array<char, 4> bytes{};
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<char>((number >> (8 * i)) & 0xFFU);
    hash_ = text_hash({bytes.data(), bytes.size()}, hash_);
  }
  void add(const std::vector<EncodedPair>& pairs) {
    add(static_cast<std::uint32_t>(pairs.size()));
    for (const EncodedPair& pair : pairs)
      for (const std::vector<int>* ids : {&pair.source, &pair.target}) {
        add(static_cast<std::uint32_t>(ids->size()));
        for (const int id : *ids) add(static_cast<std::uint32_t>(id));
      }
  }
  std::string text() const { return hash_digits(hash_); }

 private:
  std::uint64_t hash_ = kHashOfNothing;
};

}  // namespace

std::string fingerprint(const TrainingSet& data) {
  Hash hash;
  hash.add(data.training);
  hash.add(data.validation);
  return hash.text();
}

}  // namespace glassformer
