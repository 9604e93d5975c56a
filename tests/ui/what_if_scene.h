// Scenes with changes and held-out pairs, and what a model in double makes of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include "app/format/number_format.h"
#include "app/session/measuring.h"
#include "app/views/what_if/what_if.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/ablation.h"
#include "engine/model/what_if/changed_model.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer::what_if_test {

inline Config config_of(NormPlace norm = NormPlace::post, int layers = 2) {
  Config config;
  config.d_model = 32;
  config.d_ff = 48;
  config.norm = norm;
  config.encoder_layers = config.decoder_layers = layers;
  return config;
}

// With pairs that are held out.
inline SampleScene scene_of(const WhatIf& what_if = {}, const Config& config = config_of(),
                            TokenizerKind tokenizer = TokenizerKind::word) {
  return make_sample_scene({.config = config, .what_if = what_if, .tokenizer = tokenizer, .held_out = true});
}

inline const Change kHead = mute_head(AttentionKind::cross, 1, 1);

// Logits (L, V_t) of the untouched words in double, by the model as it is.
inline Matrix<double> logits_of(const Transformer<double>& model, const PlainSentence& plain,
                                const std::vector<int>& words) {
  Batch batch;
  batch.source.add(plain.source);
  std::vector<int> read{model.config.bos_id};
  read.insert(read.end(), words.begin(), words.end() - 1);
  batch.target_in.add(read);
  batch.target_out.add(words);
  Saved<double> saved;
  model.forward(batch, saved);
  return saved.logits;
}

// Muting a head's context is the same as an output projection that does not read it.
inline Transformer<double> without_head(const Transformer<float>& model, const Change& head) {
  Transformer<double> changed = model.cast<double>();
  const std::string name = written(head.block, ValueKind::output_weight);
  const int width = model.config.head_width();
  bool found = false;
  changed.visit([&](const std::string& each, const Parameter<double>& tensor) {
    if (each != name) return;
    found = true;
    for (int row = 0; row < tensor.rows; ++row)
      for (int k = 0; k < width; ++k)
        tensor.data[static_cast<std::size_t>(row) * static_cast<std::size_t>(tensor.columns) +
                    static_cast<std::size_t>(head.head * width + k)] = 0;
  });
  REQUIRE(found);
  return changed;
}

inline double log_p(const Matrix<double>& logits, int row, int word) {
  double sum = 0;
  for (int id = 0; id < logits.cols(); ++id) sum += std::exp(logits(row, id));
  return logits(row, word) - std::log(sum);
}

inline double loss_by_hand(const Transformer<double>& model, const PlainSentence& plain) {
  const Matrix<double> logits = logits_of(model, plain, plain.target_out);
  const int vocabulary = model.config.target_vocab;
  double loss = 0;
  for (std::size_t place = 0; place < plain.target_out.size(); ++place) {
    const auto row = static_cast<int>(place);
    double all = 0;
    for (int id = 0; id < vocabulary; ++id) all += log_p(logits, row, id);
    loss -= (1 - plain.smoothing) * log_p(logits, row, plain.target_out[place]) +
            plain.smoothing * all / vocabulary;
  }
  return loss / static_cast<double>(plain.target_out.size());
}

inline void work(const View& view, const SampleScene& scene) {
  view.numbers(scene.input());
}

inline Selection at_place(int place) {
  Selection pin = of_kind({}, AttentionKind::cross);
  pin.query = place;
  return pin;
}

// What the inspector says when nothing is being worked out any more.
inline InspectorPage page_of(const View& view, const SampleScene& scene) {
  view.inspect(scene.input());
  for (int i = 0; i < 4000 && view.traits().busy; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return inspector_page(view, scene.input());
}

inline bool settled(ViewStage& stage) {
  for (int i = 0; i < 4000; ++i) {
    stage.frames(1);
    if (i > 3 && !stage.view().traits().busy) return true;
  }
  return false;
}

inline std::string tile_of(const Change& change) {
  return "mute " + part_name(change);
}

inline const WhatIf* wanted_change(const Commands& commands, WhatIf& kept) {
  for (const Command& each : commands)
    if (const auto* set = each.get_if<SetWhatIf>()) {
      kept = set->what_if;
      return &kept;
    }
  return nullptr;
}

}  // namespace glassformer::what_if_test
