// What a page of a lesson points at or covers, found among what is on the screen.
#pragma once

#include <optional>
#include <vector>

#include "app/lessons/staged_page.h"
#include "app/ui/ui.h"

namespace glassformer {

// An outline round it, and where that is; nothing where it is not in sight.
std::optional<Rect> outline_target(ui::Ui& ui, const LessonTarget& target, const StagedPage& page);
// Gives the keyboard to the slider that a page points at and wants moved.
void focus_slider(ui::Ui& ui, const LessonPage& page);
// Dashed, what of the attention is pinned where the page was asked.
void dash_place(ui::Ui& ui, const StagedPage& page);
// Scrolls to it, where it is out of sight.
void reveal_target(ui::Ui& ui, const LessonTarget& target, const StagedPage& page);
// A way at right angles from an outline to the question, clear of what answers to the mouse; empty: there is
// none.
std::vector<Point> leader_between(const ui::Ui& ui, const Rect& outline, const Rect& question);
// Each part of it sunken, with a question mark.
void cover_target(ui::Ui& ui, const LessonTarget& target, const StagedPage& page);
// The row of the open attention that one of the targets names, or its cell; nothing: none does. Throws
// Mismatch.
std::optional<int> row_of_target(const std::vector<LessonTarget>& targets, const StagedPage& page);

}  // namespace glassformer
