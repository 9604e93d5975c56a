#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/format/build_facts.h"
#include "app/format/number_format.h"
#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "app/widgets/marks.h"
#include "engine/files/atomic_file.h"
#include "engine/math/error.h"
#include "engine/text/unicode.h"

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
      ui.scroll.begin(view, "keys", {dialog.body.width, static_cast<float>(lines.size()) * 28 + 4});
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
  ui.scroll.end();
  end_dialog(ui);
  return dialog.closed;
}

bool about_dialog(ui::Ui& ui, Point window) {
  const Theme& t = ui.theme();
  std::vector<std::pair<std::string, TextStyle>> paragraphs;
  for (const char* words : kAbout) paragraphs.emplace_back(words, styles::body(t));
  for (const std::string& fact : build_facts()) paragraphs.emplace_back(fact, styles::caption(t));
  // As high as its words are.
  float height = 0;
  for (const auto& [words, style] : paragraphs)
    height += paragraph_height(ui.canvas(), std::min(560.0f, window.x - 24) - 56, words, style) + 10;
  const DialogBox dialog = begin_dialog(ui, window, "About Glassformer", {560, height + 80});
  const Rect view{dialog.body.x, dialog.body.y, dialog.body.width + 16, dialog.body.height};
  const Rect body = ui.scroll.begin(view, "about", {dialog.body.width, height});
  float y = body.y;
  std::string said;
  for (const auto& [words, style] : paragraphs) {
    y += paragraph(ui.canvas(), {body.x, y}, dialog.body.width - 8, words, style) + 10;
    said += words + "\n";
  }
  ui.note(view, "about text", said);
  ui.scroll.end();
  end_dialog(ui);
  return dialog.closed;
}

namespace {

// Never over what is there.
void save_text(DescribeForm& form) {
  form.problem.clear(), form.said.clear();
  try {
    write_new_file(expanded(form.path), form.text);
    form.said = "Saved: " + form.path;
  } catch (const std::exception& error) {
    form.problem = failure_words(error);
  }
}

using Cells = std::vector<std::string>;

constexpr float kTableRow = 20, kBetweenKeys = 18;

// "| a | b |"; a bar within a cell is behind a backslash.
Cells cells_of(const std::string& line) {
  Cells cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] == '|') {
      cells.emplace_back(trimmed(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

// The rows that begin with a bar, without the one of dashes below the head.
std::vector<Cells> table_of(const std::string& text) {
  std::vector<Cells> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("|") && !line.starts_with("|---")) rows.push_back(cells_of(line));
  return rows;
}

std::vector<float> widths_of(const Canvas& canvas, const Theme& t, const std::vector<Cells>& table) {
  std::vector<float> widths;
  for (const Cells& row : table) {
    if (widths.size() < row.size()) widths.resize(row.size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], canvas.measure(row[i], styles::number(t)).x + kBetweenKeys);
  }
  return widths;
}

// What each row is called on the left, its numbers to the right; returns the height.
float draw_table(Canvas& canvas, const Theme& t, Point at, const std::vector<Cells>& table,
                 const std::vector<float>& widths) {
  const float wide = std::accumulate(widths.begin(), widths.end(), 0.0f);
  float y = at.y + kTableRow / 2;
  for (const Cells& row : table) {
    const bool head = &row == &table.front();
    TextStyle style = styles::number(t);
    if (head) style.color = t.second_text;
    float x = at.x;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == 0)
        canvas.text({x, y}, row[i], style);
      else
        canvas.text({x + widths[i], y}, row[i], styles::right(style));
      x += widths[i];
    }
    if (head) canvas.line({at.x, y + kTableRow / 2}, {at.x + wide, y + kTableRow / 2}, {.color = t.border});
    y += kTableRow;
  }
  return kTableRow * static_cast<float>(table.size());
}

// Paragraphs, and the table in columns; returns the height.
float draw_lines(Canvas& canvas, const Theme& t, const Rect& rect, const std::string& text,
                 const std::vector<Cells>& table, const std::vector<float>& widths) {
  float y = rect.y;
  bool drawn = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      y += 8;
    } else if (!line.starts_with("|")) {
      y += paragraph(canvas, {rect.x, y}, rect.width, line,
                     y == rect.y ? styles::heading(t) : styles::body(t));
    } else if (!std::exchange(drawn, true)) {
      y += draw_table(canvas, t, {rect.x, y}, table, widths);
    }
  }
  return y - rect.y;
}

}  // namespace

bool describe_dialog(ui::Ui& ui, DescribeForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "This view in words", {760, 720});
  const Theme& t = ui.theme();
  const Rect& body = dialog.body;
  constexpr float kRows = 104;
  const Rect view{body.x, body.y, body.width + 16, std::max(60.0f, body.height - kRows)};
  const std::vector<Cells> table = table_of(form.text);
  const std::vector<float> widths = widths_of(ui.canvas(), t, table);
  const float wide = std::accumulate(widths.begin(), widths.end(), 8.0f);
  const Rect inside = ui.scroll.begin(view, "description", {std::max(body.width, wide), form.height});
  const float height =
      draw_lines(ui.canvas(), t, {inside.x, inside.y, body.width - 8, 0}, form.text, table, widths);
  ui.scroll.end();
  ui.note(view, "description text", form.text);
  if (height != form.height) ui.ask_frame(0);
  form.height = height;

  const float y = body.bottom() - kRows + 12, copy = ui.button_width("Copy"), save = ui.button_width("Save");
  ui.canvas().text({body.x, y + 8}, "Text file", styles::section(t));
  TextField(ui, {body.x, y + 22, body.width - copy - save - 24, 36}, "Save the text as", form.path,
            {.error = form.problem});
  if (Button(ui, {body.right() - copy - save - 12, y + 24, save, 32}, "Save", {.id = "Save the text"}))
    save_text(form);
  if (PrimaryButton(ui, {body.right() - copy, y + 24, copy, 32}, "Copy", {.id = "Copy the text"}))
    ui.push(CopyText{form.text});
  const std::string& said = form.problem.empty() ? form.said : form.problem;
  TextStyle style = styles::caption(t);
  if (!form.problem.empty()) style.color = t.wrong;
  ui.canvas().text({body.x, y + 74}, elided(ui.canvas(), said, style, body.width), style);
  if (!said.empty()) ui.note({body.x, y + 66, body.width, 16}, "saved text", said);
  end_dialog(ui);
  return dialog.closed;
}

namespace {

std::string how_far(const UnsavedRun& run) {
  std::string words = "Trained to step " + format_count(run.step) + "; ";
  words += run.saved_step > 0 ? "on disk as of step " + format_count(run.saved_step) + "."
                              : "what it has learned here is not on disk.";
  if (run.failed_saves > 1) words += " Saving failed " + format_count(run.failed_saves) + " times.";
  return words;
}

}  // namespace

UnsavedAnswer unsaved_dialog(ui::Ui& ui, const Session& session, bool closing, Point window) {
  const std::vector<UnsavedRun> runs = session.unsaved();
  if (runs.empty()) return UnsavedAnswer::leave;
  const std::string title = runs.size() == 1 ? "The run is not saved" : "The runs are not saved";
  const DialogBox dialog = begin_dialog(ui, window, title, {620, 300});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect body = dialog.body;
  constexpr float kFoot = 100;

  constexpr float kEach = 116;
  const float needed = kEach * static_cast<float>(runs.size());
  const Rect list = ui.scroll.begin({body.x - 8, body.y, body.width + 16, body.height - kFoot},
                                    "unsaved runs", {body.width + 16, needed});
  float y = list.y;
  for (const UnsavedRun& run : runs) {
    const float width = body.width - 8, left = list.x + 8;
    const std::string name = run_in_words(std::filesystem::path(run.folder).filename().string());
    const float top = y;
    y += paragraph(canvas, {left, y}, width, name, styles::heading(t)) + 4;
    y += paragraph(canvas, {left, y}, width, how_far(run), styles::body(t)) + 4;
    const std::string why = run.why + "." +
                            (run.not_moved.empty() || run.not_moved == run.why
                                 ? ""
                                 : " The other folder could not be taken: " + run.not_moved + ".");
    y += paragraph(canvas, {left, y}, width, why, {.size = 12, .color = t.wrong}) + 12;
    ui.note({left, top, width, y - top}, "unsaved run", name + ". " + how_far(run) + " " + why);
  }
  ui.scroll.end();

  const float foot = body.bottom() - 34;
  const std::string words =
      "Mend what is said above and try again, or choose a folder on another disk. Nothing is lost while the "
      "program is open.";
  paragraph(canvas, {body.x, foot - 50}, body.width, words, styles::caption(t));

  const float again = ui.button_width("Try again"), other = ui.button_width("Another folder…");
  UnsavedAnswer answer = dialog.closed ? UnsavedAnswer::leave : UnsavedAnswer::none;
  if (PrimaryButton(ui, {body.right() - again, foot, again, 32}, "Try again"))
    answer = UnsavedAnswer::try_again;
  if (Button(ui, {body.right() - again - 8 - other, foot, other, 32}, "Another folder…"))
    ui.push(OpenDialog{"keep run"});
  const std::string leave = closing ? "Close without saving" : "Later";
  if (Button(ui, {body.x, foot, ui.button_width(leave), 32}, leave))
    answer = closing ? UnsavedAnswer::close_anyway : UnsavedAnswer::leave;
  end_dialog(ui);
  return answer;
}

}  // namespace glassformer
