#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/text/data.h"

namespace glassformer {
namespace {

using nlohmann::json;

constexpr const char* kDescription = "description of the data";

json source_to_json(const DataSource& source) {
  json result = json::object();
  for (const auto& [key, text] : {std::pair{"task", &source.task},
                                  {"grammar", &source.grammar},
                                  {"corpus", &source.corpus},
                                  {"source", &source.source},
                                  {"target", &source.target},
                                  {"encoding", &source.choices.encoding},
                                  {"columns", &source.choices.columns}}) {
    if (!text->empty()) result[key] = *text;
  }
  if (source.pairs != 0) result["pairs"] = source.pairs;
  if (!source.task.empty()) {
    result["length"] = source.toy.length;
    result["symbols"] = source.toy.symbols;
  }
  return result;
}

// Takes values out of an object by key and says in the end which keys nobody asked for.
class Keys {
 public:
  explicit Keys(const json& object) : object_(object) {
    if (!object.is_object())
      throw Error(kDescription, "expected a JSON object, found " + std::string(object.type_name()));
  }

  template <class T>
  void take(const std::string& key, T& value) {
    known_.insert(key);
    const auto found = object_.find(key);
    if (found == object_.end()) return;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      value = whole<T>(*found, kDescription, "\"" + key + "\"");
    } else {
      try {
        found->get_to(value);
      } catch (const json::exception&) {
        throw Error(kDescription, "\"" + key + "\" has the wrong type: " + std::string(found->type_name()));
      }
    }
  }

  const json* find(const std::string& key) {
    known_.insert(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  void finish() const {
    for (const auto& [key, value] : object_.items()) {
      if (!known_.contains(key))
        throw Error(kDescription, "unknown key " + shown(key) + "; a newer version may have written it");
    }
  }

 private:
  const json& object_;
  std::set<std::string> known_;
};

DataSource source_from_json(const json& object) {
  DataSource source;
  Keys keys(object);
  keys.take("task", source.task);
  keys.take("grammar", source.grammar);
  keys.take("corpus", source.corpus);
  keys.take("source", source.source);
  keys.take("target", source.target);
  keys.take("encoding", source.choices.encoding);
  keys.take("columns", source.choices.columns);
  keys.take("pairs", source.pairs);
  keys.take("length", source.toy.length);
  keys.take("symbols", source.toy.symbols);
  keys.finish();
  return source;
}

}  // namespace

json to_json(const DataOptions& options) {
  json result = {{"training", source_to_json(options.training)},
                 {"validation_pairs", options.validation_pairs},
                 {"test_pairs", options.test_pairs},
                 {"seed", options.seed},
                 {"pieces", options.pieces},
                 {"shared_vocabulary", options.shared_vocabulary},
                 {"max_tokens", options.max_tokens},
                 {"max_characters", options.limits.max_characters}};
  if (!options.validation.empty()) result["validation"] = source_to_json(options.validation);
  if (!options.leave_out.empty()) result["leave_out"] = options.leave_out;
  if (!options.source_embedding.empty()) result["source_embedding"] = options.source_embedding;
  if (!options.target_embedding.empty()) result["target_embedding"] = options.target_embedding;
  if (options.tokenizer) result["tokenizer"] = tokenizer_name(*options.tokenizer);
  return result;
}

DataOptions data_options_from_json(const json& object) {
  DataOptions options;
  Keys keys(object);
  if (const json* training = keys.find("training")) options.training = source_from_json(*training);
  if (const json* validation = keys.find("validation")) options.validation = source_from_json(*validation);
  keys.take("validation_pairs", options.validation_pairs);
  keys.take("test_pairs", options.test_pairs);
  keys.take("seed", options.seed);
  keys.take("leave_out", options.leave_out);
  keys.take("source_embedding", options.source_embedding);
  keys.take("target_embedding", options.target_embedding);
  keys.take("pieces", options.pieces);
  keys.take("shared_vocabulary", options.shared_vocabulary);
  keys.take("max_tokens", options.max_tokens);
  keys.take("max_characters", options.limits.max_characters);
  std::string tokenizer;
  keys.take("tokenizer", tokenizer);
  if (!tokenizer.empty()) options.tokenizer = tokenizer_kind(tokenizer);
  keys.finish();
  return options;
}

}  // namespace glassformer
