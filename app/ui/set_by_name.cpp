// Controls that take a value as if a hand had set them.
#include <algorithm>

#include "app/ui/ui.h"
#include "engine/text/unicode.h"

namespace glassformer::ui {

void Ui::set(std::string_view label, std::string_view value) {
  to_set_.insert_or_assign(std::string(label), std::string(value));
  ask_frame(0);
}

std::optional<std::string> Ui::take_to_set(std::string_view label) {
  const auto found = to_set_.find(label);
  if (found == to_set_.end()) return std::nullopt;
  ask_frame(0);  // what was drawn before it may depend on it
  return std::move(to_set_.extract(found).mapped());
}

std::optional<int> Ui::choice_to_set(std::string_view label, std::span<const std::string> choices) {
  const auto found = to_set_.find(label);
  if (found == to_set_.end()) return std::nullopt;
  auto choice = std::ranges::find(choices, found->second);
  if (choice == choices.end()) {
    // A narrow window may call it shorter: "Facts" for "A table of facts". One alone may be meant.
    const std::string wanted = to_lower(found->second);
    const auto fits = [&](const std::string& each) {
      const std::string name = to_lower(each);
      return !wanted.empty() &&
             (wanted.find(name) != std::string::npos || name.find(wanted) != std::string::npos);
    };
    if (std::ranges::count_if(choices, fits) != 1) return std::nullopt;
    choice = std::ranges::find_if(choices, fits);
  }
  take_to_set(label);
  return static_cast<int>(choice - choices.begin());
}

}  // namespace glassformer::ui
