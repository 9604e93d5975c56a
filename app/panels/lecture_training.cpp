#include "app/panels/lecture_training.h"

#include <algorithm>

#include "app/format/number_format.h"
#include "app/panels/lesson_card.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

std::string LectureTraining::words(const std::vector<SceneLine>& lines, const std::string& language) {
  std::vector<std::string> asked;
  for (const SceneLine& line : lines)
    if (line.keyword == "train") asked.push_back(line.value);
  if (asked_ != asked) {
    asked_ = std::move(asked);
    runs_.clear();
    problem_.clear();
    try {
      for (const std::string& line : asked_) runs_.emplace_back().asked = asked_training(line);
    } catch (const std::exception& error) {
      problem_ = failure_words(error);
    }
  }
  const auto say = [&](std::string_view english) { return lesson_words(english, language); };
  if (runs_.empty() || !problem_.empty()) return say("This page cannot be set up: ") + problem_;
  long long steps = 0, weights = 0;
  double seconds = 0;
  bool known = true;
  for (Run& run : runs_) {
    // One after the other: each would slow the other down.
    const auto step = known ? run.timing.of(run.asked.config, run.asked.options) : std::nullopt;
    known = step.has_value();
    steps += run.asked.options.steps;
    weights = std::max(weights, static_cast<long long>(parameter_count(run.asked.config)));
    seconds += step.value_or(0) * static_cast<double>(run.asked.options.steps);
  }
  const std::string what = say("It trains first: ") + format_count(steps) +
                           say(runs_.size() > 1 ? " steps of models of up to " : " steps of a model of ") +
                           format_count(weights);
  if (!known) return what + say(" weights; how long they take is being measured. PgDn begins.");
  const std::string in = say(seconds < 1 ? " weights, in " : " weights, in about ");
  return what + in + say(format_duration(seconds)) + say(". PgDn begins.");
}

}  // namespace glassformer
