// From the text of an expression to its parts.
#include <array>
#include <charconv>
#include <utility>

#include "app/lessons/expression.h"

namespace glassformer {

namespace {

using Node = Expression::Node;
using Part = std::shared_ptr<const Node>;

constexpr int kDeepest = 60;  // brackets within brackets
constexpr std::size_t kLongest = 2000;
constexpr std::array<std::string_view, 8> kBefore = {"at",    "gradient", "update", "untouched",
                                                     "other", "greedy",   "run",    "study"};

bool is_space(char c) {
  return c == ' ' || c == '\t';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Part whole() {
    if (text_.size() > kLongest)
      throw Mismatch("an expression of at most " + std::to_string(kLongest) + " characters",
                     std::to_string(text_.size()));
    Part all = comparison();
    if (!at_end()) throw Mismatch("an operator or the end of the expression", rest());
    return all;
  }

 private:
  void skip() {
    while (next_ < text_.size() && is_space(text_[next_])) ++next_;
  }
  bool at_end() {
    skip();
    return next_ == text_.size();
  }
  bool accept(char c) {
    skip();
    if (next_ == text_.size() || text_[next_] != c) return false;
    ++next_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw Mismatch(std::string("“") + c + "”", rest());
  }
  std::string rest() {
    skip();
    return next_ == text_.size() ? "the end of the expression" : "“" + std::string(text_.substr(next_)) + "”";
  }

  Part operation(char sign, Part left, Part right) {
    return std::make_shared<Node>(Node{.kind = Node::Kind::operation,
                                       .text = {sign},
                                       .before = {},
                                       .parts = {std::move(left), std::move(right)}});
  }

  Part comparison() {
    Part left = sum();
    for (const char sign : {'=', '<', '>'}) {
      if (accept(sign)) return operation(sign, std::move(left), sum());
    }
    return left;
  }
  Part sum() {
    Part left = product();
    while (true) {
      if (accept('+'))
        left = operation('+', std::move(left), product());
      else if (accept('-'))
        left = operation('-', std::move(left), product());
      else
        return left;
    }
  }
  Part product() {
    Part left = signed_part();
    while (true) {
      if (accept('*'))
        left = operation('*', std::move(left), signed_part());
      else if (accept('/'))
        left = operation('/', std::move(left), signed_part());
      else
        return left;
    }
  }
  Part power() {
    Part base = with_indices(smallest());
    return accept('^') ? operation('^', std::move(base), signed_part()) : base;
  }
  // -2 ^ 2 is -4.
  Part signed_part() {
    const Deeper deeper(*this);
    if (!accept('-')) return power();
    return std::make_shared<Node>(
        Node{.kind = Node::Kind::negative, .text = {}, .before = {}, .parts = {signed_part()}});
  }
  Part with_indices(Part table) {
    while (accept('[')) {
      Node entry{.kind = Node::Kind::entry, .text = {}, .before = {}, .parts = {std::move(table)}};
      do entry.parts.push_back(index());
      while (accept(','));
      expect(']');
      table = std::make_shared<Node>(std::move(entry));
    }
    return table;
  }
  Part index() {
    if (accept(':'))
      return std::make_shared<Node>(Node{.kind = Node::Kind::all, .text = {}, .before = {}, .parts = {}});
    return comparison();
  }

  Part smallest() {
    skip();
    if (next_ == text_.size()) throw Mismatch("a number, a word or a name", rest());
    if (accept('(')) {
      Part inside = comparison();
      expect(')');
      return inside;
    }
    const char c = text_[next_];
    if (c == '"') return word();
    if (is_digit(c) || c == '.') return number();
    if (begins_name(c)) return name();
    throw Mismatch("a number, a word or a name", rest());
  }
  Part number() {
    Node node{.kind = Node::Kind::number, .text = {}, .before = {}, .parts = {}};
    const char* const end = text_.data() + text_.size();
    const auto [behind, failed] = std::from_chars(text_.data() + next_, end, node.number);
    if (failed != std::errc()) throw Mismatch("a number", rest());
    next_ = static_cast<std::size_t>(behind - text_.data());
    return std::make_shared<Node>(std::move(node));
  }
  Part word() {
    const std::size_t end = text_.find('"', next_ + 1);
    if (end == std::string_view::npos) throw Mismatch("a closing quotation mark", rest());
    Node node{.kind = Node::Kind::word,
              .text = std::string(text_.substr(next_ + 1, end - next_ - 1)),
              .before = {},
              .parts = {}};
    next_ = end + 1;
    if (next_ < text_.size() && text_[next_] == '#') {
      ++next_;
      const char* const last = text_.data() + text_.size();
      const auto [behind, failed] = std::from_chars(text_.data() + next_, last, node.which);
      if (failed != std::errc() || node.which < 1)
        throw Mismatch("a whole number from 1 on behind “#”", rest());
      next_ = static_cast<std::size_t>(behind - text_.data());
    }
    return std::make_shared<Node>(std::move(node));
  }
  // Of a study, as its settings are named: "smoothing.bleu.smoothing-0.1.mean".
  std::string identifier(bool of_study = false) {
    const std::size_t start = next_;
    const auto goes_on = [&](char c) {
      return begins_name(c) || is_digit(c) || c == '.' ||
             (of_study && (c == '-' || static_cast<unsigned char>(c) >= 0x80));
    };
    while (next_ < text_.size() && goes_on(text_[next_])) ++next_;
    return std::string(text_.substr(start, next_ - start));
  }
  Part name() {
    Node node{.kind = Node::Kind::name, .text = identifier(), .before = {}, .parts = {}};
    if (accept('(')) {
      node.kind = Node::Kind::call;
      do node.parts.push_back(comparison());
      while (accept(','));
      expect(')');
      return std::make_shared<Node>(std::move(node));
    }
    for (const std::string_view each : kBefore) {
      if (node.text != each || next_ == text_.size() || !begins_name(text_[next_])) continue;
      node.before = std::exchange(node.text, identifier(each == "study"));
      break;
    }
    return std::make_shared<Node>(std::move(node));
  }

  struct Deeper {
    explicit Deeper(Reader& reader) : depth(reader.depth_) {
      if (++depth > kDeepest)
        throw Mismatch("at most " + std::to_string(kDeepest) + " brackets within each other", "more");
    }
    ~Deeper() { --depth; }
    int& depth;
  };

  std::string_view text_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

}  // namespace

Expression Expression::read(std::string_view text) {
  return Expression(Reader(text).whole());
}

}  // namespace glassformer
