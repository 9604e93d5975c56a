#include "app/lessons/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace glassformer {

namespace {

using Node = Expression::Node;

const Value& as_numbers(const Value& value, const std::string& what) {
  if (value.is_words()) throw Mismatch("numbers for " + what, value.is_one() ? kind_of(value) : "words");
  return value;
}

// A word that was found where the other side is a word: "voit" = argmax(...).
Value as_word(const Value& value) {
  if (!value.place || value.place->axis.words.empty()) return value;
  return one_word(value.place->axis.words[value.place->at]);
}

// Entry by entry; one entry goes with all of the other side.
template <class Entry, class Combine>
std::vector<double> combined(const std::vector<Entry>& left, const std::vector<Entry>& right,
                             const Combine& combine) {
  if (left.empty() || right.empty()) return {};
  std::vector<double> result(std::max(left.size(), right.size()));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = combine(left[left.size() == 1 ? 0 : i], right[right.size() == 1 ? 0 : i]);
  return result;
}

double applied(char sign, double a, double b) {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '^':
      return std::pow(a, b);
    case '<':
      return a < b ? 1 : 0;
    case '>':
      return a > b ? 1 : 0;
    default:
      return a == b ? 1 : 0;
  }
}

Value operated(char sign, Value left, Value right) {
  if (left.is_words() != right.is_words()) left = as_word(left), right = as_word(right);
  if (left.is_words() != right.is_words())
    throw Mismatch("words or numbers on both sides of “" + std::string(1, sign) + "”",
                   kind_of(left) + " and " + kind_of(right));
  if (left.is_words() && sign != '=') throw Mismatch("numbers for “" + std::string(1, sign) + "”", "words");
  const bool same = left.shape == right.shape;
  if (!same && !left.is_one() && !right.is_one()) {
    if (sign == '=') return one_number(0);  // texts of other lengths are not the same
    throw Mismatch("two of one size for “" + std::string(1, sign) + "”",
                   kind_of(left) + " and " + kind_of(right));
  }
  const Value& larger = left.is_one() ? right : left;
  Value result{.shape = larger.shape, .axes = larger.axes, .numbers = {}, .words = {}};
  if (left.is_words()) {
    result.numbers =
        combined(left.words, right.words, [](const auto& a, const auto& b) { return a == b ? 1.0 : 0.0; });
  } else {
    result.numbers =
        combined(left.numbers, right.numbers, [&](double a, double b) { return applied(sign, a, b); });
  }
  return result;
}

// What an axis is called in an error.
std::string axis_name(const Value& table, std::size_t axis) {
  if (axis + 1 == table.shape.size()) return table.shape.size() == 1 ? "row" : "columns";
  return axis + 2 == table.shape.size() ? "rows" : "tables";
}

// Some axes of a table at fixed entries, the others whole.
Value entries(const Value& table, const std::vector<std::optional<std::size_t>>& fixed) {
  Value result;
  result.of_words = table.of_words;
  for (std::size_t axis = 0; axis < fixed.size(); ++axis) {
    if (fixed[axis]) continue;
    result.shape.push_back(table.shape[axis]);
    result.axes.push_back(table.axes[axis]);
  }
  for (std::size_t at = 0; at < table.size(); ++at) {
    std::size_t rest = at;
    bool wanted = true;
    for (std::size_t axis = fixed.size(); axis-- > 0;) {
      const auto length = static_cast<std::size_t>(table.shape[axis]);
      wanted = wanted && (!fixed[axis] || *fixed[axis] == rest % length);
      rest /= length;
    }
    if (!wanted) continue;
    if (table.is_words())
      result.words.push_back(table.words[at]);
    else
      result.numbers.push_back(table.numbers[at]);
  }
  return result;
}

class Evaluator {
 public:
  explicit Evaluator(const NameValues& names) : names_(names) {}

  Value of(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number:
        return one_number(node.number);
      case Node::Kind::word:
        return one_word(node.text);
      case Node::Kind::name:
        return names_(node.before, node.text);
      case Node::Kind::all:
        throw Mismatch("a value", "“:”");
      case Node::Kind::negative:
        return operated('-', one_number(0), as_numbers(of(*node.parts[0]), "“-”"));
      case Node::Kind::operation:
        return operated(node.text[0], of(*node.parts[0]), of(*node.parts[1]));
      case Node::Kind::call:
        return called(node);
      case Node::Kind::entry:
        return entry(node);
    }
    return {};
  }

 private:
  Value entry(const Node& node) const {
    const Value table = of(*node.parts[0]);
    const std::size_t count = node.parts.size() - 1;
    if (count != table.shape.size())
      throw Mismatch(
          std::to_string(table.shape.size()) + " numbers or words in brackets for " + kind_of(table),
          std::to_string(count));
    std::vector<std::optional<std::size_t>> fixed(count);
    for (std::size_t axis = 0; axis < count; ++axis) {
      const Node& index = *node.parts[axis + 1];
      if (index.kind == Node::Kind::all) continue;
      fixed[axis] =
          entry_of(of(index), table.axes[axis], table.shape[axis], axis_name(table, axis), index.which);
    }
    return entries(table, fixed);
  }

  Value called(const Node& node) const {
    const std::string& name = node.text;
    if (name == "if") return chosen(node);
    if (node.parts.size() != 1) throw Mismatch("one argument for " + name, std::to_string(node.parts.size()));
    const Value argument = of(*node.parts[0]);
    if (name == "count") return one_number(counted(argument));
    if (name == "rows" || name == "columns") return one_number(measured(argument, name == "rows"));
    as_numbers(argument, name);
    if (name == "argmax" || name == "argmin") return found(argument, name);
    if (const auto entry_wise = each(argument, name)) return *entry_wise;
    return one_number(of_all(argument, name));
  }

  Value chosen(const Node& node) const {
    if (node.parts.size() != 3) throw Mismatch("three arguments for if", std::to_string(node.parts.size()));
    const Value condition = of(*node.parts[0]);
    as_numbers(condition, "the condition of if");
    const bool holds = std::ranges::all_of(condition.numbers, [](double each) { return each != 0; });
    return of(*node.parts[holds ? 1 : 2]);
  }

  // Words there are; of numbers, those that are not 0.
  static double counted(const Value& value) {
    if (value.is_words()) return static_cast<double>(value.words.size());
    return static_cast<double>(std::ranges::count_if(value.numbers, [](double each) { return each != 0; }));
  }

  static double measured(const Value& value, bool rows) {
    if (value.shape.size() < 2) throw Mismatch("a table for rows and columns", kind_of(value));
    return value.shape[value.shape.size() - (rows ? 2 : 1)];
  }

  static Value found(const Value& row, const std::string& name) {
    if (row.shape.size() != 1 || row.numbers.empty()) throw Mismatch("one row for " + name, kind_of(row));
    const auto at =
        name == "argmax" ? std::ranges::max_element(row.numbers) : std::ranges::min_element(row.numbers);
    return found_at(static_cast<std::size_t>(at - row.numbers.begin()), row);
  }

  static std::optional<Value> each(const Value& value, const std::string& name) {
    double (*function)(double) = nullptr;
    if (name == "abs") function = [](double x) { return std::abs(x); };
    if (name == "sqrt") function = [](double x) { return std::sqrt(x); };
    if (name == "exp") function = [](double x) { return std::exp(x); };
    if (name == "log") function = [](double x) { return std::log(x); };
    if (!function) return std::nullopt;
    Value result{.shape = value.shape, .axes = value.axes, .numbers = value.numbers, .words = {}};
    std::ranges::transform(result.numbers, result.numbers.begin(), function);
    return result;
  }

  static double of_all(const Value& value, const std::string& name) {
    const std::vector<double>& all = value.numbers;
    if (all.empty()) throw Mismatch("at least one number for " + name, "none");
    const double sum = std::accumulate(all.begin(), all.end(), 0.0);
    const double mean = sum / static_cast<double>(all.size());
    if (name == "sum") return sum;
    if (name == "mean") return mean;
    if (name == "max") return *std::ranges::max_element(all);
    if (name == "min") return *std::ranges::min_element(all);
    if (name == "deviation") {
      double squares = 0;
      for (const double each : all) squares += (each - mean) * (each - mean);
      return std::sqrt(squares / static_cast<double>(all.size()));
    }
    throw Mismatch(
        "sum, mean, max, min, argmax, argmin, count, rows, columns, abs, sqrt, exp, log, deviation or if",
        "“" + name + "”");
  }

  const NameValues& names_;
};

}  // namespace

Value Expression::value(const NameValues& names) const {
  return Evaluator(names).of(*root_);
}

namespace {

using Term = Expression::Node;

constexpr double kEndless = std::numeric_limits<double>::infinity();

ValueRange truth(bool possible, bool certain) {
  return {certain ? 1.0 : 0.0, possible ? 1.0 : 0.0};
}

// The least and the largest of a sign's results at the ends; what is undefined there allows all.
template <class Combine>
ValueRange at_ends(const ValueRange& a, const ValueRange& b, const Combine& combine) {
  const std::array ends{combine(a.low, b.low), combine(a.low, b.high), combine(a.high, b.low),
                        combine(a.high, b.high)};
  if (std::ranges::any_of(ends, [](double each) { return std::isnan(each); })) return {};
  return {std::ranges::min(ends), std::ranges::max(ends)};
}

ValueRange of_sign(char sign, const ValueRange& a, const ValueRange& b) {
  const bool below = a.high<b.low, above = a.low> b.high;
  switch (sign) {
    case '+':
      return at_ends(a, b, [](double x, double y) { return x + y; });
    case '-':
      return at_ends(a, b, [](double x, double y) { return x - y; });
    case '*':
      return at_ends(a, b, [](double x, double y) { return x * y; });
    case '/':
      return b.low <= 0 && b.high >= 0 ? ValueRange{}
                                       : at_ends(a, b, [](double x, double y) { return x / y; });
    case '^':
      return a.low >= 0 ? ValueRange{0, kEndless} : ValueRange{};
    case '<':
      return truth(a.low < b.high, below);
    case '>':
      return truth(a.high > b.low, above);
    default:
      return truth(!below && !above, a.low == a.high && b.low == b.high && a.low == b.low);
  }
}

class Ranging {
 public:
  explicit Ranging(const NameRanges& names) : names_(names) {}

  ValueRange of(const Term& term) const {
    switch (term.kind) {
      case Term::Kind::number:
        return {term.number, term.number};
      case Term::Kind::name:
        return names_.numbers(term.before, term.text);
      case Term::Kind::entry:
        return of(*term.parts.front());
      case Term::Kind::negative: {
        const ValueRange inner = of(*term.parts.front());
        return {-inner.high, -inner.low};
      }
      case Term::Kind::operation:
        return operation(term);
      case Term::Kind::call:
        return call(term);
      case Term::Kind::word:
      case Term::Kind::all:
        break;
    }
    return {};
  }

 private:
  ValueRange operation(const Term& term) const {
    const Term &left = *term.parts[0], &right = *term.parts[1];
    const bool left_word = left.kind == Term::Kind::word, right_word = right.kind == Term::Kind::word;
    if (left_word && right_word) return truth(left.text == right.text, left.text == right.text);
    if (left_word || right_word)
      return truth(may_be(left_word ? right : left, left_word ? left : right), false);
    return of_sign(term.text.front(), of(left), of(right));
  }

  bool may_be(const Term& term, const Term& word) const {
    if (term.kind == Term::Kind::entry) return may_be(*term.parts.front(), word);
    return term.kind != Term::Kind::name || names_.words(term.text, word.text);
  }

  ValueRange call(const Term& term) const {
    const std::string& name = term.text;
    if (name == "if" && term.parts.size() == 3) {
      const ValueRange condition = of(*term.parts[0]), then = of(*term.parts[1]), other = of(*term.parts[2]);
      if (condition.low == 0 && condition.high == 0) return other;
      if (condition.low > 0 || condition.high < 0) return then;
      return {std::min(then.low, other.low), std::max(then.high, other.high)};
    }
    const ValueRange inner = term.parts.empty() ? ValueRange{} : of(*term.parts.front());
    if (name == "mean" || name == "max" || name == "min") return inner;
    if (name == "sum") return {inner.low >= 0 ? 0 : -kEndless, inner.high <= 0 ? 0 : kEndless};
    if (name == "abs") return {std::max({0.0, inner.low, -inner.high}), std::max(-inner.low, inner.high)};
    if (name == "exp") return {std::exp(inner.low), std::exp(inner.high)};
    if (name == "log") return {-kEndless, inner.high > 0 ? std::log(inner.high) : kEndless};
    const std::vector<double> axes = lengths(term.parts.empty() ? term : *term.parts.front());
    if (name == "count" && !axes.empty())
      return {0, std::accumulate(axes.begin(), axes.end(), 1.0, std::multiplies<>())};
    if (name == "argmax" || name == "argmin") return {0, axes.size() == 1 ? axes.front() - 1 : kEndless};
    if ((name == "rows" || name == "columns") && axes.size() > 1)
      return {0, axes[axes.size() - (name == "rows" ? 2 : 1)]};
    return {0, kEndless};  // sqrt, deviation, and what has no known length
  }

  std::vector<double> lengths(const Term& table) const {
    if (table.kind == Term::Kind::name) return names_.lengths(table.text);
    if (table.kind != Term::Kind::entry) return {};
    const std::vector<double> all = lengths(*table.parts.front());
    std::vector<double> left;
    for (std::size_t axis = 0; axis < all.size() && axis + 1 < table.parts.size(); ++axis)
      if (table.parts[axis + 1]->kind == Term::Kind::all) left.push_back(all[axis]);
    return left;
  }

  const NameRanges& names_;
};

}  // namespace

bool can_hold(const Expression& condition, const NameRanges& names) {
  const ValueRange range = Ranging(names).of(condition.root());
  return range.low != 0 || range.high != 0;
}

}  // namespace glassformer
