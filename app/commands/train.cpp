// glassformer train: learns from data and leaves a checkpoint folder behind.
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/fine_tuning.h"
#include "app/commands/train_arguments.h"
#include "app/commands/training_progress.h"
#include "app/scene/held_out.h"
#include "app/session/data_consent.h"
#include "app/stop_signals.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/model/transformer.h"
#include "engine/train/presets.h"
#include "engine/train/run_data.h"
#include "engine/train/trainer.h"

namespace glassformer {
namespace {

constexpr double kSecondsBetweenSaves = 20;
constexpr int kLongestSentence = 254;  // pieces, unless --max-length says otherwise
constexpr int kRoom = 64;              // max_length of a model for short sentences
constexpr double kUsualWarmup = 1000;  // of a corpus that is not small
constexpr int kMost = 1000000000;      // steps or validations

// A number or a truth value as JSON knows it, else text.
nlohmann::json typed(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  if (const auto whole = typed_whole(text)) return *whole;
  const auto number = typed_number(text);
  // "1e18" is a whole number, whether or not one that an option takes.
  if (number && *number == std::floor(*number) && std::abs(*number) < 9e18)
    return static_cast<std::int64_t>(*number);
  return number ? nlohmann::json(*number) : nlohmann::json(text);
}

std::string kind_of(const DataSource& source) {
  if (!source.task.empty()) return source.task;
  return source.grammar.empty() ? "corpus" : "grammar";
}

// What is wrong with an option is wrong usage, wherever it is found.
template <class Work>
auto as_usage(Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw CLI::ValidationError(error.what());
  }
}

const Preset& preset_of(const TrainArguments& arguments, const std::string& kind) {
  const bool small_data = kind != "corpus" && kind != "grammar";
  return preset(!arguments.preset.empty() ? arguments.preset : small_data ? "tiny" : "small");
}

Config model_config(const TrainArguments& arguments, const PreparedData& data, const std::string& kind) {
  nlohmann::json json = to_json(suggested_config(kind, preset_of(arguments, kind)));
  json.erase("final_norm");  // follows norm unless it is named
  for (const auto& [key, text] : arguments.model) json[key] = typed(text);
  json["source_vocab"] = data.tokenizers.source->size();
  json["target_vocab"] = data.tokenizers.target->size();
  const long longest = std::max(data.report.source.longest, data.report.target.longest) + 2;
  if (!json.contains("max_length") || !arguments.model.contains("max_length"))
    json["max_length"] = std::max<long>(kRoom, longest);
  const Config config = config_from_json(json, "train");
  if (config.sharing == Sharing::all && data.tokenizers.source != data.tokenizers.target)
    throw Error("train", "--sharing all needs one vocabulary for both sides; add --shared-vocabulary");
  return config;
}

TrainingOptions training_options(const TrainArguments& arguments, const std::string& kind,
                                 const Config& config, long pass_tokens) {
  TrainingOptions fitted_options = suggested_options(kind, config, preset_of(arguments, kind), pass_tokens);
  const auto& given = arguments.training;
  if (const auto steps = given.find("steps"); steps != given.end() && !given.contains("warmup"))
    if (const auto whole = typed_whole(steps->second); whole && *whole > 0)
      fit_warmup(*whole, fitted_options);
  nlohmann::json json = to_json(fitted_options);
  if (given.contains("steps") || given.contains("epochs") || given.contains("minutes"))
    json["steps"] = json["epochs"] = json["minutes"] = json["total_steps"] = 0;
  // A schedule that falls to 0 at the end needs to know the end.
  if (given.contains("minutes") && !given.contains("schedule") && json["schedule"] == "cosine") {
    json["schedule"] = "noam";
    json["warmup"] = 2 * json["warmup"].get<long>();
  }
  // Another warm-up reaches the same highest rate as with the suggested one.
  const double suggested = json["warmup"].get<double>();
  for (const auto& [key, text] : given) json[key] = typed(text);
  const bool fitted = given.contains("warmup") && !given.contains("factor") && suggested < kUsualWarmup &&
                      json["schedule"] == "noam";
  if (fitted && json["warmup"].is_number() && json["warmup"].get<double>() > 0)
    json["factor"] = json["factor"].get<double>() * std::sqrt(json["warmup"].get<double>() / suggested);
  json["seed"] = arguments.common.seed;
  json["threads"] = arguments.common.threads;
  return training_options_from_json(json, "train");
}

// The folder that --out names, this program's alone from here on, before any data are read. Only what this
// program wrote there is replaced.
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

// A run that goes on in its folder does so under one name, however --out spells it: its files are known by
// it.
std::string out_folder(const TrainArguments& arguments) {
  if (arguments.out.empty() || is_same_folder(arguments.resume, arguments.out)) return arguments.resume;
  return arguments.out;
}

// A schedule that falls before its rise is over never reaches the rate that was asked for.
void report_long_warmup(const Schedule& schedule) {
  const bool falls = schedule.kind == ScheduleKind::linear || schedule.kind == ScheduleKind::cosine;
  if (!falls || schedule.warmup < schedule.total_steps) return;
  std::cerr << "note: the warm-up of " << schedule.warmup << " steps is not over at step "
            << schedule.total_steps
            << ", where the schedule ends: its peak is never passed; take a smaller --warmup\n";
}

std::unique_ptr<Trainer> new_run(const TrainArguments& arguments, const DataProgress& progress) {
  DataOptions options = data_options(arguments.data);
  const auto length = arguments.model.find("max_length");
  const auto asked = length == arguments.model.end() ? nlohmann::json() : typed(length->second);
  if (arguments.data.max_tokens == DataArguments::kByModel)
    options.max_tokens = as_whole<int>(asked, 3).value_or(kLongestSentence + 2) - 2;
  const std::optional<Checkpoint> from = tuned_model(arguments, options);
  OwnedFolder home = claimed(arguments.out, arguments.overwrite);
  const std::string kind = kind_of(options.training);
  const Preset& size = as_usage([&]() -> const Preset& { return preset_of(arguments, kind); });
  options.shared_vocabulary = options.shared_vocabulary || size.for_text;
  const PreparedData data = prepare_data(options, progress, from ? from->tokenizers : Tokenizers());
  tell_what_was_kept(data.report);
  const Config config =
      from ? from->snapshot.config : as_usage([&] { return model_config(arguments, data, kind); });
  const TrainingOptions training =
      as_usage([&] { return training_options(arguments, kind, config, data.report.pass_tokens()); });
  const auto set = std::make_shared<const TrainingSet>(training_set(data, options));
  auto trainer = from
                     ? Trainer::begin_with(from->snapshot, arguments.fine_tune, config.dropout, set, training)
                     : std::make_unique<Trainer>(set, config, training);
  trainer->save_in(std::move(home));
  report_long_warmup(trainer->schedule());
  return trainer;
}

std::unique_ptr<Trainer> resumed_run(const TrainArguments& arguments, const DataProgress& progress) {
  if (arguments.beginning_alone)
    throw CLI::ValidationError(
        "--steps 0 saves a model as it begins, and a resumed run has begun; --epochs 0 takes its limit away");
  if (!arguments.model.empty() || !arguments.preset.empty())
    throw CLI::ValidationError("a resumed run keeps its model; leave out --preset and the model's options");
  const bool here = is_same_folder(arguments.resume, out_folder(arguments));
  OwnedFolder home = here ? OwnedFolder() : claimed(arguments.out, arguments.overwrite);
  std::shared_ptr<const TrainingSet> data;
  if (names_data(arguments.data)) {
    DataOptions options = run_data_options(arguments.resume);
    const DataOptions named = data_options(arguments.data);
    options.training = named.training;
    options.validation = named.validation;
    if (!named.leave_out.empty()) options.leave_out = named.leave_out;
    data = run_data(arguments.resume, options, progress);
  } else {
    data = run_data(arguments.resume, run_data_options(arguments.resume), progress);
  }
  auto trainer = Trainer::resume(arguments.resume, data, arguments.common.threads, here);

  // Later limits and settings that may change on the way.
  TrainingOptions limits = trainer->options();
  LiveSettings live = trainer->live();
  const auto& given = arguments.training;
  if (given.contains("steps") || given.contains("epochs") || given.contains("minutes"))
    limits.steps = 0, limits.epochs = limits.minutes = 0;
  for (const auto& [key, text] : given) {
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
    } else if (key == "smoothing") {
      live.smoothing = value;
    } else if (key == "dropout") {
      live.dropout = value;
    } else if (key == "clip") {
      live.clip = value;
    } else {
      throw CLI::ValidationError(option_name(key) + " cannot be changed in a resumed run");
    }
  }
  trainer->set_limits(limits.steps, limits.epochs, limits.minutes, limits.patience);
  trainer->change(live);
  const Schedule& schedule = trainer->schedule();
  const bool falls = schedule.kind == ScheduleKind::linear || schedule.kind == ScheduleKind::cosine;
  const long last = schedule.from + schedule.total_steps;
  if (falls && !trainer->stop() && (limits.steps == 0 || limits.steps > last))
    std::cerr << "note: the schedule's learning rate is 0 from step " << last << " on\n";
  if (here) return trainer;
  trainer->save_in(std::move(home));
  return trainer;
}

int finish(Trainer& trainer, const TrainArguments& arguments, const std::string& folder) {
  const auto stop = trainer.stop();
  const auto kept = trainer.kept();
  const bool diverged = stop && stop->reason == StopReason::diverged;
  const std::string go_on = "; go on with --resume " + folder;
  const std::string reason = arguments.beginning_alone ? "saved untrained, as --steps 0 asks" + go_on
                             : stop                    ? stop->message
                                                       : "stopped by request" + go_on;
  const auto& validations = trainer.curves().validations;
  const ValidationPoint* best = nullptr;
  for (const ValidationPoint& point : validations)
    if (point.best || (trainer.options().keep == Keep::last)) best = &point;
  if (arguments.json) {
    nlohmann::json json = {{"out", folder},
                           {"step", trainer.step_count()},
                           {"epoch", trainer.epoch()},
                           {"seconds", trainer.seconds()},
                           {"stopped", reason},
                           {"finished", arguments.beginning_alone || (stop.has_value() && !diverged)},
                           {"diverged", diverged},
                           {"kept_step", kept->step},
                           {"parameters", kept->weights->parameter_count()}};
    if (!trainer.curves().steps.empty()) json["loss"] = trainer.curves().steps.back().loss;
    if (best)
      json["validation"] = {
          {"step", best->step},
          {"loss", best->loss},
          {"nll", best->nll},
          {"token_accuracy", best->token_accuracy},
          {"exact_match", best->exact_match < 0 ? nlohmann::json() : nlohmann::json(best->exact_match)}};
    print_json(json);
  }
  if (diverged) throw Error(folder, reason);
  if (!arguments.json)
    std::cout << folder << ": " << reason << " (step " << trainer.step_count() << ", "
              << (best ? validation_text(*best) : std::string("not validated")) << ")\n";
  return 0;
}

// What is made of a few held-out sentences on the way, as the window keeps it beside the steps.
class HeldOutHistory {
 public:
  HeldOutHistory(Trainer& trainer, const std::string& resumed)
      : sentences_(held_out_sentences(trainer.data())) {
    if (!resumed.empty()) take_attempts(sentences_, kept_held_out(resumed), trainer.step_count());
    look(trainer);
  }
  void look(Trainer& trainer) {
    translate_held_out(*trainer.snapshot(), trainer.data().tokenizers, sentences_, [] { return true; });
  }
  void write(const std::string& folder) const { keep_held_out(folder, sentences_); }

 private:
  std::vector<HeldOutSentence> sentences_;
};

int run_train(const TrainArguments& arguments) {
  if (arguments.out.empty() && arguments.resume.empty())
    throw CLI::ValidationError("--out is needed: the folder that is to hold the model");
  if (!arguments.resume.empty() && !arguments.fine_tune.empty())
    throw CLI::ValidationError("a run that is resumed has begun already; leave out --fine-tune");
  const std::string folder = out_folder(arguments);
  const StopSignals signals;
  const auto going = [&] { return !signals.asked(); };
  const DataProgress preparing = [&](const std::string&, double) { return going(); };
  const auto trainer =
      arguments.resume.empty() ? new_run(arguments, preparing) : resumed_run(arguments, preparing);

  if (arguments.history > 0) trainer->keep_history(static_cast<std::size_t>(arguments.history) << 20U);
  trainer->keep_diagnosis();
  std::optional<HeldOutHistory> held_out;
  if (arguments.history > 0) held_out.emplace(*trainer, arguments.resume);

  // Save the very beginning, so that a kill leaves something to go on from; then train.
  const auto save = [&] {
    try {
      trainer->save(folder);
      if (held_out) held_out->write(folder);
    } catch (const Error&) {
      if (trainer->saved_step() >= 0)
        std::cerr << "note: " << folder << " holds step " << trainer->saved_step() << " of "
                  << trainer->step_count() << "; go on from there with --resume " << folder << "\n";
      throw;
    }
    if (trainer->folder_was_lost())
      std::cerr << "note: " << folder << " was gone; what is kept of the run was written there anew\n";
  };
  save();
  note_written_here(folder);
  if (arguments.beginning_alone) return finish(*trainer, arguments, folder);
  TrainingProgress progress(*trainer);
  double saved_at = trainer->seconds();
  while (going()) {
    if (trainer->validation_due()) {
      if (const auto point = trainer->validate(going)) progress.validated(*point);
      if (held_out) held_out->look(*trainer);
      continue;
    }
    if (trainer->stop()) break;
    progress.step(trainer->step());
    if (held_out && worth_a_look(trainer->step_count())) held_out->look(*trainer);
    if (trainer->seconds() - saved_at >= kSecondsBetweenSaves) {
      save();
      saved_at = trainer->seconds();
    }
  }
  progress.end();
  save();
  return finish(*trainer, arguments, folder);
}

}  // namespace

void add_train_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command =
      app.add_subcommand("train", "Train a model and write a checkpoint folder; Ctrl-C saves and stops");
  add_common_options(*command, arguments->common);
  command->get_option("--seed")->description(
      "Seed of the first weights, the order of the data and the dropout (default 1)");
  add_data_options(*command, arguments->data);
  command->add_option("--out", arguments->out, "Folder for the model (default with --resume: the same)");
  command->add_option(
      "--fine-tune", arguments->fine_tune,
      "Begin with the weights and pieces of the model in this folder, and learn on from other pairs");
  command->add_option("--resume", arguments->resume,
                      "Go on with the run in this folder, exactly where it was");
  command
      ->add_option(
          "--history", arguments->history,
          "Keep the weights of many steps as well, in so many MB at most, for the training slider, and "
          "what held-out sentences become on the way")
      ->check(CLI::Range(0, 1 << 20));
  command->add_flag("--overwrite", arguments->overwrite, "Replace a model that is in the folder already");
  command->add_flag("--json", arguments->json, "The result as one JSON object");
  add_model_options(*command, *arguments);
  add_training_options(*command, *arguments);
  command->footer("Example: glassformer train --task reverse --preset tiny --out reverse");
  command->callback([arguments, &chosen] {
    // What was not given keeps its default.
    std::erase_if(arguments->model, [](const auto& entry) { return entry.second.empty(); });
    std::erase_if(arguments->training, [](const auto& entry) { return entry.second.empty(); });
    if (const auto steps = arguments->training.find("steps");
        steps != arguments->training.end() && typed_number(steps->second) == 0) {
      arguments->beginning_alone = true;
      arguments->training.erase(steps);
    }
    if (const auto dropout = arguments->training.find("dropout");
        dropout != arguments->training.end() && arguments->resume.empty()) {
      arguments->model["dropout"] = dropout->second;
      arguments->training.erase(dropout);
    }
    chosen = [arguments] { return run_train(*arguments); };
  });
}

}  // namespace glassformer
