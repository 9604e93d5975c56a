#include "app/views/forming/forming_data.h"

#include <algorithm>
#include <cmath>

#include "app/session/run_scene.h"
#include "engine/decode/decode.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

// Ids as a Scene has them, without what the model adds.
std::vector<int> without(std::vector<int> ids, int special) {
  std::erase(ids, special);
  return ids;
}

bool holds(const History::Kept& steps, const std::shared_ptr<const KeptWeights>& one) {
  return std::ranges::find(steps, one) != steps.end();
}

// Step 0 and many others stay the same while a run goes on; another run has its own.
bool of_same_run(const FormingTraces* before, const History::Kept& steps) {
  return before != nullptr &&
         std::ranges::any_of(steps, [&](const auto& each) { return holds(before->steps, each); });
}

double place(long step) {
  return std::sqrt(static_cast<double>(step));
}

}  // namespace

History::Kept forming_steps(const ViewInput& input, int count) {
  const History::Kept& kept = input.run.history;
  if (kept.empty()) return {};
  const long newest = kept.back()->step();
  History::Kept chosen;
  const auto add = [&](long step) {
    const auto found = nearest(kept, step);
    if (std::ranges::find(chosen, found) == chosen.end()) chosen.push_back(found);
  };
  add(0);
  for (int quarter = count - 2; quarter > 0; --quarter)
    add(std::lround(static_cast<double>(newest) / std::pow(4.0, quarter)));
  add(newest);
  if (input.looked_back) {
    const auto shown = nearest(kept, *input.looked_back);
    if (std::ranges::find(chosen, shown) == chosen.end()) {
      *std::ranges::min_element(chosen, {}, [&](const auto& each) {
        return std::abs(place(each->step()) - place(shown->step()));
      }) = shown;
    }
  }
  std::ranges::sort(chosen, {}, [](const auto& each) { return each->step(); });
  return chosen;
}

FormingKey forming_key(const ViewInput& input, int count, const FormingTraces* before) {
  const SceneResult& result = input.result;
  const Trace& trace = *result.trace;
  const Config& config = input.snapshot.config;
  FormingKey key{.source = without(trace.source.front(), config.eos_id),
                 .target = without(trace.target_out.front(), config.eos_id),
                 .smoothing = result.scene.smoothing,
                 .steps = forming_steps(input, count)};
  // What an earlier step would have written is not what its heads are compared on.
  if (result.target_origin == TargetOrigin::model_output && input.looked_back) {
    const bool known = of_same_run(before, key.steps) && before->source == key.source;
    key.own_words = !known;
    key.target = known ? before->target : std::vector<int>();
  }
  return key;
}

FormingTraces trace_steps(const FormingKey& key, const FormingTraces* before) {
  FormingTraces traces{.source = key.source, .target = key.target, .steps = key.steps, .at = {}};
  if (key.steps.empty()) return traces;
  if (key.own_words) {
    const auto newest = key.steps.back()->snapshot();
    const Config& config = newest->config;
    std::vector<int> ids = key.source;
    if (config.source_eos) ids.push_back(config.eos_id);
    traces.target = without(decode(*newest->weights, {ids}, DecodeOptions{}).front().ids, config.eos_id);
  }
  const bool same = before != nullptr && before->source == traces.source && before->target == traces.target;
  for (const auto& kept : key.steps) {
    std::shared_ptr<const Trace>& trace = traces.at[kept->step()];
    if (same && holds(before->steps, kept)) {
      trace = before->at.at(kept->step());
    } else {
      trace = std::make_shared<const Trace>(record_trace(*kept->snapshot()->weights,
                                                         {{traces.source}, {traces.target}},
                                                         {.smoothing = key.smoothing, .what_if = {}}));
    }
  }
  return traces;
}

AxisWords axis_words(const ViewInput& input, const FormingTraces& traces, AttentionKind kind) {
  const Trace& trace = *traces.at.begin()->second;
  const Config& config = input.snapshot.config;
  const auto source = words_of(input.tokenizers.source.get(), config, trace.source.front());
  const auto target = words_of(input.tokenizers.target.get(), config, trace.target_in.front());
  return {kind == AttentionKind::encoder ? source : target, kind == AttentionKind::decoder ? target : source};
}

std::string head_name(int head) {
  return head < 0 ? "mean of all heads" : "head " + std::to_string(head + 1);
}

}  // namespace glassformer
