// The trainings that a lesson asks for: "train open --task reverse --steps 400 --mask-future off", and what
// its pages may ask of them: "run open.loss".
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/lessons/value.h"
#include "engine/model/snapshot.h"
#include "engine/train/curves.h"
#include "engine/train/options.h"

namespace glassformer {

struct LessonRun {
  Curves curves;
  std::shared_ptr<const Snapshot> kept;  // the weights that translate
};

// The losses of a run's steps, from the first one.
struct LessonCurve {
  std::string run;
  long steps = 0;  // of the whole run
  std::vector<double> losses;
};

// The run that is being trained, for another thread to look at.
class LessonProgress {
 public:
  void begin(std::string run, long steps);
  void add(double loss);
  LessonCurve curve() const;

 private:
  mutable std::mutex lock_;
  LessonCurve curve_;
};

// What a `train` line asks for. Throws Mismatch.
struct AskedTraining {
  Config config;
  TrainingOptions options;
};
AskedTraining asked_training(const std::string& text);

// Trains once what is asked for; the same options give the same numbers.
class LessonRuns {
 public:
  // `text` is what is behind "train": a name, then options of `glassformer train`, --task among them;
  // without
  // --preset the smallest. Takes as long as the training; throws Mismatch, also when `stopped` became true.
  void train(const std::string& text, std::uint64_t seed, const std::atomic<bool>& stopped,
             LessonProgress& progress);
  std::vector<LessonCurve> curves() const;  // of all runs, by name
  // loss: the mean of the last 20 steps' losses; validated: the last loss of held-out pairs; exact: the share
  // of them that came out right, when it was last measured; steps: how many. Throws Mismatch.
  Value value(const std::string& run, const std::string& key) const;

 private:
  std::map<std::string, std::shared_ptr<const LessonRun>> made_;   // by all that was asked for
  std::map<std::string, std::shared_ptr<const LessonRun>> named_;  // by the lesson's name
};

}  // namespace glassformer
