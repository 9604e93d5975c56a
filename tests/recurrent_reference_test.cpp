// Whole recurrent models: what PyTorch computes for the same weights (tests/fixtures/make_recurrent.py).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/files/safetensors.h"
#include "tests/recurrent_helpers.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

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

}  // namespace

TEST_CASE(
    "recurrent model: logits, attention, loss and gradients are PyTorch's, for each kind of attention") {
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
