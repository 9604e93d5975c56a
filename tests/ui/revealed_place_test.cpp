// Where a lesson's answer is to be found is in the picture of its lecture, once the answer is there.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "app/lessons/lesson_reader.h"
#include "app/lessons/page_names.h"
#include "app/lessons/pin_line.h"
#include "app/panels/lecture_picture.h"
#include "app/session/paths.h"
#include "app/views/common/stage_text.h"
#include "engine/files/text_file.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"

namespace glassformer {

namespace {

// Of a lecture's picture, in effective pixels.
constexpr Rect kRevealedRoom{40, 30, 576, 256};

// What a page sets up once its answer is there; nothing where that stays as it was, or trains.
std::vector<SceneLine> revealed_lines(const Lesson& lesson, std::size_t number, LessonStage& stage) {
  const LessonPage& page = lesson.pages[number];
  if (!page.question) return {};
  std::vector<SceneLine> lines = lesson.scene_of(number);
  const auto trains = [](const std::vector<SceneLine>& all) {
    return std::ranges::find(all, "train", &SceneLine::keyword) != all.end();
  };
  if (trains(lines) || trains(page.reveal)) return {};
  if (!page.reveal.empty()) return lesson.revealed_scene_of(number);
  std::vector<LessonError> errors;
  auto found = stage.page(lines, errors);
  if (!found || page.question->does) return {};
  const auto staged = std::make_shared<const StagedPage>(std::move(*found));
  const auto place = asked_place(page, *staged, PageNames(staged).answer(*page.question));
  if (!place) return {};
  lines.push_back(*place);
  return lines;
}

// The word whose row is pinned, as the picture's rows are called; empty: none is.
std::string pinned_word(const StagedPage& page) {
  const Selection& pin = page.selection;
  if (!pin.query) return {};
  const bool encoder = pin.kind == AttentionKind::encoder;
  return (encoder ? page.result->source_words
                  : page.result->target_in_words)[static_cast<std::size_t>(*pin.query)];
}

// Whole, or its beginning where the picture cuts it.
bool is_written(const RecordingCanvas& canvas, const std::string& word) {
  return std::ranges::any_of(canvas.texts, [&](const RecordingCanvas::Text& each) {
    const std::size_t cut = each.text.find("…");
    return each.text == word || each.text.find("“" + word + "”") != std::string::npos ||
           (cut != std::string::npos && cut >= 2 && word.starts_with(each.text.substr(0, cut)));
  });
}

}  // namespace

TEST_CASE("after the answer of every page of every lesson its place is in the lecture's picture") {
  LessonStage stage;
  int places = 0;
  for (const auto& entry : std::filesystem::directory_iterator(program_file("assets/lessons"))) {
    const Lesson lesson = read_lesson(read_unpacked(entry.path().string(), 1'000'000)).lesson;
    for (std::size_t number = 0; number < lesson.pages.size(); ++number) {
      CAPTURE(entry.path().filename().string());
      CAPTURE(number + 1);
      const std::vector<SceneLine> lines = revealed_lines(lesson, number, stage);
      std::vector<LessonError> errors;
      const auto page = lines.empty() ? std::nullopt : stage.page(lines, errors);
      if (!page || !page->drawn) continue;
      const auto& panel = lesson.pages[number].panel;
      const std::string part = panel ? panel->value : lecture_part(page->view);
      const std::string word = pinned_word(*page);
      // The steps of a training are worked out beside the window.
      if (part.empty() || word.empty() || page->view == "forming") continue;
      CAPTURE(page->view);
      CAPTURE(part);
      CAPTURE(word);
      RecordingCanvas canvas(light_theme(), false);
      canvas.set_least_type(12);
      page->drawn->panel(part, canvas, page->input(), kRevealedRoom.inset(-kStagePadding));
      CHECK(is_written(canvas, word));
      CHECK_MESSAGE(texts_outside(canvas, kRevealedRoom).empty(),
                    in_lines(texts_outside(canvas, kRevealedRoom)));
      ++places;
    }
  }
  CHECK(places > 20);
}

}  // namespace glassformer
