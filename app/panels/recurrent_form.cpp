#include "app/panels/recurrent_form.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "app/format/number_format.h"
#include "app/panels/model_memory.h"
#include "app/session/paths.h"
#include "engine/text/toy_tasks.h"
#include "engine/train/presets.h"

namespace glassformer {

namespace {

// With what suits the data, as `glassformer train --architecture recurrent` has it.
TrainingOptions suiting(const NewModelForm& form, int width) {
  const std::string kind = data_kind(form);
  const bool small_data = kind != "corpus" && kind != "grammar";
  Config wide;
  wide.d_model = width;
  const long tokens = kind == "corpus" ? form.own_tokens : 0;
  return suggested_recurrent_options(
      suggested_options(kind, wide, preset(small_data ? "tiny" : "small"), tokens));
}

}  // namespace

ChoiceField recurrent_attention() {
  return {"recurrent_attention", "Attention", {"none: one vector", "additive (Bahdanau)", "dot (Luong)"}};
}

// On the data of the run that it is to stand beside, where those are known. Its vocabularies say what a
// corpus has that was not looked at here.
void NewModelForm::start_recurrent(const DataPreview* preview, const std::optional<DataOptions>& run_data,
                                   const Tokenizers& tokenizers) {
  start(preview);
  recurrent = true;
  if (!run_data) return;
  const DataSource& from = run_data->training;
  const std::vector<ToyTask> tasks = toy_tasks();
  const auto task = std::ranges::find(tasks, from.task, toy_task_name);
  if (!from.task.empty() && task != tasks.end()) {
    data = 1 + static_cast<int>(task - tasks.begin());
  } else if (std::error_code none; !from.grammar.empty() &&
                                   std::filesystem::equivalent(from.grammar, program_file(kGrammar), none)) {
    data = 0;
  } else {
    own = *run_data;
    own_tokens = 0;
    own_vocabularies = {tokenizers.source ? tokenizers.source->size() : 0,
                        tokenizers.target ? tokenizers.target->size() : 0};
    has_own = true;
    data = 1 + static_cast<int>(tasks.size());
  }
  numbers["pairs"] = std::to_string(std::max(0l, static_cast<long>(from.pairs)));
  numbers["pieces"] = std::to_string(run_data->pieces);
  numbers["data_seed"] = std::to_string(run_data->seed);
  choices["tokenizer"] = run_data->tokenizer ? 1 + static_cast<int>(*run_data->tokenizer) : 0;
  take_preset();
  choices["shared_vocabulary"] = run_data->shared_vocabulary ? 1 : 0;
}

NewRecurrentRun recurrent_of(const NewModelForm& form) {
  NewRecurrentRun run;
  run.data = data_of(form);
  run.config.width = whole_in(form, kRecurrent[0]);
  run.config.layers = whole_in(form, kRecurrent[1]);
  run.config.recurrent_attention =
      static_cast<RecurrentAttention>(form.choices.at(recurrent_attention().name));
  run.training = suiting(form, run.config.width);
  if (const int steps = whole_in(form, kRecurrent[2]); steps > 0) {
    run.training.steps = steps;
    run.training.epochs = 0;
    fit_warmup(steps, run.training);
  }
  return run;
}

std::string recurrent_summary(const NewModelForm& form, const DataPreview* preview) {
  NewRecurrentRun run = recurrent_of(form);
  run.config.source_vocab = guessed_vocabulary(form, preview, true);
  run.config.target_vocab = guessed_vocabulary(form, preview, false);
  const bool known = run.config.source_vocab > 0 && run.config.target_vocab > 0;
  if (!known) run.config.source_vocab = run.config.target_vocab = 5;  // to check the rest
  check(run.config);
  // Four numbers a weight: itself, its gradient and the two moments of Adam; some ten a unit, token and
  // layer.
  const double units = 2.0 * run.config.layers * run.config.width * run.training.batch_tokens;
  check_memory(16.0 * static_cast<double>(parameter_count(run.config)) + 40 * units,
               "a smaller width or fewer layers");
  return (known ? "About " + format_count(static_cast<long long>(parameter_count(run.config))) + " weights. "
                : std::string()) +
         "It learns beside the Transformer and is kept: Before attention shows how it learns, "
         "Attention and One cell its numbers, Open model lists it.";
}

}  // namespace glassformer
