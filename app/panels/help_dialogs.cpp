#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

constexpr std::array kAbout{
    "Glassformer makes the encoder-decoder Transformer of “Attention Is All You Need” see-through. Every "
    "number on screen was computed by the model that is open; only the café of the Lookup view is an "
    "example.",
    "Words of any script can be typed and show when a font for them is installed. Letters are set one by "
    "one: scripts that join their letters or run from right to left, such as Arabic, keep their letters but "
    "not their joints and order.",
    "The paper: Vaswani et al., 2017, arxiv.org/abs/1706.03762."};

}  // namespace

bool keys_dialog(ui::Ui& ui, Point window) {
  struct Line {
    std::vector<const char*> keys;
    const char* what;
  };
  const std::vector<Line> lines{
      {{"E", "D", "X"}, "encoder, decoder, cross-attention"},
      {{"1–8", "0"}, "one head, the mean of all"},
      {{"↑", "↓"}, "layer"},
      {{"Enter", "Backspace"}, "deeper (also a double click), back the way one came"},
      {{"Space"}, "play: the output word by word, the Walk step by step"},
      {{"←", "→"}, "one word back, on; in the Walk one step"},
      {{"Shift+←", "Shift+→"}, "Walk: a block back, on; block, cell: next number"},
      {{"B"}, "in the Walk: the next step of the way back"},
      {{"Home", "End"}, "first word, all words; first step, last step"},
      {{"T"}, "train, pause"},
      {{"N"}, "one training step"},
      {{"[", "]"}, "back, on through the steps of the training"},
      {{"C"}, "compare with another step, sentence, run; back to one"},
      {{"S"}, "save figure"},
      {{"Ctrl+Z", "Ctrl+Shift+Z"}, "undo, redo a change"},
      {{"Ctrl+C"}, "copy the matrix"},
      {{"Ctrl+D"}, "the open view in words"},
      {{"Ctrl+K"}, "the View menu: letters find views, lessons, changes, commands"},
      {{"F2"}, "the whole window, and back to the first screen"},
      {{"F3", "F4"}, "the next lesson; watch a fresh model learn"},
      {{"F5"}, "lecture mode: large type for a projector"},
      {{"L"}, "all lessons"},
      {{"PgUp", "PgDn"}, "in a lesson: the page before, the next (Walk and cell: with Shift)"},
      {{"Ctrl+O"}, "open a model"},
      {{"Ctrl+S", "Ctrl+Shift+O"}, "save, open a session: all that you see, as a text file"},
      {{"Ctrl+R"}, "report: a folder with pages, figures and numbers"},
      {{"Ctrl+Shift+C"}, "copy the session as a link text"},
      {{"Ctrl +", "Ctrl −"}, "larger, smaller text"},
      {{"Ctrl+Q"}, "quit; a run that is going on is kept"},
      {{"R"}, "in Attention: the pinned row by hand"},
      {{"right click", "Menu"}, "what can be changed there"},
      {{"Space"}, "in What if: mutes the tile, or restores it"},
      {{"M"}, "in the Head report: mutes the pinned head, or restores it"},
      {{"B", "R"}, "in the Head report: sorts by the next column, turns the order"},
      {{"F"}, "in Decode: forces the pinned beginning"},
      {{"O"}, "hold: the untouched model, while something is changed"},
      {{"W"}, "source or output words, in a low window"},
      {{"M", "I"}, "map, inspector, in a narrow window"},
      {{"Ctrl+click"}, "selects more words, or takes one out again"},
      {{"/"}, "into the sentence field; Enter translates"},
      {{"Tab"}, "from control to control; in a picture the arrows go over its parts"},
      {{"Esc"}, "leaves the field, closes, then clears the pin, back to now"},
      {{"?"}, "this sheet"}};
  const DialogBox dialog = begin_dialog(ui, window, "Keys", {620, 748});
  const Rect view{dialog.body.x, dialog.body.y, dialog.body.width + 16, dialog.body.height};
  const Rect body =
      ui.begin_scroll(view, "keys", {dialog.body.width, static_cast<float>(lines.size()) * 28 + 4});
  float y = body.y + 14;
  const float column = std::min(200.0f, dialog.body.width * 0.45f);
  for (const Line& line : lines) {
    float x = body.x;
    for (const char* key : line.keys) x += draw_keycap(ui.canvas(), {x, y}, key) + 6;
    const float from = std::max(body.x + column, x + 10);
    ui.canvas().text(
        {from, y},
        elided(ui.canvas(), line.what, styles::body(ui.theme()), body.x + dialog.body.width - from),
        styles::body(ui.theme()));
    y += 28;
  }
  ui.end_scroll();
  end_dialog(ui);
  return dialog.closed;
}

bool about_dialog(ui::Ui& ui, Point window) {
  const Theme& t = ui.theme();
  // As high as its words are.
  float height = 24;
  for (const char* words : kAbout)
    height +=
        paragraph_height(ui.canvas(), std::min(560.0f, window.x - 24) - 56, words, styles::body(t)) + 10;
  const DialogBox dialog = begin_dialog(ui, window, "About Glassformer", {560, height + 80});
  Canvas& canvas = ui.canvas();
  const Rect view{dialog.body.x, dialog.body.y, dialog.body.width + 16, dialog.body.height};
  const Rect body = ui.begin_scroll(view, "about", {dialog.body.width, height});
  float y = body.y;
  const float width = dialog.body.width - 8;
  for (const char* words : kAbout) {
    y += paragraph(canvas, {body.x, y}, width, words, styles::body(t)) + 10;
  }
  canvas.text({body.x, y + 8}, std::string("Version ") + GLASSFORMER_VERSION, styles::caption(t));
  ui.end_scroll();
  end_dialog(ui);
  return dialog.closed;
}

}  // namespace glassformer
