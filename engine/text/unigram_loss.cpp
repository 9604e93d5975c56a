#include "engine/text/unigram_loss.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "engine/text/unicode.h"

namespace glassformer {

BestCut best_cut(const std::vector<ScoredPiece>& pieces, const std::string& text,
                 std::optional<int> without) {
  constexpr double kUnknownPenalty = 10;
  std::unordered_map<std::string, int> ids;
  double least = 0;
  std::size_t longest = 1;
  for (std::size_t id = 0; id < pieces.size(); ++id) {
    least = std::min(least, pieces[id].log_p);
    if (without == static_cast<int>(id) || pieces[id].text.empty()) continue;
    ids.emplace(pieces[id].text, static_cast<int>(id));
    longest = std::max(longest, pieces[id].text.size());
  }

  // The best way to each place between letters, and the piece it ends with.
  struct Way {
    double log_p = -std::numeric_limits<double>::infinity();
    std::size_t from = 0;
    int piece = -1;
  };
  std::vector<Way> ways(text.size() + 1);
  ways[0].log_p = 0;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t next = start;
    next_code_point(text, next);
    const auto reach = [&](std::size_t end, double log_p, int piece) {
      const double sum = ways[start].log_p + log_p;
      if (sum > ways[end].log_p) ways[end] = {sum, start, piece};
    };
    bool letter_known = false;
    for (std::size_t end = next; end <= text.size() && end - start <= std::max(longest, next - start);) {
      const auto found = ids.find(text.substr(start, end - start));
      if (found != ids.end())
        reach(end, pieces[static_cast<std::size_t>(found->second)].log_p, found->second);
      letter_known = letter_known || (found != ids.end() && end == next);
      if (end == text.size()) break;
      next_code_point(text, end);
    }
    if (!letter_known) reach(next, least - kUnknownPenalty, -1);
    start = next;
  }

  BestCut best{.log_p = ways.back().log_p, .pieces = {}, .texts = {}};
  for (std::size_t end = text.size(); end > 0; end = ways[end].from) {
    best.pieces.push_back(ways[end].piece);
    best.texts.push_back(text.substr(ways[end].from, end - ways[end].from));
  }
  std::ranges::reverse(best.pieces);
  std::ranges::reverse(best.texts);
  return best;
}

std::optional<UnigramLosses> unigram_losses(const Tokenizer& tokenizer, const std::string& text) {
  if (tokenizer.kind() != TokenizerKind::unigram) return std::nullopt;
  const std::string mark(kWordStart);
  std::vector<ScoredPiece> pieces;
  for (int id = 0; id < tokenizer.size(); ++id) {
    const std::optional<double> score = tokenizer.score(id);
    if (!score) continue;
    const std::string shown = tokenizer.piece(id);
    const bool marked = tokenizer.starts_word(id) && shown != mark;
    pieces.push_back({(marked ? mark : "") + shown, *score});
  }
  std::string marked;
  for (const std::string& word : split_words(tokenizer.normalized(text))) marked += mark + word;
  if (pieces.empty() || marked.empty()) return std::nullopt;

  UnigramLosses losses{.cut = best_cut(pieces, marked), .pieces = {}};
  std::unordered_map<int, std::size_t> places;
  for (const int piece : losses.cut.pieces) {
    if (piece < 0) continue;
    const auto [place, fresh] = places.emplace(piece, losses.pieces.size());
    if (fresh) {
      const BestCut other = best_cut(pieces, marked, piece);
      const ScoredPiece& scored = pieces[static_cast<std::size_t>(piece)];
      losses.pieces.push_back({.text = scored.text,
                               .times = 0,
                               .log_p = scored.log_p,
                               .loss = losses.cut.log_p - other.log_p,
                               .instead = other.texts});
    }
    ++losses.pieces[place->second].times;
  }
  return losses;
}

}  // namespace glassformer
