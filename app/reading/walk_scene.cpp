#include "app/reading/walk_scene.h"

#include <algorithm>

#include "app/reading/run_schedule.h"
#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"
#include "engine/model/steps/step_numbers.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

double number_of(const Transformer<float>& tensors, const ChosenWeight& weight) {
  double number = 0;
  tensors.visit([&](const std::string& name, Parameter<const float> tensor) {
    if (name == weight.name)
      number = static_cast<double>(tensor.data[weight.row * tensor.columns + weight.column]);
  });
  return number;
}

// In the first row of this matrix the first weight that the sentence moves; the very first when it moves
// none.
ChosenWeight moved_weight(const Transformer<float>& gradients, const std::string& matrix) {
  ChosenWeight weight{matrix, 0, 0};
  gradients.visit([&](const std::string& name, Parameter<const float> tensor) {
    if (name != matrix) return;
    for (int column = 0; column < tensor.columns; ++column) {
      if (tensor.data[column] == 0) continue;
      weight.column = column;
      return;
    }
  });
  return weight;
}

// What Adam would do with the gradients of this sentence alone, at the step that comes next.
StepNumbers::Update update_of(const ViewInput& input, const WalkScene& scene) {
  const Snapshot& snapshot = input.snapshot;
  WeightBefore before;
  before.weight = number_of(*snapshot.weights, scene.weight);
  before.gradient = number_of(*scene.trace().parameter_gradients, scene.weight);
  if (snapshot.first_moment) before.first_moment = number_of(*snapshot.first_moment, scene.weight);
  if (snapshot.second_moment) before.second_moment = number_of(*snapshot.second_moment, scene.weight);
  before.moments_kept = scene.moments_known();
  before.gradient_norm = scene.pass->norm;
  before.clip = input.run.live.clip;
  AdamStep step;
  const bool anew = scene.moments == Moments::anew;
  const long next = anew ? 1 : snapshot.step + 1;
  step.step = anew ? 1 : next - snapshot.moments_from;
  step.rate = run_rate(input.run, run_schedule(input.run, snapshot.config), next);
  return update_numbers(before, step);
}

// Before the first step both are 0.
Moments moments_of(const ViewInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (snapshot.step == 0 || (snapshot.first_moment && snapshot.second_moment)) return Moments::there;
  if (input.looked_back) return Moments::earlier;
  return input.run.phase == RunPhase::none ? Moments::anew : Moments::coming;
}

WalkScene scene_of(const ViewInput& input, const WalkKey& key) {
  const Snapshot& snapshot = input.snapshot;
  const int sentence = key.pass->sentence;
  WalkScene scene;
  scene.weights = snapshot.weights;
  scene.pass = key.pass;
  scene.weight = key.weight;
  if (!has_weight(*snapshot.weights, key.weight)) {
    // One of the last layer's feed-forward: the optimizer's step is the same for all.
    const int last = snapshot.config.decoder_layers - 1;
    scene.weight = moved_weight(*scene.trace().parameter_gradients,
                                written({BlockKind::feed_forward, ValueKind::weight2, false, last}));
  }
  const std::optional<ValueName> name = read_name(scene.weight.name);
  scene.frozen = name && name->value == ValueKind::embedding_table && is_frozen(input, name->encoder);
  scene.moments = key.moments;
  scene.update = update_of(input, scene);
  scene.options.smoothing = input.result.scene.smoothing;
  scene.options.what_if = key.pass->what_if;
  scene.options.substitutes = input.result.scene.substitutes;
  scene.masks = {scene.options.what_if};
  StepOptions steps;
  steps.weight = scene.weight;
  steps.clip = input.run.live.clip > 0;
  steps.schedule = run_schedule(input.run, snapshot.config).kind;
  scene.steps = training_steps(config_under(snapshot.config, scene.options.what_if), steps);

  for (std::size_t i = 0; i < scene.steps.size(); ++i) {
    const int at = static_cast<int>(i);
    if (i == 0 || scene.steps[i].place != scene.steps[i - 1].place)
      scene.groups.push_back({at, at, step_path(scene.steps[i])});
    scene.groups.back().last = at + 1;
  }

  scene.words = pass_words(input, sentence);
  auto alone = std::make_shared<SceneResult>(input.result);
  alone->trace = alone->untouched = std::shared_ptr<const Trace>(key.pass, &key.pass->trace);
  alone->source_words = scene.words->source;
  alone->target_in_words = scene.words->target;
  alone->target_out_words = scene.words->written;
  scene.alone = std::move(alone);
  scene.source_order = WordOrder(scene.trace().source.front());
  scene.target_order = WordOrder(scene.trace().target_out.front());
  return scene;
}

const WordOrder& order_of(const WalkScene& scene, Extent vocabulary) {
  return vocabulary == Extent::source_vocab ? scene.source_order : scene.target_order;
}

}  // namespace

bool is_frozen(const ViewInput& input, bool source) {
  // One matrix for all is frozen by either side's name.
  const std::string& freeze = input.run.options.freeze;
  if (input.snapshot.config.sharing == Sharing::all) return !freeze.empty();
  return freeze.find(source ? "source" : "target") != std::string::npos;
}

bool is_vocabulary(Extent extent) {
  return extent == Extent::target_vocab || extent == Extent::source_vocab;
}

bool has_weight(const Transformer<float>& tensors, const ChosenWeight& weight) {
  bool found = false;
  tensors.visit([&](const std::string& name, Parameter<const float> tensor) {
    found = found || (name == weight.name && weight.row >= 0 && weight.row < tensor.rows &&
                      weight.column >= 0 && weight.column < tensor.columns);
  });
  return found;
}

std::shared_ptr<const WalkScene> walk_scene(WalkCache& cache, const ViewInput& input,
                                            const ChosenWeight& weight) {
  const bool untouched = input.result.trace == input.result.untouched;
  const WalkKey key{moments_of(input), untouched ? input.result.untouched_gradients : input.result.gradients,
                    weight, input.run.live};
  if (!key.pass) return nullptr;
  return cache.get(key, true, [&] { return scene_of(input, key); }).value;
}

WalkSides walk_sides(const Step& step, const Operand& operand) {
  WalkSides sides{{operand.rows}, {operand.columns}};
  const auto square = [](const Operand& each) {
    return each.rows == Extent::model && each.columns == Extent::model;
  };
  if (square(operand)) sides.rows.far = true;
  if (operand.columns != Extent::model || square(operand)) return sides;
  // The weight's result has its rows as columns. Backward, that is the gradient that arrives.
  const bool back = step.place.phase == StepPhase::backward;
  if (back && square(step.output)) sides.columns.far = operand.name == step.inputs.front().name;
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (!square(step.inputs[i])) continue;
    sides.columns.far =
        sides.columns.far || (back ? operand.name == step.inputs[i - 1].name
                                   : operand.name == step.output.name || operand.rows == Extent::one);
  }
  return sides;
}

NumberReader WalkScene::reader() const {
  NumberReader reader({*weights, trace(), 0, pass->sentence}, words, masks);
  reader.set_update(update);
  return reader;
}

int walk_shown(const WalkScene& scene, Extent extent) {
  const int total = scene.numbers().sizes().of(extent);
  if (is_vocabulary(extent)) return std::clamp(order_of(scene, extent).own(), 1, std::min(kWalkWhole, total));
  return total <= kWalkWhole ? total : kWalkStretch;
}

bool walk_stretches(const WalkScene& scene, Extent extent) {
  return walk_shown(scene, extent) < scene.numbers().sizes().of(extent);
}

int walk_place(const WalkScene& scene, Extent extent, int at) {
  return is_vocabulary(extent) ? order_of(scene, extent).place(at) : at;
}

WalkAxis walk_axis(const WalkScene& scene, WalkSide side, const WalkWindow& window) {
  const Extent extent = side.extent;
  const NumberReader reader = scene.reader();
  WalkAxis axis;
  axis.total = reader.extent(extent);
  const int count = walk_shown(scene, extent);
  const int first = std::clamp(window[side], 0, axis.total - count);
  axis.stretch = count < axis.total;
  if (is_vocabulary(extent)) {
    for (int place = first; place < first + count; ++place) {
      axis.shown.push_back(order_of(scene, extent).id(place));
      axis.labels.push_back(reader.vocabulary_word(extent, axis.shown.back()));
    }
    return axis;
  }
  const std::vector<std::string>* labels = extent == Extent::source   ? &scene.words->source
                                           : extent == Extent::target ? &scene.words->target
                                                                      : nullptr;
  for (int i = first; i < first + count; ++i) {
    axis.shown.push_back(i);
    if (labels != nullptr) axis.labels.push_back((*labels)[static_cast<std::size_t>(i)]);
  }
  return axis;
}

}  // namespace glassformer
