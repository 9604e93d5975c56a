#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "engine/files/new_file.h"
#include "engine/math/failure.h"
#include "engine/text/unicode.h"

namespace glassformer {

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

constexpr float kTableRow = 20, kBetween = 18;

// "| a | b |"; a bar within a cell stands behind a backslash.
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
      widths[i] = std::max(widths[i], canvas.measure(row[i], styles::number(t)).x + kBetween);
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
  const Rect inside = ui.begin_scroll(view, "description", {std::max(body.width, wide), form.height});
  const float height =
      draw_lines(ui.canvas(), t, {inside.x, inside.y, body.width - 8, 0}, form.text, table, widths);
  ui.end_scroll();
  ui.note(view, "description text", form.text);
  if (height != form.height) ui.ask_frame(0);
  form.height = height;

  const float y = body.bottom() - kRows + 12, copy = ui.button_width("Copy"), save = ui.button_width("Save");
  ui.canvas().text({body.x, y + 8}, "Text file", styles::section(t));
  ui.TextField({body.x, y + 22, body.width - copy - save - 24, 36}, "Save the text as", form.path,
               {.error = form.problem});
  if (ui.Button({body.right() - copy - save - 12, y + 24, save, 32}, "Save", {.id = "Save the text"}))
    save_text(form);
  if (ui.PrimaryButton({body.right() - copy, y + 24, copy, 32}, "Copy", {.id = "Copy the text"}))
    ui.push(CopyText{form.text});
  const std::string& said = form.problem.empty() ? form.said : form.problem;
  TextStyle style = styles::caption(t);
  if (!form.problem.empty()) style.color = t.wrong;
  ui.canvas().text({body.x, y + 74}, elided(ui.canvas(), said, style, body.width), style);
  if (!said.empty()) ui.note({body.x, y + 66, body.width, 16}, "saved text", said);
  end_dialog(ui);
  return dialog.closed;
}

}  // namespace glassformer
