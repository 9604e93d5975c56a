// Two Scenes in one picture: the same view twice under their names, or one of them, or their difference. What
// each of the two translated is over it, with the words marked that the other does not have.
#pragma once

#include <string_view>

#include "app/canvas/hit_region.h"
#include "app/scene/compared.h"
#include "app/ui/ui.h"
#include "app/views/common/view.h"

namespace glassformer {

enum class ComparedAs { both, first, second, difference };

struct ComparisonLayout {
  Rect first_head, second_head;  // name and translation of each; empty: not shown
  Rect first, second;            // the pictures; a difference is in the first
};
// `stacked`: both one below the other instead of side by side.
ComparisonLayout layout_comparison(const Rect& area, ComparedAs as, bool stacked = false);

// What the layout must have for pictures that need `least` each.
Point comparison_minimum(Point least, ComparedAs as);
// Whether side by side neither would have the width that it needs.
bool stacks(Point least, ComparedAs as, float width);
// What the layout then has: as high as it must be, and at least as large as the area.
Point stacked_size(Point least, const Rect& area);

// The second as a view sees it: its own numbers under the selection of the first, at the words that they
// share.
ViewInput second_input(const ViewInput& first, const Compared& compared);
// What is asked for where the second is shown, for the selection of the first.
Command of_the_first(const Command& command, const SourcePlaces& back);
// For Ui::alter_hits while the second is drawn; their labels end in `suffix`.
AlterHit hits_of_second(const Compared& compared, std::string suffix);

// The input of this side and, where there is one, of the side beside it: what both are to share is looked up
// in all of them.
std::vector<ViewInput> sharing_inputs(const ViewInput& input);
// Said below a scale that both sides end alike.
inline constexpr const char* kOneScale = "one colour scale for both";

// The heads of the layout.
void draw_comparison_heads(Canvas& canvas, const ComparisonLayout& layout, const Compared& compared);

// What one picture of the comparison is drawn from, and what its words and numbers are about.
ViewInput compared_input(const ViewInput& first, const Compared& compared, ComparedAs as);

// The numbers and the words of that picture; of a difference that there is not, why.
std::vector<NumberTable> shown_numbers(const View& view, const ViewInput& input);
std::string shown_caption(const View& view, const ViewInput& input);
// Draws the sentence that says why there is no difference, and gives it; empty: there is one, and it is still
// to be drawn.
std::string draw_no_difference(Canvas& canvas, const Rect& area, const View& view, const ViewInput& input);

// All of it, for a figure; `second` shows the same view. Both Scenes are there.
void draw_comparison(Canvas& canvas, const Rect& area, ComparedAs as, const View& view, const View& second,
                     const ViewInput& first, const Compared& compared);

// Which kind of model a view shows, where a recurrent one is beside the Transformer.

class ModelSwitch {
 public:
  // Two Scenes are compared as Transformers.
  static bool offered(const ViewInput& input) {
    return input.recurrent.scene && !input.other && !input.difference_to;
  }
  bool recurrent(const ViewInput& input) const { return recurrent_ && offered(input); }
  void turn(bool recurrent) { recurrent_ = recurrent; }
  // Kept free at the right of the title; a file has no switch.
  static float reserved(const Canvas& canvas, const ViewInput& input);
  bool turned() const { return recurrent_; }  // where there is no input to ask for a scene
  // At the right end of the title's row.
  void show(ui::Ui& ui, const ViewInput& input, const Rect& area, std::string_view title);
  bool set(std::string_view control, std::string_view value);

 private:
  bool recurrent_ = false;
};

}  // namespace glassformer
