#include "app/lessons/slots.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/lessons/lesson_lines.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr int kMostDigits = 9;

// "%", ".3" or ".1%" behind the last colon; an expression has colons too: "[2, :]".
bool read_format(std::string_view format, Slot& slot) {
  const bool percent = format.ends_with('%');
  if (percent) format.remove_suffix(1);
  int digits = percent ? 0 : -1;
  if (!format.empty()) {
    if (format.size() != 2 || format[0] != '.' || format[1] < '0' || format[1] > '0' + kMostDigits)
      return false;
    digits = format[1] - '0';
  } else if (!percent) {
    return false;
  }
  slot.percent = percent;
  slot.digits = digits;
  return true;
}

Slot slot_of(std::string before, std::string_view inside) {
  Slot slot{.before = std::move(before), .expression = {}};
  if (const std::size_t colon = inside.rfind(':'); colon != std::string_view::npos) {
    if (read_format(trimmed(inside.substr(colon + 1)), slot)) inside = inside.substr(0, colon);
  }
  slot.expression = Expression::read(inside);
  return slot;
}

std::string shown_number(double number) {
  if (number == std::floor(number) && std::abs(number) < 1e15)
    return format_count(static_cast<long long>(number));
  return std::abs(number) >= 1 ? format_fixed(number, 3) : format_short(number);
}

std::string shown_in(const Slot& slot, const Value& value) {
  if (slot.digits < 0) return shown(value);
  if (!value.is_one() || value.is_words())
    throw Mismatch("one number for “" + std::string(slot.percent ? "%" : ".") + "”", kind_of(value));
  const double number = value.numbers.front();
  return slot.percent ? format_percent(number, slot.digits) : format_fixed(number, slot.digits);
}

}  // namespace

std::vector<Slot> read_slots(std::string_view text) {
  std::vector<Slot> slots;
  std::string words;
  while (true) {
    const std::size_t open = text.find('{');
    words += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) throw Mismatch("“}”", "the end of the text");
    slots.push_back(slot_of(std::exchange(words, {}), text.substr(open + 1, close - open - 1)));
    text.remove_prefix(close + 1);
  }
  slots.push_back({.before = std::move(words), .expression = {}});
  return slots;
}

std::string filled(std::string_view text, const NameValues& names) {
  std::string all;
  for (const Slot& slot : read_slots(text)) {
    all += slot.before;
    if (slot.expression) all += shown_in(slot, slot.expression->value(names));
  }
  return all;
}

std::string shown(const Value& value) {
  if (value.place && !value.place->axis.words.empty()) return value.place->axis.words[value.place->at];
  std::string text;
  if (value.is_words()) {
    bool joined = true;  // to what is before
    for (const std::string& word : value.words) {
      const bool elision = value.of_text && (word == "'" || word == "’");
      text += (joined || elision ? "" : " ") + word;
      joined = elision;
    }
    return text;
  }
  for (const double number : value.numbers) text += (text.empty() ? "" : ", ") + shown_number(number);
  return text;
}

}  // namespace glassformer
