// The pictures of a GRU's arithmetic: the two sums of a gate, and how a state is put together.
#pragma once

#include "app/views/cell/gru_page.h"

namespace glassformer {

void draw_gru_gate(Canvas& canvas, const Rect& area, const GruPage& page);
void draw_gru_state(Canvas& canvas, const Rect& area, const GruPage& page);

}  // namespace glassformer
