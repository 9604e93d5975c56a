// The session's Scene, what it is compared with, and what is said of both.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/comparison.h"
#include "app/session/scenes.h"
#include "app/session/session_common.h"
#include "app/session/unfamiliar_words.h"

namespace glassformer {

class SceneDesk {
 public:
  explicit SceneDesk(SessionCommon& common)
      : common_(common), runs_(common.runs), notices_(common.notices), scenes_(common.options.wake) {}

  const Scenes& scenes() const { return scenes_; }
  const SceneComparison* comparison() const { return comparison_.get(); }  // null: one Scene is shown

  void start_with(const std::vector<SceneSentence>& sentences);
  void compute(bool low_priority = false);  // the current Scene, by the weights that are looked at
  void look_at_newest();
  void leave_hover() { scenes_.hover(std::nullopt); }
  void keep_sentences(bool own) { sentences_are_own_ = own; }  // and not a lesson's
  // One of the data, where the open sentence has words that the model never saw.
  std::optional<SceneSentence> known_sentence();

  // True when something that is shown has changed.
  bool take();
  bool take_second();
  bool take_words();
  bool reads_words() const { return words_.reading(); }
  std::shared_ptr<const TrainingText> training_text();  // null: nobody wants it, or it is not read yet

  bool compares_runs() const { return comparison_ && comparison_->variant() > 0; }
  void stop_comparing();
  void leave_variant(int variant);                      // it is neither compared nor offered
  void leave_variants();                                // none of them is
  void follow_variant(int variant, bool low_priority);  // its weights moved on
  void follow_folder(const std::string& from, const std::string& to) {
    if (comparison_) comparison_->follow_folder(from, to);
  }

  void carry_out(const SetHover& what) { scenes_.hover(what.selection); }
  void carry_out(const SetPin& what) { scenes_.pin(what.selection); }
  void carry_out(const ClearPin&) { scenes_.clear_pin(); }
  void carry_out(const AddPin& what) { scenes_.add_pin(what.selection); }
  void carry_out(const ShowDecodeStep& what) { scenes_.show_decode_step(what.steps); }
  void carry_out(const ShowStep& what);
  void carry_out(const SetSource& what) { compute_changed(scenes_.set_source(what.text)); }
  void carry_out(const SetTarget& what) { compute_changed(scenes_.set_target(what.text)); }
  void carry_out(const SetBatch& what) { compute_changed(scenes_.set_batch(what.others)); }
  void carry_out(const SetWhatIf& what);
  void carry_out(const SetDecode& what) { compute_changed(scenes_.set_decode(what.options)); }
  void carry_out(const Undo&) { compute_changed(scenes_.undo()); }
  void carry_out(const Redo&) { compute_changed(scenes_.redo()); }
  void carry_out(const Compare& what);
  void carry_out(const StopComparing&) { stop_comparing(); }
  void carry_out(const WantGradients& what);
  void carry_out(const WantTrainingText& what) { wants_training_text_ = what.wanted; }

 private:
  void compute_changed(bool changed);  // of a Scene that a person changed
  void compute_second(bool low_priority = false);
  void keep_sentence();
  void report_reading();
  std::string about_new_words();
  std::optional<TrainingWords::Source> training_source();  // nothing: no data are recorded
  void look_for_held_out();                                // where a change takes a mean over them
  SceneComparison::First first_side() const;
  void withdraw_offer_to_compare(int variant = 0);  // 0: whatever it offers

  SessionCommon& common_;
  Runs& runs_;
  Notices& notices_;
  TrainingWords words_;
  bool wants_training_text_ = false;  // the open view shows it
  bool sentences_are_own_ = true;
  std::unique_ptr<SceneComparison> comparison_;
  Scenes scenes_;  // last: its worker ends first
};

}  // namespace glassformer
