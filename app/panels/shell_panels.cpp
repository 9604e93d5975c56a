#include "app/panels/change_menu.h"
#include "app/panels/rails.h"
#include "app/panels/shell.h"
#include "app/panels/stage.h"

namespace glassformer {

void Shell::panels(ui::Ui& ui, const PanelInput& in) {
  backdrops_ = {{layout_.top_bar, theme_.panel},
                {layout_.sentence, theme_.panel},
                {layout_.slider, theme_.panel},
                {layout_.names, theme_.panel}};
  if (const std::string what = top_bar_.draw(ui, in); !what.empty()) chosen(ui, in, what);
  if (layout_.map_place == MapPlace::rail)
    map_.rail(ui, in, layout_.map);
  else if (layout_.map_place == MapPlace::column || layout_.map_place == MapPlace::narrow_column)
    map_.column(ui, in, layout_.map, false);
  const bool listed = lesson_list(ui, in);
  if (!listed) stage(ui, in);
  if (!listed && layout_.inspector_place == InspectorPlace::line)
    inspector_.line(ui, in, layout_.inspector);
  else if (!listed && layout_.inspector_place == InspectorPlace::column)
    right_column(ui, in, layout_.inspector, false);
  if (sentence_.draw(ui, in)) decoding_.stop();
  if (std::string link = sentence_.take_link(); !link.empty())
    wanted_session_ = std::move(link), ui.ask_frame(0);
  if (layout_.panels.words) {
    strips_.draw(ui, in);
    decoding_.draw(ui, in);
  }
  if (layout_.panels.training) slider_.draw(ui, in);
  const bool own = !lessons_.taken() && !listed;  // else the panels are as those need them
  if (own && draw_rails(ui, in, session_.watched() ? watch_open_ : open_) && !session_.watched())
    keep_panels();
  if (!listed) lessons_.draw_targets(ui);
  drawers(ui, in);
  open_change_menu(ui, in);
}

void Shell::drawers(ui::Ui& ui, const PanelInput& in) {
  const auto over = [&](const Rect& rect, const auto& draw) {
    ui.begin_layer(rect, false);
    ui.canvas().rectangle(rect, {.fill = theme_.paper});
    draw();
    ui.end_layer();
  };
  if (!layout_.map_over()) opened_.map = false;
  if (opened_.map) over(layout_.map_drawer, [&] { map_.column(ui, in, layout_.map_drawer, true); });
  if (!layout_.inspector_over()) opened_.inspector = false;
  if (opened_.inspector)
    over(layout_.inspector_drawer, [&] { right_column(ui, in, layout_.inspector_drawer, true); });
}

}  // namespace glassformer
