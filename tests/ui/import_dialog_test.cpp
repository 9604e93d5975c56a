// A model of another program, from the drop on the window to an id.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "app/format/number_format.h"
#include "engine/files/json_file.h"
#include "engine/import/model_import.h"
#include "tests/source_folder.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

namespace {

std::string fixture(const std::string& name) {
  return source_folder() + "/tests/fixtures/import/" + name;
}

// The report is on screen.
void read_report(OffscreenProgram& program, const std::string& path) {
  program.program().dropped({path});
  REQUIRE(program.wait([&] {
    program.frame(1);
    return program.visible("import kind") || program.visible("import error");
  }));
}

bool says(OffscreenProgram& program, const char* what, const std::string& part) {
  const std::string text = program.text(what);
  if (text.find(part) == text.npos) MESSAGE(text);
  return text.find(part) != text.npos;
}

// What leads from an attention weight to an id: its operand that is no weight, and so on.
struct Stage {
  std::string name;
  int operands;      // that One cell leads to; masks are rules
  const char* said;  // by the inspector
};
const std::vector<Stage> kWayToId = {
    {"decoder.layers.0.cross_attn.weights", 1, "it takes under 0.1 % from “bird”"},
    {"decoder.layers.0.cross_attn.masked_scores", 1, "“▁” may look at “bird”."},
    {"decoder.layers.0.cross_attn.scores", 1, "Divided by √k"},
    {"decoder.layers.0.cross_attn.dot_products", 2, "Here “▁” gives “bird” under 0.1 % of its attention."},
    {"decoder.layers.0.cross_attn.key", 3, "The key is what “bird” can be found by in this head."},
    {"memory", 1, "What the encoder found out about “bird”"},
    {"encoder.layers.1.output", 1, "What layer 2 hands on about “bird”."},
    {"encoder.layers.1.norm2", 3, "The row of “bird” is moved to mean 0 and deviation 1"},
    {"encoder.layers.1.residual2", 2, "The sublayer adds to what was there before"},
    {"encoder.layers.1.norm1", 3, "The row of “bird” is moved to mean 0 and deviation 1"},
    {"encoder.layers.1.residual1", 2, "The sublayer adds to what was there before"},
    {"encoder.layers.0.output", 1, "What layer 1 hands on about “bird”."},
    {"encoder.layers.0.norm2", 3, "The row of “bird” is moved to mean 0 and deviation 1"},
    {"encoder.layers.0.residual2", 2, "The sublayer adds to what was there before"},
    {"encoder.layers.0.norm1", 3, "The row of “bird” is moved to mean 0 and deviation 1"},
    {"encoder.layers.0.residual1", 2, "The sublayer adds to what was there before"},
    {"source.input", 2, "Word and place in one vector"},
    {"source.embedding", 1, "Every “bird” starts with the same numbers"},
    {"source.lookup", 2, "Every “bird” starts with the same numbers"},
    {"source.ids", 0, "looks each up in its vocabulary"},
};

void open_weight(OffscreenProgram& program, const std::string& link) {
  apply(program, {OpenView{"attention"}});
  click(program, "cross layer 1 head 1 query 1 key 8");
  click(program, link);
}

int operands_to_click(OffscreenProgram& program) {
  return static_cast<int>(std::ranges::count_if(
      program.labels(), [](const auto& label) { return label.starts_with("operand "); }));
}

// The whole label of a row: "2.1".
std::string inspector_row(OffscreenProgram& program, const std::string& number) {
  for (const std::string& label : program.labels())
    if (label.starts_with("inspector row " + number + " ")) return label;
  return "no row " + number;
}

// From stage to stage, by a click on what `next` names; the open number is what the engine computed.
void follow(OffscreenProgram& program, const std::function<std::string(const Stage&)>& next) {
  const Trace& trace = *program.session().result()->trace;
  for (const Stage& stage : kWayToId) {
    CAPTURE(stage.name);
    program.move({5, 5});
    settle(program);
    REQUIRE(program.session().pinned().cell);
    const CellRef at = *program.session().pinned().cell;
    REQUIRE(at.name == stage.name);
    CHECK(program.text("inspector name") == stage.name);
    CHECK(says(program, "inspector meaning", stage.said));
    CHECK(says(program, "inspector subject", "bird"));
    if (const Tensor* const tensor = trace.find(at.name))
      CHECK(program.text("inspector value") == value_text(tensor->at(at.index)));
    const std::string link = next(stage);
    if (stage.name != kWayToId.back().name) click(program, link);
  }
}

}  // namespace

TEST_CASE("a Marian folder is dropped, its report read, and it translates; a weight leads to an id") {
  OffscreenProgram program({});
  begin_bundled(program);
  read_report(program, fixture("marian/bin-f16"));
  CHECK(program.text("dialog") == "Open a model from elsewhere");
  CHECK(program.text("import kind") == "MarianMT, as Hugging Face keeps it");
  CHECK(says(program, "import summary", format_count(32461) + " weights, 2 + 1 layers, d 32, 4 heads"));
  CHECK(says(program, "import summary", "reads and writes text"));
  CHECK(says(program, "import row target_embedding.weight", "77 × 32"));
  click(program, "Open the import");
  REQUIRE(program.wait([&] { return program.session().snapshot()->config.d_model == 32; }));
  REQUIRE(program.settle());

  // What was on screen is read by it too.
  CHECK(program.session().scene().sentences.front().source == "the tired girl sees a red car");
  translate(program, ">>fr<< the old bird sees the dog");
  const auto result = program.session().result();
  REQUIRE(result);
  CHECK(result->translation == "le oiseau vieux voit le chien");
  CHECK(result->trace->source.front() ==
        std::vector<int>{21, 7, 11, 22, 34, 7, 23, 9, 71, 67, 34, 34, 54, 7, 11, 22, 34, 35, 0});
  CHECK(result->trace->target_in.front().front() == 76);  // it starts with padding

  // The weight of ▁ at ▁bird, and the way back to an id: by the operands in One cell ...
  const int bird = read_json(fixture("marian/bin-f16/vocab.json")).at("\u2581bird");
  open_weight(program, "Term by term");
  follow(program, [&](const Stage& at) {
    CHECK(operands_to_click(program) == at.operands);                      // no dead end
    return at.name.ends_with("dot_products") ? "operand 1" : "operand 0";  // the key, not the query
  });
  CHECK(says(program, "breadcrumb",
             "A [▁, bird] > S′ [▁, bird] > S [▁, bird] > D [▁, bird] > K [bird, 0] > Y"));
  CHECK(program.text("inspector value") == std::to_string(bird));
  // ... where the table is beside it, and has its row there,
  press(program, ui::Key::backspace);
  click(program, "operand 1");
  REQUIRE(program.session().pinned().cell);
  const CellRef entry = *program.session().pinned().cell;
  CHECK(entry.name == "target_embedding.weight");
  CHECK(entry.index.front() == bird);
  CHECK(program.text("inspector value") ==
        value_text(program.session().snapshot()->weights->source_table()(bird, entry.index.back())));
  CHECK(operands_to_click(program) == 0);

  // ... and by the rows of the inspector in the Walk.
  open_weight(program, "How was this computed?");
  follow(program, [&](const Stage& at) {
    return inspector_row(program, at.name.ends_with("cross_attn.weights") ? "3.1"
                                  : at.name.ends_with("dot_products")     ? "2.2"
                                                                          : "2.1");
  });
  CHECK(program.text("inspector value") == std::to_string(bird));
}

TEST_CASE("a wrong number of heads is typed right in the report, and a refusal says why") {
  OffscreenProgram program({});
  REQUIRE(program.settle());
  read_report(program, fixture("tutorial/strided.pt"));
  CHECK(program.text("import kind") == "PyTorch's tutorial on nn.Transformer");
  CHECK(says(program, "import summary", "8 heads; ids go in and out"));
  CHECK(says(program, "import row heads: 8", "does not say how many"));
  const auto reread = [&](const std::string& field, const std::string& value) {
    REQUIRE(program.type(field, value));
    program.press(ui::Key::enter);
    REQUIRE(program.wait([&] {
      program.frame(1);
      return program.visible("import kind") || program.visible("import error");
    }));
  };
  reread("Heads", "4");
  CHECK(says(program, "import summary", "4 heads"));
  CHECK_FALSE(program.visible("import row heads: 8"));
  reread("Heads", "8");  // as it was assumed: it is still nobody's word
  CHECK(says(program, "import row heads: 8", "does not say how many"));
  reread("Heads", "4");
  REQUIRE(program.type("Source vocabulary", fixture("tutorial/vocab.src.txt")));
  program.press(ui::Key::enter);  // one alone is not read yet
  program.frame(2);
  CHECK(says(program, "import summary", "ids go in and out"));
  reread("Target vocabulary", fixture("tutorial/vocab.tgt.txt"));
  CHECK(says(program, "import summary", "4 heads; it reads and writes text"));
  reread("Heads", "5");
  CHECK(says(program, "import error",
             "heads must be a divisor of d_model (32), that is 1, 2, 4, 8, 16 or 32, found 5"));
  CHECK_FALSE(program.visible("import kind"));
  reread("Heads", "2");  // the fields stay, to be put right
  CHECK(says(program, "import summary", "2 heads"));
  reread("Heads", "5");
  program.press(ui::Key::escape);
  program.frame(3);
  CHECK_FALSE(program.visible("import error"));
  CHECK(program.session().snapshot()->config.d_model != 32);  // nothing was opened
}

TEST_CASE("a file that is no model is refused in a sentence, and a folder of ours opens as before") {
  const ScratchFolder scratch;
  OffscreenProgram program({});
  REQUIRE(program.settle());
  read_report(program, scratch.write("cut.pt", std::string("\x80\x02}", 3)));
  CHECK(says(program, "import error", "torch.save"));
  program.press(ui::Key::escape);
  program.frame(3);
  const std::string own = model_folder(scratch);
  program.program().dropped({own});
  REQUIRE(program.wait([&] {
    return program.session().snapshot()->config.d_model == make_sample_scene({}).snapshot->config.d_model;
  }));
  CHECK_FALSE(program.visible("import kind"));
}

TEST_CASE("a file of PyTorch that is typed where models of ours are opened is read as what it is") {
  OffscreenProgram program({});
  REQUIRE(program.settle());
  REQUIRE(program.click("File"));
  REQUIRE(program.click("Open model…"));
  program.frame(2);
  REQUIRE(program.type("Folder or file", fixture("annotated") + "/" + "no.pt"));
  program.press(ui::Key::enter);
  program.frame(2);
  CHECK(program.text("dialog") == "Open model");
  CHECK(program.visible("browser error"));
  REQUIRE(program.type("Folder or file", fixture("tutorial/strided.pt")));
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return program.visible("import kind"); }));
  CHECK(program.text("dialog") == "Open a model from elsewhere");
}

TEST_CASE("what is typed in the report and not entered counts when the model is opened") {
  OffscreenProgram program({});
  REQUIRE(program.settle());
  read_report(program, fixture("tutorial/strided.pt"));
  REQUIRE(program.type("Heads", "4"));
  REQUIRE(program.type("Source vocabulary", fixture("tutorial/vocab.src.txt")));
  REQUIRE(program.type("Target vocabulary", fixture("tutorial/vocab.tgt.txt")));
  click(program, "Open the import");
  REQUIRE(program.wait([&] { return program.session().snapshot()->config.d_model == 32; }));
  CHECK(program.session().snapshot()->config.heads == 4);
  CHECK(program.session().tokenizers().source);
  CHECK_FALSE(program.visible("dialog"));
}

TEST_CASE("an imported model that the program is begun with waits for a sentence, without a complaint") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("mine");
  save_import(folder, import_model(fixture("tutorial/strided.pt"), {.settings = {{"heads", "4"}}}));
  OffscreenProgram program({.model = folder});
  REQUIRE(program.settle());
  CHECK(std::ranges::none_of(program.session().notices(), &Notice::error));
  CHECK_FALSE(program.session().result());
  // The field has the keyboard, and ids are what it reads.
  REQUIRE(program.find("Source sentence"));
  CHECK(program.find("Source sentence")->focused);
  translate(program, "4 5 6");
  REQUIRE(program.session().result());
  CHECK(program.session().result()->scene.sentences.front().source == "4 5 6");
  CHECK(program.session().result()->scene.smoothing == 0);  // how it was trained is not known
  CHECK(program.text("training not known") == "How this model was trained is not known.");
  CHECK_FALSE(program.visible("last step of the slider"));
  apply(program, {OpenView{"training"}});
  CHECK(program.text("how it was trained") == "not known");
  CHECK_FALSE(program.visible("warm-up"));
}

TEST_CASE("a lesson that names no model asks about the imported one that is open") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("mine");
  save_import(folder, import_model(fixture("marian/bin-f16"), {}));
  const std::string file = scratch.write(
      "own.lesson",
      "lesson A head of yours\nsource >>fr<< the old bird sees the dog\nview head 5\nkind cross\nlayer "
      "1\nhead 1\n\n"
      "page Its table\ntext This table has {rows(weights)} rows.\nask How many columns has it?\n"
      "answer number : columns(weights)\nright It has {columns(weights)}, one a piece.\n");
  OffscreenProgram program({.model = folder, .lesson = file});
  REQUIRE(program.settle());
  REQUIRE(program.wait([&] { return program.visible("lesson question"); }));
  REQUIRE(program.settle());
  program.frame(8);
  CHECK(program.session().snapshot()->config.d_model == 32);
  const auto result = program.session().result();
  REQUIRE(result);
  CHECK(contains(program.text("lesson text"),
                 std::to_string(result->trace->target_in.front().size()) + " rows"));
  REQUIRE(program.type("Your answer", std::to_string(result->trace->source.front().size())));
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return !program.text("lesson verdict").empty(); }));
  CHECK(program.text("lesson verdict").starts_with("Right: "));
}
