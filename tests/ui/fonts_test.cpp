// Letters on screen: fonts, odd words, wide letters and wide words.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/canvas/file_canvas.h"
#include "app/canvas/svg_canvas.h"
#include "app/figure/figure.h"
#include "app/fonts/font_faces.h"
#include "app/format/number_format.h"
#include "app/inspector/inspector.h"
#include "app/inspector/wider_words.h"
#include "app/ui/wide_letters.h"
#include "engine/model/steps/steps.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"
#include "tests/ui/printed_number.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"

namespace glassformer::fonts_test {

TEST_CASE("every font has a file for each letter of ASCII and each sign that the program writes") {
  FontFaces faces(find_font_files());
  for (Font font : {Font::regular, Font::semibold, Font::mono}) {
    for (char32_t c = 32; c < 127; ++c) CHECK(faces.glyph(font, c).file >= 0);
    for (char32_t c : code_points("−×·÷…“”→←√∞∑∂∇ᵀ²≤≥≈\u2009")) CHECK(faces.glyph(font, c).file >= 0);
  }
}

TEST_CASE("widths add up and grow with the size") {
  FontFaces faces(find_font_files());
  const float one = faces.width("voit", Font::regular, 14);
  CHECK(one > 0);
  CHECK(faces.width("voitvoit", Font::regular, 14) == doctest::Approx(2 * one));
  CHECK(faces.width("voit", Font::regular, 28) == doctest::Approx(2 * one));
  CHECK(faces.width("voit", Font::semibold, 14) > one);
}

TEST_CASE("digits of the number font are equally wide") {
  FontFaces faces(find_font_files());
  for (char digit = '0'; digit <= '9'; ++digit) {
    CHECK(faces.width(std::string(1, digit), Font::mono, 12) ==
          doctest::Approx(faces.width("0", Font::mono, 12)));
  }
  CHECK(faces.width("−", Font::mono, 12) == doctest::Approx(faces.width("0", Font::mono, 12)));
}

TEST_CASE("letters of other scripts come from an installed font that has them") {
  FontFaces faces(find_font_files());
  const InstalledFonts all(Font::regular);
  for (const char* word : {"слово", "λέξη", "词", "शब्द", "كلمة"}) {
    for (char32_t c : code_points(word)) {
      const bool installed = all.with(c).has_value();
      CHECK((faces.glyph(Font::regular, c).file >= 0) == installed);
      CHECK(faces.advance(Font::regular, c) >= 0);
    }
  }
}

TEST_CASE("without any design font there is still a chain to measure with") {
  FontFiles files = find_font_files();
  for (auto& chain : files.chains) chain.clear();
  FontFaces faces(files);
  CHECK(faces.width("voit", Font::regular, 14) >= 0);
  CHECK(faces.capital_height(Font::regular) > 0.5f);
}

// ---- Words that other programs stumble over, in every kind of figure.

const std::string kOdd = "a\xFF\x1B[0m\xEF\xBF\xBE\xF4\x8F\xBF\xBF \n z";

template <class Surface>
std::string with_odd_words(Surface canvas) {
  canvas.text({10, 20}, kOdd, {.color = rgb(0)});
  return canvas.finish();
}

TEST_CASE("an SVG of any bytes holds printable text alone") {
  const std::string svg =
      with_odd_words(SvgCanvas(light_theme(), find_font_files(), {.size = {200, 100}, .title = kOdd}));
  CHECK(contains(svg, "<title>" + printable(kOdd) + "</title>"));
  CHECK(contains(svg, '>' + printable(kOdd) + "</text>"));
}

TEST_CASE("a PDF and a PNG of any bytes are drawn") {
  for (const FileKind kind : {FileKind::pdf, FileKind::png})
    if (kind == FileKind::png || writes_pdf())
      CHECK(with_odd_words(
                FileCanvas(kind, light_theme(), find_font_files(), {.size = {200, 100}, .title = kOdd}))
                .size() > 100);
}

// ---- Letters beyond 16 bits in text fields.

TEST_CASE("letters beyond 16 bits go through Dear ImGui and come out as themselves") {
  // Emoji, an old script, and the letters that replace others on the way.
  for (const std::string text : {"a 😀 b", "𐍈𐍉", "\uA000\uA001", "\uA005😀\uA48F", "plain", ""})
    CHECK(ui::wide_letters(ui::narrow_letters(text)) == text);
  CHECK(ui::narrow_letters("voilà") == "voilà");
  // Bytes that are no UTF-8 stay what they are.
  CHECK(ui::narrow_letters("a\xff"
                           "b") ==
        "a\xff"
        "b");
}

TEST_CASE("an emoji that is typed is the one that is read") {
  SmallProgram program;
  translate(program, "the 😀 cat");
  CHECK(program.session().result()->scene.sentences.front().source == "the 😀 cat");
}

// ---- What is said of a step besides its arithmetic: costs, batch normalisation of the same rows, the
// memory.

// By sums and sums of squares, unlike the engine's two passes.
double normalized_again(const std::vector<double>& values, std::size_t at, double eps) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value, squares += value * value;
  const double count = static_cast<double>(values.size()), mean = sum / count;
  return (values[at] - mean) / std::sqrt(squares / count - mean * mean + eps);
}

const InspectorSection* section_with(const std::vector<InspectorSection>& sections,
                                     const std::string& heading) {
  const auto found = std::ranges::find(sections, heading, &InspectorSection::heading);
  return found == sections.end() ? nullptr : &*found;
}

TEST_CASE("a number is normalized over its row and over its column, as worked out another way") {
  const SampleScene scene = make_sample_scene();
  const StepNumbers numbers(*scene.snapshot->weights, *scene.result->trace);
  int seen = 0;
  for (const Step& step : training_steps(scene.snapshot->config)) {
    if (step.kind != StepKind::layer_norm) continue;
    const OperandNumbers input = numbers.of(step.inputs.front());
    REQUIRE(input.recorded());
    for (const RowAndColumn at : {RowAndColumn{0, 0}, RowAndColumn{input.rows - 1, input.columns / 2}}) {
      std::vector<double> row, column;
      for (int j = 0; j < input.columns; ++j) row.push_back(static_cast<double>(input(at.row, j)));
      for (int i = 0; i < input.rows; ++i) column.push_back(static_cast<double>(input(i, at.column)));
      const double eps = scene.snapshot->config.layer_norm_eps;
      const double over_row = normalized_again(row, static_cast<std::size_t>(at.column), eps);
      const double over_column = normalized_again(column, static_cast<std::size_t>(at.row), eps);
      const Normalized both = normalized_both_ways(input, at, eps);
      CHECK(both.over_row == doctest::Approx(over_row).epsilon(1e-4));
      CHECK(both.over_column == doctest::Approx(over_column).epsilon(1e-4));
      const auto sections = wider_sections(step, numbers, at);
      REQUIRE(sections.size() == 1);
      REQUIRE(sections[0].rows.size() == 3);
      const double n = static_cast<double>(row.size());
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      const double squares = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
      const double sample = std::sqrt((squares - sum * sum / n) / (n - 1));
      CHECK(both.slip ==
            doctest::Approx((row[static_cast<std::size_t>(at.column)] - sum / n) / (sample + eps))
                .epsilon(1e-4));
      CHECK(sections[0].rows[2].value == value_text(both.slip));
      CHECK(sections[0].rows[0].value == value_text(both.over_row));
      CHECK(sections[0].rows[1].value == value_text(both.over_column));
      ++seen;
    }
    CHECK(wider_sections(step, numbers)[0].rows.empty());
    CHECK(wider_sections(step, numbers, RowAndColumn{input.rows, 0})[0].rows.empty());
  }
  CHECK(seen >= 4);
}

TEST_CASE("heads cost what one wide head costs, and twice as many words four times as much") {
  Config config;
  config.d_model = 24;
  config.heads = 3;
  const InspectorSection cost = cost_of_attention(5, 7, config);
  REQUIRE(cost.rows.size() == 4);
  CHECK(cost.rows[0].value == "35");
  CHECK(cost.rows[1].value == "840");
  CHECK(cost.rows[2].value == "840");
  CHECK(cost.rows[3].value == "140");
}

TEST_CASE("both products of the feed-forward are read as a memory; the overview of a head says its cost") {
  SampleScene scene = make_sample_scene();
  const StepNumbers numbers(*scene.snapshot->weights, *scene.result->trace);
  const std::string entries = std::to_string(scene.snapshot->config.d_ff) + " entries";
  int seen = 0;
  for (const Step& step : training_steps(scene.snapshot->config)) {
    if (step.kind != StepKind::expand && step.kind != StepKind::contract) continue;
    const auto sections = wider_sections(step, numbers);
    const InspectorSection* const memory = section_with(sections, "As a memory");
    REQUIRE(memory);
    CHECK(contains(memory->text, entries));
    ++seen;
  }
  CHECK(seen == 2 * (scene.snapshot->config.encoder_layers + scene.snapshot->config.decoder_layers));
}

}  // namespace glassformer::fonts_test
