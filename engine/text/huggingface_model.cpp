#include "engine/text/huggingface_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/text/huggingface_stage.h"
#include "engine/text/unicode.h"

namespace glassformer::huggingface {

namespace {

constexpr int kMostIds = 1'000'000;
constexpr std::size_t kLongestPiece = 1000;  // bytes

void add_piece(PieceIds& ids, const std::string& piece, int id, const std::string& where) {
  if (piece.size() > kLongestPiece)
    throw Error(where, "a piece of " + std::to_string(piece.size()) + " bytes");
  ids.emplace(piece, id);
}

PieceIds read_vocabulary(const nlohmann::json& json, const std::string& where) {
  const auto found = json.find("vocab");
  if (found == json.end() || !found->is_object()) throw Error(where, "its model has no vocabulary");
  PieceIds ids;
  for (const auto& [piece, id] : found->items())
    add_piece(ids, piece, whole<int>(id, where, "the id of " + shown(piece), 0, kMostIds), where);
  return ids;
}

std::optional<std::string> optional_text(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
}

Words letters_of(std::string_view word) {
  Words letters;
  for (const char32_t sign : code_points(word)) {
    letters.emplace_back();
    append_utf8(letters.back(), sign);
  }
  return letters;
}

std::string byte_name(unsigned char byte) {  // "<0xE2>"
  constexpr char kDigits[] = "0123456789ABCDEF";
  return std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + ">";
}
// Its bytes as pieces, where the vocabulary has them all.
Words bytes_as_pieces(const std::string& text, const PieceIds& ids) {
  Words pieces;
  for (const char byte : text) {
    pieces.push_back(byte_name(static_cast<unsigned char>(byte)));
    if (!ids.contains(pieces.back())) return {};
  }
  return pieces;
}

class WordLevelModel final : public PieceModel {
 public:
  WordLevelModel(const nlohmann::json& json, const std::string& where) {
    ids_ = read_vocabulary(json, where);
    unknown_ = optional_text(json, "unk_token");
  }
  TokenizerKind kind() const override { return TokenizerKind::word; }
  Words cut(const std::string& word) const override { return {word}; }
};

// Greedy, longest first.
class WordPieceModel final : public PieceModel {
 public:
  WordPieceModel(const nlohmann::json& json, const std::string& where)
      : prefix_(text_of(json, "continuing_subword_prefix", "##")),
        longest_word_(json.value("max_input_chars_per_word", 100L)) {
    ids_ = read_vocabulary(json, where);
    unknown_ = text_of(json, "unk_token", "[UNK]");
    for (const auto& [piece, id] : ids_) longest_ = std::max(longest_, piece.size());
  }
  TokenizerKind kind() const override { return TokenizerKind::word_piece; }
  Words cut(const std::string& word) const override {
    if (std::ssize(code_points(word)) > longest_word_) return {*unknown_};
    Words pieces;
    for (std::size_t at = 0; at < word.size();) {
      std::size_t length = std::min(word.size() - at, longest_);
      std::string piece;
      for (; length > 0; --length) {
        piece = (at > 0 ? prefix_ : "") + word.substr(at, length);
        if (ids_.contains(piece)) break;
      }
      if (length == 0) return {*unknown_};
      pieces.push_back(piece);
      at += length;
    }
    return pieces;
  }

 private:
  std::string prefix_;
  long longest_word_;
  std::size_t longest_ = 0;
};

// Neighbours are joined in the order of the merges.
class MergeModel final : public PieceModel {
 public:
  MergeModel(const nlohmann::json& json, const std::string& where)
      : prefix_(text_of(json, "continuing_subword_prefix", "")),
        suffix_(text_of(json, "end_of_word_suffix", "")),
        bytes_(flag_of(json, "byte_fallback", false)),
        fuses_(flag_of(json, "fuse_unk", false)),
        whole_first_(flag_of(json, "ignore_merges", false)) {
    ids_ = read_vocabulary(json, where);
    unknown_ = optional_text(json, "unk_token");
    const auto merges = json.find("merges");
    if (merges == json.end() || !merges->is_array()) throw Error(where, "its model has no merges");
    for (const nlohmann::json& merge : *merges) ranks_.emplace(pair_of(merge, where), std::ssize(ranks_));
  }
  TokenizerKind kind() const override { return TokenizerKind::bpe; }
  Words cut(const std::string& word) const override {
    if (whole_first_ && ids_.contains(word)) return {word};
    Words pieces = beginnings(word);
    for (;;) {
      const auto at = best_pair(pieces);
      if (!at) return pieces;
      pieces[*at] += pieces[*at + 1].substr(prefix_.size());
      pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(*at) + 1);
    }
  }

 private:
  static std::pair<std::string, std::string> pair_of(const nlohmann::json& merge, const std::string& where) {
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
      return {merge[0].get<std::string>(), merge[1].get<std::string>()};
    if (merge.is_string()) {
      const auto text = merge.get<std::string>();
      const std::size_t blank = text.find(' ');
      if (blank != text.npos) return {text.substr(0, blank), text.substr(blank + 1)};
    }
    throw Error(where, "a merge must be two pieces, found " + shown(merge));
  }
  // Letters, unknown ones as the model has them.
  Words beginnings(const std::string& word) const {
    Words pieces;
    const Words letters = letters_of(word);
    bool was_unknown = false;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const std::string piece =
          (i > 0 ? prefix_ : "") + letters[i] + (i + 1 == letters.size() ? suffix_ : "");
      const bool known = ids_.contains(piece);
      if (known) {
        pieces.push_back(piece);
      } else if (Words bytes = bytes_ ? bytes_as_pieces(letters[i], ids_) : Words(); !bytes.empty()) {
        pieces.insert(pieces.end(), bytes.begin(), bytes.end());
      } else if (unknown_ && !(fuses_ && was_unknown)) {
        pieces.push_back(*unknown_);
      }
      was_unknown = !known;
    }
    return pieces;
  }
  std::optional<std::size_t> best_pair(const Words& pieces) const {
    std::optional<std::size_t> best;
    long rank = std::numeric_limits<long>::max();
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto found = ranks_.find({pieces[i], pieces[i + 1]});
      if (found != ranks_.end() && found->second < rank) rank = found->second, best = i;
    }
    return best;
  }

  std::string prefix_, suffix_;
  bool bytes_, fuses_, whole_first_;
  std::map<std::pair<std::string, std::string>, long> ranks_;
};

// The way through a word whose pieces' scores add up to most (Viterbi).
class UnigramModel final : public PieceModel {
 public:
  UnigramModel(const nlohmann::json& json, const std::string& where)
      : bytes_(flag_of(json, "byte_fallback", false)) {
    const auto vocab = json.find("vocab");
    if (vocab == json.end() || !vocab->is_array() || std::ssize(*vocab) > kMostIds)
      throw Error(where, "its model has no vocabulary");
    double lowest = 0;
    for (const nlohmann::json& entry : *vocab) {
      if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
        throw Error(where, "a piece must be a text and its score, found " + shown(entry));
      const auto piece = entry[0].get<std::string>();
      add_piece(ids_, piece, static_cast<int>(scores_.size()), where);
      scores_.push_back(entry[1].get<double>());
      lowest = std::min(lowest, scores_.back());
      longest_ = std::max(longest_, piece.size());
      names_.push_back(piece);
    }
    const auto unknown = json.find("unk_id");
    if (unknown != json.end() && !unknown->is_null())
      unknown_ =
          names_.at(whole<std::size_t>(*unknown, where, "unk_id", 0, names_.empty() ? 0 : names_.size() - 1));
    unknown_score_ = lowest - 10;
  }
  TokenizerKind kind() const override { return TokenizerKind::unigram; }
  std::optional<double> score(int id) const override {
    return id >= 0 && id < std::ssize(scores_) ? std::optional(scores_[static_cast<std::size_t>(id)])
                                               : std::nullopt;
  }

  Words cut(const std::string& word) const override {
    struct Way {
      double score = -std::numeric_limits<double>::infinity();
      std::size_t from = 0;
      bool known = true;
    };
    std::vector<Way> ways(word.size() + 1);
    ways[0].score = 0;
    for (std::size_t at = 0; at < word.size();) {
      std::size_t next = at;
      next_code_point(word, next);
      const auto reach = [&](std::size_t end, double score, bool known) {
        if (ways[at].score + score > ways[end].score) ways[end] = {ways[at].score + score, at, known};
      };
      bool letter = false;
      for (std::size_t end = next; end <= std::min(word.size(), at + longest_); next_end(word, end)) {
        const auto found = ids_.find(word.substr(at, end - at));
        if (found == ids_.end()) continue;
        letter = letter || end == next;
        reach(end, scores_[static_cast<std::size_t>(found->second)], true);
      }
      if (!letter) reach(next, unknown_score_, false);
      at = next;
    }
    Words pieces;
    bool was_unknown = false;
    for (std::size_t end = word.size(); end > 0; end = ways[end].from) {
      const std::string text = word.substr(ways[end].from, end - ways[end].from);
      add_backwards(text, ways[end].known, was_unknown, pieces);
      was_unknown = !ways[end].known;
    }
    std::ranges::reverse(pieces);
    return pieces;
  }

 private:
  static void next_end(const std::string& word, std::size_t& end) {
    if (end == word.size())
      ++end;
    else
      next_code_point(word, end);
  }
  // Unknown ones in a row are one.
  void add_backwards(const std::string& text, bool known, bool was_unknown, Words& pieces) const {
    if (known) return pieces.push_back(text);
    const Words bytes = bytes_ ? bytes_as_pieces(text, ids_) : Words();
    if (!bytes.empty())
      pieces.insert(pieces.end(), bytes.rbegin(), bytes.rend());
    else if (unknown_ && !was_unknown)
      pieces.push_back(*unknown_);
  }

  bool bytes_;
  std::vector<double> scores_;
  Words names_;
  std::size_t longest_ = 0;
  double unknown_score_ = 0;
};

}  // namespace

std::unique_ptr<PieceModel> read_piece_model(const nlohmann::json& json, const std::string& where) {
  if (!json.is_object()) throw Error(where, "it has no model");
  // Older files leave the type out: the settings tell it.
  std::string type = text_of(json, "type", "");
  if (type.empty())
    type = json.contains("merges") ? "BPE" : json.contains("unk_id") ? "Unigram" : "WordPiece";
  if (type == "WordLevel") return std::make_unique<WordLevelModel>(json, where);
  if (type == "WordPiece") return std::make_unique<WordPieceModel>(json, where);
  if (type == "BPE") return std::make_unique<MergeModel>(json, where);
  if (type == "Unigram") return std::make_unique<UnigramModel>(json, where);
  throw Error(where, "its model " + shown(type) + " is not read");
}

}  // namespace glassformer::huggingface
