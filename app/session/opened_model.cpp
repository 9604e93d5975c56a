#include "app/session/opened_model.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/format/number_format.h"
#include "app/scene/held_out.h"
#include "app/session/data_consent.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "engine/import/model_import.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/model/parameter_counts.h"
#include "engine/train/history_folder.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFirstEnglishSentence = "the tired girl sees a red car";

constexpr std::array<std::pair<const char*, const char*>, 18> kLanguages = {{{"ar", "Arabic"},
                                                                             {"cs", "Czech"},
                                                                             {"de", "German"},
                                                                             {"deu", "German"},
                                                                             {"el", "Greek"},
                                                                             {"en", "English"},
                                                                             {"eng", "English"},
                                                                             {"es", "Spanish"},
                                                                             {"fr", "French"},
                                                                             {"fra", "French"},
                                                                             {"hi", "Hindi"},
                                                                             {"it", "Italian"},
                                                                             {"ja", "Japanese"},
                                                                             {"nl", "Dutch"},
                                                                             {"pl", "Polish"},
                                                                             {"pt", "Portuguese"},
                                                                             {"ru", "Russian"},
                                                                             {"zh", "Chinese"}}};

std::string language(const std::string& code) {
  for (const auto& [known, name] : kLanguages) {
    if (code == known || code == name) return name;
  }
  // A language spelled out: "english".
  for (const auto& [known, name] : kLanguages) {
    std::string lower = name;
    lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
    if (code == lower) return name;
  }
  return {};
}

// "english-french" to both names; empty when either part is no language we know.
std::pair<std::string, std::string> language_pair(const std::string& stem) {
  const size_t dash = stem.find_first_of("-_");
  if (dash == std::string::npos) return {};
  const std::string source = language(stem.substr(0, dash)), target = language(stem.substr(dash + 1));
  if (source.empty() || target.empty()) return {};
  return {source, target};
}

std::string extension_language(const fs::path& file) {
  const fs::path inner = file.extension() == ".gz" ? file.stem() : file;
  const std::string extension = inner.extension().string();
  return extension.empty() ? std::string() : language(extension.substr(1));
}

std::string layers_and_heads(const Config& config) {
  return std::to_string(config.encoder_layers) + " + " + std::to_string(config.decoder_layers) +
         " layers · " + std::to_string(config.heads) + (config.heads == 1 ? " head · " : " heads · ") +
         format_count(parameter_count(config)) + " weights";
}

}  // namespace

ModelTitle title_of(const Config& config, const std::optional<DataOptions>& data, const std::string& folder) {
  ModelTitle title;
  title.name = without_time(fs::path(folder).lexically_normal().filename().string());
  title.description = layers_and_heads(config);
  std::pair<std::string, std::string> languages;
  if (data) {
    const DataSource& source = data->training;
    if (!source.task.empty()) title.name = "Task: " + source.task;
    if (!source.grammar.empty()) languages = language_pair(fs::path(source.grammar).stem().string());
    if (!source.corpus.empty()) languages = language_pair(fs::path(source.corpus).stem().string());
    if (!source.source.empty())
      languages = {extension_language(source.source), extension_language(source.target)};
  } else {
    languages = language_pair(title.name);
  }
  if (!languages.first.empty() && !languages.second.empty()) {
    title.name = languages.first + " → " + languages.second;
    title.source_language = languages.first;
    title.target_language = languages.second;
  }
  return title;
}

std::vector<SceneSentence> example_sentences(const DataOptions& data, long count) {
  DataSource source = data.training;
  resolve_paths(source);
  source.pairs = count;
  CorpusLimits limits = data.limits;
  limits.max_pairs = count;
  std::vector<SceneSentence> sentences;
  try {
    for (const SentencePair& pair : read_pairs(source, data.seed, limits).pairs) {
      sentences.push_back({pair.source, std::nullopt, pair.target});
    }
  } catch (const Error&) {
    // The data are gone: the model opens without examples.
  }
  return sentences;
}

std::vector<SceneSentence> first_sentences(const OpenedModel& model) {
  std::vector<SceneSentence> sentences = model.examples;
  if (model.title.source_language == "English" && model.data && !model.data->training.grammar.empty()) {
    sentences.insert(sentences.begin(), {kFirstEnglishSentence, std::nullopt, std::nullopt});
  }
  return sentences;
}

Scene first_scene(const std::vector<SceneSentence>& sentences, double smoothing) {
  Scene scene;
  scene.smoothing = smoothing;
  scene.sentences = sentences;
  if (scene.sentences.size() > kBatchSentences) scene.sentences.resize(kBatchSentences);
  if (scene.sentences.empty()) scene.sentences.emplace_back();
  return scene;
}

RunState recorded_run(const OpenedModel& model) {
  RunState run;
  run.options = model.options;
  run.live = model.live;
  run.schedule = model.schedule;
  run.curves = model.curves;
  run.history = model.history;
  run.held_out = model.held_out;
  run.step = model.snapshot.step;
  run.planned_steps = std::max(run.step, model.last_step);
  run.training_pairs = model.training_pairs;
  run.validation_pairs = model.validation_pairs;
  run.data_name = model.data_name;
  run.given_vectors =
      model.data && (!model.data->source_embedding.empty() || !model.data->target_embedding.empty());
  run.source_words = model.snapshot.config.source_vocab;
  run.target_words = model.snapshot.config.target_vocab;
  return run;
}

OpenedModel open_model(const std::string& folder, const JsonProgress& progress) {
  OpenedModel model;
  Checkpoint checkpoint = load_checkpoint(folder, progress);
  static_cast<RunRecord&>(model) = run_record(checkpoint.training, checkpoint.snapshot.config, folder);
  // Its loss is that of its words alone.
  if (was_imported(folder)) model.options.smoothing = model.live.smoothing = 0;
  model.folder = folder;
  model.snapshot = std::move(checkpoint.snapshot);
  model.tokenizers = std::move(checkpoint.tokenizers);
  model.held_out = kept_held_out(folder);
  model.history = read_history<Transformer<float>>(folder, model.snapshot.config, model.last_step);
  model.title = title_of(model.snapshot.config, model.data, folder);
  const fs::path path = fs::path(folder).lexically_normal();
  const std::string name = path.filename().string();
  const bool named_by_hand = path.parent_path() == runs_folder() && without_time(name) == name;
  if (named_by_hand) model.title.name = name;
  if (model.data && read_unasked(*model.data, folder))
    model.examples = example_sentences(*model.data, kBatchSentences);
  return model;
}

}  // namespace glassformer
