// A source of the project as a list of words, literals and signs, for tests that read it.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

struct SourceToken {
  enum Kind { word, literal, sign } kind = sign;
  std::string text;  // of a literal: what is between its quotes
  int line = 0;
};

// Comments and includes are left out; adjacent literals are one, as they are for the compiler.
class SourceReader {
 public:
  explicit SourceReader(std::string text) : text_(std::move(text)) {}

  std::vector<SourceToken> tokens() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  void step() {
    const char c = text_[at_];
    const std::string_view rest = std::string_view(text_).substr(at_);
    if (rest.starts_with("//") || rest.starts_with("#include")) return skip(text_.find('\n', at_));
    if (rest.starts_with("/*")) return skip(text_.find("*/", at_) + 2);
    if (c == '"' || (c == '\'' && !in_number())) return literal(c);
    if (is_word(c)) return word();
    if (!std::isspace(static_cast<unsigned char>(c))) {
      const std::string two(rest.substr(0, 2));
      const bool pair = two == "==" || two == "!=" || two == "+=";
      tokens_.push_back({SourceToken::sign, pair ? two : std::string(1, c), line_});
      if (pair) ++at_;
    }
    skip(at_ + 1);
  }
  void skip(std::size_t to) {
    to = std::min(to, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + long(at_), text_.begin() + long(to), '\n'));
    at_ = to;
  }
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  bool in_number() const { return at_ > 0 && std::isdigit(static_cast<unsigned char>(text_[at_ - 1])); }
  void word() {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    tokens_.push_back({SourceToken::word, text_.substr(at_, end - at_), line_});
    at_ = end;
  }
  void literal(char quote) {
    std::string inside;
    std::size_t end = at_ + 1;
    for (; end < text_.size() && text_[end] != quote; ++end) {
      if (text_[end] == '\\') ++end;
      inside += text_[end];
    }
    if (!tokens_.empty() && tokens_.back().kind == SourceToken::literal)
      tokens_.back().text += inside;
    else
      tokens_.push_back({SourceToken::literal, inside, line_});
    skip(end + 1);
  }

  std::string text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<SourceToken> tokens_;
};
