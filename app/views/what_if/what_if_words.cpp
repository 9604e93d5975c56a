// What the What if view says in words.
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/change_note.h"
#include "app/session/measuring.h"
#include "app/views/what_if/what_if_scene.h"
#include "engine/model/transformer.h"

namespace glassformer {

std::string tile_number(double change) {
  if (!std::isfinite(change)) return "NaN";
  const double size = std::abs(change);
  if (size < 0.0005) return "0";
  if (size >= 0.9995) return format_signed(change, size < 9.995 ? 2 : 1);
  std::string text = format_signed(change, 3);
  if (const std::size_t zero = text.find("0."); zero != std::string::npos) text.erase(zero, 1);
  return text;
}

std::string replaced_by(Replacement by) {
  return by == Replacement::mean    ? "replaced by its mean"
         : by == Replacement::other ? "taken from the second"
                                    : "replaced by 0";
}

std::string parts_word(PartsShown parts) {
  return parts == PartsShown::heads ? "head" : parts == PartsShown::sub_blocks ? "sub-block" : "place";
}

std::string what_if_title(const WhatIfScene& scene) {
  constexpr std::array kCounts = {"two", "three", "four", "five", "six", "seven", "eight", "nine"};
  const std::size_t count = scene.what_if().changes.size();
  if (count == 0) return "What would change without a part of the model";
  if (count == 1) return "What the change does to the translation";
  const std::string number =
      count < kCounts.size() + 2 ? kCounts[count - 2] : format_count(static_cast<long long>(count));
  return "What the " + number + " changes do to the translation";
}

std::string what_if_note(const WhatIfScene& scene) {
  const std::vector<double>& written = scene.input.result.trace->sentence_loss;
  const bool finite = written.empty() || std::isfinite(written.front());
  if (scene.effects && (!std::isfinite(scene.effects->loss_after) || !finite))
    return "With the changes the model’s numbers are no longer finite: no probability and no loss is known. "
           "Ctrl+Z takes the last change back.";
  return change_note(scene.what_if(), scene.plain.model->config);
}

// Until the mean is there, or where there is none, the change does nothing.
std::string mean_note(const WhatIfScene& scene) {
  const SceneResult& result = scene.input.result;
  if (!wants(scene.what_if(), Replacement::mean) || result.scene.substitutes.means) return {};
  if (scene.pairs || scene.input.training_text_state == TextState::reading)
    return "The mean is being taken over the held-out sentences: until it is known nothing is replaced by "
           "it.";
  return "No held-out sentences are known to take a mean over: what is to be replaced by its mean stays as "
         "it "
         "is.";
}

std::string what_if_subtitle(const WhatIfScene& scene) {
  if (scene.changed() && !scene.effects) return "Computing what it does to each word…";
  if (!scene.changed()) return "Nothing is changed. Click a head.";
  if (std::string note = mean_note(scene); !note.empty()) return note;
  if (std::string note = what_if_note(scene); !note.empty()) return note;
  return "The model runs twice on the same sentence: untouched, and with what is changed. What differs is "
         "underlined.";
}

}  // namespace glassformer
