#include "app/report/report_pages.h"

#include <algorithm>
#include <array>

namespace glassformer {

namespace {

constexpr std::ptrdiff_t kMostWords = 40;  // under a figure

// The page says these once for all figures.
bool is_said_before(const std::string& sentence) {
  constexpr std::array kStarts{"The sentence is “", "The weights are those of step ", "Changed: "};
  return std::ranges::any_of(kStarts, [&](const char* start) { return sentence.starts_with(start); });
}

}  // namespace

std::string page_words(const ReportFigure& figure) {
  std::string text;
  std::ptrdiff_t room = kMostWords;
  // The view's own caption is of the whole picture: under a part of it is that of the part.
  bool caption = true;
  for (const std::string& sentence : figure.words.sentences) {
    const bool is_caption = caption && !sentence.starts_with("Two are compared, ");
    if (is_caption) caption = false;
    if (is_caption) continue;
    const std::ptrdiff_t words = std::ranges::count(sentence, ' ') + 1;
    if (words > room || is_said_before(sentence) || figure.shows.find(sentence) != std::string::npos)
      continue;
    text += (text.empty() ? "" : " ") + sentence;
    room -= words;
  }
  return text;
}

std::string how_to_run(const Report& report) {
  return std::string(
             "Run in this folder, by the same build on the same kind of processor, these lines make ") +
         "every figure again, byte for byte. Where the program is not installed, glassformer is app/run of "
         "its own folder. " +
         (report.with_model ? "The weights lie in the folder model."
                            : "The weights are those that the session file names.");
}

std::vector<std::string> drawing_commands(const Report& report) {
  std::vector<std::string> commands;
  for (const ReportFigure& figure : report.figures)
    if (!figure.commands.empty()) commands.push_back(figure.commands.front());
  return commands;
}

std::vector<std::string> all_commands(const Report& report) {
  std::vector<std::string> commands;
  for (const ReportFigure& figure : report.figures)
    commands.insert(commands.end(), figure.commands.begin(), figure.commands.end());
  return commands;
}

}  // namespace glassformer
