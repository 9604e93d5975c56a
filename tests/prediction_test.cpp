#include "engine/analysis/prediction.h"
#include "engine/model/sentence_loss.h"

#include <doctest/doctest.h>

#include <cmath>

#include "engine/math/error.h"
#include "random_models.h"

using namespace glassformer;

namespace {

const TraceInput kSentences = {{{5, 6, 7}, {8, 9}}, {{4, 5}, {6, 7, 8, 9}}};

Trace traced(double smoothing) {
  const Config config = small_config();
  return record_trace(random_model<float>(config, 1), kSentences,
                      {.smoothing = smoothing, .gradients = true});
}

}  // namespace

TEST_CASE("p - y of a word is the gradient of its logit, times the words that share the loss") {
  const Trace trace = traced(0.1);
  const double tokens = 8;
  for (int sentence = 0; sentence < 2; ++sentence) {
    const int places = static_cast<int>(trace.target_out[static_cast<std::size_t>(sentence)].size());
    for (int position = 0; position < places; ++position) {
      const Prediction prediction = prediction_at(trace, sentence, position, 1000);
      REQUIRE(static_cast<int>(prediction.strongest.size()) == trace.at("logits").columns());
      double sum = 0;
      for (const WordShare& word : prediction.strongest) {
        const int index[] = {sentence, position, word.id};
        const Tensor& gradient = trace.gradients.find("logits")->second;
        CHECK(word.difference / tokens ==
              doctest::Approx(static_cast<double>(gradient.at(index))).epsilon(1e-4).scale(0.01));
        CHECK(word.logit == static_cast<double>(trace.at("logits").at(index)));
        sum += word.difference;
      }
      CHECK(std::abs(sum) < 1e-5);  // what one word gains the others lose
    }
  }
}

TEST_CASE("the loss of a word is KL and the entropy of its target, and without smoothing only surprise") {
  const Trace trace = traced(0.1), sharp = traced(0);
  const Prediction smoothed = prediction_at(trace, 1, 2, 3), plain = prediction_at(sharp, 1, 2, 3);
  CHECK(smoothed.loss == doctest::Approx(smoothed.kl + smoothed.target_entropy));
  double kl = 0;
  const Plane y = trace.plane("smoothed_target", 1), log_p = trace.plane("log_probabilities", 1);
  for (int id = 0; id < y.columns; ++id)
    kl += y(2, id) * (std::log(static_cast<double>(y(2, id))) - static_cast<double>(log_p(2, id)));
  CHECK(smoothed.kl == doctest::Approx(kl).epsilon(1e-4));
  CHECK(plain.target_entropy == 0);
  CHECK(plain.loss == doctest::Approx(-std::log(plain.right.probability)));
  CHECK(plain.right.id == 8);
  CHECK(plain.right.target == 1);
}

TEST_CASE("as far as some of its words a sentence has their mean loss and their probability together") {
  const Trace trace = traced(0.1);
  double sum = 0;
  for (int tokens = 1; tokens <= 5; ++tokens) {
    sum += prediction_at(trace, 1, tokens - 1, 1).loss;
    CHECK(loss_so_far(trace, 1, tokens) == doctest::Approx(sum / tokens));
  }
  CHECK(loss_so_far(trace, 1, 5) == trace.sentence_loss[1]);

  const std::vector<double> written = {-0.5, -1, -0.25};
  CHECK(log_probability_so_far(written, 0) == 0);
  CHECK(log_probability_so_far(written, 2) == -1.5);
  CHECK(log_probability_so_far(written, 9) == -1.75);
}

TEST_CASE("the strongest words come first, ties by the lower id, and no more than there are") {
  const Trace trace = traced(0.1);
  const Prediction prediction = prediction_at(trace, 0, 0, 3);
  REQUIRE(prediction.strongest.size() == 3);
  const Plane log_p = trace.plane("log_probabilities", 0);
  int larger = 0;
  for (int id = 0; id < log_p.columns; ++id) larger += log_p(0, id) > log_p(0, prediction.strongest[2].id);
  CHECK(larger <= 2);
  CHECK(prediction.strongest[0].probability >= prediction.strongest[1].probability);
  CHECK_THROWS_AS(prediction_at(trace, 0, 3, 1), Error);
  CHECK_THROWS_AS(prediction_at(trace, 2, 0, 1), Error);
}
