// A view that can go where a number is computed: to its step, or to its part of the block.
#pragma once

#include "app/scene/selection.h"

namespace glassformer {

class OpensCell {
 public:
  virtual void open_cell(const CellRef& cell) = 0;

 protected:
  ~OpensCell() = default;
};

}  // namespace glassformer
