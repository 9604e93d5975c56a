#include "engine/train/head_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include "engine/decode/decode.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/model/what_if/loss_meter.h"
#include "engine/model/what_if/value_means.h"
#include "engine/train/bleu.h"

namespace glassformer {
namespace {

struct GaveUp {};

double loss_over_pairs(const MeanLoss& loss) {
  return std::accumulate(loss.of_sentence.begin(), loss.of_sentence.end(), 0.0) /
         std::max(1.0, static_cast<double>(loss.of_sentence.size()));
}

double share_right(const MeanLoss& loss) {
  return static_cast<double>(std::ranges::count(loss.right, 1)) /
         std::max(1.0, static_cast<double>(loss.right.size()));
}

class ReportMaker {
 public:
  explicit ReportMaker(const HeadReportJob& job)
      : job_(job),
        losses_{.model = job.model, .batch = job.batch, .smoothing = job.smoothing, .pool = job.pool},
        meter_(losses_),
        heads_(every_head(job.model)) {
    if (job.words == nullptr || too_short_for_bleu(job.references)) return;
    for (int i = 0; i < job.batch.sentences(); ++i) {
      const auto right = job.batch.target_out.sentence(i);
      right_lines_.push_back(job.words->decode({right.begin(), right.end()}));
    }
  }

  HeadReport make() {
    std::vector<Change> parts = heads_;
    const std::vector<Change> sub_blocks = every_sub_block(job_.model);
    parts.insert(parts.end(), sub_blocks.begin(), sub_blocks.end());
    const auto heads = static_cast<long>(heads_.size());
    all_ = 4 + 3 * static_cast<long>(parts.size()) + heads * (heads + 1) / 2 + heads;

    // The unchanged model.
    const MeanLoss untouched = loss({});
    HeadReport report;
    report.pairs = job_.batch.sentences();
    report.loss = loss_over_pairs(untouched);
    report.exact_match = share_right(untouched);
    report.bleu = bleu_with({}, untouched);
    const std::vector<PartReading> readings = read_parts(losses_, parts);
    passed();
    losses_.substitutes.means =
        std::make_shared<const ValueMeans>(mean_values(job_.model, job_.batch, job_.pool));
    passed();

    // Each part alone.
    for (std::size_t i = 0; i < parts.size(); ++i) {
      PartRow& row = report.rows.emplace_back();
      row.part = parts[i];
      const MeanLoss by_zero = loss({{parts[i]}});
      row.by_zero = difference(by_zero, untouched);
      row.exact_match = share_right(by_zero) - report.exact_match;
      row.bleu = bleu_with({{parts[i]}}, by_zero) - report.bleu;
      Change mean = parts[i];
      mean.by = Replacement::mean;
      row.by_mean = difference(loss({{mean}}), untouched);
      row.reading = readings[i];
      if (i < heads_.size()) {
        std::vector<bool> alone(heads_.size());
        alone[i] = true;
        points_[alone] = point_of(parts[i], by_zero, untouched);
      }
      report_progress(report);
    }

    // One head after another.
    report.stepwise.push_back({{}, report.loss, report.exact_match, {}});
    report.one_shot = report.stepwise;
    mute_stepwise(report, untouched);
    std::vector<std::size_t> order(heads_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return report.rows[i].by_zero.mean; });
    WhatIf muted;
    for (const std::size_t head : order) {
      muted.changes.push_back(heads_[head]);
      report.one_shot.push_back(*point(heads_[head], muted, untouched));
      report_progress(report);
    }
    return report;
  }

 private:
  // First those that are expected to cost least, by what they cost in the round before: the others are
  // aborted sooner.
  void mute_stepwise(HeadReport& report, const MeanLoss& untouched) {
    std::vector<std::size_t> left(heads_.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::ranges::stable_sort(left, {}, [&](std::size_t i) { return report.rows[i].by_zero.mean; });
    std::vector<std::size_t> turns = left;
    std::vector<double> expected(heads_.size());
    WhatIf muted;
    while (!turns.empty()) {
      std::optional<PrunePoint> least;
      std::size_t best = 0;
      std::ranges::stable_sort(turns, {}, [&](std::size_t head) { return expected[head]; });
      for (const std::size_t head : turns) {
        WhatIf with = muted;
        with.changes.push_back(heads_[head]);
        const double most = least ? least->loss : std::numeric_limits<double>::infinity();
        const auto found = point(heads_[head], with, untouched, most);
        expected[head] = found ? found->loss : meter_.expected();
        if (std::isnan(expected[head])) expected[head] = std::numeric_limits<double>::infinity();
        const bool before = std::ranges::find(left, head) < std::ranges::find(left, best);
        if (found && (!least || found->loss < least->loss || (found->loss == least->loss && before)))
          best = head, least = found;
      }
      muted.changes.push_back(heads_[best]);
      std::erase(turns, best);
      report.stepwise.push_back(*least);
      report_progress(report);
    }
  }

  // Nothing where the loss is above `most`.
  std::optional<PrunePoint> point(const Change& head, const WhatIf& muted, const MeanLoss& untouched,
                                  double most = std::numeric_limits<double>::infinity()) {
    // A set of heads in any order is one model.
    std::vector<bool> set(heads_.size());
    for (const Change& change : muted.changes)
      set[static_cast<std::size_t>(std::ranges::find(heads_, change) - heads_.begin())] = true;
    const auto known = points_.find(set);
    if (known != points_.end()) {
      passed();
      PrunePoint same = known->second;
      same.muted = head;
      return same;
    }
    const std::optional<MeanLoss> found = meter_.within(muted, most);
    passed();
    if (!found) return std::nullopt;
    return points_[set] = point_of(head, *found, untouched);
  }

  static PrunePoint point_of(const Change& head, const MeanLoss& found, const MeanLoss& untouched) {
    return {head, loss_over_pairs(found), share_right(found), right_difference(found, untouched)};
  }

  void report_progress(const HeadReport& report) const {
    if (job_.known) job_.known(report);
  }

  MeanLoss loss(const WhatIf& what_if) {
    MeanLoss found = meter_.with(what_if);
    passed();
    return found;
  }

  // Of greedy search under these changes: what is right given the right words (`loss`) is what it writes.
  double bleu_with(const WhatIf& what_if, const MeanLoss& loss) {
    if (right_lines_.empty()) {
      passed();
      return std::nan("");
    }
    const std::vector<int>& forbidden = job_.model.config.forbidden_ids;
    // Forbidden, or padding, which `right` leaves out.
    const auto unsure = [&](int id) {
      return id == job_.model.config.pad_id || std::ranges::find(forbidden, id) != forbidden.end();
    };
    std::vector<std::string> lines = right_lines_;
    std::vector<std::size_t> wrong;
    std::vector<std::vector<int>> sources;
    for (int i = 0; i < job_.batch.sentences(); ++i) {
      const auto right = job_.batch.target_out.sentence(i), source = job_.batch.source.sentence(i);
      const auto line = static_cast<std::size_t>(i);
      if (loss.right[line] != 0 && std::ranges::none_of(right, unsure)) continue;
      wrong.push_back(line);
      sources.emplace_back(source.begin(), source.end());
    }
    const Transformer<float>* const muted = meter_.muted(what_if);
    const ChangedModel<float> changed(muted ? *muted : job_.model, muted ? WhatIf{} : what_if);
    const std::vector<DecodeResult> results =
        decode(changed, sources, {.alternatives = 0, .pool = job_.pool});
    for (std::size_t i = 0; i < wrong.size(); ++i) lines[wrong[i]] = job_.words->decode(results[i].ids);
    passed();
    return bleu(lines, job_.references).score;
  }

  void passed() {
    ++done_;
    if (job_.progress && !job_.progress(done_, all_)) throw GaveUp{};
  }

  const HeadReportJob& job_;
  LossJob losses_;
  LossMeter meter_;
  std::vector<Change> heads_;
  std::vector<std::string> right_lines_;            // empty: no BLEU
  std::map<std::vector<bool>, PrunePoint> points_;  // by which heads are muted
  long done_ = 0, all_ = 0;
};

}  // namespace

PruneReach prune_reach(const std::vector<PrunePoint>& curve) {
  if (curve.empty()) return {};
  PruneReach reach{.at = curve.front(), .least = curve.front().exact_match - kPruneFall};
  for (std::size_t i = 1; i < curve.size() && curve[i].exact_match > reach.least - 1e-9; ++i) {
    reach.muted = static_cast<int>(i);
    reach.at = curve[i];
  }
  return reach;
}

std::optional<HeadReport> head_report(const HeadReportJob& job) {
  try {
    return ReportMaker(job).make();
  } catch (const GaveUp&) {
    return std::nullopt;
  }
}

}  // namespace glassformer
