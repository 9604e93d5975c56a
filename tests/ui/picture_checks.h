// What every view's picture has to keep, at every size and in both themes, and how to click in one.
#pragma once

#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/text_checks.h"

namespace glassformer {

// The area that a view gets on a stage: the stage's, or what it needs when that is more (then the stage
// scrolls).
Rect area_for(const View& view, const ViewInput& input, Point stage);
// The view of that scene as it is drawn there.
RecordingCanvas drawn(const View& view, const SampleScene& scene, Point stage = {1000, 660});
// As it is drawn in exactly this area, on the screen or in a file.
RecordingCanvas picture_of(const View& view, const ViewInput& input, const Rect& area = {0, 0, 1000, 660},
                           bool file = false);

// Draws the view at sizes from 560 x 400 to 1400 x 900 in both themes. Complaints in words, empty when all is
// well: nothing drawn, a text outside the area, over another one, on a curve or tiny, a box or heatmap
// outside, a live part named twice, another picture the second time.
// `few`: of a picture of words, of one number or of a curve.
enum class Shapes { many, few };
std::vector<std::string> complaints(const View& view, const ViewInput& input, Shapes shapes = Shapes::many);
std::string in_lines(const std::vector<std::string>& lines);

// The live part of this label, cells of heatmaps included.
std::optional<HitRegion> live_part(const RecordingCanvas& canvas, const std::string& label);
// Whether its texts, one after another, have this part.
bool says(const RecordingCanvas& canvas, std::string_view part);
// The table of this title. Throws when there is none.
NumberTable titled(const std::vector<NumberTable>& tables, const std::string& title);
// The last command of this kind; nothing: it was not asked for.
template <class Kind>
std::optional<Kind> asked(const Commands& commands) {
  std::optional<Kind> found;
  for (const Command& each : commands)
    if (const Kind* const one = each.get_if<Kind>()) found = *one;
  return found;
}
// What a click on it pins. Throws when there is no such part or it pins nothing.
Selection pinned_by(const RecordingCanvas& canvas, const std::string& label);

// What the inspector says of it, and it does say something.
InspectorPage inspector_page(const View& view, const ViewInput& input);
// Of this heading; null: none.
const InspectorSection* section_of(const InspectorPage& page, const std::string& heading);

std::unique_ptr<View> make_view(const std::string& name);

}  // namespace glassformer
