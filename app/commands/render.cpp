// glassformer render: a view, or the whole program, to a file with no display.
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/render_screen.h"
#include "app/commands/what_if_option.h"
#include "app/figure/describe.h"
#include "app/figure/figure.h"
#include "app/lessons/session_text.h"
#include "app/report/session_figure.h"
#include "app/session/change_words.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "app/view_controls_offscreen.h"
#include "app/views/cell/cell.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/printable.h"

namespace glassformer {
namespace {

struct RenderArguments {
  std::string session;  // a file or a link text; empty: none
  BesideSession scene;  // view: or the window, or one of kScreens
  std::string size, theme = "light", out;
  bool text = false;
  int step = 0;                    // from 1; 0: the first of the walk, the softmax of a head
  std::optional<int> row, column;  // of the cell, from 0
  double scale = 2, print_cm = 0;
  bool paper = false;
  std::string spacing;       // of training steps; empty: the view's own
  std::string lesson = "1";  // of the screen that shows one
  std::string panel;         // one part of the view alone; empty: all of it
};

Point size_of(const std::string& text) {
  Point size{1000, 704};
  if (text.empty()) return size;
  const size_t cross = text.find('x');
  if (cross == std::string::npos)
    throw CLI::ValidationError("--size", "write WIDTHxHEIGHT, for example 1000x704");
  const auto width = typed_whole(text.substr(0, cross)), height = typed_whole(text.substr(cross + 1));
  constexpr int kMost = 100000;  // any more is refused with the figure's own limits
  const bool fits = width && height && *width > 0 && *height > 0 && *width <= kMost && *height <= kMost;
  if (!fits) throw CLI::ValidationError("--size", "write WIDTHxHEIGHT, for example 1000x704");
  return {static_cast<float>(*width), static_cast<float>(*height)};
}

// For an option that holds a sentence: an empty one must not pass for the one that is there without it.
std::string no_sentence(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") != std::string::npos) return {};
  return "the sentence is empty; write one, or leave the option out for the model's own";
}

// The controls of a session's view as they were; those that are not there any more are reported on
// standard error.
void take_settings(View& view, const ViewInput& input, Point size,
                   std::vector<std::pair<std::string, std::string>> settings) {
  std::erase_if(settings, [](const auto& each) { return each.first == "Compared"; });
  for (const std::string& control : set_controls(view, input, size, settings))
    std::cerr << message_text("“" + control +
                              "” was not set: this view has no such control, or not that value.")
              << '\n';
}

void render_one_screen(const RenderArguments& arguments) {
  if (!arguments.session.empty())
    throw Error("--session", "a screen is drawn as the program begins; say --model and --source");
  render_screen({.screen = arguments.scene.view,
                 .model = arguments.scene.model.empty() ? "" : resolved(arguments.scene.model),
                 .source = arguments.scene.source,
                 .lesson = arguments.lesson,
                 .step = std::max(1, arguments.step),
                 .size = arguments.size.empty() ? std::nullopt : std::optional(size_of(arguments.size)),
                 .scale = arguments.scale,
                 .dark = arguments.theme == "dark",
                 .out = arguments.out,
                 .text = arguments.text});
}

// The lines of the session, or none, with the options in their place.
std::vector<SceneLine> lines_of(const RenderArguments& arguments) {
  std::vector<SceneLine> lines;
  if (!arguments.session.empty()) lines = read_session_lines(arguments.session);
  BesideSession scene = arguments.scene;
  if (scene.view == kWindow) scene.view.clear();
  if (lines.empty() && scene.view == "masks" && scene.kind.empty()) scene.kind = "decoder";
  lines = lines_with(std::move(lines), scene);
  if (scene.what_if.find("from other") != std::string::npos && !find_line(lines, "compare"))
    throw Error("what-if", "“from other” takes values of a second Scene; say which with --against");
  return lines;
}

void render_view(const RenderArguments& arguments, const StagedPage& page) {
  const FigureRequest request{.path = arguments.out,
                              .size = size_of(arguments.size),
                              .scale = arguments.scale,
                              .white = !arguments.paper && arguments.theme == "light",
                              .print_cm = arguments.print_cm};
  const std::unique_ptr<View> view = view_of(page);
  if (arguments.scene.as == "difference" && page.other && !view->traits().shows_difference)
    throw Error("--as", "this view has no difference; choose both, first or second");
  FigureContent content = figure_of(page, *view, arguments.scene.kind);
  if (arguments.theme == "dark") content.theme = dark_theme();
  const bool of_cell = page.view == "cell" && arguments.step > 0;
  if (of_cell || (page.view == "walk" && (arguments.row || arguments.column)))
    content.selection = CellView().cell_of_step(content.input(), arguments.step - 1,
                                                arguments.row.value_or(0), arguments.column.value_or(0));
  if (const int steps = arguments.step > 0 ? view->step_count(content.input()) : 0; steps > 0) {
    if (arguments.step > steps)
      throw Error("--step",
                  "this model has 1 to " + std::to_string(steps) + ", not " + std::to_string(arguments.step));
    view->show_step(content.input(), arguments.step - 1);
  }
  if (!arguments.spacing.empty() &&
      !view->space_steps(arguments.spacing == "even" ? StepSpacing::even : StepSpacing::root))
    throw Error("--steps", "this view has no chart over training steps; leave the option out");
  take_settings(*view, content.input(), request.size, page.settings);
  put_view(content, page, *view, arguments.panel);
  if (arguments.text) std::cout << text_of(described(content));
  if (!arguments.out.empty()) save_figure(content, request);
}

int run_render(const RenderArguments& arguments) {
  const bool window = arguments.scene.view == kWindow;
  if (arguments.out.empty() && (!arguments.text || window))
    throw Error("--out", "the file's name is missing; only --text of a view can do without");
  if (is_screen(arguments.scene.view)) {
    render_one_screen(arguments);
    return 0;
  }
  if (window && !arguments.panel.empty()) throw Error("--panel", "the window is saved whole; choose a view");
  if (!window && !arguments.scene.view.empty()) view_named(arguments.scene.view);
  const std::vector<SceneLine> lines = lines_of(arguments);
  if (!window && !find_line(lines, "view")) throw Error("--view", "expected one of " + view_names());
  LessonStage stage;
  const auto page = std::make_shared<const StagedPage>(staged_session(stage, arguments.session, lines));
  if (const std::string& changes = arguments.scene.what_if; !changes.empty())
    print_unknown_words(changes, change_words(*page->result, page->model->tokenizers),
                        page->model->tokenizers, page->model->snapshot.config);
  if (!window) {
    render_view(arguments, *page);
    return 0;
  }
  const SceneLine* const panels = find_line(lines, "window");
  render_window({.page = page,
                 .panels = panels ? panels->value : "",
                 .size = size_of(arguments.size.empty() ? "1600x1000" : arguments.size),
                 .scale = arguments.scale,
                 .dark = arguments.theme == "dark",
                 .out = arguments.out});
  return 0;
}

}  // namespace

void add_render_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<RenderArguments>();
  CLI::App* command = app.add_subcommand("render", "Draw a view to a file, with no display");
  command->add_option("--view", arguments->scene.view, "One of: " + view_names() + " (the session's)");
  command->add_option(
      "--session", arguments->session,
      "A .glassformer file or link text: its Scene, view and settings; options beside it win");
  command
      ->add_option("--at-step", arguments->scene.at_step,
                   "Step of the training, the nearest that is kept with the model (the newest)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--model", arguments->scene.model,
                      "Checkpoint folder (the bundled English-French model)");
  command->add_option("--lesson", arguments->lesson, "Of the lesson in a lecture: its number or file (1)");
  command
      ->add_option("--source", arguments->scene.source, "Sentence to translate (one of the model's own kind)")
      ->check(no_sentence);
  command->add_option("--target", arguments->scene.target, "Its translation (what the model writes)")
      ->check(no_sentence);
  command->add_option("--layer", arguments->scene.layer, "Layer, from 1 (the last)");
  command->add_option("--head", arguments->scene.head, "Head, from 1 (the first)");
  command
      ->add_option("--step", arguments->step,
                   "Step of the walk (the first), of a block (its attention) or a head (5, the softmax), or "
                   "that gave the cell, or of the watched training; page of the lookup or lesson (1)")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--row", arguments->row,
                      "Row of the cell in what the step gives, from 0 (cell; walk: pinned)");
  command->add_option("--column", arguments->column, "Its column, likewise");
  command->add_option("--kind", arguments->scene.kind, "Whose attention (cross; masks: the decoder's own)")
      ->check(CLI::IsMember({"encoder", "decoder", "cross"}));
  command->add_option("--query", arguments->scene.query, "Row to pin: a word's place, from 0 as on its chip")
      ->check(CLI::Range(0, 1'000'000));
  command->add_option("--key", arguments->scene.key, "Column to pin, likewise")
      ->check(CLI::Range(0, 1'000'000));
  command->add_option(
      "--size", arguments->size,
      "WIDTHxHEIGHT in pixels at scale 1 (1000x704; the window 1600x1000); a view that needs more gets it");
  command
      ->add_option("--print-cm", arguments->print_cm,
                   "Width of a column of print, 5 to 40 cm: type of print size, a PNG of 300 dots an inch")
      ->check(CLI::Range(5.0, 40.0));
  command
      ->add_option("--scale", arguments->scale,
                   "Device pixels for each of these, 1 to 4 (PNG and the window)")
      ->check(number_between(1, 4))
      ->capture_default_str();
  command->add_option("--theme", arguments->theme, "Colours; dark ones stand on their dark paper")
      ->check(CLI::IsMember({"light", "dark"}))
      ->capture_default_str();
  command->add_flag("--paper", arguments->paper, "The light theme's paper as background instead of white");
  command
      ->add_option("--steps", arguments->spacing,
                   "Training steps on charts: even, or by their square root (the view's own)")
      ->check(CLI::IsMember({"even", "root"}));
  add_what_if_option(*command, arguments->scene.what_if);
  command->add_flag("--text", arguments->text, "Print the view in words, with its numbers as a table");
  command->add_option("--panel", arguments->panel, "One part of the view alone: " + panel_names());
  command->add_option("--against", arguments->scene.against,
                      "Compare with a step that is kept with the model, or with another model's folder");
  command->add_option("--as", arguments->scene.as, "How the two are shown (both)")
      ->check(CLI::IsMember({"both", "first", "second", "difference"}));
  command->add_option(
      "--out", arguments->out,
      "File: " + picture_endings() + ", .csv, .txt (the view in words) or .html (all heads, a web page)");
  command->footer(
      "Example: glassformer render --view attention --source \"the cat drank the milk\" --out heads.svg");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_render(*arguments); }; });
}

}  // namespace glassformer
