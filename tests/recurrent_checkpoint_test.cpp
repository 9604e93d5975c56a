#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/files/atomic_file.h"
#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/model/checkpoint.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/recurrent/recurrent_decoder.h"
#include "tests/fault_disk.h"
#include "tests/recurrent_helpers.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

using namespace glassformer;
using glassformer::testing::at_each_operation;
using glassformer::testing::Fault;
using glassformer::testing::refusal;

namespace {

std::string said_of(const std::string& folder) {
  return refusal([&] { load_recurrent_checkpoint(folder); });
}

void check_is_refused(const std::string& folder, const std::string& because) {
  const std::string said = said_of(folder);
  CAPTURE(said);
  CHECK(said.find(because) != std::string::npos);
  CHECK(said.starts_with(folder));
  CHECK(said.find('\n') == std::string::npos);
}

// As a damaged file comes to be: nothing waits for the disk.
void overwrite(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A model of additive attention in a folder of its own, to be broken.
struct SavedModel {
  SavedModel() { save(); }
  void save() const { save_recurrent_model(folder, model, {}); }
  void write_config(const nlohmann::json& json) const { write_atomically(config_path, json.dump()); }
  std::vector<TensorToWrite> tensors() const {
    std::vector<TensorToWrite> all;
    model.visit([&](const std::string& name, Parameter<const float> tensor) {
      all.push_back({name, tensor.shape(), tensor.data});
    });
    return all;
  }

  ScratchFolder scratch;
  RecurrentConfig config = small_recurrent_config(RecurrentAttention::additive);
  RecurrentModel<float> model = random_recurrent_model<float>(config, 3);
  std::string folder = scratch.path("m");
  std::string config_path = folder + "/config.json", weights_path = folder + "/weights.safetensors";
};

}  // namespace

TEST_CASE("a recurrent model comes back to the bit, computes the same; its tensors have PyTorch's names") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const ScratchFolder scratch;
    const RecurrentModel<float> model = random_recurrent_model<float>(each.config, 4);
    save_recurrent_model(scratch.path("m"), model, {});
    const RecurrentCheckpoint loaded = load_recurrent_checkpoint(scratch.path("m"));
    CHECK(loaded.folder == scratch.path("m"));
    CHECK(loaded.tokenizers.source == nullptr);
    CHECK(loaded.model->config == each.config);
    CHECK(numbers_of(*loaded.model) == numbers_of(model));
    const std::vector<std::vector<int>> sources = {{4, 5, 6, 3}, {7, 3}};
    const auto a = decode(model, sources, {}), b = decode(*loaded.model, sources, {});
    for (std::size_t i = 0; i < 2; ++i) CHECK(a[i].log_probabilities == b[i].log_probabilities);

    const Safetensors file = Safetensors::read(scratch.path("m/weights.safetensors"));
    CHECK(file.at("encoder.weight_ih_l0").shape == std::vector<long>{18, 6});
    CHECK(file.at("decoder.bias_hh_l1").shape == std::vector<long>{18});
    CHECK(file.contains("attention.score.weight") == (each.name == "additive"));
    CHECK(holds_recurrent_model(scratch.path("m")));
  }
}

TEST_CASE("tokenizers come back with a recurrent model, shared or one a side, and must fit") {
  const ScratchFolder scratch;
  RecurrentConfig config = small_recurrent_config(RecurrentAttention::dot);
  config.source_vocab = config.target_vocab = 6;
  const auto signs = load_tokenizer("characters", "<p>\n<u>\n<b>\n<e>\n \nx\n", {}, "here");
  const auto words = load_tokenizer("words", "<p>\n<u>\n<b>\n<e>\none\ntwo\n", {}, "here");
  const std::string folder = scratch.path("m");
  save_recurrent_model(folder, random_recurrent_model<float>(config, 1), {signs, signs});
  Tokenizers loaded = load_recurrent_checkpoint(folder).tokenizers;
  REQUIRE(loaded.source != nullptr);
  CHECK(loaded.source == loaded.target);
  CHECK(loaded.source->encode("x x").size() == 3);
  save_recurrent_model(folder, random_recurrent_model<float>(config, 1), {signs, words});
  loaded = load_recurrent_checkpoint(folder).tokenizers;
  CHECK(loaded.source->kind() == TokenizerKind::character);
  CHECK(loaded.target->kind() == TokenizerKind::word);
  CHECK(!std::filesystem::exists(folder + "/shared.vocab"));
  config.target_vocab = 7;
  save_recurrent_model(folder, random_recurrent_model<float>(config, 1), {signs, words});
  check_is_refused(folder, "expected 7 tokens as config.json says, found 6");
  write_atomically(folder + "/tokenizer.json", R"({"source": {"kind": "emoji"}})");
  check_is_refused(folder, "sentencepiece");
}

TEST_CASE("a broken recurrent folder is refused in words") {
  const SavedModel saved;
  CHECK(said_of(saved.folder) == "no error");
  check_is_refused(saved.scratch.path("nothing"), "config.json");
  std::filesystem::remove(saved.weights_path);
  check_is_refused(saved.folder, "weights.safetensors");
  saved.save();
  std::filesystem::remove(saved.config_path);
  check_is_refused(saved.folder, "config.json");
  CHECK(!holds_recurrent_model(saved.folder));

  nlohmann::json json = to_json(saved.config);
  const auto with = [&](const char* key, const nlohmann::json& value, const char* because) {
    nlohmann::json changed = json;
    changed[key] = value;
    saved.write_config(changed);
    check_is_refused(saved.folder, because);
  };
  with("width", 7, "must have the shape");
  with("layers", 1, "does not belong to the model");
  with("layers", 3, "\"encoder.weight_ih_l2\" is missing");
  with("recurrent_attention", "dot", "does not belong to the model");
  with("source_vocab", 12, "must have the shape");
  // Nothing of such a size is asked of the memory.
  with("width", 65536, "too small for the model");
  with("layers", 1000, "is missing");
  with("target_vocab", 16 << 20, "too small for the model");
  json["layers"] = 1000;
  with("width", 65536, "too small for the model");
}

TEST_CASE("weights of a recurrent model that are not its own or no numbers are refused by their tensor") {
  const SavedModel saved;
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
    RecurrentModel<float> model = saved.model;
    model.decoder[1].state_bias[4] = wrong;
    save_recurrent_model(saved.folder, model, {});
    check_is_refused(saved.folder, "\"decoder.bias_hh_l1\" holds NaN or infinity (number 5 of 18)");
  }
  std::vector<TensorToWrite> tensors = saved.tensors();
  tensors.push_back({"left.over", {1}, tensors.front().data});
  write_safetensors(saved.weights_path, tensors);
  check_is_refused(saved.folder, "\"left.over\" does not belong");
  tensors = saved.tensors();
  tensors.erase(tensors.begin() + 2);
  write_safetensors(saved.weights_path, tensors);
  check_is_refused(saved.folder, "is missing");
  tensors = saved.tensors();
  const std::vector<std::int16_t> shorts(10000);
  tensors[0] = {tensors[0].name, tensors[0].shape, nullptr, shorts.data()};
  write_safetensors(saved.weights_path, tensors);
  check_is_refused(saved.folder, "I16");
}

TEST_CASE("a recurrent folder that is cut off anywhere is refused") {
  const SavedModel saved;
  const std::string weights = read_file(saved.weights_path), config = read_file(saved.config_path);
  for (std::size_t size = 0; size < weights.size(); size += size < 2600 ? 13 : 101) {
    CAPTURE(size);
    overwrite(saved.weights_path, weights.substr(0, size));
    check_is_refused(saved.folder, "weights.safetensors");
  }
  overwrite(saved.weights_path, weights.substr(0, weights.size() - 1));
  check_is_refused(saved.folder, "weights.safetensors");
  overwrite(saved.weights_path, weights);
  for (std::size_t size = 0; size + 2 < config.size(); ++size) {
    CAPTURE(size);
    overwrite(saved.config_path, config.substr(0, size));
    check_is_refused(saved.folder, "config.json");
  }
}

TEST_CASE("a recurrent folder with any byte changed loads finite numbers or is refused in a sentence") {
  const SavedModel saved;
  const std::string weights = read_file(saved.weights_path), config = read_file(saved.config_path);
  Random random(5);
  int refused = 0, loaded = 0;
  for (int i = 0; i < 1500; ++i) {
    const bool in_config = i % 3 == 0;
    std::string bytes = in_config ? config : weights;
    const int where = random.below(static_cast<int>(in_config ? bytes.size() : 2600));
    const int change = 1 + random.below(255);
    CAPTURE(in_config);
    CAPTURE(where);
    CAPTURE(change);
    auto& byte = bytes[static_cast<std::size_t>(where)];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ change);
    overwrite(in_config ? saved.config_path : saved.weights_path, bytes);
    const std::string said = said_of(saved.folder);
    if (said == "no error") {
      ++loaded;
      const RecurrentCheckpoint checkpoint = load_recurrent_checkpoint(saved.folder);
      CHECK(std::ranges::all_of(numbers_of(*checkpoint.model), [](float x) { return std::isfinite(x); }));
    } else {
      ++refused;
      CAPTURE(said);
      CHECK(said.find(saved.folder) != std::string::npos);
      CHECK(said.find('\n') == std::string::npos);
    }
    overwrite(in_config ? saved.config_path : saved.weights_path, in_config ? config : weights);
  }
  CHECK(refused > 700);
  CHECK(loaded > 5);
}

TEST_CASE("a Transformer and a recurrent model are told from each other in one sentence") {
  const SavedModel saved;
  CHECK(refusal([&] { load_checkpoint(saved.folder); }) ==
        saved.config_path +
            ": this is a recurrent model, and a Transformer is wanted here; choose another folder, or use it "
            "on the command line");
  Snapshot snapshot;
  snapshot.config.d_model = 8;
  snapshot.config.heads = 2;
  snapshot.config.encoder_layers = snapshot.config.decoder_layers = 1;
  snapshot.config.source_vocab = snapshot.config.target_vocab = 9;
  snapshot.weights = std::make_shared<Transformer<float>>(snapshot.config);
  const std::string folder = saved.scratch.path("transformer");
  save_model(folder, snapshot, {});
  check_is_refused(folder, "config.json: this is no recurrent model");
  CHECK(!holds_recurrent_model(folder));
  CHECK(!holds_recurrent_model(saved.scratch.path("nothing")));
}

TEST_CASE("a save of a recurrent model that anything strikes leaves the old numbers or the new") {
  const RecurrentConfig config = small_recurrent_config(RecurrentAttention::dot);
  const RecurrentModel<float> before = random_recurrent_model<float>(config, 1),
                              after = random_recurrent_model<float>(config, 2);
  for (const Fault fault : {Fault::broken, Fault::full, Fault::read_only, Fault::killed, Fault::power_cut}) {
    for (const bool there : {false, true}) {
      const int operations = at_each_operation(
          fault,
          [&](const ScratchFolder& folder) {
            if (there) save_recurrent_model(folder.path("m"), before, {});
            return 0;
          },
          [&](const ScratchFolder& folder, int) { save_recurrent_model(folder.path("m"), after, {}); },
          [&](const ScratchFolder& folder, bool done) {
            const std::string place = folder.path("m");
            const std::string said = said_of(place);
            if (done || there) CHECK(said == "no error");
            if (said == "no error") {
              const auto numbers = numbers_of(*load_recurrent_checkpoint(place).model);
              CHECK((numbers == numbers_of(after) || (there && !done && numbers == numbers_of(before))));
            }
            save_recurrent_model(place, after, {});
            CHECK(numbers_of(*load_recurrent_checkpoint(place).model) == numbers_of(after));
          });
      CHECK(operations > 10);
    }
  }
}

TEST_CASE("files of somebody's are not replaced by a recurrent model") {
  const SavedModel saved;
  const std::string folder = saved.scratch.path("theirs");
  std::filesystem::create_directory(folder);
  write_atomically(folder + "/config.json", "mine");
  CHECK(refusal([&] { save_recurrent_model(folder, saved.model, {}); }) != "no error");
  CHECK(read_file(folder + "/config.json") == "mine");
  CHECK(!std::filesystem::exists(folder + "/weights.safetensors"));
}
