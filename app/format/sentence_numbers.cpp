#include "app/format/sentence_numbers.h"

#include <charconv>
#include <cmath>

#include "app/format/number_format.h"

namespace glassformer {

namespace {

bool ends_word(std::string_view rest) {
  const std::size_t signs = rest.find_first_not_of(",.;:)");
  return signs == std::string_view::npos || rest[signs] == ' ';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The number that begins the text, in the screen's letters; `length` is what it takes of the text.
std::string number_on_screen(std::string_view text, std::size_t& length) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  length = static_cast<std::size_t>(read.ptr - text.data());
  if (read.ec != std::errc()) return std::string(text.substr(0, length));
  std::string_view own = text.substr(0, length);
  const bool power = own.find('e') != std::string_view::npos;
  // A sign of the sentence behind the number is read as the point of a fraction.
  if (own.ends_with('.')) own = text.substr(0, --length);
  const bool grouped = own.size() > 1 && own[0] == '0' && is_digit(own[1]);  // "000" of "2 000"
  if (grouped || !ends_word(text.substr(length))) return std::string(text.substr(0, length));
  if (std::abs(value) < 1e9 && value == std::trunc(value) &&
      (power || own.find('.') == std::string_view::npos))
    return format_fixed(value, 0);
  if (power) return format_short(value);
  const std::string digits(text.substr(0, length));
  return value < 0 ? "\u2212" + digits.substr(1) : digits;
}

}  // namespace

std::string numbers_on_screen(std::string_view sentence) {
  std::string out;
  for (std::size_t at = 0; at < sentence.size();) {
    const bool begins = at == 0 || sentence[at - 1] == ' ' || sentence[at - 1] == '(';
    const std::string_view rest = sentence.substr(at);
    std::size_t length = 1;
    if (begins && (is_digit(rest[0]) || (rest[0] == '-' && rest.size() > 1 && is_digit(rest[1]))))
      out += number_on_screen(rest, length);
    else
      out += rest[0];
    at += length;
  }
  return out;
}

}  // namespace glassformer
