// glassformer train: learns from data and leaves a checkpoint folder behind.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/train_arguments.h"
#include "app/commands/train_kinds.h"
#include "app/commands/train_loop.h"
#include "app/commands/train_process.h"
#include "app/scene/held_out.h"
#include "app/session/data_consent.h"
#include "app/stop_signals.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/model/transformer.h"
#include "engine/train/presets.h"
#include "engine/train/trainer.h"

namespace glassformer {
namespace {

template <class Model>
std::unique_ptr<Training<Model>> new_run(const TrainArguments& arguments, const DataProgress& progress) {
  DataOptions options = data_options(arguments.data);
  limit_sentences(arguments, options);
  std::optional<Checkpoint> from;
  if constexpr (kIsTransformer<Model>) from = tuned_model(arguments, options);
  OwnedFolder home = claimed(arguments.out, arguments.overwrite);
  const std::string kind = options.training.kind();
  const bool for_text = as_usage([&] { return preset_of(arguments, kind).for_text; });
  options.shared_vocabulary = options.shared_vocabulary || (kIsTransformer<Model> && for_text);
  const PreparedData data = prepare_data(options, progress, from ? from->tokenizers : Tokenizers());
  print_kept_lines(data.report);
  ConfigOf<Model> config;
  if constexpr (kIsTransformer<Model>)
    if (from) config = from->snapshot.config;
  if (!from) config = as_usage([&] { return new_config<Model>(arguments, data, kind); });
  const TrainingOptions training = as_usage([&] {
    return training_options(arguments, suggested(arguments, config, kind, data.report.pass_tokens()));
  });
  const auto set = std::make_shared<const TrainingSet>(training_set(data, options));
  std::unique_ptr<Training<Model>> trainer;
  if constexpr (kIsTransformer<Model>) {
    if (from)
      trainer = Trainer::begin_with(from->snapshot, arguments.fine_tune, config.dropout, set, training);
    if (!from) report_frozen_as_drawn(training.freeze, *set, config);
  }
  if (!trainer) trainer = std::make_unique<Training<Model>>(set, config, training);
  trainer->save_in(std::move(home));
  report_long_warmup(trainer->schedule());
  return trainer;
}

template <class Model>
std::unique_ptr<Training<Model>> resumed_run(const TrainArguments& arguments, const DataProgress& progress) {
  check_resumed(arguments);
  const bool here = is_same_folder(arguments.resume, out_folder(arguments));
  OwnedFolder home = here ? OwnedFolder() : claimed(arguments.out, arguments.overwrite);
  const auto data = resumed_data(arguments, progress);
  auto trainer = Training<Model>::resume(arguments.resume, data, arguments.common.threads, here);

  // Later limits and settings that may change on the way.
  TrainingOptions limits = trainer->options();
  LiveSettings live = trainer->live();
  forget_limits(arguments, limits);
  for (const auto& [key, text] : arguments.training) {
    if (take_limit(key, text, limits)) continue;
    const nlohmann::json value = typed(text);
    if (key == "smoothing") {
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
  report_schedule_over(trainer->schedule(), trainer->stop().has_value(), limits.steps);
  if (here) return trainer;
  trainer->save_in(std::move(home));
  return trainer;
}

// What is made of a few held-out sentences on the way, as the window keeps it beside the steps.
template <class Model>
class HeldOutHistory {
 public:
  HeldOutHistory(const Training<Model>& trainer, const std::string& resumed)
      : sentences_(held_out_sentences(trainer.data())) {
    if (!resumed.empty()) take_attempts(sentences_, kept_held_out(resumed), trainer.step_count());
    look(trainer);
  }
  void look(const Training<Model>& trainer) {
    translate_held_out(*trainer.snapshot(), trainer.data().tokenizers, sentences_, [] { return true; });
  }
  void write(const std::string& folder) const { keep_held_out(folder, sentences_); }

 private:
  std::vector<HeldOutSentence> sentences_;
};

// Until the first save nothing can be lost, and a library that learns pieces from much text asks nobody: a
// signal that is not answered by then ends the program.
class Preparation {
 public:
  explicit Preparation(std::string folder) : folder_(std::move(folder)) {
    std::error_code unknown;
    there_before_ = std::filesystem::exists(folder_, unknown) || unknown;
  }
  void over() {
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }
  // Called when a signal came.
  void end_program_unless_over() {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, kPatience, [this] { return over_; })) return;
    std::error_code not_empty;
    if (!there_before_) std::filesystem::remove(folder_, not_empty);
    std::cerr << "glassformer: data: preparing the data was stopped\n";
    std::_Exit(1);
  }

 private:
  static constexpr std::chrono::milliseconds kPatience{1000};
  std::string folder_;
  bool there_before_ = true, over_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

template <class Model>
RunEnd end_of(const Training<Model>& trainer, const std::string& folder) {
  const auto kept = trainer.kept();
  return {.folder = folder,
          .step = trainer.step_count(),
          .epoch = trainer.epoch(),
          .seconds = trainer.seconds(),
          .stop = trainer.stop(),
          .kept_step = kept->step,
          .parameters = kept->weights->parameter_count(),
          .curves = trainer.curves(),
          .keep = trainer.options().keep};
}

template <class Model>
int train(const TrainArguments& arguments, const std::string& folder, Preparation& preparation,
          const std::function<bool()>& going) {
  const DataProgress preparing = [&](const std::string&, double) { return going(); };
  const auto trainer = arguments.resume.empty() ? new_run<Model>(arguments, preparing)
                                                : resumed_run<Model>(arguments, preparing);
  if (arguments.history > 0) trainer->keep_history(static_cast<std::size_t>(arguments.history) << 20U);
  trainer->keep_diagnosis();
  std::optional<HeldOutHistory<Model>> held_out;
  if (arguments.history > 0) held_out.emplace(*trainer, arguments.resume);

  // Save the very beginning, so that a kill leaves something to resume from; then train.
  preparation.over();
  LearningHooks hooks{.going = going, .save = {}, .look = {}};
  hooks.save = [&] {
    save_run(*trainer, folder, [&] {
      if (held_out) held_out->write(folder);
    });
  };
  if (held_out)
    hooks.look = [&](bool validated) {
      if (validated || worth_a_look(trainer->step_count())) held_out->look(*trainer);
    };
  hooks.save();
  note_written_here(folder);
  if (!arguments.beginning_alone) learn(*trainer, hooks);
  return finish(end_of(*trainer, folder), arguments);
}

int run_train(const TrainArguments& arguments) {
  if (arguments.out.empty() && arguments.resume.empty())
    throw CLI::ValidationError("--out is needed: the folder that is to hold the model");
  if (!arguments.resume.empty() && !arguments.fine_tune.empty())
    throw CLI::ValidationError("a run that is resumed has begun already; leave out --fine-tune");
  const std::string folder = out_folder(arguments);
  Preparation preparation(folder);
  const StopSignals signals([&] { preparation.end_program_unless_over(); });
  const struct Ends {  // with an error too, which is printed then
    Preparation& preparation;
    ~Ends() { preparation.over(); }
  } ends{preparation};
  const auto going = [&] { return !signals.asked(); };
  return trains_recurrent(arguments) ? train<RecurrentModel<float>>(arguments, folder, preparation, going)
                                     : train<Transformer<float>>(arguments, folder, preparation, going);
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
  add_recurrent_options(*command, *arguments);
  add_training_options(*command, *arguments);
  command->footer("Example: glassformer train --task reverse --preset tiny --out reverse");
  command->callback([arguments, &chosen] {
    // What was not given keeps its default.
    std::erase_if(arguments->model, [](const auto& entry) { return entry.second.empty(); });
    std::erase_if(arguments->recurrent, [](const auto& entry) { return entry.second.empty(); });
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
    check_architecture(*arguments);  // while it is parsed, so that a sweep knows before the first run
    chosen = [arguments] { return run_train(*arguments); };
  });
}

}  // namespace glassformer
