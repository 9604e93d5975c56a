#include "engine/model/steps/cell_work.h"

#include <utility>

#include "engine/model/steps/cell_worker.h"

namespace glassformer {

CellWork cell_work(const Step& step, int also, int row, int column, const StepNumbers& numbers,
                   double smoothing) {
  using enum PatternKind;
  const StepPattern& pattern = step.pattern;
  CellWorker worker(step, row, column, numbers);
  switch (pattern.kind) {
    case tokens: {
      const Operand& made = also < 0 ? step.output : step.also[static_cast<std::size_t>(also)];
      worker.work.result = static_cast<double>(numbers.of(made)(row, 0));
      break;
    }
    case position_signal:
      worker.sinusoid();
      break;
    case setting:
      break;
    case same_cell:
      worker.copy(0, row, column);
      break;
    case sum:
      worker.sum_of_inputs();
      break;
    case scale:
      worker.scaled(pattern.factor);
      break;
    case activation:
      worker.activation(pattern.function);
      break;
    case slope:
      worker.d_activation(pattern.function);
      break;
    case hide:
      worker.d_mask();
      break;
    case first_rows:
      worker.first_rows();
      break;
    case product:
      also < 0 ? worker.product(pattern) : worker.column_sum(0);
      break;
    case products:
      worker.products(pattern.with_stream);
      break;
    case product_and_by_word:
      worker.product_and_by_word();
      break;
    case softmax:
      worker.softmax();
      break;
    case log_softmax:
      worker.log_softmax();
      break;
    case layer_norm:
      worker.layer_norm(also);
      break;
    case cross_entropy:
      worker.token_loss();
      break;
    case d_softmax:
      worker.d_softmax();
      break;
    case d_log_softmax:
      worker.d_log_softmax();
      break;
    case d_layer_norm:
      also == 1 ? worker.column_sum(0) : worker.d_norm(also);
      break;
    case d_cross_entropy:
      worker.d_token_loss();
      break;
    case column_sums:
      worker.column_sum(0);
      break;
    case mean:
      worker.mean_loss();
      break;
    case d_mean:
      worker.d_mean_loss();
      break;
    case look_up:
      worker.look_up();
      break;
    case by_word:
      worker.by_word();
      break;
    case smoothed_target:
      worker.smooth_target(smoothing);
      break;
    case rotation:
      worker.rotation(pattern.turned_back);
      break;
    case side_by_side:
      worker.concat();
      break;
  }
  return std::move(worker.work);
}

}  // namespace glassformer
