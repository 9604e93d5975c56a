#include "app/session/unfamiliar_words.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "engine/math/ready.h"
#include "engine/text/reading.h"
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
    // A word-start mark may be a separate piece.
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

namespace {

// The target's tokenizer needs no more pieces for it: it may be of the target's language.
bool may_be_target(const Tokenizers& tokenizers, const std::string& text) {
  if (!tokenizers.target) return false;
  const std::vector<Piece> pieces = tokenizers.target->encode(text);
  return pieces.size() <= tokenizers.source->encode(text).size() &&
         std::ranges::none_of(pieces, &Piece::unknown);
}

std::string target_words(const ModelTitle& title) {
  if (title.source_language == "source" || title.target_language == "target")
    return "Most of these words are of the side that the model writes, not of the side that it reads.";
  return "Most of these words are " + title.target_language + "; the model reads " + title.source_language +
         " and writes " + title.target_language + ".";
}

}  // namespace

std::string about_target_words(const std::string& text, const Tokenizers& tokenizers, const ModelTitle& title,
                               const std::function<const TrainingText&()>& seen) {
  if (!tokenizers.source || !may_be_target(tokenizers, text)) return {};
  const WordSet words = words_in(tokenizers.source->normalized(text));
  return mostly_of_target(words, seen()) ? target_words(title) : std::string();
}

std::string TrainingWords::about(const std::string& text, const Source& source) {
  const std::vector<CutWord> cut = cut_words(*source.tokenizers.source, text);
  if (cut.empty() && !may_be_target(source.tokenizers, text)) return {};
  const std::shared_ptr<const TrainingText> seen = this->text(source);
  if (!seen) return {};
  const WordSet words = words_in(source.tokenizers.source->normalized(text));
  return mostly_of_target(words, *seen) ? target_words(source.title) : words_about(cut, seen->source.words);
}

std::shared_ptr<const TrainingText> TrainingWords::text(const Source& source) {
  // Asked in every frame: whether it may be read is looked up only where it would be.
  if (text_ && data_ == source.data) return text_;
  if (reading_.valid() || !source.may_read()) return nullptr;
  data_ = source.data;
  text_.reset();
  reading_ =
      std::async(std::launch::async, [data = data_, tokenizers = source.tokenizers, wake = source.wake] {
        TrainingText text = training_text_of(data, tokenizers);
        if (wake) wake();
        return text;
      });
  return nullptr;
}

bool TrainingWords::take() {
  if (!is_ready(reading_)) return false;
  text_ = std::make_shared<const TrainingText>(reading_.get());
  return true;
}

void add_sentence(std::string& words, const std::string& more) {
  if (!more.empty()) words += (words.empty() ? "" : " ") + more;
}

std::string about_reading(const SceneResult& result, const Tokenizers& tokenizers, bool typed_target) {
  const SceneSentence& sentence = result.scene.sentences.front();
  const Config& config = result.snapshot->config;
  std::string words;
  if (result.source_read != sentence.source)
    add_sentence(words, "Read as “" + result.source_read + "”: this model has seen small letters alone.");
  add_sentence(words, unknown_words_sentence(unknown_words(*tokenizers.source, result.source_read),
                                             format_count(config.source_vocab)));
  if (sentence.target && typed_target)
    add_sentence(words, unknown_words_sentence(unknown_words(*tokenizers.target, *sentence.target),
                                               format_count(config.target_vocab)));
  return words;
}

}  // namespace glassformer
