#include "engine/train/head_report.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "engine/decode/decode.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"
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
        heads_(every_head(job.model)) {}

  HeadReport make() {
    std::vector<Change> parts = heads_;
    const std::vector<Change> sub_blocks = every_sub_block(job_.model);
    parts.insert(parts.end(), sub_blocks.begin(), sub_blocks.end());
    const auto heads = static_cast<long>(heads_.size());
    all_ = 4 + 3 * static_cast<long>(parts.size()) + heads * (heads + 1) / 2 + heads;

    // The model as it is.
    const MeanLoss untouched = loss({});
    HeadReport report;
    report.pairs = job_.batch.sentences();
    report.loss = loss_over_pairs(untouched);
    report.exact_match = share_right(untouched);
    report.bleu = bleu_with({});
    const std::vector<PartReading> readings = read_parts(losses_, parts);
    passed();
    losses_.substitutes.means = std::make_shared<const ValueMeans>(mean_values(job_.model, job_.batch));
    passed();

    // Each part alone.
    for (std::size_t i = 0; i < parts.size(); ++i) {
      PartRow& row = report.rows.emplace_back();
      row.part = parts[i];
      const MeanLoss by_zero = loss({{parts[i]}});
      row.by_zero = difference(by_zero, untouched);
      row.exact_match = share_right(by_zero) - report.exact_match;
      row.bleu = bleu_with({{parts[i]}}) - report.bleu;
      Change mean = parts[i];
      mean.by = Replacement::mean;
      row.by_mean = difference(loss({{mean}}), untouched);
      row.reading = readings[i];
    }

    // One head after another.
    report.greedy.push_back({{}, report.loss, report.exact_match});
    report.one_shot = report.greedy;
    mute_greedily(report.greedy);
    std::vector<std::size_t> order(heads_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return report.rows[i].by_zero.mean; });
    WhatIf muted;
    for (const std::size_t head : order) {
      muted.changes.push_back(heads_[head]);
      report.one_shot.push_back(point(heads_[head], loss(muted)));
    }
    return report;
  }

 private:
  void mute_greedily(std::vector<PrunePoint>& points) {
    std::vector<Change> left = heads_;
    WhatIf muted;
    while (!left.empty()) {
      std::size_t best = 0;
      PrunePoint least;
      for (std::size_t i = 0; i < left.size(); ++i) {
        WhatIf with = muted;
        with.changes.push_back(left[i]);
        const PrunePoint found = point(left[i], loss(with));
        if (i == 0 || found.loss < least.loss) best = i, least = found;
      }
      muted.changes.push_back(left[best]);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
      points.push_back(least);
    }
  }

  static PrunePoint point(const Change& head, const MeanLoss& loss) {
    return {head, loss_over_pairs(loss), share_right(loss)};
  }

  MeanLoss loss(const WhatIf& what_if) {
    MeanLoss found = loss_with(losses_, what_if);
    passed();
    return found;
  }

  double bleu_with(const WhatIf& what_if) {
    if (job_.words == nullptr) {
      passed();
      return std::nan("");
    }
    std::vector<std::vector<int>> sources;
    for (int i = 0; i < job_.batch.sentences(); ++i) {
      const auto ids = job_.batch.source.sentence(i);
      sources.emplace_back(ids.begin(), ids.end());
    }
    const std::vector<DecodeResult> results =
        decode(ChangedModel<float>(job_.model, what_if), sources, {.alternatives = 0, .pool = job_.pool});
    std::vector<std::string> lines;
    for (const DecodeResult& result : results) lines.push_back(job_.words->decode(result.ids));
    passed();
    return bleu(lines, job_.references).score;
  }

  void passed() {
    ++done_;
    if (job_.progress && !job_.progress(done_, all_)) throw GaveUp{};
  }

  const HeadReportJob& job_;
  LossJob losses_;
  std::vector<Change> heads_;
  long done_ = 0, all_ = 0;
};

}  // namespace

std::optional<HeadReport> head_report(const HeadReportJob& job) {
  try {
    return ReportMaker(job).make();
  } catch (const GaveUp&) {
    return std::nullopt;
  }
}

}  // namespace glassformer
