#include "app/commands/sweep_work.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "app/commands/lines.h"
#include "app/format/number_format.h"
#include "app/session/paths.h"
#include "app/session/program_process.h"
#include "app/stop_signals.h"
#include "engine/files/json_file.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "engine/text/printable.h"
#include "engine/train/any_model.h"
#include "engine/train/run_data.h"
#include "engine/train/scoring.h"

namespace glassformer {
namespace {

constexpr const char* kState = "sweep.json";
constexpr auto kBetweenLooks = std::chrono::milliseconds(30);

void parse(CLI::App& app, std::vector<std::string> words, const Sweep& sweep, const SweepSetting& setting) {
  read_values_alike(app);
  std::ranges::reverse(words);  // as the parser takes them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    std::ranges::replace(what, '\n', ' ');
    throw Error(sweep_place(sweep, setting.line),
                "expected options that train takes, found in \"" + setting.name + "\": " + what);
  }
}

// How a setting translates, after what the command says.
DecodeArguments search_of(const Sweep& sweep, const SweepSetting& setting, DecodeArguments arguments) {
  CLI::App app;
  add_decode_options(app, arguments);
  parse(app, setting.search, sweep, setting);
  return arguments;
}

// Whether `train` takes the options of every setting, before the first one is trained.
void check_options_of(const Sweep& sweep) {
  for (const SweepSetting& setting : sweep.settings) {
    CLI::App app;
    Subcommand unused;
    add_train_command(app, unused);
    std::vector<std::string> words = setting.options;
    words.insert(words.begin(), "train");
    parse(app, std::move(words), sweep, setting);
    search_of(sweep, setting, {});
  }
}

std::string kind_of_processor() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      return printable(line.substr(line.find(": ") + 2));
  return "unknown";
}

class SweepWork {
 public:
  SweepWork(const Sweep& sweep, const SweepPlan& plan) : plan_(plan), sweep_(sweep) {
    check_options_of(sweep_);
    for (SweepRun& run : planned_runs(sweep_)) runs_.push_back({.run = std::move(run)});
    if (!sweep_.test.file.empty()) read_test_file();
    home_ = OwnedFolder(plan.out);
    home_.check({kState});
    for (const auto& [name, text] : plan.files) home_.check_unchanged({name});
    read_state();
  }

  std::optional<SweepResults> run() {
    train_all();
    if (!stop_.asked()) score_all();
    if (!stop_.asked()) return finish();
    print_stopped();
    return std::nullopt;
  }

 private:
  struct Entry {
    SweepRun run;
    bool begun = false, trained = false;
    std::string mark;  // of the test set that `score` is of
    std::optional<SweepScore> score;
    std::string problem;
    std::string processor = kind_of_processor(), version = GLASSFORMER_VERSION;  // that trained it
    std::unique_ptr<ProgramProcess> process;
  };

  std::string folder_of(const Entry& entry) const { return plan_.out + "/" + entry.run.folder; }
  static bool trains(const Entry& entry) { return entry.run.folder == entry.run.name; }
  long to_train() const { return std::ranges::count_if(runs_, trains); }
  void say(const Entry& entry, const std::string& what) const {
    std::cerr << message_text(entry.run.name + ": " + what) << "\n";
  }

  void read_test_file() {
    test_ = test_set_of_file(resolved(sweep_.test.file),
                             decode_options(plan_.decode, LengthPenalty::paper, nullptr));
    if (!test_->note.empty()) print_notes({test_->note}, sweep_.test.file);
  }

  // The pairs that every run was kept from, by the record of one.
  void hold_out(const Entry& entry) {
    test_ = held_out_set(run_data_options(folder_of(entry)), AnyModel::load(folder_of(entry)).tokenizers(),
                         decode_options(plan_.decode, LengthPenalty::paper, nullptr),
                         [this](const std::string&, double) { return !stop_.asked(); });
  }

  // What earlier calls came to. A run whose folder is gone begins anew.
  void read_state() {
    if (!home_.owns(kState) || !std::filesystem::exists(home_.file(kState))) return;
    const std::string where = home_.file(kState);
    try {
      const nlohmann::json state = read_json(where);
      if (!state.at("runs").is_object())
        throw Error(where, "\"runs\" is no object, as this program writes it; choose another --out");
      for (Entry& entry : runs_) {
        const auto found = state.at("runs").find(entry.run.name);
        if (found == state.at("runs").end() || !std::filesystem::exists(folder_of(entry))) continue;
        if (found->at("options") != nlohmann::json(entry.run.options))
          throw Error(folder_of(entry),
                      "it was trained by other options than " + sweep_.path +
                          " says now; choose another --out, another name, or delete that folder");
        entry.begun = true;
        entry.trained = found->at("trained").get<bool>() && holds_a_model(folder_of(entry));
        if (entry.trained) {
          entry.processor = found->value("processor", entry.processor);
          entry.version = found->value("version", entry.version);
        }
        if (const auto score = found->find("score"); entry.trained && score != found->end()) {
          entry.score = sweep_score_from_json(*score);
          entry.mark = found->at("test");
        }
      }
      others_ = state.at("runs");
    } catch (const nlohmann::json::exception& error) {
      throw Error(where,
                  "it is not as this program writes it (" + in_words(error) + "); choose another --out");
    }
  }

  void save_state() {
    nlohmann::json all = others_;  // runs that the file does not name any more stay known
    for (const Entry& entry : runs_) {
      if (!entry.begun) continue;
      nlohmann::json& run =
          all[entry.run.name] = {{"options", entry.run.options}, {"trained", entry.trained}};
      if (entry.trained) run.update({{"processor", entry.processor}, {"version", entry.version}});
      if (entry.score) run.update({{"score", to_json(*entry.score)}, {"test", entry.mark}});
    }
    home_.write(kState, json_text({{"format", 1}, {"runs", all}}, 1) + "\n");
  }

  void begin(Entry& entry) {
    const int threads = plan_.common.threads > 0 ? plan_.common.threads
                                                 : std::max(1, thread_count(plan_.common) / plan_.at_once);
    const bool resumes = entry.begun && holds_a_model(folder_of(entry));
    // A resumed run has its settings in its folder, all but these.
    const auto threads_word = [](const std::string& word) { return word.starts_with("--threads="); };
    const auto kept_nowhere = [&](const std::string& word) {
      return threads_word(word) || word.starts_with("--history=");
    };
    std::vector<std::string> words = entry.run.options;
    if (resumes) std::erase_if(words, std::not_fn(kept_nowhere));
    words.push_back((resumes ? "--resume=" : "--out=") + folder_of(entry));
    words.emplace_back("--json");
    if (std::ranges::none_of(words, threads_word)) words.push_back("--threads=" + std::to_string(threads));
    // Known as ours from here on, unless somebody's model is in its place: that train refuses.
    entry.begun = resumes || !holds_a_model(folder_of(entry));
    save_state();
    words.insert(words.begin(), "train");
    entry.process = std::make_unique<ProgramProcess>(words);
    say(entry, resumes ? "goes on" : "begins");
  }

  void end(Entry& entry, const ProgramProcess::End& end) {
    entry.process.reset();
    // One setting's are those of every seed.
    for (const std::string& note : end.notes)
      if (printed_notes_.insert(std::to_string(entry.run.setting) + note).second) say(entry, "note: " + note);
    if (end.status != 0) {
      entry.problem = end.sentence;
    } else {
      const auto result = nlohmann::json::parse(end.output, nullptr, false);
      const bool whole = result.is_object() && result.contains("finished");
      entry.trained = whole && result.at("finished") == true;
      if (!entry.trained) entry.problem = "it was stopped before its end; the same command goes on";
      if (entry.trained) ++done_;
    }
    say(entry, entry.problem.empty() ? "trained (" + std::to_string(done_) + " of " +
                                           std::to_string(to_train()) + time_left() + ")"
                                     : entry.problem);
    save_state();
  }

  // ", about 40 s left": by the runs of this call.
  std::string time_left() const {
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    const auto left = static_cast<double>(to_train() - done_);
    if (left == 0 || done_ == done_before_) return "";
    const double seconds = passed / static_cast<double>(done_ - done_before_) * left;
    return ", about " + to_file_text(format_duration(seconds)) + " left";
  }

  void train_all() {
    const auto trained = [](const Entry& entry) { return entry.trained && trains(entry); };
    done_ = done_before_ = std::ranges::count_if(runs_, trained);
    auto next = runs_.begin();
    bool asked_to_stop = false;
    while (true) {
      int running = 0;
      for (Entry& entry : runs_) {
        if (!entry.process) continue;
        if (const auto ended = entry.process->ended())
          end(entry, *ended);
        else
          ++running;
      }
      while (next != runs_.end() && !stop_.asked() && running < plan_.at_once) {
        if (!next->trained && trains(*next)) begin(*next), ++running;
        ++next;
      }
      if (running == 0) return;
      if (stop_.asked() && !std::exchange(asked_to_stop, true))
        for (Entry& entry : runs_)
          if (entry.process) entry.process->stop();
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }

  // Of the pairs, of how they are translated, and of who measures.
  std::string mark_of(const Entry& entry) const {
    std::string mark = test_->mark + ", " GLASSFORMER_VERSION;
    for (const std::string& option : sweep_.settings[entry.run.setting].search) mark += " " + option;
    return mark;
  }
  bool is_scored(const Entry& entry) const {
    const auto has = [&](const StudyMeasure& each) { return entry.score->figures.contains(each.name); };
    return entry.score && entry.mark == mark_of(entry) && std::ranges::all_of(plan_.measures, has);
  }
  // Settings that differ in their search alone have the model of the first.
  void share_models() {
    for (Entry& entry : runs_) {
      const auto owner =
          std::ranges::find(runs_, entry.run.folder, [](const Entry& of) { return of.run.name; });
      entry.begun = owner->begun;
      entry.trained = owner->trained;
      entry.problem = owner->problem;
      entry.processor = owner->processor;
      entry.version = owner->version;
    }
  }

  void score_all() {
    share_models();
    WorkerPool pool(thread_count(plan_.common));
    for (Entry& entry : runs_) {
      if (!entry.trained || stop_.asked()) continue;
      try {
        if (!test_) hold_out(entry);
        if (!is_scored(entry)) score(entry, pool);
      } catch (const std::exception& error) {
        if (!stop_.asked()) entry.problem = failure_words(error);
      }
    }
  }

  void score(Entry& entry, WorkerPool& pool) {
    const AnyModel model = AnyModel::load(folder_of(entry));
    MeasuredModel measured(model, *test_, &pool);
    const auto search = search_of(sweep_, sweep_.settings[entry.run.setting], plan_.decode);
    const SweepScore* score = measured.score(decode_options(search, LengthPenalty::paper, &pool),
                                             [this] { return !stop_.asked(); });
    if (!score) return;
    entry.score = *score;
    for (const StudyMeasure& measure : plan_.measures) {
      if (stop_.asked()) return entry.score.reset();
      entry.score->figures[measure.name] = measure.of(measured);
    }
    if (!plan_.measures.empty()) {
      entry.score->figures["steps"] = model.training().at("step");
      entry.score->figures["seconds"] = model.training().at("seconds");
    }
    entry.mark = mark_of(entry);
    say(entry, "scored");
    save_state();
  }

  void print_stopped() {
    save_state();
    const std::string words = "stopped by request, " + std::to_string(done_) + " of " +
                              std::to_string(to_train()) + " runs are trained; the same command goes on";
    if (plan_.json)
      print_json({{"finished", false}, {"trained", done_}, {"runs", to_train()}, {"stopped", words}});
    else
      std::cout << plan_.out << ": " << words << "\n";
  }

  SweepResults finish() {
    SweepResults results{.sweep = sweep_};
    for (const Entry& entry : runs_)
      results.runs.push_back({entry.run, entry.problem.empty() ? entry.score : std::nullopt, entry.problem,
                              entry.processor, entry.version});
    results.test = test_ ? test_->words : "nothing";
    results.length_unit = !test_ || test_->in_words ? "words" : "characters";
    for (const auto& [name, text] : plan_.files) home_.write_unless_changed(name, text(results));
    return results;
  }

  const SweepPlan& plan_;
  const Sweep sweep_;
  StopSignals stop_;
  OwnedFolder home_;
  std::vector<Entry> runs_;
  nlohmann::json others_ = nlohmann::json::object();
  std::optional<TestSet> test_;
  long done_ = 0, done_before_ = 0;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::set<std::string> printed_notes_;
};

}  // namespace

void add_run_options(CLI::App& command, SweepPlan& plan) {
  command.add_option("--at-once", plan.at_once, "Runs that are trained at the same time (default 1)")
      ->check(CLI::Range(1, 64));
  command
      .add_option("--threads", plan.common.threads,
                  "Threads of each run (default: all cores, shared among the runs)")
      ->check(CLI::Range(1, 1024));
}

std::optional<SweepResults> carry_out(const Sweep& sweep, const SweepPlan& plan) {
  return SweepWork(sweep, plan).run();
}

int exit_code(const SweepResults& results) {
  return std::ranges::all_of(results.runs, &std::string::empty, &SweepResult::problem) ? 0 : 1;
}

}  // namespace glassformer
