// The four levels in the whole program: deeper on Enter, up on Backspace.
#include <doctest/doctest.h>

#include "app/offscreen.h"
#include "app/panels/shell.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

TEST_CASE("Enter leads from the attention to a head and to one cell, Backspace back") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  program.press('x');
  program.press('2');
  REQUIRE(program.session().pinned().head == 1);
  program.press(ui::Key::enter);
  CHECK(program.text("breadcrumb").find("Cross-attention > Head 2") != std::string::npos);
  program.press('d');  // another attention of the same pipeline
  CHECK(program.text("breadcrumb").find("Masked self-attention > Head 2") != std::string::npos);
  program.press(ui::Key::enter);
  CHECK(program.text("breadcrumb").find("Softmax > A [<bos>, <bos>]") != std::string::npos);
  program.press(ui::Key::backspace);
  CHECK(program.text("breadcrumb").ends_with("Head 2"));
  program.press(ui::Key::backspace);
  CHECK(program.text("breadcrumb").ends_with("Masked self-attention"));
}
