#include "app/format/build_facts.h"

#include "engine/math/processor.h"

namespace glassformer {

std::vector<std::string> build_facts() {
  return {"Glassformer " GLASSFORMER_VERSION ", " GLASSFORMER_COMMIT,
          "Compiled by " GLASSFORMER_COMPILER " for " GLASSFORMER_PROCESSORS,
          "The engine that is used here has " + vector_instructions()};
}

}  // namespace glassformer
