#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/panels/dialogs.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

using Wish = SessionForm::Wish;

constexpr float kSessionRow = 24, kTextLine = 18;
constexpr std::size_t kLinesShown = 7;

// What the session is, in words.
float session_rows(ui::Ui& ui, const SessionForm& form, Point top, float width) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  for (const auto& [label, value] : form.rows) {
    canvas.text({top.x, top.y + kSessionRow / 2}, label, styles::caption(t));
    canvas.text({top.x + 112, top.y + kSessionRow / 2}, elided(canvas, value, styles::body(t), width - 112),
                styles::body(t));
    ui.note({top.x, top.y, width, kSessionRow}, "session: " + label, value);
    top.y += kSessionRow;
  }
  return top.y;
}

// The first lines of its file.
float file_lines(ui::Ui& ui, const SessionForm& form, Point top, float width) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const std::size_t more = form.lines.size() > kLinesShown ? form.lines.size() - kLinesShown + 1 : 0;
  const std::size_t shown = form.lines.size() - more;
  const float height = static_cast<float>(shown + (more > 0 ? 1 : 0)) * kTextLine + 16;
  canvas.rectangle({top.x, top.y, width, height}, {.fill = t.sunken, .radius = 6});
  const TextStyle mono{.font = Font::mono, .size = 12, .color = t.ink};
  float y = top.y + 8 + kTextLine / 2;
  for (std::size_t i = 0; i < shown; ++i, y += kTextLine)
    canvas.text({top.x + 12, y}, elided(canvas, form.lines[i], mono, width - 24), mono);
  if (more > 0) canvas.text({top.x + 12, y}, "… " + std::to_string(more) + " more lines", styles::caption(t));
  return top.y + height;
}

float error_text(ui::Ui& ui, const std::string& words, const char* label, Point top, float width) {
  const float used = paragraph(ui.canvas(), top, width, words, {.size = 12, .color = ui.theme().wrong});
  ui.note({top.x, top.y, width, used}, label, words);
  return top.y + used;
}

constexpr float kUnderText = 36;

// Errors come a line each.
std::vector<std::string> problem_lines(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

float problem_text(ui::Ui& ui, const SessionProblem& problem, float width) {
  Canvas& canvas = ui.canvas();
  const TextStyle style{.size = 12};
  float height = 0;
  for (const std::string& line : problem_lines(problem.text))
    height +=
        std::ceil(canvas.measure(line, style).x / ((width - 24) * 0.92f)) * canvas.measure("x", style).y;
  return height;
}

float problem_height(ui::Ui& ui, const SessionProblem& problem, float width) {
  return 34 + problem_text(ui, problem, width) + kUnderText + (problem.of_model ? 42.0f : 0.0f);
}

// Why the one that was asked for is not open, and what would help.
void problem_box(ui::Ui& ui, SessionForm& form, Point top, float width) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const SessionProblem& problem = *form.problem;
  const float inner = width - 24, text = problem_text(ui, problem, width);
  const TextStyle style{.size = 12, .color = t.ink};
  const Rect box{top.x, top.y, width, problem_height(ui, problem, width)};
  canvas.rectangle(box, {.fill = t.wrong_tint, .outline = t.wrong, .radius = 6});
  canvas.text({box.x + 12, box.y + 18}, elided(canvas, problem.name, styles::heading(t), inner),
              styles::heading(t));
  float y = box.y + 34;
  for (const std::string& line : problem_lines(problem.text))
    y += paragraph(canvas, {box.x + 12, y}, inner, line, style);
  ui.note(box, "session problem", problem.text);
  y = box.y + 34 + text + 8;
  if (problem.of_model) {
    float x = box.x + 12;
    const auto offer = [&](const char* words, Wish wish) {
      const float each = ui.button_width(words);
      if (Button(ui, {x, y, each, 32}, words)) form.wish = wish;
      x += each + 8;
    };
    offer("Find the folder…", Wish::find_model);
    offer("Use the bundled model", Wish::use_bundled);
    if (problem.of_weights) offer("Open all the same", Wish::use_anyway);
  }
  canvas.text({box.x + 12, box.bottom() - 16},
              problem.of_model ? "Kept: all other lines. Nothing was changed." : "Nothing was changed.",
              styles::caption(t));
}

}  // namespace

bool save_session_dialog(ui::Ui& ui, SessionForm& form, Point window) {
  const float rows = static_cast<float>(form.rows.size()) * kSessionRow;
  const float text = static_cast<float>(std::min(form.lines.size(), kLinesShown)) * kTextLine + 16;
  const float height = form.possible ? 40 + rows + 24 + 26 + text + 16 + 22 + 36 : 80;
  const bool has_message = !form.error.empty() || !form.replaces.empty();
  const DialogBox dialog =
      begin_dialog(ui, window, "Save session", {560, height + (has_message ? 24 : 0) + 132});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect outer = dialog.body;
  const Rect body = ui.scroll.begin({outer.x - 8, outer.y, outer.width + 16, outer.height - 48},
                                    "session form", {outer.width + 16, height + (has_message ? 24 : 0)});
  const float x = body.x + 8, width = outer.width;
  float y = body.y;
  bool entered = false;
  if (form.possible) {
    y += paragraph(canvas, {x, y}, width,
                   form.copies ? "What you see now, as a text file, and these weights in a folder beside it: "
                                 "no folder has them yet."
                               : "What you see now, as a text file. It names the model and holds no weights.",
                   styles::body_second(t)) +
         10;
    y = session_rows(ui, form, {x, y}, width) + 10;
    canvas.line({x, y}, {x + width, y}, {.color = t.border});
    canvas.text({x, y + 20}, "The file", styles::section(t));
    y = file_lines(ui, form, {x, y + 34}, width) + 12;
    canvas.text({x, y + 8}, "File", styles::caption(t));
    y += 20;
    const ui::FieldEvent event =
        TextField(ui, {x, y, width, 36}, "Session file", form.file,
                  {.hint = "~/tired-girl.glassformer", .focus = std::exchange(form.focus, false)});
    entered = event == ui::FieldEvent::entered;
    if (event == ui::FieldEvent::changed) form.error.clear(), form.replaces.clear();
    y += 44;
  }
  if (!form.error.empty()) error_text(ui, form.error, "session error", {x, y}, width);
  if (form.error.empty() && !form.replaces.empty())
    error_text(ui, form.replaces + " Replace it, or choose another name.", "session replaces", {x, y}, width);
  ui.scroll.end();
  const bool ready = form.possible && !form.file.empty();
  // Enter alone never replaces what is there.
  const DialogAnswer answer =
      dialog_answer(ui, outer, form.replaces.empty() ? "Save" : "Replace",
                    {.enabled = ready, .id = "Save the session"}, entered && form.replaces.empty());
  end_dialog(ui);
  if (answer == DialogAnswer::go) form.wish = Wish::save;
  return answer == DialogAnswer::leave || dialog.closed;
}

bool open_session_dialog(ui::Ui& ui, Session& session, SessionForm& form, Point window) {
  const std::vector<std::string>& recent = session.settings().recent_sessions;
  const std::size_t count = std::min<std::size_t>(recent.size(), 5);
  const float list = count == 0 ? 0.0f : 28 + static_cast<float>(count) * 34 + 8;
  const float height = list + 40 + 22 + 20 + 44 +
                       (form.problem   ? problem_height(ui, *form.problem, 552) + 4
                        : form.opening ? 26.0f
                                       : 0.0f);
  const DialogBox dialog = begin_dialog(ui, window, "Open session", {600, height + 132});
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Rect outer = dialog.body;
  const Rect body = ui.scroll.begin({outer.x - 8, outer.y, outer.width + 16, outer.height - 48},
                                    "session list", {outer.width + 16, height});
  const float x = body.x + 8, width = outer.width;
  float y = body.y;
  if (count > 0) {
    canvas.text({x, y + 10}, "Recent", styles::section(t));
    y += 28;
  }
  for (std::size_t i = 0; i < count; ++i, y += 34) {
    const std::filesystem::path path = recent[i];
    const Rect row{x - 8, y, width + 16, 32};
    const ui::Response response = ui.area(row, "recent: " + recent[i], "item");
    if (response.hovered) canvas.rectangle(row, {.fill = t.hover, .radius = 6});
    const std::string name = elided(canvas, path.filename().string(), styles::body(t), width * 0.6f);
    canvas.text({x, row.center().y}, name, styles::body(t));
    canvas.text({x + width, row.center().y},
                elided(canvas, path.parent_path().string(), styles::caption(t), width * 0.36f),
                styles::right(styles::caption(t)));
    ui.tooltip(row, recent[i]);
    if (response.clicked) form.file = recent[i], form.wish = Wish::open_file;
  }
  if (count > 0) y += 8;
  const float other = ui.button_width("Other file…");
  if (Button(ui, {x, y, other, 32}, "Other file…")) form.wish = Wish::browse;
  canvas.text({x + other + 12, y + 16}, "or drop one on the window", styles::caption(t));
  y += 48;
  canvas.text({x, y + 8}, "Link text", styles::section(t));
  y += 22;
  const bool entered = TextField(ui, {x, y, width, 36}, "Link text", form.link,
                                 {.hint = "paste it here", .focus = std::exchange(form.focus, false)}) ==
                       ui::FieldEvent::entered;
  y += 48;
  if (form.opening) {
    canvas.text({x, y + 8}, "Opening…", styles::caption(t));
    ui.note({x, y, width, 16}, "session opening", "Opening…");
  } else if (form.problem) {
    problem_box(ui, form, {x, y}, width);
  }
  ui.scroll.end();
  const DialogAnswer answer =
      dialog_answer(ui, outer, "Open",
                    {.enabled = !form.link.empty() && !form.opening, .id = "Open the link text"}, entered);
  end_dialog(ui);
  if (answer == DialogAnswer::go) form.wish = Wish::open_link;
  return answer == DialogAnswer::leave || dialog.closed;
}

}  // namespace glassformer
