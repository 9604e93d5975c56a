// Work on folders that the screen does not wait for: models that are written where the person wants them, and
// kept runs that get another name or go.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/notice.h"
#include "app/scene/run_state.h"
#include "engine/model/snapshot.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// A model that could not be written, and the way out.
Notice not_saved(const std::string& words);

class FolderWork {
 public:
  explicit FolderWork(std::function<void()> wake) : wake_(std::move(wake)) {}

  // The answer to one SaveModel: a message, and at most one of the two.
  struct Saved {
    Notice notice;
    SaveModel done;    // written
    SaveModel by_run;  // free: the run is to write there itself
  };
  // Asks first when a model is there. `by_run`: only that, a run saves itself.
  // The record of the run kept in `record_of` goes along; empty: there is none.
  void save(const SaveModel& what, bool by_run, std::shared_ptr<const Snapshot> weights,
            const Tokenizers& tokenizers, const std::string& record_of);
  std::vector<Saved> take_saved();
  std::optional<Saved> wait_for_saved();  // nothing when none is under way
  bool saving() const { return !saving_.empty(); }

  // False while another change is under way. `in_use`: folders that must stay unchanged.
  bool rename(const RenameRun& what, std::vector<std::string> in_use);
  bool remove(const DeleteRun& what, std::vector<std::string> in_use);
  const RunFolderChange* change() const { return change_ ? &*change_ : nullptr; }  // the last; null: none
  bool changing() const { return changing_.valid(); }
  // The names that the folder had, when it has changed now: as given, and without links. `wait`: until it
  // has.
  std::vector<std::string> take_changed(bool wait = false);

 private:
  bool begin(RunFolderChange change, std::vector<std::string> in_use, const std::function<void()>& work);

  struct Changed {
    std::string problem;
    std::string given, real;  // as asked for, and without links
  };
  std::function<void()> wake_;
  std::vector<std::future<Saved>> saving_;
  std::optional<RunFolderChange> change_;
  std::future<Changed> changing_;
};

}  // namespace glassformer
