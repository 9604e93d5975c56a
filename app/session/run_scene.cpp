#include "app/session/run_scene.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "app/session/measuring.h"
#include "engine/math/error.h"
#include "engine/model/optimizer.h"
#include "engine/model/trace.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

constexpr const char* kWhere = "sentence";
constexpr const char* kNothingTyped = "nothing to translate; type a sentence and press Enter";

std::vector<int> ids_of(const std::vector<Piece>& pieces) {
  std::vector<int> ids;
  ids.reserve(pieces.size());
  for (const Piece& piece : pieces) ids.push_back(piece.id);
  return ids;
}

// Counts as a person does: without bos and eos.
void check_length(std::size_t tokens, const Config& config, bool source) {
  const auto takes = static_cast<std::size_t>(config.max_length - (source ? config.source_specials() : 1));
  if (tokens > takes)
    throw Error(source ? kWhere : "target", too_long_sentence("the sentence", tokens, takes));
}

// The source as the model wants it, special tokens included where the model has them.
std::vector<int> source_ids(const std::vector<Piece>& pieces, const Config& config) {
  check_length(pieces.size(), config, true);
  return source_row(ids_of(pieces), config);
}

std::vector<int> without_eos(std::vector<int> ids, const Config& config) {
  if (!ids.empty() && ids.back() == config.eos_id) ids.pop_back();
  return ids;
}

// What the decoder is given and asked for: right words, typed or known, or what the model itself writes.
struct Target {
  std::vector<int> ids;  // without bos and eos
  TargetOrigin origin = TargetOrigin::model_output;
  std::vector<Piece> pieces;  // of given words
};

Target target_of(const SceneSentence& sentence, const DecodeResult& decoding, const Snapshot& snapshot,
                 const Tokenizer* tokenizer) {
  const Config& config = snapshot.config;
  const std::optional<std::string>& given = sentence.target ? sentence.target : sentence.reference;
  if (!given) return {without_eos(decoding.ids, config), TargetOrigin::model_output, {}};
  const std::vector<Piece> pieces = pieces_of(tokenizer, *given, config.target_vocab);
  check_length(pieces.size(), config, false);
  return {ids_of(pieces), sentence.target ? TargetOrigin::typed : TargetOrigin::reference, pieces};
}

std::string text_of(const Tokenizer* tokenizer, const Config& config, const std::vector<int>& ids) {
  const std::vector<int> kept = without_eos(ids, config);
  if (tokenizer != nullptr) return tokenizer->decode(kept);
  std::string text;
  for (const int id : kept) text += (text.empty() ? "" : " ") + std::to_string(id);
  return text;
}

}  // namespace

std::vector<Piece> pieces_of(const Tokenizer* tokenizer, const std::string& text, int vocabulary) {
  if (tokenizer != nullptr) return tokenizer->encode(text);
  std::vector<Piece> pieces;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    int id = 0;
    const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (failed != std::errc() || end != word.data() + word.size() || id < 0 || id >= vocabulary) {
      throw Error(kWhere, "this model has no tokenizer and reads numbers from 0 to " +
                              std::to_string(vocabulary - 1) + " between blanks; “" + word + "” is none");
    }
    pieces.push_back({.id = id, .text = word, .word_start = true, .unknown = false});
  }
  return pieces;
}

std::string word_of(const Tokenizer* tokenizer, const Config& config, int id) {
  if (id == config.pad_id) return "<pad>";
  if (id == config.bos_id) return "<bos>";
  if (id == config.eos_id) return "<eos>";
  return tokenizer != nullptr ? tokenizer->piece(id) : std::to_string(id);
}

std::vector<std::string> words_of(const Tokenizer* tokenizer, const Config& config,
                                  const std::vector<int>& ids) {
  std::vector<std::string> words;
  words.reserve(ids.size());
  for (const int id : ids) words.push_back(word_of(tokenizer, config, id));
  return words;
}

namespace {

// Ids of each sentence; what is shown of the first is put down.
std::vector<std::vector<int>> read_sources(SceneResult& result, const Tokenizer* tokenizer) {
  const Config& config = result.snapshot->config;
  if (result.scene.sentences.empty()) throw Error(kWhere, kNothingTyped);
  std::vector<std::vector<int>> sources;
  for (const SceneSentence& sentence : result.scene.sentences) {
    const std::string text = tokenizer != nullptr ? readable(*tokenizer, sentence.source) : sentence.source;
    const std::vector<Piece> pieces = pieces_of(tokenizer, text, config.source_vocab);
    if (sources.empty()) {
      result.source_read = text;
      if (pieces.empty()) throw Error(kWhere, kNothingTyped);
      result.source_pieces = pieces;
    }
    sources.push_back(source_ids(pieces, config));
  }
  return sources;
}

// Only the first sentence gets the chosen search; the others fill the batch.
std::vector<DecodeResult> translate(const SceneResult& result, const std::vector<std::vector<int>>& sources,
                                    const std::function<bool()>& keep_going) {
  const Transformer<float>& weights = *result.untouched_snapshot->weights;
  const WhatIf& what_if = result.scene.what_if;
  const ChangedModel<float> changed(weights, what_if, result.scene.substitutes);
  std::vector<DecodeResult> decodings = decode(changed, {sources.front()}, result.scene.decode, keep_going);
  if (sources.size() == 1) return decodings;
  const ChangedModel<float> of_others(weights, what_if.of_all_sentences(), result.scene.substitutes);
  const std::vector<std::vector<int>> others(sources.begin() + 1, sources.end());
  for (DecodeResult& decoding : decode(of_others, others, DecodeOptions{}, keep_going))
    decodings.push_back(std::move(decoding));
  return decodings;
}

// What the model is run on: source and target of each sentence, padded to one length as a batch is.
TraceInput trace_input(SceneResult& result, const std::vector<std::vector<int>>& sources,
                       const std::vector<DecodeResult>& decodings, const Tokenizer* tokenizer) {
  const Config& config = result.snapshot->config;
  TraceInput input;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Target target = target_of(result.scene.sentences[i], decodings[i], *result.snapshot, tokenizer);
    if (i == 0) {
      result.target_origin = target.origin;
      result.target_pieces = target.pieces;
    }
    input.sources.push_back(source_words(sources[i], config));
    input.targets.push_back(target.ids);
  }
  return input;
}

// Where the changed Scene writes the same words, the one without changes has passed them already.
template <class Record>
std::shared_ptr<const Trace> record_untouched(const SceneResult& result, const TraceInput& input,
                                              const Record& record) {
  if (!result.plain) return record();
  const auto& read = result.plain->trace->target_in;
  bool same = read.size() == input.targets.size();
  for (std::size_t i = 0; same && i < read.size(); ++i)
    same = std::ranges::equal(read[i].begin() + 1, read[i].end(), input.targets[i].begin(),
                              input.targets[i].end());
  return same ? result.plain->trace : record();
}

// The Scene without its changes, where an earlier result has it.
std::shared_ptr<const SceneResult> known_plain(const std::shared_ptr<const SceneResult>& before,
                                               const std::shared_ptr<const Snapshot>& snapshot,
                                               const Scene& scene) {
  if (!before || before->untouched_snapshot != snapshot) return nullptr;
  const Scene& known = before->scene;
  const bool same = known.sentences == scene.sentences && known.decode == scene.decode &&
                    known.smoothing == scene.smoothing;
  if (!same) return nullptr;
  return known.what_if.empty() ? before : before->plain;
}

std::shared_ptr<const ValueMeans> means_for(const SceneResult* before,
                                            const std::shared_ptr<const Snapshot>& snapshot,
                                            const std::shared_ptr<const Batch>& pairs) {
  const bool known = before && before->untouched_snapshot == snapshot && before->scene.held_out == pairs;
  if (known && before->scene.substitutes.means) return before->scene.substitutes.means;
  return std::make_shared<const ValueMeans>(mean_values(*snapshot->weights, *pairs));
}

TraceOptions trace_options(const SceneResult& result, const WhatIf& what_if) {
  return {.smoothing = result.scene.smoothing,
          .what_if = what_if,
          .substitutes = result.scene.substitutes,
          .gradients = false,
          .pad = true};
}

// With the what-ifs, and without them.
void record_traces(SceneResult& result, const TraceInput& input) {
  const WhatIf& what_if = result.scene.what_if;
  const auto record = [&](const WhatIf& changes) {
    return std::make_shared<const Trace>(
        record_trace(*result.untouched_snapshot->weights, input, trace_options(result, changes)));
  };
  result.untouched = record_untouched(result, input, [&] { return record({}); });
  result.trace = what_if.empty() ? result.untouched : record(what_if);
}

// The weights with those that were edited.
std::shared_ptr<const Snapshot> edited(const std::shared_ptr<const Snapshot>& snapshot,
                                       const WhatIf& what_if) {
  if (!what_if.has(ChangeKind::edit_parameter)) return snapshot;
  auto changed = std::make_shared<Snapshot>(*snapshot);
  changed->weights =
      std::make_shared<Transformer<float>>(ChangedModel<float>(*snapshot->weights, what_if).model());
  return changed;
}

void name_rows_and_columns(SceneResult& result, const Tokenizers& tokenizers) {
  const Config& config = result.snapshot->config;
  const Trace& trace = *result.trace;
  result.source_words = words_of(tokenizers.source.get(), config, trace.source.front());
  // An unknown word as typed.
  const size_t first = config.source_bos ? 1 : 0;
  for (size_t i = 0; i < result.source_pieces.size(); ++i) {
    if (trace.source.front()[first + i] == result.source_pieces[i].id)
      result.source_words[first + i] = result.source_pieces[i].text;
  }
  result.target_in_words = words_of(tokenizers.target.get(), config, trace.target_in.front());
  result.target_out_words = words_of(tokenizers.target.get(), config, trace.target_out.front());
  for (size_t i = 0; i < result.target_pieces.size(); ++i)
    result.target_in_words[i + 1] = result.target_out_words[i] = result.target_pieces[i].text;
}

}  // namespace

std::shared_ptr<const SceneResult> run_scene(const std::shared_ptr<const Snapshot>& snapshot,
                                             const Tokenizers& tokenizers, const Scene& scene,
                                             const std::function<bool()>& keep_going,
                                             const std::shared_ptr<const SceneResult>& before) {
  auto result = std::make_shared<SceneResult>();
  if (!scene.what_if.empty()) {
    result->plain = known_plain(before, snapshot, scene);
    if (!result->plain) {
      Scene plain = scene;
      plain.what_if = {};
      result->plain = run_scene(snapshot, tokenizers, plain, keep_going);
    }
    if (!result->plain) return nullptr;
  }
  result->untouched_snapshot = snapshot;
  result->snapshot = edited(snapshot, scene.what_if);
  result->scene = scene;
  Substitutes& substitutes = result->scene.substitutes;
  if (wants(scene.what_if, Replacement::mean) && scene.held_out)
    substitutes.means = means_for(before.get(), snapshot, scene.held_out);
  const std::vector<std::vector<int>> sources = read_sources(*result, tokenizers.source.get());
  const std::vector<DecodeResult> decodings = translate(*result, sources, keep_going);
  if (keep_going && !keep_going()) return nullptr;
  result->decoding = decodings.front();
  result->translation = text_of(tokenizers.target.get(), snapshot->config, result->decoding.ids);
  record_traces(*result, trace_input(*result, sources, decodings, tokenizers.target.get()));
  name_rows_and_columns(*result, tokenizers);
  return result;
}

std::shared_ptr<const SceneResult> with_leak(const SceneResult& result) {
  auto with = std::make_shared<SceneResult>(result);
  if (result.plain && !result.plain->unmasked) with->plain = with_leak(*result.plain);
  WhatIf leak = result.scene.what_if;
  if (leak.has(ChangeKind::causal_mask_off)) {
    with->unmasked = result.trace;
    return with;
  }
  leak.set(change_of(ChangeKind::causal_mask_off), true);
  // The words as read: a change that swaps some swaps them again.
  const Trace& read = *result.untouched;
  const Config& config = result.snapshot->config;
  TraceInput input;
  for (std::size_t i = 0; i < read.source.size(); ++i) {
    input.sources.push_back(source_words(read.source[i], config));
    input.targets.emplace_back(read.target_in[i].begin() + 1, read.target_in[i].end());
  }
  with->unmasked = std::make_shared<const Trace>(
      record_trace(*result.untouched_snapshot->weights, input, trace_options(result, leak)));
  return with;
}

// The backward pass of one sentence of a Scene, for the views that show gradients.
namespace {

TraceInput sentence_of(const Trace& trace, const Config& config, std::size_t at) {
  return {.sources = {source_words(trace.source[at], config)},
          .targets = {{trace.target_in[at].begin() + 1, trace.target_in[at].end()}}};
}

// The changes that concern this sentence, which is now the only one; its words are swapped already.
WhatIf changes_of(const WhatIf& all, int sentence) {
  WhatIf changes = sentence == 0 ? all : all.of_all_sentences();
  std::erase_if(changes.changes, [](const Change& change) { return change.kind == ChangeKind::swap_words; });
  return changes;
}

}  // namespace

std::shared_ptr<const SceneResult> with_gradients(const SceneResult& result, int sentence) {
  sentence = std::clamp(sentence, 0, static_cast<int>(result.trace->source.size()) - 1);
  const auto pass = [&](const Trace& trace, const Snapshot& weights, const WhatIf& what_if) {
    const TraceInput input = sentence_of(trace, weights.config, static_cast<std::size_t>(sentence));
    SentenceGradients made;
    made.sentence = sentence;
    made.what_if = what_if;
    made.trace = record_trace(*weights.weights, input,
                              {.smoothing = result.scene.smoothing,
                               .what_if = what_if,
                               .substitutes = result.scene.substitutes,
                               .gradients = true,
                               .parameter_gradients = true});
    made.norm = gradient_norm(*made.trace.parameter_gradients);
    return std::make_shared<const SentenceGradients>(std::move(made));
  };
  auto with = std::make_shared<SceneResult>(result);
  with->gradients = pass(*result.trace, *result.snapshot, changes_of(result.scene.what_if, sentence));
  const SceneResult* const plain = result.plain.get();
  if (!plain) {
    with->untouched_gradients = with->gradients;
    return with;
  }
  const bool known = plain->gradients && plain->gradients->sentence == sentence;
  with->plain = known ? result.plain : with_gradients(*plain, sentence);
  with->untouched_gradients = result.untouched == plain->trace
                                  ? with->plain->gradients
                                  : pass(*result.untouched, *result.untouched_snapshot, {});
  return with;
}

}  // namespace glassformer
