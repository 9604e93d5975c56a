#include "app/commands/commands.h"

namespace glassformer {

void add_decode_command(CLI::App&, Subcommand&) {}

}  // namespace glassformer
