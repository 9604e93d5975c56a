// The quiet first screen, and panels that fold.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "app/format/number_format.h"
#include "app/panels/start_page.h"
#include "app/reading/attention_table.h"
#include "app/session/paths.h"
#include "engine/files/read_file.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

namespace start_page_test {
namespace {

OffscreenOptions quiet(Point size = {1600, 1000}) {
  return {.size = size, .quiet = true, .threads = 1};
}

constexpr const char* kPanels[] = {"the map", "the inspector", "training", "words and decoding"};

// No two widgets that can be pressed lie over one another, and all lie in the window.
void check_apart(OffscreenProgram& program, Point window) {
  std::vector<std::pair<std::string, Rect>> buttons;
  for (const std::string& label : program.labels()) {
    const auto widget = program.find(label);
    if (!widget || (widget->kind != "button" && widget->kind != "field") || widget->rect.width <= 0) continue;
    CAPTURE(label);
    CHECK(widget->rect.x >= -0.5f);
    CHECK(widget->rect.right() <= window.x + 0.5f);
    CHECK(widget->rect.bottom() <= window.y + 0.5f);
    for (const auto& [other, rect] : buttons) {
      const std::string neighbour = other;
      CAPTURE(neighbour);
      const bool apart = widget->rect.right() <= rect.x + 0.5f || rect.right() <= widget->rect.x + 0.5f ||
                         widget->rect.bottom() <= rect.y + 0.5f || rect.bottom() <= widget->rect.y + 0.5f;
      CHECK(apart);
    }
    buttons.emplace_back(label, widget->rect);
  }
}

}  // namespace

TEST_CASE("who has no settings yet begins with the first screen, who has been here with the whole window") {
  {
    SettledProgram program({.quiet = std::nullopt, .keep_settings = true, .threads = 1});
    CHECK(program.text("start title") ==
          "Type an English sentence and see what the model reads for each French word");
    CHECK(program.visible("Whole window"));
    CHECK_FALSE(program.visible("Train"));
    CHECK(program.find("English sentence")->focused);
    press(program, ui::Key::f2);
    CHECK(program.visible("Train"));
    CHECK_FALSE(program.visible("start title"));
    CHECK(program.session().close().empty());
  }
  OffscreenProgram again({.quiet = std::nullopt, .keep_settings = true, .threads = 1});
  CHECK(again.visible("Train"));  // in the first frame
  settle(again);
  again.press(ui::Key::f2);
  again.frame(3);
  CHECK(again.visible("start title"));
  CHECK(again.session().settings().quiet);
}

TEST_CASE("settings of an older version and broken ones begin with the whole window") {
  for (const char* const text : {"{\"dark\": true}", "{\"dark\": tr", "[1]"}) {
    CAPTURE(text);
    renew_home();
    std::filesystem::create_directories(settings_file().parent_path());
    std::ofstream(settings_file(), std::ios::binary) << text;
    OffscreenProgram program({.quiet = std::nullopt, .keep_settings = true, .threads = 1});
    CHECK(program.visible("Train"));
    CHECK(program.visible("Fold the map"));
  }
}

TEST_CASE("the sentence tells of the heaviest link that is not straight, of what is pointed at, of the pin") {
  SettledProgram program(quiet());
  const SceneResult& shown = *program.session().result();
  const Config& config = shown.snapshot->config;
  const AttentionTable table =
      attention_table(*shown.trace, AttentionKind::cross, config.decoder_layers - 1, 0, 0);
  const int rows = static_cast<int>(shown.target_out_words.size()) - 1,
            columns = static_cast<int>(shown.source_words.size()) - 1;
  int row = 0, column = 0;
  float most = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (i != j && table.at(i, j) > most) most = table.at(i, j), row = i, column = j;
  const auto says = [&](int query, int key) {
    return "To write **" + shown.target_out_words[static_cast<std::size_t>(query)] + "** the model read **" +
           shown.source_words[static_cast<std::size_t>(key)] +
           "**: " + format_percent(static_cast<double>(table.at(query, key)), 1) +
           " of the attention of this head.";
  };
  CHECK(program.text("start sentence") == says(row, column));
  for (const int query : {0, rows - 1}) {
    REQUIRE(program.hover("start query " + std::to_string(query)));
    program.frame(3);
    int best = 0;
    for (int key = 1; key < columns; ++key)
      if (table.at(query, key) > table.at(query, best)) best = key;
    CHECK(program.text("start sentence") == says(query, best));
  }
  REQUIRE(program.click("start query 0"));
  program.move({2, 500});
  program.frame(3);
  CHECK(program.text("start sentence").starts_with("To write **" + shown.target_out_words.front() + "**"));
}

TEST_CASE("a word that read the end of the sentence most has a ribbon to the end, and says so") {
  StartScene scene{.reads = {"n", "(end)"}, .writes = {"aime"}, .weights = {0.002f, 0.998f}, .key = 1};
  CHECK(scene.shows_end());
  CHECK(
      scene.sentence() ==
      "To write **aime** the model read the **end** of the sentence: 99.8 % of the attention of this head.");
  CHECK(scene.short_sentence() == "**aime** read the sentence’s **end**, 99.8 %");
  scene.key = 0;
  CHECK(scene.short_sentence() == "**aime** read **n**, 0.2 %");
  CHECK(
      scene.sentence() ==
      "To write **aime** the model gave **n** 0.2 % of the attention of this head, and **(end)** the most.");

  // The end is there where a word reads it most, and nowhere else; pinned, it is explained, and the head is
  // named that reads a word most in its place.
  int with_end = 0, without = 0;
  for (const char* sentence : {"I like my little dog", "the tired girl sees a red car",
                               "the cat drank the milk", "they are happy because they like the book"}) {
    const auto bundled = bundled_scene(sentence);
    REQUIRE(bundled);
    const StartScene start = start_scene(bundled->input());
    const Config& config = bundled->snapshot->config;
    const AttentionTable table =
        attention_table(*bundled->result->trace, AttentionKind::cross, config.decoder_layers - 1, 0, 0);
    bool reads_end = false;
    for (int row = 0; row < std::ssize(start.writes); ++row) {
      float most = 0;
      for (int column = 0; column + 1 < table.columns; ++column) most = std::max(most, table.at(row, column));
      reads_end = reads_end || table.at(row, table.columns - 1) > most;
    }
    CHECK(start.shows_end() == reads_end);
    CHECK(std::ssize(start.reads) == table.columns - (reads_end ? 0 : 1));
    (reads_end ? with_end : without)++;
    CHECK(start.weights.size() == start.reads.size() * start.writes.size());
    CHECK_FALSE(start.reads_end());  // the first one to look at is a word
    CHECK(start.caption().starts_with("A ribbon is attention"));
    if (!reads_end) continue;
    Selection end = start.head;
    end.key = table.columns - 1;
    const ViewInput input = bundled->input();
    const ViewInput pinned{input.result, input.snapshot, input.tokenizers, input.run, end, end};
    const StartScene at_end = start_scene(pinned);
    REQUIRE(at_end.reads_end());
    std::string says;
    double most = 0;
    for (int layer = 0; layer < config.decoder_layers; ++layer)
      for (int head = 0; head < config.heads; ++head) {
        if (layer == start.head.layer && head == start.head.head) continue;
        const AttentionTable other =
            attention_table(*bundled->result->trace, AttentionKind::cross, layer, head, 0);
        for (int key = 0; key + 1 < other.columns; ++key)
          if (const auto weight = static_cast<double>(other.at(at_end.query, key)); weight > most) {
            most = weight;
            says = "(end) is the mark behind the last word. Another head reads a word here: layer " +
                   std::to_string(layer + 1) + " head " + std::to_string(head + 1) + " read “" +
                   at_end.reads[static_cast<std::size_t>(key)] + "”, " + format_percent(weight, 1) + ".";
          }
      }
    CHECK(at_end.caption() == says);
  }
  CHECK(with_end > 0);
  CHECK(without > 0);
}

TEST_CASE("All heads leads to the heatmaps of the whole window, with the pin") {
  SettledProgram program(quiet());
  const Config& config = program.session().snapshot()->config;
  const std::string all =
      "All " + std::to_string((config.encoder_layers + 2 * config.decoder_layers) * config.heads) + " heads";
  REQUIRE(program.click(all));
  settle(program);
  CHECK_FALSE(program.visible("start title"));
  CHECK(program.program().shell().open_view() == "attention");
  for (const char* const folded : {"Unfold the map", "Unfold the inspector", "Unfold training"})
    CHECK_MESSAGE(program.visible(folded), folded);
  CHECK(program.session().pinned().query.has_value());
  // As many as it says: a head of each attention answers.
  click(program, "encoder layer 1 head 2");
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
  CHECK(program.session().pinned().head == 1);
  click(program, "decoder layer 2 head 1");
  CHECK(program.session().pinned().kind == AttentionKind::decoder);
}

TEST_CASE("the whole window says the way back to the first screen") {
  for (const Point size : {Point{1024, 768}, Point{1600, 1000}}) {
    SettledProgram program(quiet(size));
    CHECK_FALSE(program.visible("First screen"));
    press(program, ui::Key::f2);
    check_apart(program, size);
    click(program, "First screen");
    CHECK(program.visible("start title"));
  }
}

TEST_CASE("the first screen has no word of the field that it does not explain") {
  SettledProgram program(quiet());
  for (const std::string& label : program.labels())
    for (const char* const word : {"softmax", "argmax"}) {
      CAPTURE(label);
      CHECK_FALSE(contains(program.text(label), word));
    }
  for (const char* const name : {"Unfold training", "Unfold words and decoding"}) {
    REQUIRE(program.hover(name));
    program.frame(60);
    CHECK_FALSE(program.text("tooltip").empty());
  }
}

TEST_CASE("a sentence that is typed is translated, and a refusal is said") {
  SettledProgram program(quiet());
  const std::string before = program.text("start sentence");
  REQUIRE(program.type("English sentence", "the black cat drinks the cold milk"));
  program.press(ui::Key::enter);
  settle(program);
  CHECK(program.text("start sentence") != before);
  CHECK(program.session().scene().sentences.front().source == "the black cat drinks the cold milk");
  CHECK(program.visible("start title"));
  press(program, ui::Key::escape);
  CHECK_FALSE(program.find("English sentence")->focused);
}

TEST_CASE("the first way takes the lesson that is next, and its end leads back") {
  SettledProgram program(quiet());
  LessonGuide lessons;
  Settings settings;
  CHECK(lesson_way(lessons, settings).title == "Lesson 1, five minutes");
  const std::string own = "the black cat drinks the cold milk";
  REQUIRE(program.type("English sentence", own));
  program.press(ui::Key::enter);
  settle(program);
  REQUIRE(program.click("Lesson 1, five minutes"));
  REQUIRE(program.wait([&] { return program.visible("lesson page"); }));
  CHECK_FALSE(program.visible("start title"));
  CHECK_FALSE(program.visible("Fold the map"));
  settle(program);
  REQUIRE(program.click("Leave the lesson"));
  REQUIRE(program.wait([&] { return program.visible("start title"); }));
  settle(program);
  program.frame(4);
  CHECK(program.session().scene().sentences.front().source == own);
  CHECK(program.find("English sentence")->value == own);
  CHECK(program.find("English sentence")->focused);
  for (const ListedLesson& each : lessons.all())
    if (!each.own) remember_lesson(settings, {.file = each.name(), .pages = 1, .done = true});
  CHECK(lesson_way(lessons, settings).title == "All lessons");
}

TEST_CASE("every panel folds and unfolds, in the first screen and in the whole window") {
  for (const bool first : {true, false}) {
    CAPTURE(first);
    SettledProgram program({.quiet = first, .threads = 1});
    for (const char* const panel : kPanels) {
      CAPTURE(panel);
      const std::string fold = std::string("Fold ") + panel, unfold = std::string("Unfold ") + panel;
      CHECK(program.visible(first ? unfold : fold));
      for (int twice = 0; twice < 2; ++twice) {
        const bool folded = program.visible(unfold);
        REQUIRE(program.click(folded ? unfold : fold));
        program.frame(1);  // unfolding takes one frame
        CHECK(program.visible(unfold) == !folded);
        CHECK(program.visible(fold) == folded);
      }
    }
  }
}

TEST_CASE("what is folded is remembered, and F2 brings everything") {
  {
    SettledProgram program({.quiet = std::nullopt, .keep_settings = true, .threads = 1});
    press(program, ui::Key::f2);
    click(program, "Fold the map");
    CHECK(program.session().close().empty());
  }
  OffscreenProgram again({.quiet = std::nullopt, .keep_settings = true, .threads = 1});
  CHECK(again.visible("Unfold the map"));
  CHECK(again.visible("Fold the inspector"));
  settle(again);
  again.press(ui::Key::f2);
  again.frame(2);
  again.press(ui::Key::f2);
  again.frame(2);
  CHECK(again.visible("Fold the map"));
}

TEST_CASE("in every size what can be pressed keeps apart and lies in the window") {
  for (const auto& [size, scale] : {std::pair{Point{1600, 1000}, 1.0}, std::pair{Point{1024, 768}, 1.0},
                                    std::pair{Point{1600, 1000}, 2.0}, std::pair{Point{1024, 768}, 2.5}}) {
    const Point window = size;
    const double enlarged = scale;
    CAPTURE(window.x);
    CAPTURE(enlarged);
    SettledProgram program({.size = size, .scale = scale, .quiet = true, .threads = 1});
    check_apart(program, {size.x / static_cast<float>(scale), size.y / static_cast<float>(scale)});
    CHECK(program.visible("Watch one learn"));
  }
}

TEST_CASE("a session brings back the window that it was saved in, with its open panels") {
  struct Window {
    bool first;
    const char* view;
    std::vector<int> turned;  // of the panels: unfolded in the first screen, folded in the whole window
    const char* line;
    bool at_start;  // it is opened with the program, and not in a window of the other kind
  };
  const std::vector<Window> windows = {
      {true, "output", {0}, "\nwindow quiet map\n", true},
      {true, "attention", {1, 2, 3}, "\nwindow quiet inspector training words\n", false},
      {false, "output", {}, nullptr, false},
      {false, "attention", {0, 3}, "\nwindow whole inspector training\n", true},
      {false, "masks", {0, 1, 2, 3}, "\nwindow whole\n", false},
  };
  for (const Window& window : windows) {
    CAPTURE(window.first);
    CAPTURE(window.turned.size());
    const Home& home = renew_home();
    const std::string file = home.scratch.path("kept.glassformer");
    const auto options = [&](bool first) {
      return OffscreenOptions{.view = window.view, .quiet = first, .threads = 1};
    };
    {
      SettledProgram program(options(window.first));
      for (const int panel : window.turned) {
        click(program, std::string(window.first ? "Unfold " : "Fold ") + kPanels[panel]);
      }
      press(program, ui::Key::save);
      REQUIRE(program.type("Session file", file));
      program.press(ui::Key::enter);
      REQUIRE(program.wait([&] { return std::filesystem::exists(file); }));
    }
    const std::string lines = read_file(file);
    CHECK(lines.find(window.line ? window.line : "\nwindow ") == lines.find("\nwindow "));
    OffscreenOptions other = options(!window.first);
    if (window.at_start) other.session = file;
    SettledProgram program(other);
    if (!window.at_start) program.program().dropped({file});
    program.frame(3);
    REQUIRE(program.wait([&] { return !program.program().shell().opening_session(); }));
    settle(program);
    CHECK(program.visible("start title") == window.first);
    CHECK(program.program().shell().open_view() == window.view);
    for (int panel = 0; panel < 4; ++panel) {
      CAPTURE(kPanels[panel]);
      const bool open = std::ranges::count(window.turned, panel) == (window.first ? 1 : 0);
      CHECK(program.visible(std::string("Fold ") + kPanels[panel]) == open);
      CHECK(program.visible(std::string("Unfold ") + kPanels[panel]) == !open);
    }
    std::filesystem::remove(file);
    press(program, ui::Key::save);
    REQUIRE(std::filesystem::exists(file));
    // Behind them only controls of what this window drew before.
    CHECK(read_file(file).starts_with(lines));
  }
}

TEST_CASE("the first screen in words has its sentence, a line a word and the ways on") {
  SettledProgram program(quiet());
  press(program, ui::Key::describe);
  const std::string words = program.text("description text");
  CHECK(contains(words, program.session().result()->translation));
  CHECK(contains(words, "to write fatiguée, layer 2 head 1 read tired, 0.99"));
  CHECK(contains(words, "F3: Lesson 1, five minutes"));
  CHECK(contains(words, "F4: Watch one learn"));
}

}  // namespace start_page_test
