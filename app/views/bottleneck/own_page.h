// A recurrent model of one's own, trained in the window on any data or read from a folder: how it learns, and
// the typed sentence in it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/inspector/page.h"
#include "app/views/common/view.h"

namespace glassformer {

struct OwnPage {
  std::shared_ptr<const RecurrentRunState> state;   // null: there is none
  std::shared_ptr<const RecurrentReading> reading;  // null: not there yet
  const RecurrentScene* scene() const { return reading ? reading->scene.get() : nullptr; }
};
OwnPage own_page(const ViewInput& input);

struct OwnLayout {
  Rect losses, text, states, looks;
};
OwnLayout layout_own(const Rect& content);
inline constexpr const char* kOwnTitle = "Own model";
std::string own_subtitle(const OwnPage& page);
void draw_own(Canvas& canvas, const Rect& content, const OwnPage& page);
// The ways to the views that show a recurrent model closer.
InspectorSection closer_ways(bool attends);
Point own_minimum();
InspectorPage own_inspector_page(const OwnPage& page);
std::vector<NumberTable> own_numbers(const OwnPage& page);
std::string own_caption(const OwnPage& page);

}  // namespace glassformer
