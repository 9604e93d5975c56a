#include "engine/text/tokenizer.h"

#include <filesystem>

#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/text/bert_vocabulary.h"
#include "engine/text/sentencepiece.h"
#include "engine/text/vocabulary.h"
#include "engine/text/word_piece.h"

namespace glassformer {

namespace {

bool is_sentencepiece(TokenizerKind kind) {
  return kind == TokenizerKind::bpe || kind == TokenizerKind::unigram;
}

}  // namespace

std::shared_ptr<const Tokenizer> train_tokenizer(const std::vector<std::string>& lines,
                                                 const TokenizerOptions& options) {
  if (options.pieces < 0) throw Error("tokenizer", "the number of pieces must not be negative");
  if (options.kind == TokenizerKind::word_piece) return train_word_piece(lines, options.pieces);
  return is_sentencepiece(options.kind) ? train_sentencepiece(lines, options.kind, options.pieces)
                                        : train_vocabulary(lines, options.kind, options.pieces);
}

int smallest_vocabulary(const std::vector<std::string>& lines, TokenizerKind kind) {
  if (kind == TokenizerKind::word_piece) return smallest_word_piece(lines);
  return is_sentencepiece(kind) ? smallest_sentencepiece(lines) : 5;
}

std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& file_kind, const std::string& bytes,
                                                const SpecialIds& special, const std::string& where) {
  if (file_kind == "sentencepiece") return load_sentencepiece(bytes, special, where);
  if (file_kind == "wordpiece") return load_word_piece(bytes, special, where);
  if (file_kind == "words") return load_vocabulary(bytes, TokenizerKind::word, special, where);
  if (file_kind == "characters") return load_vocabulary(bytes, TokenizerKind::character, special, where);
  throw Error(where, "unknown kind of tokenizer " + shown(file_kind) +
                         "; expected \"sentencepiece\", \"wordpiece\", \"words\" or \"characters\"");
}

std::string file_kind(TokenizerKind kind) {
  if (is_sentencepiece(kind)) return "sentencepiece";
  if (kind == TokenizerKind::word_piece) return "wordpiece";
  return kind == TokenizerKind::word ? "words" : "characters";
}

bool cuts_into_pieces(TokenizerKind kind) {
  return is_sentencepiece(kind) || kind == TokenizerKind::word_piece;
}

TokenizerKind tokenizer_kind(const std::string& name) {
  for (const TokenizerKind kind : {TokenizerKind::bpe, TokenizerKind::unigram, TokenizerKind::word_piece,
                                   TokenizerKind::word, TokenizerKind::character}) {
    if (tokenizer_name(kind) == name) return kind;
  }
  throw Error("tokenizer",
              "unknown kind " + shown(name) + "; expected bpe, unigram, wordpiece, word or char");
}

std::string tokenizer_name(TokenizerKind kind) {
  switch (kind) {
    case TokenizerKind::bpe:
      return "bpe";
    case TokenizerKind::unigram:
      return "unigram";
    case TokenizerKind::word_piece:
      return "wordpiece";
    case TokenizerKind::word:
      return "word";
    case TokenizerKind::character:
      return "char";
  }
  return "";
}

std::shared_ptr<const Tokenizer> open_tokenizer_file(const std::string& path) {
  constexpr long kMostBytes = 64L << 20;
  const std::string bytes = read_file(path, kMostBytes);
  const std::string name = std::filesystem::path(path).filename().string();
  // A model begins with its first piece, whose field is a line break, and has zeros in its numbers.
  const bool model = bytes.starts_with('\n') && bytes.find('\0') != std::string::npos;
  if (model || std::filesystem::path(path).extension() == ".model") return load_sentencepiece(bytes, name);
  return load_bert_vocabulary(bytes, name);
}

}  // namespace glassformer
