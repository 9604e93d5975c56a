// glassformer bottleneck: three models learn one task, and how well each writes sentences of each length.
#include <unistd.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/commands.h"
#include "app/figure/figure.h"
#include "app/format/number_format.h"
#include "app/session/paths.h"
#include "app/views/bottleneck/bottleneck.h"

namespace glassformer {
namespace {

struct BottleneckArguments {
  CommonOptions common;
  LengthRaceOptions race;
  std::optional<int> width;
  std::string out;
  double scale = 2;
};

void show_step(const ShownRace& race) {
  if (isatty(STDERR_FILENO) != 1) return;
  const long step = race.of(Racer::transformer).step;
  std::cerr << "\r\x1b[K";
  if (race.running) std::cerr << "step " << step << " of " << race.options.steps;
  std::cerr << std::flush;
}

nlohmann::json json_of(const ShownRace& race) {
  nlohmann::json models = nlohmann::json::object();
  for (int i = 0; i < kRacers; ++i) {
    const auto racer = static_cast<Racer>(i);
    const RacerState& state = race.of(racer);
    nlohmann::json lengths = nlohmann::json::array();
    for (const LengthScore& score : state.scores)
      lengths.push_back({{"length", score.words}, {"sentences", score.pairs}, {"right", score.right}});
    models[racer_name(racer)] = {{"weights", state.parameters},
                                 {"step", state.step},
                                 {"loss", state.loss},
                                 {"tokens_per_s", state.tokens_per_s},
                                 {"right", share_right(state)},
                                 {"steps_in_a_row", race.waits[static_cast<std::size_t>(i)]},
                                 {"longest_way", longest_way(racer, race.options)},
                                 {"by_length", std::move(lengths)}};
  }
  return {{"task", race.options.task}, {"held_out", race.held_out}, {"models", std::move(models)}};
}

PlainFigure figure_of(const std::shared_ptr<const ShownRace>& race) {
  return {.draw = [race](Canvas& canvas, const Rect& area) { draw_race(canvas, *race, area); },
          .caption = race_caption(*race),
          .tables = race_numbers(*race),
          .theme = light_theme(),
          .fonts = find_font_files()};
}

int run_bottleneck(BottleneckArguments arguments) {
  arguments.race.width = arguments.width.value_or(race_width(arguments.race.task));
  arguments.race.threads = arguments.common.threads;
  arguments.race.seed = arguments.common.seed;
  const auto runner = std::make_shared<RaceRunner>();
  runner->run(arguments.race, show_step);
  const std::shared_ptr<const ShownRace> race = runner->shown();
  if (!arguments.out.empty())
    save_figure(figure_of(race), {.path = expanded(arguments.out), .scale = arguments.scale});
  print_json(json_of(*race));
  return 0;
}

}  // namespace

void add_bottleneck_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<BottleneckArguments>();
  CLI::App* command = app.add_subcommand(
      "bottleneck", "Train one vector, attention and a Transformer on one task, and score them by length");
  add_common_options(*command, arguments->common);
  LengthRaceOptions& race = arguments->race;
  command->add_option("--task", race.task, "copy, reverse (default) or recall");
  command->add_option("--longest", race.longest,
                      "Letters of the longest sentences, or of recall the sentences in between (default 20)");
  command->add_option("--symbols", race.symbols, "Different letters (default 10)");
  command->add_option("--pairs", race.pairs,
                      "Sentences to make (default 20 000); a tenth, at most 1 000, is held out");
  command->add_option("--width", arguments->width,
                      "d of all three (default 64; of recall 16, where they part)");
  command->add_option("--steps", race.steps, "Steps of each (default 1 200)");
  command->add_option("--out", arguments->out,
                      "File for the figure: " + picture_endings() + ", or .csv for its numbers");
  command->add_option("--scale", arguments->scale,
                      "Pixels of a PNG in one of the window's, 1 to 4 (default 2)");
  command->footer("Example: glassformer bottleneck --task copy --out bottleneck.svg");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_bottleneck(*arguments); }; });
}

}  // namespace glassformer
