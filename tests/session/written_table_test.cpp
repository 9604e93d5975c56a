// A table in each of its forms: one table of cases, a cell beside what every form makes of it.
#include "app/format/table.h"

#include <doctest/doctest.h>

#include <cmath>

namespace glassformer::written_table_test {

const double kNone = std::nan("");

TEST_CASE("every form has a cell in its own way, and takes hostile text for what it is") {
  struct Case {
    Cell cell;
    std::string csv, tex, html, markdown, text;
  };
  const std::vector<Case> cases = {
      {"two runs", "two runs", "two runs", "two runs", "two runs", "two runs"},
      {"", "", "", "", "", ""},
      {"heads, 4", "\"heads, 4\"", "heads, 4", "heads, 4", "heads, 4", "heads, 4"},
      {"a \"b\"", "\"a \"\"b\"\"\"", "a \"b\"", "a &quot;b&quot;", "a \"b\"", "a \"b\""},
      {"50% _x_ & #\\", "50% _x_ & #\\", "50\\% \\_x\\_ \\& \\#\\textbackslash{}", "50% _x_ &amp; #\\",
       "50% \\_x\\_ &amp; \\#\\\\", "50% _x_ & #\\"},
      {"<b>|'", "<b>|'", "<b>|'", "&lt;b&gt;|&#39;", "&lt;b&gt;\\|'", "<b>|'"},
      {"a\u0007 e\u0301", "a\uFFFD e\u0301", "a\uFFFD é", "a\uFFFD e\u0301", "a\uFFFD e\u0301",
       "a\uFFFD e\u0301"},
      {"…", "…", "\\dots", "…", "…", "…"},
      {"=1+1", "'=1+1", "=1+1", "=1+1", "=1+1", "=1+1"},
      {"@run", "'@run", "@run", "@run", "@run", "@run"},
      {" =1+1", "' =1+1", " =1+1", " =1+1", " =1+1", " =1+1"},
      {"-0.5", "-0.5", "-0.5", "-0.5", "-0.5", "-0.5"},
      {"+3", "'+3", "+3", "+3", "+3", "+3"},
      {"Ada; -cmd()", "\"Ada;' -cmd()\"", "Ada; -cmd()", "Ada; -cmd()", "Ada; -cmd()", "Ada; -cmd()"},
      {-0.25, "-0.25", "-0.25", "−0.25", "−0.25", "-0.25"},
      {1.0 / 3, "0.333333333333", "0.333", "0.333", "0.333", "0.333"},
      {kNone, "", "–", "–", "–", "-"},
      {Measured{{12.54, 0.31, 2}, 1}, "12.54", "$12.5 \\pm 0.3$", "12.5 ± 0.3", "12.5 ± 0.3", "12.5 ± 0.3"},
      {Measured{{-1, kNone, 1}, 2}, "-1", "$-1.00$", "−1.00", "−1.00", "-1.00"},
      {Measured{{kNone, kNone, 0}, 1}, "", "--", "–", "–", "-"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.csv);
    CAPTURE(each.text);
    const Table table{.columns = {"n", "c", "d"}, .rows = {{"n", each.cell, "d"}}};
    CHECK(to_csv(table) == "n,c,d\nn," + each.csv + ",d\n");
    CHECK(to_tex(table) == "\\begin{tabular}{lrr}\n\\toprule\nn & c & d \\\\\n\\midrule\nn & " + each.tex +
                               " & d \\\\\n\\bottomrule\n\\end{tabular}");
    CHECK(to_html(table).ends_with("<th scope=\"row\">n</th><td>" + each.html +
                                   "</td><td>d</td></tr>\n</table>\n"));
    CHECK(to_markdown(table) == "| n | c | d |\n| --- | ---: | ---: |\n| n | " + each.markdown + " | d |\n");
    CHECK(to_text(table).ends_with("  " + each.text + "  d\n"));
  }
}

TEST_CASE("heads are cells too, and values between tabs are quoted for their quotes alone") {
  const Table table{.title = "-cmd", .columns = {"=A1", "a_b"}, .rows = {{"@x", ","}, {"\t=x", "\""}}};
  CHECK(to_csv(table, "\r\n") == "'=A1,a_b\r\n'@x,\",\"\r\n '=x,\"\"\"\"\r\n");
  CHECK(to_csv(table, "\n", '\t') == "'=A1\ta_b\n'@x\t,\n '=x\t\"\"\"\"\n");
  CHECK(to_tex(table, "@{}").starts_with("\\begin{tabular}{@{}lr@{}}\n\\toprule\n=A1 & a\\_b \\\\\n"));
}

TEST_CASE("a table without heads has its title there, or leaves it to the page") {
  const Table facts{.title = "Model", .rows = {{"name", "a & b"}}};
  CHECK(
      to_tex(facts, "@{}") ==
      "\\begin{tabular}[t]{@{}lr@{}}\n\\toprule\n\\multicolumn{2}{@{}l@{}}{\\textbf{Model}} \\\\\n\\midrule\n"
      "name & a \\& b \\\\\n\\bottomrule\n\\end{tabular}");
  CHECK(to_markdown(facts) == "| Model |  |\n| --- | ---: |\n| name | a &amp; b |\n");
  CHECK(to_html(facts) == "<table>\n<tr><th scope=\"row\">name</th><td>a &amp; b</td></tr>\n</table>\n");
}

TEST_CASE("columns on the terminal are as wide as they need, words to the left") {
  const Table table{.columns = {"setting", "kind", "loss"},
                    .rows = {{"α β", "recurrent", Measured{{1, 0.5, 2}, 1}}, {"longer name", "", 2.0}},
                    .left = 2};
  CHECK(to_text(table) ==
        "setting      kind            loss\n"
        "α β          recurrent  1.0 ± 0.5\n"
        "longer name                     2\n");
}

}  // namespace glassformer::written_table_test
