#include "engine/decode/free_running.h"

#include "engine/decode/decode.h"
#include "engine/decode/prefix_decoder.h"
#include "engine/math/error.h"
#include "engine/math/softmax.h"

namespace glassformer {

template <class Scalar>
FreeRun run_free(const ChangedModel<Scalar>& model, const std::vector<int>& source,
                 const std::vector<int>& right) {
  const Config& config = model.model().config;
  for (const int id : right)
    if (id < 0 || id >= config.target_vocab)
      throw Error("right word", "ids go from 0 to " + std::to_string(config.target_vocab - 1) + ", found " +
                                    std::to_string(id));

  // What it writes; then once more over the same words, for the right one of each place.
  DecodeOptions options;
  options.alternatives = 0;
  DecodeResult written = decode(model, {source}, options).front();
  FreeRun run{std::move(written.ids), std::move(written.log_probabilities), {}};
  const std::vector<std::vector<int>> sources = {source};
  const auto decoder =
      make_decoder<Scalar>(model, nullptr, {.sources = sources, .max_length = config.max_length});
  int read = config.bos_id;
  for (std::size_t place = 0; place < run.ids.size() && place < right.size(); ++place) {
    const Matrix<Scalar>& logits = decoder->step({&read, 1});  // (1, V_t)
    const auto log_sum = static_cast<double>(log_sum_exp(logits.data(), static_cast<int>(logits.cols())));
    run.right_log_probabilities.push_back(static_cast<double>(logits(0, right[place])) - log_sum);
    read = run.ids[place];
  }
  return run;
}

template FreeRun run_free(const ChangedModel<float>&, const std::vector<int>&, const std::vector<int>&);
template FreeRun run_free(const ChangedModel<double>&, const std::vector<int>&, const std::vector<int>&);

}  // namespace glassformer
