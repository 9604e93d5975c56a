// "What am I looking at?": every part of the screen named where it is.
#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/dialogs.h"
#include "app/panels/layout.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

struct ScreenPart {
  Rect rect;
  const char* name;
  const char* words;
};

std::vector<ScreenPart> parts_of(const Layout& layout) {
  std::vector<ScreenPart> parts{{layout.top_bar, "Menus and training",
                                 "The model that is open, its step and loss; Train begins or goes on."}};
  if (layout.map_place != MapPlace::hidden)
    parts.push_back({layout.map, "Map",
                     "The model as the paper draws it. A click on a block opens it. "
                     "Layers and heads count from 1, words and places from 0."});
  parts.push_back({layout.stage, "Picture",
                   "One view of the model at work on your sentence; the View menu has all of them. A click "
                   "pins a word, a head, a cell; a double click leads deeper."});
  if (layout.inspector_place != InspectorPlace::hidden)
    parts.push_back({layout.inspector, "Inspector",
                     "How the pinned number came about: its formula, its operands, what it means."});
  const Rect& bar = layout.sentence;
  parts.push_back({{bar.x, bar.y, layout.left, bar.height}, "Your sentence", "Type one and press Enter."});
  if (layout.bottom != BottomSize::one_row) {
    parts.push_back({{layout.left, bar.y, layout.right - layout.left, bar.height},
                     "Words",
                     "What the model reads above, what it writes below, with how sure it is."});
    parts.push_back({{layout.right, bar.y, layout.window.x - layout.right, bar.height},
                     "Decoding",
                     "How the next word is chosen, and the output word by word."});
  }
  parts.push_back(
      {layout.slider, "Training slider", "Drag it, and every view shows the model as it was at that step."});
  return parts;
}

}  // namespace

bool parts_dialog(ui::Ui& ui, Point window) {
  const Theme& t = ui.theme();
  const Rect all{0, 0, window.x, window.y};
  ui.begin_layer(all, true);
  Canvas& canvas = ui.canvas();
  canvas.rectangle(all, {.fill = t.paper.with_alpha(0.55f)});
  for (const ScreenPart& part : parts_of(layout_for(window))) {
    canvas.rectangle(part.rect.inset(3), {.outline = t.control, .outline_width = 1.5f, .radius = 6});
    // A card in the middle of the part, as large as its words; in a low part the name alone.
    const float width = std::clamp(part.rect.width - 24, 120.0f, 360.0f);
    const float words = paragraph_height(canvas, width - 24, part.words, styles::body(t));
    const bool name_alone = words + 44 > part.rect.height;
    const float one_line = canvas.measure(part.words, styles::body(t)).x;
    const float name = canvas.measure(part.name, styles::heading(t)).x;
    const Point at = part.rect.center();
    if (name_alone && name + one_line + 48 > part.rect.width) {
      const Rect card{at.x - name / 2 - 12, at.y - 14, name + 24, 28};
      canvas.rectangle(card, {.fill = t.panel, .outline = t.control, .radius = 6});
      canvas.text(at, part.name, styles::center(styles::heading(t)));
      ui.note(card, std::string("part ") + part.name, part.words);
    } else if (name_alone) {
      const Rect card{at.x - (name + one_line + 16) / 2 - 12, at.y - 14, name + one_line + 40, 28};
      canvas.rectangle(card, {.fill = t.panel, .outline = t.control, .radius = 6});
      canvas.text({card.x + 12, at.y}, part.name, styles::heading(t));
      canvas.text({card.x + 28 + name, at.y}, part.words, styles::body(t));
      ui.note(card, std::string("part ") + part.name, part.words);
    } else {
      const Rect card{std::round(at.x - width / 2), std::round(at.y - (words + 44) / 2), width, words + 44};
      canvas.rectangle(card, {.fill = t.panel, .outline = t.control, .radius = 6});
      canvas.text({card.x + 12, card.y + 18}, part.name, styles::heading(t));
      paragraph(canvas, {card.x + 12, card.y + 32}, width - 24, part.words, styles::body(t));
      ui.note(card, std::string("part ") + part.name, part.words);
    }
  }
  const bool closed = ui.area(all, "Close the names of the parts", "button").clicked;
  ui.end_layer();
  return closed;
}

}  // namespace glassformer
