#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "engine/layers/distance_bias.h"
#include "engine/layers/embedding.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

namespace {

SampleScene scene_with(PositionKind kind, int d_model = 32) {
  SampleOptions options;
  options.config.d_model = d_model;
  options.config.max_length = 32;
  options.config.positions = kind;
  return make_sample_scene(options);
}

Selection pinned(int position, int dimension) {
  return {.key = position, .cell = CellRef{"source.positions", {position, dimension}}};
}

}  // namespace

TEST_CASE("a click on the table pins that number, and the inspector gives its formula and where it goes") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene);
  REQUIRE(stage.click("position 3 dimension 8"));
  REQUIRE(scene.pinned.cell);
  CHECK(scene.pinned.cell->index == std::vector<int>{3, 8});
  CHECK(scene.pinned.key == 3);

  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.value == format_pinned(std::sin(3 / std::pow(10000.0, 8.0 / 32))));
  REQUIRE(page.sections.size() == 3);  // with what doubling the exponent would give
  const auto& rows = page.sections[2].rows;
  REQUIRE(rows.size() == 3);
  const Trace& trace = *scene.result->trace;
  CHECK(rows[0].value == format_pinned(trace.plane("source.embedding")(3, 8)));
  CHECK(rows[1].value == page.value);
  CHECK(rows[2].value == format_pinned(trace.plane("source.input")(3, 8)));
}

TEST_CASE("a number of a wave says what it would be with the exponent doubled") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene);
  for (const auto& [position, dimension] : {std::pair{3, 8}, {5, 13}, {2, 0}}) {
    scene.pin(pinned(position, dimension));
    const InspectorPage page = inspector_page(stage.view(), scene.input());
    const auto section = std::ranges::find_if(page.sections, [](const auto& each) {
      return each.heading.starts_with("With the exponent doubled");
    });
    REQUIRE(section != page.sections.end());
    const double angle = position * std::exp(-std::log(10000.0) * 4 * (dimension / 2) / 32.0);
    const std::string value = format_pinned(dimension % 2 == 0 ? std::sin(angle) : std::cos(angle));
    CHECK(section->rows[0].value == value);
    CHECK(section->rows[0].wrong == (dimension > 1));  // the first pair has no exponent
  }
}

TEST_CASE("the switch shows other tables for comparison and says what this model has not") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene);
  REQUIRE(stage.click("Positions: None"));
  CHECK(stage.state().starts_with("none"));
  REQUIRE(stage.click("Positions: Learned"));
  const auto noise = stage.view().numbers(scene.input());
  REQUIRE(noise.size() == 3);
  // Noise: a place is like itself, not like its neighbour.
  CHECK(noise[1].values[0][0] > 0.8);
  CHECK(std::abs(noise[1].values[1][0]) < 0.2);
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.subject == "as a table starts, for comparison");

  SampleScene learned = scene_with(PositionKind::learned);
  ViewStage other("positions", learned);
  const auto tables = other.view().numbers(learned.input());
  REQUIRE(tables.size() == 3);
  CHECK(tables[0].values[5][7] == doctest::Approx(learned.result->trace->plane("source.positions")(5, 7)));
}

TEST_CASE("a column chooses a distance, and the rotation is shown for it") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene);
  REQUIRE(stage.click("distance 5"));
  CHECK(stage.state() == "the model's own, source, alike at 5");
  REQUIRE(stage.click("Lower picture: Shift"));
  CHECK(stage.state() == "the model's own, source, shift by 5");
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
}

TEST_CASE("the numbers hold the whole table and the similarity that depends on distance alone") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene);
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 5);
  CHECK(tables[0].values.size() == 32);
  CHECK(tables[0].values[3][8] == doctest::Approx(position_wave(3, 8, 32)));
  CHECK(tables[1].values[2][0] == doctest::Approx(13.7).epsilon(0.005));
  CHECK(stage.view().caption(scene.input()) ==
        "Positions (sinusoidal), 32 positions of 32 dimensions; the model’s longest position is 31; "
        "wavelengths from 6.28 to " +
            format_count(std::lround(2 * std::acos(-1.0) * std::pow(1e4, 30.0 / 32))) + " positions");
}

TEST_CASE("rotary: the angle of each pair at each position, its formula, and the query and key it turns") {
  SampleScene scene = scene_with(PositionKind::rotary);
  const Config& config = scene.input().snapshot.config;
  const int k = config.head_width();
  ViewStage stage("positions", scene);
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 5);
  REQUIRE(tables[0].columns.size() == static_cast<std::size_t>(k / 2));
  CHECK(tables[0].values[3][1] == doctest::Approx(3 / std::pow(10000.0, 2.0 / k)));
  CHECK(tables[0].values[4][0] == doctest::Approx(4 - 2 * std::acos(-1.0)));

  REQUIRE(stage.click("position 3 pair 1"));
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.value == format_pinned(std::sin(3 / std::pow(10000.0, 2.0 / k))));
  REQUIRE(page.sections.size() == 3);  // the shift as well
  const Trace& trace = *scene.result->trace;
  CHECK(page.sections[1].rows[0].value ==
        format_pinned(trace.plane("encoder.layers.0.self_attn.rotated_query")(3, 2)));
  CHECK(page.sections[1].rows[1].value ==
        format_pinned(trace.plane("encoder.layers.0.self_attn.rotated_key")(3, 2)));
}

TEST_CASE("a dimension that a narrower table lacks leaves its row pinned") {
  SampleScene scene = scene_with(PositionKind::rotary);
  const Config& config = scene.input().snapshot.config;
  ViewStage stage("positions", scene);
  scene.pin(pinned(31, config.d_model - 1));  // under "sinusoidal"
  REQUIRE(config.head_width() < config.d_model);
  stage.frames();
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");
  CHECK_FALSE(contains(stage.view().caption(scene.input()), "dimension "));
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.value.empty());
  CHECK(page.sections[0].heading == "The whole row");
}

namespace {

std::vector<std::string> lines_of(const InspectorSection& section) {
  std::vector<std::string> lines;
  for (const Formula& formula : section.formulas) lines.push_back(formula_as_text(formula));
  return lines;
}

bool holds(const std::vector<std::string>& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

}  // namespace

TEST_CASE("beside each wave stands its wavelength, and the inspector names the longest position") {
  SampleScene scene = scene_with(PositionKind::sinusoidal, 64);
  ViewStage stage("positions", scene);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1000, 700});
  for (const int dimension : {0, 8, 16, 24, 32}) {
    const double wavelength = 2 * std::acos(-1.0) * std::pow(10000.0, dimension / 64.0);
    CHECK(canvas.find(wavelength < 100 ? format_fixed(wavelength, 2) : format_fixed(wavelength, 1)));
  }
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  const InspectorSection* waves = section_of(page, "Wavelengths");
  REQUIRE(waves);
  REQUIRE(waves->rows.size() == 5);
  CHECK(waves->rows[0].value == "6.28");
  CHECK(waves->rows[1].value == format_count(std::lround(2 * std::acos(-1.0) * std::pow(1e4, 62.0 / 64))));
  CHECK(waves->rows[2].value == format_count(62832));
  CHECK(waves->rows[3].value == "31");
  int turning = 0;
  for (int i = 0; i < 32; ++i) turning += 2 * std::acos(-1.0) * std::pow(1e4, 2.0 * i / 64) <= 31;
  CHECK(waves->rows[4].value == std::to_string(turning) + " of 32");
  CHECK(contains(waves->text, "differ by at most "));

  // The tables for files hold the same.
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 5);
  CHECK(tables[3].values[4][0] == doctest::Approx(std::pow(1e4, -8.0 / 64)).epsilon(1e-12));
  CHECK(tables[3].values[4][1] == doctest::Approx(std::exp(-std::log(1e4) * 8 / 64)).epsilon(1e-12));
  CHECK(tables[3].values[4][2] == doctest::Approx(2 * std::acos(-1.0) * std::pow(1e4, 8.0 / 64)));
}

TEST_CASE("the shift map of the pinned pair, with its numbers, gives the row k places on") {
  SampleScene scene = scene_with(PositionKind::sinusoidal);
  ViewStage stage("positions", scene, {1000, 700});
  REQUIRE(stage.click("distance 2"));
  REQUIRE(stage.click("Lower picture: Shift"));
  REQUIRE(stage.click("position 3 dimension 8"));
  CHECK(in_lines(complaints(stage.view(), scene.input())) == "");

  const double w = std::pow(1e4, -8.0 / 32), s = std::sin(3 * w), c = std::cos(3 * w);
  const std::vector<std::string> expected{"ωk = 0.1 × 2 = 0.2000",
                                          "cos ωk = " + format_pinned(std::cos(2 * w)),
                                          "sin ωk = " + format_pinned(std::sin(2 * w)),
                                          "= " + format_pinned(std::cos(2 * w)) + " × " + format_pinned(s),
                                          "+ " + format_pinned(std::sin(2 * w)) + " × " + format_pinned(c),
                                          "= " + format_pinned(std::sin(5 * w)),
                                          "= " + format_pinned(-std::sin(2 * w)) + " × " + format_pinned(s),
                                          "+ " + format_pinned(std::cos(2 * w)) + " × " + format_pinned(c),
                                          "= " + format_pinned(std::cos(5 * w))};
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  const InspectorSection* map = section_of(page, "Pair 4, 2 places on");
  REQUIRE(map);
  CHECK(map->note == "3 → 5");
  const auto lines = lines_of(*map);
  for (const std::string& line : expected) {
    CAPTURE(line);
    CHECK(holds(lines, line));
  }
  REQUIRE(map->rows.size() == 3);
  CHECK(map->rows[0].value == format_pinned(std::sin(5 * w)));
  CHECK(map->rows[1].value == format_pinned(std::cos(5 * w)));

  // The same on the stage, and for every pair in the file.
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1000, 700});
  CHECK(canvas.find("cos ωk, sin ωk"));
  CHECK(canvas.find(" 0.9801  0.1987"));
  CHECK(canvas.find("−0.1987  0.9801"));
  CHECK(canvas.find("row 5"));
  const auto tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 5);
  CHECK(tables[4].title == "each pair moved from position 3 to 5");
  REQUIRE(tables[4].values.size() == 16);
  for (std::size_t pair = 0; pair < 16; ++pair) {
    const double angle = std::pow(1e4, -double(pair) / 16);
    CHECK(tables[4].values[pair][0] == doctest::Approx(2 * angle));
    CHECK(tables[4].values[pair][5] == doctest::Approx(std::sin(5 * angle)).epsilon(1e-6));
    CHECK(tables[4].values[pair][8] == doctest::Approx(std::cos(5 * angle)).epsilon(1e-6));
    CHECK(std::abs(tables[4].values[pair][9]) < 2e-7);
    CHECK(std::abs(tables[4].values[pair][10]) < 2e-7);
  }

  // A hand of the dials is chosen by a click.
  REQUIRE(stage.click("pair 0"));
  REQUIRE(scene.pinned.cell);
  CHECK(scene.pinned.cell->index == std::vector<int>{3, 0});
}

TEST_CASE("learned positions and none have neither wavelengths nor a shift map") {
  for (const PositionKind kind : {PositionKind::learned, PositionKind::none}) {
    SampleScene scene = scene_with(kind);
    ViewStage stage("positions", scene);
    const bool learned = kind == PositionKind::learned;
    const auto tables = stage.view().numbers(scene.input());
    CHECK(tables.size() == (learned ? 3 : 1));
    const Plane words = scene.result->trace->plane("source.embedding");
    double product = 0;
    for (int i = 0; i < words.columns; ++i) product += double(words(0, i)) * double(words(1, i));
    if (!learned) CHECK(tables[0].values[0][1] == doctest::Approx(product).epsilon(1e-4));
    const InspectorPage page = inspector_page(stage.view(), scene.input());
    CHECK_FALSE(section_of(page, "Wavelengths"));
    CHECK((section_of(page, "How to read this") != nullptr) == learned);
    CHECK_FALSE(contains(stage.view().caption(scene.input()), "wavelength"));
  }
  // Rotary angles are waves of a head's own columns.
  SampleScene scene = scene_with(PositionKind::rotary);
  ViewStage stage("positions", scene);
  const int k = scene.input().snapshot.config.head_width();
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  const InspectorSection* waves = section_of(page, "Wavelengths");
  REQUIRE(waves);
  const double last = 2 * std::acos(-1.0) * std::pow(1e4, (k - 2.0) / k);
  CHECK(waves->rows[1].value ==
        (last < 1000 ? format_fixed(last, last < 100 ? 2 : 1) : format_count(std::lround(last))));
}

TEST_CASE("under a change of positions a word is at the position that it is given") {
  for (const PositionKind kind : {PositionKind::sinusoidal, PositionKind::learned, PositionKind::rotary}) {
    const SampleScene plain = scene_with(kind);
    SampleOptions options;
    options.config = plain.snapshot->config;
    Change shift = change_of(ChangeKind::shift_positions);
    shift.shift = 4;
    options.what_if.changes = {shift};
    SampleScene scene = make_sample_scene(options);
    scene.pin(pinned(2, 0));
    ViewStage stage("positions", scene);
    const InspectorPage page = inspector_page(stage.view(), scene.input());
    CHECK(contains(page.subject, "**girl** at position **6**"));
    if (kind == PositionKind::sinusoidal) CHECK(page.value == format_pinned(std::sin(6)));

    // No word can be moved to what lies before the shift.
    scene.pin({});
    stage.click("position 1 dimension 8");
    CHECK_FALSE(scene.pinned.cell);
  }
  // Between two words that change places the product is that of the others' rows.
  SampleOptions swapped;
  swapped.config = scene_with(PositionKind::sinusoidal).snapshot->config;
  Change swap = change_of(ChangeKind::swap_positions);
  swap.row = 0, swap.column = 3;
  swapped.what_if.changes = {swap};
  const SampleScene plain = scene_with(PositionKind::sinusoidal), scene = make_sample_scene(swapped);
  const auto view = make_view("positions");
  const auto before = view->numbers(plain.input()), after = view->numbers(scene.input());
  CHECK(after[2].values[0][1] == doctest::Approx(before[2].values[3][1]));
  CHECK(after[2].values[0][1] != doctest::Approx(before[2].values[0][1]));
}

TEST_CASE("ALiBi: what each head's score loses by distance, in picture, words and inspector") {
  SampleScene scene = scene_with(PositionKind::alibi);
  ViewStage stage("positions", scene);
  const int heads = scene.input().snapshot.config.heads;
  const std::vector<NumberTable> tables = stage.view().numbers(scene.input());
  REQUIRE(tables.size() == 2);
  REQUIRE(std::ssize(tables[0].rows) == heads);
  for (int head = 0; head < heads; ++head)
    for (int distance = 0; distance < 5; ++distance)
      CHECK(tables[0].values[std::size_t(head)][std::size_t(distance)] ==
            doctest::Approx(-distance_slope(head, heads) * distance));
  CHECK(tables[1].values[0][2] == doctest::Approx(-2 * distance_slope(0, heads)));
  CHECK(contains(stage.view().caption(scene.input()), "loses by distance"));
  const InspectorPage page = inspector_page(stage.view(), scene.input());
  CHECK(page.subject == "given, never trained");
  REQUIRE(page.sections.size() == 1);
  CHECK(std::ssize(page.sections[0].rows) == heads);

  // A click on another head shows that one between the words.
  REQUIRE(stage.click("head 2 distance 3"));
  CHECK(scene.pinned.head == 1);
  CHECK(stage.view().numbers(scene.input())[1].values[0][2] ==
        doctest::Approx(-2 * distance_slope(1, heads)));
}
