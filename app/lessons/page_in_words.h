// The open page of a lesson as text, for whoever cannot see its card.
#pragma once

#include <string>

#include "app/lessons/taken_lesson.h"

namespace glassformer {

// Its texts, its question with the choices, and what was said of the last answer: the engine's is not among
// it before it was found or shown.
std::string page_in_words(const TakenLesson& lesson);

}  // namespace glassformer
