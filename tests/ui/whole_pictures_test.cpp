// Every view with short and long sentences, trained and untrained: nothing leaves its area, no words lie on
// each other or on a curve, nothing is tiny, and at the usual size nothing is cut.
#include <doctest/doctest.h>

#include <array>

#include "app/views/view_table.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

// A sentence of about this many words, and its translation.
SampleScene scene_of(int words) {
  constexpr std::array<const char*, 7> kSource{"the", "tired", "girl", "sees", "a", "red", "car"};
  constexpr std::array<const char*, 7> kTarget{"la", "fille", "fatiguée", "voit", "une", "voiture", "rouge"};
  SampleOptions options;
  std::string source, target;
  for (int i = 0; i < words; ++i) {
    const auto at = static_cast<std::size_t>(i) % kSource.size();
    source += std::string(kSource[at]) + " ";
    target += std::string(kTarget[at]) + " ";
  }
  options.sentences.insert(options.sentences.begin(), SceneSentence{source, {}, target});
  SampleScene scene = make_sample_scene(options);
  Selection selection;
  selection.layer = 1;
  selection.query = 2;
  selection.key = 3;
  scene.pin(selection);
  return scene;
}

constexpr double kNoise = 0.3;

void add_marked_run(SampleScene& scene, long steps) {
  add_run(scene, steps, kNoise);
  auto curves = std::make_shared<Curves>(*scene.run.curves);
  curves->marks = {{steps / 3, "learning rate × 0.5"}, {steps / 2, "resumed"}};
  scene.run.curves = curves;
}

TEST_CASE("every view is whole with 7, 25 and 60 words, before, during and after training") {
  for (const int words : {7, 25, 60}) {
    for (const long steps : {0L, 260L, 3200L}) {
      SampleScene scene = scene_of(words);
      if (steps > 0) add_marked_run(scene, steps);
      for (const ViewEntry& entry : view_table()) {
        const bool of_run = std::string(entry.name) == "training" || std::string(entry.name) == "schedule";
        if (std::string(entry.name) == "training" && steps == 0) continue;  // says only what will be here
        if (std::string(entry.name) == "heads") continue;  // has pairs of its own: heads_view_test
        if (of_run ? words != 7 : steps != 0) continue;    // only what differs
        CAPTURE(std::string(entry.name));
        CAPTURE(words);
        CAPTURE(steps);
        const std::unique_ptr<View> view = entry.make();
        // The numbers wait for what is worked out aside.
        if (std::string(entry.name) == "what-if") view->numbers(scene.input());
        CHECK(in_lines(complaints(*view, scene.input())) == "");
      }
    }
  }
}

TEST_CASE("at the usual size no word of a short sentence is cut") {
  SampleScene scene = scene_of(7);
  add_marked_run(scene, 3200);
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(std::string(entry.name));
    const auto view = entry.make();
    for (const Point size : {Point{1000, 660}, Point{1400, 900}}) {
      RecordingCanvas canvas(light_theme(), true);  // as a file: nothing is still being computed
      view->picture(canvas, scene.input(), area_for(*view, scene.input(), size));
      const auto cut = cut_texts(canvas);
      CHECK_MESSAGE(cut.empty(), in_lines(cut));
    }
  }
}

TEST_CASE("the checks see words that overlap, lie on a curve, leave the area, are tiny or cut") {
  RecordingCanvas canvas;
  const TextStyle style{.size = 12};
  canvas.text({20, 20}, "first", style);
  canvas.text({25, 22}, "second", style);
  CHECK(overlapping_texts(canvas).size() == 1);
  CHECK(texts_on_curves(canvas).empty());
  std::vector<Point> curve;
  for (int x = 0; x < 20; ++x) curve.push_back({float(5 * x), 60});
  canvas.polyline(curve, {});
  canvas.text({30, 60}, "on the line", style);
  CHECK(texts_on_curves(canvas) == std::vector<std::string>{"on the line"});
  canvas.text({195, 90}, "outside", style);
  CHECK(texts_outside(canvas, {0, 0, 200, 100}) == std::vector<std::string>{"outside"});
  canvas.text({100, 20}, "small", {.size = 8});
  CHECK(texts_under(canvas, 10) == std::vector<std::string>{"small"});
  canvas.text({100, 40}, "fatigu\u2026", style);
  CHECK(cut_texts(canvas).size() == 1);
}

}  // namespace
}  // namespace glassformer
