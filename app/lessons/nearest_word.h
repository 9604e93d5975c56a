// The keyword that somebody meant who wrote another one.
#pragma once

#include <span>
#include <string_view>

namespace glassformer {

// The one that differs from `word` in at most two letters, the nearest of them; empty: none does.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

}  // namespace glassformer
