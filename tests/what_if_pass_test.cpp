// A pass with changes in force against a naive one that has them written out.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/math/error.h"
#include "engine/model/trace.h"
#include "random_models.h"
#include "what_if_cases.h"

using namespace glassformer;
using namespace glassformer::what_if_cases;
using glassformer::testing::NaivePass;

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
