#include "app/commands/train_kinds.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/recurrent/recurrent_checkpoint.h"

namespace glassformer {
namespace {

constexpr const char* kItsOptions = "--width, --layers, --recurrent-attention, --max-length and --source-eos";

// With what was typed, for these data.
nlohmann::json typed_config(nlohmann::json json, const TrainArguments& arguments, const PreparedData& data) {
  for (const auto* keys : {&arguments.model, &arguments.recurrent})
    for (const auto& [key, text] : *keys) json[key] = typed(text);
  json["source_vocab"] = data.tokenizers.source->size();
  json["target_vocab"] = data.tokenizers.target->size();
  const long longest = std::max(data.report.source.longest, data.report.target.longest) + 2;
  if (!arguments.model.contains("max_length")) json["max_length"] = std::max<long>(kRoom, longest);
  return json;
}

// An option that only Transformers have; empty: none was named.
std::string foreign_option(const TrainArguments& arguments) {
  constexpr std::array<std::string_view, 8> kLearning = {
      "mask_future", "zero_after_softmax", "softmax_twice",  "extra_padding", "unmasked_padding",
      "freeze",      "zero_pad",           "unit_embeddings"};
  if (!arguments.preset.empty()) return "--preset";
  for (const auto& [key, text] : arguments.model)
    if (key != "max_length" && key != "source_eos") return option_name(key);
  for (const auto& [key, text] : arguments.training)
    if (std::ranges::find(kLearning, key) != kLearning.end() || key == "dropout") return option_name(key);
  if (!arguments.fine_tune.empty()) return "--fine-tune";
  if (!arguments.data.options.source_embedding.empty()) return "--source-embedding";
  if (!arguments.data.options.target_embedding.empty()) return "--target-embedding";
  return "";
}

}  // namespace

bool trains_recurrent(const TrainArguments& arguments) {
  return arguments.resume.empty() ? arguments.architecture == "recurrent"
                                  : holds_recurrent_model(arguments.resume);
}

void check_architecture(const TrainArguments& arguments) {
  if (!arguments.resume.empty() && (!arguments.architecture.empty() || !arguments.recurrent.empty()))
    throw CLI::ValidationError(
        "a resumed run keeps its model; leave out --architecture and the model's options");
  if (!trains_recurrent(arguments)) {
    if (!arguments.recurrent.empty())
      throw CLI::ValidationError(option_name(arguments.recurrent.begin()->first) +
                                 " is of a recurrent model; add --architecture recurrent");
    return;
  }
  if (const std::string option = foreign_option(arguments); !option.empty())
    throw CLI::ValidationError(option + " is for Transformers alone; a recurrent model has " + kItsOptions);
}

const Preset& preset_of(const TrainArguments& arguments, const std::string& kind) {
  const bool small_data = kind != "corpus" && kind != "grammar";
  return preset(!arguments.preset.empty() ? arguments.preset : small_data ? "tiny" : "small");
}

template <>
Config new_config<Transformer<float>>(const TrainArguments& arguments, const PreparedData& data,
                                      const std::string& kind) {
  nlohmann::json json = to_json(suggested_config(kind, preset_of(arguments, kind)));
  json.erase("final_norm");  // follows norm unless it is named
  json = typed_config(std::move(json), arguments, data);
  if (json["sharing"] == "all" && data.tokenizers.source != data.tokenizers.target)
    throw Error("train", "--sharing all needs one vocabulary for both sides; add --shared-vocabulary");
  return config_from_json(json, "train");
}

template <>
RecurrentConfig new_config<RecurrentModel<float>>(const TrainArguments& arguments, const PreparedData& data,
                                                  const std::string&) {
  return recurrent_config_from_json(typed_config(to_json(RecurrentConfig()), arguments, data), "train");
}

TrainingOptions suggested(const TrainArguments& arguments, const Config& config, const std::string& kind,
                          long pass_tokens) {
  TrainingOptions options = suggested_options(kind, config, preset_of(arguments, kind), pass_tokens);
  // So slowly that what was learned is kept: a fresh model's rate forgets it within some steps.
  if (!arguments.fine_tune.empty()) options.schedule = "constant", options.peak = 1e-4;
  return options;
}

TrainingOptions suggested(const TrainArguments& arguments, const RecurrentConfig& config,
                          const std::string& kind, long pass_tokens) {
  Config width;
  width.d_model = config.width;
  return suggested_recurrent_options(suggested(arguments, width, kind, pass_tokens));
}

}  // namespace glassformer
