// Every page of a view that has pages, in words: its own sentences and tables, with the numbers it draws.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/figure/figure.h"
#include "app/inspector/inspector.h"
#include "app/views/bottleneck/bottleneck.h"
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
  if (text.find('.') == std::string::npos || text.ends_with('.')) return std::nullopt;
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

// The end of a colour bar, or at a line across a chart: no number of the picture, but of its scale.
// `charted`: lines are those of charts, and no rules of a table.
bool is_of_scale(const RecordingCanvas& canvas, const RecordingCanvas::Text& text, bool charted) {
  constexpr int kBar = 32;  // steps of colour, at least
  constexpr float kBeside = 14, kAcross = 100;
  const float y = text.box.center().y;
  const auto beside_bar = [&](const RecordingCanvas::Grid& grid) {
    if (std::min(grid.rows, grid.columns) != 1 || std::max(grid.rows, grid.columns) < kBar) return false;
    const bool level = y > grid.rect.y - kBeside && y < grid.rect.bottom() + kBeside;
    return level && (std::abs(text.box.x - grid.rect.right()) < kBeside ||
                     std::abs(grid.rect.x - text.box.right()) < kBeside);
  };
  const auto at_line = [&](const std::vector<Point>& line) {
    if (line.size() != 2 || line[0].y != line[1].y || line[1].x - line[0].x < kAcross) return false;
    const bool outside = std::abs(line[0].y - y) < 2 && std::abs(line[0].x - text.box.right()) < kBeside,
               on_it = std::abs(line[0].y - y) < kBeside && text.box.x >= line[0].x &&
                       text.box.right() <= line[1].x + 1;
    return charted && (outside || on_it);
  };
  const auto below_line = [&](const std::vector<Point>& line) {
    if (!charted || line.size() != 2 || line[0].x != line[1].x) return false;
    const float under = y - std::max(line[0].y, line[1].y);
    return std::abs(line[0].x - text.box.center().x) < 2 && under > 0 && under < kBeside;
  };
  return std::ranges::any_of(canvas.grids, beside_bar) || std::ranges::any_of(canvas.lines, at_line) ||
         std::ranges::any_of(canvas.lines, below_line);
}

// The texts of a picture that are numbers and in no words and no table.
std::vector<std::string> left_out(const RecordingCanvas& canvas, const std::vector<std::string>& sentences,
                                  const std::vector<NumberTable>& tables, bool charted = false) {
  std::vector<std::string> missing;
  for (const auto& text : canvas.texts) {
    const auto number = decimal(text.text);
    const bool exponent = text.style.size < 11;  // of a formula
    if (!number || exponent || among(tables, *number, text.text) || is_of_scale(canvas, text, charted))
      continue;
    const auto says = [&](const std::string& each) { return contains(each, text.text); };
    if (std::ranges::none_of(sentences, says)) missing.push_back(text.text);
  }
  return missing;
}

int decimals_in(const RecordingCanvas& canvas) {
  return static_cast<int>(
      std::ranges::count_if(canvas.texts, [](const auto& text) { return decimal(text.text).has_value(); }));
}

std::string in_one(const std::vector<std::string>& sentences) {
  std::string all;
  for (const std::string& each : sentences) all += each + "\n";
  return all;
}

// "": the page that a view opens with.
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
  options.tokenizer = TokenizerKind::unigram;
  SampleScene scene = make_sample_scene(options);
  auto text = std::make_shared<TrainingText>();
  for (const char* const line : {"the tired girl sees a red car", "the cat sees a bird", "the dog finds it"})
    text->source.lines.emplace_back(line);
  text->target.lines = {"la fille voit une voiture", "le chat voit un oiseau", "le chien le trouve"};
  scene.training_text = text;
  add_run(scene, 900);
  scene.pin({.kind = AttentionKind::decoder});
  return scene;
}

void draw_page(const View& view, const std::string& name, Canvas& canvas, const ViewInput& input) {
  const Rect area = area_for(view, input, {1000, 704});
  if (name.empty())
    view.picture(canvas, input, area);
  else
    view.panel(name, canvas, input, area);
}

TEST_CASE("what a page draws as a number is in its words or tables, and no two pages say the same") {
  int numbers = 0, pages = 0;
  for (const std::uint64_t seed : {1u, 7u}) {
    for (const char* const sentence : {"the cat sees a bird", "a small dog finds the green table"}) {
      const SampleScene scene = sample(seed, sentence);
      for (const ViewEntry& entry : view_table()) {
        const auto view = entry.make();
        if (view->traits().panels.empty()) continue;
        CAPTURE(std::string(entry.name));
        std::map<std::string, std::string> said;
        for (const std::string& name : pages_of(*view)) {
          CAPTURE(name);
          const auto page = with_panel(*view, name);
          const ViewInput input = scene.input();
          const std::vector<std::string> sentences = described(*page, input).sentences;
          const auto [before, fresh] = said.emplace(in_one(sentences), name);
          const std::string& alike = before->second;
          const bool good = fresh || alike.empty();
          CHECK_MESSAGE(good, "“", name, "” says what “", alike, "” says");
          RecordingCanvas canvas(light_theme(), true);
          draw_page(*view, name, canvas, input);
          ++pages;
          const std::string view_name(entry.name);
          const bool charted = view_name == "training" || view_name == "schedule" ||
                               view_name == "parameters" || view_name == "studies";
          const auto missing = left_out(canvas, sentences, page->numbers(input), charted);
          CHECK_MESSAGE(missing.empty(), in_one(missing));
          numbers += decimals_in(canvas);
        }
      }
    }
  }
  CHECK(pages >= 60);
  CHECK(numbers >= 200);
}

TEST_CASE("each page of Before attention has its own name, picture and words, with every number it draws") {
  const SampleScene scene = sample(7, "the cat sees a bird");
  const ViewInput input = scene.input();
  const auto runner = std::make_shared<RaceRunner>();
  runner->run({.task = "reverse", .longest = 8, .symbols = 5, .pairs = 900, .width = 16, .steps = 60});
  const BottleneckView view(runner);
  std::map<std::string, std::string> said;
  int numbers = 0;
  for (const std::string& name : view.traits().panels) {
    CAPTURE(name);
    const auto page = with_panel(view, name);
    const std::vector<std::string> sentences = described(*page, input).sentences;
    CHECK(said.emplace(in_one(sentences), name).second);
    RecordingCanvas canvas(light_theme(), true);
    draw_page(view, name, canvas, input);
    const auto missing = left_out(canvas, sentences, page->numbers(input));
    CHECK_MESSAGE(missing.empty(), in_one(missing));
    numbers += decimals_in(canvas);
  }
  CHECK(said.size() == 4);
  CHECK(numbers > 10);
}

TEST_CASE("the words of the page that a view opens with are not enough for its other pages") {
  const SampleScene scene = sample(7, "a small dog finds the green table");
  const ViewInput input = scene.input();
  const auto view = make_view("decode");
  RecordingCanvas canvas(light_theme(), true);
  draw_page(*view, "sampling", canvas, input);
  CHECK_FALSE(left_out(canvas, described(*view, input).sentences, view->numbers(input)).empty());
}

TEST_CASE("one chart of the training has its own columns, and its page leads to no other one's") {
  const SampleScene scene = sample(3, "the cat sees a bird");
  const auto columns = [&](const char* chart) {
    std::string all;
    for (const NumberTable& table : with_panel(*make_view("training"), chart)->numbers(scene.input()))
      for (const std::string& column : table.columns) all += column + ";";
    return all;
  };
  CHECK(columns("gradient-norm") == "gradient norm;");
  CHECK(columns("learning-rate") == "learning rate;");
  CHECK(columns("words-right") == "token accuracy;exact match;");
  CHECK_FALSE(contains(columns("loss"), "learning rate"));
}

TEST_CASE("a row of the decoder has one name in the inspector, in sentences and in the table") {
  const SampleScene scene = sample(5, "the cat sees a bird");
  for (const AttentionKind kind : {AttentionKind::decoder, AttentionKind::cross}) {
    Selection open{.kind = kind};
    SampleScene shown = scene;
    shown.pin(open);
    const ViewInput input = shown.input();
    const auto view = make_view("attention");
    const NumberTable table = view->numbers(input).front();
    std::size_t row = 0, column = 0;
    for (std::size_t r = 0; r < table.values.size(); ++r)
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.values[r][c] > table.values[row][column]) row = r, column = c;
    const std::string words = in_one(described(*view, input).sentences);
    CHECK(contains(words, "Strongest weight: " + table.rows[row] + " reads " + table.columns[column] + " "));
    open.query = static_cast<int>(row);
    open.key = static_cast<int>(column);
    shown.pin(open);
    const auto page = describe_cell(shown.input(), *selected_cell(shown.shown));
    CHECK(page.subject.starts_with("after **" + table.rows[row] + "**, writing **" +
                                   scene.result->target_out_words[row] + "**"));
  }
}

TEST_CASE("a file of one page has its caption, sentences and tables, and an unknown page is refused") {
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
  CHECK(contains(csv, "ids of target_predict"));
  CHECK_FALSE(contains(csv, "may look (1) or hidden (0)"));
  CHECK(contains(text, "The batch as tensors of ids."));
  CHECK(contains(text, "ids of target_input"));
  CHECK(caption_text(content).find("The batch as tensors of ids.") == 0);
  const std::string svg = bytes("a.svg", "dropout");
  CHECK(contains(svg.substr(svg.find("<desc>"), 4000), "drawn from seed"));
  CHECK(contains(bytes("a.csv", ""), "may look (1) or hidden (0)"));
  CHECK_FALSE(contains(bytes("a.csv", ""), "ids of source"));
  content.panel = "no such page";
  CHECK_THROWS_WITH_AS(described(content), doctest::Contains("this view has no panel"), Error);
}

}  // namespace
}  // namespace glassformer
