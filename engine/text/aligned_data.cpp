#include "engine/text/aligned_data.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/data_defaults.h"
#include "engine/text/grammar.h"

namespace glassformer {

std::vector<AlignedPair> aligned_pairs(const DataOptions& options,
                                       const std::vector<SentencePair>& held_out) {
  const DataSource& data = options.training;
  if (data.grammar.empty())
    throw Error("word alignment", "word alignments are known of a grammar's pairs alone, found " +
                                      data.kind() + "; choose a run that learned from a grammar");

  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < held_out.size(); ++i) places.emplace(held_out[i].source, i);
  std::vector<AlignedPair> aligned(held_out.size());
  for (AlignedPair& pair :
       Grammar::read(data.grammar)
           .generate_aligned(data.pairs != 0 ? data.pairs : kGrammarPairs, options.seed,
                             [&](const SentencePair& pair) { return places.contains(pair.source); })) {
    const std::size_t place = places.at(pair.text.source);
    aligned[place] = std::move(pair);
  }
  for (std::size_t i = 0; i < held_out.size(); ++i)
    if (aligned[i].text != held_out[i])
      throw Error(data.grammar, "expected a grammar that gives the test pair \"" + held_out[i].source +
                                    "\" as it was, found none; choose test pairs that the run held out, or "
                                    "bring back the grammar that it learned from");
  return aligned;
}

}  // namespace glassformer
