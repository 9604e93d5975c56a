#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "engine/decode/choices.h"
#include "engine/math/softmax.h"

using namespace glassformer;

namespace {

const std::vector<float> kLogits = {1.5f, -0.25f, 3, 2.75f, 2.75f, 0, -4, 1.5f, 2, 0.5f};
const std::vector<int> kBestFirst = {2, 3, 4, 8, 0, 7, 9, 5, 1, 6};  // ties to the lowest id

DecodeOptions settings(double temperature, int top_k, double top_p) {
  DecodeOptions options;
  options.search = Search::sampling;
  options.temperature = temperature;
  options.top_k = top_k;
  options.top_p = top_p;
  return options;
}

std::vector<TokenShare> shares_of(const DecodeOptions& options) {
  return token_shares(std::span<const float>(kLogits), options);
}

// exp(logit / t) / sum over these ids, the plain way.
double softmax_by_hand(int id, const std::vector<int>& among, double temperature) {
  const auto power = [&](int each) {
    return std::exp(static_cast<double>(kLogits[static_cast<std::size_t>(each)]) / temperature);
  };
  double sum = 0;
  for (const int each : among) sum += power(each);
  return power(id) / sum;
}

std::vector<int> first(std::size_t count) {
  return {kBestFirst.begin(), kBestFirst.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

TEST_CASE("shares before and after temperature, top-k and top-p are those worked out by hand") {
  for (const double temperature : {0.3, 1.0, 2.5}) {
    for (const int top_k : {0, 1, 4, 10, 99}) {
      for (const double top_p : {0.05, 0.5, 0.9, 1.0}) {
        CAPTURE(temperature);
        CAPTURE(top_k);
        CAPTURE(top_p);
        const auto shares = shares_of(settings(temperature, top_k, top_p));
        const std::size_t after_k = top_k == 0 ? 10 : std::min<std::size_t>(10, static_cast<size_t>(top_k));
        std::size_t kept = 0;
        for (double sum = 0; kept < after_k && (top_p == 1 || sum < top_p); ++kept)
          sum += softmax_by_hand(kBestFirst[kept], first(after_k), temperature);
        REQUIRE(shares.size() == 10);
        for (std::size_t i = 0; i < 10; ++i) {
          CHECK(shares[i].id == kBestFirst[i]);
          CHECK(shares[i].before == doctest::Approx(softmax_by_hand(kBestFirst[i], kBestFirst, 1)));
          CHECK(shares[i].tempered ==
                doctest::Approx(softmax_by_hand(kBestFirst[i], kBestFirst, temperature)));
          const double after = i < kept ? softmax_by_hand(kBestFirst[i], first(kept), temperature) : 0;
          CHECK(shares[i].after == doctest::Approx(after));
          CHECK(shares[i].fate == (i < kept      ? ShareFate::drawn
                                   : i < after_k ? ShareFate::cut_by_top_p
                                                 : ShareFate::cut_by_top_k));
        }
      }
    }
  }
}

TEST_CASE("top-p keeps the token that reaches the border, and none behind it") {
  const std::vector<double> even(4, 0.25);  // each a quarter, exactly
  const auto kept = [&](double top_p) {
    return draw_pool(std::span<const double>(even), settings(1, 0, top_p)).weights.size();
  };
  CHECK(kept(0.25) == 1);
  CHECK(kept(0.26) == 2);
  CHECK(kept(0.5) == 2);
  CHECK(kept(0.75) == 3);
  CHECK(kept(0.76) == 4);
  CHECK(kept(1e-9) == 1);
}

TEST_CASE("temperature 0 draws the likeliest alone, of equals the lowest id") {
  std::vector<float> equal = {1, 3, 2, 3};
  for (const float first : {1.0f, 3.0f, std::nanf("")}) {
    equal[0] = first;
    const std::span<const float> logits(equal);
    const DrawPool pool = draw_pool(logits, settings(0, 0, 1));
    CHECK(pool.order.front() == arg_max(equal.data(), 4));
    CHECK(pool.weights.size() == 1);
    Random random(1);
    CHECK(sample(logits, settings(0, 0, 1), random) == pool.order.front());
    CHECK(random.state() == Random(1).state());
  }
  const auto shares = shares_of(settings(0, 3, 0.5));
  CHECK(shares.front().after == 1);
  for (std::size_t i = 1; i < shares.size(); ++i) {
    CHECK(shares[i].after == 0);
    CHECK(shares[i].fate == ShareFate::cut_by_temperature);
  }
}

TEST_CASE("what is drawn comes as often as its share after the cuts says") {
  const DecodeOptions options = settings(1.5, 6, 0.8);
  const auto shares = shares_of(options);
  std::vector<int> counts(kLogits.size());
  Random random(5);
  const int draws = 40000;
  for (int i = 0; i < draws; ++i)
    ++counts[static_cast<std::size_t>(sample(std::span<const float>(kLogits), options, random))];
  for (const TokenShare& share : shares) {
    const double seen = static_cast<double>(counts[static_cast<std::size_t>(share.id)]) / draws;
    CHECK(std::abs(seen - share.after) < 0.01);
    if (share.fate != ShareFate::drawn) CHECK(seen == 0);
  }
}

TEST_CASE("a seed draws the tokens that it has always drawn") {
  struct Drawn {
    double temperature;
    int top_k;
    double top_p;
    std::vector<int> ids;  // of the seeds 1 to 16
  };
  for (const Drawn& drawn : {Drawn{1, 0, 1, {4, 4, 2, 3, 3, 8, 3, 4, 4, 2, 3, 4, 8, 3, 4, 3}},
                             Drawn{2, 0, 1, {8, 8, 2, 4, 4, 0, 4, 8, 0, 2, 3, 8, 7, 4, 4, 3}},
                             Drawn{0.5, 0, 1, {3, 3, 2, 3, 2, 4, 2, 3, 4, 2, 2, 3, 4, 3, 3, 2}},
                             Drawn{1, 4, 1, {3, 3, 2, 3, 3, 4, 3, 4, 4, 2, 2, 3, 4, 3, 3, 3}},
                             Drawn{1, 0, 0.6, {3, 3, 2, 3, 2, 4, 2, 3, 3, 2, 2, 3, 4, 3, 3, 2}},
                             Drawn{1.5, 5, 0.8, {3, 4, 2, 3, 3, 4, 3, 4, 4, 2, 3, 4, 4, 3, 3, 3}}}) {
    std::vector<int> ids;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
      Random random(seed);
      ids.push_back(sample(std::span<const float>(kLogits),
                           settings(drawn.temperature, drawn.top_k, drawn.top_p), random));
    }
    CHECK(ids == drawn.ids);
  }
}

TEST_CASE("a long list of the likeliest is a short one that goes on") {
  Random random(8);
  std::vector<float> logits(300);
  for (float& each : logits) each = static_cast<float>(random.below(90)) / 8;
  std::vector<Candidate> few, all;
  likeliest(std::span<const float>(logits), 2.5, 64, few);
  likeliest(std::span<const float>(logits), 2.5, 300, all);
  REQUIRE(few.size() == 64);
  REQUIRE(all.size() == 300);
  for (std::size_t i = 0; i < few.size(); ++i) {
    CHECK(few[i].id == all[i].id);
    CHECK(few[i].log_probability == all[i].log_probability);
  }
}
