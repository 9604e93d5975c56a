#include "app/views/decode/decode_search.h"

#include <algorithm>
#include <cmath>

#include "engine/model/parameter_counts.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

struct BeamWork {
  BeamKey key;
  Scene scene;
  std::vector<int> source, right;
};

// Done within a frame.
bool is_small(const BeamWork& work) {
  const auto words = 2 * static_cast<double>(work.source.size()) + 8;
  return static_cast<double>(parameter_count(work.key.model->config)) * words * (work.key.width + 1) < 2e8;
}

BeamFound search(const BeamWork& work) {
  const ChangedModel<float> model(*work.key.model->weights, work.scene.what_if, work.scene.substitutes);
  BeamFound found{.key = work.key,
                  .beam = {},
                  .greedy = {},
                  .greedy_score = {},
                  .right = work.right,
                  .right_score = {},
                  .forced = forced_beginning(work.scene.what_if)};
  const DecodeOptions options = beam_options(work.key);
  found.beam = decode(model, {work.source}, options).front();
  found.greedy = decode(model, {work.source}, DecodeOptions{}).front();
  found.greedy_score.log_probabilities = found.greedy.log_probabilities;
  found.greedy_score.total = found.greedy.score;
  found.greedy_score.penalty =
      length_penalty(options.penalty, static_cast<int>(found.greedy.ids.size()), options.alpha);
  found.greedy_score.score = found.greedy_score.total / found.greedy_score.penalty;
  found.right_score = score_words(model, work.source, work.right, options);
  return found;
}

}  // namespace

DecodeOptions beam_options(const BeamKey& key) {
  DecodeOptions options;
  options.search = Search::beam;
  options.beam = key.width;
  options.alpha = key.alpha;
  options.penalty = key.penalty;
  options.record = true;
  return options;
}

BeamCache::Found beam_found(const ViewInput& input, BeamCache& cache, const BeamKey& wanted, bool at_once) {
  const SceneResult& result = input.result;
  BeamWork work{.key = wanted,
                .scene = result.scene,
                .source = result.trace->source.front(),
                .right = result.target_origin == TargetOrigin::model_output
                             ? std::vector<int>{}
                             : result.trace->target_out.front()};
  work.key.model = result.untouched_snapshot;
  work.key.trace = result.trace;
  BeamCache::Found found = cache.get(work.key, at_once || is_small(work), [work] { return search(work); });
  // The tree of another width stays meanwhile, never that of another sentence.
  if (!found.current && found.key.trace != result.trace) return {};
  return found;
}

std::optional<int> not_finite_from(const BeamRecord& record) {
  for (std::size_t step = 0; step < record.steps.size(); ++step)
    for (const BeamNode& node : record.steps[step].considered)
      if (!std::isfinite(node.total)) return static_cast<int>(step);
  return std::nullopt;
}

bool ruled_out(const BeamFound& found) {
  return !found.right.empty() && std::ranges::mismatch(found.forced, found.right).in1 != found.forced.end();
}

Verdict verdict(const BeamFound& found) {
  if (!found.right_score || found.beam.hypotheses.empty() || ruled_out(found)) return Verdict::none;
  if (!std::isfinite(found.right_score->score) || !std::isfinite(found.beam.score)) return Verdict::none;
  if (found.right == found.beam.ids) return Verdict::found;
  return found.right_score->score > found.beam.score ? Verdict::search_error : Verdict::model_error;
}

}  // namespace glassformer
