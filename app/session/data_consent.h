// Which recorded data are read without being asked for.
//
// A model's folder names the files that it was trained on. Opening a model shows sentences of them, so a
// folder that came from somebody else could bring lines of any file of this machine on the screen. Read
// unasked are therefore: tasks and the program's own files; anything for the runs that the window keeps and
// for folders that `train` noted here; and files that the person chose in the window before. Resuming a
// run, or naming the data, is asking.
#pragma once

#include <string>

#include "engine/text/data.h"

namespace glassformer {

// A file of the program's own assets or models.
bool comes_with_program(const std::string& path);

bool read_unasked(const DataOptions& data, const std::string& folder);

// Notes that this program wrote the folder for this person. What cannot be noted is asked for later: no
// error.
void note_written_here(const std::string& folder);

}  // namespace glassformer
