// `glassformer lesson`: every page of a lesson with the answer that the engine gives, and all that is wrong
// with it.
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/canvas/svg_canvas.h"
#include "app/commands/commands.h"
#include "app/lessons/answered_page.h"
#include "app/lessons/graded_hand_in.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/scene_lines.h"
#include "app/panels/lecture_words.h"
#include "app/view_controls_offscreen.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {
namespace {

struct LessonArguments {
  std::vector<std::string> files;
  std::string student, language;
  bool check = false;
  int page = 0;  // from 1; 0: all
  std::vector<std::string> handed_in;
  std::string lessons, models;
};

void print_line(const std::string& line) {
  std::cout << printable(line) << '\n';
}

void print(const AnsweredPage& page, bool with_answer) {
  print_line(std::to_string(page.number) + ". " + page.title);
  for (const std::string& text : page.texts) print_line("   " + text);
  if (page.question.empty()) return;
  print_line((page.does ? "   To do: " : "   ? ") + page.question);
  std::string choices;
  for (const std::string& choice : page.choices) choices += (choices.empty() ? "     " : " | ") + choice;
  if (!choices.empty()) print_line(choices);
  if (!with_answer) return;
  if (!page.does) print_line("   = " + page.answer);
  if (!page.right.empty()) print_line((page.does ? "   Then: " : "   ") + page.right);
}

// The whole window's controls that a page may point at; the others are the view's.
constexpr std::array<std::string_view, 9> kOfWindow = {"source",          "target",        "slider",
                                                       "Change in words", "Compared",      "Train",
                                                       "first of two",    "second of two", "Next page"};

void notice_unknown_controls(const StagedPage& staged, const LessonPage& page,
                             const std::vector<SceneLine>& lines, std::vector<LessonError>& notices) {
  if (!staged.drawn) return;
  // Some controls are on a wide stage alone, others on the smallest.
  constexpr std::array kStages{Point{1000, 704}, Point{}};
  const ViewInput input = staged.input();
  const std::string of_view = " in the view “" + staged.view + "”";
  std::array<std::vector<std::string>, kStages.size()> unset;
  for (std::size_t i = 0; i < kStages.size(); ++i)
    unset[i] = set_controls(*staged.drawn->clone(), input, kStages[i], staged.settings);
  for (const SceneLine& line : lines) {
    if (line.keyword != "set") continue;
    const auto [control, value] = control_and_value(line.value);
    if (staged.drawn->clone()->set(control, value)) continue;  // needs no screen
    const auto left = [&control = control](const auto& each) {
      return std::ranges::find(each, control) != each.end();
    };
    if (!std::ranges::all_of(unset, left) ||
        std::ranges::find(staged.settings, std::pair{control, value}) == staged.settings.end())
      continue;
    notices.push_back({line.line, "no control “" + control + "” that takes “" + value + "”" + of_view});
  }
  std::vector<std::string> names;
  for (const auto* targets : {&page.points, &page.covers})
    for (const LessonTarget& target : *targets) {
      if (target.kind != "control" || std::ranges::find(kOfWindow, target.value) != kOfWindow.end()) continue;
      if (names.empty())
        for (const Point& stage : kStages)
          for (std::string& name : control_names(*staged.drawn->clone(), input, stage, staged.settings))
            names.push_back(std::move(name));
      if (std::ranges::find(names, target.value) == names.end())
        notices.push_back({target.line, "no control “" + target.value + "”" + of_view});
    }
}

// Train continues what is on screen. A page that points at it says how the weights become fresh, or that it
// continues with these.
void notice_train(const StagedPage& staged, const LessonPage& page, std::vector<LessonError>& notices) {
  const auto train = std::ranges::find_if(page.points, [](const LessonTarget& target) {
    return target.kind == "control" && target.value == "Train";
  });
  if (train == page.points.end() || !staged.result->snapshot || staged.result->snapshot->step == 0) return;
  std::vector<LessonText> texts = page.texts;
  if (page.question) texts.push_back(page.question->text), texts.push_back(page.question->hint);
  constexpr std::array<std::string_view, 3> kWays = {"Start over", "Watch one learn", "Continue training"};
  for (const LessonText& text : texts)
    for (const std::string_view way : kWays)
      if (text.plain.find(way) != std::string::npos) return;
  notices.push_back({train->line,
                     "Train continues the training of the model on screen: for a fresh run name “Start "
                     "over…” or “Watch one learn”, else “Continue training”"});
}

void check_controls(const StagedPage& staged, const LessonPage& page, const std::vector<SceneLine>& lines,
                    std::vector<LessonError>& notices) {
  notice_unknown_controls(staged, page, lines, notices);
  notice_train(staged, page, notices);
}

void add_lecture_notices(const std::vector<LessonPage>& written, const std::string& language,
                         AnsweredLesson& done) {
  const SvgCanvas canvas(light_theme(), find_font_files(), {});
  for (const AnsweredPage& page : done.pages)
    for (LessonError& notice : lecture_notices(canvas, page, written[page.number - 1], language))
      done.notices.push_back(std::move(notice));
  std::ranges::stable_sort(done.notices, {}, &LessonError::line);
}

int run_lesson(const LessonArguments& arguments) {
  std::size_t errors = 0;
  LessonStage stage(arguments.student);
  for (const std::string& file : arguments.files) {
    LessonFile lesson = read_lesson(read_unpacked(file, kMostLessonBytes));
    const std::vector<LessonPage> written = lesson.lesson.pages;
    const std::string title = lesson.lesson.title.in(arguments.language);
    const auto pages = static_cast<int>(lesson.lesson.pages.size());
    if (arguments.page > pages)
      throw Error("--page", "expected a page from 1 to " + std::to_string(pages) + ", found " +
                                std::to_string(arguments.page));
    AnsweredLesson done = answered(std::move(lesson), stage, arguments.language,
                                   arguments.check ? check_controls : PageCheck());
    if (arguments.check) add_lecture_notices(written, arguments.language, done);
    if (!arguments.check) {
      print_line(title);
      for (const AnsweredPage& page : done.pages)
        if (arguments.page == 0 || static_cast<int>(page.number) == arguments.page)
          print(page, arguments.page == 0);
    }
    const std::string name = std::filesystem::path(file).filename().string();
    for (const LessonError& error : done.errors)
      std::cerr << message_text(name + ":" + std::to_string(error.line) + ": " + error.problem) << '\n';
    if (arguments.check)
      for (const LessonError& notice : done.notices)
        std::cerr << message_text(name + ':' + std::to_string(notice.line) + ": notice: " + notice.problem)
                  << '\n';
    errors += done.errors.size();
  }
  return arguments.check && errors > 0 ? 1 : 0;
}

// The class on standard output; a file that is none is reported, and the others are not held up.
int run_grade(const LessonArguments& arguments) {
  HandInGrader grader(arguments.lessons, arguments.models);
  std::vector<GradedHandIn> all;
  bool failed = false;
  for (const std::string& file : arguments.handed_in) {
    try {
      all.push_back(grader.graded(hand_in_from_text(read_unpacked(file, kMostLessonBytes), file), file));
    } catch (const Error& error) {
      std::cerr << message_text(error.what()) << '\n';
      failed = true;
    }
  }
  std::cout << class_table(all);
  return failed ? 1 : 0;
}

}  // namespace

void add_lesson_command(CLI::App& app, Subcommand& chosen) {
  const auto options = std::make_shared<LessonArguments>();
  CLI::App* command = app.add_subcommand("lesson", "Print every page of a lesson with its computed answer");
  command->footer("Example:\n  glassformer lesson --check assets/lessons/*.lesson");
  CLI::Option* const files = command->add_option("files", options->files, "Lessons");
  command->add_flag("--check", options->check, "Print errors alone; the status is 1 when there are any");
  command->add_option("--page", options->page, "One page alone, from 1, without its answer")
      ->check(CLI::Range(1, 1000));
  command->add_option("--name", options->student, "Whose sentences are drawn, where a lesson draws them");
  command->add_option("--language", options->language,
                      "Language of the texts, where they are translated: fr");
  CLI::App* grade =
      command->add_subcommand("grade",
                              "Print a table of what a class handed in, as CSV, a row a file, with every "
                              "answer computed anew");
  grade->add_option("files", options->handed_in, "Files that “Hand in” has written")->required();
  grade->add_option("--lessons", options->lessons, "Folder of lessons, beside those of the program");
  grade->add_option("--model", options->models,
                    "Folder of a model, or of several, where a lesson's own is not the one that was used");
  grade->footer(
      "Example:\n  glassformer lesson grade *.handin > class.csv\n"
      "The column “checked” says whether lesson, model, sentences and answers are those of the engine. What "
      "was to be done on the stage leaves no answer to compute.");
  grade->callback([options, &chosen] { chosen = [options] { return run_grade(*options); }; });
  command->callback([options, &chosen, grade, files] {
    if (grade->parsed()) return;
    if (files->empty()) throw CLI::RequiredError("files");
    chosen = [options] { return run_lesson(*options); };
  });
}

}  // namespace glassformer
