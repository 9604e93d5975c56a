// The parts of the Tokens view: one text on its way to ids, the same text cut in other ways, and the
// vocabulary.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "app/views/tokens/token_comparison.h"

namespace glassformer {

struct TokenScene {
  const ViewInput& input;
  bool source = true;                           // else the target side
  std::shared_ptr<const Tokenizer> tokenizer;   // null: the model has none
  std::string text;                             // as it was typed, or as the decoder is given it
  std::string read;                             // as the model reads it: capitals it never saw are lowered
  std::string normalized;                       // of what is read
  std::vector<Piece> pieces;                    // that the model reads, without special tokens
  bool ends_with_eos = true;                    // an eos is put behind them
  std::optional<int> chosen;                    // index into pieces that is pinned or hovered
  int first_row = 0;                            // of the vocabulary shown on top
  const TokenComparison* comparison = nullptr;  // null: still being learned
  // Of a file; null: none was named. Its note is the file's name, or why it cannot be read.
  const ComparedTokenizer* opened = nullptr;
};

// `source`: which side; the target is the one typed or known, else what the model writes.
TokenScene token_scene(const ViewInput& input, bool source);

// The selection that a click on piece `index` means.
Selection choose_piece(const TokenScene& scene, int index);

struct TokensLayout {
  bool columns = true;
  bool subtitle = true;
  Rect sentence, comparison, vocabulary, lab;  // empty: not shown; lab: merges or pieces
  Rect rows;                                   // of the vocabulary: the table below its heads
  Rect side_switch, part_switch;               // empty: none
};
constexpr float kVocabularyRow = 24;
// What fills the left column, or a narrow stage.
enum class TokensPage { sentence, vocabulary, merges, pieces };
TokensLayout layout_tokens(const Rect& area, TokensPage page);

// Returns the height used. `alone`: as a part, without a heading and what is the same twice.
float draw_token_steps(Canvas& canvas, const Rect& area, const TokenScene& scene, bool alone = false);
void draw_token_comparison(Canvas& canvas, const Rect& area, const TokenScene& scene);
void draw_vocabulary(Canvas& canvas, const TokensLayout& layout, const TokenScene& scene);

// What an opened tokenizer makes of the text as it was typed, with its own ids.
NumberTable opened_numbers(const TokenScene& scene, const ComparedTokenizer& opened);
std::string opened_in_words(const TokenScene& scene, const ComparedTokenizer& opened);

NumberTable vocabulary_numbers(const Tokenizer& tokenizer);
NumberTable piece_numbers(const std::vector<Piece>& pieces);
// How many pieces each of the other ways to cut the text gives; empty: none was learned.
std::string cuts_in_words(const TokenScene& scene, const TokenComparison& comparison);

}  // namespace glassformer
