// `glassformer lesson`: every page of a lesson with the answer that the engine gives, and all that is wrong
// with it.
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/commands/commands.h"
#include "app/lessons/answered_page.h"
#include "app/lessons/graded_hand_in.h"
#include "app/lessons/lesson_list.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {
namespace {

struct LessonArguments {
  std::vector<std::string> files;
  std::string student, language;
  bool check = false;
  std::vector<std::string> handed_in;
  std::string lessons, models;
};

void print_line(const std::string& line) {
  std::cout << printable(line) << '\n';
}

void print(const AnsweredPage& page) {
  print_line(std::to_string(page.number) + ". " + page.title);
  for (const std::string& text : page.texts) print_line("   " + text);
  if (page.question.empty()) return;
  print_line((page.does ? "   To do: " : "   ? ") + page.question);
  if (!page.does) print_line("   = " + page.answer);
  if (!page.right.empty()) print_line((page.does ? "   Then: " : "   ") + page.right);
}

int run_lesson(const LessonArguments& arguments) {
  std::size_t errors = 0;
  LessonStage stage(arguments.student);
  for (const std::string& file : arguments.files) {
    LessonFile lesson = read_lesson(read_unpacked(file, kMostLessonBytes));
    const std::string title = lesson.lesson.title.in(arguments.language);
    const AnsweredLesson done = answered(std::move(lesson), stage, arguments.language);
    if (!arguments.check) {
      print_line(title);
      for (const AnsweredPage& page : done.pages) print(page);
    }
    const std::string name = std::filesystem::path(file).filename().string();
    for (const LessonError& error : done.errors)
      std::cerr << name << ':' << error.line << ": " << error.problem << '\n';
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
      std::cerr << printable(error.what()) << '\n';
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
