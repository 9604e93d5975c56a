// glassformer sweep: the same training with one thing changed at a time, over several seeds, and a table.
#include "engine/train/sweep.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "app/commands/commands.h"
#include "app/commands/decode_arguments.h"
#include "app/commands/lines.h"
#include "app/commands/sweep_results.h"
#include "app/commands/train_process.h"
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
constexpr const char* kCsv = "results.csv";
constexpr const char* kTex = "results.tex";
constexpr auto kBetweenLooks = std::chrono::milliseconds(30);

struct SweepArguments {
  std::string file, out;
  CommonOptions common;  // its threads
  DecodeArguments decode;
  int at_once = 1;
  bool json = false;
};

// Whether `train` takes the options of every setting, before the first one is trained.
void check_options_of(const Sweep& sweep) {
  for (const SweepSetting& setting : sweep.settings) {
    CLI::App app;
    Subcommand unused;
    add_train_command(app, unused);
    read_values_alike(app);
    std::vector<std::string> words = setting.options;
    words.insert(words.begin(), "train");
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
}

class SweepWork {
 public:
  explicit SweepWork(const SweepArguments& arguments)
      : arguments_(arguments), sweep_(read_sweep(arguments.file)) {
    check_options_of(sweep_);
    for (SweepRun& run : planned_runs(sweep_)) runs_.push_back({.run = std::move(run)});
    if (!sweep_.test.file.empty()) read_test_file();
    home_ = OwnedFolder(arguments.out);
    home_.check({kState});
    home_.check_unchanged({kCsv, kTex});
    read_state();
  }

  int run() {
    train_all();
    if (stop_.asked()) return stopped();
    score_all();
    if (stop_.asked()) return stopped();
    return finish();
  }

 private:
  struct Entry {
    SweepRun run;
    bool begun = false, trained = false;
    std::string mark;  // of the test set that `score` is of
    std::optional<SweepScore> score;
    std::string problem;
    std::unique_ptr<TrainProcess> process;
  };

  std::string folder_of(const Entry& entry) const { return arguments_.out + "/" + entry.run.name; }
  void say(const Entry& entry, const std::string& what) const {
    std::cerr << message_text(entry.run.name + ": " + what) << "\n";
  }

  void read_test_file() {
    test_ =
        test_set_of_file(sweep_.test.file, decode_options(arguments_.decode, LengthPenalty::paper, nullptr));
    if (!test_->note.empty()) print_notes({test_->note}, sweep_.test.file);
  }

  // The pairs that every run was kept from, by the record of one.
  void hold_out(const Entry& entry) {
    test_ = held_out_set(run_data_options(folder_of(entry)), AnyModel::load(folder_of(entry)).tokenizers(),
                         decode_options(arguments_.decode, LengthPenalty::paper, nullptr),
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
      if (entry.score) run.update({{"score", to_json(*entry.score)}, {"test", entry.mark}});
    }
    home_.write(kState, json_text({{"format", 1}, {"runs", all}}, 1) + "\n");
  }

  void begin(Entry& entry) {
    const int threads = arguments_.common.threads > 0
                            ? arguments_.common.threads
                            : std::max(1, thread_count(arguments_.common) / arguments_.at_once);
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
    entry.process = std::make_unique<TrainProcess>(words);
    say(entry, resumes ? "goes on" : "begins");
  }

  void end(Entry& entry, const TrainProcess::End& end) {
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
    say(entry, entry.problem.empty()
                   ? "trained (" + std::to_string(done_) + " of " + std::to_string(runs_.size()) + ")"
                   : entry.problem);
    save_state();
  }

  void train_all() {
    done_ = std::ranges::count(runs_, true, &Entry::trained);
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
      while (next != runs_.end() && !stop_.asked() && running < arguments_.at_once) {
        if (!next->trained) begin(*next), ++running;
        ++next;
      }
      if (running == 0) return;
      if (stop_.asked() && !std::exchange(asked_to_stop, true))
        for (Entry& entry : runs_)
          if (entry.process) entry.process->stop();
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }

  void score_all() {
    WorkerPool pool(thread_count(arguments_.common));
    for (Entry& entry : runs_) {
      if (!entry.trained || stop_.asked()) continue;
      try {
        if (!test_) hold_out(entry);
        if (!entry.score || entry.mark != test_->mark) score(entry, pool);
      } catch (const std::exception& error) {
        if (!stop_.asked()) entry.problem = failure_words(error);
      }
    }
  }

  void score(Entry& entry, WorkerPool& pool) {
    const auto score = score_on(*test_, AnyModel::load(folder_of(entry)),
                                decode_options(arguments_.decode, LengthPenalty::paper, &pool),
                                [this] { return !stop_.asked(); });
    if (!score) return;
    entry.score = score;
    entry.mark = test_->mark;
    say(entry, "scored");
    save_state();
  }

  int stopped() {
    save_state();
    const std::string words = "stopped by request, " + std::to_string(done_) + " of " +
                              std::to_string(runs_.size()) + " runs are trained; the same command goes on";
    if (arguments_.json)
      print_json({{"finished", false}, {"trained", done_}, {"runs", runs_.size()}, {"stopped", words}});
    else
      std::cout << arguments_.out << ": " << words << "\n";
    return 0;
  }

  int finish() {
    SweepResults results{.sweep = sweep_};
    bool broken = false;
    for (const Entry& entry : runs_) {
      results.runs.push_back({entry.run, entry.problem.empty() ? entry.score : std::nullopt, entry.problem});
      broken = broken || !entry.problem.empty();
    }
    results.test = test_ ? test_->words : "nothing";
    results.length_unit = !test_ || test_->in_words ? "words" : "characters";
    home_.write_unless_changed(kCsv, csv_of(results));
    home_.write_unless_changed(kTex, tex_of(results));
    if (arguments_.json) {
      nlohmann::json json = json_of(results);
      json["finished"] = true;
      print_json(json);
    } else {
      std::cout << text_of(results);
    }
    return broken ? 1 : 0;
  }

  const SweepArguments& arguments_;
  const Sweep sweep_;
  StopSignals stop_;
  OwnedFolder home_;
  std::vector<Entry> runs_;
  nlohmann::json others_ = nlohmann::json::object();
  std::optional<TestSet> test_;
  long done_ = 0;
  std::set<std::string> printed_notes_;
};

}  // namespace

void add_sweep_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command =
      app.add_subcommand("sweep", "Train settings over seeds, score them on one test set, and make a table");
  command->add_option("FILE", arguments->file, "What varies (see below)")->required();
  command
      ->add_option("--out", arguments->out,
                   "Folder for the runs (NAME-seedN each), results.csv and results.tex")
      ->required();
  command->add_option("--at-once", arguments->at_once, "Runs that are trained at the same time (default 1)")
      ->check(CLI::Range(1, 64));
  command
      ->add_option("--threads", arguments->common.threads,
                   "Threads of each run (default: all cores, shared among the runs)")
      ->check(CLI::Range(1, 1024));
  add_decode_options(*command, arguments->decode);
  command->add_flag("--json", arguments->json, "The result as one JSON object");
  command->footer(
      "FILE has a line for each thing, # begins a comment:\n"
      "  base = --task reverse --preset tiny       options of train that all runs have\n"
      "  vary layers = 1, 2, 4                     a setting of each value; layers: of both stacks\n"
      "  variant \"no positions\" = --positions none --heads 8\n"
      "  variant \"recurrent\" = --architecture recurrent\n"
      "                                            a setting of any options; none: the base itself\n"
      "  seeds = 1, 2, 3                           every setting with each (default 1)\n"
      "  test = held-out 500                       pairs of the data, never trained on; or test = pairs.tsv\n"
      "Each setting differs from the base in its own line alone. Paths are meant from where the command is\n"
      "given. Ctrl-C saves and stops; the same command goes on. A run that fails is told of in the table, "
      "and\n"
      "the exit code is 1. The loss is the mean per target token, without smoothing.\n"
      "Example: glassformer sweep layers.sweep --out layers --at-once 2");
  command->callback([arguments, &chosen] { chosen = [arguments] { return SweepWork(*arguments).run(); }; });
}

}  // namespace glassformer
