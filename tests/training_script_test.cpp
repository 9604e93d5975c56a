// What the folder of a run to be learned elsewhere holds. That PyTorch learns the same from it is the
// business of training_script_command_test.sh.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/export/training_script.h"
#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/model/weights_file.h"
#include "engine/train/run_data.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using testing::copying_config;
using testing::copying_set;
using testing::refusal;
using testing::small_options;

namespace {

Checkpoint begun() {
  Checkpoint model;
  model.folder = "runs/copying/";
  model.snapshot.config = copying_config();
  auto weights = std::make_shared<Transformer<float>>(model.snapshot.config);
  weights->initialize(7);
  model.snapshot.weights = weights;
  return model;
}

struct Exported {
  explicit Exported(const TrainingOptions& options, const LiveSettings& live = {}) {
    const TrainingScript script{
        .model = model, .data = data, .options = options, .live = live, .held_out = {{{"a", "b"}, {5, 6}}}};
    notes = export_training_script(script, source_folder() + "/assets/export", scratch.path("out"));
  }
  std::string path(const std::string& name) const { return scratch.path("out/" + name); }

  ScratchFolder scratch;
  Checkpoint model = begun();
  std::shared_ptr<const TrainingSet> data = copying_set();
  std::vector<std::string> notes;
};

}  // namespace

TEST_CASE("the plan of a training script is a run at step 0, with the settings of now") {
  TrainingOptions options = small_options();
  options.schedule = "cosine";
  options.steps = 40;
  options.average = 3;
  const Exported made(options, {.rate_scale = 0.5, .dropout = 0.25, .smoothing = 0.2, .clip = 2});
  const nlohmann::json plan = read_json(made.path("plan.json"));
  const nlohmann::json& record = plan["record"];
  CHECK(record["step"] == 0);
  CHECK(record["live"] ==
        nlohmann::json{{"rate_scale", 0.5}, {"dropout", 0.25}, {"smoothing", 0.2}, {"clip", 2}});
  CHECK(record["schedule"]["total_steps"] == 40);
  CHECK(record["options"]["average"] == 1);
  CHECK(made.notes.size() == 1);
  CHECK(record["curves"]["marks"][0]["text"] == "begun with the weights of copying, Adam anew, in PyTorch");
  CHECK(record["kept"]["validation_loss"].is_null());
  CHECK(plan["steps"] == 40);
  CHECK(plan["total_by_steps"] == true);
  CHECK(plan["validate_every"] == 5);
  CHECK(plan["look_pairs"] == 8);
  CHECK(plan["held_out_ids"] == nlohmann::json{{5, 6}});
  CHECK(read_config(made.scratch.path("out")).dropout == 0.25);
}

TEST_CASE("a training script has every parameter once, in order, each with its part") {
  const Exported made(small_options());
  const nlohmann::json plan = read_json(made.path("plan.json"));
  const Safetensors weights = Safetensors::read(made.path("weights.safetensors"));
  REQUIRE(plan["parameters"].size() == weights.entries().size());
  std::size_t next = 0;
  made.model.snapshot.weights->visit([&](const std::string& name, const Parameter<const float>& tensor) {
    CHECK(plan["parameters"][next++] == name);
    const std::vector<float> numbers = weights.floats(name);
    CHECK(std::equal(numbers.begin(), numbers.end(), tensor.data, tensor.data + tensor.size()));
  });
  CHECK(plan["parts"]["source_embedding.weight"] == 0);
  CHECK(plan["parts"]["decoder.layers.0.norm3.bias"] == 3);
  CHECK(plan["parts"]["output_projection.weight"] == 4);
}

TEST_CASE("a training script has the pairs as ids, and sentences of the first step to be checked") {
  const Exported made(small_options());
  const Safetensors pairs = Safetensors::read(made.path("pairs.safetensors"));
  std::vector<long> ids, lengths;
  for (const EncodedPair& pair : made.data->validation) {
    ids.insert(ids.end(), pair.target.begin(), pair.target.end());
    lengths.push_back(static_cast<long>(pair.target.size()));
  }
  CHECK(pairs.integers("validation.target") == ids);
  CHECK(pairs.integers("validation.target_lengths") == lengths);
  CHECK(pairs.at("training.source_lengths").count() == made.data->training.size());

  const Safetensors check = Safetensors::read(made.path("check.safetensors"));
  const auto out = check.integers("target_out"), in = check.integers("target_in");
  REQUIRE(in.size() == out.size());
  const Config config = copying_config();
  CHECK(in[0] == config.bos_id);
  CHECK(std::ranges::count(in, config.bos_id) == std::ranges::count(out, config.eos_id));
  CHECK(check.at("source").shape[0] == check.at("target_in").shape[0]);
}

TEST_CASE("a training script is an export: an older one gives way, anything else stays") {
  Exported made(small_options());
  const auto again = [&] {
    const TrainingScript script{
        .model = made.model, .data = made.data, .options = small_options(), .live = {}, .held_out = {}};
    export_training_script(script, source_folder() + "/assets/export", made.scratch.path("out"));
  };
  again();
  CHECK(read_json(made.path("plan.json"))["held_out"].empty());
  made.scratch.write("out/train.py", "mine");
  CHECK(refusal(again).find("it was changed since this program wrote it") != std::string::npos);
  CHECK(read_file(made.path("train.py")) == "mine");
}

TEST_CASE("mistakes made on purpose are not exported") {
  for (const char* const key : {"mask_future", "zero_after_softmax", "softmax_twice", "extra_padding"}) {
    nlohmann::json options = to_json(small_options());
    options[key] = std::string(key) == "extra_padding" ? nlohmann::json(2) : nlohmann::json(!options[key]);
    CHECK(refusal([&] { Exported made(training_options_from_json(options)); }).find(key) !=
          std::string::npos);
  }
}
