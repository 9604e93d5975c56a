// Where the project's own files lie, for tests that read its models, grammars and fixtures.
#pragma once

#include <string>

std::string source_folder();  // without a slash at its end
