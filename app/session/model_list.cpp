#include "app/session/model_list.h"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/format/number_format.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/model/weights_file.h"
#include "engine/recurrent/recurrent_checkpoint.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostRuns = 100;
constexpr const char* kBundledModels = "models";

fs::file_time_type saved_at(const fs::path& folder) {
  std::error_code failed;
  for (const char* file : {"training.json", "config.json"}) {
    const auto time = fs::last_write_time(folder / file, failed);
    if (!failed) return time;
  }
  return {};
}

std::string date_of(fs::file_time_type time) {
  const auto system =
      std::chrono::system_clock::now() + std::chrono::duration_cast<std::chrono::system_clock::duration>(
                                             time - fs::file_time_type::clock::now());
  const std::time_t seconds = std::chrono::system_clock::to_time_t(system);
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[64];
  const std::size_t length = std::strftime(text, sizeof text, " %B %Y, %H:%M", &local);
  return std::to_string(local.tm_mday) + std::string(text, length);
}

// training.json without its curves, which are most of it; null when there is none.
nlohmann::json record_of(const fs::path& folder) {
  const auto without_curves = [](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    return !(depth == 1 && event == nlohmann::json::parse_event_t::key && value == "curves");
  };
  try {
    const std::string file = (folder / "training.json").string();
    const nlohmann::json json = parse_json(read_file(file, kMostJsonBytes), file, without_curves);
    return json.is_object() ? json : nlohmann::json();
  } catch (const Error&) {
    return nlohmann::json();
  }
}

std::optional<ListedModel> listed(const fs::path& folder, ListedModel::Kind kind) {
  ListedModel model{.kind = kind, .folder = folder.string(), .time = saved_at(folder)};
  try {
    const nlohmann::json record = record_of(folder);
    std::optional<DataOptions> data;
    const auto add_detail = [&model](const std::string& words) {
      model.details += (model.details.empty() ? "" : " · ") + words;
    };
    if (record.contains("data") && record["data"].is_object()) {
      const nlohmann::json& about = record["data"];
      if (about.contains("origin")) data = data_options_from_json(about["origin"]);
      if (about.contains("name") && about["name"].is_string()) add_detail(about["name"].get<std::string>());
    }
    const bool recurrent = holds_recurrent_model(folder.string());
    const Config config = recurrent ? Config() : read_config(folder.string());
    model.name = recurrent ? folder.filename().string() : title_of(config, data, folder.string()).name;
    if (recurrent) add_detail("recurrent");
    const std::string own = without_time(folder.filename().string());  // as the person named the run
    if (kind == ListedModel::Kind::run && !model.name.ends_with(own)) model.name = own;
    if (record.contains("step")) {
      // The weights that open are those that validated best.
      const std::optional<long> newest = as_whole<long>(record["step"]);
      const nlohmann::json::json_pointer kept("/kept/step");
      const std::optional<long> shown = record.contains(kept) ? as_whole<long>(record[kept]) : newest;
      if (newest && shown && *shown < *newest)
        add_detail("step " + format_count(*shown) + ", the best of " + format_count(*newest));
      else if (newest)
        add_detail("step " + format_count(*newest));
    }
    if (record.contains("kept") && record["kept"].is_object()) {
      const auto loss = record["kept"].find("validation_loss");
      if (loss != record["kept"].end() && loss->is_number())
        add_detail(std::string(loss_name(record.value("/data/validation_pairs"_json_pointer, 1.0) > 0)) +
                   " " + format_loss(loss->get<double>()));
    }
    if (model.details.empty()) add_detail(title_of(config, data, folder.string()).description);
  } catch (const std::exception&) {
    // Somebody else's files: listed by name if it can be opened at all.
    if (model.name.empty()) return std::nullopt;
  }
  if (kind != ListedModel::Kind::bundled) model.date = date_of(model.time);
  return model;
}

std::vector<fs::path> folders_in(const fs::path& above) {
  std::vector<fs::path> folders;
  std::error_code failed;
  for (fs::directory_iterator entry(above, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code ignored;
    if (fs::exists(entry->path() / "config.json", ignored)) folders.push_back(entry->path());
  }
  std::ranges::sort(folders);
  return folders;
}

}  // namespace

std::vector<ListedModel> list_models(const fs::path& runs, const std::vector<std::string>& recent) {
  std::vector<ListedModel> models;
  const auto same = [](const fs::path& a, const fs::path& b) {
    std::error_code failed;
    return a == b || fs::equivalent(a, b, failed);
  };
  const auto add = [&](const fs::path& folder, ListedModel::Kind kind) {
    const bool known =
        std::ranges::any_of(models, [&](const ListedModel& m) { return same(m.folder, folder); });
    if (known) return;
    if (auto model = listed(folder, kind)) models.push_back(std::move(*model));
  };

  std::vector<std::pair<fs::file_time_type, fs::path>> made;
  for (const fs::path& folder : folders_in(runs)) made.emplace_back(saved_at(folder), folder);
  std::ranges::sort(made, std::greater{});
  if (made.size() > kMostRuns) made.resize(kMostRuns);
  for (const auto& [time, folder] : made) add(folder, ListedModel::Kind::run);

  std::vector<fs::path> bundled;
  try {
    bundled = folders_in(program_file(kBundledModels));
  } catch (const Error&) {
    // An incomplete copy of the program.
  }
  for (const std::string& folder : recent) {
    const bool comes_along = std::ranges::any_of(bundled, [&](const fs::path& b) { return same(b, folder); });
    if (!comes_along) add(folder, ListedModel::Kind::recent);
  }
  for (const fs::path& folder : bundled) add(folder, ListedModel::Kind::bundled);
  return models;
}

}  // namespace glassformer
