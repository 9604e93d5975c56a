#include "tests/grammar_recognizer.h"

#include <algorithm>
#include <map>
#include <memory>

#include "engine/files/read_file.h"
#include "engine/text/grammar.h"
#include "engine/text/grammar_expand.h"
#include "engine/text/grammar_reader.h"
#include "engine/text/unicode.h"
#include "tests/source_folder.h"

namespace glassformer {
namespace {

constexpr int kAny = -1;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// A stretch of the sentence read as one category. Features that the source words leave open are kAny; the
// rule above settles them.
struct Edge {
  int end = 0;
  std::vector<int> features;
  int rule = -1;
  int word = -1;
  std::vector<int> values;
  std::vector<const Edge*> children;
};

class Recognizer {
 public:
  Recognizer(const GrammarText& grammar, std::string_view source)
      : grammar_(grammar), words_(surface_words(source, grammar.source)) {}

  std::vector<GrammarDerivation> run() {
    std::vector<GrammarDerivation> result;
    for (const auto& edge : edges(grammar_.start, 0))
      if (edge->end == static_cast<int>(words_.size()))
        result.push_back(derivation(grammar_.start, *edge, {}));
    return result;
  }

 private:
  using Edges = std::vector<std::unique_ptr<Edge>>;

  struct State {
    int position = 0;
    std::vector<int> values;
    std::vector<const Edge*> children;
  };

  // Where the words from `position` may end if they are this token; -1 for no match.
  std::vector<int> match(std::string_view token, int position) const {
    if (token == "-" || token == kCapitalMark) return {position};
    std::vector<int> ends;
    for (const auto& choice : token_words(token)) {
      if (at(position) + choice.size() > words_.size()) continue;
      bool same = true;
      for (std::size_t i = 0; i < choice.size() && same; ++i) same = is_word(at(position) + i, choice[i]);
      if (same) ends.push_back(position + static_cast<int>(choice.size()));
    }
    return ends;
  }

  // The first word may be a capitalized one; translations() compares the spelling in the end.
  bool is_word(std::size_t position, const std::string& word) const {
    return words_[position] == word || (position == 0 && to_lower(words_[0]) == to_lower(word));
  }

  const Edges& edges(int category_index, int position) {
    const auto [place, is_new] = known_.try_emplace({category_index, position});
    if (!is_new || grammar_.categories[at(category_index)].lexical) return place->second;
    const GrammarCategory& category = grammar_.categories[at(category_index)];
    Edges found;
    for (std::size_t r = 0; r < category.rules.size(); ++r) {
      State state{position, std::vector<int>(category.rules[r].variables.size(), kAny),
                  std::vector<const Edge*>(category.rules[r].children.size(), nullptr)};
      advance(category.rules[r], static_cast<int>(r), 0, state, found);
    }
    return place->second = std::move(found);
  }

  static bool unify(const std::vector<GrammarArgument>& arguments, const std::vector<int>& found,
                    std::vector<int>& values) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (found[i] == kAny) continue;
      if (arguments[i].value >= 0 && arguments[i].value != found[i]) return false;
      if (arguments[i].variable < 0) continue;
      int& value = values[at(arguments[i].variable)];
      if (value != kAny && value != found[i]) return false;
      value = found[i];
    }
    return true;
  }

  // Goes through the source side term by term, trying every cell and every edge.
  void advance(const GrammarRule& rule, int rule_index, std::size_t term_index, const State& state,
               Edges& found) {
    if (term_index == rule.source.size()) return finish(rule, rule_index, 0, state, found);
    const GrammarTerm& term = rule.source[term_index];
    const auto next_state = [&](const State& next, const std::string& token) {
      for (const int end : match(token, next.position)) {
        State moved = next;
        moved.position = end;
        advance(rule, rule_index, term_index + 1, moved, found);
      }
    };
    if (term.kind == GrammarTerm::Kind::literal) return next_state(state, term.text);
    if (term.kind == GrammarTerm::Kind::table)
      return each_cell(term, grammar_.tables[at(term.table)].cells, 0, state, next_state);
    const GrammarChild& child = rule.children[at(term.child)];
    const GrammarCategory& category = grammar_.categories[at(child.category)];
    if (category.lexical) {
      for (std::size_t w = 0; w < category.words.size(); ++w)
        each_reading(child, term, static_cast<int>(w), state, next_state);
      return;
    }
    for (const auto& edge : edges(child.category, state.position)) {
      State next = state;
      if (!unify(child.arguments, edge->features, next.values)) continue;
      next.position = edge->end;
      next.children[at(term.child)] = edge.get();
      advance(rule, rule_index, term_index + 1, next, found);
    }
  }

  // The cells of a table or form whose word is at the position, with the features they imply.
  template <typename Next>
  void each_cell(const GrammarTerm& term, const std::vector<std::string>& cells, int offset,
                 const State& state, const Next& next_state) {
    std::size_t count = 1;
    for (const int feature : term.features) count *= grammar_.features[at(feature)].values.size();
    for (std::size_t cell = 0; cell < count; ++cell) {
      const std::string& token = cells[at(offset) + cell];
      if (match(token, state.position).empty()) continue;
      std::vector<int> features(term.features.size());
      std::size_t rest = cell;
      for (std::size_t i = features.size(); i-- > 0;) {
        const std::size_t size = grammar_.features[at(term.features[i])].values.size();
        features[i] = static_cast<int>(rest % size);
        rest /= size;
      }
      State next = state;
      if (unify(term.arguments, features, next.values)) next_state(next, token);
    }
  }

  template <typename Next>
  void each_reading(const GrammarChild& child, const GrammarTerm& term, int word_index, const State& state,
                    const Next& next_state) {
    const GrammarWord& word = grammar_.categories[at(child.category)].words[at(word_index)];
    each_cell(term, word.source, term.offset, state, [&](const State& fits, const std::string& token) {
      std::vector<std::vector<int>> readings = {{}};
      for (std::size_t i = 0; i < word.values.size(); ++i) {
        const int feature = grammar_.categories[at(child.category)].features[i];
        const bool any = word.values[i].size() == grammar_.features[at(feature)].values.size();
        std::vector<std::vector<int>> longer;
        for (const auto& reading : readings)
          for (const int value : any ? std::vector<int>{kAny} : word.values[i]) {
            longer.push_back(reading);
            longer.back().push_back(value);
          }
        readings = std::move(longer);
      }
      for (const auto& reading : readings) {
        State next = fits;
        if (!unify(child.arguments, reading, next.values)) continue;
        next.children[at(term.child)] = word_edge(child.category, word_index);
        next_state(next, token);
      }
    });
  }

  const Edge* word_edge(int category, int word_index) {
    auto& edge = word_edges_[{category, word_index}];
    if (!edge) {
      edge = std::make_unique<Edge>();
      edge->word = word_index;
    }
    return edge.get();
  }

  // The rule above settles what occurs once on the left. Any other open variable takes each value in turn: an
  // edge could not say that two of its features are equal.
  void finish(const GrammarRule& rule, int rule_index, std::size_t from, const State& state, Edges& found) {
    for (std::size_t i = from; i < state.values.size(); ++i) {
      const auto places = std::count_if(
          rule.left.begin(), rule.left.end(),
          [&](const GrammarArgument& argument) { return argument.variable == static_cast<int>(i); });
      const bool left = places == 1;
      if (state.values[i] != kAny || left) continue;
      State next = state;
      const std::size_t count = grammar_.features[at(rule.variable_features[i])].values.size();
      for (std::size_t v = 0; v < count; ++v) {
        next.values[i] = static_cast<int>(v);
        finish(rule, rule_index, i + 1, next, found);
      }
      return;
    }
    auto edge = std::make_unique<Edge>();
    edge->end = state.position;
    edge->rule = rule_index;
    edge->values = state.values;
    edge->children = state.children;
    for (const GrammarArgument& argument : rule.left)
      edge->features.push_back(argument.variable >= 0 ? state.values[at(argument.variable)] : argument.value);
    found.push_back(std::move(edge));
  }

  GrammarDerivation derivation(int category, const Edge& edge, const std::vector<int>& features) const {
    GrammarDerivation result;
    result.category = category;
    result.word = edge.word;
    result.rule = edge.rule;
    if (edge.word >= 0) return result;
    const GrammarRule& rule = grammar_.categories[at(category)].rules[at(edge.rule)];
    result.values = edge.values;
    unify(rule.left, features, result.values);
    for (std::size_t c = 0; c < rule.children.size(); ++c) {
      std::vector<int> below;
      for (const GrammarArgument& argument : rule.children[c].arguments)
        below.push_back(argument.variable >= 0 ? result.values[at(argument.variable)] : argument.value);
      result.children.push_back(derivation(rule.children[c].category, *edge.children[c], below));
    }
    return result;
  }

  const GrammarText& grammar_;
  std::vector<std::string> words_;
  std::map<std::pair<int, int>, Edges> known_;
  std::map<std::pair<int, int>, std::unique_ptr<Edge>> word_edges_;
};

}  // namespace

std::vector<std::string> translations(const GrammarText& grammar, std::string_view source) {
  std::vector<std::string> targets;
  for (const GrammarDerivation& derivation : Recognizer(grammar, source).run()) {
    if (spell_source(grammar, derivation) != source) continue;
    std::string target = spell_target(grammar, derivation);
    if (std::find(targets.begin(), targets.end(), target) == targets.end())
      targets.push_back(std::move(target));
  }
  return targets;
}

GrammarText english_french_grammar() {
  const std::string path = source_folder() + "/assets/grammars/english-french.grammar";
  return read_grammar(read_file(path), path);
}

}  // namespace glassformer
