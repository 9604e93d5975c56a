// Ways through the views that keys, breadcrumb and map share.
#pragma once

#include <string>

#include "app/panels/panel_input.h"

namespace glassformer {

// The selection in the layer of this value, and on its attention where it lies in one.
Selection in_layer_of(Selection base, const std::string& name);
// The selection on another attention, at the step where the decoding stands.
Selection selection_of(const Session& session, AttentionKind kind);

// Deeper: from all heads to the first one, from a head to its pipeline, from a pinned number of any other
// view to that number, else to the attention.
void go_deeper(ui::Ui& ui, const PanelInput& in);

// Up: from a pinned number to its head, from a head to the mean of all, from any other view to the attention;
// from the cell that a way began with to the view in which it began.
void go_up(ui::Ui& ui, const PanelInput& in, int levels = 1);

}  // namespace glassformer
