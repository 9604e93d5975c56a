// The Studies view: claim, verdict, dots and table of studies of the test's own.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/figure/describe.h"
#include "app/views/studies/studies.h"
#include "tests/scratch_folder.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer::studies_view_test {

constexpr const char* kStudy =
    "title = Width of heads\n"
    "claim = Four heads are better than one.\n"
    "source = Somebody, section 2\n"
    "expect = 60 %, a guess\n"
    "base = --task copy --preset nano --steps 10\n"
    "vary heads = 1, 4\n"
    "seeds = 1, 2, 3\n"
    "test = held-out 10\n"
    "measure = exact, loss\n"
    "verdict = loss of \"heads 4\" below loss of \"heads 1\"\n"
    "verdict = exact of \"heads 4\" above exact of \"heads 1\"\n";
constexpr const char* kResults =
    "setting,seed,steps,exact,loss,seconds,processor,version\n"
    "heads 1,1,10,40,0.9,2,some,1\nheads 1,2,10,42,0.92,2,some,1\nheads 1,3,10,41,0.88,2,some,1\n"
    "heads 4,1,10,60,0.5,3,some,1\nheads 4,2,10,30,0.54,3,some,1\nheads 4,3,10,45,0.51,3,some,1\n";

// Four: run, not run, with broken results, and one that is no study.
struct Studies : ScratchFolder {
  Studies() {
    const auto titled = [](const std::string& title) {
      return "title = " + title + std::string(kStudy).substr(std::string(kStudy).find('\n'));
    };
    write("a.study", kStudy);
    write("a.csv", kResults);
    write("b.study", titled("Later"));
    write("c.study", titled("Torn"));
    write("c.csv", "setting,seed\nheads 1,1\n");
    write("d.study", "title = Half\n");
  }
  std::string folder() const { return path(""); }
  StudyEntry entry(std::size_t index) const { return read_studies(folder())[index]; }
};

struct Stage : Studies {
  SampleScene scene = make_sample_scene();
  ViewStage stage;
  explicit Stage(Point size = {1000, 660}) : stage("studies", scene, size) {
    stage.view().set(kStudiesFolder, folder());
    stage.frames();
  }

  std::string words() { return text_of(described(stage.view(), scene.input())); }
  bool draws(const std::string& text) {
    const RecordingCanvas canvas = drawn(stage.view(), scene);
    return std::ranges::any_of(canvas.texts,
                               [&](const auto& each) { return each.text.find(text) != std::string::npos; });
  }
};

TEST_CASE("a study shows its claim, its verdict in the words of the engine, and a dot a run") {
  Stage at;
  const StudyEntry entry = at.entry(0);
  CHECK(at.draws("“" + entry.kept.study.claim + "”"));
  CHECK(at.draws("60 %, a guess"));
  CHECK(at.draws("Holds in part"));
  for (const StudyRule& rule : entry.kept.study.rules) {
    const std::string sentence = rule_result(entry.kept.study, entry.kept.runs, rule).sentence;
    CHECK(at.draws(sentence.substr(0, 60)));  // the rest may be on its second line
    CHECK(at.words().find(sentence) != std::string::npos);
  }
  const auto labels = at.stage.labels();
  CHECK(std::ranges::count_if(labels, [](const auto& each) { return each.starts_with("dot "); }) ==
        std::ssize(entry.kept.runs));
  CHECK(at.stage.find("dot heads 4, seed 2")->value == "0.540");
}

TEST_CASE("the dot under the mouse says its setting, seed and number, in the picture and the inspector") {
  Stage at;
  REQUIRE(at.stage.set("Measure", "exact match"));  // it begins with that of the first verdict
  REQUIRE(at.stage.hover("dot heads 4, seed 2"));
  at.stage.frames();
  CHECK(at.draws("heads 4, seed 2: 30.0 %"));
  const InspectorPage page = inspector_page(at.stage.view(), at.scene.input());
  CHECK(page.subject == "**heads 4**, seed 2");
  CHECK(page.value == "30.0 %");
  at.stage.move_to({5, 5});
  at.stage.frames();
  CHECK_FALSE(at.draws("heads 4, seed 2: 30.0 %"));
}

TEST_CASE("figure and table are described each by its own numbers") {
  Stage at;
  REQUIRE(at.stage.set("Measure", "exact match"));
  const auto tables = at.stage.view().numbers(at.scene.input());
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].values[1][0] == doctest::Approx(45));
  CHECK(tables[1].rows.size() == 6);
  CHECK(tables[1].values[4] == std::vector<double>{30, 0.54});
  CHECK(at.stage.view().caption(at.scene.input()).find("one dot per seed") != std::string::npos);
  REQUIRE(at.stage.click("Studies page: Table"));
  CHECK(at.draws("45.0 ± 15.0"));
  const auto table = at.stage.view().numbers(at.scene.input());
  REQUIRE(table.size() == 1);
  CHECK(table[0].values[1][1] == doctest::Approx(15));
  CHECK(at.stage.view().caption(at.scene.input()).find("Mean and deviation") != std::string::npos);
}

TEST_CASE("words and figures name no model, sentence or step: the runs are others") {
  Stage at;
  CHECK(at.words().find("The weights are") == std::string::npos);
  CHECK(at.words().find("The sentence is") == std::string::npos);
  CHECK(at.stage.view().traits().numbers_from == "glassformer study a --run");
  const InspectorPage page = inspector_page(at.stage.view(), at.scene.input());
  REQUIRE(page.sections.size() == 2);
  CHECK(page.sections[0].text == "Trained with --task=copy --preset=nano --steps=10 --test-pairs=10.");
  CHECK(page.sections[1].text.starts_with("The mean of minus the logarithm"));
}

TEST_CASE("where there is no room for every head, the means of several are drawn") {
  Stage at;
  std::string heads;
  for (int layer = 1; layer <= 3; ++layer)
    for (int head = 1; head <= 9; ++head)
      heads += ", lost cross " + std::to_string(layer) + "." + std::to_string(head);
  const ScratchFolder other;
  other.write("e.study", "title = Heads\nclaim = C.\nsource = S\nexpect = 5 %, no\nmeasure = lost cross" +
                             heads +
                             "\nbase = --task copy\nvariant \"whole\" =\nseeds = 1\ntest = held-out 5\n"
                             "verdict = lost cross of \"whole\" above 1\n");
  std::string columns = "setting,seed,steps,lost cross" + heads, values = "whole,1,3,5";
  for (std::size_t at_comma = columns.find(", "); at_comma != std::string::npos;
       at_comma = columns.find(", "))
    columns.replace(at_comma, 2, ",");
  for (int i = 0; i < 27; ++i) values += "," + std::to_string(i);
  other.write("e.csv", columns + ",seconds,processor,version\n" + values + ",2,some,1\n");
  at.stage.view().set(kStudiesFolder, other.path(""));
  at.stage.frames();
  StudyScene scene{.all = std::make_shared<StudyList>(read_studies(other.path(""))), .hovered = {}};
  REQUIRE(scene.entry().problem == "");
  CHECK(scene.bands().size() == 28);
  scene.only_means = true;
  REQUIRE(scene.bands().size() == 1);
  CHECK(scene.bands()[0].name == "one head of cross");
  CHECK(in_lines(complaints(at.stage.view(), at.scene.input(), Shapes::few)) == "");
}

TEST_CASE("one not run yet says so in one sentence, and broken files say what is wrong with them") {
  Stage at;
  REQUIRE(at.stage.set("Study", "Later"));
  CHECK(at.draws("Not run yet"));
  CHECK(at.words().find("2 settings, each with 3 seeds, are to be trained") != std::string::npos);
  CHECK_FALSE(at.stage.has("study dots"));
  REQUIRE(at.stage.set("Study", "Torn"));
  CHECK(at.draws("No results"));
  CHECK(at.words().find("c.csv:1: expected the columns") != std::string::npos);
  REQUIRE(at.stage.set("Study", "d"));
  CHECK(at.words().find("d.study:") != std::string::npos);
  REQUIRE(at.stage.set("Study", "Width of heads"));
  CHECK(at.stage.has("study dots"));
  CHECK(read_studies(at.path("nowhere")).front().problem.ends_with('.'));
}

TEST_CASE("every study and page is whole at every size, with and without results") {
  Stage at;
  for (const StudyEntry& entry : read_studies(at.folder())) {
    REQUIRE(at.stage.view().set("Study", entry.title));
    for (const char* const page : {"Figure", "Table"}) {
      CAPTURE(entry.title);
      CAPTURE(std::string(page));
      REQUIRE(at.stage.view().set("Studies page", page));
      CHECK(in_lines(complaints(at.stage.view(), at.scene.input(), Shapes::few)) == "");
    }
  }
}

TEST_CASE("runs made here have a verdict when all of them are there") {
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  const Studies studies;
  setenv("XDG_CACHE_HOME", studies.path("cache").c_str(), 1);
  const std::string results = kResults, folder = studies_folder("a");
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& text) { std::ofstream(folder + "/a.csv") << text; };
  write(results.substr(0, results.find("heads 4")));
  CHECK_FALSE(studies.entry(0).here);
  write(results);
  REQUIRE(studies.entry(0).here);
  CHECK(studies.entry(0).here == studies.entry(0).verdicts());
  before == nullptr ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", kept.c_str(), 1);
}

TEST_CASE("a picture of the dots alone says what each rule came to, where it has room") {
  Stage at;
  const auto with_rules = [&](float height) {
    RecordingCanvas canvas;
    at.stage.view().panel("dots", canvas, at.scene.input(), {0, 0, 900, height});
    return says(canvas, "a difference of");
  };
  CHECK(with_rules(600));
  CHECK_FALSE(with_rules(120));
}

TEST_CASE("the studies that come with the program are read, and a lesson can choose one and its measure") {
  const SampleScene scene = make_sample_scene();
  const auto view = make_view("studies");
  for (const StudyEntry& entry : read_studies({})) {
    CHECK_MESSAGE(entry.problem.empty(), entry.problem);
    REQUIRE(view->set("Study", entry.title));
    CHECK(view->caption(scene.input()).starts_with(entry.title));
    CHECK(view->set("Measure", entry.kept.study.measures.back().words));
    CHECK(in_lines(complaints(*view, scene.input(), Shapes::few)) == "");
  }
  CHECK_FALSE(view->set("Study", "of nobody"));
}

}  // namespace glassformer::studies_view_test
