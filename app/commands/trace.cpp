#include "app/commands/commands.h"

namespace glassformer {

void add_trace_command(CLI::App&, Subcommand&) {}

}  // namespace glassformer
