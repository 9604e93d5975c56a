#include "app/panels/session_forms.h"

#include <filesystem>
#include <utility>

#include "engine/import/foreign_model.h"
#include "engine/math/error.h"

namespace glassformer {

std::string SessionForms::frame(ui::Ui& ui, const std::string& view, OpenPanels& panels) {
  std::string said;
  desk_.set_window(window_words(panels));
  if (!wanted_.empty() && !desk_.opening()) {
    // What is open is to be computed first: it may be gone back to.
    if (session_.working() && session_.working_seconds() < 5) {
      ui.ask_frame(0.02);
    } else {
      desk_.open(session_, view, std::exchange(wanted_, {}));
    }
  }
  SessionForm& form = dialogs_.session_form;
  const bool was = std::exchange(form.opening, desk_.opening());
  desk_.frame(ui, session_, view);
  if (const auto window = desk_.take_window()) panels = panels_of_words(*window);
  if (auto problem = desk_.take_problem()) {
    form.problem = std::move(problem);
    dialogs_.show("open session", session_, view);
    form.focus = false;
    ui.ask_frame(0);
  } else if (was && !desk_.opening()) {
    said = desk_.take_said();
    if (dialogs_.open == "open session") dialogs_.open.clear();
    ui.ask_frame(0);
  }
  form.opening = desk_.opening();
  return said;
}

// Under its name; what has none yet, or is not to be saved so, is asked about.
std::string SessionForms::save(ui::Ui* ui, const std::string& view) {
  if (std::string said; desk_.save(session_, view, said)) return said;
  desk_.fill(dialogs_.session_form, session_, view);
  dialogs_.show("save session", session_, view);
  if (ui) ui->ask_frame(0);
  return {};
}

std::string SessionForms::copy_link(ui::Ui& ui, const std::string& view) {
  try {
    ui.push(CopyText{desk_.link(session_, view)});
    return {};
  } catch (const std::exception& error) {
    return failure_words(error);
  }
}

std::string SessionForms::do_wishes(ui::Ui& ui, const std::string& view) {
  SessionForm& form = dialogs_.session_form;
  FileBrowser& browser = dialogs_.browser;
  if (!browser.chosen.empty()) {
    const std::string path = std::exchange(browser.chosen, {});
    dialogs_.show("open session", session_, view);
    if (browser.purpose == FileBrowser::Purpose::open_session)
      form.problem.reset(), wanted_ = path;
    else if (form.problem)
      desk_.open_with(session_, view, *std::exchange(form.problem, {}), path);
  }
  switch (std::exchange(form.wish, SessionForm::Wish::none)) {
    case SessionForm::Wish::none:
      return {};
    case SessionForm::Wish::save:
      ui.ask_frame(0);
      if (!desk_.save_as(session_, view, form)) return {};
      dialogs_.open.clear();
      return "Saved " + desk_.name();
    case SessionForm::Wish::open_file:
      form.problem.reset();
      wanted_ = form.file;
      break;
    case SessionForm::Wish::open_link:
      form.problem.reset();
      wanted_ = std::exchange(form.link, {});
      break;
    case SessionForm::Wish::browse:
      dialogs_.show("find session", session_, view);
      break;
    case SessionForm::Wish::find_model:
      dialogs_.show("find model", session_, view);
      break;
    case SessionForm::Wish::use_bundled:
      if (form.problem) desk_.open_with(session_, view, *std::exchange(form.problem, {}), "");
      break;
    case SessionForm::Wish::use_anyway:
      if (form.problem) desk_.open_anyway(session_, view, *std::exchange(form.problem, {}));
      break;
  }
  ui.ask_frame(0);
  return {};
}

DroppedFiles dropped_files(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (paths.empty()) return {};
  fs::path first = paths.front();
  if (fs::is_regular_file(first, ignored) &&
      (first.filename() == "config.json" || first.extension() == ".safetensors") &&
      fs::exists(first.parent_path() / "weights.safetensors", ignored))
    first = first.parent_path();
  if (first.extension() == kSessionEnding) return {.session = first.string()};
  if (first.extension() == ".lesson") return {.lesson = first.string()};
  if (may_hold_foreign_model(first.string())) return {.import_from = first.string()};
  if (fs::is_directory(first, ignored)) return {.commands = {OpenModel{first.string()}}};
  DataOptions data;
  if (paths.size() >= 2) {
    data.training.source = paths[0];
    data.training.target = paths[1];
  } else {
    data.training.corpus = paths[0];
  }
  return {.commands = {ReadData{data}}};
}

}  // namespace glassformer
