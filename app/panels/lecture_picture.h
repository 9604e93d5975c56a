// The picture on a lesson's page in a lecture: one part of the view, or two where two Scenes are compared,
// drawn anew for the room there is, without the view's buttons.
#pragma once

#include <string>

#include "app/panels/panel_input.h"
#include "app/ui/ui.h"

namespace glassformer {

// The part that represents a view in a lecture where the lesson names none; empty: all of it.
std::string lecture_part(const std::string& view);
// How much smaller than on the stage all of a view must be drawn to fit; 1: it fits.
float lecture_zoom(const View& view, const ViewInput& input, const Rect& room);
// All that a lesson sets and that keys do is done by the view's controls, which lie whole beside the window.
void draw_unseen_controls(ui::Ui& ui, View& view, const ViewInput& input);
// `panel` as the page names it; empty: lecture_part().
void draw_lecture_picture(ui::Ui& ui, const PanelInput& in, const Rect& room, const std::string& panel);

}  // namespace glassformer
