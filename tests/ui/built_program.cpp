#include "tests/ui/built_program.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "engine/files/read_file.h"
#include "engine/train/run_command.h"
#include "tests/scratch_folder.h"

namespace glassformer {

void run_program(const std::string& arguments, const std::string& in) {
  const ScratchFolder scratch;
  const std::string printed = scratch.path("printed");
  const std::string command = "cd " + shell_quoted(in) + " && " + shell_quoted(TEST_PROGRAM) + " " +
                              arguments + " >" + shell_quoted(printed) + " 2>&1";
  const int status = std::system(command.c_str());
  CAPTURE(command);
  if (status != 0) MESSAGE(read_file(printed));
  REQUIRE(status == 0);
}

}  // namespace glassformer
