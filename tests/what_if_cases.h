// Changes, each with what it does written out for a naive pass.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/model/what_if/change_text.h"
#include "engine/model/what_if/changed_model.h"
#include "naive_pass.h"

namespace glassformer::what_if_cases {

using Numbers = Matrix<double>;
constexpr double kHidden = -std::numeric_limits<double>::infinity();

inline const std::vector<int> kSource = {5, 8, 9, 4, 7, 2}, kTarget = {1, 6, 9, 11, 5};

inline Numbers changed_logits(const Transformer<double>& model, const WhatIf& what_if,
                              const Substitutes& substitutes = {}) {
  const ChangedModel<double> changed(model, what_if, substitutes);
  Batch batch;
  batch.source.add(kSource);
  batch.target_in.add(kTarget);
  batch.target_out.add(kTarget);
  changed.change(batch);
  WhatIfTap<double> tap = changed.tap();
  tap.rows_of(batch);
  Saved<double> saved;
  changed.model().forward(batch, saved, tap);
  return saved.logits.topRows(std::ssize(kTarget));
}

using Replace = std::function<void(const std::string&, int, Numbers&)>;

struct Case {
  const char* text;
  Replace replace;  // the same by hand
};

// Changes of values; those that no configuration's first layer lacks.
inline std::vector<Case> value_cases() {
  const auto at = [](const char* name, int head, auto work) {
    return Replace([=](const std::string& found, int of, Numbers& value) {
      if (found == name && (head == of || head < 0)) work(value);
    });
  };
  return {
      {"mute head cross 1.1", at("cross 0 context", 0, [](Numbers& v) { v.setZero(); })},
      {"mute head encoder 1.1 at 2", at("encoder 0 context", 0, [](Numbers& v) { v.row(2).setZero(); })},
      {"mute head decoder 1.1 times -2", at("decoder 0 context", 0, [](Numbers& v) { v *= -2; })},
      {"mute encoder 1", at("encoder 0 output", -1, [](Numbers& v) { v.setZero(); })},
      {"mute cross 1 at 3", at("cross 0 output", -1, [](Numbers& v) { v.row(3).setZero(); })},
      {"mute decoder feed-forward 1 times 0.5",
       at("decoder feed-forward 0 output", -1, [](Numbers& v) { v *= 0.5; })},
      {"mute unit encoder 1.3",
       at("encoder feed-forward 0 hidden", -1, [](Numbers& v) { v.col(2).setZero(); })},
      {"mute unit decoder 1.1 at 4 times 3",
       at("decoder feed-forward 0 hidden", -1, [](Numbers& v) { v(4, 0) *= 3; })},
      {"cut cross 1.1 2 4", at("cross 0 scores", 0, [](Numbers& v) { v(2, 4) = kHidden; })},
      {"cut encoder 1.1 0 0", at("encoder 0 scores", 0, [](Numbers& v) { v(0, 0) = kHidden; })},
      {"set decoder 1.1 3 1 0.75", at("decoder 0 weights", 0, [](Numbers& v) { v(3, 1) = 0.75; })},
      {"set cross 1.1 2 2 0.25 renormalise", at("cross 0 weights", 0,
                                                [](Numbers& v) {
                                                  v(2, 2) = 0;
                                                  v.row(2) *= 0.75 / v.row(2).sum();
                                                  v(2, 2) = 0.25;
                                                })},
      {"set decoder 1.1 2 4 0.5", at("decoder 0 weights", 0, [](Numbers& v) { v(2, 4) = 0.5; })},
      {"row cross 1.1 4 = 0 0.5 0.5 0 0 0", at("cross 0 weights", 0,
                                               [](Numbers& v) {
                                                 v.row(4).setZero();
                                                 v(4, 1) = v(4, 2) = 0.5;
                                               })},
      {"row decoder 1.1 3 = 0 0 1 0.5", at("decoder 0 weights", 0,
                                           [](Numbers& v) {
                                             v.row(3).setZero();
                                             v(3, 2) = 1;
                                             v(3, 3) = 0.5;
                                           })},
      {"hide cross 2 4",
       [](const std::string& name, int, Numbers& v) {
         if (name.starts_with("cross") && name.ends_with("scores")) v(2, 4) = kHidden;
       }},
      {"hide decoder 3 1",
       [](const std::string& name, int, Numbers& v) {
         if (name.starts_with("decoder") && name.ends_with("scores")) v(3, 1) = kHidden;
       }},
  };
}

inline double difference(const Numbers& a, const Numbers& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

inline WhatIf read(const char* text) {
  return read_what_if(text, {});
}

}  // namespace glassformer::what_if_cases
