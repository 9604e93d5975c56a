#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "engine/layers/adam.h"
#include "engine/layers/cross_entropy.h"
#include "engine/layers/schedule.h"
#include "engine/math/error.h"
#include "engine/math/random.h"

using namespace glassformer;

namespace {

Matrix<double> random_logits(int rows, int classes) {
  Random random(1);
  Matrix<double> logits(rows, classes);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < classes; ++j) logits(i, j) = 2 * random.normal();
  }
  return logits;
}

double total_loss(Matrix<double> logits, const std::vector<int>& wanted, double smoothing) {
  const LossSums sums = cross_entropy<double>(logits, wanted, {smoothing, 0, 0});
  return sums.loss / static_cast<double>(sums.tokens);
}

}  // namespace

TEST_CASE("the loss is the definition, padding left out") {
  const Matrix<double> logits = random_logits(3, 4);
  const std::vector<int> wanted = {2, 0, 1};  // 0 is padding
  double loss = 0, nll = 0;
  for (const int row : {0, 2}) {
    const double sum = logits.row(row).array().exp().sum();
    double mean = 0;
    for (int v = 0; v < 4; ++v) mean -= std::log(std::exp(logits(row, v)) / sum) / 4;
    const double right = -std::log(std::exp(logits(row, wanted[static_cast<std::size_t>(row)])) / sum);
    loss += (0.9 * right + 0.1 * mean) / 2;
    nll += right / 2;
  }
  Matrix<double> copy = logits;
  const LossSums sums = cross_entropy<double>(copy, wanted, {0.1, 0, 0});
  CHECK(copy == logits);
  const Loss found = mean_of(sums, 0.1, 4);
  CHECK(found.loss == doctest::Approx(loss));
  CHECK(found.nll == doctest::Approx(nll));
  CHECK(found.perplexity == doctest::Approx(std::exp(nll)));
  CHECK(found.tokens == 2);
}

TEST_CASE("the gradient of the loss is its slope, 0 in padded rows") {
  Matrix<double> logits = random_logits(4, 6), gradient = logits;
  const std::vector<int> wanted = {2, 0, 5, 1};
  cross_entropy<double>(gradient, wanted, {0.2, 0, 1.0 / 3});
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) {
      const double kept = logits(i, j);
      logits(i, j) = kept + 1e-6;
      const double above = total_loss(logits, wanted, 0.2);
      logits(i, j) = kept - 1e-6;
      const double below = total_loss(logits, wanted, 0.2);
      logits(i, j) = kept;
      CHECK(std::abs((above - below) / 2e-6 - gradient(i, j)) < 1e-8);
    }
  }
  CHECK(gradient.row(1).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("a softmax of a softmax cannot fall to 0, and has the slope that it says") {
  Matrix<double> logits = random_logits(3, 5), gradient = logits;
  const std::vector<int> wanted = {2, 4, 1};
  const auto total = [&] {
    Matrix<double> copy = logits;
    const LossSums sums = cross_entropy<double>(copy, wanted, {.smoothing = 0.1, .softmax_twice = true});
    CHECK(copy == logits);
    return sums.loss / 3;
  };
  cross_entropy<double>(gradient, wanted,
                        {.smoothing = 0.1, .gradient_scale = 1.0 / 3, .softmax_twice = true});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j) {
      const double kept = logits(i, j);
      logits(i, j) = kept + 1e-6;
      const double above = total();
      logits(i, j) = kept - 1e-6;
      const double below = total();
      logits(i, j) = kept;
      CHECK(std::abs((above - below) / 2e-6 - gradient(i, j)) < 1e-8);
    }
  // Certain of the right word: -log of e over e and four times 1.
  Matrix<double> sure = Matrix<double>::Constant(1, 5, -100.0);
  sure(0, 3) = 100;
  const std::vector<int> three = {3};
  CHECK(cross_entropy<double>(sure, three, {.smoothing = 0, .softmax_twice = true}).loss ==
        doctest::Approx(std::log(1 + 4 / std::exp(1.0))));
}

TEST_CASE("a model that hits the smoothed target exactly has a divergence of 0") {
  constexpr int kClasses = 5;
  Matrix<double> logits(1, kClasses);
  logits.setConstant(std::log(0.1 / kClasses));
  logits(0, 3) = std::log(0.9 + 0.1 / kClasses);
  const std::vector<int> wanted = {3};
  CHECK(std::abs(mean_of(cross_entropy<double>(logits, wanted, {0.1, 0, 0}), 0.1, kClasses).kl) < 1e-12);
}

TEST_CASE("a prediction's entropy is 0 when sure and log V without any idea") {
  const float half = std::log(0.5f), never = -std::numeric_limits<float>::infinity();
  CHECK(prediction_entropy(std::vector<float>{0, never, never}) == 0);
  CHECK(prediction_entropy(std::vector<float>{half, half}) == doctest::Approx(std::log(2.0)));
  CHECK(prediction_entropy(std::vector<float>(50, -std::log(50.0f))) == doctest::Approx(std::log(50.0)));
}

TEST_CASE("noam reaches the peak that its factor was made for, where its warm-up ends") {
  Schedule schedule{.kind = ScheduleKind::noam, .warmup = 400, .d_model = 64};
  schedule.factor = noam_factor(0.003, schedule.d_model, schedule.warmup);
  CHECK(schedule.peak_rate() == doctest::Approx(0.003));
  for (const long step : {1L, 399L, 401L, 5000L}) CHECK(schedule.rate(step) < schedule.peak_rate());
  const Schedule cosine{.kind = ScheduleKind::cosine, .warmup = 10, .peak = 0.5, .total_steps = 100};
  CHECK(cosine.peak_rate() == cosine.rate(10));
}

TEST_CASE("huge logits do not overflow, and NaN is not hidden") {
  Matrix<float> logits(1, 3);
  logits << 3e4f, -3e4f, 0;
  const std::vector<int> wanted = {1};
  CHECK(std::isfinite(cross_entropy<float>(logits, wanted, {0.1, 2, 0}).loss));
  logits(0, 2) = std::nanf("");
  CHECK(!std::isfinite(cross_entropy<float>(logits, wanted, {0.1, 2, 0}).loss));
}

TEST_CASE("Adam's first step is the learning rate against the gradient's sign") {
  double w[] = {1, 1, 1}, g[] = {5, -0.001, 0}, m[3] = {}, v[3] = {};
  AdamStep step;
  step.rate = 0.1;
  adam_update(w, g, m, v, 3, step);
  CHECK(w[0] == doctest::Approx(0.9));
  CHECK(w[1] == doctest::Approx(1.1));
  CHECK(w[2] == 1);
}

TEST_CASE("Adam follows its formula over many steps, in both precisions and over tile borders") {
  constexpr std::size_t kSize = 2500;
  std::vector<double> w(kSize, 1), m(kSize), v(kSize), g(kSize);
  std::vector<float> wf(kSize, 1), mf(kSize), vf(kSize), gf(kSize);
  double plain_w = 1, plain_m = 0, plain_v = 0;
  Random random(3);
  for (long s = 1; s <= 30; ++s) {
    const double gradient = random.normal();
    std::fill(g.begin(), g.end(), gradient);
    std::fill(gf.begin(), gf.end(), static_cast<float>(gradient));
    AdamStep step;
    step.step = s;
    step.rate = 0.01;
    step.gradient_scale = 0.5;
    adam_update(w.data(), g.data(), m.data(), v.data(), kSize, step);
    adam_update(wf.data(), gf.data(), mf.data(), vf.data(), kSize, step);
    const double scaled = 0.5 * gradient, count = static_cast<double>(s);
    plain_m = 0.9 * plain_m + 0.1 * scaled;
    plain_v = 0.98 * plain_v + 0.02 * scaled * scaled;
    plain_w -= 0.01 * (plain_m / (1 - std::pow(0.9, count))) /
               (std::sqrt(plain_v / (1 - std::pow(0.98, count))) + 1e-9);
  }
  CHECK(w.front() == doctest::Approx(plain_w).epsilon(1e-12));
  CHECK(w.back() == doctest::Approx(plain_w).epsilon(1e-12));
  CHECK(wf.back() == doctest::Approx(plain_w).epsilon(1e-5));
}

TEST_CASE("clipping shortens long gradients alone") {
  CHECK(clip_scale(10, 0) == 1);
  CHECK(clip_scale(0.3, 0.5) == 1);
  CHECK(clip_scale(2, 0.5) == doctest::Approx(0.25));
}

TEST_CASE("schedules rise and fall as they should, and ask for what they need") {
  Schedule schedule;
  schedule.d_model = 64;
  schedule.warmup = 10;
  CHECK(schedule.rate(10) > schedule.rate(9));
  CHECK(schedule.rate(10) > schedule.rate(11));
  CHECK(schedule.rate(10) == doctest::Approx(0.125 / std::sqrt(10.0)));
  schedule.kind = ScheduleKind::cosine;
  schedule.peak = 0.5;
  CHECK_THROWS_WITH_AS(check(schedule), doctest::Contains("total_steps"), Error);
  schedule.total_steps = 110;
  check(schedule);
  CHECK(schedule.rate(5) == doctest::Approx(0.25));
  CHECK(schedule.rate(60) == doctest::Approx(0.25));
  CHECK(schedule.rate(110) == 0);
  CHECK(schedule.rate(1000) == 0);
  CHECK_THROWS_AS(schedule_kind("stairs"), Error);
  CHECK(schedule_kind(schedule_name(ScheduleKind::linear)) == ScheduleKind::linear);
}
