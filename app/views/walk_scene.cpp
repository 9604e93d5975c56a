#include "app/views/walk_scene.h"

#include <algorithm>

#include "app/session/run_scene.h"
#include "app/views/run_schedule.h"
#include "app/views/scene_words.h"
#include "engine/model/optimizer.h"
#include "engine/model/steps/update_numbers.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr std::size_t kAtOnce = 2'000'000;  // weights

// The first weight of the last layer's feed-forward: the optimizer's step is the same for all.
ChosenWeight chosen_weight(const Config& config) {
  return {"decoder.layers." + std::to_string(config.decoder_layers - 1) + ".linear2.weight", 0, 0};
}

double number_of(const Transformer<float>& tensors, const ChosenWeight& weight) {
  double number = 0;
  tensors.visit([&](const std::string& name, Parameter<const float> tensor) {
    if (name == weight.name)
      number = static_cast<double>(tensor.data[weight.row * tensor.columns + weight.column]);
  });
  return number;
}

// What Adam would do with the gradients of this sentence alone, at the step that comes next.
StepNumbers::Update update_of(const Snapshot& snapshot, const Trace& trace, const RunState& run,
                              const ChosenWeight& weight) {
  WeightBefore before;
  before.weight = number_of(*snapshot.weights, weight);
  before.gradient = number_of(*trace.parameter_gradients, weight);
  if (snapshot.first_moment) before.first_moment = number_of(*snapshot.first_moment, weight);
  if (snapshot.second_moment) before.second_moment = number_of(*snapshot.second_moment, weight);
  before.gradient_norm = gradient_norm(*trace.parameter_gradients);
  before.clip = run.options.clip;
  AdamStep step;
  step.step = snapshot.step + 1;
  step.rate = run_schedule(run, snapshot.config).rate(step.step);
  return update_numbers(before, step);
}

// All that the worker needs, by value.
struct WalkWork {
  Snapshot snapshot;
  TraceInput sentence;
  TraceOptions options;
  RunState run;
  WalkScene scene;

  WalkScene operator()() const {
    WalkScene made = scene;
    made.weights = snapshot.weights;
    made.trace = record_trace(*snapshot.weights, sentence, options);
    StepOptions steps;
    steps.weight = chosen_weight(snapshot.config);
    steps.clip = run.options.clip > 0;
    steps.schedule = run_schedule(run, snapshot.config).kind;
    made.steps = training_steps(snapshot.config, steps);
    made.update = update_of(snapshot, made.trace, run, *steps.weight);
    return made;
  }
};

WalkWork work_of(const ViewInput& input, int sentence) {
  const Config& config = input.snapshot.config;
  const Trace& trace = *input.result.trace;
  const auto at = static_cast<std::size_t>(sentence);
  WalkWork work;
  work.snapshot = input.snapshot;
  work.run.options = input.run.options;
  work.run.planned_steps = input.run.planned_steps;
  std::vector<int> source = trace.source[at];
  if (config.source_eos) source.pop_back();
  work.sentence.sources = {source};
  work.sentence.targets = {{trace.target_in[at].begin() + 1, trace.target_in[at].end()}};
  work.options.smoothing = input.result.scene.smoothing;
  work.options.what_if = input.result.scene.what_if;
  std::erase_if(work.options.what_if.edited_rows,
                [&](const EditedRow& row) { return row.sentence != sentence; });
  for (EditedRow& row : work.options.what_if.edited_rows) row.sentence = 0;
  work.options.gradients = work.options.parameter_gradients = true;

  work.scene.source = source_words(input, sentence);
  work.scene.target = target_in_words(input, sentence);
  work.scene.written = target_out_words(input, sentence);
  for (std::size_t i = 0; i < work.scene.written.size(); ++i) {
    const int id = trace.target_out[at][i];
    if (std::ranges::find(work.scene.vocabulary_ids, id) != work.scene.vocabulary_ids.end()) continue;
    work.scene.vocabulary_ids.push_back(id);
    work.scene.vocabulary_words.push_back(work.scene.written[i]);
  }
  return work;
}

}  // namespace

WalkCache::Found walk_scene(WalkCache& cache, const ViewInput& input, bool at_once) {
  const int sentences = static_cast<int>(input.result.trace->source.size());
  const int sentence = std::clamp(input.pinned.sentence, 0, sentences - 1);
  const bool small = input.snapshot.weights->parameter_count() <= kAtOnce;
  const WalkKey key{&input.result, sentence};
  return cache.get(key, at_once || small, [work = work_of(input, sentence)] { return work(); });
}

WalkAxis walk_axis(const WalkScene& scene, Extent extent, int most) {
  WalkAxis axis;
  axis.total = scene.numbers().sizes().of(extent);
  const auto words = [&](const std::vector<int>& ids, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < ids.size() && static_cast<int>(axis.shown.size()) < most; ++i) {
      if (std::ranges::find(axis.shown, ids[i]) != axis.shown.end()) continue;
      axis.shown.push_back(ids[i]);
      axis.labels.push_back(names[i]);
    }
  };
  if (extent == Extent::target_vocab) {
    words(scene.vocabulary_ids, scene.vocabulary_words);
    return axis;
  }
  if (extent == Extent::source_vocab) {
    words(scene.trace.source.front(), scene.source);
    return axis;
  }
  const int count = std::min(axis.total, most);
  const std::vector<std::string>* labels = extent == Extent::source   ? &scene.source
                                           : extent == Extent::target ? &scene.target
                                                                      : nullptr;
  for (int i = 0; i < count; ++i) {
    axis.shown.push_back(i);
    if (labels != nullptr) axis.labels.push_back((*labels)[static_cast<std::size_t>(i)]);
  }
  return axis;
}

}  // namespace glassformer
