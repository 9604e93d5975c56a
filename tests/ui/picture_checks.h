// What every view's picture has to keep, at every size and in both themes, and how to click in one.
#pragma once

#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {

// The area that a view gets on a stage: the stage's, or what it needs when that is more (then the stage
// scrolls).
Rect area_for(const View& view, const ViewInput& input, Point stage);
// The view of that scene as it is drawn there.
RecordingCanvas drawn(const View& view, const SampleScene& scene, Point stage = {1000, 660});

// Draws the view at sizes from 560 x 400 to 1400 x 900 in both themes. Complaints in words, empty when all is
// well: nothing drawn, a text outside the area, over another one, on a curve or tiny, a box or heatmap
// outside, a live part named twice, another picture the second time.
// `few`: of a picture of words, of one number or of a curve.
enum class Shapes { many, few };
std::vector<std::string> complaints(const View& view, const ViewInput& input, Shapes shapes = Shapes::many);
std::string in_lines(const std::vector<std::string>& lines);

// The live part of this label, cells of heatmaps included.
std::optional<HitRegion> live_part(const RecordingCanvas& canvas, const std::string& label);
// What a click on it pins. Throws when there is no such part or it pins nothing.
Selection pinned_by(const RecordingCanvas& canvas, const std::string& label);

// What the inspector says of it, and it does say something.
InspectorPage inspector_page(const View& view, const ViewInput& input);

std::unique_ptr<View> make_view(const std::string& name);

}  // namespace glassformer
