// The middle of the window: breadcrumb, what was changed, notices, and the picture of the open view.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/inspector_panel.h"
#include "app/panels/panel_input.h"
#include "app/ui/ui.h"
#include "app/views/common/view.h"

namespace glassformer {

void draw_stage(ui::Ui& ui, const PanelInput& in, const Rect& rect);
// What is changed, what is to be said, that it computes; returns what is left below.
Rect draw_stage_state(ui::Ui& ui, const PanelInput& in, const Rect& rect);

// One view's picture on the stage.

struct PictureOptions {
  const char* scroll = "stage";  // its name, where it scrolls
  bool controls = true;          // it can be steered
};

// The view has its own margins; it scrolls where it needs more than there is. What it throws is in its
// place.
void draw_picture(ui::Ui& ui, View& view, const ViewInput& input, const Rect& area,
                  PictureOptions options = {});

// What the controls of each view showed when it was last drawn, and what those of a view that is not open yet
// are to show.

class ViewControls {
 public:
  using Settings = std::vector<std::pair<std::string, std::string>>;  // {"Head as", "Ribbons"}

  // Once a frame, before the view is drawn: notes what it showed last, and gives a view that has just been
  // opened what waits for it.
  void frame(ui::Ui& ui, const std::string& view);
  // {"training/Loss axis", "Log"}: in place of all that is known of the views they name.
  void hand_over(const Settings& later);
  // Of the open view by their labels, of the others with the view's name before them.
  Settings all(const std::string& open) const;

 private:
  std::string open_;                                 // in the last frame
  std::map<std::string, Settings> shown_, waiting_;  // by view
};

// Ways through the views that keys, breadcrumb and map share.

// The selection in the layer of this value, and on its attention where it lies in one.
Selection in_layer_of(Selection base, const std::string& name);
// The selection on another attention, at the step where the decoding is.
Selection selection_of(const Session& session, AttentionKind kind);

// Deeper: from all heads to the first one, from a head to its pipeline, from a pinned number of any other
// view to that number, else to the attention.
void go_deeper(ui::Ui& ui, const PanelInput& in);

// Up: from a pinned number to its head, from a head to the mean of all, from any other view to the attention;
// from the cell that a way began with to the view in which it began.
void go_up(ui::Ui& ui, const PanelInput& in, int levels = 1);

// What keys do to the open head: its kind is opened, another head or (true: there is one) layer is chosen.
void open_attention(ui::Ui& ui, const PanelInput& in, AttentionKind kind);
void choose_head(ui::Ui& ui, const PanelInput& in, int head);  // -1: the mean over heads
bool turn_layer(ui::Ui& ui, const PanelInput& in, int by);

// "sentence", "formula", else the matrix, to the clipboard.
void copy_shown(ui::Ui& ui, const PanelInput& in, InspectorPanel& inspector, const std::string& what);
// The open view in words, behind the page of a lesson.
std::string stage_words(const PanelInput& in);

}  // namespace glassformer
