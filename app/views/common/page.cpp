#include "app/views/common/page.h"

#include <algorithm>

#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr float kBesideSwitch = 12;

// On the screen a narrow stage has the short one.
const std::string& title_for(const PageWords& words, bool file, float width) {
  return file || words.short_title.empty() || width >= words.whole_from ? words.title : words.short_title;
}

}  // namespace

void draw_page_title(Canvas& canvas, const Rect& area, const PageWords& words, float reserved) {
  if (area.height < words.title_from) return;
  draw_stage_title(canvas, area, title_for(words, canvas.is_file(), area.width),
                   area.height >= words.subtitle_from ? words.subtitle : "", reserved);
}

void draw_no_scene(Canvas& canvas, const Rect& area, const PageWords& words) {
  draw_nothing_yet(canvas, stage_content(area), words.nothing, words.nothing_text);
}

void ask_again(ui::Ui& ui) {
  ui.ask_frame(0.1);
}

bool is_part(const PageLabels& names, std::string_view panel) {
  return std::ranges::find(names.parts, panel) != names.parts.end();
}

std::vector<std::size_t> PagedView::offered(const ViewInput& input) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < pages().size(); ++i)
    if (pages()[i]->offered(input)) found.push_back(i);
  return found;
}

Page& PagedView::open(const ViewInput& input) const {
  if (open_page().offered(input)) return open_page();
  return *pages()[offered(input).front()];
}

ViewTraits PagedView::traits() const {
  ViewTraits traits = open_page().traits();
  traits.panels.clear();
  for (const auto& page : pages()) {
    const PageLabels names = page->names();
    if (!names.panel.empty()) traits.panels.push_back(names.panel);
    traits.panels.insert(traits.panels.end(), names.parts.begin(), names.parts.end());
  }
  return traits;
}

float PagedView::reserved(const ViewInput& input, const Rect& area) const {
  if (switch_place(input, area)) return switch_place(input, area)->width + 8;
  const float own = open(input).head_width(area.width);
  return offered(input).size() > 1 ? own + switch_.most_width + kBesideSwitch : own;
}

void PagedView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  open(input).draw(canvas, input, area, canvas.is_file() ? Wait::until_there : Wait::now,
                   canvas.is_file() ? 0 : reserved(input, area));
}

void PagedView::panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  for (const auto& page : pages()) {
    const PageLabels names = page->names();
    if (names.panel == name || is_part(names, name)) return page->draw_alone(name, canvas, input, area);
  }
}

bool PagedView::open_panel(std::string_view name) {
  for (std::size_t i = 0; i < pages().size(); ++i) {
    const PageLabels names = pages()[i]->names();
    if (names.panel != name && !is_part(names, name)) continue;
    open_ = i;
    part_ = is_part(names, name) ? name : "";
    return true;
  }
  return false;
}

void PagedView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  if (!open_page().offered(input)) open_ = offered(input).front();
  Page& page = open_page();
  if (page.traits().busy) ui.ask_frame(0.02);
  const PageWords words = page.controls(ui, input, area);
  // Last: where the stage is scrolled it covers them. A stage too low for a title has no row for it.
  if (area.height >= words.title_from) show_switch(ui, input, area, words);
}

void PagedView::show_switch(ui::Ui& ui, const ViewInput& input, const Rect& area, const PageWords& words) {
  Page& page = open_page();
  const std::vector<std::size_t> those = offered(input);
  const bool several = those.size() > 1;
  const float own = page.head_width(ui.scroll.seen(area).width);
  if (!several && own == 0) return;
  std::vector<std::string> names;
  for (const std::size_t each : those) names.push_back(pages()[each]->names().label);
  int chosen = static_cast<int>(std::ranges::find(those, open_) - those.begin());
  const auto choose = [&](const Rect& place) {
    if (!Segmented(ui, place, switch_.label, names, chosen)) return;
    open_ = those[static_cast<std::size_t>(chosen)];
    part_.clear();
    turn_to_top(ui);
    ui.ask_frame(0);
  };
  if (const auto place = switch_place(input, area)) return choose(*place);
  const float width = several ? std::min(ui.segmented_width(names), switch_.most_width) : 0;
  const float beside = several && own > 0 ? kBesideSwitch : 0;
  const StageHead head(ui, area, title_for(words, false, area.width), {width + beside + own, switch_.height});
  const Rect& control = head.control();
  if (several) choose({control.right() - width, control.y, width, control.height});
  if (own > 0) page.head_control(ui, input, {control.x, control.y, own, control.height});
}

Point PagedView::minimum_size(const ViewInput& input) const {
  return open(input).minimum(input, Wait::now);
}

void PagedView::finish(const ViewInput& input) const {
  open(input).minimum(input, Wait::until_there);
}

std::optional<InspectorPage> PagedView::inspect(const ViewInput& input) const {
  return open(input).inspect(input);
}

std::vector<NumberTable> PagedView::numbers(const ViewInput& input) const {
  return open(input).content(part_, input).tables;
}

std::vector<std::string> PagedView::sentences(const ViewInput& input) const {
  return open(input).content(part_, input).sentences;
}

std::string PagedView::caption(const ViewInput& input) const {
  return open(input).caption(part_, input);
}

bool PagedView::set(std::string_view control, std::string_view value) {
  if (control != switch_.label) return false;
  for (std::size_t i = 0; i < pages().size(); ++i) {
    const PageLabels names = pages()[i]->names();
    if (names.label != value && std::ranges::find(names.others, value) == names.others.end()) continue;
    open_ = i;
    part_.clear();
    return true;
  }
  return false;
}

bool PagedView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  return open(input).key(key, input, commands);
}

bool PagedView::show_like(const View& first) {
  const auto& other = dynamic_cast<const PagedView&>(first);
  open_ = other.open_;
  part_ = other.part_;
  return true;
}

std::unique_ptr<View> with_panel(const View& view, std::string_view panel) {
  auto copy = view.clone();
  if (!panel.empty()) copy->open_panel(panel);
  return copy;
}

}  // namespace glassformer
