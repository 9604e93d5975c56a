#include "app/lessons/lesson_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "app/format/part_names.h"
#include "app/lessons/lesson_lines.h"
#include "app/lessons/pin_line.h"
#include "app/lessons/scene_lines.h"
#include "app/lessons/slots.h"
#include "engine/math/error.h"
#include "engine/text/lines.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::array<std::string_view, 6> kHeadWords = {"lesson",  "about",    "learned",
                                                        "minutes", "language", "hide"};
constexpr std::array<std::string_view, 16> kPageWords = {
    "page",  "text",  "note", "point", "cover", "do",     "ask",     "answer",
    "right", "wrong", "hint", "panel", "show",  "reveal", "lecture", "lecture-ask"};
constexpr std::array<std::string_view, 6> kParts = {"train",  "slider", "decoding",
                                                    "target", "map",    "inspector"};
constexpr std::array<std::string_view, 7> kTargets = {"row",  "column", "cell",   "block",
                                                      "head", "chip",   "control"};
constexpr int kMostSentences = 3;

template <class List>
bool is_in(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

template <class List>
std::string listed(const List& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    text += (i == 0 ? "" : i + 1 == list.size() ? " or " : ", ") + std::string(list[i]);
  return text;
}

std::string in_marks(std::string_view text) {
  return text.empty() ? "nothing" : "“" + std::string(text) + "”";
}

bool is_keyword(std::string_view word) {
  return is_in(kHeadWords, word) || is_in(kPageWords, word) || is_scene_word(word);
}

// The keyword that was meant; empty: none is close.
std::string_view meant(std::string_view word) {
  std::vector<std::string_view> known(kHeadWords.begin(), kHeadWords.end());
  known.insert(known.end(), kSceneWords.begin(), kSceneWords.end());
  known.insert(known.end(), kPageWords.begin(), kPageWords.end());
  return nearest_word(word, known);
}

// Points and marks that end a sentence, outside of slots and numbers.
int sentences_of(std::string_view text) {
  int count = 0;
  bool in_slot = false, open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '}') in_slot = c == '{';
    if (in_slot) continue;
    const bool ends = (c == '.' || c == '!' || c == '?') && (i + 1 == text.size() || text[i + 1] == ' ');
    if (ends)
      ++count, open = false;
    else if (c != ' ' && c != '}')
      open = true;
  }
  return count + (open ? 1 : 0);
}

// "TEXT : EXPRESSION": the text may have colons, as French puts them.
std::pair<std::string, std::string> cut_at_colon(const std::string& value, const std::string& expected) {
  const std::size_t colon = value.rfind(" : ");
  if (colon == std::string::npos) throw Mismatch(expected, in_marks(value));
  return {std::string(trimmed(std::string_view(value).substr(0, colon))),
          std::string(trimmed(std::string_view(value).substr(colon + 3)))};
}

class LessonReader {
 public:
  LessonFile read(std::string_view text) {
    for (LessonLine& line : lesson_lines(text)) {
      try {
        take_meant(line);
      } catch (const Mismatch& mismatch) {
        complain(line.number, mismatch.what());
      }
    }
    end_page();
    if (lesson_.title.empty()) complain(1, "expected lesson and a title, got none");
    if (lesson_.pages.empty()) complain(1, "expected at least one page, got none");
    std::ranges::stable_sort(file_.errors, {}, &LessonError::line);
    return std::move(file_);
  }

 private:
  void complain(int line, std::string problem) { file_.errors.push_back({line, std::move(problem)}); }

  // A misspelled keyword is reported, and read as the one that was meant: the lines that lean on it are in
  // order, and what else is wrong with the file is found at once.
  void take_meant(LessonLine& line) {
    if (!is_keyword(line.keyword)) {
      const std::string_view known = meant(line.keyword);
      const Mismatch mismatch(
          known.empty() ? "a keyword such as page, text, ask or view" : std::string(known),
          in_marks(line.keyword));
      if (known.empty()) throw mismatch;
      complain(line.number, mismatch.what());
      line.keyword = known;
    }
    take(line);
  }

  void take(const LessonLine& line) {
    const std::string& word = line.keyword;
    if (is_scene_word(word)) {
      auto& lines = lesson_.pages.empty() ? lesson_.scene : lesson_.pages.back().scene;
      return lines.push_back(scene_line(line));
    }
    if (!line.language.empty()) return translation(line);
    if (line.value.empty()) throw Mismatch("a value behind " + word, "nothing");
    if (is_in(kHeadWords, word)) return head_line(line);
    if (word == "page") return begin_page(line);
    if (lesson_.pages.empty()) throw Mismatch("page before the first " + word, in_marks(word));
    page_line(line);
  }

  void head_line(const LessonLine& line) {
    if (!lesson_.pages.empty()) throw Mismatch(line.keyword + " before the first page", "it on a page");
    if (line.keyword == "lesson") return put(lesson_.title, line);
    if (line.keyword == "about") return put(lesson_.about, line);
    if (line.keyword == "learned") return put(lesson_.learned, line);
    if (line.keyword == "minutes") lesson_.minutes = static_cast<int>(whole_number(line.value, "minutes", 1));
    if (line.keyword == "language") lesson_.language = line.value;
    if (line.keyword != "hide") return;
    for (std::string& part : between(line.value, ',')) {
      if (!is_in(kParts, part)) throw Mismatch(listed(kParts), in_marks(part));
      lesson_.hidden.push_back(std::move(part));
    }
  }

  void begin_page(const LessonLine& line) {
    end_page();
    lesson_.pages.emplace_back();
    texts_.clear();
    put(page().title, line);
  }

  // What a page must have.
  void end_page() {
    if (lesson_.pages.empty()) return;
    const LessonPage& page = lesson_.pages.back();
    if (page.texts.empty() && !page.question)
      complain(page.title.line, "expected text, do or ask on this page, got none");
    if (page.question && !page.question->answer && !page.question->does && page.question->answer_line == 0)
      complain(page.question->text.line, "expected answer behind this ask, got none");
  }

  void page_line(const LessonLine& line) {
    const std::string& word = line.keyword;
    if (word == "text" || word == "note") {
      auto& list = word == "text" ? page().texts : page().notes;
      put(list.emplace_back(), line);
      if (const int count = sentences_of(line.value); word == "text" && count > kMostSentences)
        throw Mismatch("at most " + std::to_string(kMostSentences) + " sentences", std::to_string(count));
    } else if (word == "point" || word == "cover") {
      (word == "point" ? page().points : page().covers).push_back(target_of(line));
    } else if (word == "lecture") {
      put(page().lecture, line);
    } else if (word == "panel") {
      if (page().panel) throw Mismatch("one panel on a page", "another");
      page().panel = {.line = line.number, .keyword = word, .value = part_named(line.value)};
    } else if (word == "show") {
      if (page().shows) throw Mismatch("one show on a page", "another");
      page().shows = {.line = line.number, .keyword = word, .value = line.value};
    } else if (word == "do" || word == "ask") {
      begin_question(line);
    } else if (word == "answer") {
      read_answer(line);
    } else {
      LessonQuestion& asked = question(line);
      if (word == "right") put(asked.right, line);
      if (word == "hint") put(asked.hint, line);
      if (word == "wrong") read_wrong(asked, line);
      if (word == "lecture-ask") put(page().lecture_ask, line);
      if (word == "reveal") page().reveal.push_back(revealed_line(line, asked));
    }
  }

  // "reveal set Query 14.5": a Scene line.
  static SceneLine revealed_line(const LessonLine& line, const LessonQuestion& asked) {
    LessonLine inner = lesson_lines(line.value).front();
    inner.number = line.number;
    if (!is_scene_word(inner.keyword))
      throw Mismatch(listed(kSceneWords) + " behind reveal", in_marks(inner.keyword));
    if (inner.keyword == "train" && !asked.does) throw Mismatch("train in a reveal of a do", "one of an ask");
    return scene_line(inner);
  }

  static LessonTarget target_of(const LessonLine& line) {
    const std::size_t end = line.value.find(' ');
    const std::string kind = line.value.substr(0, end);
    if (!is_in(kTargets, kind)) throw Mismatch(listed(kTargets), in_marks(kind));
    if (end == std::string::npos) throw Mismatch("which " + kind, "nothing");
    return {.line = line.number,
            .kind = kind,
            .value = std::string(trimmed(std::string_view(line.value).substr(end)))};
  }

  void begin_question(const LessonLine& line) {
    if (page().question) throw Mismatch("one do or ask on a page", "another");
    LessonQuestion& asked = page().question.emplace();
    asked.does = line.keyword == "do";
    if (!asked.does) return put(asked.text, line);
    put(asked.text, line);
    asked.answer_line = line.number;
    auto [text, condition] = cut_at_colon(line.value, "“ : ” and a condition behind what is to be done");
    asked.text.plain = std::move(text);
    asked.answer = Expression::read(condition);
  }

  LessonQuestion& question(const LessonLine& line) {
    if (lesson_.pages.empty() || !page().question)
      throw Mismatch("do or ask before " + line.keyword, in_marks(line.keyword));
    return *page().question;
  }

  void read_answer(const LessonLine& line) {
    LessonQuestion& asked = question(line);
    if (asked.does || asked.answer_line != 0) throw Mismatch("one answer behind each ask", "another");
    asked.answer_line = line.number;
    const auto [kind, expression] =
        cut_at_colon(line.value, "“ : ” and an expression behind the kind of answer");
    read_kind(kind, line.number, asked);
    asked.answer = Expression::read(expression);
  }

  static void read_kind(const std::string& text, int line, LessonQuestion& asked) {
    const std::size_t end = text.find(' ');
    const std::string kind = text.substr(0, end);
    const std::string rest(end == std::string::npos ? std::string_view()
                                                    : trimmed(std::string_view(text).substr(end)));
    if (kind == "cell")
      asked.kind = AnswerKind::cell;
    else if (kind == "word")
      asked.kind = AnswerKind::word;
    else if (kind == "number")
      asked.kind = AnswerKind::number, asked.tolerance = tolerance_of(rest);
    else if (kind == "choice")
      asked.kind = AnswerKind::choice, asked.choices = choices_of(rest, line);
    else
      throw Mismatch("cell, word, number or choice", in_marks(kind));
  }

  static double tolerance_of(std::string_view text) {
    constexpr std::string_view kPlusMinus = "±";
    if (text.empty()) return 0;
    double tolerance = -1;
    if (text.starts_with(kPlusMinus)) {
      const std::string_view digits = trimmed(text.substr(kPlusMinus.size()));
      const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), tolerance);
      if (failed != std::errc() || end != digits.data() + digits.size()) tolerance = -1;
    }
    if (!(tolerance >= 0)) throw Mismatch("“±” and a number from 0 on", in_marks(text));
    return tolerance;
  }

  static std::vector<LessonText> choices_of(std::string_view text, int line) {
    std::vector<LessonText> choices;
    for (std::string& each : between(text, '|')) {
      if (each.empty()) throw Mismatch("words between the bars", "nothing");
      choices.push_back({.line = line, .plain = std::move(each), .translated = {}});
    }
    if (choices.size() < 2 || choices.size() > 8)
      throw Mismatch("two to eight choices", std::to_string(choices.size()));
    return choices;
  }

  // "wrong TEXT", or "wrong "ANSWER" TEXT" for one answer.
  void read_wrong(LessonQuestion& asked, const LessonLine& line) {
    if (!line.value.starts_with('"')) return put(asked.wrong, line);
    const std::size_t end = line.value.find('"', 1);
    if (end == std::string::npos) throw Mismatch("a closing quotation mark", in_marks(line.value));
    LessonLine rest = line;
    rest.value = trimmed(std::string_view(line.value).substr(end + 1));
    put(asked.wrong_for[line.value.substr(1, end - 1)], rest);
  }

  void put(LessonText& text, const LessonLine& line) {
    if (!text.empty()) throw Mismatch("one " + line.keyword, "another");
    text = {.line = line.number, .plain = line.value, .translated = {}};
    texts_[line.keyword] = &text;
    if (line.keyword != "do") read_slots(line.value);
  }

  // Beside the line that was read last under that keyword.
  void translation(const LessonLine& line) {
    if (line.keyword == "answer") return translate_choices(line);
    const auto found = texts_.find(line.keyword);
    if (found == texts_.end())
      throw Mismatch(line.keyword + " before its translation", in_marks(line.keyword + "." + line.language));
    std::string value = line.value;
    if (line.keyword == "wrong" && value.starts_with('"')) {
      const std::size_t end = value.find('"', 1);
      if (end != std::string::npos) value = trimmed(std::string_view(value).substr(end + 1));
    }
    if (value.empty()) throw Mismatch("a value behind " + line.keyword, "nothing");
    read_slots(value);
    if (!found->second->translated.emplace(line.language, value).second)
      throw Mismatch("one " + line.keyword + "." + line.language, "another");
  }

  void translate_choices(const LessonLine& line) {
    LessonQuestion& asked = question(line);
    const std::vector<std::string> words = between(line.value, '|');
    if (words.size() != asked.choices.size())
      throw Mismatch(std::to_string(asked.choices.size()) + " choices between bars",
                     std::to_string(words.size()));
    for (std::size_t i = 0; i < words.size(); ++i) asked.choices[i].translated[line.language] = words[i];
  }

  LessonPage& page() { return lesson_.pages.back(); }

  LessonFile file_;
  Lesson& lesson_ = file_.lesson;
  std::map<std::string, LessonText*, std::less<>>
      texts_;  // the newest of each keyword on this page, or of the head
};

// What is wrong with bytes that are not UTF-8, in the words of the corpus reader.
std::optional<LessonError> other_encoding(std::string_view text) {
  const std::string save = "save it as UTF-8, for example with: iconv -f ";
  int invalid = 0, first = 0, number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (first_invalid_utf8(line) == std::string_view::npos) continue;
    if (invalid++ == 0) first = number;
  }
  if (invalid == 0) return std::nullopt;
  return LessonError{first, "the file is not UTF-8: " + std::to_string(invalid) +
                                (invalid == 1 ? " line is invalid" : " lines are invalid") +
                                "; it is probably Latin-1 or Windows-1252; " + save +
                                "WINDOWS-1252 -t UTF-8 OLD > NEW"};
}

}  // namespace

std::optional<LessonError> decode_lines(std::string_view bytes, std::string& text) {
  try {
    text = decoded_text(std::string(bytes), "encoding").text;
  } catch (const Error&) {
    const std::string wide = wide_encoding(bytes);
    return LessonError{1, "expected text in UTF-8, got " +
                              (wide.empty() ? std::string("another encoding or no text")
                                            : wide + (wide == "UTF-32" ? "" : " or no text") +
                                                  "; save it as UTF-8, for example with: iconv -f " + wide +
                                                  " -t UTF-8 OLD > NEW")};
  }
  return other_encoding(text);
}

LessonFile read_lesson(std::string_view bytes) {
  std::string text;
  if (const auto problem = decode_lines(bytes, text)) return {{}, {*problem}};
  return LessonReader().read(text);
}

}  // namespace glassformer
