#include "app/panels/model_memory.h"

#include <unistd.h>

#include <cmath>

#include "app/format/number_format.h"
#include "engine/math/error.h"

namespace glassformer {

std::string memory_words(double bytes) {
  return bytes < 1e9 ? format_short(bytes / 1e6) + " MB" : format_count(std::llround(bytes / 1e9)) + " GB";
}

// Bytes; 0 where the system does not say.
static double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

void check_memory(double bytes, const std::string& way_out) {
  const double here = machine_memory();
  if (here > 0 && bytes > here)
    throw Error("model", "This model needs about " + memory_words(bytes) + ", and the machine has " +
                             memory_words(here) + "; choose " + way_out);
}

}  // namespace glassformer
