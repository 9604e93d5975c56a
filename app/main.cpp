// Reads the command line and hands over to a subcommand, or opens the window.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "app/commands/commands.h"
#include "app/window.h"

namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

}  // namespace

int main(int argc, char** argv) {
  using namespace glassformer;
  CLI::App app("Glassformer, a see-through Transformer. Without a subcommand it opens the window.",
               "glassformer");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", GLASSFORMER_VERSION);

  Subcommand chosen;
  add_train_command(app, chosen);
  add_translate_command(app, chosen);
  add_evaluate_command(app, chosen);
  add_trace_command(app, chosen);
  add_step_command(app, chosen);
  add_decode_command(app, chosen);
  add_bench_command(app, chosen);
  add_corpus_command(app, chosen);
  add_runs_command(app, chosen);
  add_bleu_command(app, chosen);
  add_render_command(app, chosen);

  WindowOptions window;
  std::string theme;
  app.add_option("--model", window.model, "Checkpoint folder to open (the last one, or the bundled one)");
  app.add_option("--corpus", window.corpus, "Tab-separated file to preview and train on");
  app.add_option("--scale", window.scale, "Size of text and everything else, 1 to 2.5 (from the monitor)")
      ->check(number_between(1, 2.5));
  app.add_option("--theme", theme, "Colours: light or dark (as last time)")
      ->check(CLI::IsMember({"light", "dark"}));

  try {
    app.parse(argc, argv);
    if (chosen) return chosen();
    if (!theme.empty()) window.theme = theme;
    return run_window(window);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongUsage;
  } catch (const std::exception& error) {
    std::cerr << "glassformer: " << error.what() << "\n";
    return kFailed;
  }
}
