// Which build of the program this is, as `--version` and Help, About say it.
#pragma once

#include <string>
#include <vector>

namespace glassformer {

// Version and commit; the compiler; the processors it was compiled for and what is used here. A line each.
std::vector<std::string> build_facts();

}  // namespace glassformer
