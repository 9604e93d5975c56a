#include "engine/text/word_piece.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/clean.h"
#include "engine/text/unicode.h"
#include "engine/text/vocabulary.h"
#include "engine/text/word_piece_learner.h"

namespace glassformer {
namespace {

constexpr int kMostSuitable = 8000;

class WordPieceTokenizer final : public Tokenizer {
 public:
  WordPieceTokenizer(std::vector<std::string> tokens, SpecialIds special)
      : Tokenizer(special),
        tokens_(std::move(tokens)),
        pieces_(tokens_, {special.pad, special.unk, special.bos, special.eos}) {}

  TokenizerKind kind() const override { return TokenizerKind::word_piece; }
  int size() const override { return static_cast<int>(tokens_.size()); }

  std::string normalized(std::string_view text) const override {
    std::string joined;
    for (const std::string& word : split_words(cleaned(text))) joined += (joined.empty() ? "" : " ") + word;
    return joined;
  }

  std::vector<Piece> encode(std::string_view text) const override {
    std::vector<Piece> pieces;
    for (const std::string& word : split_words(cleaned(text))) pieces_.cut(word, special().unk, pieces);
    return pieces;
  }

  std::string decode(const std::vector<int>& ids) const override {
    std::string text;
    for (const int id : ids) {
      if (id == special().pad || id == special().bos || id == special().eos) continue;
      const bool known = id >= 0 && id < size() && id != special().unk;
      const bool inside = known && !starts_word(id);
      if (!inside && !text.empty()) text += ' ';
      text += known ? piece(id) : kUnknownText;
    }
    return text;
  }

  std::string piece(int id) const override {
    const std::string name = special_name(id, special());
    if (!name.empty() || id < 0 || id >= size()) return name;
    const std::string& token = tokens_[static_cast<std::size_t>(id)];
    return is_inside_piece(token) ? token.substr(kInsideMark.size()) : token;
  }

  bool starts_word(int id) const override {
    return id >= 0 && id < size() && special_name(id, special()).empty() &&
           !is_inside_piece(tokens_[static_cast<std::size_t>(id)]);
  }
  std::optional<double> score(int) const override { return std::nullopt; }

  std::string bytes() const override {
    std::string file;
    for (const std::string& token : tokens_) file += token + '\n';
    return file;
  }

 private:
  std::vector<std::string> tokens_;
  WordPieces pieces_;
};

std::map<std::string, long> words_of(const std::vector<std::string>& lines) {
  std::map<std::string, long> counts;
  for (const std::string& line : lines)
    for (std::string& word : split_words(cleaned(line))) ++counts[std::move(word)];
  if (counts.empty())
    throw Error("tokenizer", "the text holds nothing to learn pieces from; give text with words");
  return counts;
}

}  // namespace

bool is_inside_piece(std::string_view piece) {
  return piece.starts_with(kInsideMark) && piece.size() > kInsideMark.size();
}

WordPieces::WordPieces(const std::vector<std::string>& pieces, const std::vector<int>& hidden) {
  for (std::size_t id = 0; id < pieces.size(); ++id) {
    if (std::ranges::find(hidden, static_cast<int>(id)) != hidden.end() || pieces[id].empty()) continue;
    ids_.insert_or_assign(pieces[id], static_cast<int>(id));
    longest_ = std::max(longest_, pieces[id].size());
  }
}

void WordPieces::cut(const std::string& word, int unknown, std::vector<Piece>& pieces) const {
  const std::size_t before = pieces.size();
  const auto is_border = [&](std::size_t at) {
    return at == word.size() || (static_cast<unsigned char>(word[at]) & 0xC0u) != 0x80u;
  };
  for (std::size_t start = 0; start < word.size();) {
    const std::string mark = start == 0 ? "" : std::string(kInsideMark);
    std::size_t end = std::min(word.size(), start + longest_);
    auto found = ids_.end();
    for (; end > start && found == ids_.end(); --end)
      // At its beginning a word that reads "##a" is not the inside of another one.
      if (is_border(end) && (start > 0 || !is_inside_piece(std::string_view(word).substr(0, end))))
        found = ids_.find(mark + word.substr(start, end - start));
    if (found == ids_.end()) {
      pieces.resize(before);
      pieces.push_back({.id = unknown, .text = word, .word_start = true, .unknown = true});
      return;
    }
    ++end;  // the loop stepped past the one that it found
    pieces.push_back(
        {.id = found->second, .text = word.substr(start, end - start), .word_start = start == 0});
    start = end;
  }
}

int smallest_word_piece(const std::vector<std::string>& lines) {
  return kSpecials + static_cast<int>(WordPieceLearner(words_of(lines)).pieces().size());
}

std::shared_ptr<const Tokenizer> train_word_piece(const std::vector<std::string>& lines, int pieces) {
  const std::map<std::string, long> words = words_of(lines);
  WordPieceLearner learner(words);
  const auto size = [&] { return kSpecials + static_cast<int>(learner.pieces().size()); };
  const int smallest = size();
  const int half = static_cast<int>(std::min<std::size_t>(words.size() / 2, kMostSuitable));
  const int wanted = pieces == 0 ? smallest + half : pieces;
  const int stop = wanted >= smallest ? wanted : INT32_MAX;  // else only to find the largest
  while (size() < stop && learner.join()) continue;
  if (pieces != 0 && size() != pieces)
    throw Error("tokenizer", std::to_string(pieces) + " WordPiece pieces were asked for; this text allows " +
                                 std::to_string(smallest) + " to " + std::to_string(size()) +
                                 ", the four special tokens included");
  const SpecialIds special;
  std::vector<std::string> tokens;
  for (int id = 0; id < kSpecials; ++id) tokens.push_back(special_name(id, special));
  tokens.insert(tokens.end(), learner.pieces().begin(), learner.pieces().end());
  return std::make_shared<WordPieceTokenizer>(std::move(tokens), special);
}

std::vector<std::string> piece_lines(const std::string& bytes, const std::string& where) {
  constexpr std::size_t kLongest = 1000, kMost = 1'000'000;
  std::string_view rest = bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  if (rest.empty()) throw Error(where, "the file is empty; expected a piece a line");
  std::vector<std::string> lines;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::string number = "line " + std::to_string(lines.size() + 1);
    if (lines.size() == kMost)
      throw Error(where, "the file has more than 1 000 000 lines; expected a vocabulary, a piece a line");
    if (line.find('\0') != std::string_view::npos)
      throw Error(where, number + " holds a NUL; expected text, a piece a line");
    if (line.size() > kLongest)
      throw Error(where, number + " is longer than 1 000 bytes; expected a piece a line");
    if (first_invalid_utf8(line) != std::string_view::npos)
      throw Error(where, number + " is not valid UTF-8; expected a piece a line in UTF-8");
    if (line.ends_with('\r')) line.remove_suffix(1);  // no piece ends in one: text is cleaned before
    lines.emplace_back(line);
  }
  return lines;
}

std::shared_ptr<const Tokenizer> load_word_piece(const std::string& bytes, const SpecialIds& special,
                                                 const std::string& where) {
  return std::make_shared<WordPieceTokenizer>(piece_lines(bytes, where), special);
}

}  // namespace glassformer
