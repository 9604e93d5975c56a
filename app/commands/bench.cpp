#include "app/commands/commands.h"

namespace glassformer {

void add_bench_command(CLI::App&, Subcommand&) {}

}  // namespace glassformer
