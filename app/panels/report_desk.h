// The report of what the window shows: what it may hold, and its writing.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/dialogs.h"
#include "app/panels/panel_input.h"
#include "app/panels/report_form.h"
#include "app/panels/session_desk.h"
#include "app/panels/view_shelf.h"

namespace glassformer {

class ReportDesk {
 public:
  // `wake`: it is written. Called on the worker.
  ReportDesk(Session& session, Dialogs& dialogs, ViewShelf& views, SessionDesk& sessions,
             std::function<void()> wake)
      : session_(session), dialogs_(dialogs), views_(views), sessions_(sessions), wake_(std::move(wake)) {}

  // Its dialog, as the window is now. What was typed before stays.
  void fill(const PanelInput& in);
  // Does what the dialog asks for, each frame. A sentence to be shown; empty: none.
  std::string frame(ui::Ui& ui, const PanelInput& in);
  bool writing() const { return writer_.writing(); }

 private:
  void prepare_figures(ui::Ui& ui, const PanelInput& in);
  void write(const std::string& view);
  ViewOnPage views_as_shown(const std::vector<FigureAsk>& figures, const StopFlag& stop);

  Session& session_;
  Dialogs& dialogs_;
  ViewShelf& views_;
  SessionDesk& sessions_;
  std::function<void()> wake_;
  ReportWriter writer_;
};

}  // namespace glassformer
