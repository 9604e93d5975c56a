#include "app/session/held_out.h"

#include <algorithm>
#include <set>

#include "engine/train/evaluation.h"

namespace glassformer {

namespace {

constexpr std::size_t kSentences = 4;
constexpr std::size_t kFewestTokens = 4, kMostTokens = 10;

}  // namespace

std::vector<HeldOutSentence> held_out_sentences(const TrainingSet& data) {
  std::vector<HeldOutSentence> chosen;
  std::set<std::string> sources;
  for (const bool any_length : {false, true}) {
    for (std::size_t i = 0; i < data.validation_text.size() && chosen.size() < kSentences; ++i) {
      const std::size_t tokens = data.validation[i].source.size();
      const bool middling = tokens >= kFewestTokens && tokens <= kMostTokens;
      if ((middling || any_length) && sources.insert(data.validation_text[i].source).second) {
        chosen.push_back({data.validation_text[i], {}});
      }
    }
  }
  return chosen;
}

void translate_held_out(const Snapshot& snapshot, const Tokenizers& tokenizers,
                        std::vector<HeldOutSentence>& sentences) {
  if (!tokenizers.source || !tokenizers.target) return;
  std::vector<std::vector<int>> sources;
  for (const HeldOutSentence& sentence : sentences) {
    std::vector<int> ids;
    for (const Piece& piece : tokenizers.source->encode(sentence.pair.source)) ids.push_back(piece.id);
    if (snapshot.config.source_eos) ids.push_back(snapshot.config.eos_id);
    sources.push_back(std::move(ids));
  }
  const std::vector<DecodeResult> results = decode(*snapshot.weights, sources, DecodeOptions{});
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    auto& attempts = sentences[i].attempts;
    if (!attempts.empty() && attempts.back().step == snapshot.step) attempts.pop_back();
    attempts.push_back({snapshot.step, tokenizers.target->decode(results[i].ids)});
  }
}

bool worth_a_look(long step) {
  if (step == 0) return true;
  if (step % 25 != 0) return false;
  const long quarter = step / 25;
  return (quarter & (quarter - 1)) == 0;
}

}  // namespace glassformer
