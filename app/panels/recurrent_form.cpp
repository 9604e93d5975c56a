#include "app/panels/recurrent_form.h"

#include "app/format/number_format.h"
#include "engine/math/error.h"
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
  check(run.config);
  return "About " + format_count(static_cast<long long>(parameter_count(run.config))) +
         " weights. It learns beside the Transformer and is kept: Before attention shows how it learns, "
         "Attention and One cell its numbers, Open model lists it.";
}

}  // namespace glassformer
