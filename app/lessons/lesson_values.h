// What the names of an expression are worth in a Scene: every value of its Trace and every parameter by the
// names of the model specification, what the open head computes, the loss, the words, the run.
//
// * weights, scores, dot_products: (queries, keys) of the open head, or the mean of weights over the heads;
//   query, key, value, context: (words, k) of the open head.
// * loss: of the sentence, smoothed as trained, in nats; nll: unsmoothed; log_p: of what was written.
// * entropy: of each row of the open head, in nats; p_asked: of each asked word, 0 to 1.
// * batch_loss: the loss of all sentences of the batch, those that the Masks view shows.
// * muted_loss: the loss with each head of the open layer muted in turn.
// * output, pieces, reads, asked: words; ids: numbers of the pieces.
// * parameters: how many; config.KEY of config.json; rate[N] of step N; curve.KEY[N]: loss, rate or
//   gradient_norm of step N; view.KEY: what the view shows.
//
// * run NAME.KEY of a run that the lesson trains: loss, validated, exact, steps (app/lessons/lesson_runs.h).
// * study NAME.KEY of a study that comes with the program: loss.heads-4.mean, difference.1.low, verdict
//   (study_number in engine/train/study.h).
//
// "untouched" before a name means the Scene without its changes, "other" the one it is compared with,
// "greedy" the same Scene decoded greedily; "gradient" the derivative of the
// loss with respect to a value or parameter by its full name; "update" how far Adam's first step, with
// moments of 0 and the rate of step 1, moves a parameter.
#pragma once

#include <filesystem>
#include <functional>

#include "app/lessons/expression.h"
#include "app/reading/view_input.h"
#include "app/session/paths.h"

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
// "heads.loss.heads-4.mean" of heads.study in this folder and its results. Throws Mismatch.
Value study_value(const std::string& name,
                  const std::filesystem::path& folder = program_file("assets/studies"));
// Of the open head: (queries, keys).
bool has_row_a_query(std::string_view name);

// How a lesson calls the values of the open head: "weights"; nothing: none of them.
std::optional<ValueKind> kind_in_head(std::string_view name);

}  // namespace glassformer
