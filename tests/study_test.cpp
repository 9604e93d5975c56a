// Studies: their files, what their results say, and the measures that are theirs alone.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "engine/analysis/statistics.h"
#include "engine/files/read_file.h"
#include "engine/model/batch.h"
#include "engine/train/study.h"
#include "tests/refusal.h"
#include "tests/source_folder.h"

namespace glassformer::study_test {

using testing::refusal;

const std::string kOwn =
    "title = Heads\nclaim = More heads are better.\nsource = Table 3\nexpect = 62.5 %, of course, yes\n"
    "measure = exact, loss, exact 9-16\n";
const std::string kSweep = "base = --task copy\nvary heads = 1, 4\nseeds = 1, 2, 3\ntest = held-out 5\n";
const std::string kAbove = "verdict = exact of \"heads 4\" above exact of \"heads 1\"\n";

Study study(const std::string& rules = kAbove) {
  return study_from_text(kOwn + kSweep + rules, "a/heads.study");
}

std::string refused(const std::string& text) {
  return refusal([&] { study_from_text(text, "s"); });
}

const std::string kHead = "setting,seed,steps,exact,loss,exact 9-16,seconds,processor,version\n";

std::string line(int heads, int seed, const std::string& exact, const std::string& loss = "0.5") {
  return "heads " + std::to_string(heads) + "," + std::to_string(seed) + ",30," + exact + "," + loss +
         ",,1.5,\"Some, processor\",0.1.0\n";
}

std::vector<StudyRun> runs(const std::string& lines) {
  return study_runs_from_text(study(), kHead + lines, "r.csv");
}

std::string refused_runs(const std::string& text) {
  return refusal([&] { study_runs_from_text(study(), text, "r.csv"); });
}

// Differences of 10, 20 and 30.
std::vector<StudyRun> three() {
  return runs(line(1, 1, "50") + line(4, 1, "60") + line(1, 2, "40") + line(4, 2, "60") + line(4, 3, "80") +
              line(1, 3, "50") + line(1, 4, "99"));
}

TEST_CASE("a study is a sweep with lines of its own") {
  const Study read = study(kAbove + "verdict = loss of \"heads 4\" within 0.5 of loss of \"heads 1\"\r\n");
  CHECK(read.name == "heads");
  CHECK(read.claim == "More heads are better.");
  CHECK(read.expected == 62.5);
  CHECK(read.expectation == "of course, yes");
  REQUIRE(read.measures.size() == 3);
  CHECK(read.measures[2].words == "exact match of lengths 9 to 16");
  CHECK(read.measures[2].key() == "exact-9-16");
  REQUIRE(read.rules.size() == 2);
  CHECK(read.rules[1].relation == StudyRelation::within);
  CHECK(read.rules[1].margin == 0.5);
  CHECK(read.rules[1].left.setting == 1);
  CHECK(read.sweep.settings[0].line == 7);  // as in the file
  CHECK(study_results_path("a/heads.study") == "a/heads.csv");
}

TEST_CASE("a wrong study is refused in a sentence with its line") {
  const auto begins = [](const std::string& text, const std::string& words) {
    INFO(text.substr(0, 80));
    const std::string found = refused(text);
    CHECK_MESSAGE(found.starts_with(words), found);
    CHECK(found.size() < 400);
  };
  begins("", "s:1: expected a line \"title = ...\", found the end of the file");
  begins("title = a\ntitle = b\n", "s:2: expected one line \"title\", found a second one");
  begins("title a\n", "s:1: expected \"=\", found \"a\"");
  begins("claim =\n", "s:1: expected words behind \"claim =\", found nothing");
  begins("claim = " + std::string(601, 'a') + "\n", "s:1: expected at most 600 bytes, found 601");
  begins("claim = \xFF\n", "s:1: expected text in UTF-8");
  begins(std::string("claim = a\0b\n", 12), "s:1: expected text, found a zero byte");
  for (const char* expect : {"70, a", "x %, a", "101 %, a", "70 %", "70 %,", "-1 %, a", "nan %, a"})
    begins(std::string("expect = ") + expect + "\n", "s:1: expected \"70 %, what one would expect\"");
  begins("measure = exact, speed\n",
         "s:1: expected a measure (exact A-B, right-at A-B, exact, bleu, loss, length, search-errors");
  begins("measure = exact 9-8\n", "s:1: expected a measure");
  begins("measure = exact,,loss\n", "s:1: expected a measure");
  begins("measure = loss, loss\n", "s:1: expected every measure once");
  begins(kOwn + kSweep, "s:9: expected a line \"verdict = ...\"");
  begins(kOwn + kAbove, "s:7: expected a line \"base");
  begins(kOwn + "hats = 2\n" + kSweep + kAbove, "s:6: expected base, vary");
  const auto rule = [&](const std::string& words, const std::string& expected) {
    begins(kOwn + kSweep + "verdict = " + words + "\n", "s:10: expected " + expected);
  };
  rule("exact", "MEASURE of \"SETTING\", found \"exact\"");
  rule("bleu of \"heads 4\" above exact of \"heads 1\"", "a measure of this study, found \"bleu\"");
  rule("exact of \"heads 4", "a second quote");
  rule("exact of \"heads 5\" above exact of \"heads 1\"", "a setting of this study, found \"heads 5\"");
  rule("exact of \"heads 4\" over exact of \"heads 1\"", "above, below or within, found \"over\"");
  rule("exact of \"heads 4\"", "above, below or within, found nothing");
  rule("exact of \"heads 4\" within 0 of exact of \"heads 1\"", "\"within NUMBER of\"");
  rule("exact of \"heads 4\" within 5", "\"within NUMBER of\"");
  rule("exact of \"heads 4\" above loss of \"heads 1\"", "two measures of one unit, found \"exact, loss\"");
  rule("exact of \"heads 4\" above exact of \"heads 1\" x", "nothing behind the second setting");
  rule("exact of \"heads 4\" above exact of \"heads 4\"", "two different numbers, found one and the same");
  const std::string whole = kOwn + kSweep + kAbove;
  for (std::size_t size = 0; size + 2 < whole.size(); ++size)
    CHECK(refused(whole.substr(0, size)) != "no error");
  std::string many;
  for (int i = 0; i < 21; ++i) many += kAbove;
  begins(many, "s:21: expected at most 20 verdicts");
  begins(std::string(1 << 20, 'x'), "s:1: expected a line \"title");
}

TEST_CASE("results are read with the same care") {
  CHECK(three().size() == 7);
  CHECK(three()[0].processor == "Some, processor");
  CHECK(std::isnan(three()[0].figures[2]));
  CHECK(refused_runs("") == "r.csv:1: expected a line of columns, found nothing");
  CHECK(refused_runs("setting,seed\n")
            .starts_with("r.csv:1: expected the columns \"setting,seed,steps,exact,"));
  CHECK(refused_runs(kHead + "heads 4,1\n") == "r.csv:2: expected 9 cells, found 2");
  CHECK(refused_runs(kHead + line(5, 1, "3")) ==
        "r.csv:2: expected a setting of a/heads.study, found \"heads 5\"");
  CHECK(refused_runs(kHead + line(4, 1, "x")) == "r.csv:2: expected a number as exact, found \"x\"");
  CHECK(refused_runs(kHead + line(4, -1, "3")) == "r.csv:2: expected a whole number as seed, found \"-1\"");
  CHECK(refused_runs(kHead + line(4, 1, "3") + line(4, 1, "4"))
            .starts_with("r.csv:3: expected every setting once"));
  CHECK(refused_runs(kHead + "\"heads 4,1\n") ==
        "r.csv:2: expected a second quote, found the end of the line");
  CHECK(refused_runs(kHead + "\xFF\n").starts_with("r.csv:2: expected text in UTF-8"));
  std::string many = kHead;
  for (int seed = 0; seed < 2001; ++seed) many += line(1, seed, "1");
  CHECK(refused_runs(many).starts_with("r.csv:2002: expected at most 2000 runs"));
}

TEST_CASE("an interval is Student's over the seeds, paired") {
  CHECK(student_t_95(2) == doctest::Approx(4.3027).epsilon(1e-4));
  CHECK(student_t_95(11) == doctest::Approx(2.2010).epsilon(1e-4));
  CHECK(student_t_95(30) == doctest::Approx(2.0423).epsilon(1e-4));
  CHECK(student_t_95(1000) == doctest::Approx(1.9623).epsilon(1e-4));
  CHECK(std::isinf(student_t_95(0)));
  const StudyMean mean = study_mean({10, 20, std::nan(""), 30});
  CHECK(mean.value.mean == 20);
  CHECK(mean.value.deviation == 10);
  CHECK(mean.high == doctest::Approx(20 + 4.30265 * 10 / std::sqrt(3.0)));
  CHECK(mean.low == doctest::Approx(20 - 24.8414));
  CHECK(std::isinf(study_mean({1}).high));
  CHECK(std::isnan(study_mean({}).value.mean));
  const RuleResult result = rule_result(study(), three(), study().rules[0]);
  CHECK(result.difference.value.count == 3);  // the fourth seed has no partner
  CHECK(result.difference.low == doctest::Approx(mean.low));
}

TEST_CASE("a verdict is where the interval lies, in words with its numbers") {
  const auto result = [](const std::string& rule, const std::vector<StudyRun>& all) {
    const Study one = study("verdict = exact of \"heads 4\" " + rule + " exact of \"heads 1\"\n");
    return rule_result(one, all, one.rules[0]);
  };
  CHECK(result("above", three()).sentence ==
        "Undecided (claimed: above): exact match with “heads 4” is 66.7 %, with “heads 1” 46.7 %: a "
        "difference of +20.0 points "
        "(95 % interval \u22124.8 to +44.8, 3 seeds).");
  const auto clear = runs(line(1, 1, "50") + line(4, 1, "60") + line(1, 2, "50") + line(4, 2, "61"));
  CHECK(result("above", clear).sentence ==
        "Holds (claimed: above): exact match with “heads 4” is 60.5 %, with “heads 1” 50.0 %: a difference "
        "of +10.5 points "
        "(95 % interval +4.1 to +16.9, 2 seeds).");
  CHECK(result("below", clear).verdict == Verdict::contrary);
  CHECK(result("below", clear).sentence.starts_with("The contrary (claimed: below): "));
  CHECK(result("within 17 of", clear).verdict == Verdict::holds);
  CHECK(result("within 17 of", clear).sentence.starts_with("Holds (claimed: at most 17 points apart): "));
  CHECK(result("within 10 of", clear).verdict == Verdict::undecided);
  CHECK(result("within 4 of", clear).verdict == Verdict::contrary);
  const auto single = runs(line(1, 1, "50") + line(4, 1, "60"));
  CHECK(result("above", single).verdict == Verdict::undecided);
  CHECK(result("above", single).sentence.ends_with("(one seed says nothing of its spread)."));
  CHECK(result("above", {}).sentence ==
        "Not run yet (claimed: above): exact match with “heads 4” against that with “heads 1”.");
  // As many digits as tell the ends of the interval apart.
  const auto near = runs(line(1, 1, "50") + line(4, 1, "50.01") + line(1, 2, "50") + line(4, 2, "50.012"));
  CHECK(result("above", near).sentence ==
        "Undecided (claimed: above): exact match with “heads 4” is 50.01 %, with “heads 1” 50.00 %: a "
        "difference of +0.01 "
        "points "
        "(95 % interval 0.00 to +0.02, 2 seeds).");
  // Equal to the last digit: no spread, and no difference.
  const auto equal = runs(line(1, 1, "50") + line(4, 1, "50") + line(1, 2, "50") + line(4, 2, "50"));
  CHECK(result("above", equal).verdict == Verdict::undecided);
  CHECK(result("within 1 of", equal).verdict == Verdict::holds);

  // Runs without the number say so; the others decide.
  const std::string hidden = "verdict = exact 9-16 of \"heads 4\" above exact 9-16 of \"heads 1\"\n";
  CHECK(study_verdict(study(hidden), clear) == Verdict::unmeasured);
  CHECK(study_verdict(study(kAbove + hidden), clear) == Verdict::in_part);
  const std::string loss = "verdict = loss of \"heads 4\" below loss of \"heads 1\"\n";
  CHECK(study_verdict(study(), {}) == Verdict::open);
  CHECK(study_verdict(study(), clear) == Verdict::holds);
  CHECK(study_verdict(study(kAbove + loss), clear) == Verdict::in_part);
  const std::string of = "verdict = exact of \"heads 4\" ", to = " exact of \"heads 1\"\n";
  CHECK(study_verdict(study(of + "below" + to + of + "within 10 of" + to), clear) == Verdict::undecided);
  CHECK(study_verdict(study(of + "below" + to + of + "within 4 of" + to), clear) == Verdict::contrary);
  CHECK(verdict_words(Verdict::in_part) == "holds in part");
}

TEST_CASE("a measure has a part, a range or neither, and says so") {
  const auto words = [](const char* name) { return study_measure(name, "s").words; };
  CHECK(words("lost cross 1.2") == "exact match lost without cross 1, head 2");
  CHECK(words("lost encoder 2") == "exact match lost without one head of encoder 2");
  CHECK(words("lost decoder") == "exact match lost without one head of decoder");
  CHECK(words("alignment cross 2.1") == "alignment error of cross 2, head 1");
  CHECK(words("alignment cross 2") == "alignment error of the mean of cross 2");
  CHECK(words("alignment gradient") == "alignment error of gradient × input");
  CHECK(words("right-at 9-12") == "words right of places 9 to 12");
  CHECK(words("gradient 1-50") == "gradient norm of steps 1 to 50");
  CHECK(study_measure("lost cross 1.2", "s").key() == "lost-cross-1-2");
  CHECK(study_measure("lost cross 1", "s").part == "one head of cross 1");
  for (const char* name :
       {"lost", "lost ", "lost cross 0", "lost cross 1.", "lost cross 1.0", "lost cross .1", "lost input 1",
        "lost cross 1 2", "alignment", "alignment cross", "alignment encoder 1", "alignment words", "exact 3",
        "gradient", "gradient 5-4", "bleu 4", ""})
    CHECK_MESSAGE(refusal([&] { study_measure(name, "s"); }).starts_with("s: expected a measure ("), name);
}

// Six heads in two layers, over three seeds.
const std::string kHeads =
    "title = T\nclaim = C.\nsource = S\nexpect = 5 %, no\nmeasure = exact, lost cross 1.1, lost cross 1.2\n"
    "measure = lost cross 1.3, lost cross 2.1, lost cross 2.2, lost cross 2.3, lost cross\n"
    "base = --task copy\nvariant \"whole\" =\nseeds = 1, 2, 3\ntest = held-out 5\n";

std::vector<StudyRun> runs_of_heads(const std::vector<std::vector<double>>& lost) {
  std::vector<StudyRun> runs;
  for (const std::vector<double>& each : lost) {
    StudyRun& run = runs.emplace_back();
    run.seed = runs.size();
    run.seconds = 2;
    run.figures = {90};
    run.figures.insert(run.figures.end(), each.begin(), each.end());
    run.figures.push_back(7);
  }
  return runs;
}

TEST_CASE("whether heads are alike over seeds is a rank correlation, in their layers or over all") {
  const Study of_all = study_from_text(kHeads + "verdict = lost alike\n", "h.study");
  const Study in_layer = study_from_text(kHeads + "verdict = lost alike in a layer\n", "h.study");
  const auto said = [](const Study& of, const std::vector<std::vector<double>>& lost) {
    return rule_result(of, runs_of_heads(lost), of.rules[0]).sentence;
  };
  // The second layer always loses more; inside a layer the order turns. Two of three pairs of seeds have
  // ranks 1 to 6 against 3 2 1 6 5 4, 1 - 6 * 16 / 210, one has equal ones.
  const std::vector<std::vector<double>> turning = {
      {1, 2, 3, 11, 12, 13}, {3, 2, 1, 13, 12, 11}, {1, 2, 3, 11, 12, 13}};
  CHECK(
      said(of_all, turning) ==
      "Holds: exact match lost without each of 6 heads in one seed and in another have a rank correlation of "
      "+0.70 (chance alone stays within ±0.51, 3 pairs of seeds).");
  CHECK(said(in_layer, turning)
            .starts_with(
                "Undecided: exact match lost without each of 6 heads, against the mean of its layer, in "
                "one seed and in another have a rank correlation of \u22120.33 (chance alone stays "
                "within ±0.57"));
  CHECK(
      said(in_layer, {{1, 2, 3, 11, 12, 13}, {0, 4, 9, 0, 1, 2}, {1, 2, 3, 4, 5, 6}}).starts_with("Holds: "));
  CHECK(said(of_all, {{1, 2, 3, 4, 5, 6}, {2, 1, 4, 3, 6, 5}})
            .starts_with("Undecided: "));  // two seeds: too few
  // Equal heads are equal, however their mean is rounded.
  CHECK(said(in_layer, {{.1, .1, .1, 0, 0, 0}, {.1, .1, .1, 0, 0, 0}}).starts_with("Without a number: "));
  CHECK(study_verdict(of_all, {}) == Verdict::open);
  CHECK(rank_correlation({1, 2, 3}, {10, 30, 20}) == doctest::Approx(0.5));
  CHECK(rank_correlation({1, 1, 2}, {5, 5, 9}) == doctest::Approx(1));
  CHECK(std::isnan(rank_correlation({1, 1}, {1, 2})));
  CHECK(std::isnan(rank_correlation({std::nan(""), 1, 2}, {1, 2, 3})));
  const auto wrong = [](const std::string& rule) {
    return refusal([&] { study_from_text(kHeads + "verdict = " + rule + "\n", "h"); });
  };
  CHECK(wrong("exact alike").starts_with("h:11: expected one setting and a measure of three heads or more"));
  CHECK(wrong("alike").starts_with("h:11: expected MEASURE of"));
}

TEST_CASE("a study of one setting sets its measures beside each other, or against a number") {
  const Study one =
      study_from_text(kHeads +
                          "verdict = lost cross 1.1 of \"whole\" above 2\n"
                          "verdict = lost cross 1.1 of \"whole\" below lost cross of \"whole\"\n",
                      "h.study");
  const auto runs = runs_of_heads({{3, 0, 0, 0, 0, 0}, {4, 0, 0, 0, 0, 0}});
  CHECK(rule_result(one, runs, one.rules[0])
            .sentence.starts_with(
                "Undecided (claimed: above): exact match lost without cross 1, head 1 is 3.5 % "
                "(against 2.0 %): a difference of +1.5 "));
  CHECK(rule_result(one, runs, one.rules[1])
            .sentence.starts_with(
                "Undecided (claimed: below): exact match lost without cross 1, head 1 is 3.5 %, "
                "without one head of cross 7.0 %: a difference of \u22123.5 points"));
  const Study first = study_from_text(kHeads + "verdict = exact of \"whole\" above 2\n", "h.study");
  CHECK(rule_result(first, runs, first.rules[0])
            .sentence.starts_with("Holds (claimed: above): exact match is 90.0 % "));
  CHECK(rule_result(first, {}, first.rules[0]).sentence ==
        "Not run yet (claimed: above): exact match against 2.0 %.");
  const std::vector<StudyBand> bands = study_bands(one, 1);
  REQUIRE(bands.size() == 7);
  CHECK(bands[0].name == "cross 1, head 1");
  CHECK(bands[6].name == "one head of cross");
  CHECK(study_bands(one, 0)[0].name == "whole");
  CHECK(study_pictures(one) == std::vector<std::size_t>{0, 1});
  CHECK(picture_words(one, 3) == "exact match lost");
  CHECK(study_bands(study(), 1)[1].name == "heads 4");
  CHECK(study_pictures(study()).size() == 3);
  CHECK(training_seconds(one, runs) == 4);
  const Study shared = study_from_text(
      "title = T\nclaim = C.\nsource = S\nexpect = 5 %, no\nmeasure = exact\nbase = --task copy\n"
      "variant \"a\" =\nvariant \"b\" = --beam 2\ntest = held-out 5\nverdict = exact of \"b\" above exact of "
      "\"a\"\n",
      "s.study");
  const auto of_beams = study_runs_from_text(
      shared, "setting,seed,steps,exact,seconds,processor,version\na,1,3,4,5,p,v\nb,1,3,4,5,p,v\n", "s.csv");
  CHECK(training_seconds(shared, of_beams) == 5);
}

TEST_CASE("a number of a study is known by name") {
  const auto number = [](const std::string& key) { return study_number(study(), three(), key); };
  CHECK(number("exact.heads-1.mean") == doctest::Approx((50 + 40 + 50 + 99) / 4.0));
  CHECK(number("exact.heads-4.seeds") == 3);
  CHECK(number("difference.1.mean") == 20);
  CHECK(number("difference.1.deviation") == 10);
  CHECK(number("difference.1.low") == doctest::Approx(-4.8414));
  CHECK(number("verdict") == 0);
  CHECK(number("verdict.1") == 0);
  for (const char* key :
       {"", "exact", "exact.mean", "exact.heads-4", "exact.heads-5.mean", "bleu.heads-4.mean",
        "exact.heads-4.median", "difference.2.mean", "difference.mean", "verdict.0", "verdict."})
    CHECK_MESSAGE(
        refusal([&] { number(key); }).starts_with("study heads: expected a number such as exact.heads-1"),
        key);
}

TEST_CASE("calibration and saturation are counted as by hand") {
  ForcedCounts counts;
  CHECK(std::isnan(counts.calibration_error()));
  CHECK(std::isnan(counts.saturated_rows()));
  // Three words at probability 3/4 of which two are right: |3 * 0.75 - 2| / 3.
  Batch batch;
  Saved<float> saved;
  batch.target_out.add(std::vector<int>{0, 0, 1});
  saved.logits = Matrix<float>::Zero(4, 2);  // room for a larger batch
  saved.logits.col(0).setConstant(std::log(3.0F));
  // Two queries, two keys, two heads, causal: the first query sees one key.
  saved.decoder_plan.spans = {{.queries = 2, .keys = 2}};
  saved.decoder_plan.causal = true;
  saved.decoder_layers.resize(1);
  saved.decoder_layers[0].self_attention.weights.resize(8, 1);
  saved.decoder_layers[0].self_attention.weights << 1, 0, 0.005F, 0.995F, 1, 0, 0.5F, 0.5F;
  counts.look()(batch, saved, 2);
  CHECK(counts.calibration_error() == doctest::Approx(100 * 0.25 / 3));
  CHECK(counts.saturated_rows() == doctest::Approx(50));
}

TEST_CASE("every study that comes with the program says what its results say") {
  const std::string table = read_file(source_folder() + "/assets/studies/README.md", 1 << 20);
  int studies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/assets/studies")) {
    if (entry.path().extension() != ".study") continue;
    INFO(entry.path().string());
    const Study each = read_study(entry.path().string());
    CHECK(each.sweep.seeds.size() >= 5);
    ++studies;
    const std::string results = study_results_path(entry.path().string());
    if (!std::filesystem::exists(results)) continue;  // not run yet
    const std::vector<StudyRun> all = read_study_runs(each, results);
    CHECK(all.size() == planned_runs(each.sweep).size());
    CHECK(study_verdict(each, all) != Verdict::open);
    for (const StudyRule& rule : each.rules) {
      const RuleResult result = rule_result(each, all, rule);
      CHECK(result.sentence.find("nothing") == std::string::npos);
      // The table of all studies has it, less its capital and its full stop.
      CHECK_MESSAGE(table.find(result.sentence.substr(1, result.sentence.size() - 2)) != std::string::npos,
                    result.sentence);
    }
  }
  CHECK(studies >= 12);
}

}  // namespace glassformer::study_test
