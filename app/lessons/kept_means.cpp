#include "app/lessons/kept_means.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "app/lessons/hand_in.h"
#include "app/session/data_consent.h"
#include "app/session/measuring.h"
#include "app/session/paths.h"
#include "app/session/unfamiliar_words.h"
#include "engine/files/atomic_file.h"
#include "engine/files/disk.h"
#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"
#include "engine/text/ready_data.h"

namespace glassformer {

std::shared_ptr<const ValueMeans> means_of(const OpenedModel& opened, const Snapshot& model) {
  if (!opened.data)
    throw Error("what-if",
                "“by mean” is the mean over held-out pairs, and " + opened.folder + " records no data");
  if (!read_unasked(*opened.data, opened.folder))
    throw Error("what-if",
                "“by mean” is the mean over held-out pairs; those of " + opened.folder +
                    " lie in files of yours, which are read once the folder was opened in the window");
  const auto measured = [&] {
    const auto batch = measuring_batch(training_text_of(*opened.data, opened.tokenizers).held_out,
                                       opened.tokenizers, model.config);
    if (!batch) throw Error("what-if", "“by mean” is the mean over held-out pairs, and this data has none");
    return mean_values(*model.weights, *batch);
  };
  const std::string key = std::string(GLASSFORMER_VERSION) + " " + weights_fingerprint(model) + " " +
                          to_json(model.config).dump() + " " + std::to_string(kMeasuringPairs) + " " +
                          ready_key(*opened.data, opened.tokenizers);
  return std::make_shared<const ValueMeans>(kept_means(cache_folder(), key, measured));
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".means";
constexpr std::size_t kNameDigits = 16;

// The hash of the rest, then the key and the means as JSON, whose numbers read back the same.
std::string file_of_means(const std::string& key, const ValueMeans& means) {
  const std::string text = nlohmann::json{{"key", key}, {"means", means}}.dump() + "\n";
  return hash_digits(text_hash(text)) + "\n" + text;
}

std::optional<ValueMeans> read_means(const fs::path& file, const std::string& key) {
  try {
    const std::string bytes = read_file(file.string(), static_cast<long>(kMostKeptMeans));
    const std::string text = bytes.substr(std::min(bytes.size(), kNameDigits + 1));
    if (hash_digits(text_hash(text)) + "\n" + text != bytes) return std::nullopt;
    const nlohmann::json kept = parse_json(text, file.string());
    if (kept.at("key") != key) return std::nullopt;
    return kept.at("means").get<ValueMeans>();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Files of this name alone, and no link.
bool holds_means(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string(), stem = entry.path().stem().string();
  std::error_code failed;
  return name.ends_with(kEnding) && stem.size() == kNameDigits &&
         stem.find_first_not_of("0123456789abcdef") == std::string::npos &&
         entry.symlink_status(failed).type() == fs::file_type::regular;
}

void make_room(const fs::path& folder, std::uintmax_t bytes, std::uintmax_t most_bytes) {
  std::vector<std::pair<fs::file_time_type, fs::directory_entry>> files;
  std::uintmax_t all = bytes;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!holds_means(entry)) continue;
    files.emplace_back(entry.last_write_time(), entry);
    all += entry.file_size();
  }
  std::ranges::sort(files, {}, [](const auto& each) { return each.first; });
  for (const auto& [time, entry] : files) {
    if (all <= most_bytes) return;
    all -= entry.file_size();
    disk::unlink(entry.path().string());
  }
}

}  // namespace

ValueMeans kept_means(const fs::path& folder, const std::string& key,
                      const std::function<ValueMeans()>& measured, std::uintmax_t most_bytes) {
  const fs::path file = folder / (hash_digits(text_hash(key)) + kEnding);
  if (auto known = read_means(file, key)) return std::move(*known);
  ValueMeans means = measured();
  try {
    const std::string bytes = file_of_means(key, means);
    if (bytes.size() > most_bytes) return means;
    create_folder(folder.string());
    std::error_code failed;
    if (fs::exists(fs::symlink_status(file, failed)) && !holds_means(fs::directory_entry(file))) return means;
    make_room(folder, bytes.size(), most_bytes);
    write_atomically(file.string(), bytes);
  } catch (const std::exception&) {
    // They are measured again the next time.
  }
  return means;
}

}  // namespace glassformer
