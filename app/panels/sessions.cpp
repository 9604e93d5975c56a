#include <utility>

#include "app/panels/shell.h"
#include "engine/math/error.h"

namespace glassformer {

void Shell::sessions(ui::Ui& ui) {
  desk_.set_window(window_words());
  if (!wanted_session_.empty() && !desk_.opening()) {
    // What stands open is to be computed first: it may be gone back to.
    if (session_.working() && session_.working_seconds() < 5) {
      ui.ask_frame(0.02);
    } else {
      desk_.open(session_, view_, std::exchange(wanted_session_, {}));
    }
  }
  SessionForm& form = dialogs_.session_form;
  const bool was = std::exchange(form.opening, desk_.opening());
  desk_.frame(ui, session_, view_);
  if (const auto window = desk_.take_window()) show_window(*window);
  if (auto problem = desk_.take_problem()) {
    form.problem = std::move(problem);
    dialogs_.show("open session", session_, view_);
    form.focus = false;
    ui.ask_frame(0);
  } else if (was && !desk_.opening()) {
    say(desk_.name().empty() ? "Back to what was" : "Opened " + desk_.name());
    if (dialogs_.open == "open session") dialogs_.open.clear();
    ui.ask_frame(0);
  }
  form.opening = desk_.opening();
}

// Under its name; what has none yet, or is not to be saved so, is asked about.
void Shell::save_session() {
  if (std::string said; desk_.save(session_, view_, said)) return say(said);
  desk_.fill(dialogs_.session_form, session_, view_);
  dialogs_.show("save session", session_, view_);
  if (ui_) ui_->ask_frame(0);
}

void Shell::copy_link(ui::Ui& ui) {
  try {
    ui.push(CopyText{desk_.link(session_, view_)});
  } catch (const std::exception& error) {
    say(failure_words(error));
  }
}

void Shell::session_wishes(ui::Ui& ui) {
  SessionForm& form = dialogs_.session_form;
  const auto close = [&] {
    dialogs_.open.clear();
    ui.ask_frame(0);
  };
  FileBrowser& browser = dialogs_.browser;
  if (!browser.chosen.empty()) {
    const std::string path = std::exchange(browser.chosen, {});
    dialogs_.show("open session", session_, view_);
    if (browser.purpose == FileBrowser::Purpose::open_session)
      form.problem.reset(), wanted_session_ = path;
    else if (form.problem)
      desk_.open_with(session_, view_, *std::exchange(form.problem, {}), path);
  }
  switch (std::exchange(form.wish, SessionForm::Wish::none)) {
    case SessionForm::Wish::none:
      return;
    case SessionForm::Wish::save:
      if (!desk_.save_as(session_, view_, form)) return ui.ask_frame(0);
      say("Saved " + desk_.name());
      return close();
    case SessionForm::Wish::open_file:
      form.problem.reset();
      wanted_session_ = form.file;
      break;
    case SessionForm::Wish::open_link:
      form.problem.reset();
      wanted_session_ = std::exchange(form.link, {});
      break;
    case SessionForm::Wish::browse:
      dialogs_.show("find session", session_, view_);
      break;
    case SessionForm::Wish::find_model:
      dialogs_.show("find model", session_, view_);
      break;
    case SessionForm::Wish::use_bundled:
      if (form.problem) desk_.open_with(session_, view_, *std::exchange(form.problem, {}), "");
      break;
    case SessionForm::Wish::use_anyway:
      if (form.problem) desk_.open_anyway(session_, view_, *std::exchange(form.problem, {}));
      break;
  }
  ui.ask_frame(0);
}

}  // namespace glassformer
