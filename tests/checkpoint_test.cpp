#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/files/atomic_file.h"
#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/weights_file.h"
#include "random_models.h"
#include "scratch_folder.h"

using namespace glassformer;

namespace {

Snapshot snapshot_of(const Config& config) {
  Snapshot snapshot;
  snapshot.config = config;
  snapshot.weights = std::make_shared<Transformer<float>>(random_model<float>(config, 5));
  return snapshot;
}

void check_broken(const std::string& folder, const char* because) {
  CAPTURE(because);
  CHECK_THROWS_WITH_AS(load_checkpoint(folder), doctest::Contains(because), Error);
}

}  // namespace

TEST_CASE("config.json is read back as it was written, for every option") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    CHECK(config_from_json(to_json(each.config)) == each.config);
  }
}

TEST_CASE("absent keys take their defaults, and final_norm follows norm") {
  auto json = to_json(small_config());
  for (const char* key : {"final_norm", "dropout", "activation", "pad_id"}) json.erase(key);
  CHECK(!config_from_json(json).final_norm);
  CHECK(config_from_json(json).dropout == 0.1);
  json["norm"] = "pre";
  CHECK(config_from_json(json).final_norm);
}

TEST_CASE("a configuration that cannot be is refused by its key") {
  const auto refused = [](const char* key, const nlohmann::json& value, const char* because) {
    CAPTURE(key);
    auto json = to_json(small_config());
    json[key] = value;
    CHECK_THROWS_WITH_AS(config_from_json(json, "here"), doctest::Contains(because), Error);
  };
  refused("heads", 5, "here: heads must be a divisor of d_model (12), that is 1, 2, 3, 4, 6 or 12, found 5");
  refused("heads", 0, "heads");
  refused("d_model", "wide", "d_model should be a whole number from 0 to 2147483647 and is \"wide\"");
  refused("d_model", 1e30, "whole number");
  refused("d_model", 4294967308, "whole number");  // 12 when cut to 32 bits
  refused("d_ff", -5, "whole number");
  refused("dropout", 1.0, "below 1");
  refused("norm", "sideways", "\"post\" or \"pre\"");
  refused("scale_embeddings", 1, "true or false");
  refused("layer_norm_eps", 0, "above 0");
  refused("layers", 2, "not known");
  refused("encoder_layers", 0, "encoder_layers");
  refused("sharing", "all", "equal vocabularies");
  refused("eos_id", 40, "eos_id");
  auto json = to_json(small_config());
  json.erase("d_ff");
  CHECK_THROWS_WITH_AS(config_from_json(json), doctest::Contains("\"d_ff\" is missing"), Error);
  CHECK_THROWS_AS(config_from_json(nlohmann::json::array()), Error);
}

TEST_CASE("a folder with config and weights alone is a checkpoint, bit for bit the same after a round trip") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const ScratchFolder folder;
    const Snapshot saved = snapshot_of(each.config);
    save_model(folder.path("m"), saved, {});
    const Checkpoint loaded = load_checkpoint(folder.path("m"));
    CHECK(loaded.snapshot.config == each.config);
    CHECK(loaded.tokenizers.source == nullptr);
    CHECK(loaded.training.is_null());
    const auto a = parameters(*saved.weights), b = parameters(*loaded.snapshot.weights);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(a[i].name == b[i].name);
      CHECK(a[i].shape == b[i].shape);
      CHECK(std::equal(a[i].data, a[i].data + a[i].size(), b[i].data));
    }
  }
}

TEST_CASE("shared matrices are stored once, under the target embedding") {
  Config config = small_config();
  config.source_vocab = config.target_vocab;
  config.sharing = Sharing::all;
  const ScratchFolder folder;
  save_model(folder.path("m"), snapshot_of(config), {});
  const Safetensors file = Safetensors::read(folder.path("m/weights.safetensors"));
  CHECK(file.contains("target_embedding.weight"));
  CHECK(!file.contains("source_embedding.weight"));
  CHECK(!file.contains("output_projection.weight"));
  CHECK(file.contains("output_projection.bias"));
}

TEST_CASE("weights that are not finite are refused by the name of their tensor") {
  const ScratchFolder folder;
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
    Snapshot snapshot = snapshot_of(small_config());
    auto weights = std::make_shared<Transformer<float>>(*snapshot.weights);
    weights->decoder_layers[1].feed_forward.linear2.bias(3) = wrong;
    snapshot.weights = weights;
    save_model(folder.path("m"), snapshot, {});
    check_broken(folder.path("m"),
                 "\"decoder.layers.1.linear2.bias\" holds NaN or infinity (number 4 of 12)");
  }
}

TEST_CASE("a prefix that all tensors share is taken off and told") {
  const ScratchFolder folder;
  const std::string model = folder.path("m");
  const Snapshot snapshot = snapshot_of(small_config());
  save_model(model, snapshot, {});
  CHECK(load_checkpoint(model).notes.empty());
  for (const std::string prefix : {"module.", "net._orig_mod."}) {
    std::vector<TensorToWrite> tensors;
    add_tensors(tensors, prefix, *snapshot.weights);
    write_safetensors(model + "/weights.safetensors", tensors);
    const Checkpoint loaded = load_checkpoint(model);
    CHECK(loaded.snapshot.weights->target_embedding == snapshot.weights->target_embedding);
    REQUIRE(loaded.notes.size() == 1);
    CHECK(loaded.notes[0].find("\"" + prefix + "...\"") != std::string::npos);
  }
  std::vector<TensorToWrite> tensors;  // one of them without
  add_tensors(tensors, "module.", *snapshot.weights);
  tensors.back().name = "other." + tensors.back().name;
  write_safetensors(model + "/weights.safetensors", tensors);
  check_broken(model, "\"source_embedding.weight\" is missing");
}

TEST_CASE("a shared matrix may be stored twice when both are equal") {
  Config config = small_config();
  config.source_vocab = config.target_vocab;
  config.sharing = Sharing::all;
  const ScratchFolder folder;
  const std::string model = folder.path("m");
  const Snapshot snapshot = snapshot_of(config);
  save_model(model, snapshot, {});
  const Matrix<float>& table = snapshot.weights->target_embedding;
  const std::vector<int> shape = {config.target_vocab, config.d_model};
  const auto write_with = [&](const float* source, const float* output) {
    std::vector<TensorToWrite> tensors;
    add_tensors(tensors, "", *snapshot.weights);
    tensors.push_back({"source_embedding.weight", shape, source});
    tensors.push_back({"output_projection.weight", shape, output});
    write_safetensors(model + "/weights.safetensors", tensors);
  };
  write_with(table.data(), table.data());
  const Checkpoint loaded = load_checkpoint(model);
  CHECK(loaded.snapshot.weights->target_embedding == table);
  CHECK(loaded.notes.size() == 2);
  Matrix<float> other = table;
  other(2, 3) = std::nextafter(other(2, 3), 9.0f);
  write_with(table.data(), other.data());
  check_broken(model, "\"output_projection.weight\" differs from \"target_embedding.weight\"");
}

TEST_CASE("weights in double precision load as floats, and whole numbers are refused by their format") {
  const ScratchFolder folder;
  const std::string model = folder.path("m");
  const Snapshot snapshot = snapshot_of(small_config());
  save_model(model, snapshot, {});
  nlohmann::json header = nlohmann::json::object();
  std::vector<double> numbers;
  snapshot.weights->visit([&](const std::string& name, Parameter<const float> tensor) {
    const std::size_t begin = numbers.size() * sizeof(double);
    numbers.insert(numbers.end(), tensor.data, tensor.data + tensor.size());
    header[name] = {{"dtype", "F64"},
                    {"shape", tensor.shape()},
                    {"data_offsets", {begin, numbers.size() * sizeof(double)}}};
  });
  const auto write_as = [&](const std::string& type) {
    for (auto& [name, entry] : header.items()) entry["dtype"] = type;
    const std::string text = header.dump();
    const std::uint64_t length = text.size();
    std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
    bytes += text;
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
    write_atomically(model + "/weights.safetensors", bytes);
  };
  write_as("F64");
  const Checkpoint loaded = load_checkpoint(model);
  CHECK(loaded.snapshot.weights->target_embedding == snapshot.weights->target_embedding);
  CHECK(loaded.notes == std::vector<std::string>{"numbers stored as F64 are computed with as F32"});
  write_as("I64");
  check_broken(model, "is of the format I64");
}

TEST_CASE("tokenizers come back with the model, shared or one a side") {
  Config config = small_config();
  config.source_vocab = config.target_vocab = 6;
  const auto tokenizer = load_tokenizer("characters", "<p>\n<u>\n<b>\n<e>\n \nx\n", {}, "here");
  const ScratchFolder folder;
  save_model(folder.path("shared"), snapshot_of(config), {tokenizer, tokenizer});
  Checkpoint loaded = load_checkpoint(folder.path("shared"));
  REQUIRE(loaded.tokenizers.source != nullptr);
  CHECK(loaded.tokenizers.source == loaded.tokenizers.target);
  CHECK(loaded.tokenizers.source->encode("x x").size() == 3);
  CHECK(std::filesystem::exists(folder.path("shared/shared.vocab")));

  const auto words = load_tokenizer("words", "<p>\n<u>\n<b>\n<e>\none\ntwo\n", {}, "here");
  save_model(folder.path("shared"), snapshot_of(config), {tokenizer, words});
  CHECK(!std::filesystem::exists(folder.path("shared/shared.vocab")));
  loaded = load_checkpoint(folder.path("shared"));
  CHECK(loaded.tokenizers.target->kind() == TokenizerKind::word);

  config.source_vocab = 7;
  config.target_vocab = 6;
  save_model(folder.path("wrong"), snapshot_of(config), {tokenizer, words});
  check_broken(folder.path("wrong"), "expected 7 tokens");
}

TEST_CASE("a broken folder is refused in words") {
  const ScratchFolder folder;
  const std::string model = folder.path("m");
  check_broken(model, "expected the folder of a model");
  const Snapshot snapshot = snapshot_of(small_config());
  const auto fresh = [&] { save_model(model, snapshot, {}); };
  fresh();
  write_atomically(model + "/config.json", "{");
  check_broken(model, "in the middle of its JSON");
  fresh();
  std::filesystem::remove(model + "/weights.safetensors");
  check_broken(model, "cannot be opened");
  fresh();
  const std::string bytes = read_file(model + "/weights.safetensors");
  write_atomically(model + "/weights.safetensors", bytes.substr(0, bytes.size() - 5));
  check_broken(model, "cut off or damaged");
  fresh();
  auto json = to_json(small_config());
  json["d_ff"] = 11;
  write_atomically(model + "/config.json", json.dump());
  check_broken(model, "must have the shape");
  json["d_ff"] = 10;
  json["encoder_layers"] = 1;
  write_atomically(model + "/config.json", json.dump());
  check_broken(model, "does not belong");
  json["encoder_layers"] = 3;
  write_atomically(model + "/config.json", json.dump());
  check_broken(model, "is missing");
  json["d_model"] = 60000;
  write_atomically(model + "/config.json", json.dump());
  check_broken(model, "too small for the model");
  fresh();
  write_atomically(model + "/tokenizer.json", R"({"source": {"kind": "emoji"}})");
  check_broken(model, "sentencepiece");
}

TEST_CASE("a model of another maker loads: other special ids, characters, no source eos, learned positions") {
  Config config = small_config();
  config.norm = NormPlace::pre;
  config.final_norm = true;
  config.positions = PositionKind::learned;
  config.encoder_layers = config.decoder_layers = 6;
  config.source_eos = false;
  config.bos_id = 0;
  config.eos_id = 1;
  config.pad_id = 2;
  config.unk_id = 3;
  config.source_vocab = config.target_vocab = 7;
  const ScratchFolder folder;
  save_model(folder.path("m"), snapshot_of(config), {});
  write_atomically(folder.path("m/tokenizer.json"),
                   R"({"source":{"kind":"characters"},"target":{"kind":"characters"}})");
  write_atomically(folder.path("m/source.vocab"), "START\nEND\nNONE\n?\n \na\nb\n");
  write_atomically(folder.path("m/target.vocab"), "START\nEND\nNONE\n?\n \na\nb\n");
  const Checkpoint loaded = load_checkpoint(folder.path("m"));
  std::vector<int> ids;
  for (const Piece& piece : loaded.tokenizers.source->encode("ab a")) ids.push_back(piece.id);
  CHECK(ids == std::vector<int>{5, 6, 4, 5});
  const std::vector<std::vector<int>> sources = {ids}, targets = {{6}};
  const Batch batch = make_batch(sources, targets, config);
  CHECK(batch.source.tokens() == 4);  // no eos
  CHECK(batch.target_in.id(0) == 0);
  CHECK(batch.target_out.id(1) == 1);
}
