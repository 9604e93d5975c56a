// Text to pieces to ids and back. Models made here use pad 0, unk 1, bos 2, eos 3; loaded ones may use other
// ids.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

enum class TokenizerKind { bpe, unigram, word_piece, word, character };

struct Piece {
  int id = 0;
  std::string text;         // as shown on a chip: without the word-start mark; the typed text when unknown
  bool word_start = false;  // first piece of a word (always true for words)
  bool unknown = false;
  bool special = false;  // typed, and read as a special token: [MASK] in a vocabulary of BERT
  bool byte = false;     // one byte of a letter that the vocabulary lacks (byte fallback)
};

struct SpecialIds {
  int pad = 0, unk = 1, bos = 2, eos = 3;
};
constexpr int kSpecials = 4;                             // so many of them
constexpr std::string_view kWordStart = "\xE2\x96\x81";  // U+2581, sentencepiece's blank

// Immutable after construction; shared between threads.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  virtual TokenizerKind kind() const = 0;
  virtual int size() const = 0;                                        // V, special tokens included
  virtual std::string normalized(std::string_view text) const = 0;     // what is cut into pieces
  virtual std::vector<Piece> encode(std::string_view text) const = 0;  // no bos, no eos
  // Whether the pieces of a text are those of its words between blanks, one after another (of letters below
  // U+0300).
  virtual bool cuts_words_apart() const { return false; }
  virtual std::string decode(const std::vector<int>& ids) const = 0;  // pad, bos and eos left out, unk as ⁇
  virtual std::string piece(int id) const = 0;  // display text; "<pad>", "<eos>" ... for specials
  virtual bool starts_word(int id) const = 0;
  virtual std::optional<double> score(int id) const = 0;  // sentencepiece's log-probability or rank
  virtual std::string bytes() const = 0;                  // content of NAME.model or NAME.vocab
  virtual std::string list_bytes() const { return {}; }   // of NAME.pieces, where the ids are in a file apart
  virtual bool reads_as_typed() const { return false; }   // of a model of others: nothing is cleaned before
  virtual bool cuts_signs_apart() const { return false; }  // of words: commas are words too
  const SpecialIds& special() const { return special_; }

 protected:
  explicit Tokenizer(SpecialIds special) : special_(special) {}

 private:
  SpecialIds special_;
};

// One tokenizer for each side of a model.
struct Tokenizers {
  std::shared_ptr<const Tokenizer> source;  // null when a checkpoint holds none: ids go in and out
  std::shared_ptr<const Tokenizer> target;  // the same object as source when the vocabulary is shared
};

struct TokenizerOptions {
  TokenizerKind kind = TokenizerKind::bpe;
  int pieces = 2000;  // wanted V for bpe, unigram and WordPiece (0: what suits the text); a limit for words
                      // and characters (0: all)
};

// Trains on the given lines, in this process. Throws Error when the text has nothing to learn from or the
// size asked for is out of reach (the message names the smallest and largest possible).
std::shared_ptr<const Tokenizer> train_tokenizer(const std::vector<std::string>& lines,
                                                 const TokenizerOptions& options);

// The smallest V that train_tokenizer accepts for these lines: every character and the special tokens (for
// words, one word and the special tokens).
int smallest_vocabulary(const std::vector<std::string>& lines, TokenizerKind kind);

// From the bytes of a checkpoint's file. file_kind as in tokenizer.json: "sentencepiece", "wordpiece",
// "words", "characters".
std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& file_kind, const std::string& bytes,
                                                const SpecialIds& special, const std::string& where);
std::string file_kind(TokenizerKind kind);
// Whether a word may be cut into several pieces that are not its letters: bpe, unigram and WordPiece.
bool cuts_into_pieces(TokenizerKind kind);

// "bpe", "unigram", "wordpiece", "word", "char", as the command line spells them; else Error.
TokenizerKind tokenizer_kind(const std::string& name);
std::string tokenizer_name(TokenizerKind kind);

// A tokenizer that others made, opened to be looked at: a sentencepiece model (.model), or the vocab.txt of
// BERT.

// By its content, or by the ending .model; else it is a vocabulary of a piece a line. Throws Error in one
// sentence, as load_sentencepiece and load_bert_vocabulary do, and for a file of more than 64 MB.
std::shared_ptr<const Tokenizer> open_tokenizer_file(const std::string& path);

}  // namespace glassformer
