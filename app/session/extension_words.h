// How a run goes on past its end, in words.
#pragma once

#include <string>

#include "engine/train/trainer.h"

namespace glassformer {

// Behind "Train": "2 000 steps more", "10 minutes more", "on".
std::string more_in_words(const Extension& extension);

// Behind "Training goes on": " for 2 000 steps more, on its schedule from the beginning".
std::string further_in_words(const Extension& extension);

}  // namespace glassformer
