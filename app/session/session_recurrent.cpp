// The State's dealings with the recurrent model beside the Transformer.
#include <filesystem>

#include "app/session/run_record.h"
#include "app/session/run_reports.h"
#include "app/session/session_state.h"
#include "engine/recurrent/recurrent_checkpoint.h"

namespace glassformer {

void Session::State::carry_out(const TrainRecurrent& what) {
  const DataSource& from = what.recipe.data.training;
  const auto stem = [](const std::string& file) { return std::filesystem::path(file).stem().string(); };
  const std::string of = !from.task.empty()      ? from.task
                         : !from.grammar.empty() ? stem(from.grammar)
                                                 : stem(from.corpus.empty() ? from.source : from.corpus);
  NewRecurrentRun recipe = what.recipe;
  recipe.training.threads = common.options.threads;
  recurrent_desk.train(recipe, of, common.folder_for(of + " recurrent"));
}

void Session::State::carry_out(const OpenModel& what) {
  if (!what.folder.empty() && holds_recurrent_model(what.folder)) return open_recurrent(what.folder);
  models.carry_out(what);
}

// The Transformer stays.
void Session::State::open_recurrent(const std::string& folder) {
  common.notices.clear(Place::model);
  if (recurrent_desk.busy())
    return common.notices.complain(
        Place::model, "A recurrent model learns already; stop it in Before attention, Own model.");
  recurrent_desk.open(folder);
}

// At every start until it is opened or refused.
void Session::State::offer_unfinished_recurrent() {
  const auto notice = unfinished_recurrent_notice(common.settings);
  if (notice && !recurrent_desk.busy() && !common.notices.has(Place::model)) common.notices.notify(*notice);
}

// What learns, or is about to; not what somebody has stopped.
void Session::State::remember_unfinished_recurrent() {
  const auto now = recurrent_desk.shown();
  const bool learns = now && (now->running || (now->preparing && !now->opened));
  if (learns && !recurrent_desk.stopping() && !now->folder.empty())
    common.settings.unfinished_recurrent = now->folder;
}

void Session::State::carry_out(const StopRecurrent&) {
  recurrent_desk.stop();
  common.settings.unfinished_recurrent.clear();
}

void Session::State::carry_out(const ShowStep& what) {
  what.recurrent ? recurrent_desk.show_step(what.step) : scenes.carry_out(what);
}

void Session::State::carry_out(const KeepHistory& what) {
  run.carry_out(what);
  recurrent_desk.keep_history(run.history_bytes() / 2);
}

std::shared_ptr<const RecurrentRunState> Session::State::take_recurrent_end() {
  recurrent_desk.take();
  const auto now = recurrent_desk.shown();
  common.recurrent_folder = now ? now->folder : std::string();
  remember_unfinished_recurrent();
  auto ended = recurrent_desk.take_ended();
  if (ended && ended->folder == common.settings.unfinished_recurrent)
    common.settings.unfinished_recurrent.clear();
  return ended;
}

bool Session::State::take_recurrent() {
  const auto ended = take_recurrent_end();
  if (ended) {
    const std::string problem = ended->problem.empty() ? ended->unsaved : ended->problem;
    if (!problem.empty())
      common.notices.complain(Place::model, "The recurrent model “" + ended->name + "”: " + problem);
    else if (ended->opened) {
      remember(common.settings.recent_models, ended->folder);
      common.notices.notify(
          {.text = "“" + ended->name + "” is a recurrent model: it stands beside the Transformer.",
           .action = "Show it",
           .command = OpenView{"bottleneck", "Page", "Own model"}});
    }
  }
  const Scene& scene = scenes.scenes().scene();
  const std::string typed = scene.sentences.empty() ? std::string() : scene.sentences.front().source;
  const bool read = recurrent_reader.update(recurrent_desk.shown(), typed);
  const auto reading = recurrent_reader.shown();
  if (read && reading && !reading->scene && recurrent_desk.shown()->looked_at) {
    common.notices.complain(
        Place::model, "The recurrent model “" + recurrent_desk.shown()->name + "”: " + reading->problem);
    recurrent_desk.show_step(std::nullopt);
  }
  // As soon as there is one, and whenever another was opened.
  if (reading && reading->scene && (!recurrent.scene || (ended && ended->opened))) recurrent.own = true;
  if (recurrent.own) recurrent.scene = reading ? reading->scene : nullptr;
  return read || ended;
}

}  // namespace glassformer
