// glassformer render: a view, or the whole program, to a file with no display.
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/render_screen.h"
#include "app/commands/what_if_option.h"
#include "app/figure/describe.h"
#include "app/figure/figure.h"
#include "app/format/number_format.h"
#include "app/format/part_names.h"
#include "app/inspector/inspector.h"
#include "app/lessons/session_text.h"
#include "app/report/pinned_places.h"
#include "app/report/session_figure.h"
#include "app/session/change_words.h"
#include "app/session/measuring.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "app/session/run_scene.h"
#include "app/session/unfamiliar_words.h"
#include "app/view_controls_offscreen.h"
#include "app/views/cell/cell.h"
#include "engine/files/atomic_file.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr const char* kBundledModel = "models/english-french";

struct RenderArguments {
  std::string session;  // a file or a link text; empty: none
  std::string view, model, source, target, kind, size, theme = "light", out;
  bool text = false;
  int layer = 0, head = 0;         // from 1; 0: the last layer, the first head
  int query = -1, key = -1;        // places in the sentences, from 0 as on the chips; -1: none pinned
  int step = 0;                    // from 1; 0: the first of the walk, the softmax of a head
  std::optional<int> row, column;  // of the cell, from 0
  double scale = 2, print_cm = 0;
  bool paper = false;
  std::string spacing;       // of training steps; empty: the view's own
  std::string lesson = "1";  // of the screen that shows one
  std::string panel;         // one part of the view alone; empty: all of it
  std::string what_if;
  std::optional<long> at_step;  // of the training; nothing: the newest
  std::string against, as;      // a kept step or another model's folder; how the two are shown
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

// Counted from 1 on the command line as on screen.
int index_of(const char* option, int number, int most, int fallback) {
  if (number == 0) return fallback;
  if (number < 0 || number > most) {
    throw Error(option, "this model has 1 to " + std::to_string(most) + ", not " + std::to_string(number));
  }
  return number - 1;
}

Selection selection_of(const RenderArguments& arguments, const Config& config) {
  Selection selection;
  const bool decoder = arguments.kind == "decoder" || (arguments.kind.empty() && arguments.view == "masks");
  selection.kind = arguments.kind == "encoder" ? AttentionKind::encoder
                   : decoder                   ? AttentionKind::decoder
                                               : AttentionKind::cross;
  const int layers = selection.kind == AttentionKind::encoder ? config.encoder_layers : config.decoder_layers;
  selection.layer = index_of("--layer", arguments.layer, layers, layers - 1);
  selection.head = index_of("--head", arguments.head, config.heads, 0);
  if (arguments.query >= 0) selection.query = arguments.query;
  if (arguments.key >= 0) selection.key = arguments.key;
  selection.cell = selected_cell(selection);
  return selection;
}

// For an option that holds a sentence: an empty one must not pass for the one that is there without it.
std::string no_sentence(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") != std::string::npos) return {};
  return "the sentence is empty; write one, or leave the option out for the model's own";
}

// Views that show no sentence need one all the same, to have something computed: where neither the data nor
// the run have kept any, the first words of the vocabulary.
SceneSentence stand_in(const OpenedModel& model) {
  if (!model.held_out.empty()) return {model.held_out.front().pair.source, std::nullopt, std::nullopt};
  std::vector<int> ids;
  for (int id = kSpecials; id < std::min(kSpecials + 3, model.snapshot.config.source_vocab); ++id)
    ids.push_back(id);
  if (model.tokenizers.source) return {model.tokenizers.source->decode(ids), std::nullopt, std::nullopt};
  std::string text;
  for (const int id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
  return {text, std::nullopt, std::nullopt};
}

// The words of a what-if are those that stand there without it.
WhatIf changes_of(const RenderArguments& arguments, const OpenedModel& model, const SceneResult& untouched) {
  const ChangeWords words = change_words(untouched, model.tokenizers);
  const ChangeFit fit{*model.snapshot.weights, static_cast<int>(words.source.size()),
                      static_cast<int>(words.target_in.size())};
  WhatIf what_if = fitting_what_if(arguments.what_if, words, fit);
  tell_unknown_words(arguments.what_if, words, model.tokenizers, model.snapshot.config);
  if (wants(what_if, Replacement::other) && arguments.against.empty())
    throw Error("what-if", "“from other” takes values of a second Scene; say which with --against");
  return what_if;
}

Scene changed_scene(const RenderArguments& arguments, const OpenedModel& model,
                    const std::optional<RenderSecond>& second, const SceneResult& untouched) {
  Scene scene = untouched.scene;
  scene.what_if = changes_of(arguments, model, untouched);
  if (second) scene.substitutes.other = second->values_for(scene.what_if, untouched);
  if (wants(scene.what_if, Replacement::mean))
    scene.substitutes.means = means_of(model.folder, model.snapshot);
  return scene;
}

// The weights of the kept step nearest to the one that was asked for, and which that is; else the newest.
std::pair<std::shared_ptr<const Snapshot>, std::optional<long>> weights_at(const RenderArguments& arguments,
                                                                           const OpenedModel& model) {
  if (!arguments.at_step || *arguments.at_step == model.snapshot.step)
    return {std::make_shared<const Snapshot>(model.snapshot), std::nullopt};
  const auto kept = nearest(model.history, *arguments.at_step);
  if (!kept) throw Error("--at-step", "no earlier step is kept with " + model.folder);
  return {kept->snapshot(), kept->step()};
}

// The controls of a session's view as they were; those that are not there any more are told on standard
// error.
void take_settings(View& view, const ViewInput& input, Point size,
                   std::vector<std::pair<std::string, std::string>> settings) {
  std::erase_if(settings, [](const auto& each) { return each.first == "Compared"; });
  for (const std::string& control : set_controls(view, input, size, settings))
    std::cerr << message_text("“" + control +
                              "” was not set: this view has no such control, or not that value.")
              << '\n';
}

// What a session sets up; the options beside it have been put into its lines.
struct FromSession {
  std::vector<SceneLine> lines;
  StagedPage page;
};

FromSession from_session(const RenderArguments& arguments) {
  const std::string view = arguments.view == kWindow ? "" : arguments.view;
  FromSession from{.lines = lines_with(read_session_lines(arguments.session), {.model = arguments.model,
                                                                               .source = arguments.source,
                                                                               .target = arguments.target,
                                                                               .view = view,
                                                                               .kind = arguments.kind,
                                                                               .what_if = arguments.what_if,
                                                                               .layer = arguments.layer,
                                                                               .head = arguments.head,
                                                                               .query = arguments.query,
                                                                               .key = arguments.key,
                                                                               .at_step = arguments.at_step}),
                   .page = {}};
  LessonStage stage;
  from.page = staged_session(stage, arguments.session, from.lines);
  return from;
}

void render_whole(const RenderArguments& arguments, const OpenedModel& model,
                  const std::optional<RenderSecond>& second, const std::optional<FromSession>& session) {
  if (!arguments.panel.empty()) throw Error("--panel", "the window is saved whole; choose a view");
  std::function<WhatIf(const SceneResult&)> changes;
  if (!session && !arguments.what_if.empty())
    changes = [&](const SceneResult& untouched) {
      return changed_scene(arguments, model, second, untouched).what_if;
    };
  render_window(
      {.model = model.folder,
       .source = arguments.source,
       .target = arguments.target,
       .other = second ? std::optional(second->other()) : std::nullopt,
       .as = way_named(arguments.as),
       .changes = changes,
       .selection = session ? session->page.selection : selection_of(arguments, model.snapshot.config),
       .at_step = weights_at(arguments, model).second,
       .session = session ? session_link(session->lines) : "",
       .size = size_of(arguments.size.empty() ? "1600x1000" : arguments.size),
       .scale = arguments.scale,
       .dark = arguments.theme == "dark",
       .out = arguments.out});
}

void render_one_screen(const RenderArguments& arguments) {
  if (!arguments.session.empty())
    throw Error("--session", "a screen is drawn as the program begins; say --model and --source");
  render_screen({.screen = arguments.view,
                 .model = arguments.model.empty() ? "" : resolved(arguments.model),
                 .source = arguments.source,
                 .lesson = arguments.lesson,
                 .step = std::max(1, arguments.step),
                 .size = arguments.size.empty() ? std::nullopt : std::optional(size_of(arguments.size)),
                 .scale = arguments.scale,
                 .dark = arguments.theme == "dark",
                 .out = arguments.out,
                 .text = arguments.text});
}

int run_render(RenderArguments arguments) {
  if (arguments.out.empty() && (!arguments.text || arguments.view == kWindow))
    throw Error("--out", "the file's name is missing; only --text of a view can do without");
  if (is_screen(arguments.view)) {
    render_one_screen(arguments);
    return 0;
  }
  FigureContent content;
  std::optional<FromSession> session;
  if (!arguments.session.empty()) session = from_session(arguments);
  if (session && arguments.view.empty()) arguments.view = session->page.view;
  if (arguments.view.empty()) throw Error("--view", "expected one of " + view_names());
  const FigureRequest request{.path = arguments.out,
                              .size = size_of(arguments.size),
                              .scale = arguments.scale,
                              .white = !arguments.paper && arguments.theme == "light",
                              .print_cm = arguments.print_cm};

  const auto opened = session ? session->page.model
                              : std::make_shared<const OpenedModel>(
                                    open_model(arguments.model.empty() ? program_file(kBundledModel).string()
                                                                       : resolved(arguments.model)));
  const OpenedModel& model = *opened;
  std::optional<RenderSecond> second;
  if (!arguments.against.empty()) second.emplace(model, arguments.against);
  if (arguments.view == kWindow) {
    render_whole(arguments, model, second, session);
    return 0;
  }
  const std::unique_ptr<View> view = view_named(arguments.view);
  Scene scene = first_scene(first_sentences(model), model.options.smoothing);
  if (arguments.source.empty() && scene.sentences.front().source.empty())
    scene.sentences.front() = stand_in(model);
  if (!arguments.source.empty()) scene.sentences.front() = {arguments.source, std::nullopt, std::nullopt};
  if (!arguments.target.empty()) scene.sentences.front().target = arguments.target;

  const auto [weights, looked_back] = weights_at(arguments, model);
  content.looked_back = looked_back;
  if (session) {
    content.result = session->page.result;
    if (content.result->untouched_snapshot->step != model.snapshot.step)
      content.looked_back = content.result->untouched_snapshot->step;
  } else {
    content.result = run_scene(weights, model.tokenizers, scene);
  }
  if (!session && !arguments.what_if.empty()) {
    scene = changed_scene(arguments, model, second, *content.result);
    content.result = run_scene(weights, model.tokenizers, scene);
  }
  const std::optional<long> back = content.looked_back;
  content = figure_of(model, *content.result, *view);
  content.looked_back = back;
  content.selection = session ? session->page.selection : selection_of(arguments, model.snapshot.config);
  if (arguments.theme == "dark") content.theme = dark_theme();
  if (!arguments.kind.empty()) choose_kind(*view, arguments.kind, content);
  check_places(content.selection, *content.result);
  const bool of_cell = arguments.view == "cell" && arguments.step > 0;
  if (of_cell || (arguments.view == "walk" && (arguments.row || arguments.column)))
    content.selection = CellView().cell_of_step(content.input(), arguments.step - 1,
                                                arguments.row.value_or(0), arguments.column.value_or(0));
  if (const int steps = arguments.step > 0 ? view->step_count(content.input()) : 0; steps > 0)
    view->show_step(content.input(), index_of("--step", arguments.step, steps, 0));
  if (!arguments.spacing.empty() &&
      !view->space_steps(arguments.spacing == "even" ? StepSpacing::even : StepSpacing::root))
    throw Error("--steps", "this view has no chart over training steps; leave the option out");
  if (session && arguments.view == session->page.view)
    take_settings(*view, content.input(), request.size, session->page.settings);
  content.view = view->clone();
  content.panel = part_named(arguments.panel);
  if (session) content.second = second_of(session->page, *view, content.result);
  if (second) content.second = second->content(*view, way_named(arguments.as), content.result);
  if (arguments.text) std::cout << text_of(described(content));
  if (!arguments.out.empty()) save_figure(content, request);
  return 0;
}

}  // namespace

void add_render_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<RenderArguments>();
  CLI::App* command = app.add_subcommand("render", "Draw a view to a file, with no display");
  command->add_option("--view", arguments->view, "One of: " + view_names() + " (the session's)");
  command->add_option(
      "--session", arguments->session,
      "A .glassformer file or link text: its Scene, view and settings; options beside it win");
  command
      ->add_option("--at-step", arguments->at_step,
                   "Step of the training, the nearest that is kept with the model (the newest)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--model", arguments->model, "Checkpoint folder (the bundled English-French model)");
  command->add_option("--lesson", arguments->lesson, "Of the lesson in a lecture: its number or file (1)");
  command->add_option("--source", arguments->source, "Sentence to translate (one of the model's own kind)")
      ->check(no_sentence);
  command->add_option("--target", arguments->target, "Its translation (what the model writes)")
      ->check(no_sentence);
  command->add_option("--layer", arguments->layer, "Layer, from 1 (the last)");
  command->add_option("--head", arguments->head, "Head, from 1 (the first)");
  command
      ->add_option("--step", arguments->step,
                   "Step of the walk (the first), of a block (its attention) or a head (5, the softmax), or "
                   "that gave the cell, or of the watched training; page of the lookup or lesson (1)")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--row", arguments->row,
                      "Row of the cell in what the step gives, from 0 (cell; walk: pinned)");
  command->add_option("--column", arguments->column, "Its column, likewise");
  command->add_option("--kind", arguments->kind, "Whose attention (cross; masks: the decoder's own)")
      ->check(CLI::IsMember({"encoder", "decoder", "cross"}));
  command->add_option("--query", arguments->query, "Row to pin: a word's place, from 0 as on its chip")
      ->check(CLI::Range(0, 1'000'000));
  command->add_option("--key", arguments->key, "Column to pin, likewise")->check(CLI::Range(0, 1'000'000));
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
  add_what_if_option(*command, arguments->what_if);
  command->add_flag("--text", arguments->text, "Print the view in words, with its numbers as a table");
  command->add_option("--panel", arguments->panel, "One part of the view alone: " + panel_names());
  command->add_option("--against", arguments->against,
                      "Compare with a step that is kept with the model, or with another model's folder");
  command->add_option("--as", arguments->as, "How the two are shown (both)")
      ->check(CLI::IsMember({"both", "first", "second", "difference"}));
  command->add_option("--out", arguments->out, "File: .png, .svg, .pdf, .csv, .txt (the view in words) or .html (all heads, a web page)");
  command->footer(
      "Example: glassformer render --view attention --source \"the cat drank the milk\" --out heads.svg");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_render(*arguments); }; });
}

}  // namespace glassformer
