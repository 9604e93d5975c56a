#include "app/inspector/fit.h"

#include <algorithm>
#include <array>

namespace glassformer {

bool shows_weights(std::string_view view) {
  return view == "attention" || view == "head" || view == "masks";
}

bool belongs_to_view(std::string_view view, const CellRef& cell) {
  const std::string_view name = cell.name;
  if (view == "walk" || view == "cell") return true;
  if (cell.gradient) return false;
  const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (view == "block")
    return has(".layers.") ? cell.index.size() < 4
                           : name == "memory" || name == "source.input" || name == "target.input";
  if (view == "head" || view == "lookup") return has("_attn.");
  if (shows_weights(view)) return has("_attn.") && cell.index.size() == 4;
  if (view == "embedding")
    return has("embedding") || name.ends_with(".input") || name.ends_with(".lookup") ||
           name.ends_with(".sum");
  if (view == "positions") return has("positions");
  if (view == "parameters") return name.ends_with("weight") || name.ends_with("bias");
  constexpr std::array kOutput = {"logits", "log_probabilities", "smoothed_target", "token_loss"};
  if (view == "output") return std::ranges::find(kOutput, name) != kOutput.end();
  return false;
}

}  // namespace glassformer
