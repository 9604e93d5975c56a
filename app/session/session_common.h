// What the desks of a session have in common: how it was begun, its settings and messages, what is open, and
// the list of runs. Only the session's own files include this.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/abandoned_work.h"
#include "app/session/data_reader.h"
#include "app/session/model_opening.h"
#include "app/session/notices.h"
#include "app/session/runs.h"
#include "app/session/session.h"

namespace glassformer {

struct SessionCommon {
  explicit SessionCommon(SessionOptions session_options)
      : options(std::move(session_options)), opening(aside, options.wake), runs(options.wake) {}

  std::optional<NewRun> known_recipe() const;  // of the run, else of the open model
  const Tokenizers& given_tokenizers() const;  // of what learns by that recipe
  const DataOptions* data() const;  // that the run, else the open model learns from; null: not recorded
  std::string open_folder() const;
  std::string pending_folder() const;  // of what waits until another run is prepared; empty: nothing does
  RunThread* keeper() const;           // that has what the screen shows; null: no run has
  std::string folder_for(const std::string& name) const;  // of a new run; empty: runs are not kept
  void open(const std::string& folder, std::optional<bool> resume = {});  // soon; `resume` as ModelOpening

  // What the next start of the program should offer.
  void remember_unfinished_run();
  void forget_unfinished_run();
  void forget_unfinished(const std::string& folder);
  void follow_moved_run(const RunNews& news, const Run& run);

  SessionOptions options;
  Settings settings;
  Notices notices;
  AbandonedWork aside;
  ModelOpening opening;
  std::optional<OpenedModel> model;  // the folder that is open; the run may have trained further
  ModelTitle title;
  std::shared_ptr<const Snapshot> snapshot;  // the newest weights
  Tokenizers tokenizers;
  std::string recurrent_folder;  // of the recurrent model beside it; empty: there is none, or nowhere
  DataAhead ahead;               // of the open model
  Runs runs;
  int lost = 0;  // so many copies and ends of runs that could not be written were reported
};

}  // namespace glassformer
