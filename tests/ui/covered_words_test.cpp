// The row that a page of a lesson asks for, in the words, tables, files and pictures of every view.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/figure/figure.h"
#include "app/format/number_format.h"
#include "app/format/table.h"
#include "app/reading/attention_table.h"
#include "app/views/common/page.h"
#include "app/views/view_table.h"
#include "app/views/walk/walk.h"
#include "app/views/what_if/what_if.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

struct PageTexts {
  std::string words, tables, picture;
};

std::string in_words(const View& view, const ViewInput& input) {
  std::string all;
  for (const std::string& each : described(view, input).sentences) all += each + "\n";
  return all;
}

// What a page shows of the scene. A picture's texts: a line each.
PageTexts page_texts(const View& view, const std::string& panel, const ViewInput& input) {
  const auto page = with_panel(view, panel);
  PageTexts all;
  all.words = in_words(*page, input);
  all.tables = csv_text(page->numbers(input));
  RecordingCanvas canvas(light_theme(), true);
  const Rect area = area_for(view, input, {1000, 704});
  if (panel.empty())
    page->picture(canvas, input, area);
  else
    page->panel(panel, canvas, input, area);
  for (const auto& text : canvas.texts) all.picture += text.text + "\n";
  return all;
}

PageTexts page_texts(const char* name, const ViewInput& input) {
  return page_texts(*make_view(name), "", input);
}

// Of the decoder's cross-attention: its second head of the last layer, the third row.
Selection asked_row() {
  return {.kind = AttentionKind::cross, .layer = 1, .head = 1, .query = 2, .key = 0};
}

ViewInput covering(const SampleScene& scene, bool covered = true) {
  ViewInput input = scene.input();
  if (covered) input.covered = CoveredRow{AttentionKind::cross, 1, 1, 2};
  return input;
}

// The row's weights, as files have them.
std::vector<std::string> weights_of(const SampleScene& scene) {
  const AttentionTable table = attention_table(*scene.result->trace, AttentionKind::cross, 1, 1, 0);
  std::vector<std::string> all;
  for (int column = 0; column < table.columns; ++column) all.push_back(csv_number(table.at(2, column)));
  return all;
}

TEST_CASE("the pages of a head and of a number say that the row is covered") {
  SampleScene scene = make_sample_scene({.seed = 2});
  const Selection open = asked_row();
  scene.pin(open);
  const auto said = [&](const char* name, bool covered) {
    const PageTexts all = page_texts(name, covering(scene, covered));
    return all.words + all.tables;
  };
  const std::string weight = weights_of(scene).front();
  for (const char* const name : {"attention", "head"}) {
    CAPTURE(name);
    CHECK(contains(said(name, false), weight));
    CHECK_FALSE(contains(said(name, true), weight));
    CHECK(contains(said(name, true), " (covered)"));
  }
  for (const ValueKind value : {ValueKind::weights, ValueKind::masked_scores}) {
    Selection cell = open;
    cell.cell = CellRef{attention_value(AttentionKind::cross, 1, value), {0, 1, 2, 0}};
    scene.pin(cell);
    CHECK(contains(said("cell", false), "recorded"));
    CHECK_FALSE(contains(said("cell", true), "recorded"));
    CHECK(contains(said("cell", true), "Covered until the question is answered."));
  }
}

TEST_CASE("a row that a lesson covers is in no words, tables and files of any view") {
  int shown_uncovered = 0;
  for (const std::uint64_t seed : {2u, 9u}) {
    SampleScene scene = make_sample_scene({.seed = seed});
    add_run(scene, 900);
    // The row itself, a row of its own, and a number of the context that the row gives.
    Selection row = asked_row(), other = row, context = row;
    row.key.reset();
    other.query = 0;
    context.cell = CellRef{attention_value(AttentionKind::cross, 1, ValueKind::context), {0, 1, 2, 3}};
    const std::vector<std::string> weights = weights_of(scene);
    for (const Selection& pinned : {row, other, context}) {
      scene.pin(pinned);
      for (const ViewEntry& entry : view_table()) {
        const auto view = entry.make();
        std::vector<std::string> pages{""};
        for (const std::string& panel : view->traits().panels) pages.push_back(panel);
        for (const std::string& panel : pages) {
          CAPTURE(std::string(entry.name));
          CAPTURE(panel);
          CAPTURE(pinned.cell.has_value());
          const PageTexts open = page_texts(*view, panel, covering(scene, false));
          const PageTexts shut = page_texts(*view, panel, covering(scene));
          for (const std::string& weight : weights) {
            CAPTURE(weight);
            shown_uncovered += contains(open.tables, "," + weight) ? 1 : 0;
            CHECK_FALSE(contains(shut.tables, "," + weight));
            CHECK_FALSE(contains(shut.words, weight));
            CHECK_FALSE(contains(shut.picture, weight));
          }
        }
      }
    }
  }
  CHECK(shown_uncovered >= 20);
}

TEST_CASE("a number of the context that a covered row gives is covered in words, table, picture and part") {
  SampleScene scene = make_sample_scene({.seed = 4});
  Selection pinned = asked_row();
  for (const int query : {2, 1}) {
    const CellRef cell{attention_value(AttentionKind::cross, 1, ValueKind::context), {0, 1, query, 3}};
    pinned.query = query;
    pinned.cell = cell;
    scene.pin(pinned);
    const std::string value = format_full(scene.result->trace->at(cell.name).at(cell.index));
    const bool asked = query == 2;
    CHECK(contains(page_texts("cell", covering(scene, false)).words, value));
    const PageTexts all = page_texts("cell", covering(scene));
    CHECK(contains(all.words, "Covered until the question is answered.") == asked);
    CHECK(contains(all.words, value) == !asked);
    CHECK(contains(all.tables, "terms") == !asked);
    CHECK(contains(all.picture, "Covered") == asked);
    CHECK(contains(page_texts(*make_view("cell"), "work", covering(scene)).picture, "Covered") == asked);
  }
}

// All that the inspector says of a cell of the step's output in the Walk.
std::string inspected(const WalkView& view, const ViewInput& input) {
  const InspectorPage page = inspector_page(view, input);
  std::string all;
  for (const InspectorSection& section : page.sections) {
    all += section.text + "\n";
    for (const InspectorRow& row : section.rows) all += row.value + "\n";
    for (const Formula& formula : section.formulas) all += formula_as_text(formula) + "\n";
  }
  return all;
}

TEST_CASE("the inspector of a number that reads a covered row, or that it is made of, lists none of it") {
  SampleScene scene = make_sample_scene({.seed = 3});
  const std::vector<Step> steps = training_steps(scene.snapshot->config, {});
  const AttentionTable table = attention_table(*scene.result->trace, AttentionKind::cross, 1, 1, 0);
  std::vector<std::string> weights;
  for (int column = 0; column < table.columns; ++column) {
    weights.push_back(value_text(table.at(2, column)));
    weights.push_back(significant_text(table.at(2, column), 5));
  }
  const auto listed = [&](const std::string& text) {
    return std::ranges::count_if(weights, [&](const std::string& each) { return contains(text, each); });
  };
  int seen = 0, backward = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto of_head = [](const Operand& operand) {
      return is_name_of(ValueKind::weights, operand.name) &&
             operand.name == attention_value(AttentionKind::cross, 1, ValueKind::weights) &&
             operand.head == 1 && operand.store == OperandStore::trace;
    };
    const Step& step = steps[i];
    if (std::ranges::none_of(step.inputs, of_head)) continue;
    CAPTURE(step.name);
    WalkView view;
    view.go_to(static_cast<int>(i));
    Selection pinned = asked_row();
    pinned.query = 1;
    pinned.cell =
        CellRef{step.output.name, {0, step.output.head, 0, 0}, step.output.store == OperandStore::gradient};
    scene.pin(pinned);
    const bool open = listed(inspected(view, covering(scene, false))) > 0;
    seen += open ? 1 : 0;
    backward += open && step.place.phase == StepPhase::backward ? 1 : 0;
    const std::string shut = inspected(view, covering(scene));
    CHECK(listed(shut) == 0);
    if (open) CHECK(contains(shut, "overed"));
  }
  CHECK(seen >= 1);
  CHECK(backward >= 1);
}

// The words that a muted head costs most, each by "writing what it reads what", once they are measured.
std::vector<std::string> what_it_does(const View& view, const ViewInput& input) {
  std::vector<std::string> labels;
  for (int tries = 0; tries < 2000 && labels.empty(); ++tries) {
    const InspectorPage page = inspector_page(view, input);
    for (const InspectorSection& section : page.sections)
      if (section.heading == "What it does")
        for (const InspectorRow& row : section.rows) labels.push_back(row.label);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return labels;
}

TEST_CASE("what a muted head reads at the covered row is not said beside what muting it does") {
  for (const std::uint64_t seed : {40u, 64u}) {  // whose output ends
    SampleOptions options{.seed = seed};
    options.sentences = {{"the black cat sees a dog"}};
    SampleScene scene = make_sample_scene(options);
    // Of its own output the rows are the places.
    const auto& ids = scene.result->decoding.ids;
    REQUIRE(ids == scene.result->trace->target_out.front());
    scene.pin(selecting_part({}, mute_head(AttentionKind::cross, 1, 1)));
    const auto view = make_view("what-if");
    const auto reading = [&](const ViewInput& input) {
      return std::ranges::count_if(what_it_does(*view, input),
                                   [](const std::string& label) { return contains(label, " reads "); });
    };
    const auto places = static_cast<std::ptrdiff_t>(ids.size());
    const std::ptrdiff_t all = reading(scene.input());
    CHECK(all == std::min<std::ptrdiff_t>(5, places));
    ViewInput input = scene.input();
    std::ptrdiff_t held_back = 0;
    for (int row = 0; row < places; ++row) {
      input.covered = CoveredRow{AttentionKind::cross, 1, 1, row};
      held_back += all - reading(input);
    }
    CHECK(held_back == all);
  }
}

TEST_CASE("a file that is saved while a row is covered does not hold it") {
  SampleScene scene = make_sample_scene({.seed = 6});
  FigureContent content;
  content.view = make_view("attention");
  content.result = scene.result;
  content.tokenizers = scene.tokenizers;
  content.run = scene.run;
  content.selection = asked_row();
  content.theme = light_theme();
  content.fonts = find_font_files();
  const std::string weight = weights_of(scene).front();
  CHECK(contains(figure_bytes(content, {.path = "a.csv"}), weight));
  content.covered = CoveredRow{AttentionKind::cross, 1, 1, 2};
  for (const char* const path : {"a.csv", "a.txt"}) {
    CHECK_FALSE(contains(figure_bytes(content, {.path = path}), weight));
    CHECK(contains(figure_bytes(content, {.path = path}), " (covered)"));
  }
}

}  // namespace
}  // namespace glassformer
