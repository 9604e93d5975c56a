#include "app/session/run_table.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "engine/files/disk.h"
#include "engine/files/folder_lock.h"
#include "engine/files/json_file.h"
#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/failure.h"
#include "engine/model/weights_file.h"
#include "engine/text/unicode.h"
#include "engine/train/run_data.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

// All settings of a run by their own names; of two with one name the outer one.
std::map<std::string, std::string> settings_of(const KeptRun& run) {
  nlohmann::json all = to_json(run.config);
  all.update(to_json(run.record.options));
  if (run.record.data) {
    all["pairs"] = run.record.data->training.pairs;
    all["tokenizer"] = to_json(*run.record.data).value("tokenizer", nlohmann::json());
  }
  all["data"] = run.record.data_name;
  all["dropout"] = run.record.live.dropout;
  all["smoothing"] = run.record.live.smoothing;
  all["clip"] = run.record.live.clip;
  all["rate_scale"] = run.record.live.rate_scale;
  std::map<std::string, std::string> settings;
  for (const auto& [name, value] : all.items())
    if (name != "threads") settings[name] = value.is_string() ? value.get<std::string>() : shown(value);
  return settings;
}

constexpr const char* kNote = "notes.txt";
constexpr std::size_t kLongestNote = 2000;

// What stands there, as one line of readable text; nothing when there is no such file.
std::string note_of(const std::string& folder) {
  std::string note(kLongestNote, ' ');
  try {
    note.resize(InputFile(folder + "/" + kNote).read(note.data(), note.size()));
  } catch (const Error&) {
    return {};
  }
  for (char& c : note)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  note.resize(std::min(note.size(), first_invalid_utf8(note)));
  note.erase(note.find_last_not_of(' ') + 1);
  return note;
}

std::string name_of(const std::string& folder) {
  return fs::path(folder).filename().string();
}

// When anything right in the folder was written last; nothing when it cannot be known.
std::optional<fs::file_time_type> last_written(const std::string& folder) {
  std::error_code failed;
  fs::file_time_type last = fs::last_write_time(folder, failed);
  fs::directory_iterator entries(folder, failed);
  for (; !failed && entries != fs::directory_iterator(); entries.increment(failed))
    last = std::max(last, fs::last_write_time(entries->path(), failed));
  return failed ? std::nullopt : std::optional(last);
}

KeptRun read_run(const std::string& folder) {
  KeptRun run{.name = name_of(folder),
              .folder = folder,
              .note = note_of(folder),
              .config = read_config(folder),
              .record = {}};
  run.record = run_record(read_json(folder + "/training.json"), run.config, folder);
  return run;
}

void refuse_in_use(const std::string& folder) {
  if (FolderLock::taken(folder))
    throw Error(name_of(folder),
                "the run is being trained at this moment; end it, or open another model, first");
}

}  // namespace

std::vector<KeptRun> kept_runs(const std::string& folder, std::vector<std::string>& problems,
                               const std::vector<KeptRun>& before) {
  std::error_code failed;
  fs::directory_iterator entries(folder, failed);
  if (failed && failed != std::errc::no_such_file_or_directory)
    throw Error(folder, "it cannot be read (" + failed.message() + ")");
  std::vector<KeptRun> runs;
  for (const fs::directory_entry& entry : entries) {
    const std::string path = entry.path().string();
    if (!fs::exists(path + "/training.json", failed)) continue;
    const auto written = last_written(path);
    const auto known = std::ranges::find(before, path, &KeptRun::folder);
    try {
      const bool same = known != before.end() && written && known->written == *written;
      KeptRun run = same ? *known : read_run(path);
      run.in_use = FolderLock::taken(path);
      run.written = written.value_or(fs::file_time_type());
      runs.push_back(std::move(run));
    } catch (const std::exception& error) {
      problems.push_back(failure_words(error));
    }
  }
  std::ranges::sort(runs, {}, &KeptRun::name);
  return runs;
}

std::vector<RunDifference> differences(const std::vector<KeptRun>& runs) {
  std::vector<std::map<std::string, std::string>> settings;
  std::map<std::string, std::string> names;
  for (const KeptRun& run : runs) {
    settings.push_back(settings_of(run));
    names.insert(settings.back().begin(), settings.back().end());
  }
  std::vector<RunDifference> found;
  for (const auto& [name, first] : names) {
    RunDifference difference{.name = name, .values = {}};
    for (auto& each : settings) difference.values.push_back(each[name]);
    if (std::ranges::adjacent_find(difference.values, std::ranges::not_equal_to{}) != difference.values.end())
      found.push_back(std::move(difference));
  }
  return found;
}

void rename_run(const std::string& folder, const std::string& name) {
  if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos)
    throw Error(name_of(folder), "“" + name + "” is no name for a run; use letters, digits and blanks");
  refuse_in_use(folder);
  const fs::path to = fs::path(folder).parent_path() / name;
  std::error_code failed;
  if (fs::exists(fs::symlink_status(to, failed)))
    throw Error(name_of(folder), "there is a run “" + name + "” already; choose another name");
  if (disk::rename(folder, to.string()) != 0)
    throw Error(name_of(folder),
                "the run cannot be renamed (" + std::generic_category().message(errno) + ")");
  disk::sync_folder(to.parent_path().string());  // where that fails, a power cut brings the old name back
}

void delete_run(const std::string& folder) {
  refuse_in_use(folder);
  const std::vector<std::string> known = names_of_older_run(folder);
  if (!holds_only_own(folder, known))
    throw Error(name_of(folder),
                "other things than a run lie there; look at the folder and delete it yourself");
  delete_own(folder, known);
}

void write_note(const std::string& folder, const std::string& note) {
  OwnedFolder run(folder, names_of_older_run(folder), OwnedFolder::Use::beside);
  if (!note.empty())
    run.write(kNote, note.substr(0, kLongestNote) + "\n");
  else
    run.remove({kNote});
}

}  // namespace glassformer
