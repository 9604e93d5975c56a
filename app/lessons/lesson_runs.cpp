#include "app/lessons/lesson_runs.h"

#include <algorithm>
#include <vector>

#include "app/lessons/scene_lines.h"
#include "engine/math/error.h"
#include "engine/train/fitted_config.h"
#include "engine/train/presets.h"
#include "engine/train/run_command.h"
#include "engine/train/trainer.h"

namespace glassformer {

namespace {

constexpr long kMostSteps = 5000, kLastSteps = 20;
constexpr const char* kTaskOption = "--task";
constexpr const char* kPresetOption = "--preset";

// "--task reverse --steps=400": {{"--task", "reverse"}, {"--steps", "400"}}.
std::vector<std::pair<std::string, std::string>> options_of(const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::string>> options;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      options.emplace_back(word.substr(0, equals),
                           equals == std::string::npos ? "" : word.substr(equals + 1));
    } else if (!options.empty() && options.back().second.empty()) {
      options.back().second = word;
    } else {
      throw Mismatch("an option of glassformer train", "“" + word + "”");
    }
  }
  return options;
}

struct Asked {
  Recipe recipe;
  PreparedData data;
};

Asked asked_for(const std::vector<std::string>& words, std::uint64_t seed) {
  std::string task, size = "nano";
  std::vector<std::string> others;
  for (const auto& [name, value] : options_of(words)) {
    if (name == kTaskOption)
      task = value;
    else if (name == kPresetOption)
      size = value;
    else
      others.push_back(value.empty() ? name : name + "=" + value);
  }
  if (task.empty()) throw Mismatch("--task and its name, the data to train on", "none");
  Asked asked;
  asked.recipe.data.training.task = task;
  asked.data = prepare_data(asked.recipe.data);
  const Config config = fitted_config(suggested_config(task, preset(size)), asked.data.tokenizers);
  asked.recipe.config = config;
  asked.recipe.training = suggested_options(task, config, preset(size));
  asked.recipe.training.seed = seed;
  asked.recipe = with_options(asked.recipe, others);
  const long steps = asked.recipe.training.steps;
  if (steps < 1 || steps > kMostSteps)
    throw Mismatch("--steps from 1 to " + std::to_string(kMostSteps) + ", so that a page opens soon",
                   std::to_string(steps));
  return asked;
}

std::shared_ptr<const LessonRun> trained(const Asked& asked, const std::atomic<bool>& stopped,
                                         LessonProgress& progress) {
  Trainer trainer(std::make_shared<const TrainingSet>(training_set(asked.data, asked.recipe.data)),
                  asked.recipe.config, asked.recipe.training);
  while (true) {
    if (stopped) throw Mismatch("a training that goes to its end", "one that was given up");
    if (trainer.validation_due())
      trainer.validate([&] { return !stopped; });
    else if (trainer.stop())
      break;
    else
      trainer.step(), progress.add(static_cast<double>(trainer.curves().steps.back().loss));
  }
  return std::make_shared<const LessonRun>(LessonRun{trainer.curves(), trainer.kept()});
}

}  // namespace

AskedTraining asked_training(const std::string& text) {
  const Recipe recipe = asked_for(words_of_line(text), 1).recipe;
  return {recipe.config, recipe.training};
}

void LessonProgress::begin(std::string run, long steps) {
  const std::lock_guard guard(lock_);
  curve_ = {.run = std::move(run), .steps = steps, .losses = {}};
}

void LessonProgress::add(double loss) {
  const std::lock_guard guard(lock_);
  curve_.losses.push_back(loss);
}

LessonCurve LessonProgress::curve() const {
  const std::lock_guard guard(lock_);
  return curve_;
}

std::vector<LessonCurve> LessonRuns::curves() const {
  std::vector<LessonCurve> all;
  for (const auto& [name, run] : named_) {
    LessonCurve& curve = all.emplace_back(LessonCurve{.run = name, .steps = std::ssize(run->curves.steps)});
    for (const StepPoint& point : run->curves.steps) curve.losses.push_back(static_cast<double>(point.loss));
  }
  return all;
}

void LessonRuns::train(const std::string& text, std::uint64_t seed, const std::atomic<bool>& stopped,
                       LessonProgress& progress) {
  const std::vector<std::string> words = words_of_line(text);
  if (words.empty() || words.front().starts_with("--"))
    throw Mismatch("a name for the run and options of glassformer train", "“" + text + "”");
  const std::string all =
      text.substr(text.find(words.front()) + words.front().size()) + " " + std::to_string(seed);
  auto& made = made_[all];
  if (!made) {
    try {
      const Asked asked = asked_for(words, seed);
      progress.begin(words.front(), asked.recipe.training.steps);
      made = trained(asked, stopped, progress);
    } catch (const Mismatch&) {
      throw;
    } catch (const std::exception& error) {
      throw Mismatch("a training that can be made", failure_words(error));
    }
  }
  named_[words.front()] = made;
}

Value LessonRuns::value(const std::string& run, const std::string& key) const {
  const auto found = named_.find(run);
  if (found == named_.end()) throw Mismatch("a run that this lesson trains", "“" + run + "”");
  const Curves& curves = found->second->curves;
  const auto steps = static_cast<long>(curves.steps.size());
  if (key == "steps") return one_number(static_cast<double>(steps));
  if (key == "loss") {
    const long last = std::min(steps, kLastSteps);
    double sum = 0;
    for (long i = steps - last; i < steps; ++i)
      sum += static_cast<double>(curves.steps[static_cast<std::size_t>(i)].loss);
    return one_number(sum / static_cast<double>(last));
  }
  if (key != "validated" && key != "exact")
    throw Mismatch("loss, validated, exact or steps behind a run", "“" + key + "”");
  if (curves.validations.empty()) throw Mismatch("a run with held-out pairs", "one without");
  if (key == "validated") return one_number(curves.validations.back().loss);
  const auto& all = curves.validations;
  const auto measured =
      std::find_if(all.rbegin(), all.rend(), [](const ValidationPoint& p) { return p.exact_match >= 0; });
  if (measured == all.rend()) throw Mismatch("a run whose translations were compared", "one whose were not");
  return one_number(measured->exact_match);
}

}  // namespace glassformer
