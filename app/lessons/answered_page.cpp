#include "app/lessons/answered_page.h"

#include <algorithm>

#include "app/lessons/scene_lines.h"
#include "app/lessons/slots.h"
#include "app/session/run_scene.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

// What stands where the answer was found; of a number, itself.
Value at_answer(const Value& answer) {
  return answer.place ? one_number(answer.place->among[answer.place->at]) : answer;
}

class Answering {
 public:
  Answering(const StagedPage& staged, const LessonPage& page, const std::string& language,
            std::vector<LessonError>& errors)
      : staged_(staged),
        page_(page),
        language_(language),
        errors_(errors),
        input_(staged.input()),
        scene_{.input = input_,
               .other = staged.other,
               .greedy = [this] { return greedy(); },
               .of_view = [this](const std::string& key) { return of_view(key); }} {}

  AnsweredPage all() {
    AnsweredPage done{.title = page_.title.in(language_), .value = one_number(0)};
    if (const auto& asked = page_.question) {
      done.does = asked->does;
      try_at(asked->answer_line, [&] { answer(*asked, done); });
    }
    for (const LessonText& text : page_.texts) done.texts.push_back(with_numbers(text, done.value));
    for (const LessonText& note : page_.notes) with_numbers(note, done.value);
    if (const auto& asked = page_.question) {
      done.question = with_numbers(asked->text, done.value);
      done.right = with_numbers(asked->right, done.value);
      done.wrong = with_numbers(asked->wrong, done.value);
      done.hint = with_numbers(asked->hint, done.value);
      for (const auto& [given, text] : asked->wrong_for) with_numbers(text, done.value);
    }
    for (const auto* targets : {&page_.points, &page_.covers})
      for (const LessonTarget& target : *targets) try_at(target.line, [&] { check_target(target); });
    return done;
  }

 private:
  template <class Work>
  void try_at(int line, const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      errors_.push_back({line, failure_words(error)});
    }
  }

  Value named(const std::string& before, const std::string& name) const {
    return lesson_value(scene_, before, name);
  }

  void answer(const LessonQuestion& asked, AnsweredPage& done) {
    done.value =
        asked.answer->value([&](const auto& before, const auto& name) { return named(before, name); });
    done.answer = shown(done.value);
    if (asked.does || asked.kind == AnswerKind::number) {
      if (!done.value.is_one() || done.value.is_words()) throw Mismatch("one number", kind_of(done.value));
    } else if (asked.kind == AnswerKind::choice) {
      if (std::ranges::none_of(asked.choices,
                               [&](const LessonText& each) { return each.plain == done.answer; }))
        throw Mismatch("an answer that is one of the choices", "“" + done.answer + "”");
    } else if (asked.kind == AnswerKind::cell) {
      if (!done.value.place)
        throw Mismatch("a column of the row (argmax or argmin) for cell", kind_of(done.value));
    } else if (!done.value.place && !(done.value.is_one() && done.value.is_words())) {
      throw Mismatch("one word", kind_of(done.value));
    }
  }

  // In all languages, so that each is known to be complete.
  std::string with_numbers(const LessonText& text, const Value& answer) {
    const NameValues names = [&](const std::string& before, const std::string& name) {
      if (name == "it" || name == "answer") return before == "at" ? at_answer(answer) : answer;
      return named(before, name);
    };
    std::string chosen;
    try_at(text.line, [&] {
      for (const auto& [language, words] : text.translated) filled(words, names);
      filled(text.plain, names);
      chosen = filled(text.in(language_), names);
    });
    return chosen;
  }

  void check_target(const LessonTarget& target) const {
    const SceneResult& result = *staged_.result;
    const AttentionKind kind = staged_.selection.kind;
    const auto& rows = kind == AttentionKind::encoder ? result.source_words : result.target_in_words;
    const auto& columns = kind == AttentionKind::decoder ? result.target_in_words : result.source_words;
    const std::vector<std::string> words = words_of_line(target.value);
    if (target.kind == "row") place_in(target.value, rows, "rows");
    if (target.kind == "column") place_in(target.value, columns, "columns");
    if (target.kind == "cell" && words.size() != 2)
      throw Mismatch("a row and a column", "“" + target.value + "”");
    if (target.kind == "cell") place_in(words[0], rows, "rows"), place_in(words[1], columns, "columns");
    if (target.kind == "chip" && words.size() != 2)
      throw Mismatch("source or output and a word", "“" + target.value + "”");
    if (target.kind == "chip")
      place_in(words[1], words[0] == "source" ? result.source_words : result.target_out_words, "chips");
  }

  std::shared_ptr<const SceneResult> greedy() const {
    Scene scene = staged_.result->scene;
    scene.decode = DecodeOptions{};
    return run_scene(staged_.result->untouched_snapshot, staged_.model->tokenizers, scene, {},
                     staged_.result);
  }

  Value of_view(const std::string& key) const {
    if (key == "open") return one_word(staged_.view);
    throw Mismatch("something that a view shows behind view", "“" + key + "”");
  }

  const StagedPage& staged_;
  const LessonPage& page_;
  const std::string& language_;
  std::vector<LessonError>& errors_;
  ViewInput input_;
  LessonScene scene_;
};

}  // namespace

AnsweredLesson answered(LessonFile file, LessonStage& stage, const std::string& language) {
  AnsweredLesson done{.pages = {}, .errors = std::move(file.errors)};
  if (!done.errors.empty()) return done;
  for (std::size_t i = 0; i < file.lesson.pages.size(); ++i) {
    const auto staged = stage.page(file.lesson.scene_of(i), done.errors);
    if (!staged) continue;
    done.pages.push_back(Answering(*staged, file.lesson.pages[i], language, done.errors).all());
    done.pages.back().number = i + 1;
  }
  std::ranges::stable_sort(done.errors, {}, &LessonError::line);
  const auto same = std::ranges::unique(done.errors);  // a line that several pages stand on
  done.errors.erase(same.begin(), same.end());
  return done;
}

}  // namespace glassformer
