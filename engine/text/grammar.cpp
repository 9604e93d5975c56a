#include "engine/text/grammar.h"

#include <algorithm>
#include <thread>
#include <unordered_set>
#include <utility>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
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

SentencePair spelled(const GrammarText& text, const GrammarDerivation& derivation) {
  return {spell_source(text, derivation), spell_target(text, derivation)};
}

// Pairs in the order they come, each source once.
class DistinctPairs {
 public:
  DistinctPairs(std::size_t wanted, const std::function<void(double)>& done) : wanted_(wanted), done_(done) {}
  bool add(SentencePair pair) {
    if (!seen_.insert(pair.source).second) return false;
    pairs.push_back(std::move(pair));
    if (done_ && pairs.size() % kTellEvery == 0)
      done_(static_cast<double>(pairs.size()) / static_cast<double>(wanted_));
    return true;
  }
  bool enough() const { return pairs.size() >= wanted_; }
  std::vector<SentencePair> pairs;

 private:
  std::size_t wanted_;
  const std::function<void(double)>& done_;
  std::unordered_set<std::string> seen_;
};

// Adds what is drawn, until there is enough or nothing new comes for a long time. Drawn one after another and
// spelled on all cores, it is what it would be one by one: `random` ends behind the last draw that counted.
template <class Draw>
void add_drawn(DistinctPairs& distinct, const GrammarText& text, GrammarRandom& random, const Draw& draw) {
  constexpr int kAtOnce = 1024;
  WorkerPool pool(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  std::vector<GrammarDerivation> drawn(kAtOnce);
  std::vector<SentencePair> pairs(kAtOnce);
  const int threads = pool.threads();
  for (long misses = 0; !distinct.enough() && misses < kPatience;) {
    const GrammarRandom before = random;
    for (GrammarDerivation& each : drawn) each = draw(random);
    pool.run(threads, [&](int thread) {
      for (auto i = static_cast<std::size_t>(thread); i < pairs.size();
           i += static_cast<std::size_t>(threads))
        pairs[i] = spelled(text, drawn[i]);
    });
    int used = 0;
    for (; used < kAtOnce && !distinct.enough() && misses < kPatience; ++used)
      misses = distinct.add(std::move(pairs[static_cast<std::size_t>(used)])) ? 0 : misses + 1;
    if (used == kAtOnce) continue;
    random = before;
    for (int i = 0; i < used; ++i) draw(random);
  }
}

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
  DistinctPairs distinct(wanted, done);
  const GrammarText& text = tables_->text;

  // Draw by the weights of the grammar while that gives new sentences.
  add_drawn(distinct, text, random,
            [&](GrammarRandom& drawing) { return draw_derivation(text, tables_->expansion, drawing); });

  // Then take the rare ones: all that are left, or every derivation with the same chance.
  const double all = derivations();
  if (!distinct.enough() && all <= kCountable) {
    std::vector<std::uint64_t> order(static_cast<std::size_t>(all));
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
      std::swap(order[i], order[random.below(i + 1)]);
    }
    for (std::size_t i = 0; i < order.size() && !distinct.enough(); ++i)
      distinct.add(spelled(text, numbered_derivation(tables_->expansion, order[i])));
  } else if (all <= kLargestExactCount) {
    const auto count = static_cast<std::uint64_t>(all);
    add_drawn(distinct, text, random, [&](GrammarRandom& drawing) {
      return numbered_derivation(tables_->expansion, drawing.below(count));
    });
  }
  if (!distinct.enough())
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
