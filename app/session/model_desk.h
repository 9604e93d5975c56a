// Models and files: the folder that is opened, copies, kept runs that get another name or go, data that are
// read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/folder_work.h"
#include "app/session/run_desk.h"

namespace glassformer {

class ModelDesk {
 public:
  ModelDesk(SessionCommon& common, SceneDesk& scenes, VariantDesk& variants, RunDesk& run)
      : common_(common),
        runs_(common.runs),
        notices_(common.notices),
        settings_(common.settings),
        scenes_(scenes),
        variants_(variants),
        run_(run),
        folders_(common.options.wake) {}

  const FolderWork& folders() const { return folders_; }
  const DataPreview* preview() const { return preview_ ? &*preview_ : nullptr; }

  // True when something that is shown has changed.
  bool take_opened();
  bool take_reading();
  bool take_saved();
  bool take_folder_change(bool wait);
  void finish_copies(std::vector<std::string>& problems);  // waits, and adds what went wrong

  void carry_out(const OpenModel& what);
  void carry_out(const CancelOpening&);
  void carry_out(const SaveModel& what);
  void carry_out(const RenameRun& what);
  void carry_out(const DeleteRun& what);
  void carry_out(const ReadData& what);
  void carry_out(const CancelReading&);
  void carry_out(const NewRun& what);

 private:
  std::optional<Notice> show(OpenedModel opened);  // about a training that this ends
  std::vector<SceneSentence> sentences_to_begin_with() const;
  void save_looked_at(const SaveModel& what);
  void take(const FolderWork::Saved& saved);
  void follow_folder(const std::string& from, const std::string& to);
  void end_reading();
  std::vector<std::string> folders_in_use() const;

  SessionCommon& common_;
  Runs& runs_;
  Notices& notices_;
  Settings& settings_;
  SceneDesk& scenes_;
  VariantDesk& variants_;
  RunDesk& run_;
  FolderWork folders_;
  std::unique_ptr<DataReader> reader_;
  std::optional<DataPreview> preview_;
};

}  // namespace glassformer
