#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "app/canvas/file_canvas.h"
#include "app/panels/dialogs.h"
#include "app/panels/report_form.h"
#include "app/panels/styles.h"
#include "app/report/report_folder.h"
#include "app/session/paths.h"
#include "app/session/priority.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"

namespace glassformer {

namespace {

constexpr float kReportRow = 26, kReportField = 36, kReportFoot = 48, kReportLength = 40;

std::string without_slashes(std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

// "figure 1", "figures 2 to 4".
std::string numbers_of(std::size_t first, std::size_t count) {
  if (count == 1) return "figure " + std::to_string(first);
  return "figures " + std::to_string(first) + " to " + std::to_string(first + count - 1);
}

class ReportRows {
 public:
  ReportRows(ui::Ui& ui, ReportForm& form, Point top, float width)
      : ui_(ui), form_(form), x_(top.x), y_(top.y), width_(width) {}

  float y() const { return y_; }
  bool entered() const { return entered_; }

  void names() {
    field("Title", "Report title", form_.title, {x_, width_}, form_.usual_title,
          std::exchange(form_.focus, false));
    y_ += kReportField + 28;
    const float half = (width_ - 16) / 2;
    field("Name", "Report name", form_.name, {x_, half}, "", false);
    field("Course", "Report course", form_.course, {x_ + half + 16, half}, "", false);
    y_ += kReportField + 32;
  }

  void figures() {
    const std::size_t all = form_.figures().size();
    heading("What goes in", all == 1 ? "1 figure" : std::to_string(all) + " figures");
    std::size_t next = 1;
    for (OfferedFigures& each : form_.offered) {
      const bool possible = each.why_not.empty();
      const std::size_t count = each.figures.size();
      row(each.label, each.usual, possible && !form_.writing,
          !possible                           ? each.why_not
          : each.usual && !each.first.empty() ? each.first
          : each.usual                        ? numbers_of(next, count)
                                              : "");
      if (possible && each.usual) next += count;
    }
    y_ += 10;
  }

  void beside() {
    heading("Beside the figures", "numbers as CSV and the session file go in always");
    row("The table of runs", form_.runs, form_.no_runs.empty() && !form_.writing, form_.no_runs);
    const bool possible = form_.no_weights.empty();
    row("The weights, to show it where this model is not", form_.with_model, possible && !form_.writing,
        possible ? form_.weights : form_.no_weights);
    row("LaTeX: report.tex, and each figure as PDF", form_.latex, writes_pdf() && !form_.writing,
        writes_pdf() ? "" : "this build writes no PDF");
    length();
    y_ += 10;
  }

  void folder() {
    const ui::FieldEvent event =
        field("Folder", "Report folder", form_.folder, {x_, width_}, "~/report", false);
    if (event == ui::FieldEvent::changed) form_.check_folder(), form_.problem.clear(), form_.done.clear();
    entered_ = event == ui::FieldEvent::entered;
    y_ += kReportField + 26;
    state();
  }

 private:
  struct Column {
    float x, width;
  };

  void length() {
    ui_.canvas().text({x_, y_ + 20}, "Length", styles::body(ui_.theme()));
    Segmented(ui_, {x_ + 64, y_ + 6, 240, 28}, "Length", {"Short", "All tables"}, form_.length);
    y_ += kReportLength;
  }

  ui::FieldEvent field(const char* label, const char* id, std::string& text, Column at,
                       const std::string& hint, bool focus) {
    ui_.canvas().text({at.x, y_ + 8}, label, styles::caption(ui_.theme()));
    return TextField(ui_, {at.x, y_ + 20, at.width, kReportField}, id, text,
                     {.hint = hint, .enabled = !form_.writing, .focus = focus});
  }

  void heading(const char* words, const std::string& more) {
    Canvas& canvas = ui_.canvas();
    canvas.line({x_, y_}, {x_ + width_, y_}, {.color = ui_.theme().border});
    canvas.text({x_, y_ + 22}, words, styles::heading(ui_.theme()));
    right(more, y_ + 22, width_ - 160, words);
    y_ += 38;
  }

  void right(const std::string& words, float middle, float room, std::string_view of) {
    if (words.empty()) return;
    const TextStyle style = styles::right(styles::caption(ui_.theme()));
    ui_.canvas().text({x_ + width_, middle}, elided(ui_.canvas(), words, style, room), style);
    ui_.note({x_ + width_ - room, middle - 8, room, 16}, std::string(of) + ", at the right", words);
  }

  void row(const std::string& label, bool& on, bool enabled, const std::string& more) {
    Canvas& canvas = ui_.canvas();
    const Theme& t = ui_.theme();
    bool shown = on && (enabled || form_.writing);
    if (Switch(ui_, {x_, y_ + 4}, label, shown, false, enabled)) on = shown;
    const TextStyle right_style = styles::caption(t);
    const float taken = more.empty() ? 0 : canvas.measure(more, right_style).x + 16;
    TextStyle style = styles::body(t);
    if (!enabled) style.color = t.second_text;
    canvas.text({x_ + 44, y_ + 13}, elided(canvas, label, style, width_ - 44 - taken), style);
    right(more, y_ + 13, std::max(60.0f, taken), label);
    y_ += kReportRow;
  }

  // One line under the folder: how it is.
  void state() {
    Canvas& canvas = ui_.canvas();
    const Theme& t = ui_.theme();
    const auto show_line = [&](const std::string& words, const char* label, Color color) {
      const float used = paragraph(canvas, {x_, y_}, width_, words, {.size = 12, .color = color});
      ui_.note({x_, y_, width_, used}, label, words);
      y_ += used + 4;
    };
    if (form_.writing) {
      const float done = static_cast<float>(std::clamp(form_.share, 0.0, 1.0));
      canvas.rectangle({x_, y_ + 6, width_, 4}, {.fill = t.control, .radius = 2});
      canvas.rectangle({x_, y_ + 6, width_ * done, 4}, {.fill = t.ink, .radius = 2});
      y_ += 16;
      return show_line("Writing…", "report writing", t.second_text);
    }
    if (!form_.done.empty()) {
      show_line(form_.done, "report done", t.second_text);
      const float open = ui_.button_width("Open folder");
      if (Button(ui_, {x_, y_ + 2, open, 32}, "Open folder")) form_.wish = ReportForm::Wish::open;
      if (Button(ui_, {x_ + open + 8, y_ + 2, ui_.button_width("Copy the path"), 32}, "Copy the path"))
        ui_.push(CopyText{form_.written});
      y_ += 38;
      return;
    }
    if (!form_.impossible.empty()) return show_line(form_.impossible, "report problem", t.wrong);
    if (!form_.problem.empty()) show_line(form_.problem, "report problem", t.wrong);
    if (form_.taken.empty()) {
      if (form_.problem.empty()) show_line("A new folder.", "report folder", t.second_text);
      return;
    }
    show_line(form_.taken, "report folder", t.wrong);
    if (LinkButton(ui_, {x_, y_}, "Take " + form_.other_folder, {.id = "Take another name"})) {
      form_.folder = form_.other_folder;
      form_.check_folder();
      ui_.ask_frame(0);
    }
    y_ += 22;
  }

  ui::Ui& ui_;
  ReportForm& form_;
  float x_, y_, width_;
  bool entered_ = false;
};

}  // namespace

void ReportForm::check_folder() {
  taken.clear(), other_folder.clear();
  const std::string wanted = without_slashes(folder);
  if (wanted.empty() || report_place(expanded(wanted)) == ReportPlace::free) return;
  taken = "There is something of this name, and it stays as it is.";
  // In the words in which it was typed.
  other_folder = wanted.substr(0, wanted.rfind('/') + 1) +
                 std::filesystem::path(free_report_folder(expanded(wanted))).filename().string();
}

std::vector<FigureAsk> ReportForm::figures() const {
  std::vector<FigureAsk> asks;
  for (const OfferedFigures& each : offered)
    if (each.usual && each.why_not.empty()) asks.insert(asks.end(), each.figures.begin(), each.figures.end());
  return asks;
}

ReportRequest ReportForm::request() const {
  return {.title = title,
          .name = name,
          .course = course,
          .date = today(),
          .figures = figures(),
          .all_tables = length == 1,
          .latex = latex,
          .with_model = with_model && no_weights.empty()};
}

bool report_dialog(ui::Ui& ui, ReportForm& form, Point window) {
  const float offered = static_cast<float>(form.offered.size()) * kReportRow;
  const float height =
      2 * kReportField + 60 + 2 * 52 + offered + 3 * kReportRow + kReportLength + kReportField + 20 + 72;
  const DialogBox dialog = begin_dialog(ui, window, "Report", {640, height + kReportFoot + 84});
  const Rect outer = dialog.body;
  const Rect body = ui.scroll.begin({outer.x - 8, outer.y, outer.width + 16, outer.height - kReportFoot},
                                    "report form", {outer.width + 16, height});
  const bool scrolled = outer.height - kReportFoot < height;
  ReportRows rows(ui, form, {body.x + 8, body.y}, outer.width - (scrolled ? 8 : 0));  // beside its bar
  rows.names();
  rows.figures();
  rows.beside();
  rows.folder();
  ui.scroll.end();

  const bool done = !form.done.empty();
  const bool ready = form.impossible.empty() && form.taken.empty() && !form.folder.empty() && !form.writing &&
                     !form.figures().empty();
  const DialogAnswer answer = dialog_answer(ui, outer, done ? "Close" : "Write report",
                                            {.enabled = done || ready, .id = "Write the report"},
                                            rows.entered(), done ? "" : "Cancel");
  end_dialog(ui);
  if (dialog.closed || (done && answer == DialogAnswer::go)) return true;
  if (answer == DialogAnswer::go) form.wish = ReportForm::Wish::write;
  if (answer == DialogAnswer::leave && !form.writing) return true;
  if (answer == DialogAnswer::leave) form.wish = ReportForm::Wish::stop;
  return false;
}

ReportWriter::~ReportWriter() {
  stop();
}

void ReportWriter::stop() {
  if (state_) *state_->stopped = true;
}

void ReportWriter::start(const std::string& folder, ReportRequest request, std::vector<SceneLine> lines,
                         std::function<void()> wake, std::shared_ptr<std::atomic<bool>> stop) {
  if (work_.valid()) return;
  state_ = std::make_shared<State>();
  state_->stopped = std::move(stop);
  auto work = [folder, request = std::move(request), lines = std::move(lines), state = state_,
               wake = std::move(wake)]() -> Done {
    Done done;
    try {
      give_way(Patience::scene);
      done.report = write_report(folder, request, lines, [&](double share) {
        state->share = share;
        return !*state->stopped;
      });
    } catch (const std::exception& error) {
      done.problem = failure_words(error);
    }
    if (wake) wake();
    return done;
  };
  work_ = std::async(std::launch::async, std::move(work));
}

std::optional<ReportWriter::Done> ReportWriter::take_done() {
  if (!is_ready(work_)) return std::nullopt;
  return work_.get();
}

}  // namespace glassformer
