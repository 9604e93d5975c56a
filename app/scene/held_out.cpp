#include "app/scene/held_out.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/files/json_file.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/model/weights_file.h"
#include "engine/recurrent/recurrent_decoder.h"
#include "engine/train/evaluation.h"
#include "engine/train/run_data.h"

namespace glassformer {

namespace {

constexpr std::size_t kSentences = 4;
constexpr std::size_t kFewestTokens = 4, kMostTokens = 10;
constexpr const char* kFile = "held-out.json";

const std::vector<EncodedPair>& pairs_of(const TrainingSet& data) {
  return data.validation.empty() ? data.training : data.validation;
}

// As the file has it where that is known: ids spell what the pieces do not know as unknown.
SentencePair text_of(const TrainingSet& data, std::size_t place) {
  if (!data.validation.empty() && place < data.validation_text.size()) return data.validation_text[place];
  const EncodedPair& ids = pairs_of(data)[place];
  return {data.tokenizers.source->decode(ids.source), data.tokenizers.target->decode(ids.target)};
}

// Where another program trained: its ids, which the folder's `target` spells once one is asked for.
std::string translation_of(const nlohmann::json& attempt, const std::string& folder,
                           std::shared_ptr<const Tokenizer>& target) {
  if (!attempt.contains("ids")) return attempt.at("translation");
  const std::vector<int> ids = attempt.at("ids");
  if (!target) target = load_tokenizers(folder, read_config(folder)).target;
  if (!target || std::ranges::any_of(ids, [&](int id) { return id < 0 || id >= target->size(); }))
    throw Error(kFile, "ids");
  return target->decode(ids);
}

}  // namespace

std::vector<HeldOutSentence> held_out_sentences(const TrainingSet& data) {
  std::vector<HeldOutSentence> chosen;
  if (!data.tokenizers.source || !data.tokenizers.target) return chosen;
  std::set<std::vector<int>> sources;
  for (const bool any_length : {false, true}) {
    for (std::size_t i = 0; i < pairs_of(data).size(); ++i) {
      const EncodedPair& pair = pairs_of(data)[i];
      if (chosen.size() == kSentences) return chosen;
      const bool middling = pair.source.size() >= kFewestTokens && pair.source.size() <= kMostTokens;
      if ((middling || any_length) && sources.insert(pair.source).second) {
        chosen.push_back({text_of(data, i), pair.source, {}});
      }
    }
  }
  return chosen;
}

template <class Model>
void translate_held_out(const SnapshotOf<Model>& snapshot, const Tokenizers& tokenizers,
                        std::vector<HeldOutSentence>& sentences, const std::function<bool()>& keep_going) {
  std::vector<std::vector<int>> sources;
  for (const HeldOutSentence& sentence : sentences)
    sources.push_back(source_row(sentence.source_ids, snapshot.config));
  const std::vector<DecodeResult> results = decode(*snapshot.weights, sources, DecodeOptions{}, keep_going);
  if (!keep_going()) return;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    auto& attempts = sentences[i].attempts;
    if (!attempts.empty() && attempts.back().step == snapshot.step) attempts.pop_back();
    attempts.push_back({snapshot.step, tokenizers.target->decode(results[i].ids)});
  }
}
template void translate_held_out(const Snapshot&, const Tokenizers&, std::vector<HeldOutSentence>&,
                                 const std::function<bool()>&);
template void translate_held_out(const SnapshotOf<RecurrentModel<float>>&, const Tokenizers&,
                                 std::vector<HeldOutSentence>&, const std::function<bool()>&);

void keep_held_out(const std::string& folder, const std::vector<HeldOutSentence>& sentences) {
  nlohmann::json all = nlohmann::json::array();
  for (const HeldOutSentence& sentence : sentences) {
    nlohmann::json attempts = nlohmann::json::array();
    for (const auto& attempt : sentence.attempts)
      attempts.push_back({{"step", attempt.step}, {"translation", attempt.translation}});
    all.push_back(
        {{"source", sentence.pair.source}, {"target", sentence.pair.target}, {"attempts", attempts}});
  }
  OwnedFolder(folder, names_of_older_run(folder), OwnedFolder::Use::beside).write(kFile, all.dump() + "\n");
}

std::vector<HeldOutSentence> kept_held_out(const std::string& folder) {
  std::vector<HeldOutSentence> kept;
  std::shared_ptr<const Tokenizer> target;
  try {
    for (const nlohmann::json& each : read_json(folder + "/" + kFile)) {
      HeldOutSentence& sentence = kept.emplace_back();
      sentence.pair = {each.at("source").get<std::string>(), each.at("target").get<std::string>()};
      for (const nlohmann::json& attempt : each.at("attempts"))
        sentence.attempts.push_back(
            {attempt.at("step").get<long>(), translation_of(attempt, folder, target)});
      if (!std::ranges::is_sorted(sentence.attempts, {}, &HeldOutSentence::Attempt::step)) return {};
    }
  } catch (const std::exception&) {
    return {};  // the run continues without them
  }
  return kept;
}

void take_attempts(std::vector<HeldOutSentence>& sentences, const std::vector<HeldOutSentence>& kept,
                   long last_step) {
  for (HeldOutSentence& sentence : sentences) {
    for (const HeldOutSentence& before : kept) {
      if (before.pair.source != sentence.pair.source || before.pair.target != sentence.pair.target) continue;
      for (const auto& attempt : before.attempts)
        if (attempt.step <= last_step) sentence.attempts.push_back(attempt);
    }
  }
}

bool worth_a_look(long step) {
  if (step == 0) return true;
  if (step % 25 != 0) return false;
  const long quarter = step / 25;
  return (quarter & (quarter - 1)) == 0;
}

}  // namespace glassformer
