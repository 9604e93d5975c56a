// glassformer bleu: scores a file of translations against a file of references.
#include "engine/train/bleu.h"
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/lines.h"
#include "engine/text/segments.h"
#include "engine/train/chrf.h"

namespace glassformer {
namespace {

struct BleuArguments {
  std::string hypothesis, reference, encoding;
  BleuOptions options;
};

int run_bleu(const BleuArguments& arguments) {
  const auto [hypotheses, references, notes] =
      read_aligned_segments(arguments.hypothesis, arguments.reference,
                            {.encoding = arguments.encoding, .first = "hypothesis", .second = "reference"});
  tell_notes(notes);
  const BleuScore score = bleu(hypotheses, references, arguments.options);
  print_json({{"bleu", score.score},
              {"precisions", score.precisions},
              {"counts", score.counts},
              {"totals", score.totals},
              {"brevity_penalty", score.brevity_penalty},
              {"sys_len", score.sys_len},
              {"ref_len", score.ref_len},
              {"chrf2", chrf2(hypotheses, references)},
              {"signature", bleu_signature(arguments.options)}});
  return 0;
}

}  // namespace

void add_bleu_command(CLI::App& app, Subcommand& chosen) {
  const auto arguments = std::make_shared<BleuArguments>();
  CLI::App* command = app.add_subcommand("bleu", "Score translations against references, as sacrebleu does");
  command->add_option("--hypothesis", arguments->hypothesis, "Translations, a line each")->required();
  command->add_option("--reference", arguments->reference, "References, a line each")->required();
  command->add_flag("--lowercase", arguments->options.lowercase,
                    "Compare without case (BLEU alone, not chrF2)");
  add_encoding_option(*command, arguments->encoding);
  command->footer("Example: glassformer bleu --hypothesis translated.en --reference test.en");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_bleu(*arguments); }; });
}

}  // namespace glassformer
