#include "engine/model/what_if/change_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "engine/math/error.h"
#include "engine/math/typed_number.h"

namespace glassformer {

namespace {

constexpr const char* kWhere = "what-if";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// The words of each change. A comma inside of quotes or brackets does not part two.
std::vector<std::vector<ChangeReader::Token>> changes_in(std::string_view text) {
  std::vector<std::vector<ChangeReader::Token>> changes(1);
  int brackets = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (is_blank(text[i])) {
      ++i;
    } else if ((text[i] == ',' || text[i] == ';') && brackets == 0) {
      changes.emplace_back();
      ++i;
    } else {
      ChangeReader::Token token;
      if (text[i] == '"') {
        const std::size_t end = text.find('"', i + 1);
        if (end == std::string_view::npos)
          throw Error(kWhere, "expected a second quotation mark after " + std::string(text.substr(i)));
        token.text = text.substr(i + 1, end - i - 1);
        token.quoted = true;
        i = end + 1;
      } else {
        const std::size_t begin = i;
        for (; i < text.size() && !is_blank(text[i]) && text[i] != '#'; ++i) {
          if (text[i] == '[') ++brackets;
          if (text[i] == ']') brackets = std::max(0, brackets - 1);
          if ((text[i] == ',' || text[i] == ';') && brackets == 0) break;
        }
        if (i == begin) ++i;  // a '#' alone
        token.text = text.substr(begin, i - begin);
      }
      if (i + 1 < text.size() && text[i] == '#') {
        const auto [end, failed] =
            std::from_chars(text.data() + i + 1, text.data() + text.size(), token.number);
        if (failed != std::errc() || token.number < 1)
          throw Error(kWhere, "expected a number from 1 on after “" + token.text + "#”");
        i = static_cast<std::size_t>(end - text.data());
      }
      changes.back().push_back(std::move(token));
    }
  }
  return changes;
}

Change read_change(std::vector<ChangeReader::Token> tokens, const ChangeWords& words) {
  ChangeReader reader(std::move(tokens), words);
  for (const ChangeTraits& traits : change_kinds()) {
    if (!reader.accept(traits.begins)) continue;
    Change change;
    change.kind = traits.kind;
    traits.read(reader, change);
    if (!reader.at_end()) reader.refuse("the end of the change");
    return change;
  }
  std::string kinds;
  for (const ChangeTraits& traits : change_kinds())
    kinds += (kinds.empty() ? "" : ", ") + std::string(traits.begins);
  reader.refuse("one of " + kinds);
}

}  // namespace

WhatIf read_what_if(std::string_view text, const ChangeWords& words) {
  WhatIf what_if;
  for (std::vector<ChangeReader::Token>& tokens : changes_in(text)) {
    if (tokens.empty()) continue;
    if (tokens.size() == 1 && tokens.front().text == "none" && !tokens.front().quoted) continue;
    const Change change = read_change(std::move(tokens), words);
    if (std::ranges::find(what_if.changes, change) == what_if.changes.end()) what_if.toggle(change);
  }
  return what_if;
}

std::string text_of(const Change& change, const ChangeWords& words) {
  const ChangeTraits& traits = traits_of(change.kind);
  return std::string(traits.begins) + traits.write(change, words);
}

std::string text_of(const WhatIf& what_if, const ChangeWords& words) {
  std::string text;
  for (const Change& change : what_if.changes) text += (text.empty() ? "" : ", ") + text_of(change, words);
  return text.empty() ? "none" : text;
}

void ChangeReader::refuse(const std::string& expected) const {
  std::string change;
  for (const Token& token : tokens_)
    change += (change.empty() ? "" : " ") + (token.quoted ? '"' + token.text + '"' : token.text);
  throw Error(kWhere, "“" + change + "”: expected " + expected + ", found " +
                          (at_end() ? "the end" : "“" + tokens_[next_].text + "”"));
}

bool ChangeReader::accept(std::string_view words) {
  std::size_t next = next_;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (next == tokens_.size() || tokens_[next].quoted || tokens_[next].text != words.substr(0, end))
      return false;
    ++next;
    words.remove_prefix(std::min(words.size(), end + 1));
  }
  next_ = next;
  return true;
}

bool ChangeReader::number_is_next() const {
  return !at_end() && !tokens_[next_].quoted && typed_number(tokens_[next_].text).has_value();
}

void ChangeReader::expect(std::string_view word) {
  if (!accept(word)) refuse("“" + std::string(word) + "”");
}

AttentionKind ChangeReader::attention() {
  if (accept("encoder")) return AttentionKind::encoder;
  if (accept("decoder")) return AttentionKind::decoder;
  if (accept("cross")) return AttentionKind::cross;
  refuse("encoder, decoder or cross");
}

bool ChangeReader::encoder() {
  if (accept("encoder")) return true;
  if (accept("decoder")) return false;
  refuse("encoder or decoder");
}

ChangeReader::Token ChangeReader::word(const char* what) {
  if (at_end()) refuse(what);
  return tokens_[next_++];
}

double ChangeReader::number(const char* what) {
  const std::optional<double> read = at_end() ? std::nullopt : typed_number(tokens_[next_].text);
  if (!read) refuse(what);
  ++next_;
  return *read;
}

int ChangeReader::whole(const char* what) {
  const std::optional<std::int64_t> read = at_end() ? std::nullopt : typed_whole(tokens_[next_].text);
  if (!read || *read < -1'000'000 || *read > 1'000'000) refuse(what);
  ++next_;
  return static_cast<int>(*read);
}

int ChangeReader::layer() {
  const int read = whole("a layer, from 1");
  if (read < 1) --next_, refuse("a layer, from 1");
  return read - 1;
}

void ChangeReader::layer_and(const char* what, Change& change, int& index) {
  const std::string expected = std::string("a layer and a ") + what + " from 1, as 2.1";
  if (at_end()) refuse(expected);
  const std::string& text = tokens_[next_].text;
  const std::size_t point = text.find('.');
  if (point == std::string::npos) refuse(expected);
  const auto layer = typed_whole(text.substr(0, point)), second = typed_whole(text.substr(point + 1));
  constexpr std::int64_t kMost = 1'000'000;
  if (!layer || !second || *layer < 1 || *second < 1 || *layer > kMost || *second > kMost) refuse(expected);
  change.block.layer = static_cast<int>(*layer) - 1;
  index = static_cast<int>(*second) - 1;
  ++next_;
}

int ChangeReader::place(const std::vector<std::string>& words, const char* of) {
  const std::string expected = std::string("a word or a place of ") + of;
  if (at_end()) refuse(expected);
  const Token& token = tokens_[next_];
  // A number without quotes is a place, even where words are numbers.
  const std::optional<std::int64_t> number = token.quoted ? std::nullopt : typed_whole(token.text);
  if (number && *number >= 0 && *number < 1'000'000) {
    ++next_;
    return static_cast<int>(*number);
  }
  int met = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != token.text || ++met < token.number) continue;
    ++next_;
    return static_cast<int>(i);
  }
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? " (" : ", ") + word;
  refuse(expected + (all.empty() ? "" : all + ")"));
}

void ChangeReader::replacement(const std::vector<std::string>& rows, Change& change) {
  bool placed = false, replaced = false;
  // Each may appear once.
  const auto said = [&](std::string_view words, bool& before, const char* once) {
    const std::size_t here = next_;
    if (!accept(words)) return false;
    if (std::exchange(before, true)) next_ = here, refuse(once);
    return true;
  };
  const auto by = [&](std::string_view words) { return said(words, replaced, "one replacement"); };
  while (!at_end()) {
    if (said("at", placed, "one place")) {
      change.row = place(rows, "the rows");
    } else if (by("by mean")) {
      change.by = Replacement::mean;
    } else if (by("times")) {
      change.by = Replacement::times;
      change.amount = number("a number");
    } else if (by("from other")) {
      change.by = Replacement::other;
    } else {
      refuse("“at”, “by mean”, “times” or “from other”");
    }
  }
}

std::string counted(int index) {
  return std::to_string(index + 1);
}

std::string quoted_where_needed(const std::string& word) {
  const bool plain = !word.empty() && !typed_number(word) && std::ranges::none_of(word, [](char c) {
    return is_blank(c) || c == ',' || c == ';' || c == '#' || c == '[';
  });
  return plain ? word : '"' + word + '"';
}

std::string written_place(int place, const std::vector<std::string>& words) {
  if (place < 0 || place >= std::ssize(words)) return std::to_string(place);
  const std::string& word = words[static_cast<std::size_t>(place)];
  if (word.find('"') != std::string::npos) return std::to_string(place);
  const auto before = std::count(words.begin(), words.begin() + place, word);
  return quoted_where_needed(word) + (before > 0 ? "#" + std::to_string(before + 1) : "");
}

std::string written_number(double value) {
  std::array<char, 32> text{};
  const auto [end, failed] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), failed == std::errc() ? end : text.data()};
}

}  // namespace glassformer
