#include "engine/text/huggingface_model.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>

#include "engine/text/huggingface_stage.h"
#include "engine/text/unicode.h"

namespace glassformer::huggingface {

namespace {

constexpr int kMostIds = 1'000'000;
constexpr std::size_t kLongestPiece = 1000;  // bytes

void add_piece(PieceIds& ids, const std::string& piece, int id, const std::string& where) {
  if (piece.size() > kLongestPiece)
    throw Error(where, "a piece of " + std::to_string(piece.size()) + " bytes");
  ids.insert_or_assign(piece, id);
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
std::vector<CutPiece> bytes_as_pieces(const std::string& text, const PieceIds& ids) {
  std::vector<CutPiece> pieces;
  for (const char byte : text) {
    const auto found = ids.find(byte_name(static_cast<unsigned char>(byte)));
    if (found == ids.end()) return {};
    pieces.push_back({found->second, std::string(1, byte)});
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
  std::vector<CutPiece> cut(const std::string& word) const override {
    if (ids_.contains(word)) return {{id_of(word), word}};
    return unknown_ ? std::vector<CutPiece>{{id_of(*unknown_), word}} : std::vector<CutPiece>();
  }
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
  std::vector<CutPiece> cut(const std::string& word) const override {
    const std::vector<CutPiece> unknown = {{id_of(*unknown_), word}};
    if (std::ssize(code_points(word)) > longest_word_) return unknown;
    std::vector<CutPiece> pieces;
    for (std::size_t at = 0; at < word.size(); at += pieces.back().text.size()) {
      std::size_t length = std::min(word.size() - at, longest_);
      int id = -1;
      for (; length > 0; --length) {
        id = id_of((at > 0 ? prefix_ : "") + word.substr(at, length));
        if (id >= 0) break;
      }
      if (id < 0) return unknown;
      pieces.push_back({id, word.substr(at, length)});
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
    int rank = 0;
    for (const nlohmann::json& merge : *merges) {
      const bool version = merge.is_string() && merge.get_ref<const std::string&>().starts_with("#version");
      if (!version) add_merge(pair_of(merge, where), rank++, where);
    }
  }
  TokenizerKind kind() const override { return TokenizerKind::bpe; }
  std::vector<CutPiece> cut(const std::string& word) const override {
    if (whole_first_ && ids_.contains(word)) return {{id_of(word), word}};
    std::vector<CutPiece> pieces = beginnings(word);
    join(pieces);
    return pieces;
  }

 private:
  struct Merge {
    int rank, id;  // what comes of the two
  };
  static constexpr int kGone = -2;

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
  static std::uint64_t key_of(int left, int right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32U | static_cast<std::uint32_t>(right);
  }
  // Of a pair that is listed twice the later rank counts.
  void add_merge(const std::pair<std::string, std::string>& pair, int rank, const std::string& where) {
    const auto known = [&](const std::string& piece) {
      if (!ids_.contains(piece))
        throw Error(where, "a merge has the piece " + shown(piece) + ", which its vocabulary lacks");
      return id_of(piece);
    };
    const auto& [left, right] = pair;
    const std::uint64_t key = key_of(known(left), known(right));
    merges_.insert_or_assign(key,
                             Merge{rank, known(left + right.substr(std::min(prefix_.size(), right.size())))});
  }
  const Merge* merge_of(const CutPiece& left, const CutPiece& right) const {
    const auto found = merges_.find(key_of(left.id, right.id));
    return found == merges_.end() ? nullptr : &found->second;
  }

  // Letters, unknown ones as the model has them.
  std::vector<CutPiece> beginnings(const std::string& word) const {
    std::vector<CutPiece> pieces;
    const Words letters = letters_of(word);
    bool was_unknown = false;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const std::string piece =
          (i > 0 ? prefix_ : "") + letters[i] + (i + 1 == letters.size() ? suffix_ : "");
      const bool known = ids_.contains(piece);
      const std::vector<CutPiece> bytes =
          known || !bytes_ ? std::vector<CutPiece>() : bytes_as_pieces(piece, ids_);
      const bool unknown = !known && bytes.empty() && unknown_;
      if (known)
        pieces.push_back({id_of(piece), letters[i]});
      else if (unknown && fuses_ && was_unknown)
        pieces.back().text += letters[i];
      else if (unknown)
        pieces.push_back({id_of(*unknown_), letters[i]});
      pieces.insert(pieces.end(), bytes.begin(), bytes.end());
      was_unknown = unknown;
    }
    return pieces;
  }

  // The first merge of the list first, from the left. A pair that waits may be gone when its turn comes.
  void join(std::vector<CutPiece>& pieces) const {
    const std::size_t end = pieces.size();
    std::vector<std::size_t> before(end), after(end);
    for (std::size_t i = 0; i < end; ++i) before[i] = i == 0 ? end : i - 1, after[i] = i + 1;
    using Waiting = std::pair<int, std::size_t>;  // rank, and the left one of the two
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
    const auto merge_at = [&](std::size_t at) {
      return at < end && after[at] < end ? merge_of(pieces[at], pieces[after[at]]) : nullptr;
    };
    const auto wait_at = [&](std::size_t at) {
      if (const Merge* merge = merge_at(at)) waiting.emplace(merge->rank, at);
    };
    for (std::size_t i = 0; i < end; ++i) wait_at(i);
    while (!waiting.empty()) {
      const auto [rank, at] = waiting.top();
      waiting.pop();
      const Merge* merge = merge_at(at);
      if (!merge || merge->rank != rank) continue;
      CutPiece& right = pieces[after[at]];
      pieces[at] = {merge->id, pieces[at].text + right.text};
      right.id = kGone;
      after[at] = after[after[at]];
      if (after[at] < end) before[after[at]] = at;
      wait_at(before[at]), wait_at(at);
    }
    std::erase_if(pieces, [](const CutPiece& piece) { return piece.id == kGone; });
  }

  std::string prefix_, suffix_;
  bool bytes_, fuses_, whole_first_;
  std::unordered_map<std::uint64_t, Merge> merges_;  // of two ids
};

// The way through a word whose pieces' scores add up to most (Viterbi).
class UnigramModel final : public PieceModel {
 public:
  UnigramModel(const nlohmann::json& json, const std::string& where)
      : bytes_(flag_of(json, "byte_fallback", false)) {
    const auto vocab = json.find("vocab");
    if (vocab == json.end() || !vocab->is_array() || std::ssize(*vocab) > kMostIds)
      throw Error(where, "its model has no vocabulary");
    double lowest = std::numeric_limits<double>::infinity();
    for (const nlohmann::json& entry : *vocab) {
      if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
        throw Error(where, "a piece must be a text and its score, found " + shown(entry));
      const auto piece = entry[0].get<std::string>();
      add_piece(ids_, piece, static_cast<int>(scores_.size()), where);
      scores_.push_back(entry[1].get<double>());
      lowest = std::min(lowest, scores_.back());
      longest_ = std::max(longest_, piece.size());
    }
    const auto unknown = json.find("unk_id");
    if (unknown != json.end() && !unknown->is_null()) {
      if (scores_.empty()) throw Error(where, "its vocabulary is empty");
      unknown_id_ = whole<int>(*unknown, where, "unk_id", 0, static_cast<int>(scores_.size()) - 1);
      unknown_ = (*vocab)[static_cast<std::size_t>(unknown_id_)][0].get<std::string>();
    }
    unknown_score_ = lowest - 10;
  }
  TokenizerKind kind() const override { return TokenizerKind::unigram; }
  std::optional<double> score(int id) const override {
    return id >= 0 && id < std::ssize(scores_) ? std::optional(scores_[static_cast<std::size_t>(id)])
                                               : std::nullopt;
  }

  std::vector<CutPiece> cut(const std::string& word) const override {
    struct Way {
      double score = -std::numeric_limits<double>::infinity();
      std::size_t from = 0;
      int id = -1;
    };
    std::vector<Way> ways(word.size() + 1);
    ways[0].score = 0;
    for (std::size_t at = 0; at < word.size();) {
      std::size_t next = at;
      next_code_point(word, next);
      const auto reach = [&](std::size_t end, double score, int id) {
        if (ways[at].score + score > ways[end].score) ways[end] = {ways[at].score + score, at, id};
      };
      bool letter = false;
      for (std::size_t end = next; end <= std::min(word.size(), at + longest_); next_end(word, end)) {
        const int id = id_of(word.substr(at, end - at));
        if (id < 0) continue;
        letter = letter || end == next;
        reach(end, scores_[static_cast<std::size_t>(id)], id);
      }
      if (!letter) reach(next, unknown_score_, unknown_id_);
      at = next;
    }
    std::vector<CutPiece> backwards;  // unknown ones in a row are one
    for (std::size_t end = word.size(); end > 0; end = ways[end].from) {
      const std::string text = word.substr(ways[end].from, end - ways[end].from);
      const bool joins =
          ways[end].id == unknown_id_ && !backwards.empty() && backwards.back().id == unknown_id_;
      if (joins)
        backwards.back().text.insert(0, text);
      else
        backwards.push_back({ways[end].id, text});
    }
    return with_bytes({backwards.rbegin(), backwards.rend()});
  }

 private:
  static void next_end(const std::string& word, std::size_t& end) {
    if (end == word.size())
      ++end;
    else
      next_code_point(word, end);
  }
  // Unknown ones as their bytes where it has them.
  std::vector<CutPiece> with_bytes(std::vector<CutPiece> pieces) const {
    std::vector<CutPiece> result;
    for (CutPiece& piece : pieces) {
      const bool unknown = piece.id == unknown_id_;
      const auto bytes = unknown && bytes_ ? bytes_as_pieces(piece.text, ids_) : std::vector<CutPiece>();
      if (bytes.empty() && (unknown_ || !unknown)) result.push_back(std::move(piece));
      result.insert(result.end(), bytes.begin(), bytes.end());
    }
    return result;
  }

  bool bytes_;
  std::vector<double> scores_;
  int unknown_id_ = -1;
  std::size_t longest_ = 0;
  double unknown_score_ = 0;
};

}  // namespace

std::unique_ptr<PieceModel> read_piece_model(const nlohmann::json& json, const std::string& where) {
  if (!json.is_object()) throw Error(where, "it has no model");
  // Older files leave the type out: the settings imply it.
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
