// A model of another program that is about to be opened: what its dialog remembers while it is open. It is
// read, and later written into a folder of ours, away from the screen.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "app/ui/ui.h"
#include "engine/import/model_import.h"

namespace glassformer {

class Session;

struct ImportForm {
  struct Read {
    std::shared_ptr<const ImportedModel> model;  // null: it could not be read
    std::string error;
  };

  std::string source;                                       // the file or folder
  std::string heads, source_vocabulary, target_vocabulary;  // as typed
  std::future<Read> reading;
  Read read;
  std::future<Read> saving;  // the model, once it is in `folder`
  std::string folder;
  float height = 0;  // of the report, in the last frame

  void start(const std::string& path);
  void read_again();  // with what is typed
  bool busy() const { return reading.valid() || saving.valid(); }
};

// True when it is to be closed.
bool import_dialog(ui::Ui& ui, Session& session, ImportForm& form, Point window);

}  // namespace glassformer
