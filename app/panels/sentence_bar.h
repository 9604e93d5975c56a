// The bottom bar's left part: the sentence to translate, and the words that the model is to be fed.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "app/panels/panel_input.h"

namespace glassformer {

inline constexpr const char* kTargetField = "Target sentence";

class SentenceBar {
 public:
  // Also the lines of the whole bar. True when a new sentence was sent.
  bool draw(ui::Ui& ui, const PanelInput& in);
  // The source's field alone, for the first screen. True when a new sentence was sent.
  bool wide_field(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  // The field takes the keyboard in the next frame.
  void edit_target(const std::string& words);
  void focus() { focus_source_ = true; }
  // A session's link text that was entered in place of a sentence; empty: none.
  std::string take_link() { return std::exchange(link_, {}); }

 private:
  void take_over_scene(ui::Ui& ui, const PanelInput& in);
  void source_field(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool low);
  void field(ui::Ui& ui, const PanelInput& in, const Rect& rect, const std::string& label);
  void forget_other_model(const PanelInput& in);
  void target_event(ui::Ui& ui, ui::FieldEvent event);
  void send_target(ui::Ui& ui);
  void close_target(ui::Ui& ui);

  std::string source_, source_shown_;  // typed; the Scene's when it was last taken over
  std::string target_, target_shown_;
  std::shared_ptr<const Tokenizer> vocabulary_;  // of the model that they are for
  bool target_open_ = false;
  bool focus_source_ = false, focus_target_ = false;
  bool waits_ = false;  // for a first sentence
  std::string link_;
  bool sent_ = false;  // in this frame
};

}  // namespace glassformer
