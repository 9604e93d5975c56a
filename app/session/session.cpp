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

template <class What>
void Session::State::hand_out(const What& what) {
  if constexpr (requires { carry_out(what); })
    carry_out(what);
  else if constexpr (requires { scenes.carry_out(what); })
    scenes.carry_out(what);
  else if constexpr (requires { variants.carry_out(what); })
    variants.carry_out(what);
  else if constexpr (requires { run.carry_out(what); })
    run.carry_out(what);
  else
    models.carry_out(what);
}

void Session::State::read_settings() {
  Settings& settings = common.settings;
  bool broken = true;
  try {
    const std::string aside = set_broken_aside(settings_file());
    broken = !aside.empty();
    if (broken) common.notices.complain(Place::model, aside);
  } catch (const Error& error) {
    common.notices.complain(Place::model, error.what());
  }
  settings = glassformer::read_settings(settings_file());
  // What is to be said of them belongs to the whole window.
  if (broken) settings.quiet = false, settings.open = Settings().open;
  std::erase_if(settings.recent_models, is_default_model);
  // A run that another window is training is that one's to resume.
  if (FolderLock::taken(settings.unfinished_run)) settings.unfinished_run.clear();
  std::erase_if(settings.unfinished_variants, FolderLock::taken);
  if (FolderLock::taken(settings.unfinished_recurrent)) settings.unfinished_recurrent.clear();
  writer = std::make_unique<SettingsWriter>(settings_file(), settings, common.options.wake);
}

void Session::State::keep_settings() {
  if (!writer) return;
  writer->keep(common.settings);
  const std::string problem = writer->take_problem();
  if (!problem.empty()) common.notices.complain(Place::model, problem);
}

Session::Session(SessionOptions options) : state_(std::make_unique<State>(std::move(options))) {
  State& state = *state_;
  SessionCommon& common = state.common;
  if (common.options.keep_settings) state.read_settings();
  if (common.options.keep_runs) remove_never_saved(runs_folder());
  common.runs.keep_history(state.run.history_bytes());
  state.recurrent_desk.keep_history(state.run.history_bytes() / 2);
  const std::string& folder =
      common.options.model.empty() ? common.settings.last_model : common.options.model;
  const bool recurrent = !folder.empty() && holds_recurrent_model(folder);
  common.open(recurrent ? std::string() : folder);
  if (recurrent) state.open_recurrent(folder);
  if (!common.options.corpus.empty()) {
    DataOptions data;
    data.training.corpus = common.options.corpus;
    apply({ReadData{data}});
  }
  state.run.offer_unfinished_run();
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
  state.common.runs.take_back();
  state.common.remember_unfinished_run();
  state.keep_settings();
  std::vector<std::string> problems;
  state.models.finish_copies(problems);  // some of it by the run
  state.models.take_folder_change(true);
  const Run& open = state.common.runs.open();
  const std::filesystem::path run = open.thread ? open.folder : std::string();
  if (state.scenes.compares_runs()) state.scenes.stop_comparing();
  const std::vector<std::string> unsaved = state.common.runs.close();
  problems.insert(problems.end(), unsaved.begin(), unsaved.end());
  problems.push_back(state.recurrent_desk.finish());
  const auto recurrent = state.recurrent_desk.take_ended();
  if (recurrent && !recurrent->ended.empty()) state.common.settings.unfinished_recurrent.clear();
  // What was open is what opens next, unless nothing of it was worth saving.
  std::error_code absent;
  if (!run.empty() && !open.begins_again() && std::filesystem::exists(run / "config.json", absent))
    state.common.settings.last_model = run.string();
  if (state.writer) {
    state.keep_settings();
    state.writer->finish();
    problems.push_back(state.writer->take_problem());
  }
  return joined(problems);
}

bool Session::finish_saving() {
  const int lost_before = state_->common.lost;
  std::vector<std::string> problems;
  state_->models.finish_copies(problems);
  state_->run.finish_saving();
  state_->shown.reset();
  begin_frame();
  return joined(problems).empty() && unsaved().empty() && state_->common.lost == lost_before;
}

bool Session::begin_frame() {
  State& state = *state_;
  bool changed = state.models.take_opened();
  changed |= state.run.take();
  changed |= state.variants.take();
  changed |= state.scenes.take();
  changed |= state.scenes.take_second();
  changed |= state.scenes.take_words();
  changed |= state.models.take_reading();
  changed |= state.run.take_ended();
  changed |= state.common.aside.take();
  changed |= state.run.take_unsaved();
  changed |= state.models.take_saved();
  changed |= state.models.take_folder_change(false);
  changed |= state.take_recurrent();
  if (!training()) state.run.forget_pausing();
  state.keep_settings();
  if (changed || (state.shown && state.shown->recurrent_run != state.recurrent_desk.shown()))
    state.shown.reset();
  return changed;
}

void Session::apply(const Commands& commands) {
  const auto selects = [](const Command& each) {
    return each.is<SetHover>() || each.is<SetPin>() || each.is<AddPin>() || each.is<ClearPin>();
  };
  if (!std::ranges::all_of(commands, selects)) state_->shown.reset();
  state_->scenes.leave_hover();
  const Selection before = state_->scenes.scenes().pinned();
  for (const Command& command : commands) {
    command.visit([this](const auto& what) { state_->hand_out(what); });
  }
  // A key opened another head while the mouse rested on a cell of the one before.
  const Selection& now = state_->scenes.scenes().pinned();
  if (now.kind != before.kind || now.layer != before.layer || now.head != before.head)
    state_->scenes.leave_hover();
  state_->keep_settings();
}

std::shared_ptr<const SceneResult> Session::result() const {
  return state_->scenes.scenes().result();
}
std::vector<SceneSentence> Session::own_batch() const {
  const std::vector<SceneSentence>& all = scene().sentences;
  if (all.empty() || (run().phase == RunPhase::none && state_->scenes.scenes().has_first_batch())) return {};
  return {all.begin() + 1, all.end()};
}

const Scene& Session::scene() const {
  return state_->scenes.scenes().scene();
}
bool Session::working() const {
  const SceneComparison* const comparison = state_->scenes.comparison();
  return state_->scenes.scenes().working() || state_->common.opening.busy() ||
         (comparison && comparison->working());
}
bool Session::notice_pending() const {
  const bool variant_prepares = std::ranges::any_of(state_->common.runs.all_beside(), [](const Run* run) {
    return run->state().phase == RunPhase::preparing;
  });
  return variant_prepares || state_->models.folders().saving() || state_->models.folders().changing() ||
         state_->common.runs.ending() || !state_->common.aside.empty() || state_->scenes.reads_words();
}
std::optional<double> Session::opening() const {
  return state_->common.opening.share();
}
double Session::working_seconds() const {
  return state_->scenes.scenes().working_seconds();
}
const Snapshot* Session::snapshot() const {
  return state_->common.snapshot.get();
}
std::optional<long> Session::looked_back() const {
  const auto& looked_at = state_->common.runs.open().looked_at;
  return looked_at ? std::optional(looked_at->step()) : std::nullopt;
}
const Tokenizers& Session::tokenizers() const {
  return state_->common.tokenizers;
}
const RunState& Session::run() const {
  return state_->common.runs.open().state();
}
const ModelTitle& Session::title() const {
  return state_->common.title;
}
std::string Session::open_folder() const {
  return state_->common.open_folder();
}
const OpenedModel* Session::model() const {
  return state_->common.model ? &*state_->common.model : nullptr;
}

const Compared* Session::compared() const {
  const SceneComparison* const comparison = state_->scenes.comparison();
  return comparison ? &comparison->shown() : nullptr;
}
std::optional<Other> Session::compared_with() const {
  const SceneComparison* const comparison = state_->scenes.comparison();
  return comparison ? std::optional(comparison->other()) : std::nullopt;
}
std::shared_ptr<const Shown> Session::all_shown() const {
  State& state = *state_;
  if (state.shown) return state.shown;
  Shown all{.result = result(),
            .tokenizers = tokenizers(),
            .run = run(),
            .looked_back = looked_back(),
            .shown_steps = shown_steps(),
            .model_name = title().name,
            .source_language = title().source_language,
            .target_language = title().target_language,
            .training_text = state.scenes.training_text(),
            .recurrent = state.recurrent,
            .recurrent_reading = state.recurrent_reader.shown(),
            .recurrent_run = state.recurrent_desk.shown()};
  all.training_text_state = all.training_text            ? TextState::there
                            : state.scenes.reads_words() ? TextState::reading
                                                         : TextState::unknown;
  for (const RunBeside* const each : beside()) all.beside.push_back(*each);
  return state.shown = std::make_shared<const Shown>(std::move(all));
}
const RecurrentLook& Session::recurrent() const {
  return state_->recurrent;
}

std::shared_ptr<const RecurrentRunState> Session::recurrent_run() const {
  return state_->recurrent_desk.shown();
}

RunsBeside Session::beside() const {
  RunsBeside all;
  for (const Run* const each : state_->common.runs.all_beside()) all.push_back(&each->shown);
  return all;
}
const WatchState* Session::watched() const {
  return state_->variants.watched();
}

std::string Session::why_no_watching() const {
  return state_->variants.why_no_watching();
}

const TrialsState& Session::trials() const {
  return state_->variants.trials();
}
std::string Session::why_no_variant() const {
  return state_->variants.why_no_variant();
}
std::optional<NewRun> Session::recipe() const {
  return state_->common.known_recipe();
}

const Selection& Session::pinned() const {
  return state_->scenes.scenes().pinned();
}
const Selection& Session::shown() const {
  return state_->scenes.scenes().shown();
}
bool Session::hovering() const {
  return state_->scenes.scenes().hovering();
}
int Session::shown_steps() const {
  return state_->scenes.scenes().shown_steps();
}
bool Session::can_undo() const {
  return state_->scenes.scenes().can_undo();
}
bool Session::can_redo() const {
  return state_->scenes.scenes().can_redo();
}

const std::vector<Notice>& Session::notices() const {
  return state_->common.notices.all();
}
void Session::keep_sentences(bool on) {
  state_->scenes.keep_sentences(on);
}

void Session::dismiss(Place place) {
  std::string& recurrent = state_->common.settings.unfinished_recurrent;
  if (place == Place::model && state_->common.notices.offers(place, recurrent)) recurrent.clear();
  state_->common.notices.clear(place);
  if (place == Place::training && !state_->common.runs.open().thread) state_->common.forget_unfinished_run();
}
void Session::notify(Notice notice) {
  state_->common.notices.notify(std::move(notice));
}

const DataPreview* Session::preview() const {
  return state_->models.preview();
}

std::vector<UnsavedRun> Session::unsaved() const {
  std::vector<UnsavedRun> all;
  for (const Run* const each : state_->common.runs.unsaved()) all.push_back(each->as_unsaved());
  return all;
}
const RunFolderChange* Session::run_folder_change() const {
  return state_->models.folders().change();
}

Settings& Session::settings() {
  return state_->common.settings;
}
bool Session::training() const {
  if (run().phase == RunPhase::training) return true;
  return std::ranges::any_of(state_->common.runs.all_beside(),
                             [](const Run* each) { return each->learns(); });
}
bool Session::pausing() const {
  return state_->run.pausing() && training();
}
TrainWould Session::train_would() const {
  return training() ? TrainWould::pause : state_->run.train_would();
}
bool Session::would_fine_tune() const {
  return state_->run.would_fine_tune();
}
bool Session::keeps_run() const {
  return state_->common.runs.open().under_way() && !state_->common.runs.open().folder.empty();
}

}  // namespace glassformer
