#include "app/views/decode/decode.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

// The winner's word at this step, or where nobody points, the one the model was least sure of.
std::optional<int> winners_node(const DecodeScene& scene, std::optional<int> step) {
  std::optional<int> found;
  for (int i = 0; i < static_cast<int>(scene.tree.nodes.size()); ++i) {
    const TreeNode& node = scene.tree.nodes[static_cast<std::size_t>(i)];
    if (!node.winner) continue;
    if (step ? node.place.step == *step : !found || scene.probability(i) < scene.probability(*found))
      found = i;
  }
  return found;
}

}  // namespace

std::string DecodeScene::word(int node) const {
  return target_word(input, at(node).id);
}

std::string DecodeScene::words(const std::vector<int>& ids) const {
  return target_text(input, ids);
}

double DecodeScene::probability(int node) const {
  return std::exp(at(node).log_probability);
}

bool DecodeScene::visible(int node) const {
  return input.shown_steps < 0 || tree.nodes[static_cast<std::size_t>(node)].place.step < input.shown_steps;
}

DecodeScene decode_scene(const ViewInput& input, BeamCache& cache, const BeamKey& wanted,
                         const std::vector<int>& pinned_words, bool at_once) {
  DecodeScene scene{.input = input,
                    .found = beam_found(input, cache, wanted, at_once).value,
                    .wanted = wanted,
                    .tree = {},
                    .explained = {},
                    .pinned = false};
  if (!scene.found || scene.record().steps.empty()) return scene;
  const BeamRecord& record = scene.record();
  scene.tree = lay_out_tree(record, scene.found->hypotheses(), scene.found->greedy.ids);
  for (int i = 0; i < static_cast<int>(scene.tree.nodes.size()) && !pinned_words.empty(); ++i)
    if (record.words(scene.tree.nodes[static_cast<std::size_t>(i)].place) == pinned_words) {
      scene.explained = i;
      scene.pinned = true;
    }
  if (!scene.explained) scene.explained = winners_node(scene, input.pinned.query);
  if (!scene.explained) scene.explained = winners_node(scene, {});
  return scene;
}

std::string ordinal(int rank) {
  const int tens = rank % 100;
  const bool teen = tens >= 11 && tens <= 13;
  const char* ending = teen             ? "th"
                       : rank % 10 == 1 ? "st"
                       : rank % 10 == 2 ? "nd"
                       : rank % 10 == 3 ? "rd"
                                        : "th";
  return std::to_string(rank) + ending;
}

std::string cut_words(const DecodeScene& scene, int index) {
  return cut_lines(scene, index).front().front();
}

std::vector<std::vector<std::string>> cut_lines(const DecodeScene& scene, int index) {
  const TreeNode& node = scene.tree.nodes[static_cast<std::size_t>(index)];
  if (!node.stub) return {{node.dies ? "cut at step " + std::to_string(node.place.step + 2) : ""}};
  const auto& nodes = scene.record().steps[static_cast<std::size_t>(node.place.step)].considered;
  const std::string here = ordinal(node.place.node + 1) + ", " + format_fixed(scene.at(index).total, 2);
  for (int better = node.place.node - 1; better >= 0; --better) {
    const BeamNode& kept = nodes[static_cast<std::size_t>(better)];
    if (kept.fate == BeamFate::cut) continue;
    const std::string rank = ordinal(better + 1), total = format_fixed(kept.total, 2);
    const std::string had = "the " + rank + " had " + total;
    return {{here + "; " + had}, {here + ";", had}, {here + ";", rank + ", " + total}, {here}};
  }
  return {{here}};
}

std::string end_words(const BeamFound& found) {
  const BeamRecord& record = found.record();
  const std::string step = std::to_string(record.steps.size());
  switch (record.end) {
    case BeamEnd::beaten:
      return "ended at step " + step +
             (std::isfinite(record.worst)
                  ? ": nothing alive could still beat " + format_fixed(record.worst, 2)
                  : "");
    case BeamEnd::nothing_alive:
      return "ended at step " + step + ": every beginning had ended";
    case BeamEnd::full_length:
      return "ended at step " + step + ": no more words fit";
    case BeamEnd::stopped:
      break;
  }
  return "stopped at step " + step;
}

std::string not_finite_words(const BeamFound& found) {
  const std::optional<int> from = not_finite_from(found.record());
  if (!from) return {};
  const std::string step = std::to_string(*from + 1);
  return std::isfinite(found.beam.score)
             ? "From step " + step +
                   " on the model’s numbers are not finite behind some beginnings: those are cut."
             : "From step " + step +
                   " on the model’s numbers are not finite: no beginning is better there, and none is drawn.";
}

std::string verdict_words(const DecodeScene& scene) {
  const BeamFound& found = *scene.found;
  const auto score = [](double value) { return format_fixed(value, 3); };
  if (ruled_out(found))
    return "The right translation does not begin with the forced words: no search can find it now.";
  switch (verdict(found)) {
    case Verdict::none:
      return {};
    case Verdict::found:
      return "The right translation is the one that was found.";
    case Verdict::search_error:
      return "A search error: the right translation scores " + score(found.right_score->score) +
             ", better than what was found; a wider beam may find it.";
    case Verdict::model_error:
      break;
  }
  return "A model error: the right translation scores " + score(found.right_score->score) +
         ", no better than what was found; a better search would not help.";
}

std::string penalty_words(const BeamKey& key) {
  return key.penalty == LengthPenalty::paper ? "( ( 5 + words ) / 6 )" : "words";
}

WhatIf forcing(const WhatIf& what_if, const std::vector<int>& words) {
  WhatIf changed = what_if;
  std::erase_if(changed.changes, [](const Change& each) { return each.kind == ChangeKind::force_words; });
  if (words.empty()) return changed;
  Change change;
  change.kind = ChangeKind::force_words;
  change.numbers = words;
  changed.changes.push_back(change);
  return changed;
}

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
