// What a Session is made of: its desks, each of which carries out its own commands, and the recurrent model
// beside. Only the session's own files include this.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/model_desk.h"
#include "app/session/recurrent_desk.h"
#include "app/session/recurrent_reader.h"
#include "app/session/settings_writer.h"

namespace glassformer {

struct Session::State {
  explicit State(SessionOptions options) : common(std::move(options)) {}

  // By the desk that can.
  template <class What>
  void hand_out(const What& what);
  void read_settings();
  void keep_settings();  // soon, and not in the frame

  // The recurrent model (session_recurrent.cpp).
  void open_recurrent(const std::string& folder);
  void offer_unfinished_recurrent();
  void remember_unfinished_recurrent();
  std::shared_ptr<const RecurrentRunState> take_recurrent_end();  // null: nothing has ended since
  bool take_recurrent();                  // what has become of it, and the typed sentence in it
  void carry_out(const OpenModel& what);  // of either kind
  void carry_out(const TrainRecurrent& what);
  void carry_out(const StopRecurrent&);
  void carry_out(const ResumeRecurrent&) { recurrent_desk.resume(common.options.threads); }
  void carry_out(const ShowRecurrent& what) { recurrent = what; }
  void carry_out(const PinRecurrent& what) { recurrent.pin = what.pin; }

  // Of both.
  void carry_out(const ShowStep& what);
  void carry_out(const KeepHistory& what);

  // The screen's own commands.
  void carry_out(const OpenView&) {}
  void carry_out(const OpenStep&) {}
  void carry_out(const OpenDialog&) {}
  void carry_out(const SaveFigure&) {}
  void carry_out(const CopyText&) {}

  SessionCommon common;
  std::unique_ptr<SettingsWriter> writer;  // null: settings are not kept
  RecurrentLook recurrent;
  RecurrentDesk recurrent_desk{common.options.wake};
  RecurrentReader recurrent_reader{common.options.wake};
  SceneDesk scenes{common};
  VariantDesk variants{common, scenes};
  RunDesk run{common, scenes, variants};
  ModelDesk models{common, scenes, variants, run};
  std::shared_ptr<const Shown> shown;  // null: something has changed since it was made
  bool closed = false;
};

}  // namespace glassformer
