#include "engine/text/bert_vocabulary.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/clean.h"
#include "engine/text/compose.h"
#include "engine/text/unicode.h"
#include "engine/text/vocabulary.h"
#include "engine/text/word_piece.h"

namespace glassformer {
namespace {

constexpr std::size_t kMostLetters = 100;
constexpr std::array<std::string_view, 5> kNames = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [&](const Range& each) { return c >= each.first && c <= each.last; });
}

// Whatever ASCII has besides letters and digits, and the punctuation of the scripts in wide use.
bool is_punctuation(char32_t c) {
  constexpr std::array<Range, 22> kRanges = {{
      {0x21, 0x2F},     {0x3A, 0x40},     {0x5B, 0x60},     {0x7B, 0x7E},     {0xA1, 0xA1},
      {0xA7, 0xA7},     {0xAB, 0xAB},     {0xB6, 0xB7},     {0xBB, 0xBB},     {0xBF, 0xBF},
      {0x55A, 0x55F},   {0x5BE, 0x5BE},   {0x60C, 0x60D},   {0x61B, 0x61F},   {0x66A, 0x66D},
      {0x964, 0x965},   {0x2010, 0x2027}, {0x2030, 0x2043}, {0x2045, 0x2051}, {0x3001, 0x3003},
      {0x3008, 0x3011}, {0x3014, 0x301F},
  }};
  constexpr std::array<Range, 4> kWide = {
      {{0xFF01, 0xFF03}, {0xFF05, 0xFF0A}, {0xFF0C, 0xFF0F}, {0xFF1A, 0xFF1B}}};
  return is_in(kRanges, c) || is_in(kWide, c) || c == 0xFF1F || c == 0xFF20;
}

bool is_chinese(char32_t c) {
  constexpr std::array<Range, 6> kRanges = {{
      {0x4E00, 0x9FFF},
      {0x3400, 0x4DBF},
      {0x20000, 0x2A6DF},
      {0x2A700, 0x2CEAF},
      {0xF900, 0xFAFF},
      {0x2F800, 0x2FA1F},
  }};
  return is_in(kRanges, c);
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

  // Cut at blanks, then a sign of punctuation and a Chinese character are each a word of its own.
  std::vector<std::string> words(std::string_view text) const {
    std::vector<std::string> found;
    for (std::string& word : split_words(cleaned(text))) {
      if (named(word) >= 0) {
        found.push_back(std::move(word));
        continue;
      }
      bool open = false;
      for (const char32_t c : code_points(lower_ ? without_marks(to_lower(word)) : word)) {
        const bool alone = is_punctuation(c) || is_chinese(c);
        if (alone || !open) found.emplace_back();
        append_utf8(found.back(), c);
        open = !alone;
      }
    }
    return found;
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
    const auto found = std::ranges::find(tokens, kNames[i]);
    ids[i] = found == tokens.end() ? -1 : static_cast<int>(found - tokens.begin());
    if (ids[i] >= 0) named.push_back(ids[i]);
  }
  if (ids[1] < 0)
    throw Error(where, "no line of the file is [UNK]; expected a vocabulary as BERT has it, a piece a line");
  const SpecialIds special{.pad = ids[0], .unk = ids[1], .bos = ids[2], .eos = ids[3]};
  return std::make_shared<BertTokenizer>(std::move(tokens), special, std::move(named));
}

}  // namespace glassformer
