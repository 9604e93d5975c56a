#include "app/commands/train_arguments.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/model/config.h"
#include "engine/train/presets.h"
#include "engine/train/run_data.h"
#include "engine/train/trainer.h"

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

namespace {

constexpr int kLongestSentence = 254;  // pieces, unless --max-length says otherwise
constexpr double kUsualWarmup = 1000;  // of a corpus that is not small

bool falls_to_zero(const Schedule& schedule) {
  return schedule.kind == ScheduleKind::linear || schedule.kind == ScheduleKind::cosine;
}

}  // namespace

nlohmann::json typed(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  if (const auto whole = typed_whole(text)) return *whole;
  const auto number = typed_number(text);
  // "1e18" is a whole number, whether or not one that an option takes.
  if (number && *number == std::floor(*number) && std::abs(*number) < 9e18)
    return static_cast<std::int64_t>(*number);
  return number ? nlohmann::json(*number) : nlohmann::json(text);
}

void limit_sentences(const TrainArguments& arguments, DataOptions& options) {
  if (arguments.data.max_tokens != DataArguments::kByModel) return;
  const auto length = arguments.model.find("max_length");
  const auto asked = length == arguments.model.end() ? nlohmann::json() : typed(length->second);
  options.max_tokens = as_whole<int>(asked, 3).value_or(kLongestSentence + 2) - 2;
}

TrainingOptions training_options(const TrainArguments& arguments, TrainingOptions suggested) {
  const auto& given = arguments.training;
  if (const auto steps = given.find("steps"); steps != given.end() && !given.contains("warmup"))
    if (const auto whole = typed_whole(steps->second); whole && *whole > 0) fit_warmup(*whole, suggested);
  nlohmann::json json = to_json(suggested);
  if (given.contains("steps") || given.contains("epochs") || given.contains("minutes"))
    json["steps"] = json["epochs"] = json["minutes"] = json["total_steps"] = 0;
  // A schedule that falls to 0 at the end needs to know the end.
  if (given.contains("minutes") && !given.contains("schedule") && json["schedule"] == "cosine") {
    json["schedule"] = "noam";
    json["warmup"] = 2 * json["warmup"].get<long>();
  }
  // Another warm-up reaches the same highest rate as with the suggested one.
  const double usual = json["warmup"].get<double>();
  for (const auto& [key, text] : given) json[key] = typed(text);
  const bool fitted = given.contains("warmup") && !given.contains("factor") && usual < kUsualWarmup &&
                      json["schedule"] == "noam";
  if (fitted && json["warmup"].is_number() && json["warmup"].get<double>() > 0)
    json["factor"] = json["factor"].get<double>() * std::sqrt(json["warmup"].get<double>() / usual);
  json["seed"] = arguments.common.seed;
  json["threads"] = arguments.common.threads;
  return training_options_from_json(json, "train");
}

OwnedFolder claimed(const std::string& folder, bool overwrite) {
  OwnedFolder home(folder, names_of_older_run(folder));
  if (!overwrite && holds_a_model(folder))
    throw Error(folder, "there is a model already; go on with it by --resume " + folder +
                            ", choose another folder, or replace it by --overwrite");
  home.check({"config.json", "weights.safetensors", "training.json", "tokenizer.json", "shared.model",
              "shared.vocab", "source.model", "source.vocab", "target.model", "target.vocab"});
  return home;
}

bool is_same_folder(const std::string& one, const std::string& other) {
  std::error_code missing;
  return one == other || std::filesystem::equivalent(one, other, missing);
}

std::string out_folder(const TrainArguments& arguments) {
  if (arguments.out.empty() || is_same_folder(arguments.resume, arguments.out)) return arguments.resume;
  return arguments.out;
}

void report_long_warmup(const Schedule& schedule) {
  if (!falls_to_zero(schedule) || schedule.warmup < schedule.total_steps) return;
  std::cerr << "note: the warm-up of " << schedule.warmup << " steps is not over at step "
            << schedule.total_steps
            << ", where the schedule ends: its peak is never passed; take a smaller --warmup\n";
}

void report_frozen_as_drawn(const std::string& frozen, const TrainingSet& data, const Config& config) {
  const bool one = config.sharing == Sharing::all;  // matrix: the vectors of either side are its
  for (const std::string side : {"source", "target"}) {
    const bool given = side == "source" ? data.source_vectors || (one && data.target_vectors)
                                        : data.target_vectors || (one && data.source_vectors);
    if (frozen.find(side) == std::string::npos || given) continue;
    std::cerr << "note: the " << side
              << " embedding keeps the random numbers that it was drawn with: it does "
              << "not learn, and no vectors are given for it; add --" << side
              << "-embedding or leave out --freeze\n";
  }
}

void report_schedule_over(const Schedule& schedule, bool ended, long steps) {
  const long last = schedule.from + schedule.total_steps;
  if (falls_to_zero(schedule) && !ended && (steps == 0 || steps > last))
    std::cerr << "note: the schedule's learning rate is 0 from step " << last << " on\n";
}

void check_resumed(const TrainArguments& arguments) {
  if (arguments.beginning_alone)
    throw CLI::ValidationError(
        "--steps 0 saves a model as it begins, and a resumed run has begun; --epochs 0 takes its limit away");
  if (!arguments.model.empty() || !arguments.preset.empty())
    throw CLI::ValidationError("a resumed run keeps its model; leave out --preset and the model's options");
}

std::shared_ptr<const TrainingSet> resumed_data(const TrainArguments& arguments,
                                                const DataProgress& progress) {
  DataOptions options = run_data_options(arguments.resume);
  if (names_data(arguments.data)) {
    const DataOptions named = data_options(arguments.data);
    options.training = named.training;
    options.validation = named.validation;
    if (!named.leave_out.empty()) options.leave_out = named.leave_out;
  }
  return run_data(arguments.resume, options, progress);
}

void forget_limits(const TrainArguments& arguments, TrainingOptions& limits) {
  const auto& given = arguments.training;
  if (given.contains("steps") || given.contains("epochs") || given.contains("minutes"))
    limits.steps = 0, limits.epochs = limits.minutes = 0;
}

bool take_limit(const std::string& key, const std::string& text, TrainingOptions& limits) {
  const nlohmann::json value = typed(text);
  if (!value.is_number())
    throw CLI::ValidationError(option_name(key) + " cannot be changed in a resumed run");
  if ((key == "steps" || key == "patience") && !as_whole<int>(value, 0, kMost))
    throw CLI::ValidationError(option_name(key) + " must be a whole number up to 1e9, found " + text);
  if (key == "steps") {
    limits.steps = value;
  } else if (key == "epochs") {
    limits.epochs = value;
  } else if (key == "minutes") {
    limits.minutes = value;
  } else if (key == "patience") {
    limits.patience = value;
  } else {
    return false;
  }
  return true;
}

std::optional<Checkpoint> tuned_model(const TrainArguments& arguments, DataOptions& options) {
  if (arguments.fine_tune.empty()) return std::nullopt;
  const auto is_size = [](const auto& option) { return option.first != "dropout"; };
  if (std::ranges::any_of(arguments.model, is_size) || !arguments.preset.empty() || options.tokenizer ||
      options.pieces > 0 || options.shared_vocabulary)
    throw CLI::ValidationError(
        "a model that is tuned keeps its sizes and pieces; leave out --preset and the options of model and "
        "tokenizer");
  Checkpoint from = load_checkpoint(arguments.fine_tune);
  if (!from.tokenizers.source || !from.tokenizers.target)
    throw Error(arguments.fine_tune, "it has no tokenizer, so other pairs cannot be cut into its pieces");
  Config& config = from.snapshot.config;
  const int longest = config.max_length - 2;
  options.max_tokens = options.max_tokens > 0 ? std::min(options.max_tokens, longest) : longest;
  if (const auto dropout = arguments.model.find("dropout"); dropout != arguments.model.end()) {
    const std::optional<double> share = typed_number(dropout->second);
    if (!share || *share < 0 || *share >= 1)
      throw CLI::ValidationError("--dropout must be from 0 to below 1, found " + dropout->second);
    config.dropout = *share;
  }
  return from;
}

}  // namespace glassformer
