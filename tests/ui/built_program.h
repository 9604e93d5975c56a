// The program as it was built, for tests that run its command lines.
#pragma once

#include <string>

namespace glassformer {

// With arguments as a shell reads them, in that folder. A failure of it fails the test, with what was
// printed.
void run_program(const std::string& arguments, const std::string& in = ".");

}  // namespace glassformer
