// Settings, paths as they are typed, and messages of the screen.
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>

#include "app/session/notices.h"
#include "app/session/paths.h"
#include "app/session/settings.h"
#include "tests/scratch_folder.h"

namespace glassformer::settings_test {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("glassformer-settings-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

TEST_CASE("settings come back as they were written") {
  const Folder folder;
  Settings settings;
  settings.dark = true;
  settings.scale = 1.5;
  settings.history_mb = 64;
  remember_sentence(settings, "/c d/ü", "elle s'est assise — “ici”");
  settings.recent_models = {"/a/b", "/c d/ü"};
  settings.student = "Zoë";
  remember_lesson(settings, {"02-tokens.lesson", 3, 4, 5, 6, true});
  const auto file = folder.path / "deeper" / "settings.json";
  CHECK(write_settings(file, settings).empty());
  CHECK(read_settings(file) == settings);
}

TEST_CASE("each model keeps its own sentence, the newest") {
  Settings settings;
  remember_sentence(settings, "/a", "one");
  remember_sentence(settings, "/b", "two");
  remember_sentence(settings, "/a", "three");
  CHECK(kept_sentence(settings, "/a") == "three");
  CHECK(kept_sentence(settings, "/b") == "two");
  CHECK(kept_sentence(settings, "/c").empty());
  for (int i = 0; i < 1000; ++i) remember_sentence(settings, std::to_string(i), "x");
  CHECK(settings.sentences.size() < 100);
}

TEST_CASE("broken settings never keep the program from starting") {
  const Folder folder;
  const auto file = folder.path / "settings.json";
  for (const char* text : {"", "{", "[1, 2]", "null", "\xff\xfe", "{\"scale\": \"big\", \"dark\": 7}",
                           "{\"scale\": 400, \"recent_models\": {}}"}) {
    write(file, text);
    const Settings settings = read_settings(file);
    CHECK(settings.scale == 0);
    CHECK(settings.recent_models.empty());
  }
  Settings first;
  first.quiet = true, first.open.clear();
  CHECK(read_settings(folder.path / "absent.json") == first);
}

TEST_CASE("one wrong entry leaves the others") {
  const Folder folder;
  const auto file = folder.path / "settings.json";
  write(file, R"({"scale": 9, "dark": true, "window_width": 1, "window_height": 4294968295})");
  CHECK(read_settings(file).dark);
  CHECK(read_settings(file).window_width == 640);
  CHECK(read_settings(file).window_height == Settings{}.window_height);  // not 999, its low half
}

TEST_CASE("a settings file that cannot be written is said in a sentence") {
  CHECK(write_settings("/proc/nowhere/settings.json", {}).find("could not be written") != std::string::npos);
}

TEST_CASE("the recent list holds each path once, the newest first") {
  std::vector<std::string> recent;
  for (int i = 0; i < 20; ++i) remember(recent, "/model" + std::to_string(i % 12));
  CHECK(recent.size() == kRecentFiles);
  CHECK(recent.front() == "/model7");
  remember(recent, recent.back());
  CHECK(recent.size() == kRecentFiles);
}

TEST_CASE("a folder that has another name, or is gone, is followed or forgotten wherever it is named") {
  Settings before;
  before.last_model = before.unfinished_run = "/runs/old";
  before.unfinished_variants = {"/runs/old, beside", "/runs/third"};
  before.recent_models = {"/runs/new", "/runs/old", "/runs/older"};
  before.sentences = {{"/runs/new", "of one deleted long ago"}, {"/runs/old", "mine"}, {"/other", "its own"}};
  before.last_folder = "/runs/old/history";
  Settings renamed = before;
  follow_folder(renamed, "/runs/old", "/runs/new");
  CHECK(renamed.last_model == "/runs/new");
  CHECK(renamed.unfinished_run == "/runs/new");
  CHECK(renamed.unfinished_variants == before.unfinished_variants);
  follow_folder(renamed, "/runs/third", "/runs/3");
  CHECK(renamed.unfinished_variants == std::vector<std::string>{"/runs/old, beside", "/runs/3"});
  follow_folder(renamed, "/runs/3", "");
  CHECK(renamed.unfinished_variants == std::vector<std::string>{"/runs/old, beside"});
  CHECK(renamed.recent_models == std::vector<std::string>{"/runs/new", "/runs/older"});
  CHECK(kept_sentence(renamed, "/runs/new") == "mine");
  CHECK(kept_sentence(renamed, "/runs/old") == "");
  CHECK(renamed.last_folder == "/runs/new/history");
  const Settings once = renamed;
  follow_folder(renamed, "/runs/old", "/runs/new");
  CHECK(renamed == once);

  Settings deleted = before;
  follow_folder(deleted, "/runs/old", "");
  CHECK(deleted.last_model == "");
  CHECK(deleted.unfinished_run == "");
  CHECK(deleted.unfinished_variants.empty());
  CHECK(deleted.recent_models == std::vector<std::string>{"/runs/new", "/runs/older"});
  CHECK(deleted.sentences.size() == 2);
  CHECK(deleted.last_folder == "/runs");
}

TEST_CASE("what was done of a lesson stays done, and foreign marks are left out") {
  Settings settings;
  remember_lesson(settings, {.file = "a", .right = 3, .asked = 4, .page = 4, .pages = 5, .done = true});
  remember_lesson(settings, {.file = "a", .right = 0, .asked = 4, .page = 0, .pages = 5});
  REQUIRE(settings.lessons.size() == 1);
  CHECK(settings.lessons[0].done);
  CHECK(settings.lessons[0].right == 3);
  CHECK(settings.lessons[0].page == 0);
  // The lesson has fewer questions now.
  remember_lesson(settings, {.file = "a", .right = 1, .asked = 2, .page = 1, .pages = 3});
  CHECK(settings.lessons[0].right == 2);
  for (int i = 0; i < 1000; ++i) remember_lesson(settings, {.file = std::to_string(i)});
  CHECK(settings.lessons.size() == kMostLessonMarks);

  const Folder folder;
  const auto file = folder.path / "settings.json";
  write(
      file,
      R"({"lessons": [1, null, {"file": 3}, {"file": "b", "right": 1e99, "page": -4, "done": "yes"}, []]})");
  const Settings read = read_settings(file);
  REQUIRE(read.lessons.size() == 1);
  CHECK(read.lessons[0] == LessonMark{.file = "b"});
}

TEST_CASE("settings that cannot be read are set aside and said, each time under a free name") {
  const Folder folder;
  const auto file = folder.path / "settings.json";
  int number = 0;
  for (const char* broken : {"{\"student\": \"Zoë\", ", "[1, 2]", "\xff\xfe"}) {
    write(file, broken);
    const std::string name =
        number++ == 0 ? "settings.broken.json" : "settings.broken-" + std::to_string(number) + ".json";
    CHECK(set_broken_aside(file).find(name) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK(std::filesystem::file_size(folder.path / name) == std::string(broken).size());
  }
  CHECK(set_broken_aside(file).empty());

  // Broken while the program runs, by another.
  write(file, "{");
  CHECK(write_settings(file, {}).find("settings.broken-4.json") != std::string::npos);
  CHECK(set_broken_aside(file).empty());
  CHECK(read_settings(file) == Settings());
}

TEST_CASE("a pipe in the place of the settings is refused and not waited for") {
  const Folder folder;
  const auto file = folder.path / "settings.json";
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  CHECK(read_settings(file) == Settings());
  CHECK(write_settings(file, {}).find("a pipe, which may never end") != std::string::npos);
  CHECK(std::filesystem::is_fifo(file));
}

// ---- Paths as people type and paste them.

TEST_CASE("an address of a file is its path") {
  CHECK(expanded("file:///home/ana/two%20words/%C3%A9t%C3%A9.tsv") == "/home/ana/two words/été.tsv");
  CHECK(expanded("file://localhost/data/a.tsv") == "/data/a.tsv");
  CHECK(expanded("file:/data/a.tsv") == "/data/a.tsv");
  CHECK(expanded("  'file:///data/100%25.tsv'\n") == "/data/100%.tsv");
  // Of another machine, or not written right: left for whoever opens it to name.
  for (const std::string path :
       {"file://server/share/a.tsv", "file:///a%2", "file:///a%zz", "file:///a%00", "file:a"})
    CHECK(expanded(path) == path);
}

TEST_CASE("quotes and blanks around a path are no part of it") {
  CHECK(expanded("\"/data/two words.tsv\"") == "/data/two words.tsv");
  CHECK(expanded(" '/data/a.tsv' ") == "/data/a.tsv");
  CHECK(expanded("“/data/a.tsv”") == "/data/a.tsv");
  CHECK(expanded("\"~/a\"") == std::string(std::getenv("HOME")) + "/a");
  for (const std::string path : {"/data/it's", "'/data/a", "\"", "data/a b", ""})
    CHECK(expanded(path) == path);
}

TEST_CASE("a file that is there under the very name is that one") {
  ScratchFolder scratch;
  const std::string odd = scratch.path("a.txt ");
  std::ofstream(odd) << "x";
  CHECK(expanded(odd) == odd);
}

// ---- Messages of the screen, without a session.

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

}  // namespace glassformer::settings_test
