#include "engine/text/toy_tasks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/math/random.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr long kVeryManyPairs = 1'000'000'000'000'000'000;
constexpr int kMostToyLetters = 26, kMostLength = 1000, kMostDigits = 15, kMostBetween = 300;
constexpr int kTenSymbols = 10;
constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};
constexpr int kDays = 36525;  // 1970-01-01 to 2069-12-31
constexpr int kDateForms = 5;

bool has_letters(ToyTask task) {
  return task == ToyTask::copy || task == ToyTask::reverse || task == ToyTask::sort;
}

int usual_length(ToyTask task) {
  return has_letters(task) ? 12 : task == ToyTask::add ? 3 : 8;
}

int most_length(ToyTask task) {
  return task == ToyTask::add ? kMostDigits : task == ToyTask::recall ? kMostBetween : kMostLength;
}

// Fills in the default length and checks the range.
ToyOptions checked(ToyTask task, ToyOptions options) {
  const std::string where = "task " + toy_task_name(task);
  if (options.length == 0) options.length = usual_length(task);
  const int most = most_length(task);
  if (task != ToyTask::dates && (options.length < 1 || options.length > most)) {
    throw Error(where, "the length must be 1 to " + std::to_string(most) + ", found " +
                           std::to_string(options.length));
  }
  if (has_letters(task) && (options.symbols < 1 || options.symbols > kMostToyLetters)) {
    throw Error(where, "the number of symbols must be 1 to " + std::to_string(kMostToyLetters) + ", found " +
                           std::to_string(options.symbols));
  }
  return options;
}

long saturated_product(long a, long b) {
  return a > kVeryManyPairs / b ? kVeryManyPairs : a * b;
}

long power(long base, int exponent) {
  long result = 1;
  for (int i = 0; i < exponent && result < kVeryManyPairs; ++i) result = saturated_product(result, base);
  return result;
}

// A way to make sources of one length (letters, symbols), of one pair of lengths (add), of one form (dates)
// or of one distance (recall).
struct Stratum {
  int first = 0, second = 0;
  long count = 0;  // different sources it can make
};

std::vector<Stratum> strata_of(ToyTask task, const ToyOptions& options) {
  std::vector<Stratum> strata;
  const auto numbers = [](int digits) { return digits == 1 ? 10 : 9 * power(10, digits - 1); };
  if (has_letters(task) || task == ToyTask::symbols) {
    const int symbols = has_letters(task) ? options.symbols : kTenSymbols;
    for (int n = 1; n <= options.length; ++n) strata.push_back({n, 0, power(symbols, n)});
  } else if (task == ToyTask::recall) {
    for (int between = 0; between <= options.length; ++between)
      strata.push_back({between, 0, recall_sources(between)});
  } else if (task == ToyTask::add) {
    for (int a = 1; a <= options.length; ++a) {
      for (int b = 1; b <= options.length; ++b)
        strata.push_back({a, b, saturated_product(numbers(a), numbers(b))});
    }
  } else {
    for (int form = 0; form < kDateForms; ++form) strata.push_back({form, 0, kDays});
  }
  return strata;
}

std::string number(Random& random, int digits) {
  std::string text;
  for (int i = 0; i < digits; ++i) {
    const bool leading = i == 0 && digits > 1;
    text += static_cast<char>('0' + (leading ? 1 + random.below(9) : random.below(10)));
  }
  return text;
}

std::string two_digits(unsigned int number) {
  return {static_cast<char>('0' + number / 10 % 10), static_cast<char>('0' + number % 10)};
}

std::string date(int form, long day_number) {
  const std::chrono::year_month_day day{std::chrono::sys_days{std::chrono::days{day_number}}};
  const unsigned d = unsigned(day.day()), m = unsigned(day.month());
  const int y = int(day.year());
  const std::string month(kMonths[m - 1]), year = std::to_string(y);
  switch (form) {
    case 0:
      return std::to_string(d) + " " + month + " " + year;
    case 1:
      return month + " " + std::to_string(d) + ", " + year;
    case 2:
      return std::to_string(d) + " " + month.substr(0, 3) + " " + year;
    case 3:
      return std::to_string(d) + "." + std::to_string(m) + "." + year;
    default:
      return two_digits(d) + "/" + two_digits(m) + "/" + two_digits(static_cast<unsigned>(y % 100));
  }
}

std::string source_of(ToyTask task, const ToyOptions& options, const Stratum& stratum, Random& random) {
  if (task == ToyTask::add) {
    const std::string left = number(random, stratum.first);
    return left + "+" + number(random, stratum.second);
  }
  if (task == ToyTask::dates) return date(stratum.first, random.below(kDays));
  if (task == ToyTask::recall) return recall_source(stratum.first, random);
  const bool letters = has_letters(task);
  std::string text;
  for (int i = 0; i < stratum.first; ++i) {
    if (i > 0) text += ' ';
    text +=
        static_cast<char>(letters ? 'a' + random.below(options.symbols) : '0' + random.below(kTenSymbols));
  }
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string sum_of(const std::string& source) {
  const std::size_t plus = source.find('+');
  if (plus == std::string::npos) return "";
  const auto value = [&](std::size_t start, std::size_t end, long& result) {
    const auto [stop, error] = std::from_chars(source.data() + start, source.data() + end, result);
    return end > start && end - start <= kMostDigits && stop == source.data() + end && error == std::errc() &&
           result >= 0;
  };
  long left = 0, right = 0;
  if (!value(0, plus, left) || !value(plus + 1, source.size(), right)) return "";
  return std::to_string(left + right);
}

// The words and numbers of a date, without blanks and commas.
std::string iso_date(const std::string& source) {
  std::vector<std::string> parts;
  char separator = ' ';
  bool inside = false;
  for (const char c : source) {
    if (c == ' ' || c == ',' || c == '/' || c == '.') {
      if (c == '/' || c == '.') separator = c;
      inside = false;
      continue;
    }
    if (!inside) parts.emplace_back();
    parts.back() += c;
    inside = true;
  }
  if (parts.size() != 3) return "";
  if (separator == ' ' && !parts[0].empty() && parts[0][0] >= 'a') std::swap(parts[0], parts[1]);

  const auto value = [](const std::string& text) {
    int result = -1;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    return error == std::errc() && stop == text.data() + text.size() ? result : -1;
  };
  int month = value(parts[1]);
  if (separator == ' ') {
    const auto found = std::find_if(kMonths.begin(), kMonths.end(), [&](std::string_view name) {
      return name == parts[1] || name.substr(0, 3) == parts[1];
    });
    month = found == kMonths.end() ? -1 : static_cast<int>(found - kMonths.begin()) + 1;
  }
  int year = value(parts[2]);
  if (parts[2].size() == 2 && year >= 0) year += year >= 70 ? 1900 : 2000;
  const int day = value(parts[0]);
  if (day < 1 || month < 1 || year < 1970 || year > 2069) return "";
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return "";
  return std::to_string(year) + "-" + two_digits(static_cast<unsigned>(month)) + "-" +
         two_digits(static_cast<unsigned>(day));
}

}  // namespace

std::vector<ToyTask> toy_tasks() {
  return {ToyTask::copy,  ToyTask::reverse, ToyTask::sort,   ToyTask::add,
          ToyTask::dates, ToyTask::recall,  ToyTask::symbols};
}

std::string toy_task_names() {
  const std::vector<ToyTask> all = toy_tasks();
  std::string names;
  for (std::size_t i = 0; i < all.size(); ++i)
    names += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + toy_task_name(all[i]);
  return names;
}

std::string toy_task_name(ToyTask task) {
  switch (task) {
    case ToyTask::copy:
      return "copy";
    case ToyTask::reverse:
      return "reverse";
    case ToyTask::sort:
      return "sort";
    case ToyTask::add:
      return "add";
    case ToyTask::dates:
      return "dates";
    case ToyTask::recall:
      return "recall";
    case ToyTask::symbols:
      return "symbols";
  }
  return "";
}

ToyTask toy_task(const std::string& name) {
  for (const ToyTask task : toy_tasks()) {
    if (toy_task_name(task) == name) return task;
  }
  throw Error("task", "unknown task " + shown(name) + "; expected " + toy_task_names());
}

TokenizerKind toy_tokenizer(ToyTask task) {
  return task == ToyTask::add || task == ToyTask::dates ? TokenizerKind::character : TokenizerKind::word;
}

long toy_sources(ToyTask task, const ToyOptions& options) {
  long count = 0;
  for (const Stratum& stratum : strata_of(task, checked(task, options))) {
    count = std::min(kVeryManyPairs, count + std::min(stratum.count, kVeryManyPairs - count));
  }
  return count;
}

std::vector<SentencePair> toy_pairs(ToyTask task, const ToyOptions& given, long pairs, std::uint64_t seed) {
  const ToyOptions options = checked(task, given);
  const long possible = toy_sources(task, options);
  if (pairs < 0 || pairs > possible) {
    throw Error("task " + toy_task_name(task),
                std::to_string(pairs) + " pairs were asked for, but there are " + std::to_string(possible) +
                    " different sources; ask for fewer, or for a greater length");
  }

  // Draw a length that still has new sources, then a source of it that was not seen.
  Random random(seed);
  std::vector<Stratum> strata = strata_of(task, options);
  std::unordered_set<std::string> seen;
  std::vector<SentencePair> result;
  result.reserve(static_cast<std::size_t>(pairs));
  while (static_cast<long>(result.size()) < pairs) {
    const std::size_t pick = static_cast<std::size_t>(random.below(static_cast<int>(strata.size())));
    std::string source = source_of(task, options, strata[pick], random);
    while (!seen.insert(source).second) source = source_of(task, options, strata[pick], random);
    if (--strata[pick].count == 0) strata.erase(strata.begin() + static_cast<std::ptrdiff_t>(pick));
    std::string target = toy_answer(task, source);
    result.push_back({std::move(source), std::move(target)});
  }
  return result;
}

std::string toy_answer(ToyTask task, const std::string& source) {
  if (task == ToyTask::add) return sum_of(source);
  if (task == ToyTask::dates) return iso_date(source);
  if (task == ToyTask::recall) return recall_answer(source);
  std::vector<std::string> words = split_words(source);
  if (task == ToyTask::reverse) std::reverse(words.begin(), words.end());
  if (task == ToyTask::sort) std::sort(words.begin(), words.end());
  return joined(words);
}

namespace {

using Words = std::array<std::string_view, 8>;
constexpr Words kPeople = {"alice", "bob", "carol", "david", "emma", "frank", "grace", "henry"};
constexpr Words kFruits = {"banana", "cherry", "grape", "lemon", "mango", "melon", "peach", "plum"};
constexpr Words kVerbs = {"dances", "laughs", "reads", "runs", "sings", "sleeps", "waits", "walks"};
constexpr long kVeryMany = 1'000'000'000'000'000'000;

std::string one_of(const Words& words, Random& random) {
  return std::string(words[static_cast<std::size_t>(random.below(static_cast<int>(words.size())))]);
}

bool is_one_of(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

long recall_sources(int between) {
  constexpr long kOfOne = static_cast<long>(kPeople.size() * kFruits.size());
  long count = kOfOne;
  for (int i = 0; i < between; ++i) count = count > kVeryMany / kOfOne ? kVeryMany : count * kOfOne;
  return count;
}

std::string recall_source(int between, Random& random) {
  std::string text = one_of(kPeople, random) + " carries a ";
  text += one_of(kFruits, random) + " . ";
  for (int i = 0; i < between; ++i) {
    text += one_of(kPeople, random) + " ";
    text += one_of(kVerbs, random) + " . ";
  }
  return text + "fruit ?";
}

std::string recall_answer(const std::string& source) {
  const std::vector<std::string> words = split_words(source);
  const auto count = static_cast<int>(words.size());
  if (count < recall_words(0) || (count - recall_words(0)) % 3 != 0) return "";
  const bool said = is_one_of(kPeople, words[0]) && words[1] == "carries" && words[2] == "a" &&
                    is_one_of(kFruits, words[3]) && words[4] == ".";
  const bool asked = words[words.size() - 2] == "fruit" && words.back() == "?";
  if (!said || !asked) return "";
  for (std::size_t i = 5; i + 2 < words.size(); i += 3)
    if (!is_one_of(kPeople, words[i]) || !is_one_of(kVerbs, words[i + 1]) || words[i + 2] != ".") return "";
  return words[3];
}

}  // namespace glassformer
