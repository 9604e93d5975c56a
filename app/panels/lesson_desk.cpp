#include "app/panels/lesson_desk.h"

#include "app/lessons/staged_page.h"
#include "app/panels/dialogs.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {

std::string LessonDesk::open_model() const {
  const std::string folder = session_.open_folder();
  return !folder.empty() && is_model_folder(folder) ? model_line(folder) : std::string();
}

std::string LessonDesk::take(std::size_t lesson, const std::string& view, std::size_t page) {
  const bool first = !guide_.taken() && before_.empty();
  if (std::string problem = guide_.take(lesson, session_.settings(), "", page, open_model());
      !problem.empty())
    return problem;
  if (session_.watched()) session_.apply({StopWatching{}});
  try {
    if (first) before_ = sessions_.lines_to_return(session_, view);
  } catch (const Error&) {
    // What is shown cannot be written as lines: it is not restored.
  }
  list.open = false;
  card.show();
  return {};
}

LessonDesk::Followed LessonDesk::follow(const std::string& view, double time) {
  Followed followed;
  // A model without its own sentences has no result until it gets one.
  const bool ready = session_.result() || (session_.snapshot() && !session_.working());
  if (!wanted_.empty() && ready) {
    const std::string wanted = std::exchange(wanted_, {});
    try {
      followed.next = guide_.number_of(wanted);
      return followed;
    } catch (const Error& error) {
      followed.said = message_text(error.what());
    }
  }
  if (guide_.taken() || list.open) guide_.read_again(time);
  if (!guide_.taken() && !before_.empty() && !sessions_.opening()) {
    sessions_.restore(session_, view, std::exchange(before_, {}));
    followed.left = true;
  }
  guide_.keep_mark(session_.settings());
  session_.keep_sentences(!guide_.taken());
  if (const auto wish = guide_.take_wish()) {
    followed.next = wish->lesson;
    if (wish->lesson) return followed;
    guide_.leave();
    list.show();
  }
  return followed;
}

std::optional<std::size_t> LessonDesk::chosen(const std::string& line) {
  if (line == "Leave the lesson") guide_.leave();
  if (line == "All lessons") list.show();
  for (std::size_t i = 0; i < guide_.all().size(); ++i)
    // Its copies come behind it.
    if ((line == "How to write a lesson" && guide_.all()[i].name() == "how-to-write.lesson") ||
        line == std::to_string(i + 1) + "  " + guide_.all()[i].read.lesson.title.plain)
      return i;
  return std::nullopt;
}

bool LessonDesk::mouse_rests(Point at, bool used, const Rect& card_place) {
  std::optional<std::pair<long, std::size_t>> page;
  if (guide_.taken()) page.emplace(guide_.takings(), guide_.taken()->open());
  if (std::exchange(turned_to_, page) != page && page) rests_at_ = at;
  if (!page || used || rests_at_ != at) rests_at_.reset();
  return rests_at_ && !card_place.contains(at);
}

}  // namespace glassformer
