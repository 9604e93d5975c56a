#include "engine/text/bert_vocabulary.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/categories.h"
#include "engine/text/unicode.h"
#include "engine/text/vocabulary.h"
#include "engine/text/word_piece.h"

namespace glassformer {
namespace {

constexpr std::size_t kMostLetters = 100;
constexpr std::array<std::string_view, 5> kNames = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

// Decomposed to the last (also the syllables of Hangul), without the marks above or below.
std::u32string without_accents(const std::string& word) {
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(word.data()), static_cast<utf8proc_ssize_t>(word.size()),
      &made, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE));
  const std::string decomposed =
      size < 0 ? word : std::string(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
  std::free(made);
  std::u32string letters;
  for (const char32_t c : code_points(decomposed))
    if (!is_plain_mark(c)) letters += c;
  return letters;
}

class BertTokenizer final : public Tokenizer {
 public:
  BertTokenizer(std::vector<std::string> tokens, SpecialIds special, std::vector<int> named)
      : Tokenizer(special), tokens_(std::move(tokens)), named_(std::move(named)), pieces_(tokens_, named_) {
    for (std::size_t id = 0; id < tokens_.size() && lower_; ++id) {
      const std::string& token = tokens_[id];
      if (token.starts_with("[") && token.ends_with("]")) continue;
      lower_ = to_lower(token) == token;
    }
  }

  TokenizerKind kind() const override { return TokenizerKind::word_piece; }
  int size() const override { return static_cast<int>(tokens_.size()); }

  std::string normalized(std::string_view text) const override {
    std::string joined;
    for (const std::string& word : words(text)) joined += (joined.empty() ? "" : " ") + word;
    return joined;
  }

  std::vector<Piece> encode(std::string_view text) const override {
    std::vector<Piece> pieces;
    for (const std::string& word : words(text)) {
      if (const int id = named(word); id >= 0) {
        pieces.push_back({.id = id, .text = word, .word_start = true, .unknown = false, .special = true});
      } else if (code_points(word).size() > kMostLetters) {
        pieces.push_back({.id = special().unk, .text = word, .word_start = true, .unknown = true});
      } else {
        pieces_.cut(word, special().unk, pieces);
      }
    }
    return pieces;
  }

  std::string decode(const std::vector<int>& ids) const override {
    std::string text;
    for (const int id : ids) {
      if (id == special().pad || id == special().bos || id == special().eos) continue;
      const bool known = id >= 0 && id < size() && id != special().unk;
      const bool inside = known && is_inside_piece(tokens_[static_cast<std::size_t>(id)]);
      if (!inside && !text.empty()) text += ' ';
      text += known ? piece(id) : kUnknownText;
    }
    return text;
  }

  std::string piece(int id) const override {
    if (id < 0 || id >= size()) return "";
    const std::string& token = tokens_[static_cast<std::size_t>(id)];
    return is_inside_piece(token) ? token.substr(kInsideMark.size()) : token;
  }

  bool starts_word(int id) const override {
    return id >= 0 && id < size() && std::ranges::find(named_, id) == named_.end() &&
           !is_inside_piece(tokens_[static_cast<std::size_t>(id)]);
  }
  std::optional<double> score(int) const override { return std::nullopt; }

  std::string bytes() const override {
    std::string file;
    for (const std::string& token : tokens_) file += token + '\n';
    return file;
  }

 private:
  int named(std::string_view word) const {
    for (const int id : named_)
      if (tokens_[static_cast<std::size_t>(id)] == word) return id;
    return -1;
  }

  // The special tokens are found first, wherever they are; what is between them is cut at blanks.
  std::vector<std::string> words(std::string_view text) const {
    std::vector<std::string> found;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::string* const token = named_at(text, at);
      if (token == nullptr) {
        ++at;
        continue;
      }
      add_words(text.substr(begin, at - begin), found);
      found.push_back(*token);
      begin = at += token->size();
    }
    add_words(text.substr(begin), found);
    return found;
  }

  const std::string* named_at(std::string_view text, std::size_t at) const {
    for (const int id : named_)
      if (text.substr(at).starts_with(tokens_[static_cast<std::size_t>(id)]))
        return &tokens_[static_cast<std::size_t>(id)];
    return nullptr;
  }

  // Blanks part words; a sign of punctuation and a Chinese character are each a word.
  void add_words(std::string_view text, std::vector<std::string>& found) const {
    std::string kept;
    for (const char32_t c : code_points(text))
      if (is_bert_blank(c))
        kept += ' ';
      else if (!is_bert_dropped(c))
        append_utf8(kept, c);
    bool open = false;
    std::u32string letters;
    if (lower_)
      letters = without_accents(to_lower(kept));
    else
      for (const char32_t c : code_points(kept)) letters += c;
    for (const char32_t c : letters) {
      const bool alone = is_bert_punctuation(c) || is_chinese(c);
      if (c != ' ') {
        if (alone || !open) found.emplace_back();
        append_utf8(found.back(), c);
      }
      open = c != ' ' && !alone;
    }
  }

  std::vector<std::string> tokens_;
  std::vector<int> named_;
  WordPieces pieces_;
  bool lower_ = true;
};

}  // namespace

std::shared_ptr<const Tokenizer> load_bert_vocabulary(const std::string& bytes, const std::string& where) {
  std::vector<std::string> tokens = piece_lines(bytes, where);
  std::array<int, kNames.size()> ids{};
  std::vector<int> named;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    // Of doubled lines the last counts.
    const auto found = std::find(tokens.rbegin(), tokens.rend(), kNames[i]);
    ids[i] = static_cast<int>(tokens.rend() - found) - 1;
    if (ids[i] >= 0) named.push_back(ids[i]);
  }
  if (ids[1] < 0)
    throw Error(where, "no line of the file is [UNK]; expected a vocabulary as BERT has it, a piece a line");
  const SpecialIds special{.pad = ids[0], .unk = ids[1], .bos = ids[2], .eos = ids[3]};
  return std::make_shared<BertTokenizer>(std::move(tokens), special, std::move(named));
}

}  // namespace glassformer
