// Two Scenes on the stage: how they are shown, and which of them the inspector shows.
#pragma once

#include <string>
#include <vector>

#include "app/panels/panel_input.h"
#include "app/panels/view_shelf.h"
#include "app/views/common/comparison.h"

namespace glassformer {

// C: with what there is to compare with, else a choice.
void start_or_stop_comparing(ui::Ui& ui, const PanelInput& in);

class Comparing {
 public:
  void begin_frame(const Session& session);
  // The stage below the breadcrumb.
  void draw(ui::Ui& ui, const PanelInput& in, const ViewInput& first, const Compared& compared, Rect area);
  // What the stage must have for both, the strip above them included.
  Point minimum_size(const PanelInput& in, const ViewInput& first, const Compared& compared, float width);
  void note_pin() { pinned_in_second_ = over_second_; }  // made where the mouse is

  ComparedAs shown_as() const { return shown_; }  // as was possible in the last frame
  // The same view once more, as the first one shows its Scene; null: it is not drawn twice.
  View* second_view(const std::string& name, const View* first);
  View* second_view(const PanelInput& in) { return second_view(in.view_name, in.view); }
  // The picture that words, numbers and files describe: the first, but where the second or both are one
  // picture.
  ViewInput shown_input(const Session& session, const ViewInput& first) const;
  // What the inspector shows: the side that the mouse is on, else the one that was clicked.
  ViewInput explained_input(const Session& session, const ViewInput& first) const;
  // What the inspector asked for from this command on means the first, whichever it shows.
  void explained_commands(const Session& session, Commands& commands, size_t from) const;

 private:
  bool explains_second(const Session& session) const;
  std::vector<ComparedAs> ways(const PanelInput& in, const Compared& compared);
  void strip(ui::Ui& ui, const PanelInput& in, const Compared& compared, const Rect& strip);
  void note_side(const ui::Ui& ui, const ComparisonLayout& layout);
  Point least_of_each(const PanelInput& in, const ViewInput& first, const Compared& compared);

  ViewShelf second_views_;                               // of the other Scene, beside the first
  ComparedAs asked_ = ComparedAs::both;                  // as was chosen
  ComparedAs shown_ = ComparedAs::both;                  // as was possible in this frame
  bool over_second_ = false, pinned_in_second_ = false;  // where the mouse is, where it pinned
};

}  // namespace glassformer
