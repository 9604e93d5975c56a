// The studies that come with the program, and their results beside them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/session/paths.h"
#include "engine/train/study.h"

namespace glassformer {

struct KeptStudy {
  std::string file;
  Study study;
  std::vector<StudyRun> runs;  // none: it was not run yet

  // "glassformer study beam --run --source FILE --target FILE": the last where its pairs do not come along.
  std::string run_command() const;
};

KeptStudy kept_study(const std::string& file);  // throws Error
// The same, kept from then on, for any thread; null: there is no such file.
const KeptStudy* study_read_once(const std::string& file);
std::vector<std::string> study_files(const std::filesystem::path& folder = program_file("assets/studies"));
std::string studies_folder(const std::string& name);  // of the runs made here, in the cache

}  // namespace glassformer
