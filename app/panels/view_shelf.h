// The views, each made when it is first opened and kept with its state.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/views/view_table.h"

namespace glassformer {

class ViewShelf {
 public:
  // Null: there is no view of that name.
  View* view(const std::string& name) {
    std::unique_ptr<View>& made = views_[name];
    if (!made)
      for (const ViewEntry& entry : view_table())
        if (name == entry.name) made = entry.make();
    return made.get();
  }

 private:
  std::map<std::string, std::unique_ptr<View>> views_;
};

}  // namespace glassformer
