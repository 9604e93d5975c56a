#include "app/views/tokens/token_comparison.h"

#include <string_view>

#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr int kExtraPieces =
    1000;  // beyond the smallest size, so that frequent words stay whole and rare ones do not

ComparedTokenizer learn(TokenizerKind kind, const std::vector<std::string>& lines) {
  ComparedTokenizer compared{.kind = kind, .tokenizer = nullptr, .note = {}};
  try {
    const bool pieces = cuts_into_pieces(kind);
    const int wanted = pieces ? smallest_vocabulary(lines, kind) + kExtraPieces : 0;
    try {
      compared.tokenizer = train_tokenizer(lines, {.kind = kind, .pieces = wanted});
    } catch (const Error&) {
      // Too little text for that many pieces.
      compared.tokenizer = train_tokenizer(lines, {.kind = kind, .pieces = 0});
    }
    compared.note = "learned from the same text";
  } catch (const std::exception&) {
    compared.note = "too little text to learn from";
  }
  return compared;
}

}  // namespace

TokenComparison compare_tokenizers(const std::shared_ptr<const Tokenizer>& own,
                                   const std::vector<std::string>& lines) {
  constexpr std::array kKinds = {TokenizerKind::bpe, TokenizerKind::unigram, TokenizerKind::word_piece,
                                 TokenizerKind::word, TokenizerKind::character};
  TokenComparison comparison;
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i] == own->kind()) {
      comparison[i] = {.kind = kKinds[i], .own = true, .tokenizer = own, .note = "this model"};
    } else {
      comparison[i] = learn(kKinds[i], lines);
    }
  }
  return comparison;
}

std::vector<std::string> bytes_of(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::vector<std::string> bytes;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    bytes.push_back({kDigits[byte / 16], kDigits[byte % 16]});
  }
  return bytes;
}

std::string kind_words(TokenizerKind kind) {
  switch (kind) {
    case TokenizerKind::bpe:
      return "BPE";
    case TokenizerKind::unigram:
      return "Unigram";
    case TokenizerKind::word_piece:
      return "WordPiece";
    case TokenizerKind::word:
      return "Words";
    case TokenizerKind::character:
      break;
  }
  return "Characters";
}

}  // namespace glassformer
