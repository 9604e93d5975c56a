#include "app/lessons/lesson_lines.h"

#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::string_view kBlanks = " \t\r";

LessonLine line_of(std::string_view text, int number) {
  const std::size_t end = text.find_first_of(kBlanks);
  const std::string_view keyword = text.substr(0, end);
  const std::size_t dot = keyword.find('.');
  LessonLine line{.number = number,
                  .keyword = std::string(keyword.substr(0, dot)),
                  .language = dot == std::string_view::npos ? "" : std::string(keyword.substr(dot + 1)),
                  .value = {}};
  if (end != std::string_view::npos) line.value = trimmed(text.substr(end));
  return line;
}

}  // namespace

std::vector<std::string> between(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<LessonLine> lesson_lines(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<LessonLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::string_view content = trimmed(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (content.empty() || content.front() == '#') continue;
    const bool continues = line.front() == ' ' || line.front() == '\t';
    if (!continues || lines.empty()) {
      lines.push_back(line_of(content, number));
    } else {
      std::string& value = lines.back().value;
      value += (value.empty() ? "" : " ") + std::string(content);
    }
  }
  return lines;
}

}  // namespace glassformer
