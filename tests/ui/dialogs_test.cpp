#include "app/panels/dialogs.h"

#include <doctest/doctest.h>

#include "app/panels/new_model_form.h"
#include "engine/math/error.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

TEST_CASE("a wrong option is named as its field on screen") {
  NewModelForm form;
  form.start(nullptr);
  form.numbers["heads"] = "3";
  Config config = config_of(form);
  config.source_vocab = config.target_vocab = 20;
  try {
    check(config);
    FAIL("3 heads do not divide the width");
  } catch (const Error& error) {
    const std::string words = as_on_screen(error.what());
    CHECK(words.starts_with("Heads must be a divisor of Width d (64)"));
    CHECK(words.find("d_model") == std::string::npos);
  }
}

TEST_CASE("a fraction or a number beyond counting is refused where a whole number belongs") {
  NewModelForm form;
  form.start(nullptr);
  for (const char* text : {"2.5", "1e11", "nan", "-1", "four"}) {
    form.numbers["heads"] = text;
    CHECK_THROWS_WITH_AS(config_of(form), doctest::Contains("Heads"), Error);
  }
  form.numbers["heads"] = "4";
  form.numbers["steps"] = "10.5";
  CHECK_THROWS_WITH_AS(training_of(form), doctest::Contains("Steps"), Error);
}

TEST_CASE("a figure takes a free name rather than another's place") {
  const ScratchFolder scratch;
  CHECK(free_path(scratch.path("attention.png")) == scratch.path("attention.png"));
  scratch.write("attention.png", "old");
  CHECK(free_path(scratch.path("attention.png")) == scratch.path("attention-2.png"));
  scratch.write("attention-2.png", "old");
  CHECK(free_path(scratch.path("attention.png")) == scratch.path("attention-3.png"));
}
