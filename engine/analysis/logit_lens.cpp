#include "engine/analysis/logit_lens.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "engine/math/error.h"
#include "engine/model/names.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr std::size_t kStrongest = 5;

Eigen::Map<const Matrix<float>> matrix_of(const Plane& plane, int rows) {
  return {plane.data, rows, plane.columns};
}

// What is not a number comes last, so that there is an order.
float orderly(float logit) {
  return std::isnan(logit) ? -std::numeric_limits<float>::infinity() : logit;
}

LensCell read_cell(std::span<const float> logits, int written) {
  LensCell cell;
  const auto better = [&](int a, int b) {
    const float first = orderly(logits[static_cast<std::size_t>(a)]),
                second = orderly(logits[static_cast<std::size_t>(b)]);
    return first != second ? first > second : a < b;
  };
  const auto word = [&](int id) {
    return LensWord{id, static_cast<double>(logits[static_cast<std::size_t>(id)])};
  };

  // The strongest, kept in order.
  std::vector<int> best;
  best.reserve(kStrongest + 1);
  for (int id = 0; id < static_cast<int>(logits.size()); ++id) {
    if (best.size() == kStrongest && !better(id, best.back())) continue;
    best.insert(std::ranges::upper_bound(best, id, better), id);
    if (best.size() > kStrongest) best.pop_back();
  }
  for (const int id : best) cell.strongest.push_back(word(id));

  const double largest = cell.strongest.front().logit;
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
  cell.log_sum = largest + std::log(sum);

  cell.written = word(written);
  cell.rank = 1;
  for (int id = 0; id < static_cast<int>(logits.size()); ++id) cell.rank += better(id, written);
  return cell;
}

// The logits of every place after one part: (n, V_t).
Matrix<float> logits_of(const Transformer<float>& model, const Plane& stream, int places) {
  Matrix<float> x = matrix_of(stream, places);  // (n, d)
  if (model.config.final_norm)
    layer_norm<float>(model.decoder_norm, model.config.layer_norm_eps, matrix_of(stream, places), x);
  Matrix<float> logits(places, model.config.target_vocab);  // (n, V_t)
  project<float>(x, model.projection(), logits);
  if (model.config.output_bias) logits.rowwise() += model.output_projection.bias;
  return logits;
}

// The logit of one word at one place as a linear function of the stream: logit = stream · direction +
// constant.
struct WordDirection {
  Eigen::RowVectorXd direction;  // (d)
  double constant = 0;
};

WordDirection word_direction(const Transformer<float>& model, const Eigen::RowVectorXd& stream, int word) {
  WordDirection found;
  found.direction = model.projection().row(word).cast<double>();
  if (model.config.output_bias) found.constant = static_cast<double>(model.output_projection.bias(word));
  if (!model.config.final_norm) return found;

  // (x - mean) / deviation * gain + shift, the deviation of this place. An RMSNorm has no mean.
  const bool centred = model.decoder_norm.centred();
  const double variance = (stream.array() - (centred ? stream.mean() : 0.0)).square().mean();
  const double deviation = std::sqrt(variance + model.config.layer_norm_eps);
  if (centred) found.constant += model.decoder_norm.bias.cast<double>().dot(found.direction);
  found.direction.array() *= model.decoder_norm.weight.cast<double>().array();
  if (centred) found.direction.array() -= found.direction.mean();
  found.direction /= deviation;
  return found;
}

LogitShares shares_at(const Transformer<float>& model, const Trace& trace, const std::vector<LensRow>& rows,
                      int sentence, int place, int word) {
  const auto stream_after = [&](const LensRow& row) -> Eigen::RowVectorXd {
    const Plane plane = trace.plane(row.name, sentence);
    return matrix_of(plane, plane.rows).row(place).cast<double>();
  };
  const WordDirection to_word = word_direction(model, stream_after(rows.back()), word);
  LogitShares shares;
  shares.biases = to_word.constant;
  shares.parts.push_back({stream_after(rows.front()).dot(to_word.direction)});
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const LensRow& row = rows[r];
    std::vector<double>& parts = shares.parts.emplace_back();
    if (row.part == LensPart::feed_forward) {
      parts = {(stream_after(row) - stream_after(rows[r - 1])).dot(to_word.direction)};
      continue;
    }
    // context_h · Wo_h · direction, a head each; Wo_h: k columns of the output's weight.
    const bool cross = row.part == LensPart::cross_attention;
    const DecoderLayer<float>& layer = model.decoder_layers[static_cast<std::size_t>(row.layer)];
    const Linear<float>& output = (cross ? layer.cross_attention : layer.self_attention).output;
    const Eigen::RowVectorXd before = to_word.direction * output.weight.cast<double>();  // (d)
    const std::string context =
        attention_value(cross ? AttentionKind::cross : AttentionKind::decoder, row.layer, ValueKind::context);
    const int k = model.config.head_width();
    for (int head = 0; head < model.config.heads; ++head) {
      const Plane plane = trace.plane(context, sentence, head);  // (L, k)
      parts.push_back(
          matrix_of(plane, plane.rows).row(place).cast<double>().dot(before.segment(head * k, k)));
    }
    const double bias = output.bias.size() > 0 ? output.bias.cast<double>().dot(to_word.direction) : 0;
    // What was put in the place of all heads is none of theirs: it is left to the rest.
    const double added = (stream_after(row) - stream_after(rows[r - 1])).dot(to_word.direction);
    const double own = std::accumulate(parts.begin(), parts.end(), bias);
    constexpr double kRounding = 1e-3;
    if (std::abs(added - own) > kRounding * (1 + std::abs(own)))
      std::ranges::fill(parts, 0.0);
    else
      shares.biases += bias;
  }
  const int index[] = {sentence, place, word};
  shares.logit = static_cast<double>(trace.at(output_value(ValueKind::logits)).at(index));
  shares.rest = shares.logit - shares.biases;
  for (std::size_t r = 0; r < rows.size(); ++r) shares.rest -= shares.of_row(r);
  return shares;
}

}  // namespace

double LogitShares::of_row(std::size_t row) const {
  return std::accumulate(parts[row].begin(), parts[row].end(), 0.0);
}

std::optional<int> LogitLens::settled(int place) const {
  std::optional<int> first;
  for (int row = static_cast<int>(rows.size()) - 1; row >= 0; --row) {
    const LensCell& cell = rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(place)];
    if (cell.rank != 1 || !cell.finite()) break;
    first = row;
  }
  return first;
}

std::vector<LensRow> lens_rows(const Config& config) {
  const ValueKind after = config.norm == NormPlace::pre ? ValueKind::residual : ValueKind::normed;
  std::vector<LensRow> rows{{.name = embedding_value(false, ValueKind::input), .cells = {}}};
  constexpr LensPart kParts[] = {LensPart::self_attention, LensPart::cross_attention, LensPart::feed_forward};
  for (int layer = 0; layer < config.decoder_layers; ++layer)
    for (int sublayer = 1; sublayer <= 3; ++sublayer)
      rows.push_back({.part = kParts[sublayer - 1],
                      .layer = layer,
                      .name = written({BlockKind::add_norm, after, false, layer, sublayer}),
                      .cells = {}});
  return rows;
}

LogitLens logit_lens(const Transformer<float>& model, const Trace& trace, int sentence) {
  if (sentence < 0 || static_cast<std::size_t>(sentence) >= trace.target_out.size())
    throw Error("logit lens", "expected a sentence below " + std::to_string(trace.target_out.size()) +
                                  ", got " + std::to_string(sentence));
  const std::vector<int>& words = trace.target_out[static_cast<std::size_t>(sentence)];
  const int places = static_cast<int>(words.size());

  // Every row through the output; the last one is the pass's own.
  LogitLens lens{.rows = lens_rows(model.config), .shares = {}};
  for (LensRow& row : lens.rows) {
    const Matrix<float> logits =
        &row == &lens.rows.back() ? matrix_of(trace.plane(output_value(ValueKind::logits), sentence), places)
                                  : logits_of(model, trace.plane(row.name, sentence), places);
    for (int place = 0; place < places; ++place)
      row.cells.push_back(read_cell({logits.row(place).data(), static_cast<std::size_t>(logits.cols())},
                                    words[static_cast<std::size_t>(place)]));
  }

  if (model.config.norm == NormPlace::pre)
    for (int place = 0; place < places; ++place)
      lens.shares.push_back(
          shares_at(model, trace, lens.rows, sentence, place, words[static_cast<std::size_t>(place)]));
  return lens;
}

}  // namespace glassformer
