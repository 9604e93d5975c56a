// The training that the benchmark measures: one preset's model on random sentences that are all equally
// long, so that every step is the same work.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/layers/adam.h"
#include "engine/layers/schedule.h"
#include "engine/math/random.h"
#include "engine/math/worker_pool.h"
#include "engine/model/optimizer.h"
#include "engine/model/transformer.h"

namespace glassformer {

// The data of one preset, as in common benchmarks of the same models.
struct BenchShape {
  std::string_view preset;
  int vocabulary, length, sentences;
  Sharing sharing;
};
std::span<const BenchShape> bench_shapes();              // smallest first
const BenchShape& bench_shape(std::string_view preset);  // one of those

Config bench_config(const BenchShape& shape, double dropout);
std::vector<std::vector<int>> bench_sentences(const BenchShape& shape, int count, Random& random);

class BenchTraining {
 public:
  BenchTraining(const BenchShape& shape, double dropout, std::uint64_t seed, WorkerPool& pool);

  void step();  // forward, loss, backward, Adam; throws Error when the loss is not finite

  int tokens() const { return batch_.tokens(); }  // of a step: source and target
  double flop() const;  // of a step's products: multiply-adds times two, two backward for each forward

 private:
  const BenchShape& shape_;
  Config config_;
  Batch batch_;
  WorkerPool& pool_;
  Transformer<float> model_, gradient_, first_moment_, second_moment_;
  Optimizer<float> optimizer_;
  Saved<float> saved_;
  Schedule schedule_;
  AdamStep adam_;
};

}  // namespace glassformer
