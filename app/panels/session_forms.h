// Sessions that are opened and saved by their dialogs, by files and by links. What a function returns is a
// sentence to be shown; empty: none.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/panels/dialogs.h"
#include "app/panels/layout.h"
#include "app/panels/session_desk.h"

namespace glassformer {

// Files that were dropped on the window: a model's folder, a session, a lesson, another program's model or a
// corpus.
struct DroppedFiles {
  Commands commands;
  std::string session, lesson, import_from;  // to be opened; empty: none
};
DroppedFiles dropped_files(const std::vector<std::string>& paths);

class SessionForms {
 public:
  SessionForms(Session& session, Dialogs& dialogs, SessionDesk& desk, std::string wanted)
      : session_(session), dialogs_(dialogs), desk_(desk), wanted_(std::move(wanted)) {}

  void want(std::string session) {
    wanted_ = std::move(session);
  }  // a file or a link text, in the next frame
  bool opening() const { return !wanted_.empty() || desk_.opening(); }
  // `panels`: as the window has them; a session that was opened sets its own.
  std::string frame(ui::Ui& ui, const std::string& view, OpenPanels& panels);
  std::string do_wishes(ui::Ui& ui, const std::string& view);  // of the dialogs
  // Under its name; what has none yet, or is not to be saved so, is asked about.
  std::string save(ui::Ui* ui, const std::string& view);
  std::string copy_link(ui::Ui& ui, const std::string& view);

 private:
  Session& session_;
  Dialogs& dialogs_;
  SessionDesk& desk_;
  std::string wanted_;  // empty: none
};

}  // namespace glassformer
