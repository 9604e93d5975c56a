// A report is a folder that needs nothing else, escapes what is hostile, and is in nobody's way; its
// command lines are tried by report_command_test.sh.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "app/canvas/file_canvas.h"
#include "app/format/latex.h"
#include "app/format/number_format.h"
#include "app/lessons/session_text.h"
#include "app/report/report_folder.h"
#include "app/report/report_tables.h"
#include "app/report/session_figure.h"
#include "engine/files/read_file.h"
#include "tests/refusal.h"
#include "tests/ui/small_program.h"

using namespace glassformer;
using glassformer::testing::refusal;

namespace {

namespace fs = std::filesystem;

constexpr const char* kHostile =
    "<script>alert(1)</script> a|b & \\input{x} $5 50% #1 _x_ `y` ~ ^ \"q\" → 中";

Report hostile_report() {
  Report report;
  report.title = report.by = report.source = report.translation = report.loss = kHostile;
  report.changes = {kHostile};
  report.tables = {{.title = kHostile, .rows = {{kHostile, kHostile}}}};
  report.training = kHostile;
  ReportFigure figure;
  figure.name = "1-attention";
  figure.svg =
      "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\"704\">"
      "<clipPath id=\"c1\"/><rect clip-path=\"url(#c1)\"/><text>id=&quot;c1&quot;</text></svg>";
  figure.words.title = kHostile;
  figure.words.sentences = {kHostile, kHostile};
  figure.words.tables = {{.title = kHostile, .columns = {"", kHostile}, .rows = {{kHostile, 0.5}}}};
  figure.shows = kHostile;
  figure.commands = {kHostile};
  report.figures = {figure, figure};
  report.runs = RunsTable{.printed = {.title = kHostile,
                                      .columns = {"Run", kHostile},
                                      .rows = {{kHostile, kHostile}},
                                      .note = kHostile},
                          .csv = "name\n"};
  report.all_tables = true;
  return report;
}

// Elements that are opened and not closed, or the other way round; empty: none.
std::string unbalanced(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return "an open tag";
    const std::string tag = html.substr(at + 1, end - at - 1);
    if (tag.starts_with('!') || tag.starts_with('?') || tag.ends_with('/')) continue;
    const std::string name =
        tag.substr(tag.starts_with('/') ? 1 : 0, tag.find_first_of(" \n") - (tag.starts_with('/') ? 1 : 0));
    if (name == "meta") continue;
    if (!tag.starts_with('/')) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

std::vector<SceneLine> lines_for(const std::string& model, const std::string& view = "attention") {
  ReadSession read = read_session("glassformer session 1\nmodel " + model +
                                  "\nsource the cat sees a bird\nview " + view + "\n");
  REQUIRE(read.errors.empty());
  return std::move(read.lines);
}

std::size_t count_in(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// As they are counted on paper: without tags, style and drawings.
std::size_t words_outside_drawings(const std::string& html) {
  std::string text;
  for (std::size_t at = 0; at < html.size();) {
    if (html[at] != '<') {
      text += html[at++];
      continue;
    }
    std::string end = ">";
    for (const char* whole : {"svg", "style"})
      if (html.compare(at + 1, std::string(whole).size(), whole) == 0) end = "</" + std::string(whole) + ">";
    at = html.find(end, at) + end.size();
    text += ' ';
  }
  std::istringstream words(text);
  return static_cast<std::size_t>(
      std::distance(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()));
}

}  // namespace

TEST_CASE("what is hostile in names and sentences is text on every page") {
  const Report report = hostile_report();
  const std::string html = report_html(report);
  CHECK_FALSE(contains(html, "<script"));
  CHECK(contains(html, "&lt;script&gt;alert(1)&lt;/script&gt; a|b &amp; "));
  CHECK(unbalanced(html).empty());
  CHECK(unbalanced("<p><b></p>") == "</p>");
  // Both drawings have names of their own, and words that look like names stay.
  CHECK(count_in(html, "id=\"f1-c1\"") == 1);
  CHECK(count_in(html, "url(#f2-c1)") == 1);
  CHECK(count_in(html, "id=&quot;c1&quot;") == 2);

  const std::string markdown = report_markdown(report);
  CHECK(markdown.find("# &lt;script&gt;alert(1)&lt;/script&gt; a\\|b &amp; ") == 0);
  // In code it is unchanged, behind four blanks.
  CHECK(count_in(markdown, "<script>") == count_in(markdown, "\n    <script>"));
  const std::string latex = report_latex(report);
  CHECK_FALSE(contains(latex, "\\input{x}"));
  const std::string letters = tex_letters(latex);
  CHECK(contains(letters, "{4E2D}{[4E2D]}"));
  CHECK(latex.find(letters) < latex.find("\\begin{document}"));
  CHECK(contains(latex, "\\textbackslash{}input\\{x\\} \\$5 50\\% \\#1 \\_x\\_"));
}

TEST_CASE("the usual report is short, and its drawings are shapes alone") {
  const ScratchFolder scratch;
  const std::vector<SceneLine> lines = lines_for(model_folder(scratch));
  LessonStage stage;
  const StagedPage page = staged_session(stage, "session", lines);
  const auto report =
      make_report({.title = "Mine", .figures = usual_figures(page), .latex = writes_pdf()}, lines);
  REQUIRE(report);
  REQUIRE(report->figures.size() >= 5);
  const std::string html = report_html(*report);
  CHECK(words_outside_drawings(html) <= 800);
  CHECK(count_in(html, "<table>") == 3);  // the facts; the numbers are in files
  for (const ReportFigure& figure : report->figures)
    CHECK(contains(html, "<a href=\"numbers/" + figure.name + ".csv\">"));
  for (const char* heavy : {"<pattern", "url(#hatch", " opacity=", "<desc>"}) {
    CAPTURE(heavy);
    CHECK_FALSE(contains(html, heavy));
  }
  CHECK(count_in(html, "<title>") == 1);  // of the page
  // Groups are of clips and grids, not of shapes.
  CHECK(count_in(html, "<g ") < 40 * report->figures.size());
  // One head and all of them are not said to show the same.
  std::vector<std::string> shows;
  for (const ReportFigure& figure : report->figures) shows.push_back(figure.shows);
  std::ranges::sort(shows);
  CHECK(std::ranges::adjacent_find(shows) == shows.end());
  // Each figure is where its text is.
  CHECK_FALSE(contains(report_latex(*report), "\\begin{figure}"));
}

TEST_CASE("all tables stand under their figures, and the table of runs behind them, on all three pages") {
  const ScratchFolder scratch;
  const std::vector<SceneLine> lines = lines_for(model_folder(scratch));
  KeptRun first{.name = "first <run>", .folder = "first"}, second{.name = "second", .folder = "second"};
  first.record.last_step = 1200;
  second.record.last_step = 800;
  std::get<Config>(first.config).heads = 4, std::get<Config>(second.config).heads = 2;
  ReportRequest request{
      .title = "Mine", .figures = {{"attention", "cross", "one-head"}, {"output"}}, .latex = writes_pdf()};
  const auto plain = make_report(request, lines);
  request.all_tables = true;
  request.runs = [&] {
    const std::vector<KeptRun> runs{first, second};
    return runs_table(runs, run_rows(runs, "", false), differences(runs), {});
  };
  const auto report = make_report(request, lines);
  REQUIRE(report);
  REQUIRE(plain);
  const std::string weight =
      format_short(std::get<double>(report->figures[0].words.tables.front().rows.front()[1]));
  std::size_t tables = 0;
  for (const ReportFigure& figure : report->figures) tables += figure.words.tables.size();
  const std::string html = report_html(*report), latex = report_latex(*report),
                    markdown = report_markdown(*report);
  CHECK(count_in(html, "<table>") == 3 + tables + 1);
  CHECK(unbalanced(html).empty());
  CHECK(count_in(latex, "\\resizebox{\\ifdim") == tables + 1);
  for (const std::string& page : {html, latex, markdown}) {
    CHECK(contains(page, weight));
    CHECK(contains(page, "second"));
    CHECK(contains(page, "heads"));
  }
  CHECK(contains(html, "first &lt;run&gt;"));
  CHECK(contains(html, "<a href=\"numbers/runs.csv\">"));
  CHECK(contains(report->runs->csv, "first <run>,1,1200"));
  CHECK(count_in(report_html(*plain), "<table>") == 3);
  CHECK_FALSE(contains(report_html(*plain), "second"));
}

TEST_CASE("a figure of other models says what makes its numbers, and alone has no facts of this one") {
  const ScratchFolder scratch;
  const auto lines = lines_for(model_folder(scratch), "studies\nset Study \"Beam search\"");
  const auto alone = make_report({.figures = {{"studies"}}, .latex = writes_pdf()}, lines),
             beside = make_report({.figures = {{"attention"}, {"studies"}}, .latex = writes_pdf()}, lines);
  REQUIRE(alone);
  REQUIRE(beside);
  for (const auto page : {report_html, report_markdown, report_latex}) {
    const bool latex = page == report_latex;
    const std::string run = latex ? "study beam {-}{-}run {-}{-}source FILE {-}{-}target FILE"
                                  : "glassformer study beam --run --source FILE --target FILE";
    CHECK(contains(page(*alone), run));
    CHECK(contains(page(*alone), "The numbers of figure 1 come from the runs of a study."));
    for (const char* of_model : {"the cat sees a bird", "Sentence", "Changes", "The weights"})
      CHECK_FALSE(contains(page(*alone), of_model));
    CHECK(contains(page(*beside), run));
    CHECK(contains(page(*beside), "The numbers of figure 2 come from"));
    CHECK(contains(page(*beside), "Sentence"));
    CHECK(contains(page(*beside), "The weights are those"));
  }
  CHECK(alone->tables.empty());
  CHECK(beside->tables.size() == 3);
  CHECK(alone->title == "Training, Studies");
}

TEST_CASE("the next free folder counts on from a number") {
  const ScratchFolder scratch;
  const std::string first = scratch.path("report");
  CHECK(free_report_folder(first) == first);
  for (const char* taken : {"report", "report-2", "report-9", "2026"}) {
    fs::create_directory(scratch.path(taken));
    std::ofstream(scratch.path(taken) + "/notes.txt") << "mine";
  }
  CHECK(free_report_folder(first) == first + "-3");
  CHECK(free_report_folder(first + "-2") == first + "-3");
  CHECK(free_report_folder(first + "-9") == first + "-10");
  CHECK(free_report_folder(scratch.path("2026")) == scratch.path("2026-2"));
}

TEST_CASE("a report is whole: pages with nothing from outside, figures, numbers, session, model") {
  const ScratchFolder scratch;
  const std::string model = model_folder(scratch), folder = scratch.path("report");
  const ReportRequest request{.title = "Mine",
                              .name = "Ada",
                              .course = "",
                              .date = "1 May 2026",
                              .figures = {{"attention"}, {"attention", "encoder", "all-heads"}, {"output"}},
                              .latex = writes_pdf(),
                              .with_model = true};
  const auto written = write_report(folder, request, lines_for(model));
  REQUIRE(written);
  for (const char* name : {"index.html", "report.md", "session.glassformer", "figures/1-attention.svg",
                           "figures/2-attention-encoder.png", "figures/3-output.caption.txt",
                           "numbers/3-output.csv", "model/config.json", "model/weights.safetensors"}) {
    CAPTURE(name);
    CHECK(fs::file_size(folder + "/" + name) > 0);
  }
  for (const char* name : {"report.tex", "figures/3-output.pdf"})
    CHECK(fs::exists(folder + "/" + name) == writes_pdf());
  const std::string html = read_file(folder + "/index.html");
  CHECK(unbalanced(html).empty());
  for (const char* outside : {" src=", "<link", "<script", "@import", "href=\"http", "url(http", "<iframe"})
    CHECK_FALSE(contains(html, outside));
  CHECK(count_in(html, "<svg ") == 3);
  CHECK(count_in(html, "role=\"img\" aria-label=\"") == 3);
  CHECK(contains(html, "@page { size: A4"));
  CHECK(contains(html, "<title>Mine</title>"));
  CHECK(contains(html, "Report by Ada. Made with Glassformer"));
  CHECK(contains(read_file(folder + "/session.glassformer"), "\nmodel ./model\n"));
  if (writes_pdf()) CHECK(contains(read_file(folder + "/report.tex"), "\\toprule"));
  CHECK(report_place(folder) == ReportPlace::report);
  CHECK(free_report_folder(folder) == folder + "-2");

  // Once more in its place: what it has no use for any more is gone.
  ReportRequest less = request;
  less.figures = {{"output"}};
  less.latex = less.with_model = false;
  REQUIRE(write_report(folder, less, lines_for(model)));
  CHECK_FALSE(fs::exists(folder + "/figures/1-attention.svg"));
  CHECK_FALSE(fs::exists(folder + "/report.tex"));
  CHECK_FALSE(fs::exists(folder + "/model/weights.safetensors"));
  CHECK(report_place(folder) == ReportPlace::report);
}

TEST_CASE("nothing of anybody's is replaced") {
  const ScratchFolder scratch;
  const std::string model = model_folder(scratch), folder = scratch.path("report");
  const ReportRequest request{.figures = {{"output"}}};
  REQUIRE(write_report(folder, request, lines_for(model)));
  std::ofstream(folder + "/report.md", std::ios::app) << "What I think of it.\n";
  CHECK(report_place(folder) == ReportPlace::others);
  const std::string mine = read_file(folder + "/report.md");
  CHECK(contains(refusal([&] { write_report(folder, request, lines_for(model)); }), "choose a new folder"));
  CHECK(read_file(folder + "/report.md") == mine);

  // Changed figures and numbers too, and a link in the place of a page; a report that fails or is stopped
  // leaves the one before.
  const std::string kept = scratch.path("kept");
  REQUIRE(write_report(kept, request, lines_for(model)));
  const std::string page = read_file(kept + "/index.html");
  int moments = 0;
  CHECK_FALSE(write_report(kept, request, lines_for(model), [&](double) { return ++moments < 6; }));
  const ReportRequest wrong{.figures = {{"output"}, {"output", "", "no such part"}}};
  CHECK_FALSE(refusal([&] { write_report(kept, wrong, lines_for(model)); }).empty());
  CHECK(read_file(kept + "/index.html") == page);
  CHECK(report_place(kept) == ReportPlace::report);
  fs::rename(kept + "/report.md", scratch.path("report.md"));
  fs::create_symlink(scratch.path("report.md"), kept + "/report.md");
  CHECK(report_place(kept) == ReportPlace::others);
  fs::remove(kept + "/report.md");
  CHECK(report_place(kept) == ReportPlace::report);
  std::ofstream(kept + "/numbers/1-output.csv", std::ios::app) << "mine\n";
  CHECK(report_place(kept) == ReportPlace::others);

  // A foreign file; a model; a file in the place of the folder.
  const std::string other = scratch.path("other");
  REQUIRE(write_report(other, request, lines_for(model)));
  std::ofstream(other + "/notes.txt") << "mine";
  CHECK(report_place(other) == ReportPlace::others);
  CHECK(report_place(model) == ReportPlace::others);
  std::ofstream(scratch.path("file")) << "mine";
  CHECK(report_place(scratch.path("file")) == ReportPlace::others);
  CHECK(report_place(scratch.path("nothing")) == ReportPlace::free);
}

TEST_CASE("stopped at any moment, or unable to draw, it leaves nothing") {
  const ScratchFolder scratch;
  const std::string model = model_folder(scratch), folder = scratch.path("report");
  for (const bool with_model : {false, true}) {
    const ReportRequest request{.figures = {{"output"}}, .with_model = with_model};
    int moments = 0;
    REQUIRE(write_report(folder, request, lines_for(model), [&](double) { return ++moments > 0; }));
    fs::remove_all(folder);
    REQUIRE(moments > 6);
    for (int stop = 1; stop <= moments; ++stop) {
      CAPTURE(stop);
      int at = 0;
      CHECK_FALSE(write_report(folder, request, lines_for(model), [&](double) { return ++at < stop; }));
      CHECK_FALSE(fs::exists(folder));
    }
    // An empty folder of the person's own stays.
    fs::create_directory(folder);
    int at = 0;
    CHECK_FALSE(write_report(folder, request, lines_for(model), [&](double) { return ++at < moments; }));
    CHECK(fs::is_empty(folder));
    fs::remove_all(folder);
  }
  const ReportRequest wrong{.figures = {{"output"}, {"output", "", "no such part"}}};
  CHECK_FALSE(refusal([&] { write_report(folder, wrong, lines_for(model)); }).empty());
  CHECK_FALSE(fs::exists(folder));
}

TEST_CASE("views for a report are named as on the command line") {
  const auto asks = figures_named("attention:encoder, head,output");
  REQUIRE(asks.size() == 3);
  CHECK(asks[0] == FigureAsk{"attention", "encoder"});
  CHECK(asks[1] == FigureAsk{"head"});
  CHECK(contains(refusal([] { figures_named("atention"); }), "“atention” is none of: "));
  CHECK(contains(refusal([] { figures_named("head:both"); }), "expected encoder, decoder or cross"));
  CHECK(contains(refusal([] { figures_named(" , "); }), "at least one"));
}
