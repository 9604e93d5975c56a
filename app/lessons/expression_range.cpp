#include "app/lessons/expression_range.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/lessons/expression_node.h"

namespace glassformer {

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
    return {0, kEndless};  // count, rows, columns, argmax, argmin, sqrt, deviation
  }

  const NameRanges& names_;
};

}  // namespace

bool can_hold(const Expression& condition, const NameRanges& names) {
  const ValueRange range = Ranging(names).of(condition.root());
  return range.low != 0 || range.high != 0;
}

}  // namespace glassformer
