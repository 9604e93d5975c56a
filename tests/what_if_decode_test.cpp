// Decoding with changes in force.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/decode/decode.h"
#include "engine/decode/incremental.h"
#include "engine/decode/prefix_decoder.h"
#include "random_models.h"
#include "what_if_cases.h"

using namespace glassformer;
using namespace glassformer::what_if_cases;
using glassformer::testing::NaivePass;

TEST_CASE("a token at a time obeys every change as the whole pass does") {
  std::vector<WhatIf> changes;
  for (const Case& each : value_cases()) changes.push_back(read(each.text));
  for (const char* text : {"scale off", "positions off", "shift positions 2", "swap positions 0 2",
                           "mute head cross 1.1, scale off, cut decoder 1.1 2 1, positions off encoder",
                           "weight decoder.layers.0.linear1.weight[1,1] = 3, hide encoder 1 1"}) {
    changes.push_back(read(text));
  }
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 33);
    for (const WhatIf& what_if : changes) {
      if (reads_ahead(what_if)) continue;
      const ChangedModel<double> changed(model, what_if);
      const std::vector<std::vector<int>> sources = {kSource, {4, 5, 2}};
      const DecoderInput input{.sources = sources, .max_length = 8};
      IncrementalDecoder<double> cached(changed, nullptr, input);
      WholePrefixDecoder<double> whole(changed, input);
      Random random(9);
      std::vector<int> rows = {0, 1};
      double worst = 0;
      for (int step = 0; step < 8; ++step) {
        std::vector<int> ids;
        for (std::size_t i = 0; i < rows.size(); ++i)
          ids.push_back(step == 0 ? each.config.bos_id : random.below(each.config.target_vocab));
        const Numbers a = cached.step(ids), b = whole.step(ids);
        worst = std::max(worst, difference(a, b));
        std::vector<int> from;
        for (int i = 0; i < 1 + random.below(3); ++i)
          from.push_back(random.below(static_cast<int>(rows.size())));
        cached.select(from);
        whole.select(from);
        rows = from;
      }
      CAPTURE(text_of(what_if, {}));
      CHECK(worst < 1e-10);
    }
  }
}

TEST_CASE("greedy search, beam and sampling obey changes, and what reads ahead is computed anew") {
  const Transformer<double> model = random_model<double>(small_config(), 12);
  const std::vector<std::vector<int>> sources = {kSource};
  const auto ids = [&](const char* text, DecodeOptions options) {
    return decode(ChangedModel<double>(model, read(text)), sources, options).front().ids;
  };
  // Greedy by hand: the likeliest word after each prefix of a naive pass.
  const auto by_hand = [&](const NaivePass& pass) {
    std::vector<int> written = {small_config().bos_id};
    while (std::ssize(written) < small_config().max_length &&
           (written.size() == 1 || written.back() != small_config().eos_id)) {
      const Numbers logits = pass.logits(kSource, written);
      Eigen::Index best = 0;
      logits.row(logits.rows() - 1).maxCoeff(&best);
      written.push_back(static_cast<int>(best));
    }
    return std::vector<int>(written.begin() + 1, written.end());
  };
  NaivePass unmasked(model);
  unmasked.causal = false;
  CHECK(ids("causal mask off", {}) == by_hand(unmasked));
  NaivePass muted(model);
  muted.replace = [](const std::string& name, int head, Numbers& v) {
    if (name == "cross 1 context" && head == 1) v.setZero();
  };
  CHECK(ids("mute head cross 2.2", {}) == by_hand(muted));
  DecodeOptions beam;
  beam.search = Search::beam;
  beam.beam = 1;
  beam.alpha = 0;
  CHECK(ids("mute head cross 2.2", beam) == by_hand(muted));
  CHECK(ids("causal mask off", beam) == by_hand(unmasked));
  DecodeOptions sampling;
  sampling.search = Search::sampling;
  sampling.temperature = 0;
  CHECK(ids("mute head cross 2.2", sampling) == by_hand(muted));
  CHECK(ids("force 9, force 4 4", {})[0] == 4);
  CHECK(ids("force 9 7 7", {})[2] == 7);
  CHECK(ids("shift positions 6", {}).size() <= 6);
}
