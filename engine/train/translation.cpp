#include "engine/train/translation.h"

#include "engine/math/error.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/recurrent/recurrent_decoder.h"
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

template <class Model>
std::vector<DecodeResult> ids_translated(const Model& model, const std::vector<std::vector<int>>& sources,
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

// Lines cut into pieces; what the model cannot take, or has nothing to do with, is set aside.
struct CutLines {
  std::vector<Translation> translations;  // of every line
  std::vector<std::vector<int>> sources;  // ids of those that are to be translated
  std::vector<std::size_t> origin;        // their lines
};

CutLines cut(const std::vector<std::string>& lines, const Tokenizers& tokenizers, const Config& config) {
  if (!tokenizers.source || !tokenizers.target)
    throw Error("model",
                "it came without tokenizers, so it takes ids and not text; use decode, or add the tokenizer "
                "files to its folder");
  CutLines result;
  result.translations.resize(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Translation& translation = result.translations[i];
    const int takes = config.max_length - config.source_specials();
    translation.problem = far_too_long(lines[i].size(), static_cast<std::size_t>(takes));
    if (!translation.problem.empty()) continue;
    translation.pieces =
        tokenizers.source->encode(tokenizers.source->reads_as_typed() ? lines[i] : cleaned(lines[i]));
    if (translation.pieces.empty()) continue;
    std::vector<int> ids;
    for (const Piece& piece : translation.pieces) ids.push_back(piece.id);
    ids = source_row(ids, config);
    if (ids.size() > static_cast<std::size_t>(config.max_length)) {
      translation.problem =
          too_long_sentence("the sentence", translation.pieces.size(), static_cast<std::size_t>(takes));
      continue;
    }
    translation.source_ids = ids;
    result.sources.push_back(std::move(ids));
    result.origin.push_back(i);
  }
  return result;
}

}  // namespace

std::vector<DecodeResult> translate_ids(const Transformer<float>& model,
                                        const std::vector<std::vector<int>>& sources,
                                        const DecodeOptions& options, const TranslationProgress& progress) {
  return ids_translated(model, sources, options, progress);
}

std::vector<Translation> translate_lines(const Snapshot& model, const Tokenizers& tokenizers,
                                         const std::vector<std::string>& lines, const DecodeOptions& options,
                                         const TranslationProgress& progress, const LineChanges& changes) {
  CutLines cut_lines = cut(lines, tokenizers, model.config);
  std::vector<DecodeResult> results = ids_translated(*model.weights, cut_lines.sources, options, progress);
  if (results.size() != cut_lines.sources.size()) return {};
  for (std::size_t i = 0; i < results.size(); ++i) {
    Translation& translation = cut_lines.translations[cut_lines.origin[i]];
    translation.result = std::move(results[i]);
    if (changes) change_line(model, changes, cut_lines.sources[i], options, translation);
    if (translation.problem.empty()) translation.text = tokenizers.target->decode(translation.result.ids);
  }
  return std::move(cut_lines.translations);
}

std::vector<Translation> translate_lines(const RecurrentModel<float>& model, const Tokenizers& tokenizers,
                                         const std::vector<std::string>& lines, const DecodeOptions& options,
                                         const TranslationProgress& progress) {
  CutLines cut_lines = cut(lines, tokenizers, batch_config(model.config));
  std::vector<DecodeResult> results = ids_translated(model, cut_lines.sources, options, progress);
  if (results.size() != cut_lines.sources.size()) return {};
  for (std::size_t i = 0; i < results.size(); ++i) {
    Translation& translation = cut_lines.translations[cut_lines.origin[i]];
    translation.result = std::move(results[i]);
    translation.text = tokenizers.target->decode(translation.result.ids);
  }
  return std::move(cut_lines.translations);
}

}  // namespace glassformer
