// `glassformer trace`: every value of a forward pass on a given batch, and the gradients of all parameters.
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/batch_file.h"
#include "app/commands/commands.h"
#include "engine/files/safetensors.h"
#include "engine/math/worker_pool.h"
#include "engine/model/optimizer.h"
#include "engine/model/recorder.h"
#include "engine/model/weights_file.h"

namespace glassformer {
namespace {

struct TraceArguments {
  CommonOptions common;
  std::string model, batch, out, gradients, gradient_trace;
  double smoothing = 0.1;
};

void write_values(const std::string& path, const std::map<std::string, Tensor, std::less<>>& values) {
  std::vector<TensorToWrite> tensors;
  for (const auto& [name, tensor] : values) tensors.push_back({name, tensor.shape, tensor.values.data()});
  write_safetensors(path, std::move(tensors));
}

int run_trace(const TraceArguments& options) {
  const Snapshot snapshot = load_snapshot(options.model);
  const Transformer<float>& model = *snapshot.weights;
  const Batch batch = read_batch(options.batch, model.config);
  WorkerPool pool(thread_count(options.common));

  // Forward, with every value kept.
  Trace trace;
  Recorder recorder(batch, trace);
  Saved<float> saved;
  saved.pool = &pool;
  model.forward(batch, saved, recorder);
  const Loss loss = model.loss(batch, saved, {options.smoothing, true}, recorder);
  write_values(options.out, trace.tensors);

  // Backward.
  Transformer<float> gradient(model.config);
  if (options.gradient_trace.empty()) {
    model.backward(batch, saved, gradient);
  } else {
    model.backward(batch, saved, gradient, recorder);
    write_values(options.gradient_trace, trace.gradients);
  }
  if (!options.gradients.empty()) write_weights(options.gradients, gradient);

  print_json({{"loss", loss.loss},
              {"nll", loss.nll},
              {"kl", loss.kl},
              {"perplexity", loss.perplexity},
              {"token_accuracy", loss.token_accuracy},
              {"gradient_norm", gradient_norm(gradient, &pool)}});
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
  add_common_options(*command, options->common);
  command->callback([options, &chosen] { chosen = [options] { return run_trace(*options); }; });
}

}  // namespace glassformer
