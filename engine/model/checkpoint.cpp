#include "engine/model/checkpoint.h"

#include <filesystem>

#include "engine/files/atomic_file.h"
#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/model/weights_file.h"
#include "engine/text/huggingface.h"
#include "engine/text/listed_pieces.h"
#include "engine/text/sentencepiece.h"
#include "engine/text/vocabulary.h"

namespace glassformer {
namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

constexpr long kMostTokenizerBytes = 1L << 27;

std::string extension_of(const std::string& kind) {
  if (kind == "huggingface") return ".json";
  return kind == "sentencepiece" || kind == "pieces" ? ".model" : ".vocab";
}

std::string kind_of(const nlohmann::json& json, const char* side, const std::string& where) {
  if (json.is_object() && json.contains(side) && json[side].is_object() && json[side].contains("kind") &&
      json[side]["kind"].is_string()) {
    const std::string kind = json[side]["kind"].get<std::string>();
    if (kind == "sentencepiece" || kind == "pieces" || kind == "wordpiece" || kind == "words" ||
        kind == "characters" || kind == "huggingface")
      return kind;
  }
  throw Error(where, std::string("expected {\"") + side +
                         "\": {\"kind\": \"sentencepiece\", \"pieces\", \"wordpiece\", \"words\", "
                         "\"characters\" or \"huggingface\"}}, found " +
                         shown(json));
}

void check_size(const Tokenizer& tokenizer, int vocabulary, const std::string& where) {
  if (tokenizer.size() == vocabulary) return;
  throw Error(where, "expected " + std::to_string(vocabulary) + " tokens as config.json says, found " +
                         std::to_string(tokenizer.size()));
}

}  // namespace

Tokenizers load_tokenizers(const std::string& folder, const Config& config) {
  Tokenizers tokenizers;
  const std::string description = folder + "/tokenizer.json";
  if (!exists(description)) return tokenizers;
  const nlohmann::json json = read_json(description, kMostSettingsBytes);
  const SpecialIds special{config.pad_id, config.unk_id, config.bos_id, config.eos_id};
  const auto load = [&](const std::string& name, const std::string& kind, int vocabulary) {
    const std::string path = folder + "/" + name + extension_of(kind);
    const std::string bytes = read_file(path, kMostTokenizerBytes);
    const nlohmann::json& side = json.at(name == "shared" ? "source" : name);
    const bool cut_signs = kind == "words" && side.value("split", nlohmann::json()) == "punctuation";
    auto tokenizer =
        kind == "pieces"
            ? load_listed_pieces(bytes, read_file(folder + "/" + name + ".pieces", kMostTokenizerBytes),
                                 special, path)
        : kind == "huggingface" ? load_huggingface(bytes, special, path)
        : cut_signs             ? load_vocabulary(bytes, TokenizerKind::word, special, path, true)
                                : load_tokenizer(kind, bytes, special, path);
    check_size(*tokenizer, vocabulary, path);
    return tokenizer;
  };
  const std::string source_kind = kind_of(json, "source", description);
  const std::string target_kind = kind_of(json, "target", description);
  if (source_kind == target_kind && exists(folder + "/shared" + extension_of(source_kind))) {
    tokenizers.source = tokenizers.target = load("shared", source_kind, config.source_vocab);
    check_size(*tokenizers.target, config.target_vocab, folder + "/shared" + extension_of(source_kind));
    return tokenizers;
  }
  tokenizers.source = load("source", source_kind, config.source_vocab);
  tokenizers.target = load("target", target_kind, config.target_vocab);
  return tokenizers;
}

void save_tokenizers(OwnedFolder& folder, const Tokenizers& tokenizers) {
  if (tokenizers.source == nullptr || tokenizers.target == nullptr) return;
  const auto kind_of = [](const Tokenizer& tokenizer) {
    if (!tokenizer.list_bytes().empty()) return std::string("pieces");
    if (is_huggingface(tokenizer)) return std::string("huggingface");
    return is_sentencepiece(tokenizer) ? std::string("sentencepiece") : file_kind(tokenizer.kind());
  };
  const std::string source_kind = kind_of(*tokenizers.source), target_kind = kind_of(*tokenizers.target);
  const bool shared = tokenizers.source == tokenizers.target;
  const std::string source = (shared ? "shared" : "source") + extension_of(source_kind);
  const std::string target = shared ? source : "target" + extension_of(target_kind);

  const auto list_of = [](const std::string& file) {
    return std::filesystem::path(file).replace_extension(".pieces").string();
  };

  // A file of another model in the same folder would be taken for this one's.
  std::vector<std::string> others;
  for (const char* name : {"source", "target", "shared"})
    for (const char* ending : {".model", ".vocab", ".pieces", ".json"}) {
      const std::string file = name + std::string(ending);
      const bool list = (source_kind == "pieces" && file == list_of(source)) ||
                        (target_kind == "pieces" && file == list_of(target));
      if (file != source && file != target && !list) others.push_back(file);
    }
  folder.check(others);
  nlohmann::json json;
  const auto write = [&](const char* side, const Tokenizer& tokenizer, const std::string& kind,
                         const std::string& file) {
    json[side]["kind"] = kind;
    if (tokenizer.cuts_signs_apart()) json[side]["split"] = "punctuation";
    folder.write(file, tokenizer.bytes());
    if (kind == "pieces") folder.write(list_of(file), tokenizer.list_bytes());
  };
  write("source", *tokenizers.source, source_kind, source);
  write("target", *tokenizers.target, target_kind, target);
  folder.remove(others);
  folder.write("tokenizer.json", json.dump(1) + "\n");
}

Checkpoint load_checkpoint(const std::string& folder, const JsonProgress& progress) {
  Checkpoint checkpoint;
  checkpoint.folder = folder;
  checkpoint.snapshot = load_snapshot(folder, &checkpoint.notes);
  checkpoint.tokenizers = load_tokenizers(folder, checkpoint.snapshot.config);
  const std::string training = folder + "/training.json";
  if (exists(training)) {
    checkpoint.training = read_json(training, progress);
    const auto& json = checkpoint.training;
    long& step = checkpoint.snapshot.step;
    if (json.is_object() && json.contains("step")) step = as_whole<long>(json["step"]).value_or(step);
    // The weights that translate may be older than the run's last step.
    if (json.is_object() && json.contains("kept") && json["kept"].is_object()) {
      const auto& kept = json["kept"];
      if (kept.contains("step")) step = as_whole<long>(kept["step"]).value_or(step);
      if (kept.contains("validation_loss") && kept["validation_loss"].is_number())
        checkpoint.snapshot.validation_loss = kept["validation_loss"].get<double>();
    }
  }
  return checkpoint;
}

void save_model(OwnedFolder& folder, const Snapshot& snapshot, const Tokenizers& tokenizers) {
  folder.claim({"config.json", "weights.safetensors"});
  save_tokenizers(folder, tokenizers);
  folder.write("config.json", to_json(snapshot.config).dump(1) + "\n");
  write_weights(folder.file("weights.safetensors"), *snapshot.weights);
}

void save_model(const std::string& folder, const Snapshot& snapshot, const Tokenizers& tokenizers) {
  OwnedFolder own(folder);
  save_model(own, snapshot, tokenizers);
}

}  // namespace glassformer
