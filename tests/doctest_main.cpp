#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "tests/source_folder.h"

std::string source_folder() {
  return TEST_SOURCE_DIR;
}
