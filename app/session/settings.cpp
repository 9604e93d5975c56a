#include "app/session/settings.h"

#include <algorithm>
#include <concepts>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/session/pace.h"
#include "app/session/settings_writer.h"
#include "engine/files/atomic_file.h"
#include "engine/files/disk.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

// Takes the value when it is there and has the right type.
template <class Value>
void take(const nlohmann::json& json, const char* key, Value& value) {
  if (!json.contains(key)) return;
  try {
    if constexpr (std::integral<Value> && !std::same_as<Value, bool>) {
      value = as_whole<Value>(json.at(key)).value_or(value);
    } else {
      value = json.at(key).get<Value>();
    }
  } catch (const nlohmann::json::exception&) {
    // A foreign entry keeps the default.
  }
}

nlohmann::json read_object(const std::filesystem::path& file) {
  try {
    nlohmann::json json = read_json(file.string());
    return json.is_object() ? json : nlohmann::json::object();
  } catch (const Error&) {
    return nlohmann::json::object();  // missing or broken
  }
}

constexpr std::size_t kMostAnswers = 32, kLongestAnswer = 600;

nlohmann::json to_json(const std::vector<LessonAnswer>& answers) {
  nlohmann::json all = nlohmann::json::array();
  for (const LessonAnswer& each : answers)
    all.push_back({{"page", each.page},
                   {"tries", each.tries},
                   {"right", each.right},
                   {"shown", each.shown},
                   {"given", each.given},
                   {"tried", each.tried},
                   {"words", each.words},
                   {"engine", each.engine},
                   {"sentence", each.sentence},
                   {"question", each.question}});
  return all;
}

std::vector<LessonAnswer> lesson_answers(const nlohmann::json& json) {
  std::vector<LessonAnswer> answers;
  const auto list = json.find("answers");
  if (list == json.end() || !list->is_array()) return answers;
  for (const nlohmann::json& each : *list) {
    LessonAnswer answer;
    if (!each.is_object() || answers.size() == kMostAnswers) continue;
    take(each, "page", answer.page);
    take(each, "tries", answer.tries);
    take(each, "right", answer.right);
    take(each, "shown", answer.shown);
    bool short_enough = true;
    for (const auto& [key, text] : {std::pair{"given", &answer.given},
                                    {"tried", &answer.tried},
                                    {"words", &answer.words},
                                    {"engine", &answer.engine},
                                    {"sentence", &answer.sentence},
                                    {"question", &answer.question}}) {
      take(each, key, *text);
      short_enough = short_enough && text->size() <= kLongestAnswer;
    }
    if (short_enough) answers.push_back(std::move(answer));
  }
  return answers;
}

nlohmann::json to_json(const std::vector<LessonMark>& marks) {
  nlohmann::json all = nlohmann::json::array();
  for (const LessonMark& mark : marks)
    all.push_back({{"file", mark.file},
                   {"right", mark.right},
                   {"asked", mark.asked},
                   {"page", mark.page},
                   {"pages", mark.pages},
                   {"done", mark.done},
                   {"hash", mark.hash},
                   {"student", mark.student},
                   {"language", mark.language},
                   {"answers", to_json(mark.answers)}});
  return all;
}

std::vector<LessonMark> lesson_marks(const nlohmann::json& json) {
  std::vector<LessonMark> marks;
  const auto list = json.find("lessons");
  if (list == json.end() || !list->is_array()) return marks;
  for (const nlohmann::json& each : *list) {
    LessonMark mark;
    if (!each.is_object() || marks.size() == kMostLessonMarks) continue;
    take(each, "file", mark.file);
    take(each, "right", mark.right);
    take(each, "asked", mark.asked);
    take(each, "page", mark.page);
    take(each, "pages", mark.pages);
    take(each, "done", mark.done);
    take(each, "hash", mark.hash);
    take(each, "student", mark.student);
    take(each, "language", mark.language);
    mark.answers = lesson_answers(each);
    if (!mark.file.empty()) marks.push_back(std::move(mark));
  }
  return marks;
}

nlohmann::json to_json(const Settings& settings) {
  return {{"start", settings.quiet ? "quiet" : "whole"},
          {"open", settings.open},
          {"dark", settings.dark},
          {"scale", settings.scale},
          {"reduced_motion", settings.reduced_motion},
          {"history_mb", settings.history_mb},
          {"window_width", settings.window_width},
          {"window_height", settings.window_height},
          {"maximized", settings.maximized},
          {"last_model", settings.last_model},
          {"sentences", settings.sentences},
          {"last_folder", settings.last_folder},
          {"recent_models", settings.recent_models},
          {"recent_corpora", settings.recent_corpora},
          {"recent_sessions", settings.recent_sessions},
          {"runs_elsewhere", settings.runs_elsewhere},
          {"unfinished_run", settings.unfinished_run},
          {"unfinished_variants", settings.unfinished_variants},
          {"unfinished_recurrent", settings.unfinished_recurrent},
          {"student", settings.student},
          {"lessons", to_json(settings.lessons)}};
}

}  // namespace

Settings read_settings(const std::filesystem::path& file) {
  Settings settings;
  const nlohmann::json json = read_object(file);

  std::error_code ignored;
  std::string start = std::filesystem::exists(file, ignored) ? "whole" : "quiet";
  take(json, "start", start);
  settings.quiet = start == "quiet";
  if (settings.quiet) settings.open.clear();
  take(json, "open", settings.open);
  take(json, "dark", settings.dark);
  take(json, "scale", settings.scale);
  take(json, "reduced_motion", settings.reduced_motion);
  take(json, "history_mb", settings.history_mb);
  take(json, "window_width", settings.window_width);
  take(json, "window_height", settings.window_height);
  take(json, "maximized", settings.maximized);
  take(json, "last_model", settings.last_model);
  take(json, "sentences", settings.sentences);
  take(json, "last_folder", settings.last_folder);
  take(json, "recent_models", settings.recent_models);
  take(json, "recent_corpora", settings.recent_corpora);
  take(json, "recent_sessions", settings.recent_sessions);
  take(json, "runs_elsewhere", settings.runs_elsewhere);
  take(json, "unfinished_run", settings.unfinished_run);
  take(json, "unfinished_variants", settings.unfinished_variants);
  take(json, "unfinished_recurrent", settings.unfinished_recurrent);
  take(json, "student", settings.student);
  settings.lessons = lesson_marks(json);

  if (!(settings.scale == 0 || (settings.scale >= 1 && settings.scale <= 2.5))) settings.scale = 0;
  settings.history_mb = std::clamp(settings.history_mb, 0, kMostHistory);
  settings.window_width = std::clamp(settings.window_width, 640, 16384);
  settings.window_height = std::clamp(settings.window_height, 480, 16384);
  for (auto* recent : {&settings.recent_models, &settings.recent_corpora, &settings.recent_sessions,
                       &settings.runs_elsewhere}) {
    if (recent->size() > kRecentFiles) recent->resize(kRecentFiles);
  }
  return settings;
}

std::string set_broken_aside(const std::filesystem::path& file) {
  std::error_code failed;
  const std::filesystem::file_status there = std::filesystem::symlink_status(file, failed);
  if (!std::filesystem::exists(there)) return {};
  std::string reason;
  try {
    if (read_json(file.string()).is_object()) return {};
    reason = file.string() + ": expected a JSON object of settings, found another value";
  } catch (const Error& error) {
    reason = error.what();
  }
  if (!std::filesystem::is_regular_file(there)) throw Error("settings", reason);
  std::filesystem::path aside = file;
  aside.replace_extension(".broken.json");
  for (int number = 2; std::filesystem::exists(std::filesystem::symlink_status(aside, failed)); ++number)
    aside = file.parent_path() / (file.stem().string() + ".broken-" + std::to_string(number) + ".json");
  if (disk::rename(file.string(), aside.string()) != 0)
    throw Error("settings", reason + "; and it cannot be set aside");
  return "The settings cannot be read, so they begin anew; the old ones are kept in " + aside.string() +
         " (" + reason + ").";
}

std::string write_settings(const std::filesystem::path& file, const Settings& settings,
                           const std::optional<Settings>& before) {
  nlohmann::json json = to_json(settings);
  std::string aside;
  try {
    aside = set_broken_aside(file);
  } catch (const Error& error) {
    return std::string("The settings could not be written: ") + error.what() + ".";
  }
  if (before) {
    const nlohmann::json old = to_json(*before), there = read_object(file);
    for (auto& [key, value] : json.items()) {
      if (value == old.at(key) && there.contains(key)) value = there.at(key);
    }
  }
  try {
    create_folder(file.parent_path().string());
    write_atomically(file.string(),
                     json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } catch (const Error& error) {
    return std::string("The settings could not be written: ") + error.what() + ".";
  }
  return aside;
}

void remember_lesson(Settings& settings, LessonMark mark) {
  auto& known = settings.lessons;
  const auto before = std::ranges::find(known, mark.file, &LessonMark::file);
  if (before != known.end()) {
    mark.done = mark.done || before->done;
    mark.right = std::max(mark.right, std::min(before->right, mark.asked));
    *before = std::move(mark);
  } else if (known.size() < kMostLessonMarks) {
    known.push_back(std::move(mark));
  }
}

void remember_sentence(Settings& settings, const std::string& folder, const std::string& sentence) {
  constexpr std::size_t kMost = 40;
  auto& kept = settings.sentences;
  const std::pair entry{folder, sentence};
  if (std::ranges::find(kept, entry) != kept.end()) return;
  std::erase_if(kept, [&](const auto& other) { return other.first == folder; });
  kept.insert(kept.begin(), entry);
  if (kept.size() > kMost) kept.resize(kMost);
}

void follow_folder(Settings& settings, const std::string& from, const std::string& to) {
  if (from.empty() || from == to) return;
  const auto follow = [&](std::string& path) {
    if (path == from) path = to;
  };
  follow(settings.last_model);
  if (to.empty() && settings.unfinished_run == from) settings.unfinished_variants.clear();
  follow(settings.unfinished_run);
  follow(settings.unfinished_recurrent);
  std::ranges::for_each(settings.unfinished_variants, follow);
  std::erase(settings.unfinished_variants, "");

  // What is known of a folder that had the new name before is known of another.
  auto& recent = settings.recent_models;
  auto& sentences = settings.sentences;
  const std::string gone = to.empty() ? from : to;
  if (std::ranges::find(recent, from) != recent.end()) std::erase(recent, gone);
  for (std::string& path : recent) follow(path);
  if (!kept_sentence(settings, from).empty())
    std::erase_if(sentences, [&](const auto& kept) { return kept.first == gone; });
  for (auto& [folder, sentence] : sentences) follow(folder);

  // The file browser may have been in it.
  std::string& last = settings.last_folder;
  if (last != from && !last.starts_with(from + "/")) return;
  last = to.empty() ? std::filesystem::path(from).parent_path().string() : to + last.substr(from.size());
}

std::string kept_sentence(const Settings& settings, const std::string& folder) {
  const auto found =
      std::ranges::find(settings.sentences, folder, &std::pair<std::string, std::string>::first);
  return found == settings.sentences.end() ? std::string() : found->second;
}

void remember(std::vector<std::string>& recent, const std::string& path) {
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  if (recent.size() > kRecentFiles) recent.resize(kRecentFiles);
}

SettingsWriter::SettingsWriter(std::filesystem::path file, Settings as_read, std::function<void()> wake)
    : file_(std::move(file)),
      wake_(std::move(wake)),
      asked_(as_read),
      tried_(as_read),
      written_(std::move(as_read)),
      thread_([this] { run(); }) {}

SettingsWriter::~SettingsWriter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SettingsWriter::keep(const Settings& settings) {
  {
    const std::lock_guard lock(mutex_);
    asked_ = settings;
  }
  changed_.notify_all();
}

void SettingsWriter::finish() {
  std::unique_lock lock(mutex_);
  at_once_ = true;
  changed_.notify_all();
  done_.wait(lock, [this] { return !at_once_; });
}

std::string SettingsWriter::take_problem() {
  const std::lock_guard lock(mutex_);
  return std::exchange(problem_, {});
}

void SettingsWriter::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || at_once_ || asked_ != tried_; });
    changed_.wait_for(lock, settings_saved_after(), [this] { return ending_ || at_once_; });
    while (asked_ != tried_) write(lock);
    at_once_ = false;
    done_.notify_all();
    if (ending_) return;
  }
}

void SettingsWriter::write(std::unique_lock<std::mutex>& lock) {
  const Settings settings = asked_, before = written_;
  lock.unlock();
  std::string problem = write_settings(file_, settings, before);
  lock.lock();
  tried_ = settings;  // what could not be written is not tried again until something changes
  if (problem.empty()) {
    written_ = settings;
    return;
  }
  problem_ = std::move(problem);
  if (wake_) wake_();
}

}  // namespace glassformer
