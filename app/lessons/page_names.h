// What the names of a page are worth where it was set up: the answer of its question, and its texts with
// their numbers.
#pragma once

#include <memory>
#include <string>

#include "app/lessons/lesson_values.h"
#include "app/lessons/staged_page.h"

namespace glassformer {

class PageNames {
 public:
  explicit PageNames(std::shared_ptr<const StagedPage> page);
  PageNames(const PageNames&) = delete;
  PageNames& operator=(const PageNames&) = delete;

  // Of the kind that the question asks for; of what is to be done, 1 or 0. All throw Mismatch.
  Value answer(const LessonQuestion& asked) const;
  // `it` is what was given, `answer` what the engine gives.
  std::string filled_text(const std::string& words, const Value& it, const Value& answer) const;
  Value named(const std::string& before, const std::string& name) const;
  const StagedPage& page() const { return *page_; }

 private:
  std::shared_ptr<const SceneResult> greedy() const;

  std::shared_ptr<const StagedPage> page_;
  ViewInput input_;
  LessonScene scene_;
};

// The words of a choice in the language; all else unchanged.
Value answer_in(const LessonQuestion& asked, const Value& answer, const std::string& language);
// An answer that is of the kind that a question asks for; throws Mismatch for another.
Value fitting_answer(const LessonQuestion& asked, Value answer);

}  // namespace glassformer
