// glassformer bleu: scores a file of translations against a file of references.
#include "engine/train/bleu.h"
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/lines.h"
#include "engine/text/segments.h"

namespace glassformer {
namespace {

struct BleuArguments {
  std::string hypothesis, encoding;
  std::vector<std::string> references;
  BleuOptions options;
};

int run_bleu(const BleuArguments& arguments) {
  std::vector<std::string> hypotheses;
  std::vector<std::vector<std::string>> references;
  for (const std::string& path : arguments.references) {
    AlignedSegments read =
        read_aligned_segments(arguments.hypothesis, path,
                              {.encoding = arguments.encoding, .first = "hypothesis", .second = "reference"});
    print_notes(read.notes);
    if (hypotheses.empty() || read.first.size() < hypotheses.size()) hypotheses = std::move(read.first);
    print_notes(notes_for_bleu(read.second, file_name(path), arguments.options));
    references.push_back(std::move(read.second));
  }
  // Empty lines at the end of one of them belong to nothing.
  for (std::vector<std::string>& lines : references) lines.resize(hypotheses.size());
  print_notes(notes_for_bleu(hypotheses, file_name(arguments.hypothesis), arguments.options));
  if (too_short_for_bleu(references.front(), arguments.options))
    print_notes({"most of the references have fewer than four words, so BLEU says little; chrF2 holds"});
  const BleuScore score = bleu_of_several(hypotheses, references, arguments.options);
  print_json({{"bleu", score.score},
              {"precisions", score.precisions},
              {"counts", score.counts},
              {"totals", score.totals},
              {"brevity_penalty", score.brevity_penalty},
              {"sys_len", score.sys_len},
              {"ref_len", score.ref_len},
              {"chrf2", chrf2_of_several(hypotheses, references)},
              {"signature", bleu_signature(arguments.options, references.size())}});
  return 0;
}

}  // namespace

void add_bleu_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<BleuArguments>();
  CLI::App* command = app.add_subcommand("bleu", "Score translations against references, as sacrebleu does");
  command->add_option("--hypothesis", arguments->hypothesis, "Translations, a line each")->required();
  command
      ->add_option("--reference", arguments->references,
                   "References, a line each; the option again: other references of the same lines")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_bleu_words_option(*command, arguments->options.words);
  command->add_flag("--lowercase", arguments->options.lowercase,
                    "Compare without case (BLEU alone, not chrF2)");
  add_encoding_option(*command, arguments->encoding);
  command->footer("Example: glassformer bleu --hypothesis translated.en --reference test.en");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_bleu(*arguments); }; });
}

}  // namespace glassformer
