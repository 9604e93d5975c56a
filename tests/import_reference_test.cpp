// Other people's models, and what their own code computes with them (tests/fixtures/import): logits, every
// attention weight, what greedy and beam search write, and text.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/decode/decode.h"
#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/import/model_import.h"
#include "engine/model/checkpoint.h"
#include "engine/model/recorder.h"
#include "engine/model/transformer.h"
#include "engine/train/translation.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

using Rows = std::vector<std::vector<int>>;

Rows rows(const Safetensors& file, const std::string& name) {
  const auto length = static_cast<std::size_t>(file.at(name).shape[1]);
  const auto ids = file.integers(name);
  Rows result(ids.size() / length);
  for (std::size_t i = 0; i < ids.size(); ++i) result[i / length].push_back(static_cast<int>(ids[i]));
  return result;
}

// A case of the fixtures, imported into a folder and opened from there as people do.
struct Imported {
  Imported(const std::string& name, const std::string& source)
      : folder(source_folder() + "/tests/fixtures/import/" + name),
        expect(nlohmann::json::parse(read_file(folder + "/expect.json"))),
        model([&] {
          ImportOptions options;
          const nlohmann::json& given = expect["options"];
          for (std::size_t i = 0; i + 1 < given.size(); i += 2) {
            const std::string option = given[i], value = given[i + 1];
            if (option == "--source-vocabulary")
              options.source_vocabulary = folder + "/" + value;
            else if (option == "--target-vocabulary")
              options.target_vocabulary = folder + "/" + value;
            else
              options.settings[option.substr(2)] = value;
          }
          const ImportedModel imported = import_model(folder + "/" + source, options);
          report = imported.report;
          save_import(scratch.path("model"), imported);
          return load_checkpoint(scratch.path("model"));
        }()) {}

  const Transformer<float>& weights() const { return *model.snapshot.weights; }
  const Config& config() const { return model.snapshot.config; }

  ScratchFolder scratch;
  std::string folder;
  nlohmann::json expect, report;
  Checkpoint model;
};

struct Case {
  const char *name, *source;
};
constexpr Case kCases[] = {
    {"tutorial", "legacy.pt"},  {"tutorial", "strided.pt"}, {"annotated", "multi30k_model_final.pt"},
    {"hkproj", "tmodel_03.pt"}, {"marian", "bin-f16"},      {"marian", "sharded-f16"},
    {"marian_npz", "opus"}};

void check_config(const Imported& imported) {
  nlohmann::json found = to_json(imported.config());
  found["source_bos"] = imported.config().source_bos;
  for (const auto& [key, wanted] : imported.expect["config"].items()) {
    const auto& this_key = key;
    CAPTURE(this_key);
    if (!found.contains(key)) continue;  // a default that is not written
    if (wanted.is_number_float())
      CHECK(found[key].get<double>() == doctest::Approx(wanted.get<double>()));
    else
      CHECK(found[key] == wanted);
  }
}

// Of real tokens alone; column 0 of a target always counts.
void check_values(const Imported& imported) {
  const Safetensors batch_file = Safetensors::read(imported.folder + "/batch.safetensors"),
                    wanted = Safetensors::read(imported.folder + "/expect.safetensors");
  const Config& config = imported.config();
  const Batch batch = make_raw_batch(rows(batch_file, "source"), rows(batch_file, "target_in"),
                                     rows(batch_file, "target_out"), config);
  Trace trace;
  Recorder recorder(batch, trace);
  Saved<float> saved;
  imported.weights().forward(batch, saved, recorder);
  for (const auto& [name, entry] : wanted.entries()) {
    const auto& this_name = name;
    CAPTURE(this_name);
    const Tensor& found = trace.at(name);
    const std::vector<float> values = wanted.floats(name);
    REQUIRE(found.values.size() == values.size());
    const PackedIds& ids = name.starts_with("encoder") ? batch.source : batch.target_in;
    float worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int row = static_cast<int>(i) / found.columns() % found.rows();
      const int plane = static_cast<int>(i) / found.columns() / found.rows();
      const int sentence = found.rank() == 4 ? plane / found.shape[1] : plane;
      const bool start = !name.starts_with("encoder") && row == 0;
      if (start || ids.sentence(sentence)[static_cast<std::size_t>(row)] != config.pad_id)
        worst = std::max(worst, std::abs(found.values[i] - values[i]));
    }
    const char* const kind = name == "logits" ? "logits" : "weights";
    CHECK(worst <= imported.expect["tolerance"][kind].get<float>());
  }
}

void check_search(const Imported& imported) {
  const nlohmann::json& plan = imported.expect["decode"];
  DecodeOptions options{.max_length = plan["max_length"].get<int>()};
  options.penalty = imported.config().length_penalty;
  for (const nlohmann::json& each : plan["greedy"]) {
    const DecodeResult found =
        decode(imported.weights(), {each["source"].get<std::vector<int>>()}, options).front();
    CHECK(found.ids == each["ids"].get<std::vector<int>>());
  }
  for (const nlohmann::json& part : plan["beam"]) {
    options.search = Search::beam;
    options.beam = part["size"].get<int>(), options.alpha = part["alpha"].get<double>();
    for (const nlohmann::json& each : part["results"]) {
      const DecodeResult found =
          decode(imported.weights(), {each["source"].get<std::vector<int>>()}, options).front();
      const nlohmann::json& best = each["hypotheses"][0];
      CHECK(found.ids == best["ids"].get<std::vector<int>>());
      CHECK(found.score == doctest::Approx(best["score"].get<double>()).epsilon(2e-4));
    }
  }
}

void check_text(const Imported& imported) {
  for (const nlohmann::json& each : imported.expect["translate"]) {
    const Translation found = translate_lines(imported.model.snapshot, imported.model.tokenizers,
                                              {each["source"].get<std::string>()}, {})
                                  .front();
    CAPTURE(each.dump());
    CHECK(found.source_ids == each["source_ids"].get<std::vector<int>>());
    CHECK(found.text == each["translation"].get<std::string>());
  }
}

}  // namespace

TEST_CASE("an imported model computes, searches and reads as the code that it comes from") {
  for (const Case& each : kCases) {
    CAPTURE(each.name);
    CAPTURE(each.source);
    const Imported imported(each.name, each.source);
    CHECK(imported.report["kind"] == imported.expect["kind"]);
    CHECK(imported.report["parameters"] == imported.weights().parameter_count());
    check_config(imported);
    check_values(imported);
    check_search(imported);
    check_text(imported);
  }
}

TEST_CASE("an export of this program is read back to the bit") {
  const Imported imported("annotated", "multi30k_model_final.pt");
  const std::string folder = imported.scratch.path("model");
  const ImportedModel again = import_model(folder, {});
  CHECK(again.report["kind"] == "glassformer");
  CHECK(again.snapshot.config == imported.config());
  CHECK(again.tokenizers.source->bytes() == imported.model.tokenizers.source->bytes());
  std::vector<std::vector<float>> numbers;
  imported.weights().visit([&](const std::string&, Parameter<const float> tensor) {
    numbers.emplace_back(tensor.data, tensor.data + tensor.size());
  });
  std::size_t at = 0;
  again.snapshot.weights->visit([&](const std::string&, Parameter<const float> tensor) {
    CHECK(numbers[at++] == std::vector<float>(tensor.data, tensor.data + tensor.size()));
  });
}

// Marian's own models may have no list: one sentencepiece model cuts and numbers both sides.
TEST_CASE("a Marian folder with one .spm is numbered by it, if it has as many pieces as the tables rows") {
  const ScratchFolder scratch;
  const std::string from = source_folder() + "/tests/fixtures/import/marian_npz/opus/";
  std::filesystem::copy_file(from + "opus.spm32k-spm32k.transformer.model1.npz.best-perplexity.npz",
                             scratch.path("model.npz"));
  std::string pieces = read_file(from + "source.spm");
  const auto imported = [&] {
    scratch.write("vocab.spm", pieces);
    return import_model(scratch.path(""), {});
  };
  CHECK(testing::refusal([&] { imported(); }).ends_with("it has 48 pieces, the model's table 77 rows"));
  for (int i = 48; i < 77; ++i)  // fields of the protobuf: a piece, its text and its score
    pieces += std::string("\n\x0C\n\x05▁x") + static_cast<char>(i) + std::string("\x15\0\0\xA0\xC1", 5);
  const ImportedModel model = imported();
  const Config& config = model.snapshot.config;
  CHECK(config.unk_id == 0);
  CHECK(config.eos_id == 2);
  CHECK(config.pad_id == 77);
  CHECK(model.tokenizers.source == model.tokenizers.target);
  CHECK(model.tokenizers.source->piece(77) == "<pad>");
  const auto cut = model.tokenizers.source->encode("the");
  REQUIRE(!cut.empty());
  CHECK(cut.front().text == "▁");
  CHECK(cut.front().id == 3);
  CHECK(model.tokenizers.target->decode({3, 5, 4}) == "he");
}
