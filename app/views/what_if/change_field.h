// Any change by hand: a field that reads the words in which changes are written (change_text.h).
#pragma once

#include <string>

#include "app/ui/ui.h"
#include "app/views/what_if/what_if_layout.h"

namespace glassformer {

class ChangeField {
 public:
  // The field, and below it what is wrong with what stands in it or stood there, else examples.
  void draw(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene);

 private:
  void enter(ui::Ui& ui, const WhatIfScene& scene);

  std::string text_, error_;
  std::string unknown_;  // what is to be known of the words of the last change
};

// Changes that fit the open model and sentence, as they are typed.
std::vector<std::string> change_examples(const WhatIfScene& scene);

// The Scene's changes and those of the text; an Error says in a sentence why not.
WhatIf with_typed(const WhatIfScene& scene, const std::string& text);

}  // namespace glassformer
