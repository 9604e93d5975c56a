// What is exported comes back as it was, and nothing of anybody's is lost. That PyTorch computes the same is
// the business of export_command_test.sh.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/export/export_folder.h"
#include "engine/export/marian_export.h"
#include "engine/export/pytorch_export.h"
#include "engine/files/read_file.h"
#include "engine/import/model_import.h"
#include "engine/model/config_json.h"
#include "engine/model/transformer.h"
#include "engine/text/vocabulary.h"
#include "tests/random_models.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"

using namespace glassformer;
using testing::refusal;

namespace {

namespace fs = std::filesystem;

std::string scripts() {
  return source_folder() + "/assets/export";
}

Checkpoint checkpoint_of(const Config& config) {
  Checkpoint model;
  model.snapshot.config = config;
  model.snapshot.weights = std::make_shared<Transformer<float>>(random_model<float>(config, 3));
  return model;
}

// Names, shapes and numbers.
bool same_weights(const Transformer<float>& one, const Transformer<float>& other) {
  std::vector<std::pair<std::string, Parameter<const float>>> tensors;
  one.visit(
      [&](const std::string& name, Parameter<const float> tensor) { tensors.emplace_back(name, tensor); });
  std::size_t index = 0;
  bool same = true;
  other.visit([&](const std::string& name, Parameter<const float> tensor) {
    same = same && index < tensors.size() && tensors[index].first == name &&
           tensors[index].second.shape() == tensor.shape() &&
           std::equal(tensor.data, tensor.data + tensor.size(), tensors[index].second.data);
    ++index;
  });
  return same && index == tensors.size();
}

// A configuration that MarianMT computes.
Config marian_config(Sharing sharing) {
  Config config = small_config();
  config.sharing = sharing;
  if (sharing == Sharing::all) config.source_vocab = config.target_vocab;
  config.position_order = PositionOrder::halves;
  config.length_penalty = LengthPenalty::length;
  config.start_id = config.bos_id;
  return config;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

bool explains(const std::string& message, const std::string& part) {
  const bool found = message.find(part) != std::string::npos;
  if (!found) MESSAGE(message);
  return found;
}

}  // namespace

TEST_CASE("a folder for PyTorch is imported bit for bit, whatever the configuration") {
  auto configs = varied_configs();
  Config foreign = marian_config(Sharing::none);
  foreign.start_id = 4, foreign.forbidden_ids = {0, 5}, foreign.source_bos = true;
  foreign.position_divisor = PositionDivisor::d_less_two, foreign.activation = Activation::gelu_sigmoid;
  foreign.attention_dropout = 0.3;
  configs.push_back({"what other programs' models have", foreign});
  for (const NamedConfig& each : configs) {
    CAPTURE(each.name);
    const ScratchFolder scratch;
    const Checkpoint model = checkpoint_of(each.config);
    export_pytorch(model, scripts(), scratch.path("torch"));
    const ImportedModel back = import_model(scratch.path("torch"), {});
    CHECK(back.snapshot.config == each.config);
    CHECK(same_weights(*model.snapshot.weights, *back.snapshot.weights));
    CHECK(back.report["ignored"].empty());
    CHECK(back.report["assumed"].empty());
  }
}

TEST_CASE("the tokenizers go along, and the code is the page of the assets") {
  const ScratchFolder scratch;
  Checkpoint model = checkpoint_of(small_config());
  const auto words = [](int count) {
    std::string lines = "<pad>\n<unk>\n<bos>\n<eos>\n";
    for (int i = 4; i < count; ++i) lines += "w" + std::to_string(i) + "\n";
    return load_vocabulary(lines, TokenizerKind::word, {}, "test");
  };
  model.tokenizers = {words(11), words(13)};
  export_pytorch(model, scripts(), scratch.path("torch"));
  const ImportedModel back = import_model(scratch.path("torch"), {});
  REQUIRE(back.tokenizers.source);
  CHECK(back.tokenizers.source->bytes() == model.tokenizers.source->bytes());
  CHECK(back.tokenizers.target->bytes() == model.tokenizers.target->bytes());
  for (const char* const script : {"/model.py", "/load.py"})
    CHECK(read_file(scratch.path("torch") + script) == read_file(scripts() + script));
}

TEST_CASE("model.py has under 150 lines and names every key of config.json") {
  const std::string page = read_file(scripts() + "/model.py");
  CHECK(std::ranges::count(page, '\n') < 150);
  const auto names = [&](const std::string& key) {
    const auto part = [](char sign) { return std::isalnum(static_cast<unsigned char>(sign)) || sign == '_'; };
    for (std::size_t at = page.find(key); at != page.npos; at = page.find(key, at + 1))
      if (!part(page[at - 1]) && !part(page[at + key.size()])) return true;
    return false;
  };
  Config config = small_config();
  config.start_id = 0;
  const nlohmann::json keys = all_keys(config);
  for (const auto& [key, value] : keys.items()) {
    const auto& this_key = key;
    CHECK_MESSAGE(names(key), this_key);
  }
  CHECK_FALSE(names("d_mod"));
}

TEST_CASE("a folder of MarianMT is imported with the same weights and settings") {
  for (const Sharing sharing : {Sharing::none, Sharing::output, Sharing::all})
    for (const Activation activation :
         {Activation::relu, Activation::gelu, Activation::swish, Activation::gelu_sigmoid}) {
      const ScratchFolder scratch;
      Config config = marian_config(sharing);
      config.activation = activation, config.scale_embeddings = sharing != Sharing::output;
      config.unk_id = 5;
      if (sharing == Sharing::all) config.forbidden_ids = {0, 7};
      const Checkpoint model = checkpoint_of(config);
      const std::vector<std::string> left = export_marian(model, scratch.path("marian"));
      REQUIRE(left.size() == 1);
      CHECK(explains(left.front(), "the model has no tokenizers"));
      const ImportedModel back = import_model(scratch.path("marian"), {});
      CHECK(back.report["kind"] == "marian-transformers");
      CHECK(back.snapshot.config == config);
      CHECK(same_weights(*model.snapshot.weights, *back.snapshot.weights));
    }
}

TEST_CASE("a MarianMT model from elsewhere goes out with the ids, names and settings that it came with") {
  const std::string source = source_folder() + "/tests/fixtures/import/marian/bin-f16";
  const ScratchFolder scratch;
  const ImportedModel came = import_model(source, {});
  save_import(scratch.path("model"), came);
  const Checkpoint model = load_checkpoint(scratch.path("model"));
  CHECK(export_marian(model, scratch.path("marian")).empty());
  const ImportedModel back = import_model(scratch.path("marian"), {});
  CHECK(back.snapshot.config == came.snapshot.config);
  CHECK(same_weights(*came.snapshot.weights, *back.snapshot.weights));
  CHECK(back.report["suggested"] == came.report["suggested"]);
  CHECK(back.tokenizers.source->list_bytes() == came.tokenizers.source->list_bytes());
  CHECK(back.tokenizers.target->bytes() == came.tokenizers.target->bytes());
  // Each key that both files have says the same.
  const auto ours = nlohmann::json::parse(read_file(scratch.path("marian/config.json"))),
             theirs = nlohmann::json::parse(read_file(source + "/config.json"));
  for (const char* const key : {"d_model", "encoder_layers", "decoder_attention_heads", "decoder_ffn_dim",
                                "vocab_size", "max_position_embeddings", "activation_function",
                                "scale_embedding", "pad_token_id", "eos_token_id", "decoder_start_token_id"})
    CHECK_MESSAGE(ours.at(key) == theirs.at(key), key);
}

TEST_CASE("what MarianMT does not compute is refused by the name of its key") {
  const auto why_refused = [](auto&& change) {
    const ScratchFolder scratch;
    Config config = marian_config(Sharing::none);
    change(config);
    const Checkpoint model = checkpoint_of(config);
    const std::string why = refusal([&] { export_marian(model, scratch.path("marian")); });
    CHECK(names_in(scratch.path("")).empty());
    return why;
  };
  CHECK(why_refused([](Config& c) { c.position_order = PositionOrder::interleaved; }) ==
        "config.json: position_order is \"interleaved\", and MarianMT computes \"halves\" alone");
  CHECK(explains(why_refused([](Config& c) { c.norm = NormPlace::pre; }), "norm is \"pre\""));
  CHECK(explains(why_refused([](Config& c) { c.norm_kind = NormKind::rms; }), "norm_kind is \"rms\""));
  CHECK(explains(why_refused([](Config& c) { c.final_norm = true; }), "final_norm is true"));
  CHECK(
      explains(why_refused([](Config& c) { c.feed_forward = FeedForwardKind::swiglu; }), "feed_forward is"));
  CHECK(explains(why_refused([](Config& c) { c.positions = PositionKind::rotary; }),
                 "positions is \"rotary\""));
  CHECK(explains(why_refused([](Config& c) { c.attention_activation = AttentionActivation::relu; }),
                 "attention_activation is \"relu\""));
  CHECK(explains(why_refused([](Config& c) { c.output_bias = false; }), "output_bias is false"));
  CHECK(explains(why_refused([](Config& c) { c.layer_norm_eps = 1e-6; }), "layer_norm_eps is 1e-06"));
  CHECK(explains(why_refused([](Config& c) { c.start_id = 0; }), "start_id is 0 and bos_id 2"));
}

TEST_CASE("a folder with anything of somebody's is not touched") {
  const Checkpoint model = checkpoint_of(small_config());
  const auto why_refused = [&](const ScratchFolder& scratch) {
    const std::vector<std::string> before = names_in(scratch.path("out"));
    const std::string why = refusal([&] { export_pytorch(model, scripts(), scratch.path("out")); });
    CHECK(names_in(scratch.path("out")) == before);
    CHECK(names_in(scratch.path("")).size() == 1);  // nothing is left beside it
    return why;
  };
  SUBCASE("a file of theirs") {
    const ScratchFolder scratch;
    fs::create_directory(scratch.path("out"));
    scratch.write("out/notes.txt", "mine");
    CHECK(explains(why_refused(scratch), "it holds other things than an export"));
  }
  SUBCASE("a model of this program") {
    const ScratchFolder scratch;
    save_model(scratch.path("out"), model.snapshot, {});
    const std::string weights = read_file(scratch.path("out/weights.safetensors"));
    CHECK(explains(why_refused(scratch), "it holds other things than an export"));
    CHECK(read_file(scratch.path("out/weights.safetensors")) == weights);
  }
  SUBCASE("an export with which somebody went on") {
    for (const char* const name : {"out/model.py", "out/model.safetensors"}) {
      const ScratchFolder scratch;
      export_pytorch(model, scripts(), scratch.path("out"));
      scratch.write(name, "mine");
      CHECK(explains(why_refused(scratch), "it was changed since this program wrote it"));
      CHECK(read_file(scratch.path(name)) == "mine");
    }
  }
  SUBCASE("a link") {
    const ScratchFolder scratch;
    const ScratchFolder other;
    fs::create_directory_symlink(other.path(""), scratch.path("out"));
    CHECK(explains(why_refused(scratch), "it is no folder"));
  }
}

TEST_CASE("an empty folder is filled, and an older export gives way to the new one whole") {
  const ScratchFolder scratch;
  fs::create_directory(scratch.path("out"));
  const Checkpoint marian = checkpoint_of(marian_config(Sharing::all)), other = checkpoint_of(small_config());
  export_pytorch(marian, scripts(), scratch.path("out"));
  CHECK(names_in(scratch.path("out")) ==
        std::vector<std::string>{".glassformer", "config.json", "load.py", "model.py", "model.safetensors"});
  export_marian(marian, scratch.path("out"));
  CHECK(names_in(scratch.path("out")) == std::vector<std::string>{".glassformer", "config.json",
                                                                  "generation_config.json",
                                                                  "model.safetensors"});
  export_pytorch(other, scripts(), scratch.path("out"));
  CHECK(import_model(scratch.path("out"), {}).snapshot.config == other.snapshot.config);
}

TEST_CASE("an export that fails leaves no folder, or the older one as it was") {
  const ScratchFolder scratch;
  const Checkpoint model = checkpoint_of(small_config());
  const std::string nowhere = scratch.path("no scripts here");
  CHECK(explains(refusal([&] { export_pytorch(model, nowhere, scratch.path("out")); }), "model.py"));
  CHECK(names_in(scratch.path("")).empty());
  export_pytorch(model, scripts(), scratch.path("out"));
  const std::vector<std::string> before = names_in(scratch.path("out"));
  CHECK(refusal([&] { export_pytorch(model, nowhere, scratch.path("out")); }) != "no error");
  CHECK(names_in(scratch.path("out")) == before);
  CHECK(names_in(scratch.path("")).size() == 1);
}
