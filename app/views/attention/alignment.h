// The attention of a recurrent model as one head: which source word each state of the decoder looks at. It
// has no layers and no heads, and its query is a state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/views/common/view.h"

namespace glassformer {

std::string alignment_title();
std::string alignment_subtitle(const RecurrentScene& scene);
// Below the title. A scene without attention has nothing to draw, and says so.
void draw_alignment(Canvas& canvas, const Rect& content, const RecurrentLook& look, bool ribbons);
float alignment_head_right(const Rect& content);  // of the part with the head
Point alignment_minimum(const RecurrentScene& scene);
// Left and right: the word before and the next; the only layer stays.
bool alignment_key(ViewKey key, const RecurrentLook& look, Commands& commands);
InspectorPage alignment_page(const RecurrentLook& look);
std::vector<NumberTable> alignment_numbers(const RecurrentScene& scene);
std::string alignment_caption(const RecurrentScene& scene);

}  // namespace glassformer
