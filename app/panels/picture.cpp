#include "app/panels/picture.h"

#include <algorithm>
#include <string>

#include "app/panels/styles.h"
#include "engine/math/failure.h"

namespace glassformer {

void draw_picture(ui::Ui& ui, View& view, const ViewInput& input, const Rect& area, PictureOptions options) {
  Canvas& canvas = ui.canvas();
  const Point least = view.minimum_size(input);
  const bool scrolls = area.width < least.x || area.height < least.y;
  Rect content = area;
  if (scrolls)
    content = ui.begin_scroll(area, options.scroll,
                              {std::max(least.x, area.width), std::max(least.y, area.height)});
  try {
    view.picture(canvas, input, content);
    ui.of_view(true);
    if (options.controls) view.controls(ui, input, content);
    ui.of_view(false);
    if (view.traits().busy) ui.ask_frame(0.05);
  } catch (const std::exception& error) {
    ui.of_view(false);
    const std::string words = failure_words(error);
    canvas.rectangle(content, {.fill = ui.theme().paper});
    paragraph(canvas, {content.x, content.y}, content.width, words, styles::body(ui.theme()));
    ui.note(content, "stage error", words);
  }
  if (scrolls) ui.end_scroll();
}

}  // namespace glassformer
