#include "app/ui/set_by_name.h"

#include <algorithm>

#include "app/ui/ui.h"
#include "engine/text/unicode.h"

namespace glassformer::ui {

void SetByName::set(std::string_view label, std::string_view value) {
  left_.insert_or_assign(std::string(label), std::string(value));
  ui_.ask_frame(0);
}

std::optional<std::string> SetByName::take(std::string_view label) {
  const auto found = left_.find(label);
  if (found == left_.end()) return std::nullopt;
  ui_.ask_frame(0);  // what was drawn before it may depend on it
  return std::move(left_.extract(found).mapped());
}

std::optional<int> SetByName::take_choice(std::string_view label, std::span<const std::string> choices) {
  const auto found = left_.find(label);
  if (found == left_.end()) return std::nullopt;
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
  take(label);
  return static_cast<int>(choice - choices.begin());
}

}  // namespace glassformer::ui
