// glassformer study: what is claimed about Transformers, and what runs over several seeds say of it.
#include "engine/train/study.h"

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/commands/lines.h"
#include "app/commands/sweep_work.h"
#include "app/format/number_format.h"
#include "app/format/study_tables.h"
#include "app/session/kept_studies.h"
#include "engine/files/atomic_file.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;

struct StudyArguments {
  std::string name;
  bool run = false, write = false;
  std::vector<std::uint64_t> seeds;
  std::string source, target;  // in place of the study's own
  SweepPlan plan;
};

// One that comes with the program, by its name, or a file of one's own.
std::string file_of(const std::string& name) {
  if (name.ends_with(".study") || name.find('/') != std::string::npos) return name;
  std::string names;
  for (const std::string& file : study_files()) {
    const std::string known = fs::path(file).stem().string();
    if (known == name) return file;
    names += (names.empty() ? "" : ", ") + known;
  }
  throw Error("study", as_found(name) + " is none of " + names + ", and no file NAME.study");
}

nlohmann::json json_of(const StudyMean& mean) {
  return {{"mean", mean.value.mean},
          {"deviation", mean.value.deviation},
          {"low", mean.low},
          {"high", mean.high},
          {"seeds", mean.value.count}};
}

nlohmann::json json_of(const KeptStudy& kept) {
  const Study& study = kept.study;
  nlohmann::json rules = nlohmann::json::array(), settings = nlohmann::json::array();
  for (const StudyRule& rule : study.rules) {
    const RuleResult result = rule_result(study, kept.runs, rule);
    rules.push_back({{"verdict", verdict_words(result.verdict)},
                     {"difference", json_of(result.difference)},
                     {"sentence", result.sentence}});
  }
  for (std::size_t i = 0; i < study.sweep.settings.size(); ++i) {
    const SweepSetting& setting = study.sweep.settings[i];
    nlohmann::json figures;
    for (std::size_t measure = 0; measure < study.measures.size(); ++measure)
      figures[study.measures[measure].name] = json_of(study_mean(kept.runs, {measure, i}));
    settings.push_back({{"setting", setting.name},
                        {"options", setting.options},
                        {"search", setting.search},
                        {"figures", std::move(figures)}});
  }
  return {{"study", study.name},
          {"title", study.title},
          {"claim", study.claim},
          {"source", study.source},
          {"expected", study.expected},
          {"expectation", study.expectation},
          {"verdict", verdict_words(study_verdict(study, kept.runs))},
          {"rules", std::move(rules)},
          {"settings", std::move(settings)},
          {"runs", kept.runs.size()},
          {"seconds", training_seconds(study, kept.runs)}};
}

void print(const KeptStudy& kept) {
  const Study& study = kept.study;
  std::string text = study.title + "\nClaim: " + study.claim + "\nSource: " + study.source +
                     "\nExpected: " + format_fixed(study.expected, 0) + " %, " + study.expectation + "\n";
  if (!kept.runs.empty()) text += "\nMean ± deviation over seeds\n" + to_text(study_table(study, kept.runs));
  text += "\n";
  for (const StudyRule& rule : study.rules) text += rule_result(study, kept.runs, rule).sentence + "\n";
  std::cout << to_file_text(text) << "Verdict: " << verdict_words(study_verdict(study, kept.runs)) << "\n";
}

int list_studies(bool json) {
  nlohmann::json all = nlohmann::json::array();
  Table table{.columns = {"study", "title", "expected", "runs", "seconds", "verdict"}, .left = 2};
  for (const std::string& file : study_files()) {
    const KeptStudy kept = kept_study(file);
    if (json) all.push_back(json_of(kept));
    table.rows.push_back({kept.study.name, kept.study.title, format_fixed(kept.study.expected, 0) + " %",
                          std::to_string(kept.runs.size()),
                          format_fixed(training_seconds(kept.study, kept.runs), 0),
                          verdict_words(study_verdict(kept.study, kept.runs))});
  }
  if (json)
    print_json(all);
  else
    std::cout << to_text(table);
  return 0;
}

std::vector<StudyRun> runs_of(const SweepResults& results, const Study& study) {
  std::vector<StudyRun> runs;
  for (const SweepResult& result : results.runs) {
    if (!result.score) continue;
    const auto& figures = result.score->figures;
    StudyRun& run = runs.emplace_back(StudyRun{.setting = result.run.setting,
                                               .seed = result.run.seed,
                                               .steps = static_cast<long>(figures.at("steps")),
                                               .figures = {},
                                               .seconds = figures.at("seconds"),
                                               .processor = result.processor,
                                               .version = result.version});
    for (const StudyMeasure& measure : study.measures) run.figures.push_back(figures.at(measure.name));
  }
  return runs;
}

// The same options with other files of pairs.
void read_pairs_of(Sweep& sweep, const std::string& source, const std::string& target) {
  if (source.empty()) return;
  bool named = false;
  for (SweepSetting& setting : sweep.settings)
    for (const auto& [option, file] : {std::pair("--source=", source), std::pair("--target=", target)})
      for (std::string& word : setting.options)
        if (word.starts_with(option)) word = option + file, named = true;
  if (!named) throw Error(sweep.path, "it has data of its own; leave out --source and --target");
}

// What only the data can tell is asked before the first run.
void check_data_of(const Sweep& sweep, const std::vector<StudyMeasure>& measures) {
  const auto aligned = [](const StudyMeasure& measure) { return measure.name.starts_with("alignment "); };
  const bool wants_links = std::ranges::any_of(measures, aligned);
  for (const SweepSetting& setting : sweep.settings) {
    bool grammar = false;
    for (const std::string& option : setting.options) {
      grammar = grammar || option.starts_with("--grammar=");
      const std::string file = option.substr(option.find('=') + 1);
      if ((option.starts_with("--source=") || option.starts_with("--target=")) && !fs::exists(resolved(file)))
        throw Error(
            sweep_place(sweep, setting.line),
            "its pairs, " + file + ", are not there; take a copy of your own by --source FILE --target FILE");
    }
    if (wants_links && !grammar)
      throw Error(sweep_place(sweep, setting.line),
                  "expected --grammar, whose word alignments are known, found none");
  }
}

// A run needs none, so those of an older form of the study are left aside.
KeptStudy known_results(const std::string& file) {
  KeptStudy kept{.file = file, .study = read_study(file), .runs = {}};
  try {
    return kept_study(file);
  } catch (const Error& error) {
    print_notes({"the known results are not compared: " + std::string(error.what())}, kept.study.name);
    return kept;
  }
}

int run_study(const KeptStudy& kept, StudyArguments arguments) {
  const Study& study = kept.study;
  SweepPlan& plan = arguments.plan;
  if (plan.out.empty()) {
    plan.out = studies_folder(study.name);
    create_folder(fs::path(plan.out).parent_path().string());
  }
  plan.measures = study.measures;
  Sweep sweep = study.sweep;
  if (!arguments.seeds.empty()) sweep.seeds = arguments.seeds;
  read_pairs_of(sweep, arguments.source, arguments.target);
  check_data_of(sweep, study.measures);
  const auto csv = [&](const SweepResults& results) {
    return to_csv(study_results(study, runs_of(results, study)));
  };
  // Other seeds do not replace what the study's own came to.
  const bool others = sweep.seeds != study.sweep.seeds;
  plan.files = {{study.name + (others ? "-other-seeds.csv" : ".csv"), csv}};
  const std::optional<SweepResults> results = carry_out(sweep, plan);
  if (!results) return 0;
  const KeptStudy here{.file = kept.file, .study = study, .runs = runs_of(*results, study)};
  const bool whole = exit_code(*results) == 0;
  if (arguments.write && whole) write_atomically(study_results_path(kept.file), csv(*results));
  const Verdict known = study_verdict(study, kept.runs);
  if (plan.json) {
    nlohmann::json json = json_of(here);
    json.update({{"finished", true}, {"known_verdict", verdict_words(known)}, {"out", plan.out}});
    print_json(json);
  } else {
    print(here);
    if (known != Verdict::open && sweep.seeds.size() < 2)
      std::cout << "One seed cannot decide; the known results say: " << verdict_words(known) << "\n";
    else if (known != Verdict::open && whole)
      std::cout << (rule_verdicts(study, kept.runs) == rule_verdicts(study, here.runs)
                        ? "The known results say so too"
                        : "The known results say otherwise: " + verdict_words(known))
                << "\n";
  }
  for (const SweepResult& result : results->runs)
    if (!result.problem.empty()) std::cerr << message_text(result.run.name + ": " + result.problem) << "\n";
  if (whole) return 0;
  const auto failed =
      std::ranges::find_if(results->runs, [](const SweepResult& result) { return !result.problem.empty(); });
  throw Error("study", "not every run came to its end (" + failed->run.name + ": " + failed->problem +
                           "); the same command goes on");
}

int work_on(const StudyArguments& arguments) {
  if (arguments.name.empty()) {
    if (arguments.run) throw CLI::ValidationError("--run needs the name of a study");
    return list_studies(arguments.plan.json);
  }
  const std::string file = file_of(arguments.name);
  if (arguments.run) return run_study(known_results(file), arguments);
  const KeptStudy kept = kept_study(file);
  if (arguments.plan.json)
    print_json(json_of(kept));
  else
    print(kept);
  return 0;
}

}  // namespace

void add_study_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<StudyArguments>();
  CLI::App* command = app.add_subcommand(
      "study", "What is claimed about Transformers, and what runs over several seeds say of it");
  command->add_option("NAME", arguments->name, "A study's name, or a file NAME.study (default: lists all)");
  CLI::Option* run = command->add_flag("--run", arguments->run, "Train and score its runs here");
  command
      ->add_option("--out", arguments->plan.out,
                   "Folder for the runs (NAME-seedN each) and NAME.csv (default: in the cache)")
      ->needs(run);
  add_run_options(*command, arguments->plan);
  CLI::Option* seeds = command
                           ->add_option("--seeds", arguments->seeds,
                                        "Seeds in place of the study's own, with commas between them")
                           ->delimiter(',')
                           ->needs(run);
  CLI::Option* source =
      command->add_option("--source", arguments->source,
                          "Sentences of one's own copy of the data, where a study names such files");
  CLI::Option* target =
      command->add_option("--target", arguments->target, "Their translations")->needs(source);
  source->needs(run)->needs(target);
  command->add_flag("--write", arguments->write, "Also replace the results beside the study")
      ->needs(run)
      ->excludes(seeds);
  command->add_flag("--json", arguments->plan.json, "The result as one JSON object");
  command->footer(
      "A study is a file of sweep with title, claim, source, what was expected, measures and verdicts\n"
      "(engine/train/study.h); its results are beside it, a line a run, and every verdict is computed from\n"
      "them. Ctrl-C saves and stops; the same command goes on.\n"
      "Example: glassformer study warm-up --run --at-once 2 --threads 1");
  command->callback([arguments, &chosen] { chosen = [arguments] { return work_on(*arguments); }; });
}

}  // namespace glassformer
