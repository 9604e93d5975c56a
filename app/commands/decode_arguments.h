// The options that say how a translation is searched for, shared by translate and evaluate.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/commands/commands.h"
#include "engine/decode/decode.h"

namespace glassformer {

struct DecodeArguments {
  int beam = 0;                 // 0: greedy
  std::optional<double> alpha;  // nothing: what the model's penalty goes with
  std::string penalty;          // empty: the model's
};

inline constexpr const char* kAlphaHelp =
    "Length penalty of the beam (default 0.6; 1 where the model's own form is n^alpha)";

// What the sum of log-probabilities is divided by.
inline void add_penalty_option(CLI::App& command, std::string& penalty) {
  command
      .add_option("--penalty", penalty,
                  "Form of the length penalty of n words: paper, ((5 + n) / 6)^alpha, or length, n^alpha "
                  "(default: the model's, paper for those made here)")
      ->check(CLI::IsMember({"paper", "length"}));
}

inline LengthPenalty length_penalty_named(const std::string& name, LengthPenalty of_model) {
  if (name.empty()) return of_model;
  return name == "length" ? LengthPenalty::length : LengthPenalty::paper;
}

inline void add_decode_options(CLI::App& command, DecodeArguments& arguments) {
  command.add_option("--beam", arguments.beam, "Beam search with K hypotheses (default: greedy)")
      ->check(CLI::Range(1, 1000));
  command.add_option("--alpha", arguments.alpha, kAlphaHelp)->check(number_between(0, 10));
  add_penalty_option(command, arguments.penalty);
}

// Empty: every number of a result is one. Else a sentence about the words that were found.
inline std::string about_not_finite(const DecodeResult& result) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!finite(result.score) || !std::ranges::all_of(result.log_probabilities, finite))
    return "the model's numbers are not finite here, so these words are none of its own";
  if (!std::ranges::all_of(result.hypotheses, finite, &Hypothesis::score))
    return "the model's numbers are not finite on some of the ways that the beam followed; these words are "
           "the "
           "best of the others";
  return {};
}

inline DecodeOptions decode_options(const DecodeArguments& arguments, LengthPenalty of_model,
                                    WorkerPool* pool) {
  DecodeOptions options;
  options.search = arguments.beam > 0 ? Search::beam : Search::greedy;
  if (arguments.beam > 0) options.beam = arguments.beam;
  options.alpha = arguments.alpha.value_or(usual_alpha(of_model));
  options.penalty = length_penalty_named(arguments.penalty, of_model);
  options.alternatives = 0;
  options.pool = pool;
  return options;
}

}  // namespace glassformer
