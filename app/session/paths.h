// Where things lie: the files that come with the program, and the folders that are the person's own.
#pragma once

#include <filesystem>
#include <string>

namespace glassformer {

// A file or folder that comes with the program ("models/english-french"): beside the program's build folder,
// or where it was built from. Throws Error when it is in neither place.
std::filesystem::path program_file(const std::string& relative);

// A path as a person or a recorded run names it: unchanged when it exists, else among the program's own
// files. Unchanged when it is in neither place, so that whoever opens it says what is missing.
std::string resolved(const std::string& path);

// Data that were made ready when the program was built (engine/text/ready_data.h); the file may be missing.
std::filesystem::path ready_file(const std::string& name);

// fonts.conf of a program that brings its fonts (app/bundle); empty: it takes those that are installed.
std::filesystem::path own_fonts();

// Links and dots resolved, where that can be done: one spelling for one folder.
std::filesystem::path plain_path(const std::filesystem::path& path);

std::filesystem::path settings_file();  // $XDG_CONFIG_HOME/glassformer/settings.json
std::filesystem::path cache_folder();   // $XDG_CACHE_HOME/glassformer: what can be made anew
std::filesystem::path runs_folder();    // $XDG_DATA_HOME/glassformer/runs, where training is kept

// A path as typed or pasted, resolved: "~/a" with the home folder put in, "file:///home/a%20b" as
// "/home/a b", without blanks and quotes around it. A name that exists as typed is left unchanged.
std::string expanded(const std::string& typed);

}  // namespace glassformer
