// Every page of a view that has pages, in words: its own sentences and tables, with the numbers it draws.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "app/figure/figure.h"
#include "app/views/common/page.h"
#include "app/views/view_table.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

// A text that is a number with a decimal point and nothing else, as it is in a cell or beside a row.
std::optional<double> decimal(std::string text) {
  for (std::size_t at = text.find("−"); at != std::string::npos; at = text.find("−"))
    text.replace(at, std::string("−").size(), "-");
  if (text.find('.') == std::string::npos) return std::nullopt;
  return typed_number(text);
}

// To as many digits as are drawn.
bool among(const std::vector<NumberTable>& tables, double number, const std::string& drawn) {
  const double unit = std::pow(10.0, -static_cast<double>(drawn.size() - drawn.find('.') - 1));
  for (const NumberTable& table : tables)
    for (const auto& row : table.values)
      for (const double value : row)
        if (std::abs(value - number) <= 0.501 * unit) return true;
  return false;
}

std::vector<std::string> pages_of(const View& view) {
  std::vector<std::string> pages{""};
  for (const std::string& panel : view.traits().panels) pages.push_back(panel);
  return pages;
}

SampleScene sample(std::uint64_t seed, const std::string& sentence) {
  SampleOptions options;
  options.seed = seed;
  options.config.dropout = 0.2;
  options.sentences.front() = {sentence, {}, {}};
  SampleScene scene = make_sample_scene(options);
  Selection selection;
  selection.kind = AttentionKind::decoder;
  scene.pin(selection);
  return scene;
}

TEST_CASE("what a page draws as a number is in its words or tables, and no two pages say the same") {
  int numbers = 0, pages = 0;
  for (const std::uint64_t seed : {1u, 7u}) {
    for (const char* const sentence : {"the cat sees a bird", "a small dog finds the green table"}) {
      const SampleScene scene = sample(seed, sentence);
      for (const ViewEntry& entry : view_table()) {
        const auto view = entry.make();
        if (dynamic_cast<const PagedView*>(view.get()) == nullptr) continue;
        CAPTURE(entry.name);
        std::map<std::string, std::string> said;
        for (const std::string& name : pages_of(*view)) {
          CAPTURE(name);
          const auto page = with_panel(*view, name);
          const ViewInput input = scene.input();
          const Description words = described(*page, input);
          std::string sentences;
          for (const std::string& each : words.sentences) sentences += each + "\n";
          const auto [before, fresh] = said.emplace(sentences, name);
          CHECK_MESSAGE(fresh, "“", name, "” says what “", before->second, "” says");
          const std::vector<NumberTable> tables = page->numbers(input);
          RecordingCanvas canvas(light_theme(), true);
          if (name.empty())
            page->picture(canvas, input, area_for(*page, input, {1000, 704}));
          else
            view->panel(name, canvas, input, area_for(*page, input, {1000, 704}));
          for (const auto& text : canvas.texts) {
            const auto number = decimal(text.text);
            if (!number) continue;
            CAPTURE(text.text);
            CHECK((among(tables, *number, text.text) || sentences.find(text.text) != std::string::npos));
            ++numbers;
          }
          ++pages;
        }
      }
    }
  }
  CHECK(pages >= 20);
  CHECK(numbers >= 60);
}

TEST_CASE(
    "a file of one page has that page's caption, sentences and tables, and an unknown page is refused") {
  const SampleScene scene = sample(3, "the cat sees a bird");
  FigureContent content;
  content.view = make_view("masks");
  content.result = scene.result;
  content.tokenizers = scene.tokenizers;
  content.run = scene.run;
  content.selection = scene.pinned;
  content.theme = light_theme();
  content.fonts = find_font_files();
  const auto bytes = [&](const char* path, const char* panel) {
    content.panel = panel;
    return figure_bytes(content, {.path = path});
  };
  const std::string csv = bytes("a.csv", "batch"), text = bytes("a.txt", "batch");
  CHECK(csv.find("ids of target_predict") != std::string::npos);
  CHECK(csv.find("may look (1) or hidden (0)") == std::string::npos);
  CHECK(text.find("The batch as tensors of ids.") != std::string::npos);
  CHECK(text.find("ids of target_input") != std::string::npos);
  CHECK(caption_text(content).find("The batch as tensors of ids.") == 0);
  const std::string svg = bytes("a.svg", "dropout");
  CHECK(svg.substr(svg.find("<desc>"), 4000).find("drawn from seed") != std::string::npos);
  CHECK(bytes("a.csv", "").find("may look (1) or hidden (0)") != std::string::npos);
  CHECK(bytes("a.csv", "").find("ids of source") == std::string::npos);
  content.panel = "no such page";
  CHECK_THROWS_WITH_AS(described(content), doctest::Contains("this view has no panel"), Error);
}

}  // namespace
}  // namespace glassformer
