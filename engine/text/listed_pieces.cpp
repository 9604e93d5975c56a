#include "engine/text/listed_pieces.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <exception>
#include <unordered_map>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/sentencepiece.h"
#include "engine/text/unicode.h"
#include "engine/text/vocabulary.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostModelBytes = std::size_t{64} << 20, kMostPieces = 1'000'000, kLongestPiece = 1000;

using PieceModel = std::unique_ptr<sentencepiece::SentencePieceProcessor>;

// ">>fr<<" at the beginning of a text; empty where there is none.
std::string_view language_sign(std::string_view text) {
  constexpr std::string_view kBegin = ">>", kEnd = "<<";
  if (!text.starts_with(kBegin)) return {};
  const std::size_t end = text.find(kEnd, kBegin.size());
  if (end == text.npos || end == kBegin.size()) return {};
  const bool one_word = split_words(text.substr(0, end)).size() == 1;
  return one_word ? text.substr(0, end + kEnd.size()) : std::string_view();
}

std::string without_word_start(std::string_view piece) {
  const bool starts = piece.starts_with(kWordStart);
  const std::string_view rest = piece.substr(starts ? kWordStart.size() : 0);
  return std::string(rest.empty() ? kWordStart : rest);
}

std::string with_blanks(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const bool mark = text.substr(i).starts_with(kWordStart);
    plain += mark ? ' ' : text[i];
    i += mark ? kWordStart.size() : 1;
  }
  return plain;
}

class ListedPieces final : public Tokenizer {
 public:
  ListedPieces(PieceModel model, std::string bytes, TokenizerKind kind, std::vector<std::string> pieces,
               const SpecialIds& special)
      : Tokenizer(special),
        model_(std::move(model)),
        bytes_(std::move(bytes)),
        kind_(kind),
        pieces_(std::move(pieces)) {
    for (int id = 0; id < size(); ++id)
      if (special_name(id, special).empty()) ids_.emplace(pieces_[static_cast<std::size_t>(id)], id);
  }

  TokenizerKind kind() const override { return kind_; }
  int size() const override { return static_cast<int>(pieces_.size()); }

  std::string normalized(std::string_view text) const override {
    std::string result;
    for (const Piece& piece : encode(text))
      result +=
          (piece.word_start && !result.empty() ? " " : "") + (piece.text == kWordStart ? "" : piece.text);
    return result;
  }

  std::vector<Piece> encode(std::string_view text) const override {
    std::vector<Piece> found;
    const std::string_view sign = language_sign(text);
    if (!sign.empty()) {
      found.push_back(piece_of(sign));
      found.back().word_start = true;
      found.back().special = !found.back().unknown;
    }
    text.remove_prefix(sign.size());
    const auto cut = model_->EncodeAsImmutableProto(text);
    for (const auto& part : cut.pieces()) found.push_back(piece_of(part.piece()));
    return found;
  }

  std::string decode(const std::vector<int>& ids) const override {
    std::vector<std::string> parts;
    for (const int id : ids) {
      if (id == special().pad || id == special().bos || id == special().eos) continue;
      const bool known = id >= 0 && id < size() && id != special().unk;
      parts.push_back(known ? pieces_[static_cast<std::size_t>(id)] : std::string(kWordStart) + kUnknownText);
    }
    // The library writes out a piece that its model lacks, with its mark.
    return std::string(trimmed(with_blanks(model_->DecodePieces(parts))));
  }

  std::string piece(int id) const override {
    const std::string name = special_name(id, special());
    if (!name.empty() || id < 0 || id >= size()) return name;
    return without_word_start(pieces_[static_cast<std::size_t>(id)]);
  }
  bool starts_word(int id) const override {
    return id >= 0 && id < size() && special_name(id, special()).empty() &&
           pieces_[static_cast<std::size_t>(id)].starts_with(kWordStart);
  }
  std::optional<double> score(int) const override { return std::nullopt; }
  bool reads_as_typed() const override { return true; }
  std::string bytes() const override { return bytes_; }
  std::string list_bytes() const override {
    std::string lines;
    for (const std::string& piece : pieces_) lines += piece + '\n';
    return lines;
  }

 private:
  Piece piece_of(std::string_view raw) const {
    const auto at = ids_.find(std::string(raw));
    const bool known = at != ids_.end();
    return {.id = known ? at->second : special().unk,
            .text = without_word_start(raw),
            .word_start = raw.starts_with(kWordStart),
            .unknown = !known};
  }

  PieceModel model_;
  std::string bytes_;
  TokenizerKind kind_;
  std::vector<std::string> pieces_;
  std::unordered_map<std::string, int> ids_;  // without the special tokens: no text can produce them
};

PieceModel model_of(const std::string& bytes, const std::string& where) {
  auto model = std::make_unique<sentencepiece::SentencePieceProcessor>();
  std::string why;
  try {
    const auto status = model->LoadFromSerializedProto(bytes);
    if (!status.ok()) why = status.error_message();
  } catch (const std::exception& error) {
    why = error.what();
    if (why.empty()) why = "it is broken";
  }
  if (!why.empty()) throw Error(where, "this is no sentencepiece model that can be used (" + why + ")");
  return model;
}

std::pair<PieceModel, TokenizerKind> checked_model(const std::string& bytes, const std::string& where) {
  if (bytes.size() > kMostModelBytes)
    throw Error(where, "the sentencepiece model has more than 64 MB; expected a smaller file");
  const TokenizerKind kind = check_sentencepiece_bytes(bytes, where);
  return {model_of(bytes, where), kind};
}

void check_pieces(const std::vector<std::string>& pieces, const std::string& where) {
  if (pieces.size() > kMostPieces)
    throw Error(where, "the list has more than 1 000 000 pieces; expected a vocabulary");
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string& piece = pieces[i];
    const std::string name = "piece " + std::to_string(i);
    if (piece.find('\n') != std::string::npos || first_invalid_utf8(piece) != std::string::npos)
      throw Error(where, name + " is no line of UTF-8");
    if (piece.find('\0') != std::string::npos) throw Error(where, name + " holds a NUL; expected text");
    if (piece.size() > kLongestPiece)
      throw Error(where, name + " is longer than 1 000 bytes; expected a vocabulary");
  }
}

}  // namespace

std::shared_ptr<const Tokenizer> make_listed_pieces(const std::string& model_bytes,
                                                    std::vector<std::string> pieces,
                                                    const SpecialIds& special, const std::string& where) {
  auto [model, kind] = checked_model(model_bytes, where);
  for (const int id : {special.pad, special.unk, special.bos, special.eos})
    if (id < 0 || id >= std::ssize(pieces))
      throw Error(where, "the special id " + std::to_string(id) + " is outside of the list of " +
                             std::to_string(pieces.size()) + " pieces");
  check_pieces(pieces, where);
  return std::make_shared<ListedPieces>(std::move(model), model_bytes, kind, std::move(pieces), special);
}

std::vector<std::string> own_pieces(const std::string& model_bytes, const std::string& where) {
  const PieceModel model = checked_model(model_bytes, where).first;
  std::vector<std::string> pieces;
  for (int id = 0; id < model->GetPieceSize(); ++id) pieces.push_back(model->IdToPiece(id));
  return pieces;
}

std::shared_ptr<const Tokenizer> load_listed_pieces(const std::string& model_bytes,
                                                    const std::string& list_bytes, const SpecialIds& special,
                                                    const std::string& where) {
  std::vector<std::string> pieces;
  for (std::string_view rest = list_bytes; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    pieces.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return make_listed_pieces(model_bytes, std::move(pieces), special, where);
}

}  // namespace glassformer
