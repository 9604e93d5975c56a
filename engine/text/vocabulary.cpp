#include "engine/text/vocabulary.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/categories.h"
#include "engine/text/clean.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostWords = 200'000, kLongestWord = 32;  // that are kept

// What is before the combining marks of Unicode (U+0300): normalising joins no two of these signs across
// a blank.
bool is_plain(std::string_view text) {
  return std::ranges::none_of(text, [](char each) { return static_cast<unsigned char>(each) >= 0xCC; });
}

std::vector<int> ids_of(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<int> ids;
  for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
  return ids;
}

}  // namespace

std::vector<int> TextIds::of(std::string_view text) {
  if (!words_apart_ || !is_plain(text)) return ids_of(tokenizer_, text);
  std::vector<int> ids;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) {
      const std::vector<int>& word = of_word(text.substr(0, end));
      ids.insert(ids.end(), word.begin(), word.end());
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ids;
}

const std::vector<int>& TextIds::of_word(std::string_view word) {
  std::string key(word);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= kMostWords || word.size() > kLongestWord) return rare_ = ids_of(tokenizer_, word);
  return known_.emplace(std::move(key), ids_of(tokenizer_, word)).first->second;
}

namespace {

std::vector<std::string> split_characters(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t i = 0; i < text.size();) {
    characters.emplace_back();
    append_utf8(characters.back(), next_code_point(text, i));
  }
  return characters;
}

std::vector<std::string> split_tokens(std::string_view text, TokenizerKind kind, bool cut_signs = false) {
  if (cut_signs) return split_at_signs(text);
  return kind == TokenizerKind::word ? split_words(cleaned(text)) : split_characters(text);
}

class VocabularyTokenizer final : public Tokenizer {
 public:
  VocabularyTokenizer(TokenizerKind kind, std::vector<std::string> tokens, SpecialIds special,
                      bool cut_signs = false)
      : Tokenizer(special), kind_(kind), tokens_(std::move(tokens)), cut_signs_(cut_signs) {
    for (int id = 0; id < size(); ++id) {
      if (special_name(id, special).empty()) ids_.emplace(tokens_[static_cast<std::size_t>(id)], id);
    }
  }

  TokenizerKind kind() const override { return kind_; }
  int size() const override { return static_cast<int>(tokens_.size()); }

  std::string normalized(std::string_view text) const override {
    if (kind_ == TokenizerKind::character) return std::string(text);
    std::string joined;
    for (const std::string& word : split_tokens(text, kind_, cut_signs_))
      joined += (joined.empty() ? "" : " ") + word;
    return joined;
  }

  std::vector<Piece> encode(std::string_view text) const override {
    std::vector<Piece> pieces;
    const bool words = kind_ == TokenizerKind::word;
    bool after_blank = true;
    for (std::string& token : split_tokens(text, kind_, cut_signs_)) {
      const auto found = ids_.find(token);
      const bool blank = token == " ";
      pieces.push_back({.id = found == ids_.end() ? special().unk : found->second,
                        .text = std::move(token),
                        .word_start = words || (after_blank && !blank),
                        .unknown = found == ids_.end()});
      after_blank = blank;
    }
    return pieces;
  }

  std::string decode(const std::vector<int>& ids) const override {
    std::string text;
    for (const int id : ids) {
      if (id == special().pad || id == special().bos || id == special().eos) continue;
      if (kind_ == TokenizerKind::word && !text.empty()) text += ' ';
      const bool known = id >= 0 && id < size() && id != special().unk;
      text += known ? tokens_[static_cast<std::size_t>(id)] : kUnknownText;
    }
    return text;
  }

  std::string piece(int id) const override {
    const std::string name = special_name(id, special());
    if (!name.empty() || id < 0 || id >= size()) return name;
    return tokens_[static_cast<std::size_t>(id)];
  }

  bool starts_word(int id) const override {
    return kind_ == TokenizerKind::word && id >= 0 && id < size() && special_name(id, special()).empty();
  }
  std::optional<double> score(int) const override { return std::nullopt; }

  bool cuts_signs_apart() const override { return cut_signs_; }

  std::string bytes() const override {
    std::string file;
    for (const std::string& token : tokens_) file += token + '\n';
    return file;
  }

 private:
  TokenizerKind kind_;
  std::vector<std::string> tokens_;
  bool cut_signs_ = false;
  std::unordered_map<std::string, int> ids_;  // without the special tokens: no text can produce them
};

}  // namespace

std::string special_name(int id, const SpecialIds& special) {
  if (id == special.pad) return "<pad>";
  if (id == special.unk) return "<unk>";
  if (id == special.bos) return "<bos>";
  if (id == special.eos) return "<eos>";
  return "";
}

std::shared_ptr<const Tokenizer> train_vocabulary(const std::vector<std::string>& lines, TokenizerKind kind,
                                                  int limit) {
  const std::string what = kind == TokenizerKind::word ? "words" : "characters";
  std::map<std::string, long> counts;
  for (const std::string& line : lines) {
    for (std::string& token : split_tokens(line, kind)) {
      if (token.find('\n') == std::string::npos) ++counts[std::move(token)];
    }
  }
  if (counts.empty())
    throw Error("tokenizer", "the text holds no " + what + " to learn; give text with " + what);
  const long all = static_cast<long>(counts.size()) + kSpecials;
  if (limit != 0 && limit <= kSpecials) {
    throw Error("tokenizer", "a vocabulary of " + std::to_string(limit) + " " + what +
                                 " was asked for; this text allows " + std::to_string(kSpecials + 1) +
                                 " to " + std::to_string(all) +
                                 ", the four special tokens included (0 takes all)");
  }

  // The most frequent, ties in the order of their code points.
  std::vector<std::pair<std::string, long>> chosen(counts.begin(), counts.end());
  if (limit != 0 && limit < all) {
    std::stable_sort(chosen.begin(), chosen.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    chosen.resize(static_cast<std::size_t>(limit - kSpecials));
    std::sort(chosen.begin(), chosen.end());
  }

  const SpecialIds special;
  std::vector<std::string> tokens;
  for (int id = 0; id < kSpecials; ++id) tokens.push_back(special_name(id, special));
  for (auto& [token, count] : chosen) tokens.push_back(token);
  return std::make_shared<VocabularyTokenizer>(kind, std::move(tokens), special);
}

namespace {

// A token a line, in id order. The ends of all lines are CRLF or none is: a token may end in CR.
std::vector<std::string> token_lines(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::vector<std::string> lines;
  bool crlf = true;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    lines.emplace_back(bytes.substr(0, end));
    crlf = crlf && (lines.back().ends_with('\r') || end == bytes.size());
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  if (crlf)
    for (std::string& line : lines)
      if (line.ends_with('\r')) line.pop_back();
  return lines;
}

// Where the count of "the<tab>1203" begins, or npos.
std::size_t count_column(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos || tab + 1 == line.size()) return std::string_view::npos;
  const std::string_view count = line.substr(tab + 1);
  const bool number = count.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
                      count.find_first_of("0123456789") != std::string_view::npos;
  return number ? tab : std::string_view::npos;
}

// Takes off the counts that other programs write behind each token. A tab is a separate token among
// characters; elsewhere no token holds one.
void drop_counts(std::vector<std::string>& lines, const std::string& where) {
  const auto counted = [](const std::string& line) { return count_column(line) != std::string::npos; };
  if (std::ranges::all_of(lines, counted)) {
    for (std::string& line : lines) line.resize(count_column(line));
    return;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] == "\t" || lines[i].find('\t') == std::string::npos) continue;
    throw Error(where,
                "line " + std::to_string(i + 1) +
                    " holds a tab; expected a token a line, or a token, a tab and its count on every line");
  }
}

}  // namespace

std::shared_ptr<const Tokenizer> load_vocabulary(const std::string& bytes, TokenizerKind kind,
                                                 const SpecialIds& special, const std::string& where,
                                                 bool cut_signs) {
  if (bytes.empty()) throw Error(where, "the file is empty; expected a token a line");
  std::vector<std::string> tokens = token_lines(bytes);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (first_invalid_utf8(tokens[i]) == std::string::npos) continue;
    throw Error(where,
                "line " + std::to_string(i + 1) + " is not valid UTF-8; expected a token a line in UTF-8");
  }
  drop_counts(tokens, where);
  return std::make_shared<VocabularyTokenizer>(kind, std::move(tokens), special, cut_signs);
}

}  // namespace glassformer
