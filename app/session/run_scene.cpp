#include "app/session/run_scene.h"

#include <charconv>
#include <sstream>

#include "engine/math/error.h"
#include "engine/model/trace.h"
#include "engine/model/transformer.h"
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
  const auto takes = static_cast<std::size_t>(config.max_length - (!source || config.source_eos ? 1 : 0));
  if (tokens > takes)
    throw Error(source ? kWhere : "target", too_long_sentence("the sentence", tokens, takes));
}

// The source as the model wants it, eos included where the model has one.
std::vector<int> source_ids(const std::vector<Piece>& pieces, const Config& config) {
  check_length(pieces.size(), config, true);
  std::vector<int> ids = ids_of(pieces);
  if (config.source_eos) ids.push_back(config.eos_id);
  return ids;
}

std::vector<int> without_eos(std::vector<int> ids, const Config& config) {
  if (!ids.empty() && ids.back() == config.eos_id) ids.pop_back();
  return ids;
}

// The right words of a sentence: typed, known, or what the model itself writes.
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

std::shared_ptr<const SceneResult> run_scene(const std::shared_ptr<const Snapshot>& snapshot,
                                             const Tokenizers& tokenizers, const Scene& scene,
                                             const std::function<bool()>& keep_going) {
  const Config& config = snapshot->config;
  const Tokenizer* const source_tokenizer = tokenizers.source.get();
  const Tokenizer* const target_tokenizer = tokenizers.target.get();
  auto result = std::make_shared<SceneResult>();
  result->snapshot = snapshot;
  result->scene = scene;

  // Cut the sentences into pieces.
  if (scene.sentences.empty()) throw Error(kWhere, kNothingTyped);
  std::vector<std::vector<int>> sources;
  for (const SceneSentence& sentence : scene.sentences) {
    const std::string text =
        source_tokenizer != nullptr ? readable(*source_tokenizer, sentence.source) : sentence.source;
    const std::vector<Piece> pieces = pieces_of(source_tokenizer, text, config.source_vocab);
    if (sources.empty()) {
      result->source_read = text;
      if (pieces.empty()) throw Error(kWhere, kNothingTyped);
      result->source_pieces = pieces;
    }
    sources.push_back(source_ids(pieces, config));
  }

  // Translate. Only the first sentence gets the chosen search; the others fill the batch.
  std::vector<DecodeResult> decodings =
      decode(*snapshot->weights, {sources.front()}, scene.decode, keep_going);
  if (sources.size() > 1) {
    const std::vector<std::vector<int>> others(sources.begin() + 1, sources.end());
    for (DecodeResult& decoding : decode(*snapshot->weights, others, DecodeOptions{}, keep_going)) {
      decodings.push_back(std::move(decoding));
    }
  }
  if (keep_going && !keep_going()) return nullptr;
  result->decoding = decodings.front();
  result->translation = text_of(target_tokenizer, config, result->decoding.ids);

  // Run the model on source and target, padded to one length as a batch is.
  TraceInput input;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Target target = target_of(scene.sentences[i], decodings[i], *snapshot, target_tokenizer);
    if (i == 0) {
      result->target_origin = target.origin;
      result->target_pieces = target.pieces;
    }
    input.sources.push_back(config.source_eos ? without_eos(sources[i], config) : sources[i]);
    input.targets.push_back(target.ids);
  }
  TraceOptions options{.smoothing = scene.smoothing, .what_if = {}, .gradients = false, .pad = true};
  result->untouched = std::make_shared<const Trace>(record_trace(*snapshot->weights, input, options));
  result->trace = result->untouched;
  if (!scene.what_if.empty()) {
    options.what_if = scene.what_if;
    result->trace = std::make_shared<const Trace>(record_trace(*snapshot->weights, input, options));
  }

  // What leaks when the decoder may see the words not yet written (the Masks view).
  options.what_if = scene.what_if;
  options.what_if.drop_causal_mask = true;
  result->unmasked = scene.what_if.drop_causal_mask
                         ? result->trace
                         : std::make_shared<const Trace>(record_trace(*snapshot->weights, input, options));

  // Name rows and columns.
  result->source_words = words_of(source_tokenizer, config, result->trace->source.front());
  for (size_t i = 0; i < result->source_pieces.size(); ++i) {
    result->source_words[i] = result->source_pieces[i].text;  // an unknown word as it was typed
  }
  result->target_in_words = words_of(target_tokenizer, config, result->trace->target_in.front());
  result->target_out_words = words_of(target_tokenizer, config, result->trace->target_out.front());
  for (size_t i = 0; i < result->target_pieces.size(); ++i) {
    result->target_in_words[i + 1] = result->target_out_words[i] = result->target_pieces[i].text;
  }
  return result;
}

}  // namespace glassformer
