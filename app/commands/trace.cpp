#include "app/commands/commands.h"

namespace glassformer {

void add_trace_command(CLI::App&, Command&) {}

}  // namespace glassformer
