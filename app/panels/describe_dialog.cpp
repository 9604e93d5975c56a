#include <algorithm>

#include "app/panels/dialogs.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "engine/files/new_file.h"
#include "engine/math/failure.h"

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

// Lines as they stand; those of the table in figures of one width.
float draw_lines(Canvas& canvas, const Theme& t, const Rect& rect, const std::string& text) {
  float y = rect.y;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    const TextStyle style = from == 0               ? styles::heading(t)
                            : line.starts_with("|") ? styles::number(t)
                                                    : styles::body(t);
    if (line.empty())
      y += 8;
    else if (line.starts_with("|")) {
      canvas.text({rect.x, y + 9}, elided(canvas, line, style, rect.width), style);
      y += 18;
    } else {
      y += paragraph(canvas, {rect.x, y}, rect.width, line, style);
    }
    from = end + 1;
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
  const Rect inside = ui.begin_scroll(view, "description", {body.width, form.height});
  const float height = draw_lines(ui.canvas(), t, {inside.x, inside.y, body.width - 8, 0}, form.text);
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
