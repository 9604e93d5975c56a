#include "app/panels/lesson_guide.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/panels/lesson_targets.h"
#include "engine/model/part_names.h"

namespace glassformer {

namespace {

// What stands open, as lessons call it: a block where the view shows one, else the view.
std::string open_part(const ViewInput& now, const std::string& view) {
  constexpr std::string_view kOfBlocks[] = {"attention", "head"};
  if (std::ranges::find(kOfBlocks, view) == std::end(kOfBlocks)) return view;
  const Selection& pin = now.pinned;
  return std::string(pin.kind == AttentionKind::encoder   ? "encoder"
                     : pin.kind == AttentionKind::decoder ? "decoder"
                                                          : "cross") +
         " " + std::to_string(pin.layer + 1);
}

}  // namespace

const std::vector<ListedLesson>& LessonGuide::all() {
  if (!listed_) all_ = listed_lessons();
  listed_ = true;
  return all_;
}

std::string LessonGuide::take(std::size_t lesson, const std::string& language) {
  const ListedLesson& listed = all().at(lesson);
  if (!listed.read.errors.empty()) {
    const LessonError& first = listed.read.errors.front();
    return std::filesystem::path(listed.file).filename().string() + ":" + std::to_string(first.line) + ": " +
           first.problem;
  }
  if (listed.read.lesson.pages.empty()) return "This lesson has no page.";
  number_ = lesson;
  bringer_ = {};
  const char* const name = std::getenv("USER");
  taken_ = std::make_unique<TakenLesson>(listed.read.lesson, name ? name : "", language);
  return {};
}

void LessonGuide::frame(ui::Ui& ui, const Session& session, const ViewInput* now, const std::string& view,
                        const View* shown) {
  if (!taken_) return;
  if (auto staged = taken_->take_staged()) {
    bringer_.start(std::move(staged));
  }
  if (!taken_->ready() && taken_->problem().empty()) ui.ask_frame(0.02);
  if (bringer_.busy()) return bringer_.frame(ui, session);
  if (!now || session.working()) return;
  const LessonScene scene{
      .input = *now,
      .other = session.compared() ? session.compared()->second : nullptr,
      .of_view = [&](const std::string& key) -> Value {
        return key == "open" ? one_word(open_part(*now, view)) : fact_of(shown, *now, key);
      },
      .of_run = [&](const std::string& run,
                    const std::string& key) { return taken_->staged().runs.value(run, key); }};
  taken_->look(scene);
}

void LessonGuide::draw_targets(ui::Ui& ui) {
  if (!taken_ || bringer_.busy() || !taken_->ready()) return;
  const LessonPage& page = taken_->page();
  if (!taken_->may_go_on())
    for (const LessonTarget& target : page.covers) cover_target(ui, target, taken_->staged());
  for (const LessonTarget& target : page.points) outline_target(ui, target, taken_->staged());
}

std::optional<CoveredRow> LessonGuide::covered() {
  if (!taken_ || !taken_->ready() || taken_->may_go_on()) return std::nullopt;
  const StagedPage& staged = taken_->staged();
  const Selection& open = staged.selection;
  const std::optional<int> row = row_of_target(taken_->page().covers, staged);
  if (!row) return std::nullopt;
  return CoveredRow{open.kind, open.layer, open.head, *row};
}

void LessonGuide::note_pin(const Selection& pin) {
  if (!taken_ || bringer_.busy() || !taken_->ready()) return;
  const LessonPage& page = taken_->page();
  if (!page.question || page.question->does) return;
  const AnswerKind kind = page.question->kind;
  if (kind != AnswerKind::cell && kind != AnswerKind::word) return;
  try {
    const std::optional<int> row = row_of_target(page.points, taken_->staged());
    if (!pin.key || (row && pin.query != row)) return;
    if (kind == AnswerKind::cell && row) return taken_->give_place(*pin.key);
    const StagedPage& staged = taken_->staged();
    const std::vector<std::string>& words = staged.selection.kind == AttentionKind::decoder
                                                ? staged.result->target_in_words
                                                : staged.result->source_words;
    const auto key = static_cast<std::size_t>(*pin.key);
    if (kind == AnswerKind::word && key < words.size()) taken_->give(words[key]);
  } catch (const Mismatch&) {
    // A row that is not there: nothing is answered.
  }
}

}  // namespace glassformer
