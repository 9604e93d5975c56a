// What holds of every view, of every scene, setting and pin that it is drawn of.
#include "tests/ui/view_cases.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "app/figure/describe.h"
#include "app/inspector/inspector.h"

namespace glassformer::view_cases_test {
namespace {

template <class Check>
void over_all(const Check& check) {
  for (std::size_t row = 0; row < view_cases().size(); ++row) {
    CAPTURE(row);
    CAPTURE(view_cases()[row].name());
    const StagedCase& one = staged(row);
    check(one, one.scene.input());
  }
}

TEST_CASE("a view stays in its stage, at every size and in both themes, and is the same drawn twice") {
  over_all([](const StagedCase& one, const ViewInput& input) {
    CHECK(in_lines(complaints(*one.view, input, one.row.shapes)) == "");
  });
  CHECK(view_cases().size() > 300);
}

// As it is read in a report, where nobody has the mouse in the hand.
void check_sentence(const std::string& sentence) {
  CAPTURE(sentence);
  CHECK_FALSE(contains(sentence, "**"));
  CHECK(std::string(".?!:").find(sentence.back()) != std::string::npos);
  for (const char* const hands : {"click", "Click", "Switch it", "press ", "F keeps", "drag", "Drag"})
    CHECK_FALSE(contains(sentence, hands));
}

TEST_CASE("a view can be described in words, with the numbers behind its picture") {
  over_all([](const StagedCase& one, const ViewInput& input) {
    const Description words = described(*one.view, input);
    CHECK_FALSE(words.title.empty());
    CHECK_FALSE(words.sentences.empty());
    for (const std::string& sentence : words.sentences) {
      check_sentence(sentence);
      if (one.row.view != "attention" && one.row.view != "masks")  // these compare
        CHECK_FALSE(sentence.starts_with("Largest in its row"));
    }
    const std::vector<NumberTable> tables = one.view->numbers(input);
    for (const NumberTable& table : tables) {
      CAPTURE(table.title);
      CHECK((table.rows.empty() || table.rows.size() == table.values.size()));
      for (const std::vector<double>& row : table.values) CHECK(row.size() == table.columns.size());
    }
    if (tables.empty() || tables.front().values.empty()) return;
    const NumberTable& all = tables.front();
    const Table& cut = words.tables.front();
    CHECK(cut.rows.size() == std::min<std::size_t>(all.values.size(), 24));
    CHECK(cut.columns.size() == std::min<std::size_t>(all.columns.size(), 12) + 1);
    CHECK(cut.note.empty() ==
          (cut.rows.size() == all.values.size() && cut.columns.size() == all.columns.size() + 1));
    if (all.values.front().empty()) return;
    // A row of the table as it is printed.
    const std::string row = "| " + (all.rows.empty() ? std::string("0") : all.rows.front()) + " |";
    CHECK(contains(text_of(words), row.substr(0, row.find('\n'))));
  });
}

TEST_CASE("the inspector says something of what is looked at") {
  std::map<std::string, int> said;
  over_all([&](const StagedCase& one, const ViewInput& input) {
    std::optional<InspectorPage> page = one.view->inspect(input);
    if (!page && input.shown.cell) page = describe_cell(input, *input.shown.cell);
    if (!page) return;
    ++said[one.row.view];
    CHECK_FALSE((page->caption + page->subject).empty());
    CHECK((!page->value.empty() || !page->meaning.empty() || !page->sections.empty()));
    for (const InspectorSection& section : page->sections)
      CHECK((!section.text.empty() || !section.rows.empty() || !section.formulas.empty() ||
             !section.heading.empty()));
  });
  CHECK(said.size() > 20);  // views
}

TEST_CASE("a copy of a view, as files are made of, draws the same picture") {
  over_all([](const StagedCase& one, const ViewInput& input) {
    const std::unique_ptr<View> copy = one.view->clone();
    RecordingCanvas own(light_theme(), true), copied(light_theme(), true);
    const Rect area = area_for(*one.view, input, {1000, 660});
    one.view->picture(own, input, area);
    copy->picture(copied, input, area);
    CHECK(std::ranges::equal(own.texts, copied.texts, [](const auto& a, const auto& b) {
      return a.text == b.text && a.box == b.box;
    }));
    CHECK(std::ranges::equal(own.rectangles, copied.rectangles, [](const auto& a, const auto& b) {
      return a.rect == b.rect && a.box.fill == b.box.fill;
    }));
    CHECK(own.lines == copied.lines);
  });
}

}  // namespace
}  // namespace glassformer::view_cases_test
