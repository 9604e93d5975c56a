// A view that trains recurrent models beside a Transformer.
#pragma once

#include <array>

#include "app/scene/command.h"

namespace glassformer {

inline constexpr std::array kRaceTasks{"copy", "reverse", "recall"};
inline constexpr std::array kRaceWidths{16, 32, 64, 128};

class StartsRace {
 public:
  // Nothing where one goes on.
  virtual void start_race(const StartRace& race) = 0;

 protected:
  ~StartsRace() = default;
};

}  // namespace glassformer
