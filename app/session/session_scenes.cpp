// The part of the session that deals with models and Scenes.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/session/paths.h"
#include "app/session/session_state.h"
#include "engine/math/error.h"
#include "engine/math/failure.h"
#include "engine/text/reading.h"

namespace glassformer {

namespace {

// "sentence: nothing to …" as the screen says it, below the field that it is about.
std::string without_place(const std::string& error) {
  const std::size_t colon = error.find(": ");
  std::string words = colon == std::string::npos ? error : error.substr(colon + 2);
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

constexpr const char* kBundledModel = "models/english-french";
constexpr size_t kUndoSteps = 200;

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
    : options(std::move(session_options)), worker(options.wake) {}

void Session::State::open_to_go_on(const std::string& folder, bool running) {
  open(folder);
  go_on = running;
}

void Session::State::open(const std::string& folder) {
  stop_opening();
  go_on.reset();
  opening_folder = folder;
  opening = open_soon(folder);
}

std::future<OpenedModel> Session::State::open_soon(const std::string& folder) const {
  return std::async(std::launch::async, [folder, saves = saves_into(folder), wake = options.wake] {
    struct Wake {
      const std::function<void()>& call;
      ~Wake() {
        if (call) call();
      }
    } const wake_at_end{wake};
    for (const auto& save : saves) save.wait();
    return open_model(plain_path(folder.empty() ? program_file(kBundledModel).string() : resolved(folder)));
  });
}

// What is still being opened is not wanted any more; the screen does not wait for it.
void Session::State::stop_opening() {
  if (opening.valid()) end_aside(std::exchange(opening, {}));
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
    if (then_go_on) resume_open_model(*then_go_on);
    if (stopped) notify(*stopped);
  } catch (const std::exception& error) {
    const std::string kept = model       ? ". The model that was open stays open."
                             : asked_for ? ". The model that comes with the program opens instead."
                                         : "";
    notify({.place = then_go_on ? Place::training : Place::model,
            .error = true,
            .text = failure_words(error) + kept,
            .action = "Open another model",
            .command = OpenDialog{"open model"}});
    if (asked_for && !model) open({});
  }
  return true;
}

// What is to be told of a training that this ends.
std::optional<Notice> Session::State::show(OpenedModel opened) {
  const bool same = waits_behind(opened.folder) || (thread && run_folder == opened.folder);
  const std::optional<Notice> stopped = same ? std::nullopt : about_stopping();
  end_run();
  let_go_of_behind();
  end_variant();
  stop_comparing();
  model = std::move(opened);
  title = model->title;
  tokenizers = model->tokenizers;
  static_cast<OpenRun&>(*this) = OpenRun();
  snapshot = std::make_shared<const Snapshot>(model->snapshot);
  run = recorded_run(*model);
  start_with(sentences_to_begin_with());
  return stopped;
}

// The one it last translated, unless it would read unknown words now; then its own.
std::vector<SceneSentence> Session::State::sentences_to_begin_with() const {
  std::vector<SceneSentence> sentences = first_sentences(*model);
  SceneSentence kept{kept_sentence(settings, model->folder), std::nullopt, std::nullopt};
  const Tokenizer* const words = tokenizers.source.get();
  const bool known_words = words == nullptr || unknown_words(*words, readable(*words, kept.source)).empty();
  if (kept.source.empty() || (!known_words && !sentences.empty())) return sentences;
  const auto same = std::ranges::find(sentences, kept.source, &SceneSentence::source);
  if (same != sentences.end()) {
    kept = *same;
    sentences.erase(same);
  }
  sentences.insert(sentences.begin(), kept);
  return sentences;
}

// Under the model that translated it, be it opened or being trained.
void Session::State::keep_sentence() {
  const std::string& sentence = result->scene.sentences.front().source;
  if (model && (!thread || run_of_model)) remember_sentence(settings, model->folder, sentence);
  if (thread && !run_folder.empty()) remember_sentence(settings, run_folder, sentence);
}

// A new model starts from its own sentences; what was undone before belongs to the old one.
void Session::State::start_with(const std::vector<SceneSentence>& sentences) {
  known = sentences;
  past.clear();
  future.clear();
  refused = false;
  scene = first_scene(sentences, run.live.smoothing);
  result.reset();
  worker.forget();
  pinned = Selection{};
  pinned.layer = snapshot ? snapshot->config.decoder_layers - 1 : 0;
  shown_steps = -1;
  ask();
}

void Session::State::ask(bool at_leisure) {
  if (!snapshot) return;
  const SceneWorker::Weights weights{.newest = snapshot, .kept = looked_at};
  worker.ask(weights, tokenizers, scene, gradients_of, {}, at_leisure);
}

void Session::State::look_at_newest() {
  if (std::exchange(looked_at, nullptr)) ask();
}

// The nearest of the kept steps; the newest weights when they are as near.
void Session::State::carry_out(const ShowStep& what) {
  const auto kept = what.step ? nearest(run.history, *what.step) : nullptr;
  if (!kept || (snapshot && kept->step() == snapshot->step)) return look_at_newest();
  if (kept == looked_at) return;
  looked_at = kept;
  ask();
}

bool Session::State::take_scene_answer() {
  std::optional<SceneWorker::Answer> answer = worker.take();
  if (!answer) return false;
  if (!answer->result) {
    complain(Place::sentence, without_place(answer->error));
    refused = true;
    return true;
  }
  refused = false;
  const bool only_gradients = result && answer->result->untouched == result->untouched;
  result = std::move(answer->result);
  if (only_gradients) {
    if (comparison && comparison->shown.first && comparison->shown.first->untouched == result->untouched)
      comparison->shown.first = result;
    return true;
  }
  clear(Place::sentence);
  keep_sentence();
  tell_of_reading();
  ask_other();
  return true;
}

// A Scene that was refused is nothing to go back to.
void Session::State::leave_scene(std::vector<Scene>& to) {
  if (!std::exchange(refused, false)) to.push_back(std::move(scene));
}

void Session::State::change_scene(Scene next) {
  leave_scene(past);
  if (past.size() > kUndoSteps) past.erase(past.begin());
  future.clear();
  scene = std::move(next);
  ask();
}

void Session::State::carry_out(const OpenModel& what) {
  clear(Place::model);
  clear(Place::training);
  forget_unfinished_run();
  if (waits_behind(what.folder)) return return_from_preparing();
  open(what.folder);
}

void Session::State::carry_out(const SetPin& what) {
  pinned = what.selection;
}

void Session::State::carry_out(const ClearPin&) {
  pinned.query.reset();
  pinned.key.reset();
  pinned.cell.reset();
  pinned.more_queries.clear();
  pinned.more_keys.clear();
}

void Session::State::carry_out(const AddPin& what) {
  pinned = adding(pinned, what.selection);
}

void Session::State::carry_out(const ShowDecodeStep& what) {
  const int all = result ? static_cast<int>(result->target_out_words.size()) : 0;
  shown_steps = what.steps < 0 || what.steps >= all ? -1 : what.steps;
  if (what.steps > 0 && all > 0) pinned = at_step(pinned, std::min(what.steps, all) - 1);
}

SceneSentence Session::State::sentence_of(const std::string& source) const {
  const auto same = std::ranges::find(known, source, &SceneSentence::source);
  return {source, std::nullopt, same != known.end() ? same->reference : std::nullopt};
}

void Session::State::carry_out(const SetSource& what) {
  Scene next = scene;
  SceneSentence sentence = sentence_of(what.text);
  if (next.sentences.empty()) next.sentences.emplace_back();
  if (next.sentences.front() == sentence) return;
  next.sentences.front() = std::move(sentence);
  shown_steps = -1;
  carry_out(ClearPin{});
  change_scene(std::move(next));
}

void Session::State::carry_out(const SetTarget& what) {
  if (scene.sentences.empty()) return;
  Scene next = scene;
  if (next.sentences.front().target == what.text) return;
  next.sentences.front().target = what.text;
  change_scene(std::move(next));
}

void Session::State::carry_out(const SetWhatIf& what) {
  if (scene.what_if == what.what_if) return;
  Scene next = scene;
  next.what_if = what.what_if;
  change_scene(std::move(next));
}

void Session::State::carry_out(const SetDecode& what) {
  Scene next = scene;
  next.decode = what.options;
  shown_steps = -1;
  change_scene(std::move(next));
}

void Session::State::carry_out(const Undo&) {
  if (past.empty()) return;
  leave_scene(future);
  scene = std::move(past.back());
  past.pop_back();
  ask();
}

void Session::State::carry_out(const Redo&) {
  if (future.empty()) return;
  leave_scene(past);
  scene = std::move(future.back());
  future.pop_back();
  ask();
}

void Session::State::carry_out(const WantGradients& what) {
  if (gradients_of == what.sentence) return;
  gradients_of = what.sentence;
  if (gradients_of < 0) return;
  if (worker.working()) return ask();
  if (result && !(result->gradients && result->gradients->sentence == gradients_of))
    worker.ask_gradients(result, gradients_of);
  ask_other();
}

void Session::State::notify(Notice notice) {
  clear(notice.place);
  notices.push_back(std::move(notice));
}

void Session::State::clear(Place place) {
  std::erase_if(notices, [place](const Notice& notice) { return notice.place == place; });
}

}  // namespace glassformer
