// Changes in force: passes, decoding and the way back.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/decode/decode.h"
#include "engine/decode/incremental.h"
#include "engine/decode/prefix_decoder.h"
#include "engine/math/error.h"
#include "engine/model/trace.h"
#include "engine/model/what_if/loss_meter.h"
#include "tests/random_models.h"
#include "tests/what_if_cases.h"

namespace glassformer::what_if_pass_test {

using namespace what_if_cases;
using testing::NaivePass;

// ---- A pass with changes in force against a naive one that has them written out.

TEST_CASE("a change of a value gives what a naive pass gives with that value replaced") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 31);
    const Numbers untouched = NaivePass(model).logits(kSource, kTarget);
    CHECK(difference(changed_logits(model, {}), untouched) < 1e-10);
    for (const Case& change : value_cases()) {
      CAPTURE(std::string(change.text));
      NaivePass naive(model);
      naive.replace = change.replace;
      const Numbers wanted = naive.logits(kSource, kTarget);
      CHECK(difference(changed_logits(model, read(change.text)), wanted) < 1e-10);
      // A unit may be shut for every word.
      const bool shut = each.config.activation == Activation::relu &&
                        std::string(change.text).find("unit") != std::string::npos;
      if (!shut) CHECK(difference(wanted, untouched) > 1e-7);
    }
  }
}

TEST_CASE("two changes of one row act one after the other") {
  const Transformer<double> model = random_model<double>(small_config(), 8);
  NaivePass naive(model);
  naive.replace = [](const std::string& name, int head, Numbers& v) {
    if (name != "cross 0 weights" || head != 0) return;
    v(2, 1) = 0.5;
    v(2, 3) = 0;
    v.row(2) *= 0.9 / v.row(2).sum();
    v(2, 3) = 0.1;
  };
  CHECK(difference(changed_logits(model, read("set cross 1.1 2 1 0.5, set cross 1.1 2 3 0.1 renormalise")),
                   naive.logits(kSource, kTarget)) < 1e-10);
}

TEST_CASE("masks, scale and positions are changed as a naive pass without them") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 32);
    const auto same = [&](const char* text, const auto& change) {
      CAPTURE(std::string(text));
      NaivePass naive(model);
      change(naive);
      CHECK(difference(changed_logits(model, read(text)), naive.logits(kSource, kTarget)) < 1e-10);
    };
    same("causal mask off", [](NaivePass& pass) { pass.causal = false; });
    same("scale off", [](NaivePass& pass) { pass.scaled = false; });
    same("positions off", [](NaivePass& pass) { pass.position = [](bool, int) { return -1; }; });
    same("positions off encoder",
         [](NaivePass& pass) { pass.position = [](bool source, int at) { return source ? -1 : at; }; });
    same("shift positions 3", [](NaivePass& pass) { pass.position = [](bool, int at) { return at + 3; }; });
    same("shift positions 5 decoder",
         [](NaivePass& pass) { pass.position = [](bool source, int at) { return source ? at : at + 5; }; });
    same("swap positions 1 3", [](NaivePass& pass) {
      pass.position = [](bool, int at) { return at == 1 ? 3 : at == 3 ? 1 : at; };
    });
    same("permute positions 2 0 1 encoder, shift positions 2 encoder", [](NaivePass& pass) {
      pass.position = [](bool source, int at) { return !source ? at : 2 + (at < 3 ? (at + 2) % 3 : at); };
    });
  }
}

TEST_CASE("padding behind a sentence does not keep a row by hand from its words") {
  const Transformer<float> model = random_model<float>(small_config(), 4);
  TraceOptions options;
  options.pad = true;
  options.what_if = read("row cross 1.2 1 = 0 0 1 0, row encoder 2.1 2 = 0.5 0.5 0 0");
  const TraceInput input{{{5, 6, 7}, {4, 5, 6, 7, 8, 9}}, {{4, 5}, {6, 7, 8}}};
  const Trace trace = record_trace(model, input, options);
  const Plane cross = trace.plane("decoder.layers.0.cross_attn.weights", 0, 1),
              encoder = trace.plane("encoder.layers.1.self_attn.weights", 0, 0);
  REQUIRE(cross.columns == 7);
  for (int key = 0; key < 7; ++key) {
    CHECK(cross(1, key) == (key == 2 ? 1 : 0));
    CHECK(encoder(2, key) == (key < 2 ? 0.5f : 0));
  }
  // A row of another length is of another sentence.
  options.what_if = read("row cross 1.2 1 = 0 0 1");
  CHECK(record_trace(model, input, options).plane("decoder.layers.0.cross_attn.weights", 0, 1)(1, 2) != 1);
}

TEST_CASE("positions that the model does not have are refused") {
  const Transformer<double> model = random_model<double>(small_config(), 1);
  CHECK_THROWS_WITH_AS(changed_logits(model, read("shift positions 7")),
                       doctest::Contains("from 0 to 11, found 12 at place 5"), Error);
}

TEST_CASE("padding may be seen in one attention alone") {
  const Transformer<double> model = random_model<double>(small_config(), 5);
  Batch batch;
  batch.source.add(std::vector<int>{5, 8, 0, 0});
  batch.target_in.add(std::vector<int>{1, 6, 0});
  batch.target_out.add(std::vector<int>{6, 2, 0});
  const auto weight = [&](const WhatIf& what_if, const char* name) {
    class Look : public Tap<double> {
     public:
      void operator()(const TapPoint& point, MatrixRef<double> value) override {
        if (point.name == name) last = value(0, value.cols() - 1);
      }
      std::string name;
      double last = 0;
    };
    Look look;
    look.name = name;
    const ChangedModel<double> changed(model, what_if);
    Batch own = batch;
    changed.change(own);
    WhatIfTap<double> tap = changed.tap(&look);
    tap.rows_of(own);
    Saved<double> saved;
    model.forward(own, saved, tap);
    return look.last;
  };
  const char* encoder = "encoder.layers.0.self_attn.weights";
  const char* cross = "decoder.layers.0.cross_attn.weights";
  CHECK(weight({}, encoder) == 0);
  CHECK(weight(read("padding mask off encoder"), encoder) > 0);
  CHECK(weight(read("padding mask off encoder"), cross) == 0);
  CHECK(weight(read("padding mask off cross"), cross) > 0);
  CHECK(weight(read("padding mask off"), encoder) > 0);
  CHECK(weight(read("padding mask off"), cross) > 0);
}

TEST_CASE("a value becomes its mean or that of another sentence") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 3);
  const Transformer<double> exact = model.cast<double>();
  const Batch batch = random_batch(config, 4);
  Substitutes substitutes;
  substitutes.means = std::make_shared<const ValueMeans>(mean_values(model, batch));
  TraceInput other{{{4, 9, 10, 6, 5}}, {{7, 7, 8, 4}}};
  substitutes.other = std::make_shared<const Trace>(record_trace(model, other));
  const int k = config.head_width();

  // The mean, by each sentence on its own.
  RowVector<double> sum = RowVector<double>::Zero(k);
  double tokens = 0;
  for (int i = 0; i < batch.sentences(); ++i) {
    const auto source = batch.source.sentence(i), target = batch.target_in.sentence(i);
    NaivePass naive(exact);
    naive.replace = [&](const std::string& name, int head, Numbers& v) {
      if (name != "cross 1 context" || head != 2) return;
      sum += v.colwise().sum();
      tokens += static_cast<double>(v.rows());
    };
    naive.logits({source.begin(), source.end()}, {target.begin(), target.end()});
  }
  NaivePass mean(exact);
  mean.replace = [&](const std::string& name, int head, Numbers& v) {
    if (name == "cross 1 context" && head == 2) v.rowwise() = sum / tokens;
  };
  CHECK(difference(changed_logits(exact, read("mute head cross 2.3 by mean"), substitutes),
                   mean.logits(kSource, kTarget)) < 1e-5);

  const Plane patch = substitutes.other->plane("encoder.layers.0.self_attn.context", 0, 1);
  NaivePass patched(exact);
  patched.replace = [&](const std::string& name, int head, Numbers& v) {
    if (name != "encoder 0 context" || head != 1) return;
    for (int row = 0; row < 6; ++row) {
      for (int column = 0; column < k; ++column) v(row, column) = static_cast<double>(patch(row, column));
    }
  };
  CHECK(difference(changed_logits(exact, read("mute head encoder 1.2 from other"), substitutes),
                   patched.logits(kSource, kTarget)) < 1e-5);
  // The values of a model of another shape fit nowhere.
  Config narrow = config;
  narrow.d_model = config.d_model / 2;
  narrow.heads = 1;
  Substitutes misfit;
  misfit.other = std::make_shared<const Trace>(record_trace(random_model<float>(narrow, 3), other));
  CHECK(difference(changed_logits(exact, read("mute head cross 2.3 from other"), misfit),
                   changed_logits(exact, {})) == 0);
  // Without anything to put in nothing changes.
  CHECK(difference(changed_logits(exact, read("mute head encoder 1.2 from other, mute cross 1 by mean")),
                   changed_logits(exact, {})) == 0);
}

TEST_CASE("an edited weight of the model and swapped words act as a model and a sentence that have them") {
  const Transformer<double> model = random_model<double>(small_config(), 6);
  Transformer<double> edited = model;
  edited.encoder_layers[0].feed_forward.linear1.weight(3, 7) = 2.5;
  CHECK(difference(changed_logits(model, read("weight encoder.layers.0.linear1.weight[3,7] = 2.5")),
                   NaivePass(edited).logits(kSource, kTarget)) < 1e-10);
  std::vector<int> source = kSource;
  std::swap(source[1], source[3]);
  CHECK(difference(changed_logits(model, read("swap 1 3")), NaivePass(model).logits(source, kTarget)) <
        1e-10);
  source[4] = 10;
  ChangeWords words;
  words.source_ids = [](const std::string&) { return std::vector<int>{10}; };
  CHECK(difference(changed_logits(model, read_what_if("swap 1 3, swap 4 word", words)),
                   NaivePass(model).logits(source, kTarget)) < 1e-10);
}

// ---- Decoding with changes in force.

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

// ---- The way back through a pass with changes in force.

TEST_CASE("gradients under changes are slopes") {
  const Config config = small_config();
  const Transformer<double> model = random_model<double>(config, 14);
  Batch batch = random_batch(config, 4);
  for (const char* text :
       {"set cross 1.1 2 2 0.25 renormalise", "set cross 1.1 2 2 0.25",
        "set cross 1.1 2 2 0.5, set cross 1.1 2 1 0.1 renormalise", "cut cross 1.1 2 2",
        "row cross 1.1 2 = 0 1 0 0 0 0", "mute head encoder 1.1 times 0.3", "mute unit encoder 1.1 at 1",
        "shift positions 2", "positions off", "swap positions 0 2"}) {
    for (const int kind : {0, 1, 2}) {
      CAPTURE(std::string(text));
      Config own = config;
      own.positions = kind == 1 ? PositionKind::rotary : PositionKind::learned;
      if (kind == 2) own.attention_activation = AttentionActivation::relu;
      const Transformer<double> each = random_model<double>(own, 14);
      const ChangedModel<double> changed(each, read(text));
      Batch moved = batch;
      changed.change(moved);
      Saved<double> saved;
      const auto loss = [&](const Transformer<double>& at, Transformer<double>* gradient) {
        WhatIfTap<double> tap = changed.tap();
        tap.rows_of(moved);
        at.forward(moved, saved, tap);
        const double found = at.loss(moved, saved, {0.1, gradient != nullptr}, tap).loss;
        if (gradient) at.backward(moved, saved, *gradient, tap);
        return found;
      };
      Transformer<double> gradient(own);
      loss(each, &gradient);
      // Along one random direction of all parameters.
      Transformer<double> above = each, below = each;
      Random random(2);
      double slope = 0;
      constexpr double kStep = 1e-6;
      std::vector<double> direction;
      each.visit([&](const std::string&, Parameter<const double> tensor) {
        for (std::size_t i = 0; i < tensor.size(); ++i) direction.push_back(random.normal());
      });
      std::size_t at = 0;
      gradient.visit([&](const std::string&, Parameter<double> tensor) {
        for (std::size_t i = 0; i < tensor.size(); ++i) slope += tensor.data[i] * direction[at++];
      });
      for (const double sign : {1.0, -1.0}) {
        at = 0;
        (sign > 0 ? above : below).visit([&](const std::string&, Parameter<double> tensor) {
          for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data[i] += sign * kStep * direction[at++];
        });
      }
      CHECK(std::abs((loss(above, nullptr) - loss(below, nullptr)) / (2 * kStep) - slope) < 1e-5);
    }
  }
}

TEST_CASE("few sentences of a large model are not worth a copy of it, and their losses are the same") {
  Config config = small_config();
  config.source_vocab = config.target_vocab = 350'000;
  const Transformer<float> model = random_model<float>(config, 4);
  REQUIRE(model.parameter_count() > 10'000'000);
  const Batch few = random_batch(config, 2);
  Batch many{.rules = few.rules};
  while (many.source.tokens() + many.target_in.tokens() < 256)
    for (int i = 0; i < few.sentences(); ++i) {
      many.source.add(few.source.sentence(i));
      many.target_in.add(few.target_in.sentence(i));
      many.target_out.add(few.target_out.sentence(i));
    }
  const LossJob of_few{.model = model, .batch = few, .smoothing = 0.1},
      of_many{.model = model, .batch = many, .smoothing = 0.1};
  LossMeter one(of_few), other(of_many);
  for (const WhatIf& muted :
       {WhatIf{}, WhatIf{{every_head(model).front()}}, WhatIf{{every_sub_block(model).back()}}}) {
    const MeanLoss found = one.with(muted), wanted = other.with(muted);
    double mean = 0;
    for (int i = 0; i < few.sentences(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      CHECK(found.of_sentence[at] == doctest::Approx(wanted.of_sentence[at]).epsilon(1e-5));
      mean += found.of_sentence[at] / few.sentences();
    }
    CHECK(one.within(muted, mean + 1e-3));
    CHECK_FALSE(one.within(muted, mean - 1e-3));
  }
}

}  // namespace glassformer::what_if_pass_test
