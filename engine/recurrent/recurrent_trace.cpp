#include "engine/recurrent/recurrent_trace.h"

namespace glassformer {
namespace {

// Of a sentence alone the steps are its words in their order.
std::vector<GruTrace> traces_of(const RecurrentSide<float>& side, Eigen::Index words) {
  std::vector<GruTrace> layers;
  for (const GruSaved<float>& layer : side.layers)
    layers.push_back({.previous = layer.previous.topRows(words),
                      .gates = layer.gates.topRows(words),
                      .output = layer.output.topRows(words)});
  return layers;
}

}  // namespace

RecurrentTrace trace(const RecurrentModel<float>& model, const std::vector<int>& source,
                     const std::vector<int>& target_in) {
  Batch batch;
  batch.source.add(source);
  batch.target_in.add(target_in);
  batch.target_out.add(target_in);  // nothing is asked of it
  RecurrentSaved<float> saved;
  model.forward(batch, saved);
  const auto read = static_cast<Eigen::Index>(source.size()),
             written = static_cast<Eigen::Index>(target_in.size());
  RecurrentTrace result{.source = source,
                        .target_in = target_in,
                        .encoder = traces_of(saved.source, read),
                        .decoder = traces_of(saved.target, written),
                        .handed_over = saved.source.layers.back().last.row(0),
                        .weights = {}};
  if (model.config.attends())
    result.weights = saved.attention.weights_of(saved.attention.sentences.front()).topRows(written);
  return result;
}

}  // namespace glassformer
