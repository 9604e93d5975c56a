#include "tests/ui/sample_scene.h"
#include "tests/source_folder.h"

#include <cmath>
#include <filesystem>
#include <sstream>

#include <nlohmann/json.hpp>

#include "app/session/unfamiliar_words.h"
#include "engine/model/checkpoint.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

std::vector<std::string> one_side(const std::vector<SceneSentence>& sentences, bool source) {
  std::vector<std::string> lines;
  for (const SceneSentence& each : sentences)
    lines.push_back(source ? each.source : each.reference.value_or(""));
  return lines;
}

// Words of the first sentence, again and again.
SceneSentence sentence_of(int words) {
  SceneSentence sentence{"", {}, ""};
  const SceneSentence first = SampleOptions().sentences.front();
  for (std::string* const side : {&sentence.source, &*sentence.reference}) {
    std::istringstream again(side == &sentence.source ? first.source : *first.reference);
    for (int i = 0; i < words; ++i) {
      std::string word;
      if (!(again >> word)) again.clear(), again.seekg(0), again >> word;
      *side += word + " ";
    }
  }
  return sentence;
}

bool of_scene(const std::string& key) {
  return key == "ids" || key == "run";
}

}  // namespace

SampleOptions sample_options(const std::string& settings) {
  SampleOptions options;
  nlohmann::json config = to_json(options.config);
  config["source_vocab"] = config["target_vocab"] = 8;  // any: a sample counts its own
  std::istringstream words(settings);
  for (std::string key, value; words >> key >> value;) {
    if (key == "tokenizer")
      options.tokenizer = tokenizer_kind(value);
    else if (key == "sharpness")
      options.sharpness = std::stof(value);
    else if (key == "held_out")
      options.held_out = true;
    else if (key == "words")
      options.sentences.insert(options.sentences.begin(), sentence_of(std::stoi(value)));
    else if (key == "causal_mask")
      options.what_if.toggle(change_of(ChangeKind::causal_mask_off));
    else if (key == "padding_mask")
      options.what_if.toggle(change_of(ChangeKind::padding_mask_off));
    else if (const auto parsed = nlohmann::json::parse(value, nullptr, false); !of_scene(key))
      config[key] = parsed.is_discarded() ? nlohmann::json(value) : parsed;
  }
  options.config = config_from_json(config, settings);
  options.config.source_vocab = options.config.target_vocab = 0;
  return options;
}

SampleScene sample_scene(const std::string& settings, const Selection& pin) {
  SampleScene scene = make_sample_scene(sample_options(settings));
  scene.pin(pin);
  std::istringstream words(settings);
  for (std::string key, value; words >> key >> value;) {
    if (key == "ids") scene.tokenizers = {};
    if (key == "run") add_run(scene, std::stol(value));
  }
  return scene;
}

SampleScene make_sample_scene(const SampleOptions& options) {
  SampleScene scene;
  const SampleOptions defaults;
  std::vector<SceneSentence> sentences = options.sentences;
  std::vector<SceneSentence> corpus = defaults.sentences;
  corpus.insert(corpus.end(), sentences.begin(), sentences.end());
  const TokenizerOptions cut{.kind = options.tokenizer, .pieces = 0};
  scene.tokenizers.source = train_tokenizer(one_side(corpus, true), cut);
  scene.tokenizers.target = train_tokenizer(one_side(corpus, false), cut);
  auto text = std::make_shared<TrainingText>();
  text->source.lines = one_side(corpus, true);
  text->target.lines = one_side(corpus, false);
  for (TrainingText::Side* side : {&text->source, &text->target})
    for (const std::string& line : side->lines) side->words.merge(words_in(line));
  if (options.held_out)
    for (const SceneSentence& each : sentences)
      text->held_out.push_back({each.source, each.reference.value_or("le chat voit")});
  scene.training_text = text;

  Snapshot snapshot;
  snapshot.config = options.config;
  snapshot.config.source_vocab = scene.tokenizers.source->size();
  snapshot.config.target_vocab = scene.tokenizers.target->size();
  auto model = std::make_shared<Transformer<float>>(snapshot.config);
  model->initialize(options.seed);
  model->visit([&](const std::string& name, Parameter<float> parameter) {
    if (!name.ends_with("in_proj_weight")) return;
    for (size_t i = 0; i < parameter.size(); ++i) parameter.data[i] *= options.sharpness;
  });
  snapshot.weights = model;
  scene.snapshot = std::make_shared<const Snapshot>(std::move(snapshot));

  Scene wanted;
  wanted.sentences = std::move(sentences);
  wanted.what_if = options.what_if;
  scene.result = with_gradients(*with_leak(*run_scene(scene.snapshot, scene.tokenizers, wanted)));
  return scene;
}

void add_run(SampleScene& scene, long steps, double noise) {
  RunState& run = scene.run;
  run.phase = RunPhase::training;
  run.data_name = "grammar english-french";
  run.training_pairs = 4000;
  run.validation_pairs = 200;
  run.planned_steps = 3200;
  run.step = steps;
  run.options.warmup = 400;
  auto curves = std::make_shared<Curves>();
  for (long step = 1; step <= steps; ++step) {
    const double shake = noise * std::sin(double(step) * 12.9898) * std::sin(double(step) * 78.233);
    const auto loss = static_cast<float>(0.7 + 3 / (1 + double(step) / 100) + shake);
    curves->steps.push_back({loss, 0.001f, static_cast<float>(0.8 + shake), 40000});
    if (step % 50 == 0)
      curves->validations.push_back({step, loss, loss - 0.1, 0.6, step % 200 == 0 ? 0.25 : -1.0, true});
  }
  run.curves = curves;
}

std::optional<SampleScene> bundled_scene(const std::string& sentence, const WhatIf& what_if) {
  const std::string folder = source_folder() + "/models/english-french";
  if (!std::filesystem::exists(folder + "/weights.safetensors")) return std::nullopt;
  SampleScene scene;
  const Checkpoint checkpoint = load_checkpoint(folder);
  scene.snapshot = std::make_shared<const Snapshot>(checkpoint.snapshot);
  scene.tokenizers = checkpoint.tokenizers;
  Scene wanted;
  wanted.sentences = {
      {sentence, {}, {}}, {"the cat sees a bird", {}, {}}, {"a small dog finds the book", {}, {}}};
  wanted.what_if = what_if;
  scene.result = with_gradients(*with_leak(*run_scene(scene.snapshot, scene.tokenizers, wanted)));
  return scene;
}

}  // namespace glassformer
