#include "tests/benchmark/profile.h"

#include <chrono>
#include <cstdio>
#include <iostream>

#include "engine/math/work_profile.h"
#include "tests/benchmark/training.h"

namespace glassformer {
namespace {

struct Column {
  const char* title;
  Work kind;
};
constexpr Column kColumns[] = {{"products", Work::product}, {"attention", Work::attention},
                               {"softmax", Work::softmax},  {"norm", Work::norm},
                               {"dropout", Work::dropout},  {"loss", Work::loss},
                               {"Adam", Work::adam},        {"other", Work::other}};

template <class... Values>
void print(const char* format, Values... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  std::cout << text;
}

void print_row(const BenchShape& shape, const ProfileOptions& options, WorkerPool& pool) {
  BenchTraining training(shape, options.dropout, options.seed, pool);
  for (int i = 0; i < 3; ++i) training.step();

  WorkProfile profile;
  int steps = 0;
  double seconds = 0;
  {
    const Measuring measuring(&profile);
    const auto start = std::chrono::steady_clock::now();
    while (steps < 3 || seconds < options.seconds) {
      training.step();
      ++steps;
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
  }

  const auto speed_inside = [&](Work kind) {
    return pool.threads() * profile.flop(kind) / profile.seconds(kind) * 1e-9;
  };
  print("%-7s %10.0f %8.0f %9.0f %9.0f", std::string(shape.preset).c_str(),
        training.tokens() * steps / seconds, training.flop() * steps / seconds * 1e-9,
        speed_inside(Work::product), speed_inside(Work::attention));
  const double all = pool.threads() * seconds;
  double waiting = all;
  for (const Column& column : kColumns) {
    waiting -= profile.seconds(column.kind);
    print(" %8.1f%%", 100 * profile.seconds(column.kind) / all);
  }
  print(" %8.1f%%\n", 100 * waiting / all);
  std::cout << std::flush;
}

}  // namespace

void print_profile(const ProfileOptions& options, WorkerPool& pool) {
  print(
      "GFLOP/s: of a whole step, and inside its products and its attention (without softmax). Shares of the "
      "time of %d threads.\n",
      pool.threads());
  print("%-7s %10s %8s %9s %9s", "preset", "tokens/s", "GFLOP/s", "products", "attention");
  for (const Column& column : kColumns) print(" %9s", column.title);
  print(" %9s\n", "waiting");
  for (const BenchShape& shape : bench_shapes()) {
    if (options.preset.empty() || options.preset == shape.preset) print_row(shape, options, pool);
  }
}

}  // namespace glassformer
