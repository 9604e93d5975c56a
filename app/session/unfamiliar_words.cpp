#include "app/session/unfamiliar_words.h"

#include <algorithm>
#include <exception>

#include "app/session/paths.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr std::string_view kWordStart = "▁";

bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

}  // namespace

std::vector<CutWord> cut_words(const Tokenizer& tokenizer, const std::string& text) {
  if (tokenizer.kind() != TokenizerKind::bpe && tokenizer.kind() != TokenizerKind::unigram) return {};

  // Pieces of letters that follow each other belong to one word.
  struct Run {
    CutWord word;
    bool unknown = false;
  };
  std::vector<Run> runs;
  bool open = false;
  for (const Piece& piece : tokenizer.encode(text)) {
    // A word-start mark may be a piece of its own.
    const std::string shown =
        piece.text.starts_with(kWordStart) ? piece.text.substr(kWordStart.size()) : piece.text;
    if (shown.empty() || !std::ranges::all_of(shown, is_letter)) {
      open = false;
      continue;
    }
    if (!open || piece.word_start) runs.emplace_back();
    open = true;
    runs.back().word.text += shown;
    runs.back().word.pieces.push_back(shown);
    runs.back().unknown = runs.back().unknown || piece.unknown;
  }
  std::vector<CutWord> words;
  for (Run& run : runs)
    if (!run.unknown && run.word.pieces.size() > 1 && std::ranges::find(words, run.word) == words.end())
      words.push_back(std::move(run.word));
  return words;
}

WordSet words_in(const std::string& text) {
  WordSet words;
  for (auto from = text.begin(); from != text.end();) {
    from = std::find_if(from, text.end(), is_letter);
    const auto end = std::find_if_not(from, text.end(), is_letter);
    if (from != end) words.emplace(from, end);
    from = end;
  }
  return words;
}

WordSet source_words_of(const DataOptions& data) {
  DataSource source = data.training;
  for (std::string* path : {&source.grammar, &source.corpus, &source.source, &source.target})
    *path = resolved(*path);
  WordSet words;
  try {
    for (const SentencePair& pair : read_pairs(source, data.seed, data.limits).pairs)
      words.merge(words_in(pair.source));
  } catch (const std::exception&) {
    // The data are gone, or there is no room for them: nothing can be said.
  }
  return words;
}

std::string words_about(const std::vector<CutWord>& words, const WordSet& seen) {
  constexpr size_t kNamed = 3;
  std::vector<const CutWord*> fresh;
  for (const CutWord& word : words)
    if (!seen.contains(word.text)) fresh.push_back(&word);
  if (fresh.empty() || seen.empty()) return {};
  const size_t named = std::min(fresh.size(), kNamed);
  std::string names, pieces;
  for (size_t i = 0; i < named; ++i) {
    if (i > 0) {
      names += i + 1 == named && named == fresh.size() ? " and " : ", ";
      pieces += ", ";
    }
    names += "“" + fresh[i]->text + "”";
    for (size_t p = 0; p < fresh[i]->pieces.size(); ++p) pieces += (p > 0 ? "|" : "") + fresh[i]->pieces[p];
  }
  if (fresh.size() > named) {
    names += " and " + std::to_string(fresh.size() - named) + " more words";
    pieces += " …";
  }
  return "The model never saw " + names + " in training: it reads the pieces " + pieces +
         ", so the translation is a guess.";
}

}  // namespace glassformer
