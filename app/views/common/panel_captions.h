// A view whose panels show different things: each has a caption of its own.
#pragma once

#include <string>
#include <string_view>

#include "app/reading/view_input.h"

namespace glassformer {

class PanelCaptions {
 public:
  virtual ~PanelCaptions() = default;
  // Of one of the view's panels (ViewTraits::panels).
  virtual std::string panel_caption(std::string_view panel, const ViewInput& input) const = 0;
};

}  // namespace glassformer
