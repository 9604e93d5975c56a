#include "app/panels/stage.h"

#include <cmath>
#include <string>
#include <vector>

#include "app/panels/breadcrumb.h"
#include "app/panels/comparing.h"
#include "app/panels/notices.h"
#include "app/panels/picture.h"
#include "app/panels/styles.h"
#include "app/panels/what_if_strip.h"

namespace glassformer {

namespace {

// The notices that belong on the stage, the one to be shown first: errors before the rest, then the newest.
// What is wrong with the sentence stands under its field, unless the bar is too low for that.
std::vector<Place> stage_notices(const std::vector<Notice>& notices, bool sentence_bar_has_room) {
  std::vector<Place> errors, others;
  for (size_t i = notices.size(); i-- > 0;) {
    const Notice& each = notices[i];
    if (each.place == Place::sentence && each.error && sentence_bar_has_room) continue;
    (each.error ? errors : others).push_back(each.place);
  }
  errors.insert(errors.end(), others.begin(), others.end());
  return errors;
}

// The first of them, and how many stand behind it. Returns the height used.
float waiting_notices(ui::Ui& ui, const PanelInput& in, const Rect& area) {
  const std::vector<Place> waiting =
      stage_notices(in.session.notices(), in.layout.bottom == BottomSize::full);
  if (waiting.empty()) return 0;
  float used =
      draw_notice(ui, in, waiting.front(), {area.x + kPadding, area.y + 6, area.width - 2 * kPadding, 0});
  if (const size_t behind = waiting.size() - 1; behind > 0) {
    const std::string words =
        std::to_string(behind) + (behind == 1 ? " more notice" : " more notices") + " behind it.";
    const Rect line{area.x + kPadding + 12, area.y + used, area.width - 2 * kPadding - 24, 16};
    ui.canvas().text({line.x, line.center().y}, words, styles::caption(in.theme));
    ui.note(line, "notices behind", words);
    used += line.height;
  }
  return used;
}

// After 0.2 s of work a thin bar says so; the last picture stays.
void draw_working(ui::Ui& ui, const PanelInput& in, const Rect& area) {
  Canvas& canvas = ui.canvas();
  const float width = area.width - 2 * kPadding;
  const auto share = static_cast<float>(std::fmod(in.session.working_seconds() * 0.5, 1.0));
  canvas.rectangle({area.x + kPadding, area.y + 2, width, 3}, {.fill = in.theme.sunken, .radius = 1});
  canvas.rectangle({area.x + kPadding + share * width * 0.8f, area.y + 2, width * 0.2f, 3},
                   {.fill = in.theme.ink, .radius = 1});
  ui.note({area.x + kPadding, area.y, width, 5}, "working", "computing the sentence");
}

void nothing_yet(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  if (in.session.working() || rect.height < 60) return;
  Canvas& canvas = ui.canvas();
  if (in.session.snapshot()) {
    canvas.text({rect.x, rect.y + 14}, "No sentence yet", styles::title(in.theme));
    canvas.text({rect.x, rect.y + 44},
                "Type one below and press Enter: its translation and every number on the way appear here.",
                styles::body_second(in.theme));
    return;
  }
  canvas.text({rect.x, rect.y + 14}, "No model is open", styles::title(in.theme));
  canvas.text({rect.x, rect.y + 44}, "Open one, or make a new one and watch it learn.",
              styles::body_second(in.theme));
  float x = rect.x;
  const float open = ui.button_width("Open model…"), fresh = ui.button_width("New model…");
  if (ui.PrimaryButton({x, rect.y + 72, fresh, 32}, "New model…", {.id = "New model on the stage"}))
    ui.push(OpenDialog{"new model"});
  x += fresh + 12;
  if (ui.Button({x, rect.y + 72, open, 32}, "Open model…", {.id = "Open model on the stage"}))
    ui.push(OpenDialog{"open model"});
}

}  // namespace

void draw_stage(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  if (in.layout.map.width > 0)
    canvas.line({rect.x - 0.5f, rect.y}, {rect.x - 0.5f, in.layout.sentence.y}, {.color = in.theme.border});
  draw_breadcrumb(ui, in, {rect.x, rect.y, rect.width, kBreadcrumb});
  const Rect area =
      draw_stage_state(ui, in, {rect.x, rect.y + kBreadcrumb, rect.width, rect.height - kBreadcrumb});
  if (!in.input || !in.view || area.height < 20) return nothing_yet(ui, in, area.inset(kPadding));
  if (const Compared* compared = in.session.compared())
    return in.comparing.draw(ui, in, *in.input, *compared, area);
  draw_picture(ui, *in.view, *in.input, area);
}

Rect draw_stage_state(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Rect area = rect;
  if (!in.session.scene().what_if.empty()) {
    draw_what_if_strip(ui, in, {area.x + kPadding, area.y + 6, area.width - 2 * kPadding, kWhatIfStrip});
    area.y += kWhatIfStrip + 8, area.height -= kWhatIfStrip + 8;
  }
  const float used = waiting_notices(ui, in, area);
  area.y += used, area.height -= used;
  if (in.session.working() && in.session.working_seconds() > 0.2) draw_working(ui, in, area);
  if (in.session.working() || in.session.will_tell()) ui.ask_frame(0.1);
  return area;
}

}  // namespace glassformer
