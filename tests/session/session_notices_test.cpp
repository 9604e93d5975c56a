// Messages of the screen, without a session.
#include <doctest/doctest.h>

#include "app/session/notices.h"

using namespace glassformer;

TEST_CASE("the newest message of a place stands there alone") {
  Notices notices;
  notices.say(Place::model, "one");
  notices.say(Place::training, "other place");
  notices.complain(Place::model, "two");
  REQUIRE(notices.all().size() == 2);
  CHECK(notices.all().back().text == "two");
  CHECK(notices.all().back().error);
  notices.clear(Place::training);
  REQUIRE(notices.all().size() == 1);
  CHECK(notices.all().front().place == Place::model);
}

TEST_CASE("a way out follows its folder, and its message goes with a folder that goes") {
  Notices notices;
  notices.notify(
      {.place = Place::training, .text = "go on", .action = "Go on", .command = ContinueRun{"/a"}});
  notices.notify({.place = Place::model, .text = "open", .action = "Open", .command = OpenModel{"/b"}});
  CHECK(notices.offers(Place::training, "/a"));
  CHECK_FALSE(notices.offers(Place::model, "/a"));
  CHECK_FALSE(notices.offers(Place::training, ""));

  notices.follow_folder("/a", "/c");
  REQUIRE(notices.all().size() == 2);
  CHECK(notices.all().front().command->get<ContinueRun>().folder == "/c");
  CHECK(notices.all().back().command->get<OpenModel>().folder == "/b");
  notices.follow_folder("/b", "");
  REQUIRE(notices.all().size() == 1);
  CHECK(notices.offers(Place::training, "/c"));
}
