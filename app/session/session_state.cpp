// The State's dealings with models and files; those with the Scene: session_scene.cpp, with runs:
// session_runs.cpp and session_run_news.cpp.
#include "app/session/session_state.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/data_consent.h"
#include "app/session/measuring.h"
#include "app/session/paths.h"
#include "engine/math/error.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

constexpr const char* kBundledModel = "models/english-french";
constexpr const char* kOneFolderAtATime = "A run is being renamed or deleted already; try again in a moment.";

template <class Result>
bool ready(const std::future<Result>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

bool is_default_model(const std::string& folder) {
  try {
    return std::filesystem::equivalent(program_file(kBundledModel), resolved(folder));
  } catch (const std::exception&) {
    return false;  // one of the two is not there
  }
}

Session::State::State(SessionOptions session_options)
    : options(std::move(session_options)), folders(options.wake), runs(options.wake), scenes(options.wake) {}

void Session::State::open_to_go_on(const std::string& folder, bool running) {
  open(folder);
  go_on = running;
}

void Session::State::open(const std::string& folder) {
  stop_opening();
  go_on.reset();
  opening_folder = folder;
  opening_progress = std::make_shared<Opening>();
  opening = open_soon(folder, opening_progress);
}

std::future<OpenedModel> Session::State::open_soon(const std::string& folder,
                                                   std::shared_ptr<Opening> progress) const {
  return std::async(std::launch::async, [folder, progress = std::move(progress),
                                         saves = runs.saves_into(folder), wake = options.wake] {
    struct Wake {
      const std::function<void()>& call;
      ~Wake() {
        if (call) call();
      }
    } const wake_at_end{wake};
    for (const auto& save : saves) save.wait();
    return open_model(plain_path(folder.empty() ? program_file(kBundledModel).string() : resolved(folder)),
                      [&](double share) {
                        progress->share = share;
                        return !progress->stopped;
                      });
  });
}

void Session::State::stop_opening() {
  if (opening_progress) opening_progress->stopped = true;
  if (opening.valid()) aside.end(std::exchange(opening, {}));
}

bool Session::State::take_opened_model() {
  if (!ready(opening)) return false;
  const bool asked_for = !opening_folder.empty() && !is_default_model(opening_folder);
  const std::optional<bool> then_go_on = std::exchange(go_on, std::nullopt);
  try {
    OpenedModel opened = opening.get();
    if (then_go_on && !opened.data)
      throw Error(opened.folder, "the run does not say what it was trained on; choose New model instead");
    const std::optional<Notice> stopped = show(std::move(opened));
    if (asked_for) remember(settings.recent_models, model->folder);
    settings.last_model = asked_for ? model->folder : std::string();
    if (then_go_on) resume_open_model(*then_go_on, model->resumable);
    if (stopped) notices.notify(*stopped);
  } catch (const std::exception& error) {
    const std::string kept = model       ? ". The model that was open stays open."
                             : asked_for ? ". The model that comes with the program opens instead."
                                         : "";
    notices.notify({.place = then_go_on ? Place::training : Place::model,
                    .error = true,
                    .text = failure_words(error) + kept,
                    .action = "Open another model",
                    .command = OpenDialog{"open model"}});
    if (asked_for && !model) open({});
  }
  return true;
}

std::optional<Notice> Session::State::show(OpenedModel opened) {
  const Run& run = runs.open();
  const bool same = runs.pending_in(opened.folder) || (run.thread && run.folder == opened.folder);
  const std::optional<Notice> stopped = same ? std::nullopt : about_stopping();
  runs.end_open();
  discard_pending();
  end_all_beside();
  stop_comparing();
  model = std::move(opened);
  title = model->title;
  tokenizers = model->tokenizers;
  runs.clear_open();
  snapshot = std::make_shared<const Snapshot>(model->snapshot);
  runs.open().state() = recorded_run(*model);
  start_with(sentences_to_begin_with());
  if (model->data && read_unasked(*model->data, model->folder))
    ahead.prepare(*model->data, model->tokenizers);
  else
    ahead.stop();
  return stopped;
}

// The one it last translated, unless it would read unknown words now; then its own.
std::vector<SceneSentence> Session::State::sentences_to_begin_with() const {
  std::vector<SceneSentence> sentences = first_sentences(*model);
  SceneSentence kept{kept_sentence(settings, model->folder), std::nullopt, std::nullopt};
  const Tokenizer* const known = tokenizers.source.get();
  const bool known_words = known == nullptr || unknown_words(*known, readable(*known, kept.source)).empty();
  if (kept.source.empty() || (!known_words && !sentences.empty())) return sentences;
  // It takes the first place: the others of the batch are always the same.
  if (sentences.empty()) return {kept};
  const auto same = std::ranges::find(sentences, kept.source, &SceneSentence::source);
  if (same == sentences.begin()) return sentences;
  if (same != sentences.end()) kept = *same;
  const SceneSentence own = std::exchange(sentences.front(), kept);
  if (sentences.size() >= kBatchSentences) sentences.push_back(own);  // known still, and beyond the batch
  return sentences;
}

void Session::State::carry_out(const CancelOpening&) {
  if (!opening.valid()) return;
  const bool own = !opening_folder.empty();
  stop_opening();
  go_on.reset();
  if (!model && own) open({});
}

void Session::State::carry_out(const OpenModel& what) {
  if (!what.folder.empty() && holds_recurrent_model(what.folder)) return open_recurrent(what.folder);
  notices.clear(Place::model);
  notices.clear(Place::training);
  forget_unfinished_run();
  if (runs.pending_in(what.folder)) return return_from_preparing();
  open(what.folder);
}

void Session::State::keep_settings() {
  if (!writer) return;
  writer->keep(settings);
  const std::string problem = writer->take_problem();
  if (!problem.empty()) notices.complain(Place::model, problem);
}

void Session::State::carry_out(const ReadData& what) {
  end_reading();
  reader = std::make_unique<DataReader>(what.data, Tokenizers{}, options.wake);
  preview = reader->preview();
}

// Learning pieces cannot be interrupted halfway.
void Session::State::end_reading() {
  if (reader) aside.end(std::move(reader));
}

void Session::State::carry_out(const CancelReading&) {
  end_reading();
  preview.reset();
}

bool Session::State::take_reading() {
  if (!reader) return false;
  preview = reader->preview();
  if (preview->reading) return true;
  reader.reset();
  if (preview->data) {
    const DataSource& read = preview->options.training;
    for (const std::string* file : {&read.corpus, &read.source})
      if (!file->empty()) remember(settings.recent_corpora, *file);
  }
  return true;
}

// A run saves itself between two steps, with the state to go on from; any other model is written here.
void Session::State::carry_out(const SaveModel& what) {
  std::error_code failed;
  if (!snapshot) return notices.complain(Place::model, "No model is open, so there is nothing to save.");
  if (runs.open().looked_at) return save_looked_at(what);
  const bool by_run = keeper() && keeper()->prepared();
  if (model && !by_run && std::filesystem::equivalent(model->folder, what.folder, failed))
    return notices.say(Place::model, "The open model is kept in " + what.folder + " already.");
  notices.say(Place::model, "Saving to " + what.folder + ".");
  folders.save(what, by_run, snapshot, tokenizers, open_folder());
}

// What is shown is what is saved.
void Session::State::save_looked_at(const SaveModel& what) {
  const KeptWeights& kept = *runs.open().looked_at;
  const std::string step = "Step " + format_count(kept.step());
  std::error_code failed;
  for (const std::string& folder : {open_folder(), model ? model->folder : std::string()})
    if (!folder.empty() && std::filesystem::equivalent(folder, what.folder, failed))
      return notices.complain(Place::model, step + " would replace the newest weights in " + what.folder +
                                                ": choose another folder.");
  try {
    folders.save(what, false, kept.snapshot(), tokenizers, open_folder());
    notices.say(Place::model, step + " is being saved to " + what.folder + ".");
  } catch (const Error& error) {
    notices.complain(Place::model, error.what());
  }
}

bool Session::State::take_saved_models() {
  const std::vector<FolderWork::Saved> all = folders.take_saved();
  for (const FolderWork::Saved& saved : all) take(saved);
  return !all.empty();
}

void Session::State::take(const FolderWork::Saved& saved) {
  if (!saved.notice.text.empty()) notices.notify(saved.notice);
  if (!saved.done.folder.empty()) remember(settings.recent_models, saved.done.folder);
  if (saved.by_run.folder.empty()) return;
  if (RunThread* const run_of_it = keeper(); run_of_it && run_of_it->prepared()) {
    run_of_it->save_copy(saved.by_run.folder);
  } else {
    carry_out(saved.by_run);  // the run ended meanwhile
  }
}

void Session::State::finish_copies(std::vector<std::string>& problems) {
  while (const std::optional<FolderWork::Saved> saved = folders.wait_for_saved()) {
    take(*saved);  // may begin another
    if (saved->notice.error) problems.push_back(saved->notice.text);
  }
}

void Session::State::carry_out(const RenameRun& what) {
  if (!folders.rename(what, {open_folder(), pending_folder()}))
    notices.complain(Place::model, kOneFolderAtATime);
}

void Session::State::carry_out(const DeleteRun& what) {
  if (!folders.remove(what, {open_folder(), pending_folder()}))
    notices.complain(Place::model, kOneFolderAtATime);
}

bool Session::State::take_run_folder_change(bool wait) {
  const bool under_way = folders.changing();
  for (const std::string& from : folders.take_changed(wait)) follow_run_folder(from, folders.change()->to);
  return under_way && !folders.changing();
}

// What named its folder does not name what is gone.
void Session::State::follow_run_folder(const std::string& from, const std::string& to) {
  const std::string unfinished = settings.unfinished_run;
  follow_folder(settings, from, to);
  runs.follow_folder(from, to);
  if (model && model->folder == from && !to.empty()) model->folder = to;
  if (comparison) comparison->follow_folder(from, to);
  // The offer to go on names the run, and those beside it.
  if (notices.offers(Place::training, unfinished)) {
    notices.clear(Place::training);
    offer_unfinished_run();
  }
  notices.follow_folder(from, to);
}

}  // namespace glassformer
