// Every gradient that a trace holds is the slope of the loss: the value is nudged where it passes, the pass
// runs on, in double.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

#include "engine/math/random.h"
#include "engine/model/trace.h"
#include "random_models.h"

using namespace glassformer;

namespace {

// One number of one value: its place in the stretch that passes, and which stretch.
struct Cell {
  int first_row = 0, sentence = 0, head = 0;
  Eigen::Index row = 0, column = 0;
  bool operator==(const Cell&) const = default;
};

bool passes(const Cell& cell, const TapPoint& point) {
  return cell.first_row == point.first_row && cell.sentence == point.sentence && cell.head == point.head;
}

// Collects two random cells of every gradient on the way back; nudges one cell on the way forward.
class Prober : public Tap<double> {
 public:
  struct Slope {
    Cell cell;
    double gradient = 0;
  };

  void operator()(const TapPoint& point, MatrixRef<double> value) override {
    if (!point.gradient) {
      forward.insert(point.name);
      if (point.name == nudged && passes(cell, point)) value(cell.row, cell.column) += amount;
      return;
    }
    if (!collecting || value.size() == 0) return;
    std::vector<Slope>& found = slopes[point.name];
    for (int i = 0; i < 2; ++i) {
      const Cell at{point.first_row, point.sentence, point.head, random.below(static_cast<int>(value.rows())),
                    random.below(static_cast<int>(value.cols()))};
      found.push_back({at, value(at.row, at.column)});
    }
  }

  bool collecting = false;
  std::map<std::string, std::vector<Slope>> slopes;
  std::set<std::string> forward;
  std::string nudged;
  Cell cell;
  double amount = 0;
  Random random{3};
};

// Copies for looking at: nudging them changes nothing, so the other test looks after them.
bool is_copy(const std::string& name) {
  return name == "log_probabilities" || name == "token_loss" || name.ends_with(".lookup");
}

// What has no gradient: the constant target, and what a norm takes from each row.
bool is_constant(const std::string& name) {
  return name == "smoothed_target" || name.ends_with(".mean") || name.ends_with(".deviation") ||
         name.ends_with(".rms");
}

}  // namespace

TEST_CASE("the gradient of every named value is the slope of the loss when that value is nudged") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 11);
    const Batch batch = random_batch(each.config, 12);
    Saved<double> saved;
    Transformer<double> gradient(each.config);
    Prober prober;
    prober.collecting = true;
    model.forward(batch, saved, prober);
    model.loss(batch, saved, {0.1, true}, prober);
    model.backward(batch, saved, gradient, prober);
    prober.collecting = false;
    for (const std::string& name : prober.forward) {
      CAPTURE(name);
      CHECK(prober.slopes.contains(name) != is_constant(name));
    }

    const auto loss = [&](double amount) {
      prober.amount = amount;
      model.forward(batch, saved, prober);
      return model.loss(batch, saved, {0.1, false}, prober).loss;
    };
    constexpr double kNudge = 1e-6;
    for (const auto& [name, found] : prober.slopes) {
      if (is_copy(name)) continue;
      const auto& this_name = name;
      CAPTURE(this_name);
      prober.nudged = name;
      double worst = 0;
      for (std::size_t i = 0; i < found.size(); i += std::max<std::size_t>(1, found.size() / 6)) {
        prober.cell = found[i].cell;
        const double slope = (loss(kNudge) - loss(-kNudge)) / (2 * kNudge);
        worst = std::max(worst, std::abs(slope - found[i].gradient));
      }
      CHECK(worst < 2e-7);
    }
  }
}

TEST_CASE("gradients of the loss's own values follow from its formula") {
  Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 2);
  const TraceInput input = {{{5, 6, 7}, {8, 9}}, {{4, 5}, {6, 7, 8, 9}}};
  TraceOptions options;
  options.gradients = options.parameter_gradients = true;
  const Trace trace = record_trace(model, input, options);
  const Plane target = trace.plane("smoothed_target", 1);
  const Tensor& d_logp = trace.gradients.at("log_probabilities");
  const Tensor& d_lookup = trace.gradients.at("source.lookup");
  const Tensor& d_embedding = trace.gradients.at("source.embedding");
  for (int row = 0; row < 5; ++row) {
    for (int word = 0; word < 13; ++word) {
      const int cell[] = {1, row, word};
      CHECK(d_logp.at(cell) == doctest::Approx(-target(row, word) / 8));
    }
  }
  const int first[] = {0, 1}, padded[] = {0, 4}, word[] = {0, 2, 7};
  CHECK(trace.gradients.at("token_loss").at(first) == doctest::Approx(1.0 / 8));
  CHECK(trace.gradients.at("token_loss").at(padded) == 0);
  CHECK(d_lookup.at(word) == doctest::Approx(d_embedding.at(word) * std::sqrt(12.0f)));
  CHECK(trace.at("source.lookup").at(word) == model.source_embedding(7, 7));
}

TEST_CASE("a trace keeps the parameters' gradients when asked") {
  const Transformer<float> model = random_model<float>(small_config(), 2);
  const TraceInput input = {{{5, 6, 7}}, {{4, 5}}};
  TraceOptions options;
  options.gradients = true;
  CHECK(record_trace(model, input, options).parameter_gradients == nullptr);
  options.parameter_gradients = true;
  const Trace trace = record_trace(model, input, options);
  REQUIRE(trace.parameter_gradients != nullptr);

  // The bias of the vocabulary projection adds to every logit.
  const Tensor& d_logits = trace.gradients.at("logits");
  for (int word = 0; word < 13; ++word) {
    float sum = 0;
    for (int row = 0; row < 3; ++row) sum += d_logits.at(std::vector<int>{0, row, word});
    CHECK(trace.parameter_gradients->output_projection.bias(word) == doctest::Approx(sum));
  }
}
