#include "app/commands/train_recurrent.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "app/commands/train_arguments.h"
#include "app/commands/train_loop.h"
#include "app/commands/train_process.h"
#include "app/session/data_consent.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/train/presets.h"
#include "engine/train/recurrent_run.h"

namespace glassformer {
namespace {

constexpr const char* kItsOptions = "--width, --layers, --recurrent-attention, --max-length and --source-eos";

RecurrentConfig recurrent_config(const TrainArguments& arguments, const PreparedData& data) {
  nlohmann::json json = to_json(RecurrentConfig());
  for (const auto& [key, text] : arguments.model) json[key] = typed(text);
  for (const auto& [key, text] : arguments.recurrent) json[key] = typed(text);
  json["source_vocab"] = data.tokenizers.source->size();
  json["target_vocab"] = data.tokenizers.target->size();
  const long longest = std::max(data.report.source.longest, data.report.target.longest) + 2;
  if (!arguments.model.contains("max_length")) json["max_length"] = std::max<long>(kRoom, longest);
  return recurrent_config_from_json(json, "train");
}

TrainingOptions suggested(const std::string& kind, const RecurrentConfig& config, long pass_tokens) {
  const bool small_data = kind != "corpus" && kind != "grammar";
  Config width;
  width.d_model = config.width;
  return suggested_recurrent_options(
      suggested_options(kind, width, preset(small_data ? "tiny" : "small"), pass_tokens));
}

std::unique_ptr<RecurrentRun> new_recurrent_run(const TrainArguments& arguments,
                                                const DataProgress& progress) {
  DataOptions options = data_options(arguments.data);
  limit_sentences(arguments, options);
  OwnedFolder home = claimed(arguments.out, arguments.overwrite);
  const std::string kind = kind_of(options.training);
  const PreparedData data = prepare_data(options, progress);
  tell_what_was_kept(data.report);
  const RecurrentConfig config = as_usage([&] { return recurrent_config(arguments, data); });
  const TrainingOptions training = as_usage(
      [&] { return training_options(arguments, suggested(kind, config, data.report.pass_tokens())); });
  auto run = std::make_unique<RecurrentRun>(std::make_shared<const TrainingSet>(training_set(data, options)),
                                            config, training);
  run->save_in(std::move(home));
  report_long_warmup(run->schedule());
  return run;
}

std::unique_ptr<RecurrentRun> resumed_recurrent_run(const TrainArguments& arguments,
                                                    const DataProgress& progress) {
  check_resumed(arguments);
  const bool here = is_same_folder(arguments.resume, out_folder(arguments));
  OwnedFolder home = here ? OwnedFolder() : claimed(arguments.out, arguments.overwrite);
  const auto data = resumed_data(arguments, progress);
  auto run = RecurrentRun::resume(arguments.resume, data, arguments.common.threads, here);
  TrainingOptions limits = run->options();
  forget_limits(arguments, limits);
  for (const auto& [key, text] : arguments.training)
    if (!take_limit(key, text, limits))
      throw CLI::ValidationError(option_name(key) +
                                 " cannot be changed in a resumed run of a recurrent model");
  run->set_limits(limits.steps, limits.epochs, limits.minutes, limits.patience);
  report_schedule_over(run->schedule(), run->stop().has_value(), limits.steps);
  if (!here) run->save_in(std::move(home));
  return run;
}

RunEnd end_of(const RecurrentRun& run, const std::string& folder) {
  return {.folder = folder,
          .step = run.step_count(),
          .epoch = run.epoch(),
          .seconds = run.seconds(),
          .stop = run.stop(),
          .kept_step = run.kept_step(),
          .parameters = run.model().parameter_count(),
          .curves = run.curves(),
          .keep = run.options().keep};
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
    if (std::ranges::find(kLearning, key) != kLearning.end() || key == "average" || key == "dropout")
      return option_name(key);
  if (arguments.history > 0) return "--history";
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

int train_recurrent(const TrainArguments& arguments, const std::string& folder,
                    const std::function<bool()>& going) {
  const DataProgress preparing = [&](const std::string&, double) { return going(); };
  const auto run = arguments.resume.empty() ? new_recurrent_run(arguments, preparing)
                                            : resumed_recurrent_run(arguments, preparing);
  const LearningHooks hooks{.going = going, .save = [&] { save_run(*run, folder); }, .look = {}};
  hooks.save();  // the very beginning, so that a kill leaves something to go on from
  note_written_here(folder);
  if (!arguments.beginning_alone) learn(*run, hooks);
  return finish(end_of(*run, folder), arguments);
}

}  // namespace glassformer
