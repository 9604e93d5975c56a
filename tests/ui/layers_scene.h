// Scenes for the view of the layers, and their streams worked out by hand.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <thread>
#include "app/format/number_format.h"
#include "app/session/run_scene.h"
#include "app/views/layers/layers.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer::layers_test {

inline Config config_of(NormPlace norm, bool final_norm, int layers = 2) {
  Config config;
  config.d_model = 32;
  config.d_ff = 48;
  config.norm = norm;
  config.final_norm = final_norm;
  config.decoder_layers = layers;
  return config;
}

inline SampleScene scene_of(const Config& config, TokenizerKind tokenizer = TokenizerKind::word) {
  return make_sample_scene({.config = config, .tokenizer = tokenizer});
}

// One place after one part, number by number in double.
struct ByHand {
  std::vector<double> log_p;  // V_t
  int best() const { return static_cast<int>(std::ranges::max_element(log_p) - log_p.begin()); }
  int rank(int word) const {
    return 1 + static_cast<int>(std::ranges::count_if(
                   log_p, [&](double other) { return other > log_p[static_cast<std::size_t>(word)]; }));
  }
};

inline ByHand by_hand(const SampleScene& scene, const std::string& name, int place) {
  const Transformer<float>& model = *scene.snapshot->weights;
  const Plane plane = scene.result->trace->plane(name);
  std::vector<double> x;
  for (int c = 0; c < plane.columns; ++c) x.push_back(static_cast<double>(plane(place, c)));
  if (model.config.final_norm) {
    const auto d = static_cast<double>(x.size());
    double mean = 0, variance = 0;
    for (const double v : x) mean += v / d;
    for (const double v : x) variance += (v - mean) * (v - mean) / d;
    for (std::size_t c = 0; c < x.size(); ++c) {
      const auto at = static_cast<Eigen::Index>(c);
      x[c] = (x[c] - mean) / std::sqrt(variance + model.config.layer_norm_eps) *
                 static_cast<double>(model.decoder_norm.weight(at)) +
             static_cast<double>(model.decoder_norm.bias(at));
    }
  }
  ByHand found;
  double sum = 0;
  for (int id = 0; id < model.config.target_vocab; ++id) {
    double logit = static_cast<double>(model.output_projection.bias(id));
    for (std::size_t c = 0; c < x.size(); ++c)
      logit += x[c] * static_cast<double>(model.projection()(id, static_cast<Eigen::Index>(c)));
    found.log_p.push_back(logit);
    sum += std::exp(logit);
  }
  for (double& each : found.log_p) each -= std::log(sum);
  return found;
}

inline std::vector<std::string> texts_in(const RecordingCanvas& canvas, const Rect& rect) {
  std::vector<std::string> found;
  for (const RecordingCanvas::Text& text : canvas.texts)
    if (rect.contains({text.box.x + text.box.width / 2, text.box.y + text.box.height / 2}))
      found.push_back(text.text);
  return found;
}

inline bool has(const std::vector<std::string>& texts, const std::string& wanted) {
  return std::ranges::find(texts, wanted) != texts.end();
}

inline Selection at_place(int place) {
  return {.query = place};
}

inline const std::string kParts[] = {"embedding", "self-attention", "cross-attention", "feed-forward"};
inline std::string title(std::size_t row) {
  return row == 0 ? "the embedding"
                  : "layer " + std::to_string((row - 1) / 3 + 1) + ", " + kParts[(row - 1) % 3 + 1];
}

}  // namespace glassformer::layers_test
