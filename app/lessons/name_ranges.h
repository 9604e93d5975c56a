// What the names of a page's expressions can become on the stage.
#pragma once

#include "app/lessons/expression.h"
#include "app/lessons/page_names.h"

namespace glassformer {

// Refers to `names`.
NameRanges names_on_stage(const PageNames& names);

}  // namespace glassformer
