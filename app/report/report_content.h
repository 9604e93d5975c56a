// What a report says, before it is put on a page: the model, how it learned, what came of it, the sentence,
// the changes, and figures with the command lines that make them again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/describe.h"
#include "app/lessons/staged_page.h"
#include "app/session/run_copies.h"

namespace glassformer {

// A view as a figure. Kind and panel as `render` has them; empty: as the view chooses.
struct FigureAsk {
  std::string view, kind = {}, panel = {};
  bool operator==(const FigureAsk&) const = default;
};

// The page's view with all of its controls as they are, some of which need a window. Null: with those that
// need none.
using ViewOnPage = std::function<std::unique_ptr<View>(const StagedPage& page)>;

struct ReportRequest {
  std::string title, name, course;  // as typed; may be empty
  std::string date;                 // "24 November 2026"
  std::vector<FigureAsk> figures;
  bool all_tables = false;               // under each figure its numbers; else they are beside it, as CSV
  std::function<RunsTable()> runs = {};  // the table of runs; none: it is left out
  bool latex = false;                    // report.tex, and each figure as PDF
  bool with_model = false;               // the weights go along: the figures are drawn from that copy
  ViewOnPage view = {};
  // Model folders of weights that no other folder has, where the lines name them: they stay until the report
  // is written. The one that is compared goes along too.
  std::shared_ptr<const std::string> model_copy = nullptr, other_copy = nullptr, recurrent_copy = nullptr;
};

std::string today();  // as that

struct ReportFigure {
  std::string name;  // of its files: "2-attention-encoder"
  Description words;
  std::string shows;               // under the picture: what it shows
  std::string caption;             // of its files, as `render` writes it
  std::string svg, png, pdf, csv;  // bytes; pdf: where LaTeX is asked for
  // The line that makes its numbers, where they are other models'; empty: they are this model's.
  std::string numbers_from = {};
  std::string html = {};              // every head of an attention; empty: it is none, or too long
  std::vector<std::string> commands;  // each makes one file again, for a shell
};

struct Report {
  std::string title, by;                  // "Report by Ada Martin, course NLP 2. Made with ..."
  std::vector<Table> tables;              // model, data and training, results
  std::string source, translation, loss;  // the last a sentence
  std::vector<std::string> changes;       // "mute head cross 2.1"; none: the model as it is
  std::vector<ReportFigure> figures;
  std::string training;  // the command that trains the model; empty: not recorded
  std::string training_note;
  std::optional<RunsTable> runs;
  bool all_tables = false, latex = false, with_model = false;

  // False: all of its figures are of other models.
  bool of_model() const;
};

inline constexpr const char* kReportRuns = "numbers/runs.csv";
inline constexpr const char* kReportSession = "session.glassformer";
inline constexpr double kReportPrintCm = 16;  // of the PDFs

// Called with the share that is done; false: it is to stop.
using ReportProgress = std::function<bool(double share)>;

// A report of what a session's lines show; nothing: it was stopped. The lines are those of the session file
// that goes along, the model's found. Throws Error with a sentence: a view that is none, a session that
// cannot be set up.
std::optional<Report> make_report(const ReportRequest& request, const std::vector<SceneLine>& lines,
                                  const ReportProgress& going_on = {});

// The page that the lines set up, and the lines as they are kept: the model by its whole path, its
// fingerprint given. Without `all_controls` those that need a window are left out.
struct KeptSession {
  StagedPage page;
  std::vector<SceneLine> lines;
};
KeptSession kept_session(LessonStage& stage, std::vector<SceneLine> lines, bool all_controls);

// "attention:encoder, head, output" as on the command line; throws Error that names the views there are.
std::vector<FigureAsk> figures_named(const std::string& views);

// What a dialog offers, a line each.
struct OfferedFigures {
  std::string label;
  std::vector<FigureAsk> figures;
  bool usual = false;      // ticked at first
  std::string why_not;     // it cannot be drawn here; empty: it can
  std::string first = {};  // what has to be worked out before, and how long that takes; empty: nothing
};
// `here`: the view on screen and what it is called. `curves`: the run's are there; `earlier`: steps to look
// back at.
std::vector<OfferedFigures> offered_figures(const FigureAsk& here, const std::string& called, bool curves,
                                            bool earlier);
// The usual ones.
std::vector<FigureAsk> usual_figures(const StagedPage& page);

}  // namespace glassformer
