#include "app/commands/commands.h"

namespace glassformer {

void add_step_command(CLI::App&, Subcommand&) {}

}  // namespace glassformer
