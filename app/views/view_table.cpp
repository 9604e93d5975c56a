#include "app/views/view.h"

#include <array>

namespace glassformer {

// Each view's file defines its maker; the line below makes it known to the menu, the keys and `render`.
// clang-format off
std::unique_ptr<View> make_attention_view();
// clang-format on

namespace {

constexpr std::array kViews = {
    ViewEntry{"attention", "Attention", make_attention_view},
};

}  // namespace

std::span<const ViewEntry> view_table() {
  return kViews;
}

}  // namespace glassformer
