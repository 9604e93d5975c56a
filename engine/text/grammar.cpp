#include "engine/text/grammar.h"

#include <unordered_set>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/text/grammar_derivation.h"
#include "engine/text/grammar_reader.h"

namespace glassformer {

struct GrammarTables {
  GrammarText text;
  GrammarExpansion expansion;
};

namespace {

constexpr long kPatience = 20'000;           // draws in a row that give nothing new
constexpr double kCountable = 2'000'000;     // derivations that are counted one by one
constexpr double kLargestExactCount = 9e15;  // below 2^53
constexpr double kMostPairs = 50'000'000;
constexpr std::size_t kTellEvery = 1000;  // pairs

// Pairs in the order they come, each source once.
class DistinctPairs {
 public:
  DistinctPairs(const GrammarText& text, std::size_t wanted, const std::function<void(double)>& done)
      : text_(text), wanted_(wanted), done_(done) {}
  bool add(const GrammarDerivation& derivation) {
    std::string source = spell_source(text_, derivation);
    if (!seen_.insert(source).second) return false;
    pairs.push_back({std::move(source), spell_target(text_, derivation)});
    if (done_ && pairs.size() % kTellEvery == 0)
      done_(static_cast<double>(pairs.size()) / static_cast<double>(wanted_));
    return true;
  }
  std::vector<SentencePair> pairs;

 private:
  const GrammarText& text_;
  std::size_t wanted_;
  const std::function<void(double)>& done_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Grammar Grammar::parse(std::string_view text, const std::string& where) {
  auto tables = std::make_shared<GrammarTables>();
  tables->text = read_grammar(text, where);
  tables->expansion = expand_grammar(tables->text);
  return Grammar(std::move(tables));
}

Grammar Grammar::read(const std::string& path) {
  constexpr long kMostBytes = 1L << 24;
  return parse(read_file(path, kMostBytes), path);
}

std::vector<SentencePair> Grammar::generate(long pairs, std::uint64_t seed,
                                            const std::function<void(double)>& done) const {
  const std::string& name = tables_->text.where;
  if (pairs < 0 || static_cast<double>(pairs) > kMostPairs)
    throw Error(name, "expected 0 to 50000000 pairs, found " + std::to_string(pairs));
  const auto wanted = static_cast<std::size_t>(pairs);
  GrammarRandom random(seed);
  DistinctPairs distinct(tables_->text, wanted, done);

  // Draw by the weights of the grammar while that gives new sentences.
  for (long misses = 0; distinct.pairs.size() < wanted && misses < kPatience;)
    misses = distinct.add(draw_derivation(tables_->text, tables_->expansion, random)) ? 0 : misses + 1;

  // Then take the rare ones: all that are left, or every derivation with the same chance.
  const double all = derivations();
  if (distinct.pairs.size() < wanted && all <= kCountable) {
    std::vector<std::uint64_t> order(static_cast<std::size_t>(all));
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
      std::swap(order[i], order[random.below(i + 1)]);
    }
    for (std::size_t i = 0; i < order.size() && distinct.pairs.size() < wanted; ++i)
      distinct.add(numbered_derivation(tables_->expansion, order[i]));
  } else if (all <= kLargestExactCount) {
    for (long misses = 0; distinct.pairs.size() < wanted && misses < kPatience;)
      misses =
          distinct.add(numbered_derivation(tables_->expansion, random.below(static_cast<std::uint64_t>(all))))
              ? 0
              : misses + 1;
  }
  if (distinct.pairs.size() < wanted)
    throw Error(name, "this grammar gives " + std::string(all <= kCountable ? "" : "about ") +
                          std::to_string(distinct.pairs.size()) + " distinct sentence pairs, and " +
                          std::to_string(pairs) + " were asked for; ask for fewer or add words");
  return std::move(distinct.pairs);
}

const std::string& Grammar::where() const {
  return tables_->text.where;
}

long Grammar::words(std::string_view category) const {
  const int index = index_of_name(tables_->text.categories, category);
  return index < 0
             ? 0
             : static_cast<long>(tables_->text.categories[static_cast<std::size_t>(index)].words.size());
}

double Grammar::derivations() const {
  return tables_->expansion.instances[static_cast<std::size_t>(tables_->expansion.start)].derivations;
}

}  // namespace glassformer
