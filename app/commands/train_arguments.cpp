#include "app/commands/train_arguments.h"

#include <nlohmann/json.hpp>

#include "engine/model/config.h"
#include "engine/train/presets.h"

namespace glassformer {

std::string option_name(std::string key) {
  for (char& c : key)
    if (c == '_') c = '-';
  return "--" + key;
}

void add_model_options(CLI::App& command, TrainArguments& arguments) {
  std::string names;
  for (const Preset& known : presets()) names += (names.empty() ? "" : ", ") + std::string(known.name);
  command
      .add_option("--preset", arguments.preset,
                  "Size of the model: " + names + " (default tiny for tasks, else small)")
      ->group("Model");
  command
      .add_option("--attention-dropout", arguments.model["attention_dropout"],
                  "config.json's attention_dropout, of the weights of attention (default: as --dropout)")
      ->group("Model");
  const nlohmann::json keys = to_json(Config());
  for (const auto& [key, value] : keys.items()) {
    if (key.ends_with("_vocab") || key.ends_with("_id") || key == "dropout") continue;
    command
        .add_option(option_name(key), arguments.model[key],
                    "config.json's " + key + " (default " + value.dump() + ")")
        ->group("Model");
  }
}

void add_recurrent_options(CLI::App& command, TrainArguments& arguments) {
  constexpr const char* kGroup = "Recurrent model";
  command
      .add_option("--architecture", arguments.architecture,
                  "transformer (default) or recurrent: an encoder and a decoder of gated recurrent units")
      ->check(CLI::IsMember({"transformer", "recurrent"}))
      ->group(kGroup);
  const auto add = [&](const char* key, const char* what) {
    return command.add_option(option_name(key), arguments.recurrent[key], what)->group(kGroup);
  };
  add("recurrent_attention",
      "How its decoder looks at the source: none (it has one vector), additive (default) or dot")
      ->check(CLI::IsMember({"none", "additive", "dot"}));
  add("width", "Width of its embeddings and states (default 64)");
  add("layers", "Layers of its encoder and of its decoder (default 1)");
}

void add_training_options(CLI::App& command, TrainArguments& arguments) {
  const auto add = [&](const char* key, const char* what) {
    command.add_option(option_name(key), arguments.training[key], what)->group("Training");
  };
  add("steps", "Stop after so many steps (0: save the untrained model and end)");
  add("epochs", "Stop after so many passes over the data (0: no limit)");
  add("minutes", "Stop after so much time in training steps");
  add("batch_tokens", "Source and target tokens in a batch");
  add("schedule", "Learning rate: noam, constant, linear or cosine");
  add("warmup", "Steps of rising learning rate (0: none; noam needs 1)");
  add("factor", "Scale of noam's rate");
  add("peak", "Rate of constant, linear and cosine");
  add("total_steps", "Where linear and cosine reach 0 (default: the last step)");
  add("clip", "Largest L2 norm of the gradient (default 0: none)");
  add("smoothing", "Label smoothing (default 0.1)");
  add("mask_future", "false: while learning the decoder sees the words it is to write (default true)");
  add("zero_after_softmax",
      "true: while learning words to come get weight 0 behind the softmax, a classic mistake (default "
      "false)");
  add("softmax_twice", "true: while learning the loss takes a second softmax, another one (default false)");
  add("extra_padding",
      "So many <pad> behind every source and target of a training batch (default 0); the loss leaves them "
      "out");
  add("unmasked_padding",
      "Attentions that learn without their padding mask: encoder, decoder, cross or several with commas");
  add("freeze", "Embeddings that keep their first numbers: source, target or source,target");
  add("zero_pad", "true: the embedding of <pad> stays 0 (default false)");
  add("unit_embeddings", "true: embeddings begin with deviation 1, not 1/sqrt(d) (default false)");
  add("dropout", "Share of numbers dropped while training");
  add("patience", "Stop after so many validations without a better loss");
  add("keep", "Keep the best validated weights or the last: best, last");
  add("average", "Keep the mean of the weights of the last N validations");
  add("validate_every", "Steps between validations (default: an epoch, 100 to 1000)");
}

}  // namespace glassformer
