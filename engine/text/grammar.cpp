#include "engine/text/grammar.h"

#include <algorithm>
#include <map>
#include <thread>
#include <unordered_set>
#include <utility>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "engine/text/grammar_expand.h"
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
constexpr std::size_t kReportEvery = 1000;  // pairs

SentencePair spelled(const GrammarText& text, const GrammarDerivation& derivation) {
  return {spell_source(text, derivation), spell_target(text, derivation)};
}

// Pairs in the order they come, each source once.
class DistinctPairs {
 public:
  using Taken = std::function<void(const SentencePair&, const GrammarDerivation&)>;
  DistinctPairs(std::size_t wanted, const std::function<void(double)>& done, const Taken& taken)
      : wanted_(wanted), done_(done), taken_(taken) {}
  bool add(SentencePair pair, const GrammarDerivation& derivation) {
    if (!seen_.insert(pair.source).second) return false;
    if (taken_) taken_(pair, derivation);
    pairs.push_back(std::move(pair));
    if (done_ && pairs.size() % kReportEvery == 0)
      done_(static_cast<double>(pairs.size()) / static_cast<double>(wanted_));
    return true;
  }
  bool enough() const { return pairs.size() >= wanted_; }
  std::vector<SentencePair> pairs;

 private:
  std::size_t wanted_;
  const std::function<void(double)>& done_;
  const Taken& taken_;
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
    for (; used < kAtOnce && !distinct.enough() && misses < kPatience; ++used) {
      const auto i = static_cast<std::size_t>(used);
      misses = distinct.add(std::move(pairs[i]), drawn[i]) ? 0 : misses + 1;
    }
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
  return generate(pairs, seed, done, {});
}

std::vector<AlignedPair> Grammar::generate_aligned(
    long pairs, std::uint64_t seed, const std::function<bool(const SentencePair&)>& wanted) const {
  std::vector<AlignedPair> aligned;
  generate(pairs, seed, {}, [&](const SentencePair& pair, const GrammarDerivation& derivation) {
    if (!wanted || wanted(pair)) aligned.push_back(spell_aligned(tables_->text, derivation));
  });
  return aligned;
}

std::vector<SentencePair> Grammar::generate(long pairs, std::uint64_t seed,
                                            const std::function<void(double)>& done,
                                            const Taken& taken) const {
  const std::string& name = tables_->text.where;
  if (pairs < 0 || static_cast<double>(pairs) > kMostPairs)
    throw Error(name, "expected 0 to 50000000 pairs, found " + std::to_string(pairs));
  const auto wanted = static_cast<std::size_t>(pairs);
  GrammarRandom random(seed);
  DistinctPairs distinct(wanted, done, taken);
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
    for (std::size_t i = 0; i < order.size() && !distinct.enough(); ++i) {
      const GrammarDerivation derivation = numbered_derivation(tables_->expansion, order[i]);
      distinct.add(spelled(text, derivation), derivation);
    }
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

namespace {

GrammarDerivation draw(const GrammarText& grammar, const GrammarExpansion& expansion, int index,
                       GrammarRandom& random) {
  const GrammarInstance& instance = expansion.instances[place_of(index)];
  GrammarDerivation result;
  result.category = instance.category;
  if (!instance.words.empty()) {
    const std::uint64_t word = random.below(instance.weight_up_to.back());
    const auto place = std::upper_bound(instance.weight_up_to.begin(), instance.weight_up_to.end(), word);
    result.word = instance.words[static_cast<std::size_t>(place - instance.weight_up_to.begin())];
    return result;
  }

  // A rule by its weight, then one of the ways to use it.
  const auto& rules = grammar.categories[place_of(instance.category)].rules;
  std::uint64_t drawn = random.below(instance.rule_weight);
  const GrammarChoice* choice = instance.choices.data();
  while (drawn >= static_cast<std::uint64_t>(rules[place_of(choice->rule)].weight))
    drawn -= static_cast<std::uint64_t>(rules[place_of((choice++)->rule)].weight);
  drawn = random.below(choice->bindings.back().weight_up_to);
  const auto binding = std::upper_bound(
      choice->bindings.begin(), choice->bindings.end(), drawn,
      [](std::uint64_t value, const GrammarBinding& other) { return value < other.weight_up_to; });

  const GrammarRule& rule = rules[place_of(choice->rule)];
  result.rule = choice->rule;
  result.values.assign(binding->values.begin(),
                       binding->values.begin() + static_cast<long>(rule.variables.size()));
  result.children.reserve(rule.children.size());
  for (std::size_t i = 0; i < rule.children.size(); ++i)
    result.children.push_back(draw(grammar, expansion, binding->children[i], random));
  return result;
}

// Takes its own digit off `index`, in the mixed base of the children's counts.
GrammarDerivation numbered(const GrammarExpansion& expansion, int instance_index, double index) {
  const GrammarInstance& instance = expansion.instances[place_of(instance_index)];
  GrammarDerivation result;
  result.category = instance.category;
  if (!instance.words.empty()) {
    result.word = instance.words[static_cast<std::size_t>(index)];
    return result;
  }
  for (const GrammarChoice& choice : instance.choices)
    for (const GrammarBinding& binding : choice.bindings) {
      if (index >= binding.derivations) {
        index -= binding.derivations;
        continue;
      }
      result.rule = choice.rule;
      result.values.assign(binding.values.begin(), binding.values.end());
      auto rest = static_cast<std::uint64_t>(index);
      for (const int child : binding.children) {
        if (child < 0) break;
        const auto count = static_cast<std::uint64_t>(expansion.instances[place_of(child)].derivations);
        result.children.push_back(numbered(expansion, child, static_cast<double>(rest % count)));
        rest /= count;
      }
      return result;
    }
  return result;
}

class Speller {
 public:
  Speller(const GrammarText& grammar, bool target) : grammar_(grammar), target_(target) {}

  std::string spelled(const GrammarDerivation& sentence, std::vector<SurfaceToken>* surface = nullptr) {
    spell(sentence, 0);
    return surface_text(std::move(tokens_), target_ ? grammar_.target : grammar_.source, surface);
  }
  const GrammarDerivation& maker(std::size_t token) const { return *makers_[token]; }

 private:
  void spell(const GrammarDerivation& node, int part) {
    const GrammarRule& rule = grammar_.categories[place_of(node.category)].rules[place_of(node.rule)];
    for (const GrammarTerm& term : target_ ? rule.target[place_of(part)] : rule.source) {
      if (term.kind == GrammarTerm::Kind::literal) {
        put(term.text, node);
      } else if (term.kind == GrammarTerm::Kind::table) {
        put(grammar_.tables[place_of(term.table)].cells[cell(term, node)], node);
      } else if (const GrammarDerivation& child = node.children[place_of(term.child)]; child.word < 0) {
        spell(child, term.part);
      } else {
        const GrammarWord& word = grammar_.categories[place_of(child.category)].words[place_of(child.word)];
        put((target_ ? word.target : word.source)[place_of(term.offset) + cell(term, node)], child);
      }
    }
  }

  void put(std::string_view token, const GrammarDerivation& maker) {
    if (token == "-") return;
    tokens_.push_back(token);
    makers_.push_back(&maker);
  }

  std::size_t cell(const GrammarTerm& term, const GrammarDerivation& node) const {
    std::size_t index = 0;
    for (std::size_t i = 0; i < term.arguments.size(); ++i) {
      const GrammarArgument& argument = term.arguments[i];
      const int value = argument.value >= 0 ? argument.value : node.values[place_of(argument.variable)];
      index = index * grammar_.features[place_of(term.features[i])].values.size() + place_of(value);
    }
    return index;
  }

  const GrammarText& grammar_;
  bool target_;
  std::vector<std::string_view> tokens_;          // of the grammar
  std::vector<const GrammarDerivation*> makers_;  // of each token
};

using PlacesOfNodes = std::map<const GrammarDerivation*, int>;

// From the top down, a rule before its children.
void number_nodes(const GrammarDerivation& node, PlacesOfNodes& places) {
  places.emplace(&node, static_cast<int>(places.size()));
  for (const GrammarDerivation& child : node.children) number_nodes(child, places);
}

std::string spell_side(const GrammarText& grammar, const GrammarDerivation& derivation, bool target,
                       const PlacesOfNodes& places, std::vector<AlignedToken>& tokens) {
  Speller speller(grammar, target);
  std::vector<SurfaceToken> surface;
  std::string text = speller.spelled(derivation, &surface);
  for (const SurfaceToken& written : surface) {
    AlignedToken& token = tokens.emplace_back(AlignedToken{written.begin, written.end, {}});
    for (std::size_t i = written.first; i < written.first + written.words; ++i)
      token.makers.push_back({places.at(&speller.maker(i)), speller.maker(i).word >= 0});
  }
  return text;
}

}  // namespace

std::uint64_t GrammarRandom::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::uint64_t GrammarRandom::below(std::uint64_t limit) {
  const std::uint64_t unfair = (0 - limit) % limit;  // values below it would favour the first results
  std::uint64_t drawn = next();
  while (drawn < unfair) drawn = next();
  return drawn % limit;
}

GrammarDerivation draw_derivation(const GrammarText& grammar, const GrammarExpansion& expansion,
                                  GrammarRandom& random) {
  return draw(grammar, expansion, expansion.start, random);
}

GrammarDerivation numbered_derivation(const GrammarExpansion& expansion, std::uint64_t index) {
  return numbered(expansion, expansion.start, static_cast<double>(index));
}

std::string spell_source(const GrammarText& grammar, const GrammarDerivation& derivation) {
  return Speller(grammar, false).spelled(derivation);
}

std::string spell_target(const GrammarText& grammar, const GrammarDerivation& derivation) {
  return Speller(grammar, true).spelled(derivation);
}

AlignedPair spell_aligned(const GrammarText& grammar, const GrammarDerivation& derivation) {
  PlacesOfNodes places;
  number_nodes(derivation, places);
  AlignedPair pair;
  pair.text.source = spell_side(grammar, derivation, false, places, pair.source);
  pair.text.target = spell_side(grammar, derivation, true, places, pair.target);
  return pair;
}

}  // namespace glassformer
