// What is said of a model beside its tensors: settings, vocabularies, files of others in its folder.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/files/read_file.h"
#include "engine/import/foreign_model.h"
#include "engine/import/model_import.h"
#include "engine/model/transformer.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"

using namespace glassformer;
using testing::refusal;

namespace {

std::string course(const std::string& name) {
  return source_folder() + "/tests/fixtures/import/" + name;
}
bool says(const std::string& message, const std::string& part) {
  const bool found = message.find(part) != std::string::npos;
  if (!found) MESSAGE(message);
  return found;
}
// The tutorial's, in a folder with files of the test's.
struct Copy {
  Copy() { std::filesystem::copy_file(course("tutorial/strided.pt"), folder.path("mine.pt")); }
  ImportedModel read(const ImportOptions& options = {}) const {
    return import_model(folder.path("mine.pt"), options);
  }
  ScratchFolder folder;
};

}  // namespace

TEST_CASE("settings that need tensors which are not there are refused, and none before room is made") {
  const Copy copy;
  const auto with = [&](const char* key, const char* value) {
    return refusal([&] { copy.read({.settings = {{key, value}}}); });
  };
  CHECK(with("heads", "4") == "no error");
  CHECK(says(with("encoder_layers", "9"), "ask for the tensor `encoder.layers."));
  CHECK(says(with("positions", "learned"), "ask for the tensor `source_positions.weight`"));
  CHECK(says(with("source_vocab", "5000000"), "its settings ask for 1"));
  CHECK(says(with("hats", "2"), "hats"));
}

TEST_CASE("a list of tokens may count them; both sides have one set of special ids") {
  const Copy copy;
  const std::string source = read_file(course("tutorial/vocab.src.txt")),
                    target = read_file(course("tutorial/vocab.tgt.txt"));
  const auto read = [&](const std::string& one, const std::string& other) {
    return copy.read({.settings = {{"heads", "4"}},
                      .source_vocabulary = copy.folder.write("one.txt", one),
                      .target_vocabulary = copy.folder.write("other.txt", other)});
  };
  std::string counted;
  for (const char sign : source) counted += sign == '\n' ? "\t12\n" : std::string(1, sign);
  const ImportedModel plain = read(source, target), with_counts = read(counted, target);
  CHECK(with_counts.tokenizers.source->bytes() == plain.tokenizers.source->bytes());
  CHECK(with_counts.snapshot.config == plain.snapshot.config);
  const std::size_t pad = target.find("<pad>\n<bos>\n");
  REQUIRE(pad != std::string::npos);
  std::string turned = target;
  turned.replace(pad, 12, "<bos>\n<pad>\n");
  CHECK(says(refusal([&] { read(source, turned); }), "other ids than those of"));
  CHECK(says(refusal([&] { copy.read({.source_vocabulary = copy.folder.path("one.txt")}); }), "both sides"));
}

TEST_CASE("a configuration of another model beside a course's file says nothing of it") {
  for (const char* const config : {R"({"model_type": "bert"})", R"({"model_type": null})", "[]"}) {
    CAPTURE(std::string(config));
    const Copy copy;
    copy.folder.write("config.json", config);
    CHECK(copy.read().report["kind"] == "pytorch-tutorial");
  }
}

TEST_CASE("weights in several .bin files are named as what they are") {
  const ScratchFolder folder;
  folder.write("pytorch_model.bin.index.json", "{}");
  folder.write("pytorch_model-00001-of-00002.bin", "PK");
  folder.write("pytorch_model-00002-of-00002.bin", "PK");
  CHECK(says(refusal([&] { import_model(folder.path(""), {}); }), "save them as safetensors"));
}

TEST_CASE("what a MarianMT folder does not say is as its own library has it; no room is made on its word") {
  const ScratchFolder folder;
  std::filesystem::copy(course("marian/bin-f16"), folder.path("model"));
  const std::string path = "model/config.json";
  auto config = nlohmann::json::parse(read_file(folder.path(path)));
  const auto read = [&] {
    folder.write(path, config.dump());
    return import_model(folder.path("model"), {});
  };
  config.erase("max_position_embeddings"), config.erase("scale_embedding");
  const Config found = read().snapshot.config;
  CHECK(found.max_length == 1024);
  CHECK_FALSE(found.scale_embeddings);
  config["d_model"] = 65536, config["encoder_ffn_dim"] = config["decoder_ffn_dim"] = 65536;
  CHECK(says(refusal([&] { read(); }), "its settings ask for"));
}

TEST_CASE("Marian's own settings: 0 is as the encoder, and steps that are not computed are named") {
  ForeignModel model = open_foreign_model(course("marian_npz/opus"));
  const auto with = [&](const std::string& line) {
    ForeignModel changed = model;
    changed.weights.settings += "\n" + line + "\n";
    return refusal([&] { plan_import(changed, {}); });
  };
  for (const char* const fine : {"transformer-decoder-dim-ffn: 0", "transformer-decoder-dim-ffn: 64",
                                 "transformer-postprocess-top: n", "transformer-postprocess-top: dn"})
    CHECK_MESSAGE(with(fine) == "no error", fine);
  CHECK(says(with("transformer-decoder-dim-ffn: 32"), "transformer-decoder-dim-ffn is 32"));
  CHECK(says(with("transformer-postprocess-top: a"), "transformer-postprocess-top must be nothing, d or n"));
  std::string& settings = model.weights.settings;
  settings.replace(settings.find("transformer-postprocess-emb: d"), 30, "transformer-postprocess-emb: n");
  CHECK(says(with("version: 1"), "transformer-postprocess-emb must be nothing or d"));
}

TEST_CASE("Marian's tables of two sizes are refused: padding has one id") {
  ForeignModel model = open_foreign_model(course("marian_npz/opus"));
  auto& tensors = model.weights.tensors;
  tensors["encoder_Wemb"] = tensors["decoder_Wemb"] = tensors.at("Wemb");
  CHECK(refusal([&] { plan_import(model, {}); }) == "no error");
  tensors["decoder_Wemb"].shape[0] -= 1;
  CHECK(says(refusal([&] { plan_import(model, {}); }), "77 and 76 rows"));
}
