#include "engine/export/tokenizer_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "engine/math/error.h"
#include "engine/text/huggingface.h"
#include "engine/text/listed_pieces.h"
#include "engine/text/sentencepiece.h"
#include "engine/text/sign_escape.h"
#include "engine/text/unicode.h"
#include "engine/text/vocabulary.h"
#include "engine/text/word_piece.h"

namespace glassformer {

namespace {

using nlohmann::json;

std::string hidden_name(int id, const SpecialIds& special) {
  const std::string name = special_name(id, special);
  return name.empty() ? name : name + " ";
}

std::vector<std::string> lines_of(const std::string& bytes) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    lines.push_back(bytes.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// In the order of the ids, spelled as tokenizer.json has them. Of doubled ones only one is ever cut: the
// other gets a name that no text can spell.
std::vector<std::string> spelled(const Tokenizer& tokenizer, std::vector<std::string> pieces) {
  const bool inside_marks = tokenizer.kind() == TokenizerKind::word_piece;
  std::set<std::string> seen;
  const auto spell = [&](std::size_t id) {
    std::string& piece = pieces[id];
    if (inside_marks && is_inside_piece(piece)) piece = " " + piece.substr(kInsideMark.size());
    if (const std::string name = hidden_name(static_cast<int>(id), tokenizer.special()); !name.empty())
      piece = name;
    else if (piece.empty() || !seen.insert(piece).second)
      piece = std::to_string(id) + " ";
  };
  const std::size_t count = pieces.size();
  for (std::size_t i = 0; i < count; ++i) spell(inside_marks ? count - 1 - i : i);  // there the last counts
  return pieces;
}

json ids_of(const std::vector<std::string>& pieces) {
  json ids = json::object();
  for (std::size_t id = 0; id < pieces.size(); ++id) ids[pieces[id]] = id;
  return ids;
}

// Sentencepiece joins what makes the best piece, whichever two parts make it: here a line for any two.
json merges_of(const Tokenizer& tokenizer, const std::vector<std::string>& pieces) {
  const std::set<std::string> known(pieces.begin(), pieces.end());
  std::vector<int> order;
  for (int id = 0; id < tokenizer.size(); ++id)
    if (tokenizer.score(id)) order.push_back(id);
  std::ranges::stable_sort(order, [&](int a, int b) { return *tokenizer.score(a) > *tokenizer.score(b); });
  json merges = json::array();
  for (const int id : order) {
    const std::string& piece = pieces[static_cast<std::size_t>(id)];
    for (std::size_t at = 0; at < piece.size();) {
      next_code_point(piece, at);
      if (at < piece.size() && known.contains(piece.substr(0, at)) && known.contains(piece.substr(at)))
        merges.push_back({piece.substr(0, at), piece.substr(at)});
    }
  }
  return merges;
}

// What sentencepiece does with a text before it cuts, and what this program does before that.
json sentencepiece_normalizer(const std::vector<std::string>& pieces) {
  const auto knows = [&](std::string_view sign) { return std::ranges::find(pieces, sign) != pieces.end(); };
  json steps = json::array();
  const auto replace = [&](std::string_view from, std::string_view to) {
    steps.push_back({{"type", "Replace"}, {"pattern", {{"String", from}}}, {"content", to}});
  };
  for (const std::string_view sign : {kBlankStandIn, kUnknownStandIn, kBracketStandIn})
    replace(sign, "\uFFFD");
  replace(kWordStart, kBlankStandIn);
  if (knows(kUnknownStandIn)) replace("▅", kUnknownStandIn);
  if (knows(kBracketStandIn))
    for (const std::string name : {"<s>", "</s>", "<unk>", "<pad>"})
      replace(name, std::string(kBracketStandIn) + name.substr(1));
  steps.push_back({{"type", "Prepend"}, {"prepend", kWordStart}});
  replace(" ", kWordStart);
  return {{"type", "Sequence"}, {"normalizers", steps}};
}

bool is_own(const Tokenizer& tokenizer) {
  if (is_huggingface(tokenizer) || !tokenizer.list_bytes().empty() || tokenizer.reads_as_typed())
    return false;
  if (tokenizer.cuts_signs_apart()) return false;
  // One that was learned here folds no signs, and cuts words at blanks alone.
  if (tokenizer.kind() == TokenizerKind::word_piece)
    return std::ranges::count(tokenizer.encode("a,a"), true, &Piece::word_start) == 1;
  return !is_sentencepiece(tokenizer) ||
         (cuts_into_pieces(tokenizer.kind()) && tokenizer.normalized("ﬁ ½") == "ﬁ ½");
}

}  // namespace

json tokenizer_json(const Tokenizer& tokenizer) {
  if (!is_own(tokenizer))
    throw Error("tokenizer",
                "others made it, and the page cuts text only as tokenizers learned in this program do; "
                "--to onnx writes the model without the page");
  const bool pieces_of_text = is_sentencepiece(tokenizer);
  const std::string bytes = tokenizer.bytes();
  const std::vector<std::string> pieces =
      spelled(tokenizer, pieces_of_text ? own_pieces(bytes, "tokenizer") : lines_of(bytes));
  const std::string unknown = hidden_name(tokenizer.special().unk, tokenizer.special());
  json model{{"unk_token", unknown}}, normalizer, pre_tokenizer;
  if (pieces_of_text) normalizer = sentencepiece_normalizer(pieces);
  switch (tokenizer.kind()) {
    case TokenizerKind::bpe:
      model.update({{"type", "BPE"}, {"fuse_unk", true}, {"merges", merges_of(tokenizer, pieces)}});
      break;
    case TokenizerKind::unigram: {
      json scored = json::array();
      for (int id = 0; id < tokenizer.size(); ++id)
        scored.push_back({pieces[static_cast<std::size_t>(id)], tokenizer.score(id).value_or(0)});
      model = {{"type", "Unigram"}, {"unk_id", tokenizer.special().unk}, {"vocab", scored}};
      break;
    }
    case TokenizerKind::word_piece:
      model.update({{"type", "WordPiece"},
                    {"continuing_subword_prefix", " "},
                    {"max_input_chars_per_word", 1'000'000}});
      break;
    case TokenizerKind::word:
      model.update({{"type", "WordLevel"}});
      break;
    case TokenizerKind::character:  // a model without merges
      model.update({{"type", "BPE"}, {"fuse_unk", false}, {"merges", json::array()}});
      break;
  }
  if (!model.contains("vocab")) model["vocab"] = ids_of(pieces);
  if (tokenizer.kind() == TokenizerKind::word_piece || tokenizer.kind() == TokenizerKind::word)
    pre_tokenizer = {{"type", "WhitespaceSplit"}};
  return {{"version", "1.0"},
          {"truncation", nullptr},
          {"padding", nullptr},
          {"added_tokens", json::array()},
          {"normalizer", normalizer},
          {"pre_tokenizer", pre_tokenizer},
          {"post_processor", nullptr},
          {"decoder", nullptr},
          {"model", model}};
}

std::string about_other_cuts(const Tokenizer& tokenizer) {
  switch (tokenizer.kind()) {
    case TokenizerKind::bpe:
      return "A word that repeats some letters (as in “anana”) may be cut here into other pieces than in "
             "Glassformer.";
    case TokenizerKind::unigram:
      return "Where two ways of cutting a word are about equally likely, the pieces here may be others than "
             "in "
             "Glassformer, which computes with fewer digits.";
    default:
      return {};
  }
}

}  // namespace glassformer
