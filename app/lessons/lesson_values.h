// What the names of an expression are worth in a Scene: every value of its Trace and every parameter by the
// names of the model specification, what the open head computes, the loss, the words, the run.
//
//   weights scores dot_products query key value context   of the open head (the mean over heads: of weights
//   alone) loss nll entropy p_asked muted_loss log_p              of the sentence; of each row; of each head
//   of the open layer output pieces ids reads asked                          words parameters, config.KEY,
//   rate[N], curve.KEY[N], view.KEY, run NAME.KEY
//
// "untouched" before a name means the Scene without its changes, "other" the one it is compared with,
// "greedy" the same Scene decoded greedily; "gradient" the derivative of the loss with respect to it.
#pragma once

#include <functional>

#include "app/lessons/expression.h"
#include "app/reading/view_input.h"

namespace glassformer {

struct LessonScene {
  const ViewInput& input;
  // What is not of the Scene itself; null where nobody knows of such.
  std::shared_ptr<const SceneResult> other = {};
  std::function<std::shared_ptr<const SceneResult>()> greedy = {};
  std::function<Value(const std::string& key)> of_view = {};  // "soft" of "view.soft"
  std::function<Value(const std::string& run, const std::string& key)> of_run = {};
};

// Throws Mismatch.
Value lesson_value(const LessonScene& scene, const std::string& before, const std::string& name);

}  // namespace glassformer
