#include "app/commands/what_if_option.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "app/commands/lines.h"
#include "app/lessons/hand_in.h"
#include "app/session/change_words.h"
#include "app/session/data_consent.h"
#include "app/session/measuring.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "app/session/run_scene.h"
#include "app/session/unfamiliar_words.h"
#include "engine/files/atomic_file.h"
#include "engine/files/disk.h"
#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"
#include "engine/model/what_if/change_text.h"
#include "engine/text/reading.h"
#include "engine/text/ready_data.h"

namespace glassformer {

void add_what_if_option(CLI::App& command, std::string& text) {
  command.add_option(
      "--what-if", text,
      "Changes in force, between commas: \"mute head cross 2.1, causal mask off\" (app/commands/README.md)");
}

WhatIf fitting_what_if(const std::string& text, const ChangeWords& words, const ChangeFit& fit) {
  WhatIf what_if = read_what_if(text, words);
  for (const Change& change : what_if.changes) {
    const std::string wrong = misfit(change, fit);
    if (!wrong.empty()) throw Error("what-if", "“" + text_of(change, words) + "”: " + wrong);
  }
  return what_if;
}

void tell_unknown_words(const std::string& text, const ChangeWords& words, const Tokenizers& tokenizers,
                        const Config& config) {
  const UnknownWords unknown = unknown_words(text, words, tokenizers);
  for (const auto& [found, known] :
       {std::pair{unknown.source, config.source_vocab}, {unknown.target, config.target_vocab}})
    if (!found.empty()) tell_notes({unknown_words_sentence(found, std::to_string(known))}, "what-if");
}

namespace {

ChangeWords words_of_line(const Translation& line, const Config& config, const Tokenizers& tokenizers) {
  std::vector<int> source, target = {config.first_id()};
  for (const Piece& piece : line.pieces) source.push_back(piece.id);
  if (config.source_eos) source.push_back(config.eos_id);
  target.insert(target.end(), line.result.ids.begin(), line.result.ids.end());
  if (target.size() > 1 && target.back() == config.eos_id) target.pop_back();
  return change_words(tokenizers, config, words_of(tokenizers.source.get(), config, source),
                      words_of(tokenizers.target.get(), config, target));
}

}  // namespace

LineChanges line_changes(const std::string& text, const std::string& folder, const Snapshot& model,
                         const Tokenizers& tokenizers) {
  if (text.empty()) return nullptr;
  // The means are the same for all lines, and so is what is to be said once.
  const auto kept = std::make_shared<Substitutes>();
  const auto told = std::make_shared<bool>(false);
  return [text, folder, &model, &tokenizers, kept, told](const Translation& line) {
    const ChangeWords words = words_of_line(line, model.config, tokenizers);
    const ChangeFit fit{*model.weights, static_cast<int>(words.source.size()),
                        static_cast<int>(words.target_in.size())};
    ChangesInForce changes{fitting_what_if(text, words, fit), {}};
    if (!std::exchange(*told, true)) tell_unknown_words(text, words, tokenizers, model.config);
    if (wants(changes.what_if, Replacement::mean) || wants(changes.what_if, Replacement::other)) {
      if (!kept->means) *kept = substitutes_of(changes.what_if, folder, model);
      changes.substitutes = *kept;
    }
    return changes;
  };
}

Substitutes substitutes_of(const WhatIf& what_if, const std::string& folder, const Snapshot& model) {
  if (wants(what_if, Replacement::other))
    throw Error(
        "what-if",
        "“from other” takes values of a second Scene, and this command runs one alone; the window and "
        "“glassformer render” compare two");
  if (!wants(what_if, Replacement::mean)) return {};
  return {.means = means_of(folder, model)};
}

std::shared_ptr<const ValueMeans> means_of(const std::string& folder, const Snapshot& model) {
  const OpenedModel opened = open_model(folder);
  if (!opened.data)
    throw Error("what-if", "“by mean” is the mean over held-out pairs, and " + folder + " records no data");
  if (!read_unasked(*opened.data, folder))
    throw Error("what-if",
                "“by mean” is the mean over held-out pairs; those of " + folder +
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
