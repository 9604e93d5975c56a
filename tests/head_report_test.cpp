// The head report against single evaluations, and against the same figures worked out in double.
#include "engine/train/head_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/decode/decode.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/model/what_if/value_means.h"
#include "engine/text/vocabulary.h"
#include "engine/train/bleu.h"
#include "random_models.h"

using namespace glassformer;

namespace {

constexpr double kSmoothing = 0.1;

// Mean over the pairs of each pair's mean loss, in double.
double loss_in_double(const Transformer<double>& model, const WhatIf& what_if, const Batch& batch) {
  const ChangedModel<double> changed(model, what_if);
  WhatIfTap<double> tap = changed.tap();
  tap.rows_of(batch);
  Saved<double> saved;
  model.forward(batch, saved, tap);
  double mean = 0;
  for (int i = 0; i < batch.sentences(); ++i) {
    double sum = 0;
    for (int row = batch.target_out.begin(i); row < batch.target_out.begin(i + 1); ++row) {
      const RowVector<double> logits = saved.logits.row(row);
      const double total = std::log(logits.array().exp().sum());
      sum += total - (1 - kSmoothing) * logits[batch.target_out.id(row)] - kSmoothing * logits.mean();
    }
    mean += sum / batch.target_out.length(i) / batch.sentences();
  }
  return mean;
}

// Every block of weights of one head, a sentence after another.
struct HeadWeights : Tap<double> {
  std::string name;
  int head = 0;
  std::map<int, Matrix<double>> of_sentence;
  void operator()(const TapPoint& point, MatrixRef<double> value) override {
    if (point.name == name && point.head == head) of_sentence[point.sentence] = value;
  }
};

// The mean over rows that may see two keys or more of what `figure` says; NaN leaves a row out.
template <class Figure>
double mean_of_rows(const HeadWeights& weights, bool causal, const Figure& figure) {
  double sum = 0;
  int rows = 0;
  for (const auto& [sentence, table] : weights.of_sentence) {
    for (int query = 0; query < table.rows(); ++query) {
      const int keys = causal ? query + 1 : static_cast<int>(table.cols());
      if (keys < 2) continue;
      const double value = figure(table, sentence, query, keys);
      if (std::isnan(value)) continue;
      sum += value;
      ++rows;
    }
  }
  return rows > 0 ? sum / rows : std::nan("");
}

void check_same(double found, double wanted) {
  CHECK(std::isnan(found) == std::isnan(wanted));
  if (!std::isnan(wanted)) CHECK(found == doctest::Approx(wanted).epsilon(1e-4));
}

HeadReport report_of(const Transformer<float>& model, const Batch& batch, WorkerPool* pool = nullptr) {
  return *head_report({.model = model, .batch = batch, .smoothing = kSmoothing, .pool = pool});
}

}  // namespace

TEST_CASE("losses of the head report are those of a pass in double, and its estimates are slopes") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 5);
    const auto exact = model.cast<double>();
    const Batch batch = random_batch(each.config, 3);
    const HeadReport report = report_of(model, batch);
    const double untouched = loss_in_double(exact, {}, batch);
    CHECK(report.pairs == 4);
    CHECK(report.loss == doctest::Approx(untouched).epsilon(1e-5));
    CHECK(std::isnan(report.bleu));
    const std::size_t heads = every_head(model).size(), blocks = every_sub_block(model).size();
    REQUIRE(report.rows.size() == heads + blocks);
    for (const PartRow& row : report.rows) {
      CAPTURE(written(row.part.block));
      CAPTURE(row.part.head);
      const double muted = loss_in_double(exact, {{row.part}}, batch) - untouched;
      CHECK(std::abs(row.by_zero.mean - muted) < 2e-5);
      CHECK(row.by_zero.low <= row.by_zero.mean);
      Change more = row.part, less = row.part;
      more.by = less.by = Replacement::times;
      more.amount = 1 + 1e-4;
      less.amount = 1 - 1e-4;
      const double slope =
          (loss_in_double(exact, {{more}}, batch) - loss_in_double(exact, {{less}}, batch)) / 2e-4;
      // Muting goes from 1 to 0: against the slope.
      CHECK(std::abs(row.reading.gradient + slope) < 2e-5 + 1e-4 * std::abs(slope));
    }
  }
}

TEST_CASE("muting by the mean is a loss with the means over the same pairs") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 7);
    const Batch batch = random_batch(model.config, 4);
    const HeadReport report = report_of(model, batch);
    LossJob job{.model = model, .batch = batch, .smoothing = kSmoothing};
    job.substitutes.means = std::make_shared<const ValueMeans>(mean_values(model, batch));
    const MeanLoss untouched = loss_with(job, {});
    for (const PartRow& row : report.rows) {
      Change mean = row.part;
      mean.by = Replacement::mean;
      const Difference wanted = difference(loss_with(job, {{mean}}), untouched);
      CHECK(row.by_mean.mean == wanted.mean);
      CHECK(row.by_mean.low == wanted.low);
      CHECK(row.by_mean.high == wanted.high);
      if (each.name == "the paper's") CHECK(wanted.mean != row.by_zero.mean);
      // With another change, which changes nothing, it goes through the tap.
      Change same = report.rows.front().part;
      same.by = Replacement::times;
      same.amount = 1;
      const MeanLoss looked_into = loss_with(job, {{same, mean}});
      CHECK(std::abs(difference(looked_into, untouched).mean - wanted.mean) < 2e-5);
    }
  }
}

TEST_CASE("what a head reads is what its weights in double say") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 9);
    const auto exact = model.cast<double>();
    const Batch batch = random_batch(each.config, 6);
    for (const PartRow& row : report_of(model, batch).rows) {
      const HeadReading& found = row.reading.attention;
      if (row.part.kind != ChangeKind::mute_head) {
        CHECK(std::isnan(found.entropy));
        CHECK(found.word == -1);
        continue;
      }
      const AttentionKind kind = kind_of(row.part);
      CAPTURE(written(row.part.block));
      HeadWeights weights;
      weights.name = written(row.part.block, ValueKind::weights);
      weights.head = row.part.head;
      Saved<double> saved;
      exact.forward(batch, saved, weights);
      REQUIRE(weights.of_sentence.size() == 4);
      const bool causal = kind == AttentionKind::decoder, cross = kind == AttentionKind::cross;
      const PackedIds& keys_of = causal ? batch.target_in : batch.source;
      // The shares of each row, which a ReLU need not make add up to 1; a row that it leaves empty says
      // nothing.
      for (auto& [sentence, table] : weights.of_sentence)
        for (Eigen::Index i = 0; i < table.rows(); ++i)
          if (const double all = table.row(i).sum(); all > 0) table.row(i) /= all;
      const auto mean = [&](const auto& figure) {
        return mean_of_rows(
            weights, causal, [&](const Matrix<double>& table, int sentence, int query, int keys) {
              return table.row(query).head(keys).sum() > 0 ? figure(table, sentence, query, keys)
                                                           : std::nan("");
            });
      };
      const auto at = [&](int step) {
        return mean([=](const Matrix<double>& table, int, int query, int keys) {
          const int key = query + step;
          return key >= 0 && key < keys ? table(query, key) : std::nan("");
        });
      };
      const auto on = [&](int id) {
        return mean([&, id](const Matrix<double>& table, int sentence, int query, int keys) {
          double sum = std::nan("");
          for (int key = 0; key < keys; ++key)
            if (keys_of.sentence(sentence)[static_cast<std::size_t>(key)] == id)
              sum = (std::isnan(sum) ? 0 : sum) + table(query, key);
          return sum;
        });
      };
      check_same(found.same_place, at(0));
      check_same(found.previous, at(-1));
      check_same(found.next, at(1));
      check_same(found.bos, on(each.config.bos_id));
      check_same(found.eos, on(each.config.eos_id));
      CHECK(std::isnan(found.next) == causal);
      check_same(found.entropy, mean([](const Matrix<double>& table, int, int query, int keys) {
                   double sum = 0;
                   for (int key = 0; key < keys; ++key)
                     if (const double share = table(query, key); share > 0) sum -= share * std::log(share);
                   return sum;
                 }));
      std::map<int, int> most;
      int rows = 0;
      check_same(found.largest, mean([&](const Matrix<double>& table, int sentence, int query, int keys) {
                   Eigen::Index key = 0;
                   const double largest = table.row(query).head(keys).maxCoeff(&key);
                   ++most[keys_of.sentence(sentence)[static_cast<std::size_t>(key)]];
                   ++rows;
                   return largest;
                 }));
      REQUIRE(most.contains(found.word));
      for (const auto& [word, count] : most) CHECK(count <= most[found.word]);
      CHECK(found.word_share == doctest::Approx(double(most[found.word]) / rows));
      const double same =
          cross ? std::nan("") : mean([&](const Matrix<double>& table, int sentence, int query, int keys) {
            const auto ids = keys_of.sentence(sentence);
            double sum = std::nan("");
            for (int key = 0; key < keys; ++key)
              if (key != query && ids[static_cast<std::size_t>(key)] == ids[static_cast<std::size_t>(query)])
                sum = (std::isnan(sum) ? 0 : sum) + table(query, key);
            return sum;
          });
      check_same(found.same_word, same);
    }
  }
}

TEST_CASE("heads are muted one after another, each time the one that costs least, or in a fixed order") {
  const Transformer<float> model = random_model<float>(small_config(), 13);
  const auto exact = model.cast<double>();
  const Batch batch = random_batch(model.config, 8);
  const HeadReport report = report_of(model, batch);
  const std::vector<Change> heads = every_head(model);
  REQUIRE(report.stepwise.size() == heads.size() + 1);
  REQUIRE(report.one_shot.size() == heads.size() + 1);
  CHECK(report.stepwise[0].loss == report.loss);
  const auto index = [&](const Change& head) {
    return static_cast<std::size_t>(std::ranges::find(heads, head) - heads.begin());
  };
  WhatIf greedy, one_shot;
  double before = -1e9;
  for (std::size_t i = 1; i <= heads.size(); ++i) {
    double least = 1e9;
    for (const Change& head : heads) {
      if (std::ranges::find(greedy.changes, head) != greedy.changes.end()) continue;
      WhatIf with = greedy;
      with.changes.push_back(head);
      least = std::min(least, loss_in_double(exact, with, batch));
    }
    greedy.changes.push_back(*report.stepwise[i].muted);
    CHECK(report.stepwise[i].loss == doctest::Approx(loss_in_double(exact, greedy, batch)).epsilon(1e-5));
    CHECK(report.stepwise[i].loss == doctest::Approx(least).epsilon(1e-5));
    one_shot.changes.push_back(*report.one_shot[i].muted);
    CHECK(report.one_shot[i].loss == doctest::Approx(loss_in_double(exact, one_shot, batch)).epsilon(1e-5));
    const double alone = report.rows[index(*report.one_shot[i].muted)].by_zero.mean;
    CHECK(alone >= before);
    before = alone;
  }
  // All heads muted is one model, whatever the order.
  CHECK(report.stepwise.back().loss == doctest::Approx(report.one_shot.back().loss).epsilon(1e-5));
}

TEST_CASE("a curve is followed until exact match has fallen by more than a point, and not beyond") {
  const auto curve = [](std::vector<double> exact) {
    std::vector<PrunePoint> points;
    for (const double each : exact) points.push_back({.exact_match = each});
    return points;
  };
  CHECK(prune_reach(curve({0.985, 0.98, 0.975, 0.97, 0.98})).muted == 2);  // not past the first fall
  CHECK(prune_reach(curve({0.985, 0.98, 0.975, 0.97})).least == doctest::Approx(0.975));
  CHECK(prune_reach(curve({0.985, 0.9})).muted == 0);
  CHECK(prune_reach(curve({0.5, 0.6, 0.5})).muted == 2);
  CHECK(prune_reach({}).muted == 0);
}

TEST_CASE("a point of a curve has the interval of its exact match, pair by pair") {
  const Transformer<float> model = random_model<float>(small_config(), 29);
  const Batch batch = random_batch(model.config, 8);
  const HeadReport report = report_of(model, batch);
  const LossJob job{.model = model, .batch = batch, .smoothing = kSmoothing};
  const MeanLoss untouched = loss_with(job, {});
  WhatIf muted;
  for (std::size_t i = 1; i < report.stepwise.size(); ++i) {
    muted.changes.push_back(*report.stepwise[i].muted);
    const MeanLoss with = loss_with(job, muted);
    double sum = 0, squares = 0;
    const auto n = static_cast<double>(with.right.size());
    for (std::size_t pair = 0; pair < with.right.size(); ++pair)
      sum += double(with.right[pair]) - double(untouched.right[pair]);
    for (std::size_t pair = 0; pair < with.right.size(); ++pair)
      squares += std::pow(double(with.right[pair]) - double(untouched.right[pair]) - sum / n, 2);
    const Difference& found = report.stepwise[i].exact_change;
    CHECK(found.mean == doctest::Approx(sum / n));
    const double error = 1.96 * std::sqrt(squares / (n - 1) / n);
    CHECK(found.high == doctest::Approx(std::min(found.mean + error, 1 - report.exact_match)));
    CHECK(found.low == doctest::Approx(std::max(found.mean - error, -report.exact_match)));
  }
}

TEST_CASE("a head report tells what it knows while it goes on") {
  const Transformer<float> model = random_model<float>(small_config(), 31);
  const Batch batch = random_batch(model.config, 8);
  std::size_t rows = 0, points = 0, reported = 0;
  const auto report = head_report({.model = model, .batch = batch, .known = [&](const HeadReport& so_far) {
                                     CHECK(so_far.rows.size() >= rows);
                                     rows = so_far.rows.size(), points = so_far.stepwise.size();
                                     ++reported;
                                   }});
  REQUIRE(report);
  CHECK(rows == report->rows.size());
  CHECK(points == report->stepwise.size());
  CHECK(reported == rows + 2 * every_head(model).size());
}

TEST_CASE(
    "exact match counts the pairs that greedy search writes word for word, and BLEU is of what it writes") {
  const Transformer<float> model = random_model<float>(small_config(), 21);
  Batch batch;
  Random random(2);
  std::vector<std::vector<int>> sources = random_sentences({4, 5, 3, 6}, model.config.source_vocab, random);
  std::vector<std::vector<int>> with_eos = sources;
  for (std::vector<int>& ids : with_eos)
    if (model.config.source_eos) ids.push_back(model.config.eos_id);
  // What it writes is right, but for one word of the last pair.
  std::vector<std::vector<int>> in, out;
  for (const DecodeResult& result : decode(model, with_eos, {})) {
    out.push_back(result.ids);
    in.push_back(result.ids);
    in.back().insert(in.back().begin(), model.config.bos_id);
    in.back().pop_back();
  }
  out.back().back() = out.back().back() == 5 ? 6 : 5;
  batch = make_raw_batch(with_eos, in, out, model.config);
  const auto words = load_vocabulary("<pad>\n<unk>\n<bos>\n<eos>\na\nb\nc\nd\ne\nf\ng\nh\ni\n",
                                     TokenizerKind::word, SpecialIds{}, "words");
  std::vector<std::string> references;
  for (const std::vector<int>& ids : out) references.push_back(words->decode(ids));
  const HeadReport report = *head_report({.model = model,
                                          .batch = batch,
                                          .smoothing = kSmoothing,
                                          .words = words.get(),
                                          .references = references});
  CHECK(report.exact_match == 0.75);
  CHECK(report.bleu < 100);
  int decoded = 0;  // rows with some pairs right, which are not decoded again, and some wrong
  for (const PartRow& row : report.rows) {
    double right = 0;
    std::vector<std::string> lines;
    const auto written = decode(ChangedModel<float>(model, {{row.part}}), with_eos, {});
    for (std::size_t i = 0; i < out.size(); ++i) {
      right += written[i].ids == out[i] ? 0.25 : 0;
      lines.push_back(words->decode(written[i].ids));
    }
    if (right > 0 && right < 1) ++decoded;
    CHECK(report.exact_match + row.exact_match == doctest::Approx(right));
    CHECK(report.bleu + row.bleu == doctest::Approx(bleu(lines, references).score));
  }
  CHECK(decoded > 2);
}

TEST_CASE("the head report is the same on any number of threads, and ends when it is told to") {
  const Transformer<float> model = random_model<float>(small_config(), 17);
  Random random(5);
  std::vector<int> lengths(40, 3);
  const Batch batch = make_batch(random_sentences(lengths, model.config.source_vocab, random),
                                 random_sentences(lengths, model.config.target_vocab, random), model.config);
  WorkerPool pool(3);
  const HeadReport one = report_of(model, batch), three = report_of(model, batch, &pool);
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    CHECK(one.rows[i].by_zero.mean == three.rows[i].by_zero.mean);
    CHECK(one.rows[i].reading.gradient == three.rows[i].reading.gradient);
  }
  CHECK(one.stepwise.back().loss == three.stepwise.back().loss);

  long calls = 0, last = 0, of = 0;
  HeadReportJob job{.model = model, .batch = batch, .progress = [&](long done, long all) {
                      ++calls, last = done, of = all;
                      return done < 7;
                    }};
  CHECK_FALSE(head_report(job).has_value());
  CHECK(calls == 7);
  job.progress = [&](long done, long all) {
    last = done, of = all;
    return true;
  };
  CHECK(head_report(job).has_value());
  CHECK(last == of);
}
