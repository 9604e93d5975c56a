#include "app/ui/registry.h"

namespace glassformer::ui {

const Widget* Registry::find(std::string_view label) const {
  for (auto widget = widgets_.rbegin(); widget != widgets_.rend(); ++widget)
    if (widget->label == label) return &*widget;
  return nullptr;
}

Widget* Registry::last(std::string_view label) {
  for (auto widget = widgets_.rbegin(); widget != widgets_.rend(); ++widget)
    if (widget->label == label) return &*widget;
  return nullptr;
}

}  // namespace glassformer::ui
