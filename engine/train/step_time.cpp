#include "engine/train/step_time.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "engine/math/random.h"
#include "engine/math/worker_pool.h"
#include "engine/model/batch.h"
#include "engine/model/optimizer.h"
#include "engine/model/training_pass.h"

namespace glassformer {

namespace {

constexpr int kWords = 10;
constexpr long kMostTimedTokens =
    2048;  // of a step that is measured; a larger batch takes longer in proportion
constexpr int kSteps = 5;
constexpr double kEnough = 0.5;  // seconds

std::vector<std::vector<int>> random_sentences(const Config& config, int vocabulary, long count,
                                               Random& random) {
  const int words = std::max(1, std::min(kWords, config.max_length - 1));
  const int first = std::min(4, vocabulary - 1);  // behind the special tokens
  std::vector<std::vector<int>> sentences(static_cast<std::size_t>(count));
  for (auto& sentence : sentences)
    for (int i = 0; i < words; ++i) sentence.push_back(first + random.below(vocabulary - first));
  return sentences;
}

}  // namespace

double measured_step_seconds(const Config& config, const TrainingOptions& options,
                             const std::function<bool()>& keep_going) {
  Random random(options.seed);
  const long wanted = options.batch_tokens, tokens = std::min(wanted, kMostTimedTokens);
  const long count = std::max(1L, tokens / (2 * (kWords + 1)));
  Transformer<float> model(config), gradient(config), first_moment(config), second_moment(config);
  model.initialize(options.seed);
  Optimizer<float> optimizer(model, gradient, first_moment, second_moment);
  WorkerPool pool(options.threads > 0 ? options.threads
                                      : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  Saved<float> saved;
  saved.pool = &pool;
  saved.dropout = config.dropout;
  AdamStep adam;
  adam.step = 0;
  std::vector<double> seconds;
  double all = 0;
  for (int i = 0; i < kSteps && (seconds.size() < 2 || all < kEnough); ++i) {
    if (!keep_going()) return 0;
    const Batch batch = make_batch(random_sentences(config, config.source_vocab, count, random),
                                   random_sentences(config, config.target_vocab, count, random), config);
    const auto begun = std::chrono::steady_clock::now();
    saved.step = ++adam.step;
    training_pass(model, batch, options.smoothing, saved, gradient);
    adam.rate = 1e-4;
    optimizer.step(adam, &pool);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
    all += seconds.back();
    if (seconds.back() > 4 * kEnough) break;
  }
  // The first one fills the caches.
  if (seconds.size() > 2) seconds.erase(seconds.begin());
  std::ranges::nth_element(seconds, seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2));
  const double padding = 1 + options.extra_padding / static_cast<double>(kWords);
  return seconds[seconds.size() / 2] * padding * static_cast<double>(wanted) / static_cast<double>(tokens);
}

}  // namespace glassformer
