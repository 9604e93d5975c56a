// What is read, written and paused beside the screen.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/scene/held_out.h"
#include "app/session/data_reader.h"
#include "app/session/folder_work.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "tests/random_models.h"
#include "tests/scratch_folder.h"
#include "tests/session/session_helpers.h"
#include "tests/source_folder.h"

namespace glassformer::work_aside_test {

namespace fs = std::filesystem;

DataOptions task_data(long pairs) {
  DataOptions data;
  data.training.task = "reverse";
  data.training.pairs = pairs;
  return data;
}

Tokenizers tokenizers_of(const DataOptions& data) {
  return prepare_data(data).tokenizers;
}

TEST_CASE("data that are prepared ahead are those that a run prepares itself") {
  const DataOptions data = task_data(300);
  const Tokenizers tokenizers = tokenizers_of(data);
  DataAhead ahead;
  CHECK_FALSE(ahead.of(data, tokenizers).valid());
  ahead.prepare(data, tokenizers);
  const FutureData future = ahead.of(data, tokenizers);
  REQUIRE(future.valid());
  ahead.prepare(data, tokenizers);  // continues
  const auto found = wait_for(future, {});
  REQUIRE(found != nullptr);
  const PreparedData own = prepare_data(data, {}, tokenizers);
  REQUIRE(found->training.encoded.size() == own.training.encoded.size());
  for (std::size_t i = 0; i < own.training.encoded.size(); ++i)
    CHECK(found->training.encoded[i].source == own.training.encoded[i].source);
  CHECK(found->tokenizers.source == tokenizers.source);
}

TEST_CASE("of other data or other pieces nothing is ready, and what is given up gives nothing") {
  const DataOptions data = task_data(300);
  const Tokenizers tokenizers = tokenizers_of(data);
  DataAhead ahead;
  ahead.prepare(data, tokenizers);
  CHECK_FALSE(ahead.of(task_data(301), tokenizers).valid());
  CHECK_FALSE(ahead.of(data, tokenizers_of(data)).valid());
  const FutureData first = ahead.of(data, tokenizers);
  ahead.prepare(task_data(301), tokenizers);
  CHECK(wait_for(first, {}) == nullptr);
  CHECK_FALSE(ahead.of(data, tokenizers).valid());
  CHECK(ahead.of(task_data(301), tokenizers).valid());
}

TEST_CASE("files and what cannot be prepared are left to the run, and waiting can be given up") {
  const Tokenizers tokenizers = tokenizers_of(task_data(300));
  DataAhead ahead;
  DataOptions file;
  file.training.corpus = "pairs.tsv";
  ahead.prepare(file, tokenizers);
  CHECK_FALSE(ahead.of(file, tokenizers).valid());
  DataOptions own;
  own.training.grammar = "/nowhere/at-all.grammar";
  ahead.prepare(own, tokenizers);
  CHECK_FALSE(ahead.of(own, tokenizers).valid());
  DataOptions impossible = task_data(300);
  impossible.training.task = "no such task";
  ahead.prepare(impossible, tokenizers);
  CHECK(wait_for(ahead.of(impossible, tokenizers), {}) == nullptr);
  CHECK(wait_for(FutureData(), {}) == nullptr);
  ahead.prepare(task_data(20'000), tokenizers);
  CHECK_THROWS_AS(
      wait_for(ahead.of(task_data(20'000), tokenizers), [](const std::string&, double) { return false; }),
      Error);
}

std::vector<HeldOutSentence> two_sentences() {
  HeldOutSentence first, second;
  first.pair = {"a b", "b a"};
  first.attempts = {{0, "x “y”"}, {25, "b"}, {50, "b a"}};
  second.pair = {"c d", "d c"};
  return {first, second};
}

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

TEST_CASE("attempts of a run learned elsewhere are ids, which the folder's tokenizer spells") {
  const ScratchFolder scratch;
  for (const auto& file : std::filesystem::directory_iterator(source_folder() + "/models/reverse"))
    if (file.path().extension() != ".safetensors" && file.is_regular_file())
      std::filesystem::copy_file(file.path(), scratch.path(file.path().filename().string()));
  scratch.write("held-out.json", R"([{"source":"a","target":"b","attempts":[{"step":3,"ids":[4,6,3]}]}])");
  const std::vector<HeldOutSentence> kept = kept_held_out(scratch.path(""));
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].attempts[0].translation == "a c");
  for (const char* ids : {"[99]", "[-1]", "[\"a\"]", "4"}) {
    scratch.write("held-out.json",
                  R"([{"source":"a","target":"b","attempts":[{"step":3,"ids":)" + std::string(ids) + "}]}]");
    CHECK(kept_held_out(scratch.path("")).empty());
  }
  // Nothing spells them where the tokenizers are gone.
  for (const auto& file : std::filesystem::directory_iterator(scratch.path("")))
    if (file.path().filename() != "held-out.json") std::filesystem::remove(file.path());
  for (const char* ids : {"[]", "[4]"}) {
    scratch.write("held-out.json",
                  R"([{"source":"a","target":"b","attempts":[{"step":3,"ids":)" + std::string(ids) + "}]}]");
    CHECK(kept_held_out(scratch.path("")).empty());
  }
}

// ---- Between a wish to pause and the end of the step that is under way.

SessionOptions alone() {
  SessionOptions options;
  options.model = "/nowhere/at/all";
  options.threads = 1;
  options.keep_settings = options.keep_runs = false;
  return options;
}

TEST_CASE("a run that is asked to pause is said to be pausing until it has, and not when it goes on") {
  Session session(alone());
  train_for(session, 2);
  CHECK_FALSE(session.pausing());
  session.apply({PauseTraining{}});
  CHECK(session.pausing() == session.training());
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::paused; }));
  session.begin_frame();
  CHECK_FALSE(session.pausing());
  session.apply({Train{}});
  REQUIRE(frames_until(session, [&] { return session.training(); }));
  CHECK_FALSE(session.pausing());
  session.apply({PauseTraining{}, Train{}});
  CHECK_FALSE(session.pausing());
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] { return !session.training(); }));
}

// ---- Models written and kept runs renamed behind the screen's back, without a session.

std::shared_ptr<const Snapshot> some_model() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->config = small_config();
  snapshot->weights = std::make_shared<const Transformer<float>>(random_model<float>(snapshot->config, 5));
  return snapshot;
}

TEST_CASE("a model is written once it is clear that no other one stands there") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("mine");
  FolderWork work({});
  CHECK_FALSE(work.wait_for_saved());
  work.save({folder}, false, some_model(), {}, "");
  CHECK(work.saving());
  const auto first = work.wait_for_saved();
  REQUIRE(first);
  CHECK(first->done.folder == folder);
  CHECK(fs::exists(fs::path(folder) / "weights.safetensors"));
  const std::string before = read_file(folder + "/weights.safetensors");

  work.save({folder}, false, some_model(), {}, "");
  const auto asked = work.wait_for_saved();
  REQUIRE(asked);
  CHECK(asked->done.folder.empty());
  CHECK(asked->notice.command->get<SaveModel>().replace);
  CHECK(read_file(folder + "/weights.safetensors") == before);

  work.save({.folder = folder, .replace = true}, true, some_model(), {}, "");
  const auto free = work.wait_for_saved();
  REQUIRE(free);
  CHECK(free->by_run.folder == folder);  // the run is to write it: nothing is done here
  CHECK(free->done.folder.empty());
}

TEST_CASE("a folder in use keeps its name, and only one change is under way at a time") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  fs::create_directories(folder);
  FolderWork work({});
  CHECK(work.change() == nullptr);
  REQUIRE(work.rename({folder, "other"}, {"", folder}));
  CHECK(work.change()->under_way);
  CHECK_FALSE(work.remove({folder}, {}));
  CHECK(work.take_changed(true).empty());
  CHECK_FALSE(work.changing());
  CHECK(work.change()->problem.find("it is open") != std::string::npos);
  CHECK(fs::exists(folder));
  CHECK_FALSE(fs::exists(scratch.path("other")));
}

}  // namespace glassformer::work_aside_test
