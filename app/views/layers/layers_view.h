// What the decoder would write if it stopped after each of its parts (the logit lens), and what every part
// does to the word that is written in the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "app/views/layers/layers_scene.h"

namespace glassformer {

class LayersView : public View {
 public:
  LayersView() : cache_(std::make_shared<LensCache>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<LayersView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  bool show_like(const View&) override { return true; }

 private:
  std::shared_ptr<LensCache> cache_;  // shared with copies
};

// Where the parts of the picture stand.
struct LayersLayout {
  bool subtitle = true, two_lines = true;  // p stands under the word
  Rect cells;                              // all lines; columns of equal width
  float column = 0, line = 0;              // pitch of a column, height of a line without the gap
  std::vector<float> tops;                 // y of each line
  Rect labels;                             // left of the cells
  Rect follow;                             // right of them: the word of one place, part by part
  float writes = 0, legend = 0, text = 0;  // y of what stands below
  Rect cell(int line_index, int place) const;
  Rect row(int line_index) const;
};
LayersLayout layout_layers(const Rect& area, const LayersScene& scene);
int layers_places_alone(float width);                                          // how many places have room
LayersLayout layout_layers_alone(const Rect& room, const LayersScene& scene);  // without what stands beside
Point layers_minimum(const LayersScene& scene);
void draw_layers(Canvas& canvas, const Rect& area, const LayersScene& scene);
// The words after each part, at as many places round the followed one as have room.
void draw_layers_alone(Canvas& canvas, const Rect& room, const LayersScene& scene);
void draw_followed_word(Canvas& canvas, const LayersLayout& at, const LayersScene& scene);

InspectorPage lens_page(const LayersScene& scene, int line_index, int place);

}  // namespace glassformer
