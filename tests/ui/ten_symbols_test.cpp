// The dummy run of the tutorials: a model of ten words, untrained, two clicks away.
#include <doctest/doctest.h>

#include "tests/ui/small_program.h"

namespace glassformer {

TEST_CASE("a model of ten symbols that has learned nothing shows its forward pass after two clicks") {
  OffscreenProgram program({.threads = 1});
  REQUIRE(program.settle());
  click(program, "File");
  REQUIRE(program.click("Ten symbols, untrained"));
  REQUIRE(program.wait([&] {
    const auto result = program.session().result();
    return result && result->snapshot && result->snapshot->config.source_vocab == 14;
  }));
  REQUIRE(program.settle());
  const auto result = program.session().result();
  CHECK(program.session().run().step == 0);
  CHECK_FALSE(program.session().training());
  REQUIRE_FALSE(result->scene.sentences.empty());
  const std::string& source = result->scene.sentences.front().source;
  CHECK(source.find_first_not_of("0123456789 ") == std::string::npos);
  REQUIRE(result->trace);
  CHECK(result->trace->source.front().size() == (source.size() + 1) / 2 + 1);  // and <eos>
  // The ids that the sentence is typed by, as the Scene reads them.
  REQUIRE(program.type("Source sentence", "2 5 3"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().result()->trace->source.front().size() == 4);
}

}  // namespace glassformer
