#include "engine/files/owned_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "engine/files/atomic_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/train/run_data.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

namespace fs = std::filesystem;

}  // namespace

TEST_CASE("somebody's file is neither replaced nor deleted, and one of the program's own is") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  fs::create_directory(folder);
  scratch.write("run/poem", "somebody's");
  {
    OwnedFolder own(folder);
    CHECK_THROWS_AS(own.write("poem", "ours"), Error);
    CHECK_THROWS_AS(own.claim({"fresh", "poem"}), Error);
    CHECK_FALSE(own.owns("fresh"));
    own.remove({"poem"});
    own.write("figures", "1");
    own.write("figures", "2");
    own.write("short-lived", "3");
    own.remove({"short-lived"});
  }
  CHECK(read_file(folder + "/poem") == "somebody's");
  CHECK(read_file(folder + "/figures") == "2");

  // What was deleted is not ours any more when somebody takes its name, also in a later session.
  scratch.write("run/short-lived", "somebody's too");
  OwnedFolder again(folder);
  CHECK(again.owns("figures"));
  CHECK_THROWS_AS(again.write("short-lived", "ours"), Error);
}

TEST_CASE("names that lead out of the folder, and folders that are links, are no place to write") {
  const ScratchFolder scratch;
  fs::create_directory(scratch.path("victim"));
  scratch.write("victim/7.safetensors", "thesis");
  OwnedFolder own(scratch.path("run"));
  for (const char* name :
       {"../victim/7.safetensors", "/etc/passwd", "..", ".", "", "a/b/c", "a/../b", "x\ny"})
    CHECK_THROWS_AS(own.write(name, "x"), Error);
  fs::create_symlink(scratch.path("victim"), scratch.path("run/history"));
  CHECK_THROWS_AS(own.write("history/7.safetensors", "x"), Error);
  CHECK_THROWS_AS(own.write("history/8.safetensors", "x"), Error);
  CHECK(read_file(scratch.path("victim/7.safetensors")) == "thesis");

  // A list from elsewhere that names such things deletes none of them either.
  scratch.write("run/.glassformer",
                "files that Glassformer wrote here\n+ history/7.safetensors\n+ ../victim/7.safetensors\n");
  CHECK_FALSE(delete_own(scratch.path("run")));
  CHECK(read_file(scratch.path("victim/7.safetensors")) == "thesis");
}

TEST_CASE("a folder with a list of somebody's is refused whole") {
  const ScratchFolder scratch;
  for (const char* list : {"my notes\n", "\n", "files\n+ poem\n"}) {
    fs::create_directory(scratch.path("run"));
    scratch.write("run/.glassformer", list);
    CHECK_THROWS_AS(OwnedFolder(scratch.path("run")), Error);
    fs::remove_all(scratch.path("run"));
  }
  fs::create_directory(scratch.path("run"));
  fs::create_symlink(scratch.path("elsewhere"), scratch.path("run/.glassformer"));
  CHECK_THROWS_AS(OwnedFolder(scratch.path("run")), Error);
  CHECK_FALSE(fs::exists(scratch.path("elsewhere")));
}

TEST_CASE("a list that a kill cut short owns what it names whole, and what is written after that") {
  for (const char* torn : {"+ tw", "+", "- on", "+ "}) {
    CAPTURE(torn);
    const ScratchFolder scratch;
    fs::create_directory(scratch.path("run"));
    scratch.write("run/.glassformer", std::string("files that Glassformer wrote here\n+ one\n") + torn);
    scratch.write("run/tw", "somebody's");
    {
      OwnedFolder own(scratch.path("run"));
      CHECK(own.owns("one"));
      CHECK_FALSE(own.owns("tw"));
      own.write("three", "ours");
    }
    OwnedFolder again(scratch.path("run"));
    CHECK(again.names() == std::set<std::string, std::less<>>{"one", "three"});
    again.write("three", "ours again");
    CHECK_THROWS_AS(again.write("tw", "x"), Error);
  }
}

TEST_CASE("a name that could not be recorded is not taken for the program's own") {
  const ScratchFolder scratch;
  OwnedFolder own(scratch.path("run"));
  own.write("one", "1");
  fs::remove(scratch.path("run/.glassformer"));
  fs::create_directory(scratch.path("run/.glassformer"));
  CHECK_THROWS_AS(own.write("two", "2"), Error);
  CHECK_FALSE(own.owns("two"));
  CHECK_FALSE(fs::exists(scratch.path("run/two")));
}

TEST_CASE("a list does not grow without end") {
  const ScratchFolder scratch;
  const std::string name(250, 'n'), list = scratch.path("run/.glassformer");
  {
    OwnedFolder own(scratch.path("run"));
    own.write("kept", "1");
    for (int i = 0; i < 200; ++i) {
      own.claim({name});
      scratch.write("run/" + name, "x");
      own.remove({name});
    }
  }
  CHECK(fs::file_size(list) > 80000);
  const OwnedFolder own(scratch.path("run"));
  CHECK(fs::file_size(list) < 100);
  CHECK(own.owns("kept"));
}

TEST_CASE("a folder of an older program keeps its files as its own, and is changed by nothing but a save") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  {
    Trainer trainer(copying_set(), copying_config(), small_options());
    run(trainer, 3);
    trainer.save(folder);
  }
  fs::remove(folder + "/.glassformer");
  const std::vector<std::string> known = names_of_older_run(folder);
  CHECK(known.size() >= 4);
  { const OwnedFolder looked(folder, known); }
  CHECK_FALSE(has_list(folder));
  {
    const auto trainer = Trainer::resume(folder, copying_set());
    run(*trainer, 3);
    trainer->save(folder);
  }
  CHECK(has_list(folder));
  CHECK(holds_only_own(folder));
  CHECK(delete_own(folder));
  CHECK_FALSE(fs::exists(folder));
}

TEST_CASE("a folder that was made for nothing goes again, and nobody else writes there meanwhile") {
  const ScratchFolder scratch;
  {
    const OwnedFolder own(scratch.path("run"));
    CHECK(fs::is_directory(scratch.path("run")));
    CHECK_THROWS_AS(OwnedFolder(scratch.path("run")), Error);
  }
  CHECK_FALSE(fs::exists(scratch.path("run")));
}

TEST_CASE("a run leaves the files of a folder alone that only look like its own") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  fs::create_directories(folder + "/history");
  for (const char* name : {"history/diary.txt", "history/900.safetensors", "last-year.safetensors",
                           "best-friend.safetensors", "draft.writing-1"})
    scratch.write(std::string("run/") + name, "mine");
  {
    Trainer trainer(copying_set(), copying_config(), small_options());
    trainer.keep_history(1 << 20);
    run(trainer, 3);
    trainer.save(folder);
    run(trainer, 3);
    trainer.save(folder);
  }
  for (const char* name : {"history/diary.txt", "history/900.safetensors", "last-year.safetensors",
                           "best-friend.safetensors", "draft.writing-1"})
    CHECK(read_file(folder + "/" + name) == "mine");
  CHECK(Trainer::resume(folder, copying_set())->step_count() == 6);

  // Files of the very names that a run needs: nothing is written.
  for (const std::string name : {"config.json", "weights.safetensors", "training.json"}) {
    const std::string other = scratch.path("with " + name);
    fs::create_directory(other);
    scratch.write("with " + name + "/" + name, "mine");
    Trainer trainer(copying_set(), copying_config(), small_options());
    CHECK_THROWS_AS(trainer.save(other), Error);
    CHECK(read_file(other + "/" + name) == "mine");
  }
}

TEST_CASE("a run whose folder goes is written anew with its best weights and all kept steps, and says so") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  std::shared_ptr<const Snapshot> best;
  {
    Trainer trainer(copying_set(), copying_config(), small_options());
    trainer.keep_history(8 << 20);
    run(trainer, 6);
    trainer.save(folder);
    CHECK_FALSE(trainer.folder_was_lost());
    fs::remove_all(folder);
    run(trainer, 3);
    trainer.save(folder);
    CHECK(trainer.folder_was_lost());
    CHECK_FALSE(trainer.folder_was_lost());
    best = trainer.kept();
  }
  const auto resumed = Trainer::resume(folder, copying_set());
  CHECK(resumed->step_count() == 9);
  CHECK(resumed->history().kept().size() == 10);
  CHECK(resumed->history().kept().front()->step() == 0);
  CHECK(same_weights(*resumed->kept(), *best));
}

TEST_CASE("a record that names files elsewhere is refused") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  {
    Trainer trainer(copying_set(), copying_config(), small_options());
    run(trainer, 3);
    trainer.save(folder);
  }
  const std::string record = read_file(folder + "/training.json");
  for (const char* elsewhere : {"../thesis", "/dev/zero", "history/1.safetensors", "..", ".hidden"}) {
    std::string changed = record;
    const std::string own = "\"last-3.weights.safetensors\"";
    REQUIRE(changed.find(own) != changed.npos);
    changed.replace(changed.find(own), own.size(), "\"" + std::string(elsewhere) + "\"");
    scratch.write("run/training.json", changed);
    CHECK_THROWS_AS(Trainer::resume(folder, copying_set()), Error);
  }
}

TEST_CASE("a file that people may go on with is replaced as it was written, and theirs once it was changed") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("table");
  for (const char* results : {"1", "2", "1", "3"})
    OwnedFolder(folder).write_unless_changed("results.csv", results);
  CHECK(all_as_written(folder));
  scratch.write("table/results.csv", "3, with a column of mine");
  CHECK_THROWS_AS(OwnedFolder(folder).check_unchanged({"results.csv"}), Error);
  CHECK_THROWS_AS(OwnedFolder(folder).write_unless_changed("results.csv", "4"), Error);
  CHECK(read_file(folder + "/results.csv") == "3, with a column of mine");
  CHECK_FALSE(all_as_written(folder));

  // Not even a link to the same bytes is one's own, and what is gone may come again.
  fs::rename(folder + "/results.csv", scratch.path("mine"));
  scratch.write("mine", "3");
  fs::create_symlink(scratch.path("mine"), folder + "/results.csv");
  CHECK_THROWS_AS(OwnedFolder(folder).write_unless_changed("results.csv", "4"), Error);
  CHECK_FALSE(holds_only_own(folder));
  fs::remove(folder + "/results.csv");
  OwnedFolder(folder).write_unless_changed("results.csv", "4");
  CHECK(read_file(folder + "/results.csv") == "4");
  CHECK(read_file(scratch.path("mine")) == "3");
  CHECK(holds_only_own(folder));
}
