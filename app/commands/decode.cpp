#include "app/commands/commands.h"

namespace glassformer {

void add_decode_command(CLI::App&, Command&) {}

}  // namespace glassformer
