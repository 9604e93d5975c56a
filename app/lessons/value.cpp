#include "app/lessons/value.h"

#include <cmath>
#include <utility>

#include "engine/model/what_if/change_text.h"

namespace glassformer {

namespace {

constexpr std::size_t kWordsListed = 12;  // of an axis in an error

std::string kinds_listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < kWordsListed; ++i) text += (i > 0 ? ", " : "") + words[i];
  return words.size() > kWordsListed ? text + ", …" : text;
}

std::size_t named_entry(const std::string& word, const ValueAxis& axis, const std::string& axis_name,
                        int number) {
  for (std::size_t i = 0, met = 0; i < axis.words.size(); ++i) {
    if (axis.words[i] == word && ++met == static_cast<std::size_t>(number)) return i;
  }
  const std::string which = number > 1 ? " number " + std::to_string(number) : "";
  if (axis.words.empty()) throw Mismatch("a number for the " + axis_name, "“" + word + "”" + which);
  throw Mismatch("a word of the " + axis_name + " (" + kinds_listed(axis.words) + ")",
                 "“" + word + "”" + which);
}

}  // namespace

Value one_number(double number) {
  return {.shape = {}, .axes = {}, .numbers = {number}, .words = {}};
}

Value one_word(std::string word) {
  return {.shape = {}, .axes = {}, .numbers = {}, .words = {std::move(word)}, .of_words = true};
}

Value row_of(std::vector<double> numbers, ValueAxis axis) {
  const int length = static_cast<int>(numbers.size());
  return {.shape = {length}, .axes = {std::move(axis)}, .numbers = std::move(numbers), .words = {}};
}

Value row_of_words(std::vector<std::string> words, ValueAxis axis) {
  const int length = static_cast<int>(words.size());
  return {.shape = {length},
          .axes = {std::move(axis)},
          .numbers = {},
          .words = std::move(words),
          .of_words = true};
}

Value found_at(std::size_t at, const Value& row) {
  Value found = one_number(static_cast<double>(at) + (row.axes[0].counted ? 1 : 0));
  found.place = Value::Place{.at = at, .axis = row.axes[0], .among = row.numbers};
  return found;
}

std::string kind_of(const Value& value) {
  if (value.place && !value.place->axis.words.empty())
    return "the word “" + value.place->axis.words[value.place->at] + "”";
  if (value.is_one()) return value.is_words() ? "the word “" + value.words.front() + "”" : "a number";
  std::string sizes;
  for (const int length : value.shape) sizes += (sizes.empty() ? "" : " × ") + std::to_string(length);
  return (value.shape.size() == 1 ? "a row of " : "a table of ") + sizes;
}

std::size_t entry_of(const Value& index, const ValueAxis& axis, int length, const std::string& axis_name,
                     int number) {
  if (!index.is_one()) throw Mismatch("one number or word for the " + axis_name, kind_of(index));
  if (index.is_words()) return named_entry(index.words.front(), axis, axis_name, number);
  const double wanted = index.place ? static_cast<double>(index.place->at) : index.numbers.front();
  if (!(wanted >= 0 && wanted < length) || wanted != std::floor(wanted)) {
    const bool whole = wanted == std::floor(wanted) && std::abs(wanted) < 1e15;
    throw Mismatch("a whole number from 0 to " + std::to_string(length - 1) + " for the " + axis_name,
                   whole ? std::to_string(static_cast<long>(wanted)) : written_number(wanted));
  }
  return static_cast<std::size_t>(wanted);
}

}  // namespace glassformer
