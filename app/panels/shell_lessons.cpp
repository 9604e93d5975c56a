#include <utility>

#include "app/panels/shell.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {

// The inspector, or the card of the lesson that is taken.
void Shell::right_column(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool drawer) {
  if (!lessons_.taken()) return inspector_.column(ui, in, rect, drawer);
  if (lesson_card_.column(ui, in, lessons_, rect)) return;
  inspector_.column(ui, in, {rect.x, rect.y + kBreadcrumb, rect.width, rect.height - kBreadcrumb}, drawer);
}

// The list over the stage and the right column; false: it is not open.
bool Shell::lesson_list(ui::Ui& ui, const PanelInput& in) {
  if (!lesson_list_.open) return false;
  const bool column = layout_.inspector_place == InspectorPlace::column;
  Rect stage = layout_.stage;
  if (layout_.inspector_place == InspectorPlace::line) stage.height += layout_.inspector.height;
  if (const auto wish = lesson_list_.draw(ui, in, stage, column ? layout_.inspector : Rect{}))
    take_lesson(wish->lesson, wish->page);
  return true;
}

// Its marks, its file when that was written anew, and what its card asks for.
void Shell::follow_lesson() {
  if (!wanted_lesson_.empty() && session_.result()) {
    const std::string wanted = std::exchange(wanted_lesson_, {});
    try {
      take_lesson(lessons_.number_of(wanted));
    } catch (const Error& error) {
      say(message_text(error.what()));
    }
  }
  if (lessons_.taken() || lesson_list_.open) lessons_.read_again(time_);
  if (lessons_.taken() && ui_) ui_->ask_frame(0.5);  // its file may be saved meanwhile
  if (!lessons_.taken() && !before_lesson_.empty() && !desk_.opening())
    desk_.restore(session_, view_, std::exchange(before_lesson_, {}));
  lessons_.keep_mark(session_.settings());
  session_.keep_sentences(!lessons_.taken());
  if (const auto wish = lessons_.take_wish()) {
    if (wish->lesson) return take_lesson(*wish->lesson);
    lessons_.leave();
    lesson_list_.show();
  }
}

// By its line in the menu: "12  From encoder to decoder".
void Shell::chosen_lesson(const std::string& line) {
  if (line == "Leave the lesson") lessons_.leave();
  if (line == "All lessons") lesson_list_.show();
  for (std::size_t i = 0; i < lessons_.all().size(); ++i)
    // Its copies come behind it.
    if ((line == "How to write a lesson" && lessons_.all()[i].name() == "how-to-write.lesson") ||
        line == std::to_string(i + 1) + "  " + lessons_.all()[i].read.lesson.title.plain)
      return take_lesson(i);
}

void Shell::take_lesson(std::size_t lesson, std::size_t page) {
  const bool first = !lessons_.taken() && before_lesson_.empty();
  if (const std::string problem = lessons_.take(lesson, session_.settings(), "", page); !problem.empty())
    return say(problem);
  if (session_.watched()) stop_watching();
  try {
    if (first) before_lesson_ = desk_.lines_to_return(session_, view_);
  } catch (const Error&) {
    // What is shown cannot be told in lines: it is not come back to.
  }
  lesson_list_.open = false;
  lesson_card_.show();
  opened_.inspector = layout_.inspector_place != InspectorPlace::column;
}

bool Shell::mouse_rests(Point at, bool used) {
  std::optional<std::pair<long, std::size_t>> page;
  if (lessons_.taken()) page.emplace(lessons_.takings(), lessons_.taken()->open());
  if (std::exchange(turned_to_, page) != page && page) rests_at_ = at;
  if (!page || used || rests_at_ != at) rests_at_.reset();
  const bool column = layout_.inspector_place == InspectorPlace::column;
  return rests_at_ && !(column ? layout_.inspector : layout_.inspector_drawer).contains(at);
}

}  // namespace glassformer
