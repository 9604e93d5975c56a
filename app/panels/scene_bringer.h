// Brings the window to a Scene that was set up away from it (app/lessons/staged_page.h): model, sentence,
// changes, view, pin and controls, by the commands that a person's clicks would send.
#pragma once

#include <memory>

#include "app/lessons/staged_page.h"
#include "app/session/session.h"
#include "app/ui/ui.h"

namespace glassformer {

class SceneBringer {
 public:
  void start(std::shared_ptr<const StagedPage> page);
  bool busy() const { return page_ != nullptr; }
  // Once a frame, while it is busy. What has to wait for the engine goes out in a later frame.
  void frame(ui::Ui& ui, const Session& session);

 private:
  enum class Stage { model, scene, changes, controls };

  void scene(ui::Ui& ui, const Session& session);
  void looking(ui::Ui& ui, const Session& session);
  bool is_beside(const Session& session) const;        // the page's recurrent model
  bool reads_recurrent(const Session& session) const;  // it is not there yet

  std::shared_ptr<const StagedPage> page_;
  Stage stage_ = Stage::model;
  bool asked_model_ = false;
  int frames_ = 0;  // since the stage began
};

}  // namespace glassformer
