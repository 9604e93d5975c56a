#include "app/panels/lesson_guide.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>

#include "app/panels/lesson_card.h"
#include "app/panels/lesson_targets.h"
#include "app/session/paths.h"
#include "app/views/view_table.h"
#include "engine/files/atomic_file.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"
#include "engine/math/typed_number.h"
#include "engine/model/names.h"

namespace glassformer {

namespace {

// What is open, as lessons call it: a block where the view shows one, else the view.
std::string open_part(const ViewInput& now, const std::string& view) {
  constexpr std::string_view kOfBlocks[] = {"attention", "head"};
  if (std::ranges::find(kOfBlocks, view) == std::end(kOfBlocks)) return view;
  const Selection& pin = now.pinned;
  return std::string(pin.kind == AttentionKind::encoder   ? "encoder"
                     : pin.kind == AttentionKind::decoder ? "decoder"
                                                          : "cross") +
         " " + std::to_string(pin.layer + 1);
}

// Empty: it is gone.
std::string hash_of(const ListedLesson& listed) {
  try {
    return hash_digits(text_hash(read_unpacked(listed.file, kMostLessonBytes)));
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

const LessonMark* mark_of(const Settings& settings, const ListedLesson& lesson) {
  const auto found = std::ranges::find(settings.lessons, lesson.name(), &LessonMark::file);
  return found == settings.lessons.end() ? nullptr : &*found;
}

const std::vector<ListedLesson>& LessonGuide::all() {
  if (!listed_) all_ = listed_lessons();
  listed_ = true;
  return all_;
}

std::size_t LessonGuide::number_of(const std::string& lesson) {
  all();
  if (const auto number = typed_whole(lesson)) {
    if (*number < 1 || *number > std::ssize(all_))
      throw Error("lesson",
                  "expected a number from 1 to " + std::to_string(all_.size()) + ", found " + lesson);
    return static_cast<std::size_t>(*number - 1);
  }
  const std::string file = std::filesystem::absolute(expanded(lesson)).lexically_normal().string();
  const auto listed = std::ranges::find(all_, file, &ListedLesson::file);
  if (listed != all_.end()) return static_cast<std::size_t>(listed - all_.begin());
  std::error_code failed;
  all_.push_back({.file = file,
                  .read = lesson_of_file(file),
                  .own = true,
                  .written = std::filesystem::last_write_time(file, failed),
                  .alone = true});
  return all_.size() - 1;
}

void LessonGuide::read_again(double time) {
  if (!listed_ || time < listed_at_ + 1) return;
  listed_at_ = time;
  ListedLesson before = taken_ ? all_[number_] : ListedLesson();
  const std::string file = before.file;
  if (!reread(all_) || !taken_) return;
  const auto now = std::ranges::find(all_, file, &ListedLesson::file);
  // An editor that saves may take it away for a moment.
  if (now == all_.end()) {
    all_.push_back(std::move(before));
    number_ = all_.size() - 1;
    return;
  }
  number_ = static_cast<std::size_t>(now - all_.begin());
  // A lesson is replaced only when it has no errors.
  const LessonFile& read = now->read;
  saved_errors_ = read.errors;
  if (!read.errors.empty() || read.lesson.pages.empty() || now->written == taken_written_) return;
  taken_written_ = now->written;
  bringer_ = {};
  const std::vector<PageMark> marks = taken_->marks();
  taken_ = std::make_unique<TakenLesson>(about_model(read.lesson), taken_->student(), taken_->language(),
                                         taken_->open());
  taken_->restore_marks(marks);
  taken_hash_ = hash_of(*now);
}

// Where somebody left this lesson, as long as it asks the same of the same student.
void LessonGuide::restore_marks(const Settings& settings) {
  const ListedLesson& listed = all_[number_];
  const auto known = std::ranges::find(settings.lessons, listed.name(), &LessonMark::file);
  taken_hash_ = hash_of(listed);
  if (known == settings.lessons.end() || known->hash.empty() || known->hash != taken_hash_) return;
  if (!known->language.empty()) taken_->set_language(known->language);
  if (taken_->draws_sentences() && known->student != taken_->student()) return;
  std::vector<PageMark> marks(taken_->marks().size());
  for (const LessonAnswer& each : known->answers)
    if (each.page >= 0 && each.page < std::ssize(marks))
      marks[static_cast<std::size_t>(each.page)] = {.tries = each.tries,
                                                    .right = each.right,
                                                    .shown = each.shown,
                                                    .given = each.given,
                                                    .words = each.words,
                                                    .engine = each.engine,
                                                    .sentence = each.sentence,
                                                    .question = each.question,
                                                    .tried = each.tried};
  taken_->restore_marks(std::move(marks));
  at_end_ = known->done && taken_->all_answered();
}

std::string LessonGuide::take(std::size_t lesson, const Settings& settings, const std::string& language,
                              std::size_t page, const std::string& model) {
  const ListedLesson& listed = all().at(lesson);
  if (!listed.read.errors.empty()) {
    const LessonError& first = listed.read.errors.front();
    return listed.name() + ":" + std::to_string(first.line) + ": " + first.problem;
  }
  if (listed.read.lesson.pages.empty()) return "This lesson has no page.";
  number_ = lesson;
  bringer_ = {};
  down_next_ = false, warned_.reset();
  taken_written_ = listed.written;
  ++takings_;
  at_end_ = false;
  saved_errors_.clear();
  model_ = model;
  taken_ = std::make_unique<TakenLesson>(about_model(listed.read.lesson), settings.student, language, page);
  restore_marks(settings);
  return {};
}

std::string LessonGuide::copy(std::size_t lesson) {
  try {
    return "Copied to " + copied_lesson(all().at(lesson)) + ".";
  } catch (const std::exception& error) {
    return "It was not copied: " + failure_words(error);
  }
}

void LessonGuide::keep_mark(Settings& settings) const {
  if (!taken_) return;
  const int pages = static_cast<int>(taken_->lesson().pages.size()), page = static_cast<int>(taken_->open());
  std::vector<LessonAnswer> answers;
  for (int i = 0; i < pages; ++i) {
    const PageMark& mark = taken_->marks()[static_cast<std::size_t>(i)];
    if (mark.tries == 0 && !mark.shown) continue;
    answers.push_back({.page = i,
                       .tries = mark.tries,
                       .right = mark.right,
                       .shown = mark.shown,
                       .given = mark.given,
                       .tried = mark.tried,
                       .words = mark.words,
                       .engine = mark.engine,
                       .sentence = mark.sentence,
                       .question = mark.question});
  }
  remember_lesson(settings, {.file = all_[number_].name(),
                             .right = taken_->right(),
                             .asked = taken_->asked(),
                             .page = page,
                             .pages = pages,
                             .done = taken_->all_answered() && page + 1 == pages,
                             .hash = taken_hash_,
                             .student = taken_->student(),
                             .language = taken_->language(),
                             .answers = std::move(answers)});
}

std::string LessonGuide::hand_in_path(const Settings& settings) const {
  std::string who;
  for (const char c : settings.student)
    who += std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0 ? c : '-';
  const std::string stem =
      std::filesystem::path(all_[number_].file).stem().string() + (who.empty() ? "" : "-" + who);
  return "~/" + stem + ".handin";
}

std::string LessonGuide::hand_in(const std::string& path, const std::string& student,
                                 std::string& problem) const {
  problem.clear();
  try {
    HandIn handed = taken_->hand_in();
    handed.student = student;
    handed.file = all_[number_].name();
    handed.lesson_hash = taken_hash_;
    handed.program = "glassformer " GLASSFORMER_VERSION;
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    char when[32] = "";
    if (localtime_r(&now, &local) && std::strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local) > 0)
      handed.handed_in = when;
    const std::string text = hand_in_text(handed);
    hand_in_from_text(text, handed.file);  // what cannot be read is not written
    write_new_file(expanded(path), text);
    const std::string& language = taken_->language();
    return lesson_words("Written: ", language) + path +
           lesson_words(". Send this file to your teacher.", language);
  } catch (const std::exception& error) {
    problem = failure_words(error);
    return {};
  }
}

std::optional<std::size_t> LessonGuide::next() const {
  if (!taken_ || !taken_->may_continue() || taken_->open() + 1 != taken_->lesson().pages.size()) return {};
  const std::size_t next = number_ + 1;
  return next < all_.size() && all_[next].read.errors.empty() ? std::optional(next) : std::nullopt;
}

// A lecturer may hold a remote alone: it reveals before it leaves a page.
void LessonGuide::page_down(bool room) {
  if (const auto after = room ? next() : std::nullopt) {
    if (std::exchange(leaving_, !leaving_)) wish(*after);
    return;
  }
  if (taken_->may_continue()) {
    at_end_ = taken_->open() + 1 == taken_->lesson().pages.size();
    return taken_->turn_to(taken_->open() + 1);
  }
  if (!room) return;
  down_next_ = !taken_->ready();
  if (down_next_) return;
  if (!taken_->page().question->does) return taken_->show_answer();
  // What takes a training is begun by a second press, which knows how long it is.
  if (taken_->reveal_trains() && !warned()) {
    warned_ = taken_->open();
    return;
  }
  warned_.reset();
  taken_->pass();
  if (!taken_->reveals() && taken_->may_continue()) page_down(room);  // there is nothing to reveal
}

// In a lecture it takes one press back.
void LessonGuide::page_up(bool room) {
  const std::size_t page = taken_->open();
  down_next_ = false;
  if (room && warned()) return warned_.reset();
  if (room && std::exchange(leaving_, false)) return;
  if (room && taken_->mark().shown && !taken_->mark().right && taken_->page().question)
    return taken_->cover();
  if (std::exchange(at_end_, false) && !room) return;
  if (page > 0) taken_->turn_to(page - 1);
}

void LessonGuide::frame(ui::Ui& ui, const Session& session, const ViewInput* now, const std::string& view,
                        View* shown, bool alone, bool room) {
  show_parts(shown);
  if (!taken_) return;
  if (!room) down_next_ = false, warned_.reset();
  if (!room || !next()) leaving_ = false;
  // As a presenter's remote sends them; with Shift they are the view's.
  if (alone && !ui.popup.is_open() && !ui.shift()) {
    if (ui.pressed(ui::Key::page_down) || (down_next_ && taken_->ready())) page_down(room);
    if (ui.pressed(ui::Key::page_up)) page_up(room);
  }
  if (auto staged = taken_->take_staged()) {
    bringer_.start(std::move(staged));
  }
  if (!taken_->ready() && taken_->problem().empty()) ui.ask_frame(0.02);
  if (bringer_.busy()) {
    settled_ = 0;
    return bringer_.frame(ui, session);
  }
  // What is set shows a few frames later; a control that is not there is not waited for.
  constexpr int kLongest = 30;
  if (++settled_ < kSettles || (!ui.by_name.left().empty() && settled_ < kLongest)) return ui.ask_frame(0.02);
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

void LessonGuide::show_parts(View* shown) {
  std::string parts;
  if (taken_ && taken_->page().shows && whole_ != Revealed{takings_, taken_->open()})
    parts = taken_->page().shows->value;
  shows_less_ = shown && shown->set(kShownParts, parts) && !parts.empty();
}

void LessonGuide::offer_all(ui::Ui& ui, const Rect& stage) {
  if (!taken_ || !shows_less_) return;
  const std::string words = lesson_words("Show all of it", taken_->language());
  if (!LinkButton(ui, {stage.right() - kPadding - ui.text_width(words, 12), stage.y + 16}, words,
                  {.id = "Show all of it"}))
    return;
  whole_ = {takings_, taken_->open()};
  ui.ask_frame(0);
}

void LessonGuide::draw_targets(ui::Ui& ui, bool leader) {
  if (!taken_ || bringer_.busy() || !taken_->ready()) return;
  const LessonPage& page = taken_->page();
  reveal_targets(ui);
  if (!taken_->may_continue())
    for (const LessonTarget& target : page.covers) cover_target(ui, target, taken_->staged());
  if (const StagedPage* before = taken_->before_place()) dash_place(ui, *before);
  std::optional<Rect> first;
  for (const LessonTarget& target : page.points)
    if (const auto outline = outline_target(ui, target, taken_->staged()); outline && !first) first = outline;
  if (first && leader) draw_leader(ui, *first);
  const Revealed now{takings_, taken_->open()};
  if (first && leader && !taken_->may_continue() && std::exchange(focused_, now) != now)
    focus_slider(ui, page);
}

// Once for a page, and once more when its answer has taken room; from then on whoever reads scrolls.
void LessonGuide::reveal_targets(ui::Ui& ui) {
  const Revealed now{takings_, taken_->open(), taken_->may_continue()};
  if (settled_ < kSettles || revealed_ == now) return;
  revealed_ = now;
  const LessonPage& page = taken_->page();
  const auto& targets = page.points.empty() ? page.covers : page.points;
  if (!targets.empty()) reveal_target(ui, targets.front(), taken_->staged());
}

// From what is pointed at to the question, found anew when one of the two has moved.
void LessonGuide::draw_leader(ui::Ui& ui, const Rect& outline) {
  const auto question = ui.find("lesson question");
  if (!question || question->visible.width <= 0) return;
  if (!(outline == leader_from_) || !(question->rect == leader_to_)) {
    leader_from_ = outline, leader_to_ = question->rect;
    leader_ = leader_between(ui, outline, question->rect);
  }
  if (leader_.empty()) return;
  ui.canvas().polyline(leader_, {.color = ui.theme().ink, .width = 1.5f});
  ui.canvas().circle(leader_.back(), 4, ui.theme().ink, {});
}

std::optional<CoveredRow> LessonGuide::covered() {
  if (!taken_ || !taken_->ready() || taken_->may_continue()) return std::nullopt;
  const StagedPage& staged = taken_->staged();
  const Selection& open = staged.selection;
  const std::optional<int> row = row_of_target(taken_->page().covers, staged);
  if (!row) return std::nullopt;
  return CoveredRow{open.kind, open.layer, open.head, *row};
}

HiddenParts LessonGuide::hidden() const {
  if (!taken_) return {};
  const auto hides = [&](std::string_view part) {
    return std::ranges::find(taken_->lesson().hidden, part) != taken_->lesson().hidden.end();
  };
  return {.train = hides("train"),
          .slider = hides("slider"),
          .decoding = hides("decoding"),
          .target = hides("target"),
          .map = hides("map"),
          .inspector = hides("inspector"),
          .words = shows_less_};
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
