// What the dialogs that save and open a session know while they are open.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/session_setup.h"

namespace glassformer {

struct SessionForm {
  // Saving.
  std::vector<std::pair<std::string, std::string>> rows;  // {"Sentence", "the tired girl"}
  std::vector<std::string> lines;                         // of the file
  std::string file;                                       // as typed
  std::string error;                                      // why it was not saved, or cannot be
  std::string replaces;  // what stands there already, in a sentence; saving again replaces it
  bool possible = false;
  bool copies = false;  // weights go beside the file, as no folder has them
  // Opening.
  std::string link;
  std::optional<SessionProblem> problem;
  bool opening = false;  // it is being read

  bool focus = false;  // the field takes the keyboard in the next frame
  // Asked for in this frame.
  enum class Wish { none, save, open_file, open_link, browse, find_model, use_bundled, use_anyway };
  Wish wish = Wish::none;
};

}  // namespace glassformer
