#include "app/commands/run_end.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands/training_progress.h"
#include "engine/math/error.h"

namespace glassformer {

int finish(const RunEnd& end, const TrainArguments& arguments) {
  const std::optional<Stop>& stop = end.stop;
  const std::string& folder = end.folder;
  const bool diverged = stop && stop->reason == StopReason::diverged;
  const std::string go_on = "; go on with --resume " + folder;
  const std::string reason = arguments.beginning_alone ? "saved untrained, as --steps 0 asks" + go_on
                             : stop                    ? stop->message
                                                       : "stopped by request" + go_on;
  const auto& validations = end.curves.validations;
  const ValidationPoint* best = nullptr;
  for (const ValidationPoint& point : validations)
    if (point.best || (end.keep == Keep::last)) best = &point;
  if (arguments.json) {
    nlohmann::json json = {{"out", folder},
                           {"step", end.step},
                           {"epoch", end.epoch},
                           {"seconds", end.seconds},
                           {"stopped", reason},
                           {"finished", arguments.beginning_alone || (stop.has_value() && !diverged)},
                           {"diverged", diverged},
                           {"kept_step", end.kept_step},
                           {"parameters", end.parameters}};
    if (!end.curves.steps.empty()) json["loss"] = end.curves.steps.back().loss;
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
    std::cout << folder << ": " << reason << " (step " << end.step << ", "
              << (best ? validation_text(*best) : std::string("not validated")) << ")\n";
  return 0;
}

}  // namespace glassformer
