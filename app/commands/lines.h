// Lines of text in and out of the commands.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/math/error.h"

namespace glassformer {

// A file, a segment a line: LF alone ends a line, so that two files stay aligned whatever else stands in
// them. A byte order mark and a CR before the LF go; empty lines stay. Throws Error when the file cannot be
// read.
std::vector<std::string> read_segments(const std::string& path);

// Hands on the lines of standard input in groups of at most `most`: as many as have arrived, so that a person
// or a program that waits for an answer to a line gets it at once. Ends with the input.
void read_standard_input(std::size_t most, const std::function<void(std::vector<std::string>)>& handle);

}  // namespace glassformer
