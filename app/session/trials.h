// Settings that are tried in the background: separate runs, one after another or two at once, on one
// thread each. They are kept among the runs like all others, and what is open is not touched.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/command.h"
#include "app/scene/trials.h"
#include "app/session/runs.h"

namespace glassformer {

// By the lines "vary heads = 1, 2" and "seeds = 1, 2, 3" of a sweep, upon this recipe. Throws Error: of a
// line, "row:2: expected ..., found ...", or of a setting.
std::vector<Trial> planned_trials(const NewRun& base, const std::string& text);

class Trials {
 public:
  explicit Trials(Runs& runs) : runs_(runs) {}

  // What all of them learn from: ready, being prepared, or to be read.
  struct Data {
    std::shared_ptr<const PreparedData> ready;
    FutureData ahead;
    Tokenizers tokenizers;
  };
  // `folder_for`: where a run of that name is kept; empty: nowhere.
  void begin(const TrySettings& what, Data data, std::function<std::string(const std::string&)> folder_for);
  void cancel();  // those that learn are saved
  // Takes what is new, and begins the next ones. True when something has changed.
  bool take();
  bool take_end() { return std::exchange(ended_, false); }  // once, when the last is over
  const TrialsState& state() const { return state_; }

 private:
  void begin_next();
  void note_end(const Run& run, const TrialsState::Learning& learning);

  Runs& runs_;
  std::deque<Trial> waiting_;
  int at_once_ = 1;
  Data data_;
  std::function<std::string(const std::string&)> folder_for_;
  TrialsState state_;
  bool ended_ = false;
};

}  // namespace glassformer
