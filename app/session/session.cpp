#include "app/session/session.h"

#include <filesystem>
#include <utility>

#include "app/scene/sentences.h"
#include "app/session/paths.h"
#include "app/session/session_state.h"
#include "engine/files/folder_lock.h"

namespace glassformer {

Session::Session(SessionOptions options) : state_(std::make_unique<State>(std::move(options))) {
  State& state = *state_;
  if (state.options.keep_settings) {
    state.settings = read_settings(settings_file());
    std::erase_if(state.settings.recent_models, is_default_model);
    // A run that another window is training is that one's to go on with.
    for (std::string* run : {&state.settings.unfinished_run, &state.settings.unfinished_variant})
      if (FolderLock::taken(*run)) run->clear();
    state.writer = std::make_unique<SettingsWriter>(settings_file(), state.settings, state.options.wake);
  }
  std::string folder = state.options.model.empty() ? state.settings.last_model : state.options.model;
  state.open(folder);
  if (!state.options.corpus.empty()) {
    DataOptions data;
    data.training.corpus = state.options.corpus;
    apply({ReadData{data}});
  }
  state.offer_unfinished_run();
}

Session::~Session() {
  close();
}

std::string Session::close() {
  State& state = *state_;
  if (std::exchange(state.closed, true)) return {};
  state.take_back_behind();
  state.remember_unfinished_run();
  state.keep_settings();
  std::vector<std::string> problems;
  state.finish_saving(problems);  // some of it by the run
  state.finish_run_folder_change();
  const std::filesystem::path run = state.thread ? state.run_folder : std::string();
  state.end_run();
  state.end_variant();
  for (const State::Ending& ending : state.endings) {
    if (ending.saves) problems.push_back(ending.ended.get());
  }
  for (const State::Waiting& each : state.waiting) problems.push_back(each.thread->end());
  // What was open is what opens next, unless nothing of it was worth saving.
  std::error_code absent;
  if (!run.empty() && !state.begins_model_again() && std::filesystem::exists(run / "config.json", absent))
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
  changed |= state.take_run_update();
  changed |= state.take_variant_update();
  changed |= state.take_scene_answer();
  changed |= state.take_other();
  changed |= state.take_training_words();
  if (state.reader) {
    state.preview = state.reader->preview();
    changed |= state.preview->reading;
    if (!state.preview->reading) {
      state.reader.reset();
      state.remember_corpora();
      changed = true;
    }
  }
  changed |= state.take_what_ended();
  changed |= state.take_waiting_updates();
  changed |= state.take_saved_models();
  changed |= state.take_run_folder_change();
  state.keep_settings();
  return changed;
}

void Session::apply(const Commands& commands) {
  state_->hover.reset();
  for (const Command& command : commands) {
    command.visit([this](const auto& what) { state_->carry_out(what); });
  }
  state_->keep_settings();
}

std::shared_ptr<const SceneResult> Session::result() const {
  return state_->result;
}
const Scene& Session::scene() const {
  return state_->scene;
}
bool Session::working() const {
  const auto& other = state_->comparison;
  return state_->worker.working() || state_->opening.valid() ||
         (other && (other->worker.working() || other->opening.valid()));
}
bool Session::will_tell() const {
  const bool variant_prepares = state_->variant && state_->variant->shown.run.phase == RunPhase::preparing;
  return variant_prepares || !state_->saving.empty() || !state_->endings.empty() ||
         state_->words_reading.valid() || state_->changing_folder.valid();
}
double Session::working_seconds() const {
  return state_->worker.seconds();
}
const Snapshot* Session::snapshot() const {
  return state_->snapshot.get();
}
std::optional<long> Session::looked_back() const {
  return state_->looked_at ? std::optional(state_->looked_at->step()) : std::nullopt;
}
const Tokenizers& Session::tokenizers() const {
  return state_->tokenizers;
}
const RunState& Session::run() const {
  return state_->run;
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
  return state_->comparison ? &state_->comparison->shown : nullptr;
}
const RunBeside* Session::beside() const {
  return state_->variant ? &state_->variant->shown : nullptr;
}
std::string Session::why_no_variant() const {
  return state_->why_no_variant();
}
std::optional<NewRun> Session::recipe() const {
  return state_->known_recipe();
}

const Selection& Session::pinned() const {
  return state_->pinned;
}
const Selection& Session::shown() const {
  return state_->hover ? *state_->hover : state_->pinned;
}
bool Session::hovering() const {
  return state_->hover.has_value();
}
int Session::shown_steps() const {
  return state_->shown_steps;
}
bool Session::can_undo() const {
  return !state_->past.empty();
}
bool Session::can_redo() const {
  return !state_->future.empty();
}

const std::vector<Notice>& Session::notices() const {
  return state_->notices;
}
void Session::dismiss(Place place) {
  state_->clear(place);
  if (place == Place::training && !state_->thread) state_->forget_unfinished_run();
}
void Session::notify(Notice notice) {
  state_->notify(std::move(notice));
}

const DataPreview* Session::preview() const {
  return state_->preview ? &*state_->preview : nullptr;
}

std::vector<UnsavedRun> Session::unsaved() const {
  return state_->unsaved();
}
const RunFolderChange* Session::run_folder_change() const {
  return state_->folder_change ? &*state_->folder_change : nullptr;
}

Settings& Session::settings() {
  return state_->settings;
}
bool Session::training() const {
  return state_->run.phase == RunPhase::training || state_->variant_goes_on();
}
bool Session::learns_on() const {
  return state_->learns_on();
}
bool Session::keeps_run() const {
  return state_->run_is_open() && !state_->run_folder.empty();
}

}  // namespace glassformer
