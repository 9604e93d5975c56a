#include "tests/ui/component_sheet.h"

#include <doctest/doctest.h>

#include "tests/ui/recording_canvas.h"

using namespace glassformer;

TEST_CASE("no component draws words over words or out of the sheet") {
  for (const ComponentSheet& sheet : component_sheets()) {
    for (bool file : {false, true}) {
      RecordingCanvas canvas(light_theme(), file);
      sheet.draw(canvas);
      CHECK(canvas.texts.size() > 50);
      CHECK(canvas.clips == 0);
      for (const std::string& pair : overlapping_texts(canvas)) FAIL_CHECK(pair);
      for (const std::string& text : texts_outside(canvas, {0, 0, sheet.size.x, sheet.size.y}))
        FAIL_CHECK(text);
    }
  }
}
