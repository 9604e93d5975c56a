// `glassformer trace`: every value of a forward pass on a given batch, and the gradients of all parameters.
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/lines.h"
#include "app/commands/what_if_option.h"
#include "app/session/change_words.h"
#include "engine/files/safetensors.h"
#include "engine/math/worker_pool.h"
#include "engine/model/optimizer.h"
#include "engine/model/recorder.h"
#include "engine/model/weights_file.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/recurrent/recurrent_trace.h"
#include "engine/train/any_model.h"

namespace glassformer {
namespace {

struct TraceArguments {
  CommonOptions common;
  std::string model, batch, out, gradients, gradient_trace, what_if;
  double smoothing = 0.1;
};

void write_values(const std::string& path, const std::map<std::string, Tensor, std::less<>>& values) {
  std::vector<TensorToWrite> tensors;
  for (const auto& [name, tensor] : values) tensors.push_back({name, tensor.shape, tensor.values.data()});
  write_safetensors(path, std::move(tensors));
}

void print_loss(const Loss& loss, double norm) {
  if (!std::isfinite(loss.loss))
    print_notes({"the model's numbers are not finite on this batch, so no loss is known"});
  print_json({{"loss", loss.loss},
              {"nll", loss.nll},
              {"kl", loss.kl},
              {"perplexity", loss.perplexity},
              {"token_accuracy", loss.token_accuracy},
              {"gradient_norm", norm}});
}

double norm_of(const RecurrentModel<float>& gradient) {
  double sum = 0;
  gradient.visit([&](const std::string&, Parameter<const float> tensor) {
    sum += Eigen::Map<const Eigen::ArrayXf>(tensor.data, static_cast<Eigen::Index>(tensor.size()))
               .cast<double>()
               .square()
               .sum();
  });
  return std::sqrt(sum);
}

int trace_recurrent(const TraceArguments& options) {
  if (!options.what_if.empty()) throw not_of_recurrent(options.model, "--what-if");
  if (!options.gradient_trace.empty()) throw not_of_recurrent(options.model, "--gradient-trace");
  const auto model = load_recurrent_checkpoint(options.model).model;
  const Batch batch = read_batch(options.batch, batch_config(model->config));
  WorkerPool pool(thread_count(options.common));
  RecurrentSaved<float> saved;
  saved.pool = &pool;
  model->forward(batch, saved);
  write_values(options.out, recorded_values(*model, batch, saved));
  LossOptions loss_options;
  loss_options.smoothing = options.smoothing;
  loss_options.gradient = true;
  const Loss loss = model->loss(saved, loss_options);
  RecurrentModel<float> gradient(model->config);
  model->backward(saved, gradient);
  if (!options.gradients.empty()) {
    std::vector<TensorToWrite> tensors;
    add_tensors(tensors, "", gradient);
    write_safetensors(options.gradients, std::move(tensors));
  }
  print_loss(loss, norm_of(gradient));
  return 0;
}

int run_trace(const TraceArguments& options) {
  if (holds_recurrent_model(options.model)) return trace_recurrent(options);
  const Snapshot snapshot = load_snapshot(options.model);
  Batch batch = read_batch(options.batch, snapshot.config);
  WorkerPool pool(thread_count(options.common));

  // What is changed: places are those of the first sentence.
  const ChangeFit fit{*snapshot.weights, batch.source.length(0), batch.target_in.length(0),
                      batch.source.padding_at_end(0, snapshot.config.pad_id)};
  const WhatIf what_if = fitting_what_if(options.what_if, {}, fit);
  const ChangedModel<float> changed(*snapshot.weights, what_if,
                                    substitutes_of(what_if, options.model, snapshot));
  const Transformer<float>& model = changed.model();
  changed.change(batch);

  // Forward, with every value kept.
  Trace trace;
  Recorder recorder(batch, trace);
  WhatIfTap<float> tap = changed.tap(&recorder);
  tap.rows_of(batch);
  Saved<float> saved;
  saved.pool = &pool;
  model.forward(batch, saved, tap);
  const Loss loss = model.loss(batch, saved, {options.smoothing, true}, tap);
  write_values(options.out, trace.tensors);

  // Backward.
  Transformer<float> gradient(model.config);
  if (options.gradient_trace.empty() && what_if.empty()) {
    model.backward(batch, saved, gradient);
  } else {
    model.backward(batch, saved, gradient, tap);
  }
  if (!options.gradient_trace.empty()) {
    write_values(options.gradient_trace, trace.gradients);
  }
  if (!options.gradients.empty()) write_weights(options.gradients, gradient);

  print_loss(loss, gradient_norm(gradient, &pool));
  return 0;
}

}  // namespace

void add_trace_command(CLI::App& app, Subcommand& chosen) {
  const auto options = std::make_shared<TraceArguments>();
  CLI::App* command =
      app.add_subcommand("trace", "Run a batch through a model and write every intermediate value");
  command->footer(
      "Example:\n  glassformer trace --model models/reverse --batch batch.safetensors --out "
      "trace.safetensors");
  command->add_option("--model", options->model, "Checkpoint folder")->required();
  command->add_option("--batch", options->batch, "safetensors with source, target_in, target_out")
      ->required();
  command->add_option("--out", options->out, "safetensors to write the values to")->required();
  command->add_option("--gradients", options->gradients, "safetensors to write d loss / d parameter to");
  command->add_option("--gradient-trace", options->gradient_trace,
                      "safetensors to write d loss / d value to, by the names of the values");
  command->add_option("--smoothing", options->smoothing, "Label smoothing (default 0.1)")
      ->check(number_between(0, 0.999999));
  add_what_if_option(*command, options->what_if);
  add_common_options(*command, options->common);
  command->callback([options, &chosen] { chosen = [options] { return run_trace(*options); }; });
}

}  // namespace glassformer
