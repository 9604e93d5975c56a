#include "app/lessons/given_answer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/lessons/slots.h"
#include "engine/math/typed_number.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr double kRounding = 1e-9;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// As people write it: a comma or a point, a minus of any length, thousands apart, a share in per cent.
double number_of(const std::string& typed, const Value& answer) {
  std::string text = typed;
  replace_all(text, "\u2212", "-");
  replace_all(text, "\u2009", "");
  replace_all(text, "\u202F", "");
  replace_all(text, "\u00A0", "");
  replace_all(text, " ", "");
  replace_all(text, ",", ".");
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  std::optional<double> number = typed_number(text);
  // Where no share is asked for, the number itself is meant.
  const bool share = std::abs(answer.numbers.front()) <= 1;
  if (number && percent && share) *number /= 100;
  if (!number || !std::isfinite(*number)) throw Mismatch("a number", "“" + typed + "”");
  return *number;
}

std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, words.size()); ++i)
    text += (i > 0 ? ", “" : "“") + words[i] + "”";
  return text + (words.size() > kMost ? ", …" : "");
}

// As words are compared: capitals do not count, nor do the signs round “<eos>”.
std::string bare(const std::string& word) {
  const bool bracketed = word.size() > 2 && word.front() == '<' && word.back() == '>';
  return to_lower(bracketed ? word.substr(1, word.size() - 2) : word);
}

// The words along the axis in which an answer was found; of heads and layers their numbers from 1.
std::vector<std::string> words_along(const Value::Place& place) {
  if (!place.axis.words.empty()) return place.axis.words;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < place.among.size(); ++i)
    numbers.push_back(std::to_string(i + (place.axis.counted ? 1 : 0)));
  return numbers;
}

// Which of the places is meant, so that its value can be shown.
Value place_numbered(double number, const Value::Place& place) {
  const double first = place.axis.counted ? 1 : 0, last = first + static_cast<double>(place.among.size()) - 1;
  if (number < first || number > last || number != std::floor(number))
    throw Mismatch("a whole number from " + shown(one_number(first)) + " to " + shown(one_number(last)),
                   shown(one_number(number)));
  return found_at(static_cast<std::size_t>(number - first), row_of(place.among, place.axis));
}

}  // namespace

Value given_answer(const LessonQuestion& asked, const std::string& typed, const Value& answer) {
  const std::string text = without_blanks_around(typed);
  if (text.empty()) throw Mismatch("an answer", "nothing");
  if (asked.kind == AnswerKind::number) {
    const double number = number_of(text, answer);
    return answer.place ? place_numbered(number, *answer.place) : one_number(number);
  }
  if (asked.kind == AnswerKind::choice || !answer.place) return one_word(text);
  const std::vector<std::string> words = words_along(*answer.place);
  auto found = std::ranges::find(words, text);
  if (found == words.end()) found = std::ranges::find(words, bare(text), bare);
  if (found == words.end()) throw Mismatch("one of " + listed(words), "“" + text + "”");
  return found_at(static_cast<std::size_t>(found - words.begin()),
                  row_of(answer.place->among, answer.place->axis));
}

bool is_right(const LessonQuestion& asked, const Value& given, const Value& answer) {
  if (asked.kind == AnswerKind::number)
    return std::abs(given.numbers.front() - answer.numbers.front()) <= asked.tolerance + kRounding;
  if (given.place && answer.place && given.place->at == answer.place->at) return true;
  return bare(shown(given)) == bare(shown(answer));
}

}  // namespace glassformer
