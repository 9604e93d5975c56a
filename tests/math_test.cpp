#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "engine/layers/dropout.h"
#include "engine/math/error.h"
#include "engine/math/matrix.h"
#include "engine/math/product.h"
#include "engine/math/random.h"
#include "engine/math/softmax.h"
#include "engine/math/work_profile.h"
#include "engine/math/worker_pool.h"

using namespace glassformer;

namespace {

template <class Scalar>
Matrix<Scalar> random_matrix(int rows, int columns, Random& random) {
  Matrix<Scalar> matrix(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) matrix(i, j) = static_cast<Scalar>(random.normal());
  }
  return matrix;
}

template <class Scalar>
Block<Scalar> block(Matrix<Scalar>& matrix) {
  return {matrix.data(), static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()),
          static_cast<int>(matrix.cols())};
}

}  // namespace

TEST_CASE_TEMPLATE("products of every shape and layout are the plain sums", Scalar, float, double) {
  Random random(1);
  const double tolerance = std::is_same_v<Scalar, float> ? 5e-4 : 1e-12;
  for (int trial = 0; trial < 400; ++trial) {
    const int m = trial % 20 == 0 ? 300 : random.below(40), n = random.below(70),
              k = trial % 10 == 0 ? 600 : random.below(40);
    Matrix<Scalar> a = random_matrix<Scalar>(m, k, random), b = random_matrix<Scalar>(k, n, random);
    Matrix<Scalar> at = a.transpose(), bt = b.transpose();
    const Matrix<Scalar> before = random_matrix<Scalar>(m, n, random),
                         bias = random_matrix<Scalar>(1, n, random);
    const Matrix<double> wanted = a.template cast<double>().lazyProduct(b.template cast<double>());
    for (const int layout : {0, 1, 2, 3}) {
      const Factor<Scalar> left = layout % 2 == 0 ? block(a) : Factor<Scalar>(block(at)).transposed();
      const Factor<Scalar> right = layout < 2 ? block(b) : Factor<Scalar>(block(bt)).transposed();
      for (const bool add : {false, true}) {
        Matrix<Scalar> c = before;
        product<Scalar>(left, right, block(c), add);
        Matrix<double> difference = c.template cast<double>() - wanted;
        if (add) difference -= before.template cast<double>();
        CHECK((m * n == 0 || difference.cwiseAbs().maxCoeff() < tolerance));
        Matrix<Scalar> biased = before;
        product<Scalar>(left, right, block(biased), add, bias.data());
        CHECK(biased == c.rowwise() + bias.row(0));
      }
      Matrix<Scalar> c = before;
      product<Scalar>(left, Panels<Scalar>(right), block(c));
      CHECK((m * n == 0 || (c.template cast<double>() - wanted).cwiseAbs().maxCoeff() < tolerance));
      Matrix<Scalar> biased = before;
      product<Scalar>(left, Panels<Scalar>(right), block(biased), 0, bias.data());
      CHECK(biased == c.rowwise() + bias.row(0));
    }
  }
}

TEST_CASE("a product writes nothing beside its result, and each number is the same wherever it stands") {
  Random random(2);
  for (const int n : {8, 16, 24, 31, 32, 45, 64, 70}) {
    const int m = 300, k = 300;
    Matrix<float> a = random_matrix<float>(m, k, random), b = random_matrix<float>(k, n, random);
    Matrix<float> at = a.transpose();
    Matrix<float> whole(m, n), framed = Matrix<float>::Constant(m, n + 40, 7);
    product<float>(block(a), block(b), block(whole));
    for (const bool transposed : {false, true}) {
      for (int first = 0; first < m; first += transposed ? 37 : 5) {
        const int rows = std::min(m - first, transposed ? 270 : 1 + first % 17);
        const Factor<float> part = transposed ? Factor<float>(at.data() + first, k, rows, m).transposed()
                                              : Factor<float>(a.row(first).data(), rows, k, k);
        framed.middleCols(20, n).setZero();
        product<float>(part, block(b), {framed.row(first).data() + 20, rows, n, n + 40});
        CHECK(framed.block(first, 20, rows, n) == whole.middleRows(first, rows));
      }
    }
    CHECK((framed.leftCols(20).array() == 7).all());
    CHECK((framed.rightCols(20).array() == 7).all());
  }
}

TEST_CASE("softmax shows a number that is none, wherever in a row of any length it stands") {
  const float none = std::numeric_limits<float>::quiet_NaN(),
              hidden = -std::numeric_limits<float>::infinity();
  for (const int count : {1, 2, 3, 7, 16, 17, 40}) {
    for (int place = 0; place < count; ++place) {
      std::vector<float> row(static_cast<std::size_t>(count), hidden);
      row[static_cast<std::size_t>(place)] = none;
      softmax(row.data(), count);
      CHECK(std::ranges::any_of(row, [](float share) { return std::isnan(share); }));
    }
  }
}

TEST_CASE("softmax rows add up to 1, hidden entries are exactly 0, large scores do not overflow") {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  std::vector<float> row = {1000, kHidden, 999, kHidden, 998};
  softmax(row.data(), 5);
  CHECK(std::accumulate(row.begin(), row.end(), 0.0f) == doctest::Approx(1));
  CHECK(row[1] == 0);
  CHECK(row[3] == 0);
  CHECK(row[0] / row[2] == doctest::Approx(std::exp(1.0)));
  std::vector<float> nothing = {kHidden, kHidden};
  softmax(nothing.data(), 2);
  CHECK(nothing == std::vector<float>{0, 0});
  CHECK(log_sum_exp(std::vector<double>{1000, 1000}.data(), 2) == doctest::Approx(1000 + std::log(2.0)));
  CHECK(arg_max(std::vector<float>{1, 3, 3, 2}.data(), 4) == 1);
}

TEST_CASE("softmax of many rows is that of each alone, and a row that is hidden whole stays apart") {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  Random random(3);
  for (const int columns : {1, 5, 16, 21}) {
    constexpr int kRows = 7;
    Matrix<float> together(kRows, columns);
    for (float& score : together.reshaped()) score = static_cast<float>(4 * random.normal());
    together(2, columns / 2) = kHidden;
    together.row(3).setConstant(kHidden);
    Matrix<float> alone = together;
    softmax_rows(together.data(), kRows, columns);
    for (int i = 0; i < kRows; ++i) softmax(alone.row(i).data(), columns);
    CHECK((together - alone).cwiseAbs().maxCoeff() < 1e-6f);
    CHECK(together.row(3).isZero(0));
    CHECK(together(2, columns / 2) == 0);
  }
}

TEST_CASE("the largest of many numbers is found wherever it is, the first of equals, whatever is none") {
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (const int place : {0, 1, 255, 256, 300, 999}) {
    std::vector<float> row(1000, -1);
    row[static_cast<std::size_t>(place)] = row[999] = 2;
    row[500] = none;
    CHECK(arg_max(row.data(), 1000) == place);
  }
  CHECK(arg_max(std::vector<float>(600, none).data(), 600) == 0);
  CHECK(arg_max(std::vector<float>(600, -std::numeric_limits<float>::infinity()).data(), 600) == 0);
}

TEST_CASE("random numbers are the same everywhere") {
  Random random(1);
  CHECK(random.next() == 0x910a2dec89025cc1);  // splitmix64 from 1
  CHECK(random.next() == 0xbeeb8da1658eec67);
  const std::uint64_t state = random.state();
  const double next = random.normal();
  Random again(state);
  CHECK(again.normal() == next);
}

TEST_CASE("uniform and normal numbers have the moments they should, and below() is even") {
  Random random(2);
  double sum = 0, squares = 0, fourth = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  CHECK(std::abs(sum / kDraws) < 0.01);
  CHECK(squares / kDraws == doctest::Approx(1).epsilon(0.02));
  CHECK(fourth / kDraws == doctest::Approx(3).epsilon(0.05));
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[static_cast<std::size_t>(random.below(7))];
  for (const int count : counts) CHECK(std::abs(count - 10000) < 400);
}

TEST_CASE("shuffling keeps every item and depends on the seed alone") {
  std::vector<int> items(100), first, second;
  std::iota(items.begin(), items.end(), 0);
  first = second = items;
  Random(3).shuffle(first);
  Random(3).shuffle(second);
  CHECK(first == second);
  CHECK(first != items);
  std::sort(first.begin(), first.end());
  CHECK(first == items);
}

TEST_CASE("dropout sets the right share to 0, keeps the mean, and repeats itself") {
  const Dropout dropout{0.3, 17};
  std::vector<float> values(100001, 1.0f), again = values;
  drop(values.data(), values.size(), 0, dropout);
  drop(again.data(), again.size(), 0, dropout);
  CHECK(values == again);
  const auto zeros = std::count(values.begin(), values.end(), 0.0f);
  CHECK(std::abs(static_cast<double>(zeros) / 100001 - 0.3) < 0.006);
  CHECK(std::abs(std::accumulate(values.begin(), values.end(), 0.0) / 100001 - 1) < 0.01);
  CHECK(values.back() != 0.5f);
}

TEST_CASE("dropout differs from place to place and from part to part, neighbours are independent") {
  std::vector<float> a(10000, 1.0f), b = a, c = a;
  const Dropout dropout{0.5, 17};
  drop(a.data(), a.size(), 0, dropout.at(1));
  drop(b.data(), b.size(), 0, dropout.at(2));
  drop(c.data(), c.size(), 32, dropout.at(1));
  const auto agreement = [](const std::vector<float>& x, const std::vector<float>& y, std::size_t shift) {
    double same = 0;
    for (std::size_t i = 0; i + shift < x.size(); ++i) same += (x[i] == 0) == (y[i + shift] == 0) ? 1 : 0;
    return same / static_cast<double>(x.size() - shift);
  };
  CHECK(std::abs(agreement(a, b, 0) - 0.5) < 0.03);
  CHECK(std::abs(agreement(a, c, 0) - 0.5) < 0.03);
  for (const std::size_t shift : {1, 2, 15, 16, 17, 32}) CHECK(std::abs(agreement(a, a, shift) - 0.5) < 0.03);
}

TEST_CASE("a worker pool does every piece exactly once, again and again") {
  for (const int threads : {1, 2, 5}) {
    WorkerPool pool(threads);
    CHECK(pool.threads() == threads);
    for (int round = 0; round < 300; ++round) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(round % 17));
      pool.run(round % 17, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
      for (const auto& count : done) CHECK(count == 1);
    }
  }
}

TEST_CASE("a profile counts the work of all threads while it is measured, and nothing else") {
  WorkerPool pool(3);
  WorkProfile profile;
  const auto work = [&] {
    pool.run(100, [](int) {
      const Doing outside(Work::attention, 8);
      const Doing inside(Work::softmax, 1);
    });
  };
  work();
  CHECK(profile.flop(Work::attention) == 0);
  {
    const Measuring measuring(&profile);
    work();
  }
  work();
  CHECK(profile.flop(Work::attention) == 800);
  CHECK(profile.flop(Work::softmax) == 100);
  CHECK(profile.flop(Work::product) == 0);
  CHECK(profile.seconds(Work::attention) > 0);
}

TEST_CASE("an error in a piece reaches the caller, and the pool goes on") {
  WorkerPool pool(3);
  CHECK_THROWS_WITH_AS(pool.run(20,
                                [](int i) {
                                  if (i == 7) throw Error("piece", "seven");
                                }),
                       "piece: seven", Error);
  std::atomic<int> sum{0};
  pool.run(10, [&](int i) { sum += i; });
  CHECK(sum == 45);
  CHECK_THROWS_AS(WorkerPool(0), Error);
}

TEST_CASE("a pool wakes up after a rest, and several callers take turns") {
  WorkerPool pool(2);
  std::atomic<int> sum{0};
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // its worker goes to sleep
  std::thread other([&] {
    for (int i = 0; i < 50; ++i) pool.run(8, [&](int) { ++sum; });
  });
  for (int i = 0; i < 50; ++i) pool.run(8, [&](int) { ++sum; });
  other.join();
  CHECK(sum == 800);
}
