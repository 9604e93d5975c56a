#include "app/session/extension_words.h"

#include "app/format/number_format.h"

namespace glassformer {

std::string more_in_words(const Extension& extension) {
  if (extension.steps > 0) return format_count(extension.steps) + " steps more";
  if (extension.minutes > 0) return format_short(extension.minutes) + " minutes more";
  return "on";
}

std::string further_in_words(const Extension& extension) {
  const bool counted = extension.steps > 0 || extension.minutes > 0;
  const std::string text = counted ? " for " + more_in_words(extension)
                                   : " until " + std::to_string(extension.validations) +
                                         " validations in a row bring no better loss";
  return text + (extension.schedule_anew ? ", on its schedule from the beginning" : "");
}

}  // namespace glassformer
