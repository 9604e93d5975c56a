#include "engine/train/variation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/math/error.h"
#include "engine/train/presets.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

std::vector<std::pair<Config, TrainingOptions>> runs_to_vary() {
  Config paper = copying_config(), modern = copying_config(), bare = copying_config();
  modern.norm = NormPlace::pre;
  modern.final_norm = true;
  modern.sharing = Sharing::all;
  modern.positions = PositionKind::learned;
  bare.heads = 1;
  bare.dropout = 0;
  bare.attention_scale = bare.scale_embeddings = false;
  bare.positions = PositionKind::none;
  bare.sharing = Sharing::output;
  TrainingOptions noam = small_options(), cosine = small_options(), constant = small_options();
  cosine.schedule = "cosine";
  cosine.steps = 50;
  constant.schedule = "constant";
  constant.smoothing = 0;
  constant.mask_future = false;
  Config rotary = copying_config();
  rotary.positions = PositionKind::rotary;
  rotary.heads = rotary.d_model / 2;  // twice as many would leave no pair of columns to a head
  TrainingOptions padded = noam;
  padded.extra_padding = 2;
  padded.unmasked_padding = "encoder,decoder";
  return {{paper, noam}, {modern, cosine}, {bare, constant}, {rotary, noam}, {paper, padded}};
}

std::set<std::string> changed_keys(const nlohmann::json& before, const nlohmann::json& after) {
  std::set<std::string> keys;
  for (const auto& [key, value] : before.items())
    if (after.at(key) != value) keys.insert(key);
  return keys;
}

// As it follows for other data than the copying ones: targets that do not depend on the source.
std::shared_ptr<const TrainingSet> unpredictable_set() {
  auto set = std::make_shared<TrainingSet>(*copying_set());
  std::mt19937 generator(3);
  for (auto* pairs : {&set->training, &set->validation}) {
    for (EncodedPair& pair : *pairs)
      for (int& id : pair.target) id = 4 + static_cast<int>(generator() % 8);
  }
  return set;
}

}  // namespace

TEST_CASE("a variation changes one thing, and the run it gives can be trained") {
  const auto data = copying_set();
  for (const auto& [config, training] : runs_to_vary()) {
    std::set<std::string> names;
    for (const Variation& one : variations(config, training)) {
      CAPTURE(one.about);
      CAPTURE(one.name);
      CHECK(names.insert(one.about + one.name).second);
      auto changed = changed_keys(to_json(config), to_json(one.config));
      changed.merge(changed_keys(to_json(training), to_json(one.training)));
      CHECK_FALSE(changed.empty());
      // What belongs together goes together: the norm at the end, the hidden width, the highest rate.
      if (one.about == "Layer norm") changed.erase("final_norm");
      if (one.about == "Feed-forward") changed.erase("d_ff");
      if (one.about == "Schedule") changed.erase("peak"), changed.erase("factor");
      if (changed.size() == 2 && one.about == "Padding") changed.erase("extra_padding");
      CHECK(changed.size() == 1);
      Trainer trainer(data, one.config, one.training);
      CHECK(std::isfinite(trainer.step().loss));
    }
    for (const char* about :
         {"Layer norm", "Schedule", "Positions", "Scores", "Mask of the future", "Padding", "Label smoothing",
          "Feed-forward", "Heads", "Embedding matrices", "Seed"}) {
      const auto has = [&](const std::string& name) { return name.starts_with(about); };
      CAPTURE(about);
      CHECK(std::ranges::any_of(names, has));
    }
  }
}

TEST_CASE("another schedule reaches the same highest rate") {
  const auto [config, training] = runs_to_vary()[1];
  double highest = 0;
  for (const Variation& one : variations(config, training)) {
    if (one.about != "Schedule") continue;
    const Trainer trainer(copying_set(), one.config, one.training);
    highest = trainer.schedule().peak_rate();
    CHECK(highest == doctest::Approx(training.peak));
  }
  CHECK(highest > 0);
}

TEST_CASE("a decoder that sees the future learns what nobody can foretell, and cannot write it") {
  TrainingOptions options = small_options();
  options.schedule = "constant";
  options.peak = 0.01;
  options.smoothing = 0;
  Config config = copying_config();
  config.d_model = 32;
  config.dropout = 0;
  config.decoder_layers = 2;
  Trainer honest(unpredictable_set(), config, options);
  options.mask_future = false;
  Trainer leaking(unpredictable_set(), config, options);
  run(honest, 150);
  run(leaking, 150);
  const double honest_loss = honest.curves().steps.back().loss,
               seen_loss = leaking.curves().steps.back().loss;
  CHECK(seen_loss < 0.6 * honest_loss);
  CHECK(leaking.curves().validations.back().loss > honest.curves().validations.back().loss);
}

TEST_CASE("a variation takes several settings, of any value, and says what is wrong with one") {
  Config config = with_preset(Config{}, preset("tiny"));
  config.source_vocab = config.target_vocab = 50;
  const TrainingOptions training;
  const Variation two = variation_by(config, training, "layers 3, dropout = 0.25");
  CHECK(two.config.encoder_layers == 3);
  CHECK(two.config.decoder_layers == 3);
  CHECK(two.config.dropout == 0.25);
  CHECK(two.config.heads == config.heads);
  CHECK(two.training == training);
  CHECK(two.name == "layers=3, dropout=0.25");
  CHECK(variation_by(config, training, "warmup=77").training.warmup == 77);
  for (const char* wrong : {"heads = 6", "heads", "nothing = 1", "dropout = 2", "", " , ", "layers = -1"})
    CHECK_THROWS_AS(variation_by(config, training, wrong), Error);
  CHECK_THROWS_AS(variation_by(config, training, "heads = " + std::to_string(config.heads)), Error);
}
