// Looks at a run while it learns.
#include <chrono>

#include "engine/model/trace.h"
#include "engine/train/trainer_state.h"

namespace glassformer {
namespace {

constexpr std::size_t kMostPairs = 8, kMostTokens = 512;  // a look costs less than a step

// The same ones each time; of the pairs to learn from when none are held out.
TraceInput pairs_to_look_at(const TrainingSet& data) {
  TraceInput input;
  std::size_t tokens = 0;
  for (const EncodedPair& pair : data.validation.empty() ? data.training : data.validation) {
    tokens += pair.source.size() + pair.target.size();
    if (!input.sources.empty() && (input.sources.size() == kMostPairs || tokens > kMostTokens)) break;
    input.sources.push_back(pair.source);
    input.targets.push_back(pair.target);
  }
  return input;
}

}  // namespace

void Trainer::keep_diagnosis() {
  state_->diagnosing = true;
}

void TrainerState::look(const Transformer<float>& before) {
  const auto begin = std::chrono::steady_clock::now();
  Look found = look_at(record_trace(weights, pairs_to_look_at(*data)), config);
  found.step = step;
  found.gradient_norms = part_norms(gradient);
  found.update_ratios = update_ratios(before, weights);
  add_look(curves.diagnosis, std::move(found), validate_every);
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace glassformer
