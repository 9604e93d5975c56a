// Controls that take a value as if a hand had set them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glassformer::ui {

class Ui;

class SetByName {
 public:
  explicit SetByName(Ui& ui) : ui_(ui) {}
  // A choice, switch, slider or list takes this value (the choice's words, "on" or "off", a number) when it
  // is drawn the next time.
  void set(std::string_view label, std::string_view value);
  // What was not taken yet: no such control was drawn, or it has no such value.
  const std::map<std::string, std::string, std::less<>>& left() const { return left_; }
  void forget() { left_.clear(); }
  std::optional<std::string> take(std::string_view label);
  std::optional<int> take_choice(std::string_view label, std::span<const std::string> choices);

 private:
  Ui& ui_;
  std::map<std::string, std::string, std::less<>> left_;
};

}  // namespace glassformer::ui
