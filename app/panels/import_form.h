// A model of another program that is about to be opened: what its dialog remembers while it is open. It is
// read, and later written into a folder of ours, away from the screen.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "engine/import/model_import.h"

namespace glassformer {

struct ImportForm {
  struct Read {
    std::shared_ptr<const ImportedModel> model;  // null: it could not be read
    std::string error;
  };

  std::string source;                                       // the file or folder
  std::string heads, source_vocabulary, target_vocabulary;  // as typed
  std::string assumed_heads;                                // that the file does not say; empty: it does
  std::string read_with;                                    // what was typed when it was read
  bool opens = false;                                       // as soon as it is read with what is typed now
  bool wants_lists = false;                                 // its files have no vocabulary that is read
  bool fresh = false;                                       // its report was never shown
  std::future<Read> reading;
  Read read;
  std::future<Read> saving;  // the model, once it is in `folder`
  std::string folder;

  void start(const std::string& path);
  void read_again();  // with what is typed
  void save();        // into a folder of ours, after it is read with what is typed
  void close();       // work under way continues, and changes nothing here
  bool busy() const { return reading.valid() || saving.valid(); }
  std::string typed() const { return heads + "\n" + source_vocabulary + "\n" + target_vocabulary; }

 private:
  std::vector<std::future<Read>> left_;  // until it has ended: to wait for it would hold up the window
};

// True when it is to be closed.
bool import_dialog(ui::Ui& ui, ImportForm& form, Point window);

}  // namespace glassformer
