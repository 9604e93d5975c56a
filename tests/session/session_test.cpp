#include <doctest/doctest.h>

#include <algorithm>

#include "app/session/model_list.h"
#include "app/session/paths.h"
#include "tests/scratch_folder.h"
#include "tests/session/session_helpers.h"

using namespace glassformer;

namespace {

SessionOptions quiet() {
  SessionOptions options;
  options.model = "/nowhere/at/all";  // opened first, refused, and the tests make their own
  options.keep_settings = false;
  options.keep_runs = false;
  options.threads = 1;
  return options;
}

// A session whose fresh reversing model has shown its first sentence.
struct Reversing {
  Session session{quiet()};
  Reversing() {
    session.apply({reverse_run()});
    REQUIRE(frames_until(session, [&] {
      return session.run().phase == RunPhase::ready && !session.working() && session.result() &&
             session.result()->snapshot->step == session.run().step;
    }));
  }
  bool until(const std::function<bool()>& holds) { return frames_until(session, holds); }
};

}  // namespace

TEST_CASE("a model that cannot be opened leaves a sentence that names the folder") {
  Session session(quiet());
  REQUIRE(frames_until(session, [&] { return !session.notices().empty(); }));
  CHECK(session.notices().front().error);
  CHECK(session.notices().front().text.find("/nowhere/at/all") != std::string::npos);
  CHECK(session.notices().front().text.find("opens instead") != std::string::npos);
}

TEST_CASE("a folder without a model says so, says what to choose, and changes nothing") {
  const ScratchFolder scratch;
  scratch.write("notes.txt", "nothing to open");
  SessionOptions options = quiet();
  options.model.clear();
  Session session(options);
  REQUIRE(frames_until(session, [&] { return session.result() != nullptr; }));
  const std::string folder = session.model()->folder;
  const auto before = session.result();
  session.apply({OpenModel{scratch.path(".")}});
  REQUIRE(frames_until(session, [&] { return !session.notices().empty(); }));
  const std::string& words = session.notices().front().text;
  CHECK(words.find("there is no model in this folder") != std::string::npos);
  CHECK(words.find("choose one that holds config.json") != std::string::npos);
  CHECK(session.notices().front().action == "Open another model");
  CHECK(session.model()->folder == folder);
  CHECK(session.result()->trace == before->trace);
}

TEST_CASE("the model that comes with the program is listed once, however it was opened") {
  SessionOptions options = quiet();
  options.model.clear();
  Session session(options);
  const ScratchFolder no_runs;
  REQUIRE(frames_until(session, [&] { return session.model() != nullptr; }));
  const std::string bundled = session.model()->folder;
  for (const std::string& way : {bundled, bundled + "/", bundled + "/../english-french"}) {
    session.apply({OpenModel{way}});
    REQUIRE(frames_until(session, [&] { return !session.working(); }));
    CHECK(session.settings().recent_models.empty());
    CHECK(session.model()->folder == bundled);
    const auto listed = list_models(no_runs.path(""), {way});
    CHECK(std::ranges::count_if(listed, [](const ListedModel& m) { return m.name == "English → French"; }) ==
          1);
  }
}

TEST_CASE("a new run shows its own held-out sentence before it has learned anything") {
  Reversing reversing;
  Session& session = reversing.session;
  REQUIRE(session.run().held_out.size() == 4);
  CHECK(session.scene().sentences.front().source == session.run().held_out.front().pair.source);
  CHECK(session.result()->snapshot->step == 0);
  CHECK(session.result()->target_origin == TargetOrigin::reference);
  CHECK(session.result()->source_words.back() == "<eos>");
  CHECK(session.result()->target_in_words.front() == "<bos>");
}

TEST_CASE("training moves the weights under the sentence that is open, and pausing stops them") {
  Reversing reversing;
  Session& session = reversing.session;
  const double loss_before = session.result()->trace->loss;
  session.apply({Train{}});
  REQUIRE(reversing.until([&] { return session.result()->snapshot->step > 60; }));
  CHECK(session.result()->trace->loss < loss_before);
  session.apply({PauseTraining{}});
  REQUIRE(reversing.until([&] { return session.run().phase == RunPhase::paused; }));
  const long step = session.run().step;
  REQUIRE(reversing.until([&] { return !session.working(); }));
  CHECK(session.run().step == step);
  CHECK(static_cast<long>(session.run().curves->steps.size()) == step);
}

TEST_CASE("one step is one step, and a reset repeats it bit for bit") {
  Reversing reversing;
  Session& session = reversing.session;
  session.apply({TrainOneStep{}});
  REQUIRE(reversing.until([&] { return session.run().step == 1; }));
  const float first = session.run().curves->steps.front().loss;
  session.apply({ResetTraining{}});
  REQUIRE(reversing.until([&] { return session.run().phase == RunPhase::ready; }));
  CHECK(session.run().step == 0);
  session.apply({TrainOneStep{}});
  REQUIRE(reversing.until([&] { return session.run().step == 1; }));
  CHECK(session.run().curves->steps.front().loss == first);
  session.apply({ResetTraining{.new_seed = true}});
  REQUIRE(reversing.until([&] { return session.run().phase == RunPhase::ready; }));
  session.apply({TrainOneStep{}});
  REQUIRE(reversing.until([&] { return session.run().step == 1; }));
  CHECK(session.run().curves->steps.front().loss != first);
}

TEST_CASE("what is typed is translated, and undo brings the sentence before back") {
  Reversing reversing;
  Session& session = reversing.session;
  const std::string before = session.scene().sentences.front().source;
  session.apply({SetSource{"a b c"}});
  REQUIRE(reversing.until([&] { return session.result()->scene.sentences.front().source == "a b c"; }));
  CHECK(session.result()->source_words == std::vector<std::string>{"a", "b", "c", "<eos>"});
  CHECK(session.result()->target_origin == TargetOrigin::model_output);
  session.apply({SetTarget{"c b a"}});
  REQUIRE(reversing.until([&] { return session.result()->target_origin == TargetOrigin::typed; }));
  CHECK(session.result()->target_out_words == std::vector<std::string>{"c", "b", "a", "<eos>"});
  session.apply({Undo{}, Undo{}});
  REQUIRE(reversing.until([&] { return session.result()->scene.sentences.front().source == before; }));
  CHECK_FALSE(session.can_undo());
  session.apply({Redo{}});
  CHECK(session.scene().sentences.front().source == "a b c");
}

TEST_CASE("a held-out sentence is shown as its file has it, with the letters that no piece knows") {
  const ScratchFolder scratch;
  NewRun run = reverse_run();
  run.data = DataOptions();
  run.data.training.corpus =
      scratch.write("train.tsv", "кошка спит\t猫睡觉\nкошка пьет\t猫喝\nдом стоит\t房子在\n");
  run.data.validation.corpus = scratch.write("held.tsv", "кошка пьёт молоко\t猫喝牛奶\n");
  run.data.tokenizer = TokenizerKind::character;
  run.config.max_length = 32;
  Session session(quiet());
  session.apply({run});
  REQUIRE(frames_until(session, [&] { return session.result() && session.run().phase == RunPhase::ready; }));
  REQUIRE_FALSE(session.run().held_out.empty());
  CHECK(session.run().held_out.front().pair.source == "кошка пьёт молоко");
  CHECK(session.scene().sentences.front().source == "кошка пьёт молоко");
  CHECK(session.result()->target_out_words == std::vector<std::string>{"猫", "喝", "牛", "奶", "<eos>"});
  CHECK(session.result()->target_pieces[2].unknown);
  CHECK(session.result()->target_in_words[3] == "牛");
}

TEST_CASE("nothing typed, too much typed and unknown words are said, and the last picture stays") {
  Reversing reversing;
  Session& session = reversing.session;
  const auto last = session.result();
  session.apply({SetSource{"   "}});
  REQUIRE(reversing.until([&] { return notice(session, Place::sentence) != nullptr; }));
  CHECK(notice(session, Place::sentence)->text.find("type a sentence") != std::string::npos);
  CHECK(session.result()->trace == last->trace);

  std::string long_text;
  for (int i = 0; i < 100; ++i) long_text += "a ";
  session.apply({SetSource{long_text}});
  REQUIRE(reversing.until([&] {
    return notice(session, Place::sentence) != nullptr &&
           notice(session, Place::sentence)->text.find("The sentence has 100 tokens, the model takes 15") !=
               std::string::npos;
  }));
  CHECK(session.result()->trace == last->trace);

  session.apply({SetSource{"a zebra b"}});
  REQUIRE(reversing.until([&] { return session.result()->trace != last->trace; }));
  REQUIRE(notice(session, Place::sentence) != nullptr);
  CHECK_FALSE(notice(session, Place::sentence)->error);
  CHECK(notice(session, Place::sentence)->text.find("zebra") != std::string::npos);
  CHECK(session.result()->source_words[1] == "zebra");

  session.apply({SetSource{"A zebra b gnu elk a yak emu zebra"}});
  REQUIRE(reversing.until([&] {
    return notice(session, Place::sentence) != nullptr &&
           notice(session, Place::sentence)->text.find("“zebra”, “gnu”, “elk” and 2 more are not among") !=
               std::string::npos;
  }));
  CHECK(notice(session, Place::sentence)->text.starts_with("Read as “a zebra b"));
}

TEST_CASE("capitals that the model never saw are read small, and the screen says so") {
  Reversing reversing;
  Session& session = reversing.session;
  session.apply({SetSource{"A b C"}});
  REQUIRE(reversing.until([&] { return session.result()->scene.sentences.front().source == "A b C"; }));
  CHECK(session.result()->source_read == "a b c");
  REQUIRE(notice(session, Place::sentence) != nullptr);
  CHECK(notice(session, Place::sentence)->text.find("“a b c”") != std::string::npos);
}

TEST_CASE("a what-if keeps the untouched trace beside the changed one") {
  Reversing reversing;
  Session& session = reversing.session;
  CHECK(session.result()->trace == session.result()->untouched);
  WhatIf what_if;
  what_if.changes.push_back(change_of(ChangeKind::causal_mask_off));
  session.apply({SetWhatIf{what_if}});
  REQUIRE(reversing.until([&] { return session.result()->trace != session.result()->untouched; }));
  const Plane changed = session.result()->trace->plane("decoder.layers.0.self_attn.weights");
  const Plane untouched = session.result()->untouched->plane("decoder.layers.0.self_attn.weights");
  CHECK(untouched(0, 1) == 0);
  CHECK(changed(0, 1) > 0);
}

TEST_CASE("hovering lasts one round of commands, a pin until it is cleared") {
  Reversing reversing;
  Session& session = reversing.session;
  Selection selection = session.pinned();
  selection.query = 2;
  session.apply({SetHover{selection}});
  CHECK(session.hovering());
  CHECK(session.shown().query == 2);
  session.apply({});
  CHECK_FALSE(session.hovering());
  session.apply({SetPin{selection}});
  session.apply({});
  CHECK(session.shown().query == 2);
  session.apply({ClearPin{}});
  CHECK_FALSE(session.shown().query.has_value());
}

TEST_CASE("the preview of data counts what is kept, and a file that is not there is said") {
  Session session(quiet());
  DataOptions data;
  data.training.task = "dates";
  data.training.pairs = 300;
  session.apply({ReadData{data}});
  REQUIRE(frames_until(session, [&] { return session.preview() != nullptr && !session.preview()->reading; }));
  REQUIRE(session.preview()->data != nullptr);
  CHECK(session.preview()->data->report.kept == 300);
  data.training = {};
  data.training.corpus = "/nowhere/pairs.tsv";
  session.apply({ReadData{data}});
  REQUIRE(frames_until(session, [&] { return !session.preview()->reading; }));
  CHECK(session.preview()->error.find("/nowhere/pairs.tsv") != std::string::npos);
  CHECK(session.preview()->data == nullptr);
}
