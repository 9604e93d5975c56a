// What PyTorch computes for the same weights (tests/fixtures), with the tolerances of a 32-bit engine.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/decode/decode.h"
#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/layers/schedule.h"
#include "engine/model/optimizer.h"
#include "engine/model/recorder.h"
#include "engine/model/weights_file.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

constexpr const char* kFixtures[] = {"a_post_relu_sinusoidal", "b_pre_gelu_learned", "c_post_swish_shared",
                                     "d_single_token"};

// What came after the paper (make_since_2017.py): values and gradients.
constexpr const char* kLaterFixtures[] = {"since_2017/alibi", "since_2017/rms", "since_2017/swiglu"};

std::vector<std::string> all_fixtures() {
  std::vector<std::string> all(std::begin(kFixtures), std::end(kFixtures));
  all.insert(all.end(), std::begin(kLaterFixtures), std::end(kLaterFixtures));
  return all;
}

struct Fixture {
  explicit Fixture(const std::string& name)
      : folder(source_folder() + "/tests/fixtures/" + name),
        model(*load_snapshot(folder).weights),
        expect(nlohmann::json::parse(read_file(folder + "/expect.json"))),
        smoothing(expect["label_smoothing"].get<double>()) {
    const Safetensors file = Safetensors::read(folder + "/batch.safetensors");
    batch =
        make_raw_batch(rows(file, "source"), rows(file, "target_in"), rows(file, "target_out"), model.config);
  }

  static std::vector<std::vector<int>> rows(const Safetensors& file, const std::string& name) {
    const auto length = static_cast<std::size_t>(file.at(name).shape[1]);
    const auto ids = file.integers(name);
    std::vector<std::vector<int>> result(ids.size() / length);
    for (std::size_t i = 0; i < ids.size(); ++i) result[i / length].push_back(static_cast<int>(ids[i]));
    return result;
  }

  Safetensors open(const std::string& name) const { return Safetensors::read(folder + "/" + name); }

  std::string folder;
  Transformer<float> model;
  nlohmann::json expect;
  double smoothing;
  Batch batch;
};

double near(double value) {
  return 1e-5 * std::max(1.0, std::abs(value));
}

float largest(const std::vector<float>& values) {
  float most = 0;
  for (const float value : values) most = std::max(most, std::abs(value));
  return most;
}

// Whether entry `i` of a trace tensor belongs to real tokens alone.
bool is_real(const Fixture& fixture, const std::string& name, const Tensor& tensor, std::size_t i) {
  if (name.ends_with(".positions")) return true;
  const bool source = name.starts_with("source.") || name.starts_with("encoder.") || name == "memory";
  const bool source_keys = source || name.find(".cross_attn.") != std::string::npos;
  const auto real = [&](bool source_side, int sentence, int place) {
    const PackedIds& ids = source_side ? fixture.batch.source : fixture.batch.target_in;
    return ids.sentence(sentence)[static_cast<std::size_t>(place)] != fixture.model.config.pad_id;
  };
  const int column = static_cast<int>(i) % tensor.columns();
  const int row = static_cast<int>(i) / tensor.columns() % tensor.rows();
  const int plane = static_cast<int>(i) / tensor.columns() / tensor.rows();
  const int sentence = tensor.rank() == 4 ? plane / tensor.shape[1] : plane;
  if (name.ends_with(".key") || name.ends_with(".value")) return real(source_keys, sentence, row);
  if (name.ends_with(".scores") && !real(source_keys, sentence, column)) return false;
  return real(source, sentence, row);
}

}  // namespace

TEST_CASE("every intermediate value is PyTorch's") {
  for (const std::string& name : all_fixtures()) {
    CAPTURE(name);
    const Fixture fixture(name);
    Trace trace;
    Recorder recorder(fixture.batch, trace);
    Saved<float> saved;
    fixture.model.forward(fixture.batch, saved, recorder);
    const Loss loss = fixture.model.loss(fixture.batch, saved, {fixture.smoothing, true}, recorder);
    const auto& expect = fixture.expect;
    CHECK(std::abs(loss.loss - expect["loss"].get<double>()) < near(loss.loss));
    CHECK(std::abs(loss.nll - expect["nll"].get<double>()) < near(loss.nll));
    CHECK(std::abs(loss.kl - expect["kl"].get<double>()) < near(loss.kl));
    CHECK(loss.token_accuracy == doctest::Approx(expect["token_accuracy"].get<double>()));
    CHECK(loss.tokens == expect["tokens"].get<long>());

    const Safetensors wanted = fixture.open("trace.safetensors");
    for (const auto& [tensor_name, entry] : wanted.entries()) {
      const auto& this_tensor_name = tensor_name;
      CAPTURE(this_tensor_name);
      const Tensor& found = trace.at(tensor_name);
      CHECK(std::equal(found.shape.begin(), found.shape.end(), entry.shape.begin(), entry.shape.end()));
      const std::vector<float> values = wanted.floats(tensor_name);
      const float tolerance = 1e-5f * std::max(1.0f, largest(values));
      float worst = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (is_real(fixture, tensor_name, found, i))
          worst = std::max(worst, std::abs(found.values[i] - values[i]));
      }
      CHECK(worst <= tolerance);
    }
  }
}

TEST_CASE("every gradient is PyTorch's, and those that are 0 by construction are exactly 0") {
  for (const std::string& name : all_fixtures()) {
    CAPTURE(name);
    const Fixture fixture(name);
    const Batch packed = without_trailing_padding(fixture.batch, fixture.model.config.pad_id);
    Saved<float> saved;
    Transformer<float> gradient(fixture.model.config);
    fixture.model.forward(packed, saved);
    fixture.model.loss(packed, saved, {fixture.smoothing, true});
    fixture.model.backward(packed, saved, gradient);
    const double norm = fixture.expect["gradient_norm"].get<double>();
    CHECK(std::abs(gradient_norm(gradient) - norm) < 1e-4 * norm);

    const Safetensors wanted = fixture.open("gradients.safetensors");
    float most = 0;
    for (const auto& [tensor_name, entry] : wanted.entries())
      most = std::max(most, largest(wanted.floats(tensor_name)));
    std::size_t count = 0;
    gradient.visit([&](const std::string& tensor_name, Parameter<float> tensor) {
      CAPTURE(tensor_name);
      ++count;
      const std::vector<float> values = wanted.floats(tensor_name);
      REQUIRE(values.size() == tensor.size());
      float worst = 0;
      bool zeros_stay = true;
      const bool embedding =
          tensor_name.ends_with("embedding.weight") || tensor_name.ends_with("positions.weight");
      for (std::size_t i = 0; i < values.size(); ++i) {
        worst = std::max(worst, std::abs(values[i] - tensor.data[i]));
        if (embedding && values[i] == 0) zeros_stay = zeros_stay && tensor.data[i] == 0;
      }
      CHECK(worst <= 1e-4f * most);
      CHECK(zeros_stay);
    });
    CHECK(count == wanted.entries().size());
  }
}

TEST_CASE("learning rates of every schedule are PyTorch's") {
  for (const char* name : kFixtures) {
    const Fixture fixture(name);
    for (const auto& plan : fixture.expect["learning_rates"]) {
      Schedule schedule;
      schedule.kind = schedule_kind(plan["name"].get<std::string>());
      schedule.d_model = fixture.model.config.d_model;
      schedule.factor = plan.value("factor", 1.0);
      schedule.warmup = plan.value("warmup", 1L);
      schedule.peak = plan.value("peak", 1.0);
      schedule.total_steps = plan.value("total_steps", 1L);
      for (int step = 1; step <= 20; ++step) {
        const double wanted = plan["values"][static_cast<std::size_t>(step - 1)].get<double>();
        CHECK(std::abs(schedule.rate(step) - wanted) < 1e-11);
      }
    }
  }
}

TEST_CASE("five Adam steps lead where PyTorch's lead") {
  for (const char* name : kFixtures) {
    CAPTURE(name);
    const Fixture fixture(name);
    const auto& plan = fixture.expect["training"];
    Schedule schedule;
    schedule.kind = schedule_kind(plan["schedule"]["name"].get<std::string>());
    schedule.d_model = fixture.model.config.d_model;
    schedule.factor = plan["schedule"].value("factor", 1.0);
    schedule.warmup = plan["schedule"].value("warmup", 1L);
    schedule.peak = plan["schedule"].value("peak", 1.0);
    schedule.total_steps = plan["schedule"].value("total_steps", 1L);
    const double clip = plan["clip"].is_null() ? 0 : plan["clip"].get<double>();

    Transformer<float> model = fixture.model, gradient(model.config), m(model.config), v(model.config);
    Saved<float> saved;
    for (int step = 1; step <= 5; ++step) {
      const auto index = static_cast<std::size_t>(step - 1);
      model.forward(fixture.batch, saved);
      const double loss = model.loss(fixture.batch, saved, {fixture.smoothing, true}).loss;
      CHECK(std::abs(loss - plan["losses"][index].get<double>()) < near(loss));
      model.backward(fixture.batch, saved, gradient);
      const double norm = gradient_norm(gradient);
      CHECK(std::abs(norm - plan["gradient_norms"][index].get<double>()) < 1e-4 * norm);
      AdamStep adam;
      adam.step = step;
      adam.rate = schedule.rate(step);
      adam.gradient_scale = clip_scale(norm, clip);
      adam_step(model, gradient, m, v, adam);
    }
    model.forward(fixture.batch, saved);
    const double after = model.loss(fixture.batch, saved, {fixture.smoothing}).loss;
    CHECK(std::abs(after - plan["loss_after"].get<double>()) < near(after));

    // Weights whose gradient is not lost in rounding.
    const Safetensors trained = fixture.open("trained.safetensors"),
                      gradients = fixture.open("gradients.safetensors");
    float most = 0;
    for (const auto& [tensor_name, entry] : gradients.entries()) {
      most = std::max(most, largest(gradients.floats(tensor_name)));
    }
    model.visit([&](const std::string& tensor_name, Parameter<float> tensor) {
      CAPTURE(tensor_name);
      const auto wanted = trained.floats(tensor_name), strength = gradients.floats(tensor_name);
      float worst = 0;
      for (std::size_t i = 0; i < tensor.size(); ++i) {
        if (std::abs(strength[i]) >= most / 1000)
          worst = std::max(worst, std::abs(wanted[i] - tensor.data[i]));
      }
      CHECK(worst <= 5e-5f);
    });
  }
}

TEST_CASE("greedy and beam search find what PyTorch's model finds") {
  for (const char* name : kFixtures) {
    CAPTURE(name);
    const Fixture fixture(name);
    const auto stored = nlohmann::json::parse(read_file(fixture.folder + "/decode.json"));
    const auto sources = stored["sources"].get<std::vector<std::vector<int>>>();
    for (const auto& run : stored["runs"]) {
      DecodeOptions options;
      options.max_length = run["max_length"].get<int>();
      const auto greedy = decode(fixture.model, sources, options);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        CHECK(greedy[i].ids == run["greedy"][i]["ids"].get<std::vector<int>>());
        const auto wanted = run["greedy"][i]["log_probabilities"].get<std::vector<double>>();
        REQUIRE(greedy[i].log_probabilities.size() == wanted.size());
        for (std::size_t t = 0; t < wanted.size(); ++t) {
          CHECK(std::abs(greedy[i].log_probabilities[t] - wanted[t]) < near(wanted[t]));
        }
      }
      options.search = Search::beam;
      for (const auto& plan : run["beam"]) {
        options.beam = plan["size"].get<int>();
        options.alpha = plan["alpha"].get<double>();
        const auto found = decode(fixture.model, sources, options);
        for (std::size_t i = 0; i < sources.size(); ++i) {
          const auto& wanted = plan["hypotheses"][i];
          REQUIRE(found[i].hypotheses.size() == wanted.size());
          for (std::size_t h = 0; h < wanted.size(); ++h) {
            const double score = wanted[h]["score"].get<double>();
            CHECK(std::abs(found[i].hypotheses[h].score - score) < near(score));
            CHECK(found[i].hypotheses[h].ids == wanted[h]["ids"].get<std::vector<int>>());
          }
        }
      }
    }
  }
}
