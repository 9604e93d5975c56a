// The numbers behind the first two pages of the Tokens view.
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/tokens/token_words.h"
#include "app/views/tokens/tokens_picture.h"

namespace glassformer {

NumberTable vocabulary_numbers(const Tokenizer& tokenizer) {
  NumberTable vocabulary{.title = "vocabulary", .columns = {"id", "starts a word", "score"}};
  for (int id = 0; id < tokenizer.size(); ++id) {
    vocabulary.rows.push_back(tokenizer.piece(id));
    vocabulary.values.push_back(
        {double(id), tokenizer.starts_word(id) ? 1.0 : 0.0, tokenizer.score(id).value_or(std::nan(""))});
  }
  return vocabulary;
}

NumberTable piece_numbers(const std::vector<Piece>& pieces) {
  NumberTable sentence{.title = "pieces of the sentence", .columns = {"id", "starts a word", "unknown"}};
  for (const Piece& piece : pieces) {
    sentence.rows.push_back(piece.text);
    sentence.values.push_back({double(piece.id), piece.word_start ? 1.0 : 0.0, piece.unknown ? 1.0 : 0.0});
  }
  return sentence;
}

NumberTable opened_numbers(const TokenScene& scene, const ComparedTokenizer& opened) {
  NumberTable table = piece_numbers(with_marks(*opened.tokenizer, scene.text));
  table.title = "pieces of the same text, by " + opened.note;
  return table;
}

std::string opened_in_words(const TokenScene& scene, const ComparedTokenizer& opened) {
  if (!opened.tokenizer) return opened.note;
  std::string words = "By " + opened.note + ", piece and id:";
  for (const Piece& piece : with_marks(*opened.tokenizer, scene.text))
    words += " " + piece.text + " " + std::to_string(piece.id) + ",";
  words.back() = '.';
  return words;
}

std::string cuts_in_words(const TokenScene& scene, const TokenComparison& comparison) {
  std::string all;
  for (const ComparedTokenizer& each : comparison) {
    if (!each.tokenizer || each.own) continue;
    const auto pieces = std::ssize(with_marks(*each.tokenizer, scene.text));
    all += (all.empty() ? "Pieces of the same text cut in other ways: " : ", ") + kind_words(each.kind) +
           " " + format_count(pieces);
  }
  if (all.empty()) return all;
  return all + ", bytes " + format_count(std::ssize(bytes_of(scene.text))) + ".";
}

}  // namespace glassformer
