#include "app/scene/held_out.h"

#include <doctest/doctest.h>

#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

std::vector<HeldOutSentence> two_sentences() {
  HeldOutSentence first, second;
  first.pair = {"a b", "b a"};
  first.attempts = {{0, "x “y”"}, {25, "b"}, {50, "b a"}};
  second.pair = {"c d", "d c"};
  return {first, second};
}

}  // namespace

TEST_CASE("what was made of the held-out sentences is kept with the run, up to where it goes on") {
  const ScratchFolder scratch;
  keep_held_out(scratch.path(""), two_sentences());
  const std::vector<HeldOutSentence> kept = kept_held_out(scratch.path(""));
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].pair.target == "b a");
  REQUIRE(kept[0].attempts.size() == 3);
  CHECK(kept[0].attempts[0].translation == "x “y”");

  std::vector<HeldOutSentence> now(2);
  now[0].pair = {"c d", "d c"};
  now[1].pair = {"a b", "b a"};
  take_attempts(now, kept, 30);
  CHECK(now[0].attempts.empty());
  REQUIRE(now[1].attempts.size() == 2);
  CHECK(now[1].attempts[1].step == 25);
  // Of other data nothing is taken.
  now[1] = {};
  now[1].pair = {"a b", "a b"};
  take_attempts(now, kept, 30);
  CHECK(now[1].attempts.empty());
}

TEST_CASE("kept attempts that are not whole are none") {
  const ScratchFolder scratch;
  CHECK(kept_held_out(scratch.path("absent")).empty());
  for (
      const char* text :
      {"", "[", "{}", "3", "[1]", R"([{"source":"a"}])", R"([{"source":1,"target":"b","attempts":[]}])",
       R"([{"source":"a","target":"b","attempts":[{"step":"1","translation":"c"}]}])",
       R"([{"source":"a","target":"b","attempts":[{"step":9,"translation":"c"},{"step":3,"translation":"d"}]}])"}) {
    CAPTURE(text);
    scratch.write("held-out.json", text);
    CHECK(kept_held_out(scratch.path("")).empty());
  }
}
