// Counts what the whole test program allocates, through the C library's own entry points, which everything
// else (operator new, matrices) ends up in.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>

#include "engine/math/worker_pool.h"
#include "engine/model/optimizer.h"
#include "engine/model/training_pass.h"
#include "random_models.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)
#define GLASSFORMER_COUNTS_ALLOCATIONS
namespace {
constinit std::atomic<long> allocations{0};
}
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

using namespace glassformer;

#ifdef GLASSFORMER_COUNTS_ALLOCATIONS
TEST_CASE("a training step allocates nothing once the largest batch has been seen") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Config& config = each.config;
    WorkerPool pool(2);
    Transformer<float> model = random_model<float>(config, 1), gradient(config), m(config), v(config);
    Optimizer<float> optimizer(model, gradient, m, v);
    Saved<float> saved;
    saved.pool = &pool;
    saved.dropout = 0.1;

    // Batches of one, some and so many tokens that they are computed in parts.
    std::vector<Batch> batches;
    Random random(2);
    for (const int sentences : {1, 20, 300, 150}) {
      std::vector<int> lengths;
      for (int i = 0; i < sentences; ++i) lengths.push_back(1 + random.below(config.max_length - 2));
      batches.push_back(make_batch(random_sentences(lengths, config.source_vocab, random),
                                   random_sentences(lengths, config.target_vocab, random), config));
    }
    const auto step_on_each = [&] {
      for (const Batch& batch : batches) {
        ++saved.step;
        const Loss loss = training_pass(model, batch, 0.1, saved, gradient);
        AdamStep adam;
        adam.step = saved.step;
        adam.gradient_scale = clip_scale(optimizer.gradient_norm(&pool), 1);
        optimizer.step(adam, &pool);
        if (!std::isfinite(loss.loss)) std::abort();
      }
    };
    allocations = 0;
    step_on_each();
    CHECK(allocations > 0);
    allocations = 0;
    step_on_each();
    CHECK(allocations == 0);
  }
}
#else
TEST_CASE("allocations of a training step cannot be counted here") {
  MESSAGE("skipped: needs glibc and no sanitizer");
}
#endif
