#include "engine/analysis/logit_lens.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/math/error.h"
#include "engine/model/names.h"
#include "random_models.h"

using namespace glassformer;

namespace {

const TraceInput kSentences = {{{5, 6, 7}, {8, 9}}, {{4, 5}, {6, 7, 8, 9}}};

std::vector<double> row_of(const Trace& trace, const std::string& name, int sentence, int place,
                           int head = 0) {
  const Plane plane = trace.plane(name, sentence, head);
  std::vector<double> row;
  for (int c = 0; c < plane.columns; ++c) row.push_back(static_cast<double>(plane(place, c)));
  return row;
}

struct Moments {
  double mean = 0, deviation = 1;
};
Moments moments_of(const std::vector<double>& x, const Config& config) {
  Moments m;
  if (config.norm_kind == NormKind::layer)
    for (const double v : x) m.mean += v / static_cast<double>(x.size());
  double variance = 0;
  for (const double v : x) variance += (v - m.mean) * (v - m.mean) / static_cast<double>(x.size());
  m.deviation = std::sqrt(variance + config.layer_norm_eps);
  return m;
}

// One number at a time, in double.
std::vector<double> logits_by_hand(const Transformer<double>& model, std::vector<double> x) {
  if (model.config.final_norm) {
    const Moments m = moments_of(x, model.config);
    for (std::size_t c = 0; c < x.size(); ++c) {
      const auto at = static_cast<Eigen::Index>(c);
      x[c] = (x[c] - m.mean) / m.deviation * model.decoder_norm.weight(at);
      if (model.config.norm_kind == NormKind::layer) x[c] += model.decoder_norm.bias(at);
    }
  }
  std::vector<double> logits;
  for (int id = 0; id < model.config.target_vocab; ++id) {
    double logit = model.config.output_bias ? model.output_projection.bias(id) : 0;
    for (std::size_t c = 0; c < x.size(); ++c)
      logit += x[c] * model.projection()(id, static_cast<Eigen::Index>(c));
    logits.push_back(logit);
  }
  return logits;
}

// What a vector that is added to the stream gives to the logit of a word, the final deviation as it is.
double share_by_hand(const Transformer<double>& model, const std::vector<double>& added, double deviation,
                     int word) {
  const double mean = moments_of(added, model.config).mean;
  double share = 0;
  for (std::size_t c = 0; c < added.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(c);
    const double passed =
        model.config.final_norm ? (added[c] - mean) * model.decoder_norm.weight(at) / deviation : added[c];
    share += passed * model.projection()(word, at);
  }
  return share;
}

}  // namespace

TEST_CASE("every row of the logit lens is the stream through final norm and projection, for every model") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 3);
    const Transformer<double> exact = model.cast<double>();
    const Trace trace = record_trace(model, kSentences);
    for (int sentence = 0; sentence < 2; ++sentence) {
      const LogitLens lens = logit_lens(model, trace, sentence);
      const std::vector<int>& words = trace.target_out[static_cast<std::size_t>(sentence)];
      REQUIRE(lens.rows.size() == static_cast<std::size_t>(1 + 3 * each.config.decoder_layers));
      REQUIRE(lens.places() == static_cast<int>(words.size()));
      for (const LensRow& row : lens.rows)
        for (int place = 0; place < lens.places(); ++place) {
          const LensCell& cell = row.cells[static_cast<std::size_t>(place)];
          const int word = words[static_cast<std::size_t>(place)];
          const std::vector<double> logits = logits_by_hand(exact, row_of(trace, row.name, sentence, place));
          double sum = 0;
          int above = 0, nearly = 0;
          for (const double logit : logits) {
            sum += std::exp(logit);
            above += logit > logits[static_cast<std::size_t>(word)] + 1e-4;
            nearly += std::abs(logit - logits[static_cast<std::size_t>(word)]) <= 1e-4;
          }
          CHECK(cell.written.id == word);
          CHECK(std::exp(cell.log_probability(cell.written)) ==
                doctest::Approx(std::exp(logits[static_cast<std::size_t>(word)]) / sum).epsilon(1e-4));
          CHECK(cell.rank > above);
          CHECK(cell.rank <= above + nearly);
          REQUIRE(cell.strongest.size() == 5);
          std::vector<double> sorted = logits;
          std::ranges::sort(sorted, std::greater());
          for (std::size_t i = 0; i < 5; ++i) {
            CHECK(cell.strongest[i].logit == doctest::Approx(sorted[i]).epsilon(1e-4).scale(1));
            CHECK(logits[static_cast<std::size_t>(cell.strongest[i].id)] ==
                  doctest::Approx(sorted[i]).epsilon(1e-4).scale(1));
          }
        }
    }
  }
}

TEST_CASE("the last row of the logit lens is what the model says") {
  for (const NamedConfig& each : varied_configs()) {
    const Transformer<float> model = random_model<float>(each.config, 4);
    const Trace trace = record_trace(model, kSentences);
    const LogitLens lens = logit_lens(model, trace, 1);
    const Plane log_p = trace.plane("log_probabilities", 1);
    for (int place = 0; place < lens.places(); ++place) {
      const LensCell& cell = lens.rows.back().cells[static_cast<std::size_t>(place)];
      for (const LensWord& word : cell.strongest)
        CHECK(cell.log_probability(word) ==
              doctest::Approx(static_cast<double>(log_p(place, word.id))).epsilon(1e-5).scale(1));
    }
  }
}

TEST_CASE("shares of heads, feed-forwards, embedding and biases add up to the logit, and each is its own") {
  int seen = 0;
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Config& config = each.config;
    const Transformer<float> model = random_model<float>(config, 5);
    const Transformer<double> exact = model.cast<double>();
    const Trace trace = record_trace(model, kSentences);
    const LogitLens lens = logit_lens(model, trace, 1);
    if (config.norm == NormPlace::post) {
      CHECK(lens.shares.empty());
      continue;
    }
    ++seen;
    REQUIRE(static_cast<int>(lens.shares.size()) == lens.places());
    for (int place = 0; place < lens.places(); ++place) {
      const LogitShares& shares = lens.shares[static_cast<std::size_t>(place)];
      const int word = trace.target_out[1][static_cast<std::size_t>(place)];
      const double deviation = moments_of(row_of(trace, lens.rows.back().name, 1, place), config).deviation;
      const auto share = [&](const std::vector<double>& added) {
        return share_by_hand(exact, added, deviation, word);
      };
      const auto close = [](double value) { return doctest::Approx(value).epsilon(1e-4).scale(1); };
      double sum = shares.parts[0][0];
      CHECK(shares.parts[0][0] == close(share(row_of(trace, "target.input", 1, place))));
      double biases = config.output_bias ? exact.output_projection.bias(word) : 0;
      if (config.final_norm && config.norm_kind == NormKind::layer)
        biases += exact.decoder_norm.bias.dot(exact.projection().row(word));
      for (std::size_t r = 1; r < lens.rows.size(); ++r) {
        const LensRow& row = lens.rows[r];
        if (row.part == LensPart::feed_forward) {
          const ValueName name{BlockKind::feed_forward, ValueKind::output, false, row.layer, 0};
          REQUIRE(shares.parts[r].size() == 1);
          CHECK(shares.parts[r][0] == close(share(row_of(trace, written(name), 1, place))));
          sum += shares.parts[r][0];
          continue;
        }
        const bool cross = row.part == LensPart::cross_attention;
        const DecoderLayer<double>& layer = exact.decoder_layers[static_cast<std::size_t>(row.layer)];
        const Linear<double>& output = (cross ? layer.cross_attention : layer.self_attention).output;
        REQUIRE(static_cast<int>(shares.parts[r].size()) == config.heads);
        for (int head = 0; head < config.heads; ++head) {
          const std::vector<double> context =
              row_of(trace,
                     attention_value(cross ? AttentionKind::cross : AttentionKind::decoder, row.layer,
                                     ValueKind::context),
                     1, place, head);
          std::vector<double> added(static_cast<std::size_t>(config.d_model));
          for (int out = 0; out < config.d_model; ++out)
            for (int c = 0; c < config.head_width(); ++c)
              added[static_cast<std::size_t>(out)] +=
                  context[static_cast<std::size_t>(c)] * output.weight(out, head * config.head_width() + c);
          const double of_head = shares.parts[r][static_cast<std::size_t>(head)];
          CHECK(of_head == close(share(added)));
          sum += of_head;
        }
        if (output.bias.size() > 0)
          biases += share({output.bias.data(), output.bias.data() + output.bias.size()});
      }
      CHECK(shares.biases == close(biases));
      const int index[] = {1, place, word};
      CHECK(shares.logit == static_cast<double>(trace.at("logits").at(index)));
      CHECK(sum + shares.biases == close(shares.logit));
      CHECK(std::abs(shares.rest) < 1e-4);
    }
  }
  CHECK(seen == 4);
}

TEST_CASE("a muted head or block has no share, and what stands in for a block is left over") {
  Config config = varied_configs()[1].config;
  const Transformer<float> model = random_model<float>(config, 6);
  TraceOptions options;
  options.what_if.changes = {mute_head(AttentionKind::cross, 0, 1)};
  const LogitLens one = logit_lens(model, record_trace(model, kSentences, options), 0);
  CHECK(one.shares[1].parts[2][1] == 0);
  CHECK(one.shares[1].parts[2][0] != 0);
  CHECK(std::abs(one.shares[1].rest) < 1e-4);

  options = {};
  options.what_if.changes = {mute_sub_block(value_in(AttentionKind::cross, 1, ValueKind::whole))};
  const LogitLens all = logit_lens(model, record_trace(model, kSentences, options), 0);
  CHECK(all.shares[1].of_row(5) == 0);
  CHECK(std::abs(all.shares[1].rest) < 1e-3);

  options.what_if.changes.front().by = Replacement::times;
  options.what_if.changes.front().amount = 3;
  const LogitLens times = logit_lens(model, record_trace(model, kSentences, options), 0);
  CHECK(times.shares[1].of_row(5) == 0);
  CHECK(std::abs(times.shares[1].rest) > 1e-3);
}

TEST_CASE("a place is settled from the row on from which the written word stays the most probable") {
  LogitLens lens{.rows = lens_rows(small_config()), .shares = {}};
  const int ranks[] = {1, 3, 1, 2, 1, 1, 1};
  for (std::size_t r = 0; r < lens.rows.size(); ++r) {
    lens.rows[r].cells.resize(2);
    lens.rows[r].cells[0].rank = ranks[r];
    lens.rows[r].cells[1].rank = r + 1 == lens.rows.size() ? 2 : 1;
  }
  CHECK(lens.settled(0) == 4);
  CHECK_FALSE(lens.settled(1));
  // Not a number is no word that stays.
  lens.rows[4].cells[0].log_sum = std::numeric_limits<double>::quiet_NaN();
  CHECK(lens.settled(0) == 5);
  lens.rows.back().cells[0].log_sum = std::numeric_limits<double>::infinity();
  CHECK_FALSE(lens.settled(0));
}

TEST_CASE("numbers that are none leave the lens in order, and a sentence that is not there is refused") {
  Config config = small_config();
  Transformer<float> model = random_model<float>(config, 7);
  model.decoder_layers[0].norm1.weight.setConstant(std::numeric_limits<float>::quiet_NaN());
  const Trace trace = record_trace(model, kSentences);
  const LogitLens lens = logit_lens(model, trace, 0);
  CHECK(std::isnan(lens.rows.back().cells[0].log_sum));
  CHECK(lens.rows.back().cells[0].strongest.size() == 5);
  CHECK(std::isfinite(lens.rows.front().cells[0].log_sum));
  CHECK_THROWS_AS(logit_lens(model, trace, 2), Error);
}
