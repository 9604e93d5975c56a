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

std::string same_words(const std::string& source) {
  return joined(split_words(source));
}

std::string reversed_words(const std::string& source) {
  std::vector<std::string> words = split_words(source);
  std::ranges::reverse(words);
  return joined(words);
}

std::string sorted_words(const std::string& source) {
  std::vector<std::string> words = split_words(source);
  std::ranges::sort(words);
  return joined(words);
}

// One for each length up to L.
std::vector<Stratum> one_a_length(int symbols, int length) {
  std::vector<Stratum> strata;
  for (int n = 1; n <= length; ++n) strata.push_back({n, 0, power(symbols, n)});
  return strata;
}

std::vector<Stratum> letter_strata(const ToyOptions& options) {
  return one_a_length(options.symbols, options.length);
}

std::vector<Stratum> sum_strata(const ToyOptions& options) {
  const auto numbers = [](int digits) { return digits == 1 ? 10 : 9 * power(10, digits - 1); };
  std::vector<Stratum> strata;
  for (int a = 1; a <= options.length; ++a)
    for (int b = 1; b <= options.length; ++b)
      strata.push_back({a, b, saturated_product(numbers(a), numbers(b))});
  return strata;
}

std::vector<Stratum> date_strata(const ToyOptions&) {
  std::vector<Stratum> strata;
  for (int form = 0; form < kDateForms; ++form) strata.push_back({form, 0, kDays});
  return strata;
}

std::vector<Stratum> recall_strata(const ToyOptions& options) {
  std::vector<Stratum> strata;
  for (int between = 0; between <= options.length; ++between)
    strata.push_back({between, 0, recall_sources(between)});
  return strata;
}

std::vector<Stratum> symbol_strata(const ToyOptions& options) {
  return one_a_length(kTenSymbols, options.length);
}

// So many signs apart, of `count` from `first` on.
std::string signs(int length, char first, int count, Random& random) {
  std::string text;
  for (int i = 0; i < length; ++i) {
    if (i > 0) text += ' ';
    text += static_cast<char>(first + random.below(count));
  }
  return text;
}

std::string letter_source(const ToyOptions& options, const Stratum& stratum, Random& random) {
  return signs(stratum.first, 'a', options.symbols, random);
}

std::string sum(const ToyOptions&, const Stratum& stratum, Random& random) {
  const std::string left = number(random, stratum.first);
  return left + "+" + number(random, stratum.second);
}

// All that the program knows of a task: a new one is a row here and a name in ToyTask.
struct TaskRow {
  const char* name;
  TokenizerKind tokenizer = TokenizerKind::word;
  int usual_length = 12;
  int most_length = kMostLength;  // 0: a length has no meaning
  bool letters = true;            // N of them
  std::vector<Stratum> (*strata)(const ToyOptions& options) = letter_strata;
  std::string (*source)(const ToyOptions& options, const Stratum& stratum, Random& random) = letter_source;
  std::string (*answer)(const std::string& source);
};

// In the order of ToyTask.
constexpr std::array kTasks = {
    TaskRow{.name = "copy", .answer = same_words},
    TaskRow{.name = "reverse", .answer = reversed_words},
    TaskRow{.name = "sort", .answer = sorted_words},
    TaskRow{.name = "add",
            .tokenizer = TokenizerKind::character,
            .usual_length = 3,
            .most_length = kMostDigits,
            .letters = false,
            .strata = sum_strata,
            .source = sum,
            .answer = sum_of},
    TaskRow{.name = "dates",
            .tokenizer = TokenizerKind::character,
            .usual_length = 8,
            .most_length = 0,
            .letters = false,
            .strata = date_strata,
            .source = [](const ToyOptions&, const Stratum& stratum,
                         Random& random) { return date(stratum.first, random.below(kDays)); },
            .answer = iso_date},
    TaskRow{.name = "recall",
            .usual_length = 8,
            .most_length = kMostBetween,
            .letters = false,
            .strata = recall_strata,
            .source = [](const ToyOptions&, const Stratum& stratum,
                         Random& random) { return recall_source(stratum.first, random); },
            .answer = recall_answer},
    TaskRow{.name = "symbols",
            .usual_length = 8,
            .letters = false,
            .strata = symbol_strata,
            .source = [](const ToyOptions&, const Stratum& stratum,
                         Random& random) { return signs(stratum.first, '0', kTenSymbols, random); },
            .answer = same_words}};

static_assert(kTasks.size() == static_cast<std::size_t>(ToyTask::symbols) + 1);

const TaskRow& row_of(ToyTask task) {
  return kTasks[static_cast<std::size_t>(task)];
}

// Fills in the default length and checks the range.
ToyOptions checked(ToyTask task, ToyOptions options) {
  const TaskRow& row = row_of(task);
  const std::string where = std::string("task ") + row.name;
  if (options.length == 0) options.length = row.usual_length;
  if (row.most_length > 0 && (options.length < 1 || options.length > row.most_length)) {
    throw Error(where, "the length must be 1 to " + std::to_string(row.most_length) + ", found " +
                           std::to_string(options.length));
  }
  if (row.letters && (options.symbols < 1 || options.symbols > kMostToyLetters)) {
    throw Error(where, "the number of symbols must be 1 to " + std::to_string(kMostToyLetters) + ", found " +
                           std::to_string(options.symbols));
  }
  return options;
}

}  // namespace

std::vector<ToyTask> toy_tasks() {
  std::vector<ToyTask> all;
  for (std::size_t i = 0; i < kTasks.size(); ++i) all.push_back(static_cast<ToyTask>(i));
  return all;
}

std::string toy_task_names() {
  const std::vector<ToyTask> all = toy_tasks();
  std::string names;
  for (std::size_t i = 0; i < all.size(); ++i)
    names += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + toy_task_name(all[i]);
  return names;
}

std::string toy_task_name(ToyTask task) {
  return row_of(task).name;
}

ToyTask toy_task(const std::string& name) {
  for (const ToyTask task : toy_tasks()) {
    if (toy_task_name(task) == name) return task;
  }
  throw Error("task", "unknown task " + shown(name) + "; expected " + toy_task_names());
}

TokenizerKind toy_tokenizer(ToyTask task) {
  return row_of(task).tokenizer;
}

long toy_sources(ToyTask task, const ToyOptions& options) {
  long count = 0;
  for (const Stratum& stratum : row_of(task).strata(checked(task, options))) {
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

  const TaskRow& row = row_of(task);
  // Draw a length that still has new sources, then a source of it that was not seen.
  Random random(seed);
  std::vector<Stratum> strata = row.strata(options);
  std::unordered_set<std::string> seen;
  std::vector<SentencePair> result;
  result.reserve(static_cast<std::size_t>(pairs));
  while (static_cast<long>(result.size()) < pairs) {
    const std::size_t pick = static_cast<std::size_t>(random.below(static_cast<int>(strata.size())));
    std::string source = row.source(options, strata[pick], random);
    while (!seen.insert(source).second) source = row.source(options, strata[pick], random);
    if (--strata[pick].count == 0) strata.erase(strata.begin() + static_cast<std::ptrdiff_t>(pick));
    std::string target = row.answer(source);
    result.push_back({std::move(source), std::move(target)});
  }
  return result;
}

std::string toy_answer(ToyTask task, const std::string& source) {
  return row_of(task).answer(source);
}

namespace {

using Words = std::array<std::string_view, 8>;
constexpr Words kPeople = {"alice", "bob", "carol", "david", "emma", "frank", "grace", "henry"};
constexpr Words kFruits = {"banana", "cherry", "grape", "lemon", "mango", "melon", "peach", "plum"};
constexpr Words kVerbs = {"dances", "laughs", "reads", "runs", "sings", "sleeps", "waits", "walks"};

std::string one_of(const Words& words, Random& random) {
  return std::string(words[static_cast<std::size_t>(random.below(static_cast<int>(words.size())))]);
}

bool is_one_of(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

long recall_sources(int between) {
  constexpr long kOfOne = static_cast<long>(kPeople.size() * kFruits.size());
  return power(kOfOne, between + 1);
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
