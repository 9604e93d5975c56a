#include "app/session/session.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <utility>

#include "app/scene/sentences.h"
#include "app/session/paths.h"
#include "app/session/session_state.h"
#include "engine/files/folder_lock.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/recurrent/recurrent_checkpoint.h"

namespace glassformer {

namespace {

// What a program that was killed before its first save left among the runs, where nothing is listed of it:
// folders with this program's list and nothing else, that nobody writes in, and that are a minute old.
void remove_never_saved(const std::filesystem::path& runs) try {
  namespace fs = std::filesystem;
  for (const auto& entry : fs::directory_iterator(runs)) {
    const std::string folder = entry.path().string();
    if (entry.is_symlink() || !entry.is_directory() || !has_list(folder) || FolderLock::taken(folder))
      continue;
    const auto files = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    const auto age = fs::file_time_type::clock::now() - entry.last_write_time();
    if (files == 1 && age > std::chrono::minutes(1)) delete_own(folder);
  }
} catch (const std::exception&) {
  // What cannot be read or deleted stays.
}

}  // namespace

Session::Session(SessionOptions options) : state_(std::make_unique<State>(std::move(options))) {
  State& state = *state_;
  if (state.options.keep_settings) {
    bool broken = true;
    try {
      const std::string aside = set_broken_aside(settings_file());
      broken = !aside.empty();
      if (broken) state.notices.complain(Place::model, aside);
    } catch (const Error& error) {
      state.notices.complain(Place::model, error.what());
    }
    state.settings = read_settings(settings_file());
    // What is to be said of them belongs to the whole window.
    if (broken) state.settings.quiet = false, state.settings.open = Settings().open;
    std::erase_if(state.settings.recent_models, is_default_model);
    // A run that another window is training is that one's to go on with.
    if (FolderLock::taken(state.settings.unfinished_run)) state.settings.unfinished_run.clear();
    std::erase_if(state.settings.unfinished_variants, FolderLock::taken);
    if (FolderLock::taken(state.settings.unfinished_recurrent)) state.settings.unfinished_recurrent.clear();
    state.writer = std::make_unique<SettingsWriter>(settings_file(), state.settings, state.options.wake);
  }
  if (state.options.keep_runs) remove_never_saved(runs_folder());
  state.runs.keep_history(state.history_bytes());
  std::string folder = state.options.model.empty() ? state.settings.last_model : state.options.model;
  const bool recurrent = !folder.empty() && holds_recurrent_model(folder);
  state.open(recurrent ? std::string() : folder);
  if (recurrent) state.open_recurrent(folder);
  if (!state.options.corpus.empty()) {
    DataOptions data;
    data.training.corpus = state.options.corpus;
    apply({ReadData{data}});
  }
  state.offer_unfinished_run();
  state.offer_unfinished_recurrent();
}

Session::~Session() {
  close();
}

std::string Session::close() {
  State& state = *state_;
  if (std::exchange(state.closed, true)) return {};
  state.take_recurrent_end();
  state.recurrent_desk.stop();  // it saves while the others do
  state.runs.take_back();
  state.remember_unfinished_run();
  state.keep_settings();
  std::vector<std::string> problems;
  state.finish_copies(problems);  // some of it by the run
  state.take_run_folder_change(true);
  const Run& open = state.runs.open();
  const std::filesystem::path run = open.thread ? open.folder : std::string();
  if (state.compares_runs()) state.stop_comparing();
  const std::vector<std::string> unsaved = state.runs.close();
  problems.insert(problems.end(), unsaved.begin(), unsaved.end());
  problems.push_back(state.recurrent_desk.finish());
  const auto recurrent = state.recurrent_desk.take_ended();
  if (recurrent && !recurrent->ended.empty()) state.settings.unfinished_recurrent.clear();
  // What was open is what opens next, unless nothing of it was worth saving.
  std::error_code absent;
  if (!run.empty() && !open.begins_again() && std::filesystem::exists(run / "config.json", absent))
    state.settings.last_model = run.string();
  if (state.writer) {
    state.keep_settings();
    state.writer->finish();
    problems.push_back(state.writer->take_problem());
  }
  return joined(problems);
}

bool Session::finish_saving() {
  const int lost_before = state_->lost;
  const bool written = state_->finish_saving();
  begin_frame();
  return written && unsaved().empty() && state_->lost == lost_before;
}

bool Session::begin_frame() {
  State& state = *state_;
  bool changed = state.take_opened_model();
  changed |= state.take_open_run();
  for (Run* const each : state.runs.all_beside()) changed |= state.take_variant(*each);
  changed |= state.take_trials();
  changed |= state.watching.take();
  changed |= state.take_scene();
  changed |= state.take_second();
  if (state.words.take()) {
    state.report_reading();
    state.look_for_held_out();
    changed = true;
  }
  changed |= state.take_reading();
  changed |= state.take_ended();
  changed |= state.aside.take();
  changed |= state.take_unsaved();
  changed |= state.take_saved_models();
  changed |= state.take_run_folder_change(false);
  changed |= state.take_recurrent();
  if (!training()) state.pausing = false;
  state.keep_settings();
  return changed;
}

void Session::apply(const Commands& commands) {
  state_->scenes.hover(std::nullopt);
  const Selection before = state_->scenes.pinned();
  for (const Command& command : commands) {
    command.visit([this](const auto& what) { state_->carry_out(what); });
  }
  // A key opened another head while the mouse rested on a cell of the one before.
  const Selection& now = state_->scenes.pinned();
  if (now.kind != before.kind || now.layer != before.layer || now.head != before.head)
    state_->scenes.hover(std::nullopt);
  state_->keep_settings();
}

std::shared_ptr<const SceneResult> Session::result() const {
  return state_->scenes.result();
}
std::vector<SceneSentence> Session::own_batch() const {
  const std::vector<SceneSentence>& all = scene().sentences;
  if (all.empty() || (run().phase == RunPhase::none && state_->scenes.has_first_batch())) return {};
  return {all.begin() + 1, all.end()};
}

const Scene& Session::scene() const {
  return state_->scenes.scene();
}
bool Session::working() const {
  return state_->scenes.working() || state_->opening.valid() ||
         (state_->comparison && state_->comparison->working());
}
bool Session::will_tell() const {
  const bool variant_prepares = std::ranges::any_of(
      state_->runs.all_beside(), [](const Run* run) { return run->state().phase == RunPhase::preparing; });
  return variant_prepares || state_->folders.saving() || state_->folders.changing() ||
         state_->runs.ending() || !state_->aside.empty() || state_->words.reading();
}
std::optional<double> Session::opening() const {
  constexpr std::chrono::milliseconds kMoment{300};
  if (!state_->opening.valid() || !state_->opening_progress) return std::nullopt;
  const State::Opening& progress = *state_->opening_progress;
  return std::chrono::steady_clock::now() - progress.begun > kMoment ? std::optional(progress.share.load())
                                                                     : std::nullopt;
}
double Session::working_seconds() const {
  return state_->scenes.working_seconds();
}
const Snapshot* Session::snapshot() const {
  return state_->snapshot.get();
}
std::optional<long> Session::looked_back() const {
  const auto& looked_at = state_->runs.open().looked_at;
  return looked_at ? std::optional(looked_at->step()) : std::nullopt;
}
const Tokenizers& Session::tokenizers() const {
  return state_->tokenizers;
}
const RunState& Session::run() const {
  return state_->runs.open().state();
}
const ModelTitle& Session::title() const {
  return state_->title;
}
std::string Session::open_folder() const {
  return state_->open_folder();
}
const OpenedModel* Session::model() const {
  return state_->model ? &*state_->model : nullptr;
}

const Compared* Session::compared() const {
  return state_->comparison ? &state_->comparison->shown() : nullptr;
}
std::optional<Other> Session::compared_with() const {
  return state_->comparison ? std::optional(state_->comparison->other()) : std::nullopt;
}
std::shared_ptr<const TrainingText> Session::training_text() const {
  if (!state_->wants_training_text) return nullptr;
  const auto source = state_->training_source();
  const auto text = source ? state_->words.text(*source) : nullptr;
  return text && !text->empty() ? text : nullptr;
}
const RecurrentLook& Session::recurrent() const {
  return state_->recurrent;
}

std::shared_ptr<const RecurrentRunState> Session::recurrent_run() const {
  return state_->recurrent_desk.shown();
}

std::shared_ptr<const RecurrentReading> Session::recurrent_reading() const {
  return state_->recurrent_reader.shown();
}

TextState Session::training_text_state() const {
  if (training_text()) return TextState::there;
  return state_->words.reading() ? TextState::reading : TextState::unknown;
}
RunsBeside Session::beside() const {
  RunsBeside all;
  for (const Run* const each : state_->runs.all_beside()) all.push_back(&each->shown);
  return all;
}
const WatchState* Session::watched() const {
  return state_->watching.state();
}

std::string Session::why_no_watching() const {
  return state_->why_no_watching();
}

const TrialsState& Session::trials() const {
  return state_->trials.state();
}
std::string Session::why_no_variant() const {
  return state_->why_no_variant();
}
std::optional<NewRun> Session::recipe() const {
  return state_->known_recipe();
}

const Selection& Session::pinned() const {
  return state_->scenes.pinned();
}
const Selection& Session::shown() const {
  return state_->scenes.shown();
}
bool Session::hovering() const {
  return state_->scenes.hovering();
}
int Session::shown_steps() const {
  return state_->scenes.shown_steps();
}
bool Session::can_undo() const {
  return state_->scenes.can_undo();
}
bool Session::can_redo() const {
  return state_->scenes.can_redo();
}

const std::vector<Notice>& Session::notices() const {
  return state_->notices.all();
}
void Session::keep_sentences(bool on) {
  state_->sentences_are_own = on;
}

void Session::dismiss(Place place) {
  std::string& recurrent = state_->settings.unfinished_recurrent;
  if (place == Place::model && state_->notices.offers(place, recurrent)) recurrent.clear();
  state_->notices.clear(place);
  if (place == Place::training && !state_->runs.open().thread) state_->forget_unfinished_run();
}
void Session::notify(Notice notice) {
  state_->notices.notify(std::move(notice));
}

const DataPreview* Session::preview() const {
  return state_->preview ? &*state_->preview : nullptr;
}

std::vector<UnsavedRun> Session::unsaved() const {
  std::vector<UnsavedRun> all;
  for (const Run* const each : state_->runs.unsaved()) all.push_back(each->as_unsaved());
  return all;
}
const RunFolderChange* Session::run_folder_change() const {
  return state_->folders.change();
}

Settings& Session::settings() {
  return state_->settings;
}
bool Session::training() const {
  if (run().phase == RunPhase::training) return true;
  return std::ranges::any_of(state_->runs.all_beside(), [](const Run* each) { return each->learns(); });
}
bool Session::pausing() const {
  return state_->pausing && training();
}
TrainWould Session::train_would() const {
  return training() ? TrainWould::pause : state_->train_would();
}
bool Session::learns_on() const {
  return state_->learns_on();
}
bool Session::keeps_run() const {
  return state_->runs.open().under_way() && !state_->runs.open().folder.empty();
}

}  // namespace glassformer
