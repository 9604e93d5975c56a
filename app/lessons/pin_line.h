// What a pin line selects of a Scene.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"
#include "app/lessons/staged_page.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace glassformer {

// "query "fille" key 3 cell NAME[0,1]" into `selection`, whose attention is open. Throws Mismatch.
void pin_as(const std::string& text, const SceneResult& result, Selection& selection);

// The place that a question of a cell or a word asks for, where a page says which row of the attention that
// is.

// "pin query 3 key 2", for a page that has no reveal line. Nothing: no row is asked for.
std::optional<SceneLine> asked_place(const LessonPage& page, const StagedPage& staged,
                                     const std::optional<Value>& answer);

// The keyword that somebody meant who wrote another one.

// The one that differs from `word` in at most two letters, the nearest of them; empty: none does.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

}  // namespace glassformer
