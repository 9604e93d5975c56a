// The place that a question of a cell or a word asks for, where a page tells which row of the attention that
// is.
#pragma once

#include <optional>

#include "app/lessons/lesson.h"
#include "app/lessons/staged_page.h"

namespace glassformer {

// "pin query 3 key 2", for a page that has no reveal line of its own. Nothing: no row is asked for.
std::optional<SceneLine> asked_place(const LessonPage& page, const StagedPage& staged,
                                     const std::optional<Value>& answer);

}  // namespace glassformer
