#include "app/panels/scene_bringer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/session/measuring.h"
#include "app/session/paths.h"

namespace glassformer {

namespace {

constexpr int kGivenUp = 150;  // frames, some three seconds, in which nothing is opened any more

}  // namespace

void SceneBringer::start(std::shared_ptr<const StagedPage> page) {
  page_ = std::move(page);
  stage_ = Stage::model;
  asked_model_ = false;
  frames_ = 0;
}

void SceneBringer::frame(ui::Ui& ui, const Session& session) {
  if (!page_) return;
  ui.ask_frame(0.02);
  ++frames_;
  const Stage before = stage_;
  if (stage_ == Stage::model) {
    if (plain_path(session.open_folder()) != plain_path(page_->model->folder)) {
      if (!std::exchange(asked_model_, true)) ui.push(OpenModel{page_->model->folder});
      // It could not be opened, or somebody called it off: the notice says so.
      if (frames_ > kGivenUp && !session.working()) page_.reset();
      return;
    }
    // A model without its own sentences has no result until it gets one.
    if (!session.result() && session.working()) return;
    scene(ui, session);
  } else if (stage_ == Stage::changes) {
    // Their values come out of the second Scene, which is first of the sentence that was open.
    if (frames_ < 3 || session.working()) return;
    const Compared* const compared = session.compared();
    if (compared && !compared->second && compared->problem.empty()) return;
    ui.push(SetWhatIf{page_->result->scene.what_if});
    looking(ui, session);
  } else if (stage_ == Stage::controls) {
    // They show what the Scene is, and would change it while it is another.
    if (frames_ < 3 || session.working() || (reads_recurrent(session) && frames_ < kGivenUp)) return;
    ui.by_name.forget();
    for (const auto& [control, value] : page_->settings) ui.by_name.set(control, value);
    page_.reset();
  }
  if (stage_ != before) frames_ = 0;
}

void SceneBringer::scene(ui::Ui& ui, const Session& session) {
  const Scene& wanted = page_->result->scene;
  const Scene& open = session.scene();
  const SceneSentence& sentence = wanted.sentences.front();
  const bool from_other = wants(wanted.what_if, Replacement::other);
  if (session.compared()) ui.push(StopComparing{});
  if (open.sentences.empty() || open.sentences.front().source != sentence.source)
    ui.push(SetSource{sentence.source});
  if (open.sentences.empty() || open.sentences.front().target != sentence.target)
    ui.push(SetTarget{sentence.target});
  const std::vector<SceneSentence> others(wanted.sentences.begin() + 1, wanted.sentences.end());
  if (!std::equal(others.begin(), others.end(),
                  open.sentences.empty() ? open.sentences.begin() : open.sentences.begin() + 1,
                  open.sentences.end()))
    ui.push(SetBatch{others});
  if (open.decode != wanted.decode) ui.push(SetDecode{wanted.decode});
  if (from_other) {
    if (!open.what_if.empty()) ui.push(SetWhatIf{});
  } else if (open.what_if != wanted.what_if) {
    ui.push(SetWhatIf{wanted.what_if});
  }
  const long step = page_->result->untouched_snapshot->step;
  const std::optional<long> earlier =
      step == page_->model->snapshot.step ? std::nullopt : std::optional<long>(step);
  if (session.looked_back() != earlier) ui.push(ShowStep{earlier});
  if (page_->compared) {
    Other other = *page_->compared;
    if (auto* another = std::get_if<OtherModel>(&other)) another->folder = page_->other_model->folder;
    ui.push(Compare{other});
  }
  if (from_other)
    stage_ = Stage::changes;
  else
    looking(ui, session);
}

bool SceneBringer::is_beside(const Session& session) const {
  const auto run = session.recurrent_run();
  return run && plain_path(run->folder) == plain_path(page_->recurrent->folder);
}

bool SceneBringer::reads_recurrent(const Session& session) const {
  if (!page_->recurrent) return false;
  return !is_beside(session) || !session.recurrent().scene;
}

void SceneBringer::looking(ui::Ui& ui, const Session& session) {
  if (page_->recurrent && !is_beside(session)) ui.push(OpenModel{page_->recurrent->folder});
  if (!page_->view.empty()) ui.push(OpenView{page_->view});
  ui.push(SetPin{page_->selection});
  stage_ = Stage::controls;
}

}  // namespace glassformer
