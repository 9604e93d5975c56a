// Of the Scene lines of a page those that count.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace glassformer {

// The lines that count: of each keyword the last; of those that set a control or train a run, all.
class CountingLines {
 public:
  explicit CountingLines(const std::vector<SceneLine>& lines) : all_(lines) {
    for (const SceneLine& line : lines) last_[line.keyword] = &line;
  }
  std::vector<const SceneLine*> every(std::string_view keyword) const {
    std::vector<const SceneLine*> found;
    for (const SceneLine& line : all_) {
      if (keyword == "set" && line.keyword == "view") found.clear();  // another view has other controls
      if (line.keyword == keyword) found.push_back(&line);
    }
    return found;
  }
  const SceneLine* find(const std::string& keyword) const {
    const auto found = last_.find(keyword);
    return found == last_.end() ? nullptr : found->second;
  }

 private:
  const std::vector<SceneLine>& all_;
  std::map<std::string, const SceneLine*> last_;
};

}  // namespace glassformer
