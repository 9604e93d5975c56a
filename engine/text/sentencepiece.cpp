#include "engine/text/sentencepiece.h"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/clean.h"
#include "engine/text/sign_escape.h"
#include "engine/text/unicode.h"
#include "engine/text/vocabulary.h"

namespace glassformer {
namespace {

constexpr std::size_t kMostTrainingBytes = std::size_t{64} << 20;  // more text is sampled evenly

std::string without_marks(std::string_view piece) {
  std::string text;
  for (std::size_t i = 0; i < piece.size();) {
    if (piece.substr(i, kWordStart.size()) == kWordStart) {
      i += kWordStart.size();
    } else {
      text += piece[i++];
    }
  }
  return text;
}

class SentencepieceTokenizer final : public Tokenizer {
 public:
  // `own`: learned here, where private characters replace the library's own signs.
  SentencepieceTokenizer(std::unique_ptr<sentencepiece::SentencePieceProcessor> processor, TokenizerKind kind,
                         std::string bytes, SpecialIds special, bool own)
      : Tokenizer(special),
        processor_(std::move(processor)),
        kind_(kind),
        bytes_(std::move(bytes)),
        own_(own) {
    const auto knows = [&](std::string_view stand_in) {
      return !processor_->IsUnknown(processor_->PieceToId(stand_in));
    };
    // A blank sign that the model does not know is reported as unknown; the library would read it as a blank.
    escapes_ = {
        .blank = own, .unknown = own && knows(kUnknownStandIn), .bracket = own && knows(kBracketStandIn)};
    // Pairs are joined to longer pieces of the vocabulary alone: where none reaches over a blank, none is.
    words_apart_ = kind == TokenizerKind::bpe && knows(kWordStart);
    for (int id = 0; id < processor_->GetPieceSize(); ++id)
      words_apart_ = words_apart_ && processor_->IdToPiece(id).rfind(kWordStart) + 1 <= 1;
    // And where a word is cut alike at the beginning of a text and behind one blank or several.
    const auto ids = [&](std::string_view text) {
      std::vector<int> found;
      for (const Piece& piece : encode(text)) found.push_back(piece.id);
      return found;
    };
    std::vector<int> twice = ids("a");
    for (const int id : ids("a")) twice.push_back(id);
    words_apart_ = words_apart_ && ids("a a") == twice && ids("a  a") == twice;
  }

  TokenizerKind kind() const override { return kind_; }
  int size() const override { return processor_->GetPieceSize(); }

  std::string normalized(std::string_view text) const override {
    std::string joined;
    const auto encoded = processor_->EncodeAsImmutableProto(escaped_signs(cleaned(text), escapes_));
    for (const auto& part : encoded.pieces()) joined += part.piece();
    std::string result;
    for (std::size_t i = 0; i < joined.size();) {
      const bool blank = std::string_view(joined).substr(i, kWordStart.size()) == kWordStart;
      result += blank ? ' ' : joined[i];
      i += blank ? kWordStart.size() : 1;
    }
    return plain(std::string(trimmed(result)));
  }

  std::vector<Piece> encode(std::string_view text) const override {
    std::vector<Piece> pieces;
    const std::string clean = escaped_signs(cleaned(text), escapes_);
    const auto encoded = processor_->EncodeAsImmutableProto(clean);
    pieces.reserve(encoded.pieces_size());
    for (const auto& part : encoded.pieces()) {
      const int id = static_cast<int>(part.id());
      const bool unknown = processor_->IsUnknown(id) || is_special(id);
      Piece piece{.id = unknown ? special().unk : id,
                  .text = without_marks(unknown ? part.surface() : part.piece()),
                  .word_start = part.piece().starts_with(kWordStart),
                  .unknown = unknown,
                  .byte = !unknown && processor_->IsByte(id)};
      if (unknown) piece.text = std::string(trimmed(piece.text));
      piece.text = piece.text.empty() ? std::string(kWordStart) : plain(piece.text);
      pieces.push_back(std::move(piece));
    }
    return pieces;
  }

  bool cuts_words_apart() const override { return words_apart_; }

  std::string decode(const std::vector<int>& ids) const override {
    // As the library writes: with the sign that the model has for what is unknown.
    if (!own_) {
      std::vector<int> known;
      std::ranges::copy_if(ids, std::back_inserter(known), [&](int id) { return id >= 0 && id < size(); });
      return processor_->DecodeIds(known);
    }
    std::string text;
    std::vector<int> known;
    const auto flush = [&] {
      if (known.empty()) return;
      // The library drops the blank in front of what it is given; between parts it has a meaning.
      if (!text.empty() && starts_word(known.front())) text += ' ';
      text += processor_->DecodeIds(known);
      known.clear();
    };
    for (const int id : ids) {
      if (id == special().pad || id == special().bos || id == special().eos) continue;
      if (id >= 0 && id < size() && id != special().unk && !processor_->IsControl(id) &&
          !processor_->IsUnknown(id)) {
        known.push_back(id);
        continue;
      }
      flush();
      if (id >= 0 && id < size() && processor_->IsControl(id) && id != special().unk) continue;
      text += kUnknownText;
    }
    flush();
    return unescaped_signs(std::move(text));
  }

  std::string piece(int id) const override {
    const std::string name = special_name(id, special());
    if (!name.empty() || id < 0 || id >= size()) return name;
    const std::string text = without_marks(processor_->IdToPiece(id));
    return text.empty() ? std::string(kWordStart) : plain(text);
  }

  bool starts_word(int id) const override {
    return id >= 0 && id < size() && !is_special(id) && processor_->IdToPiece(id).starts_with(kWordStart);
  }

  std::optional<double> score(int id) const override {
    if (id < 0 || id >= size() || is_special(id)) return std::nullopt;
    return static_cast<double>(processor_->GetScore(id));
  }

  std::string bytes() const override { return bytes_; }

 private:
  std::string plain(const std::string& text) const {
    if (own_) return unescaped_signs(text);
    return text;
  }
  bool is_special(int id) const {
    return !special_name(id, special()).empty() || (id >= 0 && id < size() && processor_->IsControl(id));
  }

  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  TokenizerKind kind_;
  std::string bytes_;
  bool own_;
  SignEscapes escapes_;
  bool words_apart_ = false;
};

// Hands the lines to the library, every n-th when there is more text than it needs.
class LineIterator final : public sentencepiece::SentenceIterator {
 public:
  explicit LineIterator(const std::vector<std::string>& lines) : lines_(lines) {
    std::size_t bytes = 0;
    for (const std::string& line : lines) bytes += line.size();
    stride_ = bytes / kMostTrainingBytes + 1;
    clean();
  }
  bool done() const override { return position_ >= lines_.size(); }
  void Next() override {
    position_ += stride_;
    clean();
  }
  const std::string& value() const override { return current_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  void clean() {
    if (position_ < lines_.size()) current_ = escaped_signs(cleaned(lines_[position_]));
  }

  const std::vector<std::string>& lines_;
  std::size_t stride_ = 1, position_ = 0;
  std::string current_;
};

struct TrainingCall {
  const char* type;
  int size;
  bool exact;  // this size and no other; else at most this
};

sentencepiece::util::Status train(const std::vector<std::string>& lines, const TrainingCall& call,
                                  std::string& bytes) {
  LineIterator iterator(lines);
  const std::unordered_map<std::string, std::string> options = {
      {"model_type", call.type},
      {"vocab_size", std::to_string(call.size)},
      {"hard_vocab_limit", call.exact ? "true" : "false"},
      {"pad_id", "0"},
      {"unk_id", "1"},
      {"bos_id", "2"},
      {"eos_id", "3"},
      {"character_coverage", "1.0"},
      {"normalization_rule_name",
       "identity"},          // the text is clean; the default's table is 237 kB in every model
      {"num_threads", "1"},  // more give other models
      {"max_sentence_length", "1000000"},
      {"minloglevel", "2"},
  };
  return sentencepiece::SentencePieceTrainer::Train(options, &iterator, &bytes);
}

int trained_size(const std::string& bytes) {
  sentencepiece::SentencePieceProcessor processor;
  return processor.LoadFromSerializedProto(bytes).ok() ? processor.GetPieceSize() : 0;
}

// Grows with the square root of the text, about 6 000 for 360 000 words, while half the different words could
// stay whole.
int suitable_size(const std::vector<std::string>& lines, int smallest) {
  constexpr double kMost = 8000, kBytesPerWord = 8;  // the latter for scripts that leave no blanks
  constexpr int kBesideCharacters = 500;
  std::unordered_set<std::string> different;
  double words = 0;
  for (const std::string& line : lines) {
    std::vector<std::string> found = split_words(line);
    words += std::max(static_cast<double>(found.size()), static_cast<double>(line.size()) / kBytesPerWord);
    for (std::string& word : found) different.insert(std::move(word));
  }
  const int wanted = static_cast<int>(std::min(10.0 * std::sqrt(words), kMost));
  const int half = static_cast<int>(std::min(different.size() / 2, static_cast<std::size_t>(kMost)));
  return std::min(std::max(wanted, smallest + kBesideCharacters), smallest + half);
}

int largest_size(const std::vector<std::string>& lines, const char* type) {
  std::string bytes;
  constexpr int kPlenty = 1 << 20;
  return train(lines, {type, kPlenty, false}, bytes).ok() ? trained_size(bytes) : 0;
}

}  // namespace

int smallest_sentencepiece(const std::vector<std::string>& lines) {
  // Learning characters is quick, never exits the process (unigram does on text without any), and counts
  // them.
  std::string bytes;
  const bool learned = train(lines, {"char", 1 << 21, false}, bytes).ok();
  const int size = learned ? trained_size(bytes) : 0;
  if (size <= kSpecials + 1) {  // at most the blank
    throw Error("tokenizer", "the text holds nothing to learn pieces from; give text with words");
  }
  return size;
}

std::shared_ptr<const Tokenizer> train_sentencepiece(const std::vector<std::string>& lines,
                                                     TokenizerKind kind, int pieces) {
  const char* type = kind == TokenizerKind::bpe ? "bpe" : "unigram";
  const int smallest = smallest_sentencepiece(lines);
  std::string bytes;
  bool learned = false;
  if (pieces == 0) {
    learned = train(lines, {type, suitable_size(lines, smallest), false}, bytes).ok();
  } else if (pieces >= smallest) {
    learned = train(lines, {type, pieces, true}, bytes).ok();
  }
  if (!learned) {
    const int largest = largest_size(lines, type);
    if (largest == 0)
      throw Error("tokenizer", "sentencepiece cannot learn " + std::string(type) +
                                   " pieces from this text; give more text, or take words or characters");
    throw Error("tokenizer", std::to_string(pieces) + " " + type +
                                 " pieces were asked for; this text allows " + std::to_string(smallest) +
                                 " to " + std::to_string(largest) + ", the four special tokens included");
  }
  return load_sentencepiece(bytes, SpecialIds{}, "tokenizer");
}

namespace {

std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_of(const std::string& bytes,
                                                                    const std::string& where) {
  auto processor = std::make_unique<sentencepiece::SentencePieceProcessor>();
  const auto refuse = [&](const std::string& reason) {
    throw Error(where, "this is not a sentencepiece model that can be used (" + reason +
                           "); expected the file that sentencepiece's training writes");
  };
  try {
    const auto status = processor->LoadFromSerializedProto(bytes);
    if (!status.ok()) refuse(status.error_message());
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    refuse(error.what());
  }
  return processor;
}

}  // namespace

std::shared_ptr<const Tokenizer> load_sentencepiece(const std::string& bytes, const SpecialIds& special,
                                                    const std::string& where) {
  const TokenizerKind kind = check_sentencepiece_bytes(bytes, where);
  return std::make_shared<SentencepieceTokenizer>(processor_of(bytes, where), kind, bytes, special, true);
}

bool is_sentencepiece(const Tokenizer& tokenizer) {
  return dynamic_cast<const SentencepieceTokenizer*>(&tokenizer) != nullptr;
}

std::shared_ptr<const Tokenizer> load_sentencepiece(const std::string& bytes, const std::string& where) {
  const TokenizerKind kind = check_sentencepiece_bytes(bytes, where);
  auto processor = processor_of(bytes, where);
  const SpecialIds special{.pad = processor->pad_id(),
                           .unk = processor->unk_id(),
                           .bos = processor->bos_id(),
                           .eos = processor->eos_id()};
  return std::make_shared<SentencepieceTokenizer>(std::move(processor), kind, bytes, special, false);
}

}  // namespace glassformer
