// Looks at a run while it learns.
#include "engine/train/diagnosis.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/model/optimizer.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/trace.h"
#include "tests/random_models.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

const std::vector<std::vector<int>> kDiagnosisSources{{4, 5, 6, 7}, {5, 4}},
    kDiagnosisTargets{{4, 5}, {6, 7, 4}};

Trace diagnosis_trace(const Transformer<float>& model) {
  return record_trace(model, {kDiagnosisSources, kDiagnosisTargets});
}

// Without scores every row is spread evenly over what it may see.
Transformer<float> evenly_reading_model() {
  Transformer<float> model(copying_config());
  model.initialize(3);
  model.visit([](const std::string& name, Parameter<float> tensor) {
    if (name.ends_with("in_proj_weight") || name.ends_with("in_proj_bias"))
      std::fill_n(tensor.data, tensor.size(), 0.0F);
  });
  return model;
}

double diagnosis_length(const std::vector<ParameterView>& tensors, const std::string& prefix,
                        const std::vector<ParameterView>& minus = {}) {
  double sum = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (!tensors[t].name.starts_with(prefix)) continue;
    for (long i = 0; i < tensors[t].size(); ++i) {
      const double from = minus.empty() ? 0 : static_cast<double>(minus[t].data[i]);
      sum += std::pow(static_cast<double>(tensors[t].data[i]) - from, 2);
    }
  }
  return std::sqrt(sum);
}

std::vector<long> diagnosed_steps(const Diagnosis& diagnosis) {
  std::vector<long> steps;
  for (const Look& look : diagnosis.looks) steps.push_back(look.step);
  return steps;
}

// Of one head and one layer.
Look small_look(long step) {
  return {.step = step,
          .gradient_norms = {0.1F, 1e-20F},
          .update_ratios = {std::numeric_limits<float>::quiet_NaN(), 3.4e38F},
          .heads = {{0.3F, 1}},
          .silent = {0.25F}};
}

}  // namespace

TEST_CASE("gradient norms and updates are those of the step, part by part") {
  Trainer trainer(copying_set(), copying_config(), small_options());
  trainer.keep_diagnosis();
  run(trainer, 3);
  const auto before = trainer.snapshot();
  trainer.step();
  const auto after = trainer.snapshot(true);
  const Look& look = trainer.curves().diagnosis.looks.back();
  REQUIRE(look.step == 4);

  const auto old = parameters(*before->weights), now = parameters(*after->weights),
             gradient = parameters(*after->gradients);
  const std::vector<std::string> names{"source embedding", "target embedding", "encoder layer 1",
                                       "decoder layer 1", "output"},
      prefixes{"source_embedding", "target_embedding", "encoder.layers.0.", "decoder.layers.0.",
               "output_projection"};
  REQUIRE(diagnosed_places(copying_config()).parts == names);
  double squares = 0;
  for (std::size_t i = 0; i < prefixes.size(); ++i) {
    CAPTURE(names[i]);
    const auto norm = static_cast<double>(look.gradient_norms.at(i));
    CHECK(norm == doctest::Approx(diagnosis_length(gradient, prefixes[i])).epsilon(1e-5));
    CHECK(static_cast<double>(look.update_ratios.at(i)) ==
          doctest::Approx(diagnosis_length(now, prefixes[i], old) / diagnosis_length(old, prefixes[i]))
              .epsilon(1e-5));
    squares += norm * norm;
  }
  CHECK(std::sqrt(squares) ==
        doctest::Approx(static_cast<double>(trainer.curves().steps.back().gradient_norm)).epsilon(1e-5));
}

TEST_CASE("with every option of the model each tensor belongs to one part, and no part is empty") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 5),
                             other = random_model<float>(each.config, 6);
    const std::vector<float> norms = part_norms(model);
    const DiagnosedPlaces places = diagnosed_places(each.config);
    CHECK(norms.size() == places.parts.size());
    REQUIRE(places.part_blocks.size() == places.parts.size());
    for (std::size_t i = 0; i < norms.size(); ++i) {
      const ValueName& block = places.part_blocks[i];
      const std::string layer = block.encoder ? "encoder layer " : "decoder layer ";
      CHECK(in_layer(block.block) == (places.parts[i] == layer + std::to_string(block.layer + 1)));
    }
    double squares = 0;
    for (const float norm : norms) {
      CHECK(norm > 0);
      squares += static_cast<double>(norm) * static_cast<double>(norm);
    }
    CHECK(std::sqrt(squares) == doctest::Approx(gradient_norm(model)).epsilon(1e-5));
    for (const float ratio : update_ratios(model, model)) CHECK(ratio == 0);
    for (const float ratio : update_ratios(model, other)) CHECK(ratio > 0);
    Diagnosis diagnosis{
        .looks = {look_at(record_trace(model, {kDiagnosisSources, kDiagnosisTargets}), each.config)}};
    diagnosis.looks[0].gradient_norms = diagnosis.looks[0].update_ratios = norms;
    CHECK(fits(diagnosis, each.config));
    CHECK_FALSE(fits(diagnosis, copying_config()));
  }
}

TEST_CASE("a head that reads all alike has entropy 1, one that reads a single word 0 and is saturated") {
  const Transformer<float> model = evenly_reading_model();
  Trace trace = diagnosis_trace(model);
  const Look even = look_at(trace, model.config);
  REQUIRE(even.heads.size() == 6);
  for (const HeadLook& head : even.heads) {
    CHECK(head.entropy == doctest::Approx(1).epsilon(1e-5));
    CHECK(head.saturation == 0);
  }

  // The second head of the cross-attention reads the first word alone, in both sentences.
  Tensor& weights = trace.tensors.at("decoder.layers.0.cross_attn.weights");
  const int rows = weights.rows(), columns = weights.columns();
  for (int sentence = 0; sentence < 2; ++sentence)
    for (int i = 0; i < rows * columns; ++i)
      weights.values[static_cast<std::size_t>((sentence * 2 + 1) * rows * columns + i)] =
          i % columns == 0 ? 1.0F : 0.0F;
  const Look narrow = look_at(trace, model.config);
  CHECK(narrow.heads[5].entropy == 0);
  CHECK(narrow.heads[5].saturation == 1);
  CHECK(narrow.heads[4].entropy == even.heads[4].entropy);

  // A single row that is no longer even: two weights of a half.
  Trace halves = diagnosis_trace(model);
  Tensor& encoder = halves.tensors.at("encoder.layers.0.self_attn.weights");
  const std::vector<float> half{0.5F, 0.5F, 0, 0};
  const auto keys = static_cast<double>(halves.source[0].size());  // with or without eos
  std::fill_n(encoder.values.begin(), encoder.columns(), 0.0F);
  std::copy(half.begin(), half.end(), encoder.values.begin());
  const double all = static_cast<double>(halves.source[0].size() + halves.source[1].size());
  CHECK(static_cast<double>(look_at(halves, model.config).heads[0].entropy) ==
        doctest::Approx((all - 1 + std::log(2.0) / std::log(keys)) / all).epsilon(1e-5));
}

TEST_CASE("rows that may see a single word do not count") {
  const Transformer<float> model = evenly_reading_model();
  const std::vector<std::vector<int>> sources{{4, 5, 6}}, targets(1);  // the decoder reads <bos> alone
  const Look look = look_at(record_trace(model, {sources, targets}), model.config);
  REQUIRE(look.heads.size() == 6);
  for (const int masked : {2, 3}) {
    CHECK(std::isnan(look.heads[static_cast<std::size_t>(masked)].entropy));
    CHECK(std::isnan(look.heads[static_cast<std::size_t>(masked)].saturation));
  }
  CHECK(look.heads[0].entropy == doctest::Approx(1).epsilon(1e-5));
}

TEST_CASE("a unit that is above 0 for no word is silent, in ReLU and in GELU") {
  for (const Activation activation : {Activation::relu, Activation::gelu}) {
    Config config = copying_config();
    config.activation = activation;
    Transformer<float> model(config);
    model.initialize(2);
    model.visit([](const std::string& name, Parameter<float> tensor) {
      if (name.ends_with("linear1.weight")) std::fill_n(tensor.data, tensor.size(), 0.0F);
      if (!name.ends_with("linear1.bias")) return;
      std::fill_n(tensor.data, tensor.size(), name.starts_with("decoder") ? -1.0F : 1.0F);
      if (name.starts_with("encoder")) std::fill_n(tensor.data, 3, -0.5F);
    });
    const Look look = look_at(diagnosis_trace(model), config);
    REQUIRE(look.silent.size() == 2);
    CHECK(look.silent[0] == doctest::Approx(3.0 / 32));
    CHECK(look.silent[1] == 1);
  }
}

TEST_CASE("looking changes no bit of a training, and happens early and at validations") {
  Trainer plain(copying_set(), copying_config(), small_options());
  Trainer looking(copying_set(), copying_config(), small_options());
  looking.keep_diagnosis();
  run(plain, 21);
  run(looking, 21);
  check_same_curves(plain.curves(), looking.curves());
  CHECK(same_weights(*plain.snapshot(), *looking.snapshot()));
  CHECK(plain.curves().diagnosis.looks.empty());
  CHECK(diagnosed_steps(looking.curves().diagnosis) == std::vector<long>{1, 2, 4, 5, 8, 10, 15, 16, 20});
}

TEST_CASE("a resumed run finds what one finds that was never interrupted, and old folders have no looks") {
  const ScratchFolder folder;
  Trainer whole(copying_set(), copying_config(), small_options());
  whole.keep_diagnosis();
  run(whole, 20);
  {
    Trainer first(copying_set(), copying_config(), small_options());
    first.keep_diagnosis();
    run(first, 7);
    first.save(folder.path("run"));
  }
  {
    const auto second = Trainer::resume(folder.path("run"), copying_set());
    second->keep_diagnosis();
    run(*second, 13);
    CHECK(to_json(second->curves().diagnosis).dump() == to_json(whole.curves().diagnosis).dump());
  }
  CHECK(whole.curves().diagnosis.looks.size() == 9);

  nlohmann::json old = read_json(folder.path("run/training.json"));
  REQUIRE(old["curves"].erase("diagnosis") == 1);
  std::ofstream(folder.path("run/training.json")) << old.dump();
  CHECK(Trainer::resume(folder.path("run"), copying_set(), 0, false)->curves().diagnosis.looks.empty());
}

TEST_CASE("a long run keeps at most 400 looks, evenly, and the first ones") {
  constexpr long kEvery = 100;
  Diagnosis diagnosis;
  long taken = 0;
  for (long step = 1; step <= 200'000; ++step) {
    if (!wants_look(diagnosis, step, kEvery)) continue;
    ++taken;
    add_look(diagnosis, small_look(step), kEvery);
    REQUIRE(diagnosis.looks.size() <= 400);
  }
  CHECK(taken < 1000);
  CHECK(diagnosis.looks.size() > 200);
  CHECK(diagnosis.stride == 8);
  const std::vector<long> steps = diagnosed_steps(diagnosis);
  CHECK(std::is_sorted(steps.begin(), steps.end()));
  for (const long step : {1L, 2L, 4L, 64L, 800L, 1600L, 100'000L, 200'000L})
    CHECK(std::find(steps.begin(), steps.end(), step) != steps.end());
  CHECK(std::find(steps.begin(), steps.end(), 900L) == steps.end());
}

TEST_CASE("looks come back from JSON with the same bits") {
  const Diagnosis diagnosis{.looks = {small_look(1), small_look(7)}, .stride = 4};
  const nlohmann::json json = nlohmann::json::parse(to_json(diagnosis).dump());
  const Diagnosis back = diagnosis_from_json(json);
  CHECK(to_json(back) == json);
  CHECK(back.stride == 4);
  REQUIRE(back.looks.size() == 2);
  CHECK(back.looks[1].step == 7);
  CHECK(back.looks[1].gradient_norms == std::vector<float>{0.1F, 1e-20F});
  CHECK(std::isnan(back.looks[1].update_ratios[0]));
  CHECK(back.looks[1].update_ratios[1] == 3.4e38F);
  CHECK(back.looks[1].heads[0].entropy == 0.3F);
  CHECK(back.looks[1].silent == std::vector<float>{0.25F});
}

TEST_CASE("looks that no run can have had are refused") {
  const nlohmann::json sound = to_json(Diagnosis{.looks = {small_look(1), small_look(7)}});
  CHECK_NOTHROW(diagnosis_from_json(sound));
  for (const auto& [place, value] :
       std::initializer_list<std::pair<const char*, nlohmann::json>>{{"/stride", 0},
                                                                     {"/stride", 1.5},
                                                                     {"/steps/0", 0},
                                                                     {"/steps/1", 1},
                                                                     {"/steps/1", 9223372036854775807},
                                                                     {"/steps", nlohmann::json::array()},
                                                                     {"/steps", "many"},
                                                                     {"/gradient_norms/0", "large"},
                                                                     {"/gradient_norms/1", {1}},
                                                                     {"/gradient_norms/1/0", -1},
                                                                     {"/update_ratios/0/0", 1e300},
                                                                     {"/update_ratios/0/0", "1"},
                                                                     {"/entropy/0/0", 1.01},
                                                                     {"/entropy/0", {1, 1}},
                                                                     {"/entropy", {{1, 1}, {1, 1}}},
                                                                     {"/saturation/1/0", -0.01},
                                                                     {"/silent_units", {{0.5}}},
                                                                     {"/silent_units/0/0", 2}}) {
    const auto& this_place = place;
    CAPTURE(this_place);
    nlohmann::json hostile = sound;
    const nlohmann::json::json_pointer pointer(place);
    REQUIRE(hostile.contains(pointer));
    hostile[pointer] = value;
    CHECK_THROWS_AS(diagnosis_from_json(hostile), Error);
  }
  for (const auto& [key, value] : sound.items()) {
    const auto& this_key = key;
    CAPTURE(this_key);
    nlohmann::json without = sound;
    without.erase(key);
    CHECK_THROWS_AS(diagnosis_from_json(without), Error);
  }
  for (const char* text : {"[]", "null", "3", "{}"})
    CHECK_THROWS_AS(diagnosis_from_json(nlohmann::json::parse(text)), Error);
}

TEST_CASE("looks at another model, or at steps to come, are not gone on from") {
  const ScratchFolder folder;
  {
    Trainer trainer(copying_set(), copying_config(), small_options());
    trainer.keep_diagnosis();
    run(trainer, 3);
    trainer.save(folder.path("run"));
  }
  const nlohmann::json sound = read_json(folder.path("run/training.json"));
  const auto refused = [&](const char* place, const nlohmann::json& value) {
    nlohmann::json hostile = sound;
    const nlohmann::json::json_pointer pointer(place);
    REQUIRE(hostile.contains(pointer));
    hostile[pointer] = value;
    std::ofstream(folder.path("run/training.json")) << hostile.dump();
    CHECK_THROWS_AS(Trainer::resume(folder.path("run"), copying_set(), 0, false), Error);
  };
  refused("/curves/diagnosis/steps", {1, 4});
  refused("/curves/diagnosis/silent_units", {{0.5}, {0.5}});
  refused("/curves/diagnosis/silent_units", {{0.5, 0.5}});
}
