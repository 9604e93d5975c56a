#include "app/panels/notices.h"

#include <algorithm>
#include <cmath>

#include "app/panels/styles.h"

namespace glassformer {

namespace {

const char* notice_name(Place place) {
  switch (place) {
    case Place::sentence:
      return "sentence notice";
    case Place::model:
      return "model notice";
    case Place::data:
      return "data notice";
    case Place::training:
      return "training notice";
    case Place::figure:
      return "figure notice";
  }
  return "notice";
}

float text_height(Canvas& canvas, std::string_view text, const TextStyle& style, float width) {
  // Laid out by the same rule as paragraph(): broken at blanks.
  float lines = 1, x = 0;
  const float blank = canvas.measure(" ", style).x;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const float word = canvas.measure(text.substr(at, end - at), style).x;
    if (x > 0 && x + blank + word > width)
      lines += 1, x = word;
    else
      x += (x > 0 ? blank : 0) + word;
    at = end + 1;
  }
  return lines * canvas.measure("x", style).y;
}

// What fits into two lines, cut at a word.
std::string two_lines(Canvas& canvas, const std::string& text, const TextStyle& style, float width) {
  const float most = 2.5f * canvas.measure("x", style).y;
  std::string shown = text;
  while (text_height(canvas, shown, style, width) > most) {
    const size_t blank = shown.find_last_of(' ');
    if (blank == std::string::npos) break;
    shown = shown.substr(0, blank) + "…";
  }
  return shown;
}

}  // namespace

float draw_notice(ui::Ui& ui, const PanelInput& in, Place place, const Rect& rect) {
  const auto found = std::ranges::find(in.session.notices(), place, &Notice::place);
  if (found == in.session.notices().end()) return 0;
  const Notice notice = *found;
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const TextStyle style{.size = 12, .color = t.ink};
  const float button = notice.action.empty() ? 0 : ui.button_width(notice.action);
  // The way out is right of a wide sentence, under a narrow one.
  const bool beside = rect.width > 520;
  const float width = rect.width - 24 - 28 - (beside && button > 0 ? button + 16 : 0);
  // An error is shown whole; what merely informs takes two lines at most.
  const std::string words = notice.error ? notice.text : two_lines(canvas, notice.text, style, width);
  const float text = text_height(canvas, words, style, width);
  float height = text + 16;
  if (button > 0) height = beside ? std::max(height, 44.0f) : height + 40;
  const Rect box{rect.x, rect.y, rect.width, std::ceil(height)};
  canvas.rectangle(box, {.fill = notice.error ? t.wrong_tint : t.sunken,
                         .outline = notice.error ? t.wrong : t.border,
                         .radius = 6});
  const float top = beside ? box.center().y - text / 2 : box.y + 8;
  paragraph(canvas, {box.x + 12, top}, width, words, style);
  if (words != notice.text) ui.tooltip(box, notice.text);
  ui.note(box, notice_name(place), notice.text);
  if (button > 0) {
    const Rect way_out = beside ? Rect{box.right() - 36 - button, box.center().y - 16, button, 32}
                                : Rect{box.x + 12, box.bottom() - 40, std::min(button, box.width - 24), 32};
    if (Button(ui, way_out, notice.action)) {
      if (notice.command) ui.push(*notice.command);
      in.session.dismiss(place);
      ui.ask_frame(0);
    }
  }
  const Rect cross{box.right() - 26, beside ? box.center().y - 10 : box.y + 6, 20, 20};
  const std::string name = std::string("Dismiss the ") + notice_name(place);
  const ui::Response response = ui.area(cross, name, "button");
  ui::draw_icon(canvas, ui::Icon::close, cross.center(), response.hovered ? t.ink : t.second_text);
  if (response.clicked) in.session.dismiss(place);
  return box.height + 8;
}

}  // namespace glassformer
