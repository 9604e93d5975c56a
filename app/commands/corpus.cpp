// glassformer corpus: reads or makes data as training would, and says what is in it.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>

#include "app/commands/commands.h"
#include "app/commands/data_options.h"
#include "engine/files/atomic_file.h"
#include "engine/text/text_notes.h"

namespace glassformer {
namespace {

using nlohmann::json;

struct CorpusArguments {
  DataArguments data;
  CommonOptions common;
  std::string out;
};

json rejected_json(const std::vector<RejectedLine>& rejected) {
  json lines = json::array();
  for (const RejectedLine& line : rejected) {
    lines.push_back({{"line", line.line}, {"reason", line.reason}, {"excerpt", line.excerpt}});
  }
  return lines;
}

json side_json(const SideReport& side) {
  return {{"tokens", side.tokens},
          {"lengths", side.lengths},
          {"shortest", side.shortest},
          {"longest", side.longest},
          {"mean", side.mean},
          {"median", side.median},
          {"percentile_95", side.percentile_95},
          {"words", side.distinct_words},
          {"vocabulary", side.vocabulary},
          {"smallest_vocabulary", side.smallest_vocabulary},
          {"vocabulary_used", side.vocabulary_used},
          {"unknown", side.unknown},
          {"coverage", side.coverage()},
          {"validation_unknown", side.validation_unknown},
          {"validation_coverage", side.validation_coverage()}};
}

// What the corpus itself says, and what its words show.
json notes_json(const PreparedData& data) {
  json notes = data.report.notes;
  for (const bool target : {false, true}) {
    std::vector<std::string> lines;
    for (const DataPart* part : {&data.training, &data.validation, &data.test})
      for (const SentencePair& pair : part->pairs) lines.push_back(target ? pair.target : pair.source);
    for (const std::string& note : notes_on_text(lines, target ? "targets" : "sources"))
      notes.push_back(note);
  }
  return notes;
}

json report_json(const PreparedData& data, const DataOptions& options) {
  const DataReport& report = data.report;
  json result = {{"name", report.name},
                 {"lines", report.lines},
                 {"kept", report.kept},
                 {"rejected", rejected_json(report.rejected)},
                 {"notes", notes_json(data)},
                 {"training", data.training.pairs.size()},
                 {"validation", data.validation.pairs.size()},
                 {"tokenizer", tokenizer_name(data.kind)},
                 {"shared_vocabulary", data.tokenizers.source == data.tokenizers.target},
                 {"source", side_json(report.source)},
                 {"target", side_json(report.target)},
                 {"validation_data", report.validation_name},
                 {"validation_notes", report.validation_notes}};
  if (!options.validation.empty()) {
    result["validation_lines"] = report.validation_lines;
    result["validation_rejected"] = rejected_json(report.validation_rejected);
  }
  return result;
}

void write_pairs(const std::string& path, const std::vector<SentencePair>& pairs) {
  AtomicFile file(path);
  for (const SentencePair& pair : pairs) file.write(pair.source + '\t' + pair.target + '\n');
  file.commit();
}

// In the order in which they were read or made; what is left out is in no part.
std::vector<SentencePair> pairs_in_order(const PreparedData& data, const DataOptions& options) {
  std::unordered_set<std::string_view> sources;
  for (const DataPart* part : {&data.training, &data.validation, &data.test})
    for (const SentencePair& pair : part->pairs) sources.insert(pair.source);
  std::vector<SentencePair> pairs = read_pairs(options.training, options.seed, options.limits).pairs;
  if (!options.leave_out.empty())
    std::erase_if(pairs, [&](const SentencePair& pair) { return !sources.contains(pair.source); });
  return pairs;
}

int run_corpus(const CorpusArguments& arguments) {
  const DataOptions options = data_options(arguments.data);
  const bool terminal = isatty(STDERR_FILENO) == 1;
  const PreparedData data = prepare_data(options, [&](const std::string& stage, double fraction) {
    if (terminal) std::cerr << "\r\x1b[K" << (fraction < 1 ? stage : "") << std::flush;
    return true;
  });
  if (!arguments.out.empty()) {
    write_pairs(arguments.out, pairs_in_order(data, options));
  }
  print_json(report_json(data, options));
  return 0;
}

}  // namespace

void add_corpus_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<CorpusArguments>();
  CLI::App* command =
      app.add_subcommand("corpus", "Read or make sentence pairs as training would, and report on them");
  add_data_options(*command, arguments->data);
  add_common_options(*command, arguments->common);
  command->add_option("--out", arguments->out, "Write the kept pairs to this tab-separated file");
  command->footer(
      "Example: glassformer corpus --source train.de --target train.en --shared-vocabulary\n"
      "         glassformer corpus --task dates --pairs 1000 --out dates.tsv");
  command->callback([arguments, command, &chosen] {
    if (command->count("--seed") > 0)
      throw CLI::ValidationError("the pairs follow from --data-seed alone; give that in place of --seed");
    chosen = [arguments] { return run_corpus(*arguments); };
  });
}

}  // namespace glassformer
