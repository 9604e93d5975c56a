// What a description of data leaves unsaid. Internal to engine/text.
#pragma once

#include <cstdint>

namespace glassformer {

constexpr long kGrammarPairs = 50000;
// So that a task or a grammar validates on other sources than it trains.
constexpr std::uint64_t kValidationSeed = 0x9E3779B97F4A7C15;

}  // namespace glassformer
