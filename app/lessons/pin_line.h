// What a pin line selects of a Scene.
#pragma once

#include <string>

#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace glassformer {

// "query "fille" key 3 cell NAME[0,1]" into `selection`, whose attention is open. Throws Mismatch.
void pin_as(const std::string& text, const SceneResult& result, Selection& selection);

}  // namespace glassformer
