// What the files of this view share, part by part.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/views/common/view.h"
#include "engine/text/pair_merges.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unigram_loss.h"

namespace glassformer {

// The same text cut in five ways: byte-pair encoding, unigram, WordPiece, words and characters. The model's
// own tokenizer represents its kind; the others are learned from sentences of its training text, once a
// model, away from the screen's thread.

struct ComparedTokenizer {
  TokenizerKind kind = TokenizerKind::bpe;
  bool own = false;                            // the open model's
  std::shared_ptr<const Tokenizer> tokenizer;  // null: could not be learned
  std::string note;                            // "learned from the same text", or why there is none
};
using TokenComparison = std::array<ComparedTokenizer, 5>;

// Learns what is missing from `lines`; takes some tenths of a second for BPE and unigram. Never throws.
TokenComparison compare_tokenizers(const std::shared_ptr<const Tokenizer>& own,
                                   const std::vector<std::string>& lines);

// The bytes of a text in UTF-8, two digits to the base of 16 each: "c3", "a9".
std::vector<std::string> bytes_of(const std::string& text);

std::string kind_words(TokenizerKind kind);    // "BPE", "Unigram", "Words", "Characters"
std::string kind_meaning(TokenizerKind kind);  // a sentence: how it cuts words

// Two pages of the Tokens view: byte-pair encoding merge by merge, and what each unigram piece is worth to
// the sentence. Both of the model's own training text.

inline constexpr int kMostMerges = 400;            // that are looked at
inline constexpr std::size_t kMergedLines = 2000;  // of the training text

struct MergeScene {
  const PairMerges& merges;
  std::vector<std::string> words;  // of the sentence, without blanks
  int made = 0;                    // merges until now, 0 to all of them
  const PairMerge* last() const;   // the newest; null: none was made
  const PairMerge* next() const;   // the one to come; null: no pair is left
  long pieces() const;             // of the text, now
  int vocabulary() const;
};

// Controls are on its top, so high; files have none.
inline constexpr float kMergeControls = 44;
void draw_merges(Canvas& canvas, const Rect& area, const MergeScene& scene);
std::vector<NumberTable> merge_numbers(const MergeScene& scene);
InspectorPage merge_page(const MergeScene& scene, const std::string& language);
std::string merge_caption(const MergeScene& scene);  // "After 12 merges the text has 9 812 pieces of ..."

void draw_piece_losses(Canvas& canvas, const Rect& area, const UnigramLosses& losses);
std::vector<NumberTable> piece_loss_numbers(const UnigramLosses& losses);
InspectorPage piece_loss_page(const UnigramLosses& losses, const std::string& language);

// What the marks on the chips mean, for the pieces that are shown.

// "an emoji", "a letter", "a word", "digits", "a sign"
std::string what_it_is(const std::string& piece);
// A blank is a token too, and has to be seen.
std::string shown_piece(const std::string& piece);
// What is not in the vocabulary, each by what it is; else what the byte pieces represent, or what
// the bar means.
std::string chips_note(const std::vector<Piece>& pieces);
bool any_unknown(const std::vector<Piece>& pieces);

// The text as typed, cut as the model that the tokenizer was made for reads it: unknown capitals
// small, with BERT's vocabulary between [CLS] and [SEP].
std::vector<Piece> with_marks(const Tokenizer& tokenizer, const std::string& text);

// The parts of the Tokens view: one text on its way to ids, the same text cut in other ways, and the
// vocabulary.

struct TokenScene {
  const ViewInput& input;
  bool source = true;                           // else the target side
  std::shared_ptr<const Tokenizer> tokenizer;   // null: the model has none
  std::string text;                             // as typed, or as the decoder gets it
  std::string read;                             // as the model reads it: capitals it never saw are lowered
  std::string normalized;                       // of what is read
  std::vector<Piece> pieces;                    // that the model reads, without special tokens
  bool begins_with_bos = false;                 // a bos is put before them
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

// What an opened tokenizer makes of the text as typed, with its own ids.
NumberTable opened_numbers(const TokenScene& scene, const ComparedTokenizer& opened);
std::string opened_in_words(const TokenScene& scene, const ComparedTokenizer& opened);

NumberTable vocabulary_numbers(const Tokenizer& tokenizer);
NumberTable piece_numbers(const std::vector<Piece>& pieces);
// How many pieces each of the other ways to cut the text gives; empty: none was learned.
std::string cuts_in_words(const TokenScene& scene, const TokenComparison& comparison);

}  // namespace glassformer
