#include "app/session/run_table.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "app/format/number_format.h"
#include "app/session/run_record.h"
#include "engine/files/disk.h"
#include "engine/files/folder_lock.h"
#include "engine/files/json_file.h"
#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/model/weights_file.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/text/unicode.h"
#include "engine/train/limits.h"
#include "engine/train/run_command.h"
#include "engine/train/run_data.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr const char* kArchitecture = "architecture";

// All settings of a run by their own names; of two with one name the outer one.
std::map<std::string, std::string> settings_of(const KeptRun& run) {
  nlohmann::json all = config_json(run);
  all.emplace(kArchitecture, "transformer");
  all.update(to_json(run.record.options));
  if (run.record.data) {
    all["pairs"] = run.record.data->training.pairs;
    all["tokenizer"] = to_json(*run.record.data).value("tokenizer", nlohmann::json());
  }
  all["data"] = run.record.data_name;
  if (!run.recurrent()) all["dropout"] = run.record.live.dropout;
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

// What is there, as one line of readable text; nothing when there is no such file.
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
  KeptRun run{.name = name_of(folder), .folder = folder, .note = note_of(folder), .config = {}, .record = {}};
  if (holds_recurrent_model(folder))
    run.config = read_recurrent_config(folder);
  else
    run.config = read_config(folder);
  const Config* const transformer = std::get_if<Config>(&run.config);
  run.record =
      run_record(read_json(folder + "/training.json"), transformer ? *transformer : Config(), folder);
  return run;
}

void refuse_in_use(const std::string& folder) {
  if (FolderLock::taken(folder))
    throw Error(name_of(folder),
                "the run is being trained at this moment; end it, or open another model, first");
}

}  // namespace

nlohmann::json config_json(const KeptRun& run) {
  return std::visit([](const auto& config) { return to_json(config); }, run.config);
}

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
      const auto weights = fs::last_write_time(path + "/weights.safetensors", failed);
      run.weights_written = failed ? fs::file_time_type() : weights;
      runs.push_back(std::move(run));
    } catch (const std::exception& error) {
      problems.push_back(failure_words(error));
    }
  }
  std::ranges::sort(runs, {}, &KeptRun::name);
  return runs;
}

std::optional<long> steps_as_planned(const KeptRun& run) {
  if (!run.record.curves) return std::nullopt;
  for (const RunMark& mark : run.record.curves->marks)
    if (mark.text.starts_with(kPlanExtended)) return mark.step;
  return std::nullopt;
}

std::string command_of(const KeptRun& run) {
  if (!run.record.data || run.record.data->training.empty()) return {};
  TrainingOptions training = run.record.options;
  if (const auto planned = steps_as_planned(run)) {
    training.steps = *planned;
    training.epochs = training.minutes = 0;
    training.patience = 0;
  }
  // Where the rate falls to 0 was known from the first limits; later ones left it there.
  if (const auto& schedule = run.record.schedule; schedule && schedule->from == 0)
    if (schedule->kind == ScheduleKind::linear || schedule->kind == ScheduleKind::cosine)
      training.total_steps = schedule->total_steps;
  const auto options = [&](const auto& config) {
    return train_options(RecipeOf<std::decay_t<decltype(config)>>{config, training, *run.record.data});
  };
  return train_command(std::visit(options, run.config), without_time(run.name));
}

bool changed_on_the_way(const KeptRun& run) {
  return run.record.curves && !run.record.curves->marks.empty();
}

std::vector<RunDifference> differences(const std::vector<KeptRun>& runs) {
  std::vector<std::map<std::string, std::string>> settings;
  std::map<std::string, std::set<bool>> kinds;  // recurrent or not, of which some run has the setting
  for (const KeptRun& run : runs) {
    settings.push_back(settings_of(run));
    for (const auto& [name, value] : settings.back()) kinds[name].insert(run.recurrent());
  }
  std::vector<RunDifference> found;
  for (const auto& [name, having] : kinds) {
    RunDifference difference{.name = name, .values = {}};
    std::set<std::string> values;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      difference.values.push_back(settings[i][name]);
      if (having.contains(runs[i].recurrent())) values.insert(difference.values.back());
    }
    if (name == kArchitecture && having.contains(true))
      found.insert(found.begin(), std::move(difference));
    else if (values.size() > 1)
      found.push_back(std::move(difference));
  }
  return found;
}

namespace {

// "layers-2" of "2026-11-20 17.05.31 layers-2-seed3"
std::string without_seed(const std::string& name) {
  const std::string rest = without_time(name);
  for (const std::string_view mark : {"-seed", ", seed "}) {  // of a sweep, and of settings that are tried
    const std::size_t seed = rest.rfind(mark), number = seed + mark.size();
    if (seed != std::string::npos && seed > 0 && number < rest.size() &&
        rest.find_first_not_of("0123456789", number) == std::string::npos)
      return rest.substr(0, seed);
  }
  return rest;
}

// Two runs of one recipe have the same; vocabularies follow from the seed of the data.
std::string recipe_without_seed(const KeptRun& run) {
  std::map<std::string, std::string> settings = settings_of(run);
  for (const char* name : {"seed", "source_vocab", "target_vocab"}) settings.erase(name);
  nlohmann::json key = settings;
  if (run.record.data) {
    key["data_options"] = to_json(*run.record.data);
    key["data_options"].erase("seed");
  }
  return key.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool has_all_words(const KeptRun& run, const std::vector<std::string>& words) {
  if (words.empty()) return true;
  std::string all = run.name + "\n" + run.note;
  for (const auto& [name, value] : settings_of(run)) all += "\n" + name + " " + value;
  all = small_letters(std::move(all));
  return std::ranges::all_of(words,
                             [&](const std::string& word) { return all.find(word) != std::string::npos; });
}

template <class Measure>
MeanAndDeviation over_row(const std::vector<KeptRun>& runs, const RunRow& row, const Measure& measure) {
  std::vector<double> values;
  for (const std::size_t i : row.runs) {
    const ValidationPoint* best = runs[i].record.curves ? best_validation(*runs[i].record.curves) : nullptr;
    if (best && std::isfinite(measure(*best))) values.push_back(measure(*best));
  }
  return mean_and_deviation(values);
}

}  // namespace

std::vector<RunRow> run_rows(const std::vector<KeptRun>& runs, const std::string& filter, bool grouped) {
  const std::vector<std::string> words = split_words(small_letters(filter));
  std::vector<RunRow> rows;
  std::map<std::string, std::size_t> places;  // by recipe
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!has_all_words(runs[i], words)) continue;
    const std::string key = grouped ? recipe_without_seed(runs[i]) : runs[i].folder;
    const auto [place, fresh] = places.emplace(key, rows.size());
    if (fresh) rows.push_back({grouped ? without_seed(runs[i].name) : runs[i].name, {}});
    rows[place->second].runs.push_back(i);
  }
  // Recipes that differ in more than their names say are numbered.
  std::map<std::string, int> so_named;
  for (RunRow& row : rows)
    if (const int number = ++so_named[row.name]; number > 1) row.name += " (" + std::to_string(number) + ")";
  return rows;
}

MeanAndDeviation best_losses(const std::vector<KeptRun>& runs, const RunRow& row) {
  return over_row(runs, row, [](const ValidationPoint& best) { return best.loss; });
}
MeanAndDeviation best_accuracies(const std::vector<KeptRun>& runs, const RunRow& row) {
  return over_row(runs, row, [](const ValidationPoint& best) { return best.token_accuracy; });
}

LossBand loss_band(const std::vector<KeptRun>& runs, const RunRow& row) {
  std::map<long, std::vector<double>> losses;
  std::size_t validated = 0;
  for (const std::size_t i : row.runs) {
    const auto& curves = runs[i].record.curves;
    if (!curves || curves->validations.empty()) continue;
    ++validated;
    for (const ValidationPoint& point : curves->validations)
      if (std::isfinite(point.loss)) losses[point.step].push_back(point.loss);
  }
  LossBand band;
  for (const auto& [step, values] : losses) {
    if (values.size() != validated) continue;
    const MeanAndDeviation over = mean_and_deviation(values);
    band.step.push_back(static_cast<double>(step));
    band.mean.push_back(over.mean);
    band.deviation.push_back(over.count > 1 ? over.deviation : 0);
  }
  return band;
}

std::string value_in(const RunDifference& difference, const RunRow& row) {
  const std::string& first = difference.values[row.runs.front()];
  for (const std::size_t i : row.runs)
    if (difference.values[i] != first) return "…";
  return first;
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
