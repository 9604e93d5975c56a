#include "app/panels/report_desk.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "app/format/number_format.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/open_folder.h"
#include "app/session/paths.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

std::string megabytes(double bytes) {
  return format_fixed(bytes / 1e6, bytes < 10e6 ? 1 : 0) + " MB";
}

std::string called(const PanelInput& in) {
  std::string text;
  if (!in.input || !in.view) return text;
  for (const std::string& part : in.view->place(*in.input).path) text += (text.empty() ? "" : ", ") + part;
  return text;
}

void offer_weights(ReportForm& form, const Session& session) {
  form.weights.clear(), form.no_weights.clear();
  std::error_code failed;
  const fs::path file = fs::path(session.open_folder()) / "weights.safetensors";
  const auto size = fs::file_size(file, failed);
  if (session.looked_back())
    form.no_weights = "an earlier step is shown";
  else if (failed)
    form.no_weights = "they are not saved yet";
  else
    form.weights = megabytes(static_cast<double>(size));
}

// A model folder that goes again when nobody reads it any more.
std::shared_ptr<const std::string> model_copy(const ShownModel& model) {
  std::string folder = (fs::temp_directory_path() / "glassformer-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    throw Error(fs::temp_directory_path().string(), "a folder cannot be made there; make room and try again");
  const std::shared_ptr<const std::string> copy(new std::string(folder), [](const std::string* path) {
    try {
      delete_own(*path);
    } catch (const std::exception&) {
      // It stays; nothing of it is missed.
    }
    delete path;
  });
  write_shown_model(model, folder);
  return copy;
}

// As their dialog shows them, else all that are kept.
std::function<RunsTable()> runs_as_shown(const RunsForm& form) {
  constexpr std::chrono::seconds kFresh{3};  // the open dialog reads them every second
  if (!form.read_once || std::chrono::steady_clock::now() - form.read_at > kFresh)
    return [] { return runs_table_of(runs_folder().string()); };
  return [runs = form.read.runs, rows = form.rows, different = form.read.different, scores = form.scores] {
    return runs_table(runs, rows, different, scores);
  };
}

}  // namespace

// As the window is now. What was typed before stays.
void ReportDesk::fill(const PanelInput& in) {
  ReportForm& form = dialogs_.report;
  if (writer_.writing()) return;
  form.impossible.clear(), form.problem.clear(), form.done.clear();
  form.cancelled = false;
  form.focus = true;
  if (form.name.empty()) form.name = session_.settings().student;
  if (form.folder.empty()) form.folder = "~/report";
  form.check_folder();
  if (!form.taken.empty()) form.folder = form.other_folder, form.check_folder();
  const RunState& run = session_.run();
  const bool curves = run.curves && !run.curves->steps.empty();
  const std::vector<OfferedFigures> before =
      std::exchange(form.offered, offered_figures({in.view_name}, called(in), curves, !run.history.empty()));
  const Scene& scene = session_.scene();
  form.usual_title =
      session_.title().name + (scene.sentences.empty() ? "" : ": " + scene.sentences.front().source);
  offer_weights(form, session_);
  std::error_code failed;
  form.no_runs = fs::is_empty(runs_folder(), failed) || failed ? "no run is kept" : "";
  try {
    sessions_.lines(session_, in.view_name, [&](const ShownModel&, const std::string& role) {
      if (role == "model") form.no_weights = "they go along, as no folder has them yet";
      return "./" + role;
    });
  } catch (const std::exception& error) {
    form.impossible = failure_words(error);
  }
  if (in.lessons.covered())
    form.impossible =
        "The page of the lesson asks for a row that a report would show: answer it first, or leave the "
        "lesson.";
}

// What the figures that are ticked still need is computed while the dialog is open.
void ReportDesk::prepare_figures(ui::Ui& ui, const PanelInput& in) {
  if (dialogs_.open != "report" || !in.input || dialogs_.report.cancelled) return;
  for (OfferedFigures& each : dialogs_.report.offered) {
    each.first.clear();
    if (!each.usual || !each.why_not.empty()) continue;
    for (const FigureAsk& figure : each.figures)
      if (const View* const view = views_.view(figure.view); view && each.first.empty())
        each.first = view->prepare(*in.input);
    if (!each.first.empty()) ui.ask_frame(0.2);
  }
}

std::string ReportDesk::frame(ui::Ui& ui, const PanelInput& in) {
  std::string said;
  ReportForm& form = dialogs_.report;
  prepare_figures(ui, in);
  switch (std::exchange(form.wish, ReportForm::Wish::none)) {
    case ReportForm::Wish::none:
      break;
    case ReportForm::Wish::stop:
      writer_.stop();
      break;
    case ReportForm::Wish::open:
      said = open_folder(expanded(form.written));
      break;
    case ReportForm::Wish::write:
      write(in.view_name);
      break;
  }
  if (auto done = writer_.take_done()) {
    form.check_folder();
    if (!done->problem.empty()) {
      form.problem = done->problem + " Nothing was written.";
      if (dialogs_.open != "report")
        session_.notify({.place = Place::figure,
                         .error = true,
                         .text = form.problem,
                         .action = "Choose another place",
                         .command = OpenDialog{"report"}});
    } else if (done->report) {
      form.written = fs::absolute(done->report->folder).lexically_normal().string();
      form.done = "Written: " + form.written + ", " + std::to_string(done->report->files) + " files, " +
                  megabytes(static_cast<double>(done->report->bytes)) + ".";
      if (dialogs_.open != "report") said = form.done;
    } else {
      form.problem = "Cancelled: nothing was written.";
      form.cancelled = true;
    }
    ui.ask_frame(0);
  }
  form.writing = writer_.writing();
  form.share = writer_.share();
  if (form.writing) ui.ask_frame(0.1);
  return said;
}

// Copies, as the worker draws while the window stays live.
ViewOnPage ReportDesk::views_as_shown(const std::vector<FigureAsk>& figures, const StopFlag& stop) {
  std::map<std::string, std::shared_ptr<const View>> shown;
  for (const FigureAsk& each : figures)
    if (const View* const view = views_.view(each.view)) {
      const std::shared_ptr<View> copy = view->clone();
      copy->stop_with(stop);
      shown[each.view] = copy;
    }
  return [shown = std::move(shown)](const StagedPage& page) {
    const auto found = shown.find(page.view);
    return found == shown.end() ? nullptr : found->second->clone();
  };
}

void ReportDesk::write(const std::string& view) {
  ReportForm& form = dialogs_.report;
  form.problem.clear(), form.done.clear();
  form.cancelled = false;
  try {
    if (!form.name.empty()) session_.settings().student = form.name;
    ReportRequest request = form.request();
    const auto stop = std::make_shared<std::atomic<bool>>(false);
    request.view = views_as_shown(request.figures, stop);
    if (form.runs) request.runs = runs_as_shown(dialogs_.runs);
    std::vector<SceneLine> lines =
        sessions_.lines(session_, view, [&](const ShownModel& model, const std::string& role) {
          auto& copy = role == "other"       ? request.other_copy
                       : role == "recurrent" ? request.recurrent_copy
                                             : request.model_copy;
          copy = model_copy(model);
          if (role == "model") request.with_model = true;
          return *copy;
        });
    writer_.start(expanded(form.folder), std::move(request), std::move(lines), wake_, stop);
  } catch (const std::exception& error) {
    form.problem = failure_words(error);
  }
}

}  // namespace glassformer
