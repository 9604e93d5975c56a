#include "engine/text/grammar_derivation.h"

#include <algorithm>
#include <utility>

#include "engine/text/grammar_surface.h"

namespace glassformer {
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

  std::string spelled(const GrammarDerivation& sentence) && {
    spell(sentence, 0);
    return surface_text(std::move(tokens_), target_ ? grammar_.target : grammar_.source);
  }

 private:
  void spell(const GrammarDerivation& node, int part) {
    const GrammarRule& rule = grammar_.categories[place_of(node.category)].rules[place_of(node.rule)];
    for (const GrammarTerm& term : target_ ? rule.target[place_of(part)] : rule.source) {
      if (term.kind == GrammarTerm::Kind::literal) {
        put(term.text);
      } else if (term.kind == GrammarTerm::Kind::table) {
        put(grammar_.tables[place_of(term.table)].cells[cell(term, node)]);
      } else if (const GrammarDerivation& child = node.children[place_of(term.child)]; child.word < 0) {
        spell(child, term.part);
      } else {
        const GrammarWord& word = grammar_.categories[place_of(child.category)].words[place_of(child.word)];
        put((target_ ? word.target : word.source)[place_of(term.offset) + cell(term, node)]);
      }
    }
  }

  void put(std::string_view token) {
    if (token != "-") tokens_.push_back(token);
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
  std::vector<std::string_view> tokens_;  // of the grammar
};

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

}  // namespace glassformer
