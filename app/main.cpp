// Reads the command line and hands over to a subcommand, or opens the window.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "app/commands/commands.h"
#include "app/commands/standard_output.h"
#include "app/format/build_facts.h"
#include "app/session/paths.h"
#include "app/window.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/math/kept_memory.h"
#include "engine/text/printable.h"

namespace glassformer {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

int run_program(int argc, char** argv) {
  CLI::App app("Glassformer, a see-through Transformer. Without a subcommand it opens the window.",
               "glassformer");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", [] {
    std::string lines;
    for (const std::string& fact : build_facts()) lines += (lines.empty() ? "" : "\n") + fact;
    return lines;
  });

  Subcommand chosen;
  add_train_command(app, chosen);
  add_sweep_command(app, chosen);
  add_study_command(app, chosen);
  add_translate_command(app, chosen);
  add_evaluate_command(app, chosen);
  add_trace_command(app, chosen);
  add_step_command(app, chosen);
  add_decode_command(app, chosen);
  add_heads_command(app, chosen);
  add_import_command(app, chosen);
  add_export_command(app, chosen);
  add_bottleneck_command(app, chosen);
  add_lesson_command(app, chosen);
  add_corpus_command(app, chosen);
  add_runs_command(app, chosen);
  add_bleu_command(app, chosen);
  add_ready_command(app, chosen);
  add_render_command(app, chosen);
  add_report_command(app, chosen);

  WindowOptions window;
  std::string theme;
  app.add_option("--model", window.model, "Checkpoint folder to open (the last one, or the bundled one)");
  app.add_option("--corpus", window.corpus, "Tab-separated file to preview and train on");
  app.add_option("--session", window.session,
                 "Session to begin with: a .glassformer file, or the link text that Ctrl+Shift+C copies");
  app.add_option("--lesson", window.lesson,
                 "Lesson to begin with: its number in the list, or a .lesson file");
  app.add_flag("--lecture", window.lecture, "Begin in lecture mode (F5)");
  app.add_option("--scale", window.scale, "Size of text and everything else, 1 to 2.5 (from the monitor)")
      ->check(number_between(1, 2.5));
  app.add_option("--theme", theme, "Colours: light or dark (as last time)")
      ->check(CLI::IsMember({"light", "dark"}));

  read_values_alike(app);
  app.failure_message([](const CLI::App* parsed, const CLI::Error& error) {
    const std::string all = CLI::FailureMessage::simple(parsed, error), what = error.what();
    return message_text(what) + (all.starts_with(what) ? all.substr(what.size()) : "\n");
  });
  try {
    app.parse(argc, argv);
    if (chosen) return chosen();
    if (!theme.empty()) window.theme = theme;
    return run_window(window);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongUsage;
  }
}

// What a step of the program returns, or its failure as one sentence and the exit status.
template <class Work>
int reporting_failure(Work work) {
  std::string sentence;
  try {
    return work();
  } catch (const OutputUnread&) {
    return kFailed;
  } catch (const nlohmann::json::exception& error) {
    sentence = in_words(error);
  } catch (const std::exception& error) {
    sentence = failure_words(error);
  }
  std::cerr << "glassformer: " << message_text(sentence) << "\n";
  return kFailed;
}

}  // namespace
}  // namespace glassformer

int main(int argc, char** argv) {
  using namespace glassformer;
  keep_freed_memory();
  keep_standard_files_apart();
  if (const auto fonts = own_fonts(); !fonts.empty()) setenv("FONTCONFIG_FILE", fonts.c_str(), 0);
  StandardOutput output;
  const int status = reporting_failure([&] { return run_program(argc, argv); });
  return reporting_failure([&] {
    output.finish();
    return status;
  });
}
