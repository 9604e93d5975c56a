#include "app/lessons/lesson_lines.h"

#include <array>

#include "app/lessons/lesson.h"
#include "app/lessons/quoted_text.h"
#include "app/lessons/value.h"
#include "engine/text/unicode.h"

namespace glassformer {

const std::string& LessonText::in(const std::string& language) const {
  const auto found = translated.find(language);
  return found != translated.end() ? found->second : plain;
}

std::vector<SceneLine> Lesson::scene_of(std::size_t page) const {
  std::vector<SceneLine> lines = scene;
  for (std::size_t i = 0; i <= page && i < pages.size(); ++i)
    lines.insert(lines.end(), pages[i].scene.begin(), pages[i].scene.end());
  return lines;
}

std::vector<SceneLine> Lesson::revealed_scene_of(std::size_t page) const {
  std::vector<SceneLine> lines = scene_of(page);
  if (page < pages.size()) lines.insert(lines.end(), pages[page].reveal.begin(), pages[page].reveal.end());
  return lines;
}

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

namespace {

int hexadecimal(char c) {
  const std::size_t at = std::string_view("0123456789abcdef").find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

std::string quoted_where_blank(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(" \t\r\n\"\\;#") == std::string::npos &&
                     trimmed(text) == text && first_invalid_utf8(text) == std::string::npos;
  return plain ? text : as_quoted(text);
}

std::string as_quoted(std::string_view text) {
  const bool valid = first_invalid_utf8(text) == std::string_view::npos;
  std::string marked = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      marked += '\\', marked += c;
    else if (c == '\n')
      marked += "\\n";
    else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !valid))
      marked += {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    else
      marked += c;
  }
  return marked + "\"";
}

std::string take_quoted(std::string_view& text) {
  const std::string_view whole = text;
  const auto mismatch = [&] {
    return Mismatch("a closing quotation mark", "“" + std::string(whole.substr(0, 60)) + "”");
  };
  std::string plain;
  for (std::size_t i = 1; i < whole.size(); ++i) {
    if (whole[i] == '"') {
      text.remove_prefix(i + 1);
      return plain;
    }
    if (whole[i] != '\\') {
      plain += whole[i];
      continue;
    }
    if (++i == whole.size()) throw mismatch();
    if (whole[i] == 'n') {
      plain += '\n';
    } else if (whole[i] == 'x') {
      const int high = i + 2 < whole.size() ? hexadecimal(whole[i + 1]) : -1,
                low = high < 0 ? -1 : hexadecimal(whole[i + 2]);
      if (low < 0) throw Mismatch("two hexadecimal digits behind “\\x”", "something else");
      plain += static_cast<char>(high * 16 + low);
      i += 2;
    } else if (whole[i] == '"' || whole[i] == '\\') {
      plain += whole[i];
    } else {
      throw Mismatch("“\\\"”, “\\\\”, “\\n” or “\\x” and two digits", "“\\" + std::string(1, whole[i]) + "”");
    }
  }
  throw mismatch();
}

}  // namespace glassformer
