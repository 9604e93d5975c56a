#include "app/panels/lecture_words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "app/panels/lesson_card.h"

namespace glassformer {

namespace {

// The ends of its sentences, the last one's included.
std::vector<std::size_t> sentence_ends(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const bool stops = text[i] == '.' || text[i] == '!' || text[i] == '?';
    if (stops && text[i + 1] == ' ') ends.push_back(i + 1);
  }
  ends.push_back(text.size());
  return ends;
}

// The last line cut where the words have no room even so.
std::vector<std::string> cut_lines(const Canvas& canvas, std::vector<std::string> lines,
                                   const TextStyle& style, float width, std::size_t most) {
  if (lines.size() <= most) return lines;
  std::string last;
  for (std::size_t i = most - 1; i < lines.size(); ++i) last += (last.empty() ? "" : " ") + lines[i];
  lines.resize(most);
  lines.back() = elided(canvas, last, style, width);
  return lines;
}

}  // namespace

TextStyle lecture_question_style(const Theme& t) {
  return {.font = Font::semibold, .size = 28 * kLecturePx, .color = t.ink};
}

TextStyle lecture_line_style(const Theme& t) {
  return {.size = 12, .color = t.second_text};
}

TextStyle lecture_answer_style(const Theme& t, AnswerKind kind) {
  const bool number = kind == AnswerKind::number;
  return {.font = number ? Font::mono : Font::semibold, .size = 28 * kLecturePx, .color = t.ink};
}

bool names_answer(const std::string& words, const std::string& answer) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  if (answer.empty()) return false;
  for (std::size_t at = words.find(answer); at != std::string::npos; at = words.find(answer, at + 1)) {
    const std::size_t end = at + answer.size();
    const bool begins = at == 0 || !in_word(words[at - 1]),
               ends = end == words.size() || !in_word(words[end]);
    if (begins && ends) return true;
  }
  return false;
}

std::vector<std::string> lines_of(const Canvas& canvas, std::string_view words, const TextStyle& style,
                                  float width) {
  std::vector<std::string> lines;
  std::string line;
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    const std::string word(words.substr(0, end));
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (line.empty() || canvas.measure(longer, style).x <= width) {
      line = longer;
    } else {
      lines.push_back(line);
      line = word;
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

std::string first_sentence(const std::string& text) {
  const std::size_t end = sentence_ends(text).front();
  return end == text.size() ? text : text.substr(0, end) + " …";
}

std::vector<std::string> cut_to_lines(const Canvas& canvas, const std::string& words, const TextStyle& style,
                                      float width, std::size_t lines) {
  const std::vector<std::size_t> ends = sentence_ends(words);
  std::vector<std::string> found;
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    const std::string part = *end == words.size() ? words : words.substr(0, *end) + " …";
    found = lines_of(canvas, part, style, width);
    if (found.size() <= lines) return found;
  }
  return cut_lines(canvas, std::move(found), style, width, lines);
}

std::vector<std::string> question_lines(const Canvas& canvas, const std::string& words, float width) {
  const TextStyle style = lecture_question_style(canvas.theme());
  std::vector<std::string> lines = lines_of(canvas, words, style, width);
  const std::vector<std::size_t> ends = sentence_ends(words);
  for (std::size_t i = 0; lines.size() > kQuestionLines && i + 1 < ends.size(); ++i)
    lines = lines_of(canvas, "… " + words.substr(ends[i] + 1), style, width);
  return cut_lines(canvas, std::move(lines), style, width, kQuestionLines);
}

std::vector<std::size_t> offered_places(const Value::Place& place) {
  std::vector<std::size_t> places(std::min(place.among.size(), kMostOffers));
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (!places.empty()) places.back() = std::max(places.back(), place.at);
  return places;
}

std::string place_words(const Value::Place& place, std::size_t at) {
  return at < place.axis.words.size() ? place.axis.words[at]
                                      : std::to_string(at + (place.axis.counted ? 1 : 0));
}

std::vector<OfferRoom> offer_rooms(const Canvas& canvas, const std::vector<std::string>& words, float width) {
  constexpr float kKey = 14 + 6, kBetween = 16;
  const TextStyle style{.size = 12, .color = canvas.theme().ink};
  std::vector<OfferRoom> rooms;
  OfferRoom room;
  for (std::size_t i = 0; i < words.size(); ++i) {
    room.width =
        std::ceil(canvas.measure(std::to_string(i + 1), style).x + kKey + canvas.measure(words[i], style).x) +
        1;
    if (room.x > 0 && room.x + room.width > width) room.x = 0, ++room.row;
    rooms.push_back(room);
    room.x += room.width + kBetween;
  }
  return rooms;
}

std::string not_so(const Canvas& canvas, float width, const std::string& given, const std::string& hint,
                   const std::string& language) {
  const std::string words = lesson_words("Not ", language) + given + (hint.empty() ? "." : ". " + hint);
  const bool fits = canvas.measure(words, lecture_line_style(canvas.theme())).x <= width;
  return fits || hint.empty() ? words : lesson_words("No. ", language) + hint;
}

namespace {

// What digits answer, and which of them are wrong, as a wrong try names them.
struct Offered {
  std::vector<std::string> words, wrong;
};

Offered offered(const AnsweredPage& page, const LessonQuestion& asked, const std::string& language) {
  Offered all;
  if (asked.kind == AnswerKind::choice) {
    all.words = page.choices;
    for (const LessonText& choice : asked.choices)
      if (choice.plain != page.answer && choice.in(language) != page.answer)
        all.wrong.push_back(lesson_given(asked, choice.plain, language));
  } else if (const auto& place = page.value.place) {
    for (const std::size_t at : offered_places(*place)) {
      all.words.push_back(place_words(*place, at));
      if (at != place->at) all.wrong.push_back(lesson_given(asked, all.words.back(), language));
    }
  }
  return all;
}

// What the choices and the hint need more than there is.
void notice_offers(const Canvas& canvas, const AnsweredPage& page, const LessonQuestion& asked, float width,
                   const std::string& language, std::vector<LessonError>& notices) {
  const Offered all = offered(page, asked, language);
  const std::vector<OfferRoom> rooms = offer_rooms(canvas, all.words, width);
  const bool wide = std::ranges::any_of(rooms, [&](const OfferRoom& each) { return each.width > width; });
  const int line = asked.answer_line;
  if (rooms.size() > kMostOffers)
    notices.push_back({line, std::to_string(rooms.size()) + " choices, and a lecture has digits for " +
                                 std::to_string(kMostOffers) + ": leave some out"});
  else if (wide || (!rooms.empty() && rooms.back().row >= kOfferRows))
    notices.push_back({line, "the choices need more than the " + std::to_string(kOfferRows) +
                                 " lines that the page of a lecture has for them: shorten them"});
  std::size_t lines = 0;
  for (const std::string& given : all.wrong)
    lines = std::max(lines, lines_of(canvas, not_so(canvas, width, given, page.hint, language),
                                     lecture_line_style(canvas.theme()), width)
                                .size());
  if (lines > 1)
    notices.push_back({asked.hint.empty() ? line : asked.hint.line,
                       "after a wrong answer the hint needs " + std::to_string(lines) +
                           " lines on the page of a lecture, which has 1 for it: shorten it"});
}

}  // namespace

std::vector<LessonError> lecture_notices(const Canvas& canvas, const AnsweredPage& page,
                                         const LessonPage& written, const std::string& language) {
  std::vector<LessonError> notices;
  const float width = kLectureWordsWidth * kLecturePx;
  const auto needs = [&](int line, const std::string& what, const std::string& words, const TextStyle& style,
                         std::size_t most, const std::string& instead) {
    const std::size_t lines = lines_of(canvas, words, style, width).size();
    if (lines > most)
      notices.push_back({line, what + " needs " + std::to_string(lines) +
                                   " lines on the page of a lecture, which has " + std::to_string(most) +
                                   " for it: " + instead});
  };
  const TextStyle line_style = lecture_line_style(canvas.theme());
  if (written.question) {
    const bool own = !written.lecture_ask.empty();
    needs(own ? written.lecture_ask.line : written.question->text.line, own ? "lecture-ask" : "the question",
          own ? page.lecture_ask : page.question, lecture_question_style(canvas.theme()), kQuestionLines,
          own ? "shorten it" : "write a shorter one as lecture-ask");
    // What is to be done has its numbers only once it is done.
    if (!page.does && !written.question->right.empty())
      needs(written.question->right.line, "right", page.right, line_style, kAnswerLines,
            "only its first sentences are shown there");
    if (!page.does) notice_offers(canvas, page, *written.question, width, language, notices);
  }
  const bool own = !written.lecture.empty();
  if (own || !page.texts.empty())
    needs(own ? written.lecture.line : written.texts.front().line, own ? "lecture" : "the first sentence",
          own ? page.lecture : first_sentence(page.texts.front()), line_style, 1,
          own ? "shorten it" : "write a shorter one as lecture");
  return notices;
}

}  // namespace glassformer
