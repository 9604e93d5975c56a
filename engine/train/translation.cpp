#include "engine/train/translation.h"

#include "engine/math/error.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/text/clean.h"
#include "engine/text/reading.h"
#include "engine/train/batches.h"

namespace glassformer {
namespace {

constexpr int kSourceTokens = 2000;  // of the sentences that are searched together

void change_line(const Snapshot& model, const LineChanges& changes, const std::vector<int>& source,
                 const DecodeOptions& options, Translation& translation) {
  try {
    translation.changes = changes(translation);
    const ChangedModel<float> changed(*model.weights, translation.changes.what_if,
                                      translation.changes.substitutes);
    translation.result = decode(changed, {source}, options).front();
  } catch (const Error& error) {
    translation.result = {};
    translation.problem = error.what();
  }
}

}  // namespace

std::vector<DecodeResult> translate_ids(const Transformer<float>& model,
                                        const std::vector<std::vector<int>>& sources,
                                        const DecodeOptions& options, const TranslationProgress& progress) {
  std::vector<PairLength> lengths;
  for (const auto& source : sources)
    lengths.push_back({.source = static_cast<int>(source.size()), .target = 0});
  std::vector<DecodeResult> results(sources.size());
  long done = 0;
  for (const std::vector<int>& batch : plan_sorted(lengths, kSourceTokens)) {
    if (progress && !progress(done, static_cast<long>(sources.size()))) return {};
    std::vector<std::vector<int>> group;
    for (const int line : batch) group.push_back(sources[static_cast<std::size_t>(line)]);
    std::vector<DecodeResult> found = decode(model, group, options);
    for (std::size_t i = 0; i < batch.size(); ++i)
      results[static_cast<std::size_t>(batch[i])] = std::move(found[i]);
    done += static_cast<long>(batch.size());
  }
  return results;
}

std::vector<Translation> translate_lines(const Snapshot& model, const Tokenizers& tokenizers,
                                         const std::vector<std::string>& lines, const DecodeOptions& options,
                                         const TranslationProgress& progress, const LineChanges& changes) {
  if (!tokenizers.source || !tokenizers.target)
    throw Error("model",
                "it came without tokenizers, so it takes ids and not text; use decode, or add the tokenizer "
                "files to its folder");

  // Cut the lines into pieces and set aside what the model cannot take.
  std::vector<Translation> translations(lines.size());
  std::vector<std::vector<int>> sources;
  std::vector<std::size_t> origin;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Translation& translation = translations[i];
    const int takes = model.config.max_length - (model.config.source_eos ? 1 : 0);
    translation.problem = far_too_long(lines[i].size(), static_cast<std::size_t>(takes));
    if (!translation.problem.empty()) continue;
    translation.pieces = tokenizers.source->encode(cleaned(lines[i]));
    if (translation.pieces.empty()) continue;
    std::vector<int> ids;
    for (const Piece& piece : translation.pieces) ids.push_back(piece.id);
    if (model.config.source_eos) ids.push_back(model.config.eos_id);
    if (ids.size() > static_cast<std::size_t>(model.config.max_length)) {
      translation.problem =
          too_long_sentence("the sentence", translation.pieces.size(), static_cast<std::size_t>(takes));
      continue;
    }
    sources.push_back(std::move(ids));
    origin.push_back(i);
  }

  // Search, and turn the ids into text.
  std::vector<DecodeResult> results = translate_ids(*model.weights, sources, options, progress);
  if (results.size() != sources.size()) return {};
  for (std::size_t i = 0; i < results.size(); ++i) {
    Translation& translation = translations[origin[i]];
    translation.result = std::move(results[i]);
    if (changes) change_line(model, changes, sources[i], options, translation);
    if (translation.problem.empty()) translation.text = tokenizers.target->decode(translation.result.ids);
  }
  return translations;
}

}  // namespace glassformer
