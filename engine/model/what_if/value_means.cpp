#include "engine/model/what_if/value_means.h"

#include "engine/layers/tap.h"
#include "engine/model/names.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

class Adder : public Tap<float> {
 public:
  Adder(const Batch& batch, const Config& config)
      : padding_{batch.source.padding(config.pad_id, false),
                 batch.target_in.padding(config.pad_id, config.starts_with_pad())} {}

  void operator()(const TapPoint& point, MatrixRef<float> value) override {
    const std::optional<ValueName> name = read_name(point.name);
    if (!name) return;
    const bool kept = name->value == ValueKind::context || name->value == ValueKind::hidden ||
                      (name->value == ValueKind::output &&
                       (is_attention(name->block) || name->block == BlockKind::feed_forward));
    if (!kept) return;
    const std::vector<std::uint8_t>& padding = padding_[point.side == Side::source ? 0 : 1];
    std::vector<double>& sum = means[point.name];
    sum.resize(static_cast<std::size_t>(value.cols()));
    for (Eigen::Index row = 0; row < value.rows(); ++row) {
      if (padding[static_cast<std::size_t>(point.first_row + row)] != 0) continue;
      ++counts_[point.name];
      for (Eigen::Index column = 0; column < value.cols(); ++column)
        sum[static_cast<std::size_t>(column)] += static_cast<double>(value(row, column));
    }
  }

  void divide() {
    for (auto& [name, sum] : means) {
      for (double& each : sum) each /= counts_[name];
    }
  }

  ValueMeans means;

 private:
  std::vector<std::uint8_t> padding_[2];  // of each row, by side
  std::map<std::string, double> counts_;
};

}  // namespace

ValueMeans mean_values(const Transformer<float>& model, const Batch& batch) {
  Adder adder(batch, model.config);
  Saved<float> saved;
  model.forward(batch, saved, adder);
  adder.divide();
  return adder.means;
}

}  // namespace glassformer
