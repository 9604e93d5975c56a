#include "app/panels/dialogs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/panels/styles.h"
#include "app/session/paths.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

// What a dialog begins with.
struct Start {
  Dialogs& dialogs;
  Session& session;
  const std::string& view;  // the open one
};

void browse(const Start& s, FileBrowser::Purpose purpose) {
  s.dialogs.browser.start(purpose, s.session.settings());
}

// With the data that are looked at, of which they are kept apart.
void choose_held_out(const Start& s, FileBrowser::Purpose purpose) {
  browse(s, purpose);
  if (const DataPreview* const preview = s.session.preview()) s.dialogs.browser.data = preview->options;
}

void keep_run(const Start& s) {
  browse(s, FileBrowser::Purpose::keep_run);
  if (const auto unsaved = s.session.unsaved(); !unsaved.empty())
    s.dialogs.browser.name = fs::path(unsaved.front().folder).filename().string();
}

void name_figure(const Start& s) {
  FigureForm& figure = s.dialogs.figure;
  const std::string& last = s.session.settings().last_folder;
  if (figure.folder.empty()) figure.folder = last.empty() ? expanded("~") : last;
  figure.name = s.view;
  figure.focus = true;
  figure.what = 0;
  figure.of_runs = false;
}

void name_runs_figure(const Start& s) {
  name_figure(s);
  FigureForm& figure = s.dialogs.figure;
  figure.name = "runs";
  figure.panels.clear();
  figure.of_runs = true;
}

// What a dialog is drawn from.
struct Draw {
  Dialogs& dialogs;
  ui::Ui& ui;
  Session& session;
  Point window;
};

bool browser(const Draw& d) {
  return browser_dialog(d.ui, d.session, d.dialogs.browser, d.window);
}

bool unsaved(const Draw& d) {
  const bool closing = d.dialogs.closing;
  const UnsavedAnswer answer = d.dialogs.answer = unsaved_dialog(d.ui, d.session, closing, d.window);
  const bool again = answer == UnsavedAnswer::try_again;
  if (again && !closing) d.ui.push(SaveRuns{});  // else closing saves
  return answer != UnsavedAnswer::none && !again;
}

// What of another program is chosen there is read, and reported in the next dialog.
bool choose_import(const Draw& d) {
  const bool close = browser(d);
  if (d.dialogs.browser.chosen.empty()) return close;
  d.dialogs.show_import(std::exchange(d.dialogs.browser.chosen, {}));
  return false;
}

struct DialogEntry {
  std::string_view name;
  void (*start)(const Start&);  // null: nothing to begin with
  bool (*draw)(const Draw&);    // true: it is to be closed
};

using Purpose = FileBrowser::Purpose;

constexpr std::array kDialogs{
    DialogEntry{"open model", [](const Start& s) { browse(s, Purpose::open_model); }, choose_import},
    DialogEntry{"open elsewhere", [](const Start& s) { browse(s, Purpose::import_model); }, choose_import},
    DialogEntry{"import", nullptr,
                [](const Draw& d) { return import_dialog(d.ui, d.dialogs.import_form, d.window); }},
    DialogEntry{"open corpus", [](const Start& s) { browse(s, Purpose::open_corpus); }, browser},
    DialogEntry{"open validation", [](const Start& s) { choose_held_out(s, Purpose::choose_validation); },
                browser},
    DialogEntry{"open test", [](const Start& s) { choose_held_out(s, Purpose::choose_test); }, browser},
    DialogEntry{"save model", [](const Start& s) { browse(s, Purpose::save_model); }, browser},
    DialogEntry{"keep run", keep_run, browser},
    DialogEntry{"new model", [](const Start& s) { s.dialogs.form.start(s.session.preview()); },
                [](const Draw& d) { return new_model_dialog(d.ui, d.session, d.dialogs.form, d.window); }},
    DialogEntry{"new recurrent model",
                [](const Start& s) {
                  const std::optional<NewRun> recipe = s.session.recipe();
                  s.dialogs.form.start_recurrent(s.session.preview(),
                                                 recipe ? std::optional(recipe->data) : std::nullopt,
                                                 s.session.tokenizers());
                },
                [](const Draw& d) { return new_model_dialog(d.ui, d.session, d.dialogs.form, d.window); }},
    DialogEntry{"data", nullptr,
                [](const Draw& d) { return data_dialog(d.ui, d.session, d.dialogs.data, d.window); }},
    DialogEntry{"runs", [](const Start& s) { s.dialogs.runs.start(); },
                [](const Draw& d) { return runs_dialog(d.ui, d.session, d.dialogs.runs, d.window); }},
    DialogEntry{"compare", [](const Start& s) { s.dialogs.compare.start(s.session); },
                [](const Draw& d) { return compare_dialog(d.ui, d.session, d.dialogs.compare, d.window); }},
    DialogEntry{"variant", [](const Start& s) { s.dialogs.variant.start(s.session); },
                [](const Draw& d) { return variant_dialog(d.ui, d.session, d.dialogs.variant, d.window); }},
    DialogEntry{"learning", [](const Start& s) { s.dialogs.learning.start(s.session); },
                [](const Draw& d) { return learning_dialog(d.ui, d.session, d.dialogs.learning, d.window); }},
    DialogEntry{"fork", [](const Start& s) { s.dialogs.fork.start(s.session); },
                [](const Draw& d) { return fork_dialog(d.ui, d.dialogs.fork, d.window); }},
    DialogEntry{"trials", [](const Start& s) { s.dialogs.trials.start(s.session); },
                [](const Draw& d) { return trials_dialog(d.ui, d.session, d.dialogs.trials, d.window); }},
    DialogEntry{kViewMenu, nullptr,
                [](const Draw& d) { return view_menu(d.ui, d.session, d.dialogs.find, d.window); }},
    DialogEntry{"change one thing", [](const Start& s) { s.dialogs.change.start(s.session); },
                [](const Draw& d) { return change_dialog(d.ui, d.session, d.dialogs.change, d.window); }},
    DialogEntry{
        "start over", [](const Start& s) { s.dialogs.start_over = {}; },
        [](const Draw& d) { return start_over_dialog(d.ui, d.session, d.dialogs.start_over, d.window); }},
    DialogEntry{"unsaved", nullptr, unsaved},
    DialogEntry{"save figure", name_figure,
                [](const Draw& d) { return figure_dialog(d.ui, d.dialogs.figure, d.window); }},
    DialogEntry{"save runs figure", name_runs_figure,
                [](const Draw& d) { return figure_dialog(d.ui, d.dialogs.figure, d.window); }},
    DialogEntry{"describe", nullptr,
                [](const Draw& d) { return describe_dialog(d.ui, d.dialogs.describe, d.window); }},
    DialogEntry{"report", nullptr,
                [](const Draw& d) { return report_dialog(d.ui, d.dialogs.report, d.window); }},
    DialogEntry{"save session", nullptr,
                [](const Draw& d) { return save_session_dialog(d.ui, d.dialogs.session_form, d.window); }},
    DialogEntry{
        "open session", [](const Start& s) { s.dialogs.session_form.focus = true; },
        [](const Draw& d) { return open_session_dialog(d.ui, d.session, d.dialogs.session_form, d.window); }},
    DialogEntry{"find session", [](const Start& s) { browse(s, Purpose::open_session); }, browser},
    DialogEntry{"find model", [](const Start& s) { browse(s, Purpose::find_model); }, browser},
    DialogEntry{"parts", nullptr, [](const Draw& d) { return parts_dialog(d.ui, d.window); }},
    DialogEntry{"keys", nullptr, [](const Draw& d) { return keys_dialog(d.ui, d.window); }},
    DialogEntry{"about", nullptr, [](const Draw& d) { return about_dialog(d.ui, d.window); }}};

// Null: there is no dialog of that name.
const DialogEntry* entry_of(const std::string& name) {
  const auto found = std::ranges::find(kDialogs, name, &DialogEntry::name);
  return found == kDialogs.end() ? nullptr : &*found;
}

}  // namespace

void Dialogs::show(const std::string& name, Session& session, const std::string& view) {
  open = name;
  if (name != "keep run") closing = false;
  const DialogEntry* entry = entry_of(name);
  if (entry && entry->start) entry->start({*this, session, view});
}

void Dialogs::show_import(const std::string& path) {
  open = "import";
  import_form.start(path);
}

void Dialogs::draw(ui::Ui& ui, Session& session, Point window) {
  answer = UnsavedAnswer::none;
  if (open.empty()) return;
  const DialogEntry* entry = entry_of(open);
  if (entry && !entry->draw({*this, ui, session, window})) return;
  open.clear();
  ui.ask_frame(0);
}

void Dialogs::leave() {
  const bool asking = open == "runs" && runs.asking != RunsForm::Asking::nothing;
  runs.asking = RunsForm::Asking::nothing;
  if (asking) return;
  open.clear();
  import_form.close();
}

DialogBox begin_dialog(ui::Ui& ui, Point window, std::string_view title, Point size) {
  const float width = std::min(size.x, window.x - 24), height = std::min(size.y, window.y - 24);
  const Rect box{std::round((window.x - width) / 2), std::round((window.y - height) / 2), width, height};
  ui.begin_layer(box, true);
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  // A wide quiet edge sets it off from what lies below; there are no shadows.
  canvas.rectangle(box.inset(-8), {.fill = t.control.with_alpha(0.35f), .radius = 12});
  canvas.rectangle(box, {.fill = t.panel, .outline = t.control, .radius = 8});
  DialogBox dialog;
  canvas.text({box.x + 24, box.y + 32}, elided(canvas, title, styles::title(t), width - 96),
              styles::title(t));
  if (IconButton(ui, {box.right() - 52, box.y + 16, 32, 32}, ui::Icon::close, "Close the dialog",
                 {.tooltip = "Esc"}))
    dialog.closed = true;
  dialog.body = {box.x + 24, box.y + 60, width - 48, height - 60 - 20};
  ui.note({box.x, box.y, width, 56}, "dialog", title);
  return dialog;
}

void end_dialog(ui::Ui& ui) {
  ui.end_layer();
}

bool end_dialog_with(ui::Ui& ui, const DialogBox& dialog, std::string_view why) {
  const Rect& body = dialog.body;
  paragraph(ui.canvas(), {body.x, body.y}, body.width, why, styles::body_second(ui.theme()));
  end_dialog(ui);
  return dialog.closed;
}

DialogAnswer dialog_answer(ui::Ui& ui, const Rect& body, const std::string& words,
                           const ui::ButtonOptions& options, bool entered, const std::string& other) {
  const float foot = body.bottom() - 34, width = ui.button_width(words), beside = ui.button_width(other);
  const bool go = PrimaryButton(ui, {body.right() - width, foot, width, 32}, words, options);
  const bool leave =
      !other.empty() && Button(ui, {body.right() - width - 8 - beside, foot, beside, 32}, other);
  if (go || (entered && options.enabled)) return DialogAnswer::go;
  return leave ? DialogAnswer::leave : DialogAnswer::none;
}

}  // namespace glassformer
