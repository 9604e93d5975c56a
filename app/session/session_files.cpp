// The part of the session that reads data for the next run and writes models where the person wants them.
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/session/model_folder.h"
#include "app/session/session_state.h"
#include "engine/math/failure.h"
#include "engine/model/checkpoint.h"

namespace glassformer {

namespace {

// True when the person has not said yet that the model there may go.
bool has_to_ask(const SaveModel& what) {
  return !what.replace && content_of(what.folder) == FolderContent::model;
}

Notice question(const SaveModel& what) {
  return {.place = Place::model,
          .error = true,
          .text = what.folder + " holds a model already. Once replaced it cannot be brought back.",
          .action = "Replace it",
          .command = SaveModel{.folder = what.folder, .replace = true}};
}

}  // namespace

Notice not_saved(const std::string& words) {
  return {.place = Place::model,
          .error = true,
          .text = words,
          .action = "Choose another place",
          .command = OpenDialog{"save model"}};
}

void Session::State::carry_out(const SaveModel& what) {
  std::error_code failed;
  if (!snapshot) {
    complain(Place::model, "No model is open, so there is nothing to save.");
    return;
  }
  // A run saves itself between two steps, with the state to go on from; any other model is written here.
  const bool by_run = keeper() && keeper()->prepared();
  if (model && !by_run && std::filesystem::equivalent(model->folder, what.folder, failed)) {
    say(Place::model, "The open model is kept in " + what.folder + " already.");
    return;
  }
  say(Place::model, "Saving to " + what.folder + ".");
  saving.push_back(std::async(
      std::launch::async, [what, by_run, weights = snapshot, texts = tokenizers, wake = options.wake] {
        Saved saved;
        try {
          if (has_to_ask(what)) {
            saved.notice = question(what);
          } else if (by_run) {
            saved.by_run = {.folder = what.folder, .replace = true};
          } else {
            write_model_folder(what.folder, [&](const std::string& to) { save_model(to, *weights, texts); });
            saved.notice = {.place = Place::model, .text = "Saved to " + what.folder + "."};
            saved.done = what;
          }
        } catch (const std::exception& error) {
          saved.notice = not_saved(failure_words(error));
        }
        if (wake) wake();
        return saved;
      }));
}

bool Session::State::take_saved_models() {
  std::vector<Saved> all;
  std::erase_if(saving, [&](std::future<Saved>& written) {
    if (written.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    all.push_back(written.get());
    return true;
  });
  for (const Saved& saved : all) take(saved);
  return !all.empty();
}

void Session::State::take(const Saved& saved) {
  if (!saved.notice.text.empty()) notify(saved.notice);
  if (!saved.done.folder.empty()) remember(settings.recent_models, saved.done.folder);
  if (saved.by_run.folder.empty()) return;
  if (RunThread* const run_of_it = keeper(); run_of_it && run_of_it->prepared()) {
    run_of_it->save_copy(saved.by_run.folder);
  } else {
    carry_out(saved.by_run);  // the run ended meanwhile
  }
}

void Session::State::finish_saving(std::vector<std::string>& problems) {
  while (!saving.empty()) {
    const Saved saved = saving.back().get();
    saving.pop_back();
    take(saved);  // may begin another
    if (saved.notice.error) problems.push_back(saved.notice.text);
  }
}

void Session::State::carry_out(const ReadData& what) {
  end_reading();
  reader = std::make_unique<DataReader>(what.data, Tokenizers{}, options.wake);
  preview = reader->preview();
}

void Session::State::remember_corpora() {
  if (!preview->data) return;
  const DataSource& read = preview->options.training;
  for (const std::string* file : {&read.corpus, &read.source}) {
    if (!file->empty()) remember(settings.recent_corpora, *file);
  }
}

// Learning pieces cannot be interrupted halfway: the screen does not wait for it.
void Session::State::end_reading() {
  if (reader) end_aside(std::move(reader));
}

void Session::State::carry_out(const CancelReading&) {
  end_reading();
  preview.reset();
}

}  // namespace glassformer
