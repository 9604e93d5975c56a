// What the controls of each view showed when it was last drawn, and what those of a view that is not open yet
// are to show.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/ui.h"

namespace glassformer {

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

}  // namespace glassformer
