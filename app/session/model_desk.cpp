#include "app/session/model_desk.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/data_consent.h"
#include "app/session/run_record.h"
#include "engine/math/error.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

constexpr const char* kOneFolderAtATime = "A run is being renamed or deleted already; try again in a moment.";

}  // namespace

bool ModelDesk::take_opened() {
  if (!common_.opening.ready()) return false;
  const bool asked_for = !common_.opening.folder().empty() && !is_default_model(common_.opening.folder());
  const std::optional<bool> then_resume = common_.opening.take_resume();
  try {
    OpenedModel opened = common_.opening.take();
    if (then_resume && !opened.data)
      throw Error(opened.folder, "the run does not say what it was trained on; choose New model instead");
    const std::optional<Notice> stopped = show(std::move(opened));
    if (asked_for) remember(settings_.recent_models, common_.model->folder);
    settings_.last_model = asked_for ? common_.model->folder : std::string();
    if (then_resume) run_.resume_open_model(*then_resume, common_.model->resumable);
    if (stopped) notices_.notify(*stopped);
  } catch (const std::exception& error) {
    const std::string kept = common_.model ? ". The model that was open stays open."
                             : asked_for   ? ". The model that comes with the program opens instead."
                                           : "";
    notices_.notify({.place = then_resume ? Place::training : Place::model,
                     .error = true,
                     .text = failure_words(error) + kept,
                     .action = "Open another model",
                     .command = OpenDialog{"open model"}});
    if (asked_for && !common_.model) common_.open({});
  }
  return true;
}

std::optional<Notice> ModelDesk::show(OpenedModel opened) {
  const Run& run = runs_.open();
  const bool same = runs_.pending_in(opened.folder) || (run.thread && run.folder == opened.folder);
  const std::optional<Notice> stopped = same ? std::nullopt : run_.about_stopping();
  runs_.end_open();
  run_.discard_pending();
  variants_.end_all();
  scenes_.stop_comparing();
  common_.model = std::move(opened);
  common_.title = common_.model->title;
  common_.tokenizers = common_.model->tokenizers;
  runs_.clear_open();
  common_.snapshot = std::make_shared<const Snapshot>(common_.model->snapshot);
  runs_.open().state() = recorded_run(*common_.model);
  scenes_.start_with(sentences_to_begin_with());
  if (common_.model->data && read_unasked(*common_.model->data, common_.model->folder))
    common_.ahead.prepare(*common_.model->data, common_.model->tokenizers);
  else
    common_.ahead.stop();
  return stopped;
}

// The one it last translated, unless it would read unknown words now; then its own. A model without either
// reads what is on screen.
std::vector<SceneSentence> ModelDesk::sentences_to_begin_with() const {
  std::vector<SceneSentence> sentences = first_sentences(*common_.model);
  SceneSentence kept{kept_sentence(settings_, common_.model->folder), std::nullopt, std::nullopt};
  const Tokenizer* const known = common_.tokenizers.source.get();
  const std::vector<SceneSentence>& shown = scenes_.scenes().scene().sentences;
  if (kept.source.empty() && sentences.empty() && known && !shown.empty()) kept.source = shown.front().source;
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

void ModelDesk::carry_out(const CancelOpening&) {
  if (!common_.opening.busy()) return;
  const bool own = !common_.opening.folder().empty();
  common_.opening.stop();
  if (!common_.model && own) common_.open({});
}

void ModelDesk::carry_out(const OpenModel& what) {
  notices_.clear(Place::model);
  notices_.clear(Place::training);
  common_.forget_unfinished_run();
  if (runs_.pending_in(what.folder)) return run_.return_from_preparing();
  common_.open(what.folder);
}

void ModelDesk::carry_out(const ReadData& what) {
  end_reading();
  reader_ = std::make_unique<DataReader>(what.data, Tokenizers{}, common_.options.wake);
  preview_ = reader_->preview();
}

// Learning pieces cannot be interrupted halfway.
void ModelDesk::end_reading() {
  if (reader_) common_.aside.end(std::move(reader_));
}

void ModelDesk::carry_out(const CancelReading&) {
  end_reading();
  preview_.reset();
}

bool ModelDesk::take_reading() {
  if (!reader_) return false;
  preview_ = reader_->preview();
  if (preview_->reading) return true;
  reader_.reset();
  if (preview_->data) {
    const DataSource& read = preview_->options.training;
    for (const std::string* file : {&read.corpus, &read.source})
      if (!file->empty()) remember(settings_.recent_corpora, *file);
  }
  return true;
}

// A run saves itself between two steps, with the state to resume from; any other model is written here.
void ModelDesk::carry_out(const SaveModel& what) {
  std::error_code failed;
  if (!common_.snapshot)
    return notices_.complain(Place::model, "No model is open, so there is nothing to save.");
  if (runs_.open().looked_at) return save_looked_at(what);
  const bool by_run = common_.keeper() && common_.keeper()->prepared();
  if (common_.model && !by_run && std::filesystem::equivalent(common_.model->folder, what.folder, failed))
    return notices_.say(Place::model, "The open model is kept in " + what.folder + " already.");
  notices_.say(Place::model, "Saving to " + what.folder + ".");
  folders_.save(what, by_run, common_.snapshot, common_.tokenizers, common_.open_folder());
}

// What is shown is what is saved.
void ModelDesk::save_looked_at(const SaveModel& what) {
  const KeptWeights& kept = *runs_.open().looked_at;
  const std::string step = "Step " + format_count(kept.step());
  std::error_code failed;
  for (const std::string& folder :
       {common_.open_folder(), common_.model ? common_.model->folder : std::string()})
    if (!folder.empty() && std::filesystem::equivalent(folder, what.folder, failed))
      return notices_.complain(Place::model, step + " would replace the newest weights in " + what.folder +
                                                 ": choose another folder.");
  try {
    folders_.save(what, false, kept.snapshot(), common_.tokenizers, common_.open_folder());
    notices_.say(Place::model, step + " is being saved to " + what.folder + ".");
  } catch (const Error& error) {
    notices_.complain(Place::model, error.what());
  }
}

bool ModelDesk::take_saved() {
  const std::vector<FolderWork::Saved> all = folders_.take_saved();
  for (const FolderWork::Saved& saved : all) take(saved);
  return !all.empty();
}

void ModelDesk::take(const FolderWork::Saved& saved) {
  if (!saved.notice.text.empty()) notices_.notify(saved.notice);
  if (!saved.done.folder.empty()) remember(settings_.recent_models, saved.done.folder);
  if (saved.by_run.folder.empty()) return;
  if (RunThread* const run_of_it = common_.keeper(); run_of_it && run_of_it->prepared()) {
    run_of_it->save_copy(saved.by_run.folder);
  } else {
    carry_out(saved.by_run);  // the run ended meanwhile
  }
}

void ModelDesk::finish_copies(std::vector<std::string>& problems) {
  while (const std::optional<FolderWork::Saved> saved = folders_.wait_for_saved()) {
    take(*saved);  // may begin another
    if (saved->notice.error) problems.push_back(saved->notice.text);
  }
}

std::vector<std::string> ModelDesk::folders_in_use() const {
  return {common_.open_folder(), common_.pending_folder(), common_.recurrent_folder};
}

void ModelDesk::carry_out(const RenameRun& what) {
  if (!folders_.rename(what, folders_in_use())) notices_.complain(Place::model, kOneFolderAtATime);
}

void ModelDesk::carry_out(const DeleteRun& what) {
  if (!folders_.remove(what, folders_in_use())) notices_.complain(Place::model, kOneFolderAtATime);
}

bool ModelDesk::take_folder_change(bool wait) {
  const bool under_way = folders_.changing();
  for (const std::string& from : folders_.take_changed(wait)) follow_folder(from, folders_.change()->to);
  return under_way && !folders_.changing();
}

// What named its folder does not name what is gone.
void ModelDesk::follow_folder(const std::string& from, const std::string& to) {
  const std::string unfinished = settings_.unfinished_run;
  glassformer::follow_folder(settings_, from, to);
  runs_.follow_folder(from, to);
  if (common_.model && common_.model->folder == from && !to.empty()) common_.model->folder = to;
  scenes_.follow_folder(from, to);
  // The offer to resume names the run, and those beside it.
  if (notices_.offers(Place::training, unfinished)) {
    notices_.clear(Place::training);
    run_.offer_unfinished_run();
  }
  notices_.follow_folder(from, to);
}

void ModelDesk::carry_out(const NewRun& what) {
  const bool read = preview_ && preview_->data && to_json(preview_->options) == to_json(what.data);
  run_.begin(what, read ? preview_->data : nullptr);
}

}  // namespace glassformer
