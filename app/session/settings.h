// What the program remembers from one start to the next, in one readable file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glassformer {

// What was answered on one page of a lesson (PageMark in app/lessons/taken_lesson.h).
struct LessonAnswer {
  int page = 0, tries = 0;
  bool right = false, shown = false;
  std::string given, tried, words, engine, sentence, question;
  bool operator==(const LessonAnswer&) const = default;
};

// How far somebody came in a lesson.
struct LessonMark {
  std::string file;                     // the lesson's, without its folder
  int right = 0, asked = 0;             // questions
  int page = 0, pages = 0;              // the open one, from 0
  bool done = false;                    // every page seen and every question answered
  std::string hash, student, language;  // of the lesson when taken, who took it, and in what language
  std::vector<LessonAnswer> answers;
  bool operator==(const LessonMark&) const = default;
};

struct Settings {
  bool quiet = false;  // "start": the first screen, or the whole window
  std::vector<std::string> open = {"map", "inspector", "training", "words"};  // panels that are not folded
  bool dark = false;
  double scale = 0;  // 0: from the monitor
  bool reduced_motion = false;
  int history_mb = 256;  // for the steps that a run can be looked back at; 0: no more are kept
  int window_width = 1600, window_height = 1000;
  bool maximized = false;
  std::string last_model;                                      // folder; empty: the bundled one
  std::vector<std::pair<std::string, std::string>> sentences;  // folder of a model, what it last translated
  std::string last_folder;                                     // where the file browser opens
  std::vector<std::string> recent_models;                      // newest first, at most kRecentFiles
  std::vector<std::string> recent_corpora;
  std::vector<std::string> recent_sessions;  // .glassformer files
  std::vector<std::string> runs_elsewhere;   // that the person had kept outside of the runs' folder
  std::string unfinished_run;  // folder of the run that closing interrupted; the next start offers to resume
  std::vector<std::string> unfinished_variants;  // of those that learned beside it
  std::string unfinished_recurrent;              // of the recurrent model that was still learning
  std::string student;                           // who takes lessons, as typed; empty: not said
  std::vector<LessonMark> lessons;               // at most kMostLessonMarks
  bool operator==(const Settings&) const = default;
};

inline constexpr std::size_t kRecentFiles = 8, kMostLessonMarks = 400;
inline constexpr int kMostHistory = 1 << 20;  // megabytes

// Missing, broken or foreign entries take their defaults: settings never keep the program from starting. Who
// has no settings yet begins with the quiet first screen.
Settings read_settings(const std::filesystem::path& file);
// A file that is there and holds no settings is set aside as settings.broken.json (or -2, -3 ...), and the
// sentence says so; empty: there is none, or it can be read. Throws Error where that cannot be done.
std::string set_broken_aside(const std::filesystem::path& file);
// Replaces the file at one stroke; one that cannot be read is set aside first, and what is no file is left.
// With `before`, only what differs from it is changed in the file: what another window wrote there meanwhile
// stays. Returns a sentence when it could not; empty when done.
std::string write_settings(const std::filesystem::path& file, const Settings& settings,
                           const std::optional<Settings>& before = {});

// Puts `path` first, drops its older mention and what is too old.
void remember(std::vector<std::string>& recent, const std::string& path);

// In place of what was known of this lesson. What was done stays done, and the most that was right counts.
void remember_lesson(Settings& settings, LessonMark mark);

// A folder has another name, or (empty) is gone: what names it follows, or is forgotten.
void follow_folder(Settings& settings, const std::string& from, const std::string& to);

// A sentence belongs to its model. The newest first; empty: none is kept.
void remember_sentence(Settings& settings, const std::string& folder, const std::string& sentence);
std::string kept_sentence(const Settings& settings, const std::string& folder);

}  // namespace glassformer
