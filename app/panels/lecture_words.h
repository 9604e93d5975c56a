// What a lesson's page says in a lecture, cut to the room of its bands: a question of two lines, one line,
// and two lines of an answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/lessons/answered_page.h"

namespace glassformer {

// px of a 1024 x 768 screen, of which 960 are for words.
inline constexpr float kLectureWordsWidth = 960, kLecturePx = 12.0f / 20;
inline constexpr std::size_t kQuestionLines = 2, kAnswerLines = 2, kOfferRows = 2, kMostOffers = 8;

TextStyle lecture_question_style(const Theme& t);                 // 28 px
TextStyle lecture_line_style(const Theme& t);                     // 20 px
TextStyle lecture_answer_style(const Theme& t, AnswerKind kind);  // 28 px
// The words about the answer name it themselves, as a word of theirs: it is not shown beside them.
bool names_answer(const std::string& words, const std::string& answer);

std::vector<std::string> lines_of(const Canvas& canvas, std::string_view words, const TextStyle& style,
                                  float width);
// Its first sentence; the cut is marked where more follow.
std::string first_sentence(const std::string& text);
// All of it in so many lines, else as many of its sentences as have room, the cut marked.
std::vector<std::string> cut_to_lines(const Canvas& canvas, const std::string& words, const TextStyle& style,
                                      float width, std::size_t lines);
// A question in two lines: what is too long loses what it says before it asks.
std::vector<std::string> question_lines(const Canvas& canvas, const std::string& words, float width);

// What digits answer where a place is asked for: the first, and the right one in the last place where it is
// none of them.
std::vector<std::size_t> offered_places(const Value::Place& place);
std::string place_words(const Value::Place& place, std::size_t at);
// Where the choices are, each with its digit, in rows from the left.
struct OfferRoom {
  std::size_t row = 0;
  float x = 0, width = 0;
};
std::vector<OfferRoom> offer_rooms(const Canvas& canvas, const std::vector<std::string>& words, float width);
// After a wrong try: "Not “daughter”. Look at the row “fille”.", or "No. Look at the row “fille”." where that
// alone has room.
std::string not_so(const Canvas& canvas, float width, const std::string& given, const std::string& hint,
                   const std::string& language);

// What of a page is cut in a lecture: "the question needs 3 lines of a lecture, which has 2: write
// lecture-ask".
std::vector<LessonError> lecture_notices(const Canvas& canvas, const AnsweredPage& page,
                                         const LessonPage& written, const std::string& language);

}  // namespace glassformer
