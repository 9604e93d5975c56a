// How a tokenizer.json cuts one word into pieces of its vocabulary.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer::huggingface {

using PieceIds = std::unordered_map<std::string, int>;

struct CutPiece {
  int id;            // -1: an unknown one, of a vocabulary without the word for it
  std::string text;  // what of the word it represents
};

class PieceModel {
 public:
  virtual ~PieceModel() = default;
  virtual TokenizerKind kind() const = 0;
  // What the vocabulary lacks is the model's own word for it, or nothing where it has none.
  virtual std::vector<CutPiece> cut(const std::string& word) const = 0;
  virtual std::optional<double> score(int) const { return std::nullopt; }

  const PieceIds& ids() const { return ids_; }
  const std::optional<std::string>& unknown() const { return unknown_; }

 protected:
  int id_of(const std::string& piece) const {
    const auto found = ids_.find(piece);
    return found == ids_.end() ? -1 : found->second;
  }

  PieceIds ids_;
  std::optional<std::string> unknown_;
};

// WordLevel, WordPiece, BPE or Unigram. Throws Error naming any other, and for a vocabulary that is none.
std::unique_ptr<PieceModel> read_piece_model(const nlohmann::json& json, const std::string& where);

}  // namespace glassformer::huggingface
