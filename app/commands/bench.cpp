#include "app/commands/commands.h"

namespace glassformer {

void add_bench_command(CLI::App&, Command&) {}

}  // namespace glassformer
