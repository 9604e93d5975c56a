#include "app/commands/what_if_option.h"

#include <memory>
#include <utility>
#include <vector>

#include "app/commands/lines.h"
#include "app/lessons/kept_means.h"
#include "app/session/change_words.h"
#include "app/session/measuring.h"
#include "app/session/opened_model.h"
#include "app/session/run_scene.h"
#include "app/session/unfamiliar_words.h"
#include "engine/math/error.h"
#include "engine/text/reading.h"

namespace glassformer {

void add_what_if_option(CLI::App& command, std::string& text) {
  command.add_option(
      "--what-if", text,
      "Changes in force, between commas: \"mute head cross 2.1, causal mask off\" (app/commands/README.md)");
}

void print_unknown_words(const std::string& text, const ChangeWords& words, const Tokenizers& tokenizers,
                         const Config& config) {
  const UnknownWords unknown = unknown_words(text, words, tokenizers);
  for (const auto& [found, known] :
       {std::pair{unknown.source, config.source_vocab}, {unknown.target, config.target_vocab}})
    if (!found.empty()) print_notes({unknown_words_sentence(found, std::to_string(known))}, "what-if");
}

namespace {

ChangeWords words_of_line(const Translation& line, const Config& config, const Tokenizers& tokenizers) {
  std::vector<int> source, target = {config.first_id()};
  for (const Piece& piece : line.pieces) source.push_back(piece.id);
  if (config.source_eos) source.push_back(config.eos_id);
  target.insert(target.end(), line.result.ids.begin(), line.result.ids.end());
  if (target.size() > 1 && target.back() == config.eos_id) target.pop_back();
  return change_words(tokenizers, config, words_of(tokenizers.source.get(), config, source),
                      words_of(tokenizers.target.get(), config, target));
}

}  // namespace

LineChanges line_changes(const std::string& text, const std::string& folder, const Snapshot& model,
                         const Tokenizers& tokenizers) {
  if (text.empty()) return nullptr;
  // The means are the same for all lines, and so is what is to be said once.
  const auto kept = std::make_shared<Substitutes>();
  const auto printed = std::make_shared<bool>(false);
  return [text, folder, &model, &tokenizers, kept, printed](const Translation& line) {
    const ChangeWords words = words_of_line(line, model.config, tokenizers);
    const ChangeFit fit{*model.weights, static_cast<int>(words.source.size()),
                        static_cast<int>(words.target_in.size())};
    ChangesInForce changes{fitting_what_if(text, words, fit), {}};
    if (!std::exchange(*printed, true)) print_unknown_words(text, words, tokenizers, model.config);
    if (wants(changes.what_if, Replacement::mean) || wants(changes.what_if, Replacement::other)) {
      if (!kept->means) *kept = substitutes_of(changes.what_if, folder, model);
      changes.substitutes = *kept;
    }
    return changes;
  };
}

Substitutes substitutes_of(const WhatIf& what_if, const std::string& folder, const Snapshot& model) {
  if (wants(what_if, Replacement::other))
    throw Error(
        "what-if",
        "“from other” takes values of a second Scene, and this command runs one alone; the window and "
        "“glassformer render” compare two");
  if (!wants(what_if, Replacement::mean)) return {};
  return {.means = means_of(open_model(folder), model)};
}

}  // namespace glassformer
