#include "engine/model/what_if/loss_bound.h"

#include <cmath>

namespace glassformer {

LossBound::LossBound(const Transformer<float>& model, const PackedIds& answers, double smoothing)
    : vocabulary_(model.config.target_vocab), pad_id_(model.config.pad_id), smoothing_(smoothing) {
  column_.assign(static_cast<std::size_t>(vocabulary_), -1);
  for (const int word : answers.ids()) {
    int& column = column_[static_cast<std::size_t>(word)];
    if (word != pad_id_ && column < 0) column = answer_words_++;
  }
  const Matrix<float>& table = model.projection();
  const bool biased = model.config.output_bias;
  Matrix<double> rows = Matrix<double>::Zero(answer_words_ + 1, table.cols());
  RowVector<double> bias = RowVector<double>::Zero(answer_words_ + 1);
  for (int word = 0; word < vocabulary_; ++word) {
    const int column = column_[static_cast<std::size_t>(word)];
    const int row = column < 0 ? answer_words_ : column;
    rows.row(row) += table.row(word).cast<double>();
    if (biased) bias[row] += static_cast<double>(model.output_projection.bias[word]);
  }
  const int others = vocabulary_ - answer_words_;
  if (others > 0) {
    rows.row(answer_words_) /= others;
    bias[answer_words_] /= others;
  }
  const Matrix<float> single = rows.cast<float>();
  const Factor<float> factor(single.data(), answer_words_ + 1, static_cast<int>(single.cols()),
                             single.outerStride());
  projection_ = Panels<float>(factor.transposed());
  bias_ = bias.cast<float>();
}

void LossBound::losses(const Matrix<float>& decoder_output, std::span<const int> wanted,
                       std::span<double> losses) const {
  const auto rows = static_cast<int>(wanted.size());
  Matrix<float> logits(rows, answer_words_ + 1);
  const Factor<float> output(decoder_output.data(), rows, static_cast<int>(decoder_output.cols()),
                             decoder_output.outerStride());
  product<float>(output, projection_, {logits.data(), rows, answer_words_ + 1, answer_words_ + 1}, 0,
                 bias_.data());
  const auto others = static_cast<float>(vocabulary_ - answer_words_);
  for (int row = 0; row < rows; ++row) {
    double& loss = losses[static_cast<std::size_t>(row)];
    loss = 0;
    const int word = wanted[static_cast<std::size_t>(row)];
    if (word == pad_id_) continue;
    const auto values = logits.row(row).array();
    const float mean = values[answer_words_], largest = values.maxCoeff();
    const float sum = (values.head(answer_words_) - largest).exp().sum() + others * std::exp(mean - largest);
    const double log_sum = static_cast<double>(largest) + std::log(static_cast<double>(sum));
    const auto right = static_cast<double>(values[column_[static_cast<std::size_t>(word)]]);
    const double all = (static_cast<double>(values.head(answer_words_).sum()) +
                        static_cast<double>(others) * static_cast<double>(mean)) /
                       vocabulary_;
    loss = log_sum - (1 - smoothing_) * right - smoothing_ * all;
  }
}

}  // namespace glassformer
