// Recurrent models: their settings, scores, cells, and the same numbers as PyTorch.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "engine/recurrent/gru_cell.h"
#include "engine/train/length_race.h"
#include "tests/recurrent_helpers.h"
#include "tests/refusal.h"
#include "tests/source_folder.h"

namespace glassformer::recurrent_model_test {

using testing::refusal;

TEST_CASE("recurrent names: every parameter's name is read back as it was written, and no other") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    const RecurrentModel<float> model(each.config);
    std::set<std::string> names;
    model.visit([&](const std::string& name, Parameter<const float>) {
      CAPTURE(name);
      names.insert(name);
      const auto read = read_recurrent_name(name);
      REQUIRE(read.has_value());
      CHECK(written(*read) == name);
    });
    CHECK(names.contains("encoder.weight_ih_l0"));
    CHECK(names.contains("decoder.bias_hh_l1"));
    CHECK(names.contains("attention.score.weight") == (each.name == "additive"));
    CHECK(names.size() == (each.name == "additive" ? 23u : 20u));
  }
  CHECK(read_recurrent_name("decoder.weight_hh_l12") ==
        RecurrentName{RecurrentPart::state_weight, false, 12});
  for (const char* name : {"", "encoder", "encoder.", "encoder.weight_ih_l", "encoder.weight_ih_l01",
                           "encoder.weight_ih_l-1", "encoder.weight_ih_l1 ", "weight_ih_l0",
                           "encoder.weight_ih_l99999999999", "encoder.layers.0.norm1.weight", "logits"})
    CHECK(!read_recurrent_name(name).has_value());
}

TEST_CASE("recurrent model: a seed gives the same numbers, of the sizes that PyTorch begins with") {
  RecurrentConfig config = small_recurrent_config(RecurrentAttention::additive);
  config.width = 64;
  RecurrentModel<float> model(config), again(config), other(config);
  model.initialize(3);
  again.initialize(3);
  other.initialize(4);
  CHECK(numbers_of(model) == numbers_of(again));
  CHECK(numbers_of(model) != numbers_of(other));
  const Matrix<float>& weight = model.encoder[1].state_weight;
  CHECK(weight.cwiseAbs().maxCoeff() <= 0.125f);
  CHECK(weight.cwiseAbs().maxCoeff() > 0.12f);
  CHECK(std::abs(weight.mean()) < 0.01f);
  CHECK(model.decoder[0].input_bias.cwiseAbs().maxCoeff() > 0.1f);
  CHECK(model.source_embedding.squaredNorm() / static_cast<float>(model.source_embedding.size()) ==
        doctest::Approx(1).epsilon(0.15));
  CHECK(model.output_projection.bias.isZero());
  CHECK(!model.attention.key_weight.isZero());

  // 9 and 10 words; 2 x 2 layers; W, U and v; the output layer.
  CHECK(model.parameter_count() ==
        19u * 64 + 4u * (2 * 192 * 64 + 2 * 192) + 2u * 64 * 64 + 64 + 10u * 128 + 10);
  CHECK(numbers_of(model.cast<double>().cast<float>()) == numbers_of(model));
  model.set_zero();
  for (const float number : numbers_of(model)) CHECK(number == 0);
}

TEST_CASE("recurrent model: settings and batches that cannot be are refused") {
  const RecurrentConfig good = small_recurrent_config(RecurrentAttention::dot);
  CHECK_NOTHROW(check(good));
  for (int RecurrentConfig::*key : {&RecurrentConfig::width, &RecurrentConfig::layers,
                                    &RecurrentConfig::source_vocab, &RecurrentConfig::target_vocab}) {
    RecurrentConfig config = good;
    config.*key = 0;
    CHECK_THROWS_AS(RecurrentModel<float>{config}, Error);
  }
  for (int RecurrentConfig::*key : {&RecurrentConfig::pad_id, &RecurrentConfig::unk_id,
                                    &RecurrentConfig::bos_id, &RecurrentConfig::eos_id}) {
    RecurrentConfig config = good;
    config.*key = 10;
    CHECK_THROWS_AS(check(config), Error);
  }
  const RecurrentModel<float> model(good);
  RecurrentSaved<float> saved;
  Batch batch = batch_of(good, {{{4}}, {{5}}});
  CHECK_NOTHROW(model.forward(batch, saved));
  batch.source.add(std::vector<int>{4});  // no target
  CHECK_THROWS_AS(model.forward(batch, saved), Error);
  batch = batch_of(good, {{{4}}, {{5}}});
  batch.source.clear();
  batch.source.add(std::vector<int>{9});  // no such word
  CHECK_THROWS_AS(model.forward(batch, saved), Error);
  batch.source.clear();
  batch.source.add(std::vector<int>(13, 4));  // longer than max_length
  CHECK_THROWS_AS(model.forward(batch, saved), Error);
}

TEST_CASE("recurrent model: a new one is 0 throughout, also where memory was used before") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    for (int i = 0; i < 3; ++i) RecurrentModel<float>(each.config).initialize(7);
    const RecurrentModel<float> fresh(each.config);
    fresh.visit([&](const std::string& name, Parameter<const float> tensor) {
      CAPTURE(name);
      CHECK(std::all_of(tensor.data, tensor.data + tensor.size(), [](float value) { return value == 0; }));
    });
  }
}

TEST_CASE("recurrent config.json is read back as it was written, and absent ids take their defaults") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    RecurrentConfig config = each.config;
    config.source_eos = false;
    config.pad_id = 3;
    config.eos_id = 0;
    const nlohmann::json json = to_json(config);
    CHECK(json["architecture"] == "recurrent");
    CHECK(json["recurrent_attention"] == each.name);
    CHECK(is_recurrent(json));
    CHECK(recurrent_config_from_json(json) == config);
  }
  auto json = to_json(small_recurrent_config(RecurrentAttention::dot));
  for (const char* key : {"pad_id", "unk_id", "bos_id", "eos_id", "source_eos"}) json.erase(key);
  CHECK(recurrent_config_from_json(json) == small_recurrent_config(RecurrentAttention::dot));
}

TEST_CASE("a recurrent configuration that cannot be is refused by its key") {
  const nlohmann::json good = to_json(small_recurrent_config(RecurrentAttention::dot));
  const auto refused = [&](const char* key, const nlohmann::json& value, const std::string& because) {
    auto json = good;
    json[key] = value;
    const std::string said = refusal([&] { recurrent_config_from_json(json, "here"); });
    CAPTURE(said);
    CHECK(said.starts_with("here: "));
    CHECK(said.find(because) != std::string::npos);
  };
  refused("architecture", "transformer", "architecture must be \"recurrent\", found \"transformer\"");
  refused("architecture", nullptr, "no recurrent model");
  refused("recurrent_attention", "sideways",
          "must be \"none\" or \"additive\" or \"dot\", found \"sideways\"");
  refused("recurrent_attention", 1, "found 1");
  refused("width", "wide", "width should be a whole number");
  refused("width", 4294967302, "whole number");
  refused("width", 6.5, "whole number");
  refused("width", 0, "width must be from 1");
  refused("layers", -1, "layers");
  refused("layers", 1001, "from 1 to 1000");
  refused("target_vocab", 1e30, "target_vocab");
  refused("eos_id", 9, "eos_id must be from 0 to 8, found 9");
  refused("source_eos", 1, "true or false");
  refused("heads", 2, "the key \"heads\" is not known");
  for (const char* key :
       {"width", "layers", "source_vocab", "target_vocab", "max_length", "recurrent_attention"})
    refused(key, nullptr, std::string("\"") + key + "\" is missing");
  CHECK(refusal([] { recurrent_config_from_json(nlohmann::json::array(), "here"); }).starts_with("here: "));
  CHECK(!is_recurrent(nlohmann::json::array()));
  CHECK(!is_recurrent(nlohmann::json{{"architecture", 5}}));
}

TEST_CASE("scores by length: pairs and right ones are counted where their sources belong") {
  constexpr int kEos = 3;
  const std::vector<EncodedPair> pairs = {
      {{4}, {4}}, {{5, 6, 7}, {7, 6, 5}}, {{5, 6, 8}, {8, 6, 5}}, {{9}, {9}}, {{4, 4, 4}, {4, 4}},
      {{}, {}},   {{6, 7, 8, 9, 4}, {}}};
  const std::vector<std::vector<int>> written = {
      {4, kEos},        // right
      {7, 6, 5, kEos},  // right
      {8, 6, 5},        // cut off
      {9, 9, kEos},     // a word too many
      {4, kEos},        // a word too few
      {kEos},           // of an empty source
      {kEos},           // right: nothing was wanted
  };
  const auto scores = length_scores(pairs, written, kEos);
  REQUIRE(scores.size() == 5);
  const long all[] = {2, 0, 3, 0, 1}, right[] = {1, 0, 1, 0, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(scores[i].words == static_cast<int>(i) + 1);
    CHECK(scores[i].pairs == all[i]);
    CHECK(scores[i].right == right[i]);
  }
  CHECK(scores[0].share() == 0.5);
  CHECK(scores[2].share() == doctest::Approx(1.0 / 3));
  CHECK(std::isnan(scores[1].share()));
  CHECK(scores[4].share() == 1);
}

TEST_CASE("scores by length: nothing gives nothing, and counts must agree") {
  CHECK(length_scores({}, {}, 3).empty());
  const std::vector<EncodedPair> pairs = {{{4}, {4}}};
  CHECK_THROWS_AS(length_scores(pairs, {}, 3), Error);
  const std::vector<std::vector<int>> nothing(1);
  CHECK(length_scores(pairs, nothing, 3)[0].right == 0);
}

// ---- One number of a GRU, worked out term by term, is the number that the model computed.

const std::vector<int> kSource{4, 7, 5, 3}, kTarget{2, 6, 9};

TEST_CASE("every gate, candidate and state of both sides and layers comes out as recorded") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const auto model = random_recurrent_model<float>(each.config, 11);
    const RecurrentTrace seen = trace(model, kSource, kTarget);
    int places = 0;
    for (const bool encoder : {true, false})
      for (int layer = 0; layer < each.config.layers; ++layer)
        for (int word = 0; word < static_cast<int>((encoder ? kSource : kTarget).size()); ++word)
          for (int unit = 0; unit < each.config.width; ++unit)
            for (const GruNumber number :
                 {GruNumber::reset, GruNumber::update, GruNumber::candidate, GruNumber::state}) {
              const GruCell cell = gru_cell(model, seen, {encoder, layer, word, unit, number});
              CHECK(cell.value == doctest::Approx(cell.recorded).epsilon(1e-5).scale(0.01));
              CHECK(cell.by_word.weights.size() == (number == GruNumber::state ? 0u : 6u));
              ++places;
            }
    CHECK(places == 2 * (4 + 3) * 6 * 4);
  }
}

TEST_CASE("terms and bias of both sums add up to what the gate is made of") {
  const auto model = random_recurrent_model<float>(small_recurrent_config(RecurrentAttention::none), 3);
  const RecurrentTrace seen = trace(model, kSource, kTarget);
  const GruCell cell = gru_cell(model, seen, {true, 1, 2, 4, GruNumber::candidate});
  for (const GruSum* sum : {&cell.by_word, &cell.by_state}) {
    double all = sum->bias;
    for (std::size_t i = 0; i < sum->weights.size(); ++i) all += sum->weights[i] * sum->inputs[i];
    CHECK(all == doctest::Approx(sum->total));
  }
  CHECK(cell.reset == gru_cell(model, seen, {true, 1, 2, 4, GruNumber::reset}).recorded);
  CHECK(cell.argument == doctest::Approx(cell.by_word.total + cell.reset * cell.by_state.total));
  // The second layer reads the states of the first, whose first word finds a state of zeros.
  CHECK(cell.by_word.inputs[3] == double(seen.encoder[0].output(2, 3)));
  for (const double before : gru_cell(model, seen, {true, 0, 0, 0, GruNumber::reset}).by_state.inputs)
    CHECK(before == 0);
}

TEST_CASE("what a configuration learns is counted without making the model") {
  for (NamedRecurrentConfig each : recurrent_configs())
    for (const int layers : {1, 3}) {
      each.config.layers = layers;
      CHECK(parameter_count(each.config) == RecurrentModel<float>(each.config).parameter_count());
    }
}

TEST_CASE("a place that the sentence has not is refused") {
  const auto model = random_recurrent_model<float>(small_recurrent_config(RecurrentAttention::dot), 3);
  const RecurrentTrace seen = trace(model, kSource, kTarget);
  for (const GruPlace& place : {GruPlace{true, 2}, GruPlace{true, 0, 4}, GruPlace{false, 0, 3},
                                GruPlace{true, 0, 0, 6}, GruPlace{true, -1}, GruPlace{true, 0, -1}})
    CHECK_THROWS_AS(gru_cell(model, seen, place), Error);
}

// ---- Whole recurrent models: what PyTorch computes for the same weights (tests/fixtures/make_recurrent.py).

std::vector<std::vector<int>> rows_of_ids(const Safetensors& file, const std::string& name) {
  const auto length = static_cast<std::size_t>(file.at(name).shape[1]);
  const auto ids = file.integers(name);
  std::vector<std::vector<int>> rows(ids.size() / length);
  for (std::size_t i = 0; i < ids.size(); ++i) rows[i / length].push_back(static_cast<int>(ids[i]));
  return rows;
}

double relative_error(double found, double wanted) {
  return std::abs(found - wanted) / std::max(1.0, std::abs(wanted));
}

TEST_CASE("recurrent model: logits, attention, loss and gradients are PyTorch's, for each attention") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const Safetensors file =
        Safetensors::read(source_folder() + "/tests/fixtures/recurrent/" + each.name + ".safetensors");
    RecurrentConfig config = each.config;
    config.width = 20;
    config.source_vocab = 11;
    config.target_vocab = 13;
    RecurrentModel<float> model(config), gradient(config);
    model.visit([&](const std::string& tensor_name, Parameter<float> tensor) {
      file.copy_floats(tensor_name, tensor.shape(), tensor.data);
    });
    const Batch batch = make_raw_batch(rows_of_ids(file, "source"), rows_of_ids(file, "target_in"),
                                       rows_of_ids(file, "target_out"), batch_config(config));
    RecurrentSaved<float> saved;
    model.forward(batch, saved);

    // Logits and weights, of real words.
    const auto logits = file.floats("logits");
    const auto steps = file.at("logits").shape[1];
    double worst = 0;
    for (int i = 0; i < batch.sentences(); ++i) {
      for (int step = 0; step < saved.words.target_in.length(i); ++step) {
        const auto row = saved.logits.row(saved.words.target_in.begin(i) + step);
        for (int word = 0; word < config.target_vocab; ++word) {
          const auto at = static_cast<std::size_t>((i * steps + step) * config.target_vocab + word);
          worst = std::max(worst, relative_error(row[word], logits[at]));
        }
      }
    }
    CHECK(worst < 1e-5);
    if (config.attends()) {
      const auto weights = file.floats("weights");
      const auto words = file.at("weights").shape[2];
      worst = 0;
      for (const SentenceRows& rows : saved.attention.sentences) {
        const MatrixRef<float> found = saved.attention.weights_of(rows);
        CHECK(found.rowwise().sum().isOnes(1e-5f));
        for (int i = 0; i < rows.queries; ++i) {
          for (int j = 0; j < rows.keys; ++j) {
            const auto at = static_cast<std::size_t>((rows.sentence * steps + i) * words + j);
            worst = std::max(worst, relative_error(found(i, j), weights[at]));
          }
        }
      }
      CHECK(worst < 1e-5);
    }

    const Loss loss = model.loss(saved, {0.1, true});
    CHECK(relative_error(loss.loss, file.floats("loss").front()) < 1e-5);
    CHECK(loss.tokens == 9);
    model.backward(saved, gradient);
    std::size_t tensors = 0;
    gradient.visit([&](const std::string& tensor_name, Parameter<float> tensor) {
      CAPTURE(tensor_name);
      const auto wanted = file.floats("d." + tensor_name);
      REQUIRE(wanted.size() == tensor.size());
      double worst_gradient = 0;
      for (std::size_t i = 0; i < tensor.size(); ++i)
        worst_gradient = std::max(worst_gradient, relative_error(tensor.data[i], wanted[i]));
      CHECK(worst_gradient < 1e-5);
      ++tensors;
    });
    CHECK(tensors == (each.name == "additive" ? 23u : 20u));
  }
}

}  // namespace glassformer::recurrent_model_test
