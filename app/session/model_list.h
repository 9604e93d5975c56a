// Models that a person may want to open again: the runs that were made here, what was opened lately, and what
// comes with the program.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace glassformer {

struct ListedModel {
  enum class Kind { run, recent, bundled };
  Kind kind = Kind::run;
  std::string folder;   // for OpenModel
  std::string name;     // "English → French", "Task: reverse", else the folder's name
  std::string details;  // "english-french.grammar · step 748 · validation loss 0.412"; what is recorded
  std::string date;     // of its last save: "20 November 2026, 17:05"; empty for what comes with the program
  std::filesystem::file_time_type time;
};

// The newest run first, then what was opened lately from elsewhere, then what comes along. What is not there
// any more or has no config.json is left out. Reads a small part of every folder: for a worker.
std::vector<ListedModel> list_models(const std::filesystem::path& runs,
                                     const std::vector<std::string>& recent);

}  // namespace glassformer
