#include "engine/model/what_if/value_means.h"

#include <algorithm>
#include <optional>

#include "engine/layers/tap.h"
#include "engine/math/worker_pool.h"
#include "engine/model/names.h"
#include "engine/model/training_pass.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr int kPassSentences = 16;

bool is_mean_of(const ValueName& name) {
  return name.value == ValueKind::context || name.value == ValueKind::hidden ||
         (name.value == ValueKind::output &&
          (is_attention(name.block) || name.block == BlockKind::feed_forward));
}

using Sum = Eigen::Map<RowVector<double>>;

Sum sum_of(std::vector<double>& columns) {
  return {columns.data(), std::ssize(columns)};
}

// The sums of all columns over the tokens that are no padding.
class Adder : public Tap<float> {
 public:
  Adder(const Batch& batch, const Config& config)
      : padding_{batch.source.padding(config.pad_id, false),
                 batch.target_in.padding(config.pad_id, config.starts_with_pad())} {}

  void operator()(const TapPoint& point, MatrixRef<float> value) override {
    const std::optional<ValueName> name = read_name(point.name);
    if (!name || !is_mean_of(*name)) return;
    std::vector<double>& columns = sums[point.name];
    columns.resize(static_cast<std::size_t>(value.cols()));
    for (Eigen::Index row = 0; row < value.rows(); ++row)
      if (padding_of(point.side)[static_cast<std::size_t>(point.first_row + row)] == 0)
        sum_of(columns) += value.row(row).cast<double>();
  }
  double tokens(Side side) const { return static_cast<double>(std::ranges::count(padding_of(side), 0)); }

  ValueMeans sums;

 private:
  const std::vector<std::uint8_t>& padding_of(Side side) const {
    return padding_[side == Side::source ? 0 : 1];
  }
  std::vector<std::uint8_t> padding_[2];  // of each row, by side
};

}  // namespace

ValueMeans mean_values(const Transformer<float>& model, const Batch& batch, WorkerPool* pool) {
  const int sentences = batch.sentences(), groups = (sentences + kPassSentences - 1) / kPassSentences;
  std::vector<std::optional<Adder>> of_group(static_cast<std::size_t>(groups));
  run_on(pool, groups, [&](int group) {
    Batch part;
    copy_sentences(batch, group * kPassSentences, std::min(sentences, (group + 1) * kPassSentences), part);
    Adder& adder = of_group[static_cast<std::size_t>(group)].emplace(part, model.config);
    Saved<float> saved;
    model.forward(part, saved, adder);
  });

  ValueMeans means = std::move(of_group.front()->sums);
  double sources = 0, targets = 0;
  for (std::optional<Adder>& adder : of_group) {
    sources += adder->tokens(Side::source);
    targets += adder->tokens(Side::target);
    if (&adder == &of_group.front()) continue;
    for (auto& [name, columns] : adder->sums) sum_of(means[name]) += sum_of(columns);
  }
  for (auto& [name, columns] : means) sum_of(columns) /= read_name(name)->encoder ? sources : targets;
  return means;
}

}  // namespace glassformer
