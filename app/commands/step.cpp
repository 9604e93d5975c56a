// `glassformer step`: some Adam steps on one batch, for comparing with other programs.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/lines.h"
#include "engine/layers/schedule.h"
#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "engine/model/optimizer.h"
#include "engine/model/weights_file.h"

namespace glassformer {
namespace {

struct StepArguments {
  CommonOptions common;
  std::string model, batch, out, schedule = "noam";
  long steps = 1;
  Schedule settings;
  double clip = 0;
  double smoothing = 0.1;
};

int run_steps(const StepArguments& options) {
  Transformer<float> model = *load_snapshot(options.model).weights;
  const Batch batch = without_trailing_padding(read_batch(options.batch, model.config), model.config.pad_id);
  Schedule schedule = options.settings;
  schedule.kind = schedule_kind(options.schedule);
  schedule.d_model = model.config.d_model;
  check(schedule);

  WorkerPool pool(thread_count(options.common));
  Saved<float> saved;
  saved.pool = &pool;
  Transformer<float> gradient(model.config), first_moment(model.config), second_moment(model.config);
  nlohmann::json losses = nlohmann::json::array(), norms = losses, rates = losses;
  for (long step = 1; step <= options.steps; ++step) {
    model.forward(batch, saved);
    losses.push_back(model.loss(batch, saved, {options.smoothing, true}).loss);
    model.backward(batch, saved, gradient);
    const double norm = gradient_norm(gradient, &pool);
    const double rate = schedule.rate(step);
    AdamStep adam;
    adam.step = step;
    adam.rate = rate;
    adam.gradient_scale = clip_scale(norm, options.clip);
    adam_step(model, gradient, first_moment, second_moment, adam, &pool);
    norms.push_back(norm);
    rates.push_back(rate);
  }
  model.forward(batch, saved);
  const double after = model.loss(batch, saved, {options.smoothing}).loss;
  if (!std::isfinite(after) || !std::isfinite(gradient_norm(model, &pool)))
    throw Error(
        "step",
        "the weights became infinite or no numbers, and are not written; take a smaller --peak or --factor");
  write_weights(options.out, model);
  print_json(
      {{"losses", losses}, {"gradient_norms", norms}, {"learning_rates", rates}, {"loss_after", after}});
  return 0;
}

}  // namespace

void add_step_command(CLI::App& app, Subcommand& chosen) {
  const auto options = std::make_shared<StepArguments>();
  CLI::App* command =
      app.add_subcommand("step", "Take Adam steps on one batch, without dropout, and write the parameters");
  command->footer(
      "Example:\n  glassformer step --model models/reverse --batch batch.safetensors --steps 5 --schedule "
      "noam --warmup 4000 --factor 1 --out trained.safetensors");
  command->add_option("--model", options->model, "Checkpoint folder")->required();
  command->add_option("--batch", options->batch, "safetensors with source, target_in, target_out")
      ->required();
  command->add_option("--out", options->out, "safetensors to write the parameters to")->required();
  command->add_option("--steps", options->steps, "How many steps (default 1)")
      ->check(CLI::Range(0L, 1000000000L));
  command->add_option("--schedule", options->schedule, "noam, constant, linear or cosine (default noam)")
      ->check(CLI::IsMember({"noam", "constant", "linear", "cosine"}));
  command->add_option("--warmup", options->settings.warmup, "Steps of rising learning rate (default 4000)");
  command->add_option("--factor", options->settings.factor, "Factor of noam (default 1)");
  command->add_option("--peak", options->settings.peak,
                      "Highest rate of the other schedules (default 0.001)");
  command->add_option("--total-steps", options->settings.total_steps, "Where linear and cosine reach 0");
  command->add_option("--clip", options->clip, "Largest L2 norm of the gradients; 0: as they come (default)")
      ->check(number_between(0, 1e30));
  command->add_option("--smoothing", options->smoothing, "Label smoothing (default 0.1)")
      ->check(number_between(0, 0.999999));
  add_common_options(*command, options->common);
  command->callback([options, &chosen] { chosen = [options] { return run_steps(*options); }; });
}

}  // namespace glassformer
