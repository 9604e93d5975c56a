#include "app/panels/session_desk.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "app/format/number_format.h"
#include "app/lessons/hand_in.h"
#include "app/lessons/lesson_lines.h"
#include "app/panels/shown_state.h"
#include "app/session/model_folder.h"
#include "app/session/paths.h"
#include "engine/files/atomic_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

constexpr int kStillFrames = 20;
constexpr const char* kBundled = "english-french";

std::string stem_of(const std::string& file) {
  return fs::path(file).stem().string();
}

// While it learns, the last step taken is what is shown.
bool shows_what_is_wanted(const Session& session) {
  const auto result = session.result();
  const Scene& scene = session.scene();
  return result && result->scene.sentences == scene.sentences && result->scene.what_if == scene.what_if &&
         result->scene.decode == scene.decode;
}

std::string folder_value(const ShownModel& model, const std::string&) {
  // A recurrent model stays beside whatever is opened.
  return model.folder.empty() || model.recurrent ? "" : model_line(model.folder);
}

// "tired-girl-step-120", beside tired-girl.glassformer.
std::string copy_name(const std::string& stem, const ShownModel& model, const std::string& role) {
  return stem + (role == "model" ? "" : "-" + role) + "-step-" + std::to_string(model.step());
}

// A free name beside the session's file, or one that has just this already: nothing is written over.
std::string copy_name_in(const std::string& beside, const std::string& stem, const ShownModel& model,
                         const std::string& role) {
  const std::string wanted = copy_name(stem, model, role);
  std::string name = wanted;
  std::error_code ignored;
  for (int number = 2; fs::exists(fs::symlink_status(beside + name, ignored)); ++number) {
    if (holds(beside + name, model)) break;
    name = wanted + "-" + std::to_string(number);
  }
  return name;
}

std::string folder_with(const std::string& file) {
  return fs::absolute(file).parent_path().string() + "/";
}

}  // namespace

SessionDesk::~SessionDesk() {
  if (stage_) stage_->stop();
}

std::vector<SceneLine> SessionDesk::lines(const Session& session, const std::string& view,
                                          const Keep& keep) const {
  if (session.working() && !(session.run().phase == RunPhase::training && shows_what_is_wanted(session)))
    throw Error("session", "the sentence is still being computed: try again in a moment");
  SessionState state =
      shown_state(session, view, controls_, [&](const ShownModel& model, const std::string& role) {
        return stays_kept(model) ? model_line(model.folder) : keep(model, role);
      });
  state.fingerprint = weights_fingerprint(*session.result()->untouched_snapshot);
  state.window = window_;
  return session_lines(state);
}

std::vector<SceneLine> SessionDesk::lines_to_return(const Session& session, const std::string& view) const {
  SessionState state = shown_state(session, view, controls_, folder_value);
  state.window = window_;
  if (state.model.empty()) throw Error("session", "this run is kept nowhere");
  return session_lines(state);
}

std::string SessionDesk::link(const Session& session, const std::string& view) const {
  return session_link(lines(session, view, [](const ShownModel& model, const std::string&) -> std::string {
    if (is_kept(model)) return model_line(model.folder);
    if (model.recurrent)
      throw Error("session",
                  "the recurrent model is in no folder as it is now, and a text carries no weights: save the "
                  "session, which keeps them");
    const std::optional<long> before = kept_before(model);
    throw Error(
        "session",
        "the weights of step " + format_count(model.weights->step) +
            " are in no folder, and a text carries none: save the session, which keeps them" +
            (before ? ", or go back to step " + format_count(*before) + ", which the run keeps" : ""));
  }));
}

// What the picture depends on, to notice a change.
std::string SessionDesk::state(const Session& session, const std::string& view) const {
  return window_ + session_file(session_lines(shown_state(session, view, controls_, folder_value))) +
         std::to_string(session.result()->untouched_snapshot->step);
}

void SessionDesk::frame(ui::Ui& ui, Session& session, const std::string& view) {
  controls_.frame(ui, view);
  if (work_.valid()) {
    ui.ask_frame(0.05);
    if (is_ready(work_)) {
      SessionSetUp done = work_.get();
      problem_ = std::move(done.problem);
      if (done.page) {
        name_ = coming_name_, file_ = coming_file_, written_ = coming_text_, before_ = coming_before_;
        as_saved_.clear();
        changed_ = false;
        said_ = name_.empty() ? "Back to what was" : "Opened " + name_;
        bring(std::move(done.page), coming_window_);
      }
    }
  }
  bringer_.frame(ui, session);
  look_for_changes(ui, session, view);
}

void SessionDesk::bring(std::shared_ptr<const StagedPage> page, const std::string& window) {
  controls_.hand_over(page->later);
  brought_window_ = window;
  bringer_.start(std::move(page));
}

// A few times a second; a session that was just brought up is what it is once nothing changes any more.
void SessionDesk::look_for_changes(ui::Ui& ui, const Session& session, const std::string& view) {
  if (name_.empty()) return;
  if (opening() || session.working()) {
    still_ = 0;
    return;
  }
  if (++still_ < kStillFrames) return ui.ask_frame(0.02);
  const double now =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (now - looked_at_ < 0.2 && !as_saved_.empty()) return ui.ask_frame(0.2);
  looked_at_ = now;
  try {
    const std::string is = state(session, view);
    if (as_saved_.empty()) as_saved_ = is;
    if (std::exchange(changed_, is != as_saved_) != changed_) ui.ask_frame(0);
  } catch (const Error&) {
    changed_ = true;  // what is shown could not be saved
  }
}

// What no folder has goes beside the file first. Copies of earlier times stay.
void SessionDesk::write(Session& session, const std::string& view, const std::string& file) {
  const std::string stem = stem_of(file), beside = folder_with(file);
  std::vector<SceneLine> now = lines(session, view, [&](const ShownModel& model, const std::string& role) {
    const std::string name = copy_name_in(beside, stem, model, role);
    if (!fs::exists(beside + name))
      write_model_folder(beside + name, [&](const std::string& to) { write_shown_model(model, to); });
    return "./" + name;
  });
  name_model_beside(now, file);
  const std::string text = session_file(now);
  write_atomically(file, text);
  name_ = stem, file_ = file, written_ = text;
  as_saved_ = state(session, view);
  changed_ = false;
  remember(session.settings().recent_sessions, file);
  session.settings().last_folder = fs::path(file).parent_path().string();
}

bool SessionDesk::save(Session& session, const std::string& view, std::string& said) {
  if (file_.empty()) return false;
  try {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(file_, ignored)) && read_file(file_, kMostSessionBytes) != written_)
      return false;
    write(session, view, file_);
    said = "Saved " + name_;
  } catch (const std::exception&) {
    return false;  // the dialog, which tries it again, says why
  }
  return true;
}

bool SessionDesk::save_as(Session& session, const std::string& view, SessionForm& form) {
  form.error.clear();
  try {
    std::string file = expanded(form.file);
    if (!file.ends_with(kSessionEnding)) file += kSessionEnding;
    file = fs::absolute(file).lexically_normal().string();
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(file, ignored)) && form.replaces.empty()) {
      std::string there;
      if (fs::is_regular_file(file, ignored)) there = read_file(file, kMostSessionBytes).substr(0, 40);
      form.replaces = there.starts_with("glassformer session")
                          ? "A session of that name stands there."
                          : "A file of that name stands there that is no session.";
      return false;
    }
    if (!fs::is_directory(fs::path(file).parent_path(), ignored))
      create_folder(fs::path(file).parent_path().string());
    write(session, view, file);
    return true;
  } catch (const std::exception& error) {
    form.error = failure_words(error);
    form.replaces.clear();
    return false;
  }
}

void SessionDesk::fill(SessionForm& form, Session& session, const std::string& view) const {
  form.rows.clear(), form.lines.clear(), form.error.clear(), form.replaces.clear();
  form.focus = true;
  form.possible = form.copies = false;
  const std::string& last = session.settings().last_folder;
  const fs::path folder = last.empty() ? fs::path(expanded("~")) : fs::path(last);
  form.file = file_.empty() ? (folder / ("session" + std::string(kSessionEnding))).string() : file_;
  try {
    const std::string file = expanded(form.file);
    std::vector<SceneLine> all = lines(session, view, [&](const ShownModel& model, const std::string& role) {
      form.copies = true;
      return "./" + copy_name_in(folder_with(file), stem_of(file), model, role);
    });
    name_model_beside(all, file);
    const auto row = [&](const char* label, const char* keyword) {
      if (const SceneLine* line = find_line(all, keyword)) form.rows.emplace_back(label, line->value);
    };
    form.lines = between(session_file(all), '\n');
    std::erase(form.lines, "");
    const Snapshot& shown = *session.result()->untouched_snapshot;
    form.rows.emplace_back("Model", session.title().name + ", step " + format_count(shown.step));
    row("Sentence", "source");
    row("Target", "target");
    row("View", "view");
    row("Pinned", "pin");
    row("Changes", "what-if");
    row("Compared with", "compare");
    row("Recurrent model", "recurrent");
    row("Decoding", "decode");
    form.possible = true;
  } catch (const std::exception& error) {
    form.error = failure_words(error);
  }
}

void SessionDesk::open(Session& session, const std::string& view, const std::string& what) {
  if (opening()) return;
  const bool link = is_session_link(what);
  const std::string file = link ? "" : fs::absolute(expanded(what)).lexically_normal().string();
  coming_name_ = link ? "link text" : stem_of(file);
  coming_file_ = file;
  try {
    std::string text = link ? what : read_file(file, kMostSessionBytes);
    ReadSession read = read_session(text);
    if (!read.errors.empty()) {
      problem_ = SessionProblem{
          .name = coming_name_,
          .text = error_list(read.errors, link ? "link text" : fs::path(file).filename().string())};
      return;
    }
    if (!link) {
      coming_text_ = text;
      find_model_beside(read.lines, file);
      remember(session.settings().recent_sessions, file);
    }
    begin(session, view, std::move(read.lines), false);
  } catch (const std::exception& error) {
    problem_ = SessionProblem{.name = coming_name_, .text = failure_words(error)};
  }
}

void SessionDesk::begin(Session& session, const std::string& view, std::vector<SceneLine> lines,
                        bool any_weights) {
  problem_.reset();
  try {
    coming_before_ = lines_to_return(session, view);
  } catch (const Error&) {
    coming_before_.clear();  // nothing that one could go back to
  }
  const SceneLine* const window = find_line(lines, "window");
  coming_window_ = window ? window->value : std::string();
  stage_ = std::make_shared<LessonStage>();
  const std::string name = coming_name_, file = name.empty()           ? "what was shown before"
                                                : coming_file_.empty() ? "link text"
                                                                       : name + std::string(kSessionEnding);
  work_ = std::async(
      std::launch::async,
      [stage = stage_, lines = std::move(lines), any_weights, name, file, wake = wake_]() -> SessionSetUp {
        SessionSetUp done = set_up_session(*stage, lines, any_weights, name, file);
        if (wake) wake();
        return done;
      });
}

void SessionDesk::open_with(Session& session, const std::string& view, const SessionProblem& problem,
                            const std::string& folder) {
  std::vector<SceneLine> lines = problem.lines;
  std::erase_if(lines, [](const SceneLine& line) {
    return line.keyword == "model" || line.keyword == "fingerprint" || line.keyword == "step";
  });
  lines.push_back({.line = 1, .keyword = "model", .value = folder.empty() ? kBundled : folder});
  coming_file_.clear();  // it is another session than the file's
  begin(session, view, std::move(lines), true);
}

void SessionDesk::open_anyway(Session& session, const std::string& view, const SessionProblem& problem) {
  coming_file_.clear();
  begin(session, view, problem.lines, true);
}

void SessionDesk::go_back(Session& session, const std::string& view) {
  if (before_.empty() || opening()) return;
  coming_name_.clear(), coming_file_.clear();
  begin(session, view, before_, true);
  coming_before_.clear();
}

void SessionDesk::restore(Session& session, const std::string& view, const std::vector<SceneLine>& lines) {
  if (lines.empty() || opening()) return;
  coming_name_.clear(), coming_file_.clear();
  begin(session, view, lines, true);
  coming_before_.clear();
}

}  // namespace glassformer
