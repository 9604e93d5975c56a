#include "engine/train/run_command.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/printable.h"
#include "engine/train/presets.h"

namespace glassformer {
namespace {

class OptionList {
 public:
  void add(std::string name, const std::string& value) {
    std::ranges::replace(name, '_', '-');
    all.push_back("--" + name + "=" + value);
  }
  void add(const std::string& name, const nlohmann::json& value) {
    add(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  void add_unless(const std::string& name, const nlohmann::json& value, const nlohmann::json& otherwise) {
    if (value != otherwise) add(name, value);
  }

  std::vector<std::string> all;
};

void add_source(OptionList& options, const DataSource& source, const std::string& prefix) {
  options.add_unless(prefix + "task", source.task, "");
  options.add_unless(prefix + "grammar", source.grammar, "");
  options.add_unless(prefix + "corpus", source.corpus, "");
  options.add_unless(prefix + "source", source.source, "");
  options.add_unless(prefix + "target", source.target, "");
  options.add_unless(prefix + "columns", source.choices.columns, "");
  options.add_unless(prefix + "pairs", source.pairs, 0);
}

void add_data(OptionList& options, const DataOptions& data, int max_length) {
  add_source(options, data.training, "");
  options.add_unless("encoding", data.training.choices.encoding, "");
  options.add_unless("length", data.training.toy.length, ToyOptions().length);
  options.add_unless("symbols", data.training.toy.symbols, ToyOptions().symbols);
  if (data.validation.empty())
    options.add_unless("validation-pairs", data.validation_pairs, 0);
  else
    add_source(options, data.validation, "validation-");
  options.add_unless("test-pairs", data.test_pairs, 0);
  options.add_unless("leave-out", to_json(data).value("leave_out", ""), "");
  options.add_unless("data-seed", data.seed, 1);
  if (data.tokenizer) options.add("tokenizer", std::string(tokenizer_name(*data.tokenizer)));
  options.add_unless("pieces", data.pieces, 0);
  options.add_unless("source-embedding", data.source_embedding, "");
  options.add_unless("target-embedding", data.target_embedding, "");
  if (data.shared_vocabulary) options.all.emplace_back("--shared-vocabulary");
  options.add_unless("max-tokens", data.max_tokens, max_length - 2);
}

// Keys in which the preset's model differs; vocabulary and ids come from the data.
std::vector<std::string> keys_apart(const Config& config, std::string_view kind, const Preset& preset) {
  const nlohmann::json wanted = to_json(config);
  nlohmann::json given = to_json(suggested_config(kind, preset));
  given["final_norm"] = config.norm == NormPlace::pre;  // follows it unless it is named
  std::vector<std::string> keys;
  for (const auto& [key, value] : wanted.items()) {
    const bool of_data = key.ends_with("_vocab") || key.ends_with("_id") || key == "max_length";
    if (!of_data && given.at(key) != value) keys.push_back(key);
  }
  return keys;
}

// The size that says most of the model. One for text would share the vocabulary.
const Preset& nearest_preset(const Recipe& recipe, std::string_view kind) {
  const Preset* nearest = nullptr;
  for (const Preset& preset : presets()) {
    if (preset.for_text && !recipe.data.shared_vocabulary) continue;
    const auto apart = [&](const Preset& one) { return keys_apart(recipe.config, kind, one).size(); };
    if (!nearest || apart(preset) < apart(*nearest)) nearest = &preset;
  }
  return *nearest;
}

void add_training(OptionList& options, const TrainingOptions& training, const TrainingOptions& suggested) {
  const nlohmann::json wanted = to_json(training);
  const nlohmann::json usual = to_json(suggested);
  // A limit that is named puts the others aside; without any it is 0 passes that say so, since `--steps 0`
  // learns nothing.
  for (const char* limit : {"steps", "epochs", "minutes", "total_steps"})
    options.add_unless(limit, wanted.at(limit), 0);
  if (training.steps == 0 && training.epochs <= 0 && training.minutes <= 0)
    options.add("epochs", nlohmann::json(0));
  // What `train` fits to the data or to each other is always named.
  const std::set<std::string> fitted = {"schedule", "warmup", "batch_tokens",
                                        training.schedule == "noam" ? "factor" : "peak", "seed"};
  for (const auto& [key, value] : wanted.items()) {
    if (usual.at(key) == value && !fitted.contains(key)) continue;
    if (key == "steps" || key == "epochs" || key == "minutes" || key == "total_steps" || key == "threads")
      continue;
    options.add(key, value);
  }
}

// Neither of the drawing of the model nor of how it learns: they follow the data and the machine.
bool is_setting(const std::string& key) {
  return !key.ends_with("_vocab") && !key.ends_with("_id") && key != "max_length" && key != "source_eos" &&
         key != "threads" && key != "seed";
}

std::string dashed(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

[[noreturn]] void not_taken(const std::string& key, const std::string& expected, const std::string& value) {
  throw Error("--" + dashed(key), "expected " + expected + ", found \"" + printable(value) + "\"");
}

// A value as typed, of the kind that is there.
nlohmann::json typed_like(const nlohmann::json& present, const std::string& key, const std::string& value) {
  if (present.is_string()) return value;
  if (present.is_boolean()) {
    if (value != "true" && value != "false") not_taken(key, "true or false", value);
    return value == "true";
  }
  if (present.is_number_float()) {
    const auto number = typed_number(value);
    if (!number) not_taken(key, "a number", value);
    return *number;
  }
  const auto number = typed_whole(value);
  if (!number) not_taken(key, "a whole number", value);
  return *number;
}

}  // namespace

std::vector<std::string> recipe_settings() {
  std::vector<std::string> names{"layers"};
  for (const nlohmann::json& all : {to_json(Config()), to_json(TrainingOptions())})
    for (const auto& [key, value] : all.items())
      if (is_setting(key)) names.push_back(dashed(key));
  std::ranges::sort(names);
  return names;
}

Recipe with_options(const Recipe& recipe, const std::vector<std::string>& options) {
  nlohmann::json config = to_json(recipe.config), training = to_json(recipe.training);
  const auto put = [&](const std::string& key, const std::string& value) {
    const bool known = is_setting(key) || key == "seed";
    if (!known || (!config.contains(key) && !training.contains(key)))
      not_taken(key, "a setting of the model or of its training", value);
    nlohmann::json& of = config.contains(key) ? config : training;
    of[key] = typed_like(of.at(key), key, value);
    if (key == "norm") config["final_norm"] = value == "pre";  // as train has it
    // A limit that is named puts the others aside.
    for (const char* limit : {"steps", "epochs", "minutes"})
      if (key == "steps" || key == "epochs" || key == "minutes")
        if (key != limit) training[limit] = 0;
  };
  for (const std::string& option : options) {
    const std::size_t equals = std::min(option.find('='), option.size());
    std::string key = option.substr(0, equals);
    if (key.starts_with("--")) key = key.substr(2);
    std::ranges::replace(key, '-', '_');
    const std::string value = equals < option.size() ? option.substr(equals + 1) : "true";
    if (key == "layers")
      put("encoder_layers", value), put("decoder_layers", value);
    else
      put(key, value);
  }
  Recipe changed{config_from_json(config, "model"), training_options_from_json(training, "training"),
                 recipe.data};
  check(changed.config);
  check(changed.training);
  return changed;
}

std::vector<std::string> train_options(const Recipe& recipe) {
  const std::string kind = recipe.data.training.kind();
  const Preset& preset = nearest_preset(recipe, kind);
  OptionList options;
  add_data(options, recipe.data, recipe.config.max_length);
  options.add("preset", std::string(preset.name));
  const nlohmann::json config = to_json(recipe.config);
  for (const std::string& key : keys_apart(recipe.config, kind, preset)) options.add(key, config.at(key));
  options.add("max-length", config.at("max_length"));
  add_training(options, recipe.training, suggested_options(kind, recipe.config, preset));
  return options.all;
}

std::vector<std::string> train_options(const RecurrentRecipe& recipe) {
  const std::string kind = recipe.data.training.kind();
  OptionList options;
  add_data(options, recipe.data, recipe.config.max_length);
  const nlohmann::json wanted = to_json(recipe.config), usual = to_json(RecurrentConfig());
  options.add("architecture", wanted.at("architecture"));
  for (const auto& [key, value] : wanted.items())
    if (is_setting(key) || key == "source_eos") options.add_unless(key, value, usual.at(key));
  options.add("max-length", wanted.at("max_length"));
  Config width;
  width.d_model = recipe.config.width;
  const Preset& usual_size = preset(kind == "corpus" || kind == "grammar" ? "small" : "tiny");
  add_training(options, recipe.training,
               suggested_recurrent_options(suggested_options(kind, width, usual_size)));
  return options.all;
}

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(kSafe) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string train_command(const std::vector<std::string>& options, const std::string& out) {
  std::string command = "glassformer train";
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    (command += ' ') += option.substr(0, equals);
    // A value that looks like an option stays with its name.
    if (equals == std::string::npos) continue;
    const std::string value = option.substr(equals + 1);
    (command += value.starts_with('-') ? '=' : ' ') += shell_quoted(value);
  }
  return command + " --out" + (out.starts_with('-') ? "=" : " ") + shell_quoted(out);
}

}  // namespace glassformer
