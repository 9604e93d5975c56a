#include "app/session/unfamiliar_words.h"

#include <algorithm>
#include <exception>

#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

// Letters or signs that follow each other.
struct Stretch {
  bool letters;
  std::string_view text;
};

std::vector<Stretch> stretches(std::string_view text) {
  std::vector<Stretch> found;
  for (size_t end = 0; end < text.size();) {
    const size_t start = end;
    const bool letter = is_letter(next_code_point(text, end));
    if (found.empty() || found.back().letters != letter) found.push_back({letter, text.substr(start, 0)});
    found.back().text = {found.back().text.data(), text.data() + end};
  }
  return found;
}

}  // namespace

std::vector<CutWord> cut_words(const Tokenizer& tokenizer, const std::string& text) {
  if (!cuts_into_pieces(tokenizer.kind())) return {};

  // Pieces of letters that follow each other belong to one word.
  struct Letters {
    CutWord word;
    bool unknown = false;
  };
  std::vector<Letters> runs;
  bool open = false;
  for (const Piece& piece : tokenizer.encode(text)) {
    // A word-start mark may be a piece of its own.
    const std::string shown =
        piece.text.starts_with(kWordStart) ? piece.text.substr(kWordStart.size()) : piece.text;
    if (piece.word_start) open = false;
    for (const Stretch& stretch : stretches(shown)) {
      if (stretch.letters) {
        if (!open) runs.emplace_back();
        runs.back().word.text += stretch.text;
        runs.back().word.pieces.emplace_back(stretch.text);
        runs.back().unknown = runs.back().unknown || piece.unknown;
      }
      open = stretch.letters;
    }
  }
  std::vector<CutWord> words;
  for (Letters& run : runs)
    if (!run.unknown && run.word.pieces.size() > 1 && std::ranges::find(words, run.word) == words.end())
      words.push_back(std::move(run.word));
  return words;
}

WordSet words_in(const std::string& text) {
  WordSet words;
  for (const Stretch& stretch : stretches(text))
    if (stretch.letters) words.emplace(stretch.text);
  return words;
}

namespace {

TrainingText::Side side_of(const std::vector<SentencePair>& pairs, std::string SentencePair::*text,
                           const Tokenizer* tokenizer) {
  constexpr size_t kMostLines = 3000;
  TrainingText::Side side;
  const size_t every = pairs.size() / kMostLines + 1;
  for (size_t i = 0; i < pairs.size(); i += every) side.lines.push_back(pairs[i].*text);
  WordSet written;
  for (const SentencePair& pair : pairs) written.merge(words_in(pair.*text));
  for (const std::string& word : written)
    side.words.merge(words_in(tokenizer != nullptr ? tokenizer->normalized(word) : word));
  return side;
}

}  // namespace

TrainingText training_text_of(const DataOptions& data, const Tokenizers& tokenizers) {
  DataOptions here = data;
  resolve_paths(here.training);
  for (std::string* path : {&here.leave_out, &here.source_embedding, &here.target_embedding})
    *path = resolved(*path);
  try {
    constexpr std::size_t kMostHeldOut = 1000;
    PlainPairs pairs = plain_pairs(here);
    if (pairs.validation.size() > kMostHeldOut) pairs.validation.resize(kMostHeldOut);
    return {.source = side_of(pairs.training, &SentencePair::source, tokenizers.source.get()),
            .target = side_of(pairs.training, &SentencePair::target, tokenizers.target.get()),
            .held_out = std::move(pairs.validation)};
  } catch (const std::exception&) {
    return {};  // the data are gone, or there is no room for them: nothing can be said
  }
}

std::string words_about(const std::vector<CutWord>& words, const WordSet& seen) {
  constexpr size_t kNamed = 3;  // as named_words has it
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

bool mostly_of_target(const WordSet& words, const TrainingText& seen) {
  const auto of_target = std::ranges::count_if(words, [&](const std::string& word) {
    return seen.target.words.contains(word) && !seen.source.words.contains(word);
  });
  return 2 * static_cast<size_t>(of_target) > words.size();
}

}  // namespace glassformer
