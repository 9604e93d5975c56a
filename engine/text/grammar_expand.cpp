#include "engine/text/grammar_expand.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/text/grammar_lines.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostBindings = 2'000'000;
constexpr std::size_t kMostInstances = 200'000;
constexpr long kMostSteps = 400'000'000;
constexpr double kWordWeight = 12;

// Of the variables of a rule; -1: not settled.
using Settled = decltype(GrammarBinding::values);

class Expander {
 public:
  explicit Expander(const GrammarText& grammar)
      : grammar_(grammar),
        index_(grammar.categories.size()),
        state_(grammar.categories.size(), State::unseen) {
    result_.of_category.resize(grammar.categories.size());
  }

  GrammarExpansion run() {
    for (std::size_t i = 0; i < grammar_.categories.size(); ++i) expand(static_cast<int>(i));
    result_.start = result_.of_category[place_of(grammar_.start)].at(0);
    return std::move(result_);
  }

 private:
  enum class State { unseen, open, done };

  [[noreturn]] void fail(long line, const std::string& what) const {
    refuse(grammar_.where, {"", line, 1}, what);
  }

  const GrammarFeature& feature(int index) const { return grammar_.features[place_of(index)]; }

  // Children first: an open category met again contains itself.
  void expand(int category_index) {
    const GrammarCategory& category = grammar_.categories[place_of(category_index)];
    state_[place_of(category_index)] = State::open;
    for (const GrammarRule& rule : category.rules)
      for (const GrammarChild& child : rule.children) {
        if (state_[place_of(child.category)] == State::open)
          fail(rule.line, "this rule of " + in_quotes(category.name) + " uses " + in_quotes(child.label) +
                              ", which contains " + in_quotes(category.name) +
                              " again, so that sentences would never end; use a category of another name");
        if (state_[place_of(child.category)] == State::unseen) expand(child.category);
      }
    if (category.lexical) {
      expand_words(category_index);
    } else {
      if (category.rules.empty())
        fail(category.line,
             in_quotes(category.name) + " has no rules; write one below, indented by two blanks");
      for (std::size_t i = 0; i < category.rules.size(); ++i)
        expand_rule(category_index, static_cast<int>(i));
    }
    state_[place_of(category_index)] = State::done;
  }

  GrammarInstance& instance(int category, const std::vector<int>& values) {
    const auto [place, is_new] =
        index_[place_of(category)].try_emplace(values, static_cast<int>(result_.instances.size()));
    if (is_new) {
      result_.of_category[place_of(category)].push_back(place->second);
      result_.instances.emplace_back();
      result_.instances.back().category = category;
      result_.instances.back().values = values;
    }
    return result_.instances[place_of(place->second)];
  }

  void expand_words(int category_index) {
    const GrammarCategory& category = grammar_.categories[place_of(category_index)];
    if (category.words.empty())
      fail(category.line,
           in_quotes(category.name) + " has no words; write one below, indented by two blanks");
    for (std::size_t w = 0; w < category.words.size(); ++w) {
      std::vector<int> values(category.features.size());
      each_reading(category_index, static_cast<int>(w), 0, values);
    }
  }

  // A word with "a|b" or "*" belongs to several instances.
  void each_reading(int category, int word_index, std::size_t feature_index, std::vector<int>& values) {
    const GrammarWord& word = grammar_.categories[place_of(category)].words[place_of(word_index)];
    if (feature_index == values.size()) {
      GrammarInstance& built = instance(category, values);
      // A word that fits in many places is chosen less often in each, so that the others are heard as well.
      double places = 1;
      for (const auto& allowed : word.values) places *= static_cast<double>(allowed.size());
      const auto weight = static_cast<std::uint64_t>(kWordWeight / std::sqrt(places)) + 1;
      built.weight_up_to.push_back(weight + (built.words.empty() ? 0 : built.weight_up_to.back()));
      built.words.push_back(word_index);
      built.derivations += 1;
      if (++bindings_ > kMostBindings) too_large(word.line);
      return;
    }
    for (const int value : word.values[feature_index]) {
      values[feature_index] = value;
      each_reading(category, word_index, feature_index + 1, values);
    }
  }

  [[noreturn]] void too_large(long line) const {
    fail(line,
         "there are too many ways to combine features up to this line; use fewer features or fewer values");
  }

  void expand_rule(int category, int rule_index) {
    const GrammarRule& rule = grammar_.categories[place_of(category)].rules[place_of(rule_index)];
    GrammarBinding binding;
    Settled values;
    values.fill(-1);
    const std::size_t before = bindings_;
    join(category, rule_index, 0, values, binding);
    if (bindings_ == before)
      fail(rule.line, "this rule of " + in_quotes(grammar_.categories[place_of(category)].name) +
                          " can never be used: no words or rules fit the features it asks for; correct them "
                          "or add words");
  }

  static bool unify(const std::vector<GrammarArgument>& arguments, const std::vector<int>& found,
                    Settled& values) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const GrammarArgument& argument = arguments[i];
      if (argument.value >= 0 && argument.value != found[i]) return false;
      if (argument.variable < 0) continue;
      std::int8_t& value = values[place_of(argument.variable)];
      if (value >= 0 && value != found[i]) return false;
      value = static_cast<std::int8_t>(found[i]);
    }
    return true;
  }

  void join(int category, int rule_index, std::size_t child, Settled& values, GrammarBinding& binding) {
    const GrammarRule& rule = grammar_.categories[place_of(category)].rules[place_of(rule_index)];
    if (child == rule.children.size()) return settle(category, rule_index, 0, values, binding);
    for (const int built : result_.of_category[place_of(rule.children[child].category)]) {
      if (++steps_ > kMostSteps) too_large(rule.line);
      Settled tried = values;
      if (!unify(rule.children[child].arguments, result_.instances[place_of(built)].values, tried)) continue;
      binding.children[child] = built;
      join(category, rule_index, child + 1, tried, binding);
    }
  }

  // Give every value to the variables that no child fixes, then to "_" on the left.
  void settle(int category, int rule_index, std::size_t from, Settled& values, GrammarBinding& binding) {
    const GrammarRule& rule = grammar_.categories[place_of(category)].rules[place_of(rule_index)];
    for (std::size_t i = from; i < rule.variables.size(); ++i) {
      if (values[i] >= 0) continue;
      const std::size_t count = feature(rule.variable_features[i]).values.size();
      for (std::size_t v = 0; v < count; ++v) {
        values[i] = static_cast<std::int8_t>(v);
        settle(category, rule_index, i + 1, values, binding);
      }
      values[i] = -1;
      return;
    }
    std::vector<int> left(rule.left.size(), 0);
    add(category, rule_index, 0, left, values, binding);
  }

  void add(int category_index, int rule_index, std::size_t from, std::vector<int>& left,
           const Settled& values, GrammarBinding& binding) {
    const GrammarCategory& category = grammar_.categories[place_of(category_index)];
    const GrammarRule& rule = category.rules[place_of(rule_index)];
    for (std::size_t i = from; i < left.size(); ++i) {
      const GrammarArgument& argument = rule.left[i];
      if (argument.value < 0 && argument.variable < 0) {
        for (std::size_t v = 0; v < feature(category.features[i]).values.size(); ++v) {
          left[i] = static_cast<int>(v);
          add(category_index, rule_index, i + 1, left, values, binding);
        }
        return;
      }
      left[i] = argument.value >= 0 ? argument.value : values[place_of(argument.variable)];
    }
    if (++bindings_ > kMostBindings || result_.instances.size() > kMostInstances) too_large(rule.line);

    // Weigh: children count by the weights of their words or rules, values by theirs unless the rule above
    // has chosen them.
    std::uint64_t weight = 1;
    double derivations = 1;
    for (std::size_t c = 0; c < rule.children.size(); ++c) {
      const GrammarInstance& child = result_.instances[place_of(binding.children[c])];
      derivations *= child.derivations;
      weight *= child.words.empty() ? child.rule_weight : child.weight_up_to.back();
    }
    for (std::size_t i = 0; i < rule.variables.size(); ++i) {
      bool chosen = false;
      for (const GrammarArgument& argument : rule.left)
        chosen = chosen || argument.variable == static_cast<int>(i);
      if (!chosen)
        weight *= static_cast<std::uint64_t>(feature(rule.variable_features[i]).weights[place_of(values[i])]);
      binding.values[i] = values[i];
    }
    if (weight > (std::uint64_t{1} << 42)) too_large(rule.line);

    GrammarInstance& built = instance(category_index, left);
    if (built.choices.empty() || built.choices.back().rule != rule_index) {
      built.choices.push_back({rule_index, {}});
      built.rule_weight += static_cast<std::uint64_t>(rule.weight);
    }
    auto& bindings = built.choices.back().bindings;
    binding.derivations = derivations;
    binding.weight_up_to = weight + (bindings.empty() ? 0 : bindings.back().weight_up_to);
    bindings.push_back(binding);
    built.derivations += derivations;
  }

  const GrammarText& grammar_;
  GrammarExpansion result_;
  std::vector<std::map<std::vector<int>, int>> index_;  // instances by category and values
  std::vector<State> state_;
  std::size_t bindings_ = 0;
  long steps_ = 0;
};

}  // namespace

GrammarExpansion expand_grammar(const GrammarText& grammar) {
  return Expander(grammar).run();
}

namespace {

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string_view without_mark(std::string_view word) {
  if (!word.empty() && (word.front() == '*' || word.front() == '^')) word.remove_prefix(1);
  return word;
}

bool begins_with_vowel_sound(std::string_view word, const GrammarSurface& surface) {
  if (word.empty() || word.front() == '*') return false;
  if (word.front() == '^') return true;
  return std::any_of(surface.vowels.begin(), surface.vowels.end(),
                     [&](const std::string& vowel) { return word.substr(0, vowel.size()) == vowel; });
}

// The capital lies a fixed distance before its small letter in most alphabets, or right before it (Œ œ).
std::string capitalized(std::string_view word) {
  if (word.empty()) return "";
  std::size_t rest = 0;
  const char32_t small = next_code_point(word, rest);
  char32_t first = small;
  for (const char32_t distance : {1u, 0x20u})
    if (small > distance && to_lower(small - distance) == small && small - distance != small)
      first = small - distance;
  std::string result;
  append_utf8(result, first);
  return result.append(word.substr(rest));
}

std::vector<std::string> cut_blanks(std::string_view text, std::string_view blanks) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

std::string surface_text(std::vector<std::string_view> words, const GrammarSurface& surface,
                         std::vector<SurfaceToken>* tokens) {
  // Choose the form before a vowel from the end to the front: what follows must be settled first.
  std::string_view next;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    if (*word == kCapitalMark) continue;
    const std::size_t bar = word->find('|');
    if (bar != std::string_view::npos)
      *word = begins_with_vowel_sound(next, surface) ? word->substr(bar + 1) : word->substr(0, bar);
    next = *word;
  }

  // Contract neighbours, set the capitals and the blanks.
  std::string text;
  bool capital = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kCapitalMark) {
      capital = text.empty();
      continue;
    }
    const std::size_t first = i;
    std::string word(without_mark(words[i]));
    if (i + 1 < words.size())
      for (const auto& contraction : surface.contractions)
        if (contraction.first == word && contraction.second == without_mark(words[i + 1])) {
          word = contraction.together;
          ++i;
          break;
        }
    std::replace(word.begin(), word.end(), '_', ' ');
    if (capital) word = capitalized(word);
    capital = false;
    const bool tight = text.empty() || text.back() == '\'' || contains(surface.attached, word);
    if (!tight) text += ' ';
    text += word;
    if (tokens != nullptr && !word.empty())
      tokens->push_back({text.size() - word.size(), text.size(), first, i + 1 - first});
  }
  return text;
}

std::vector<std::string> surface_words(std::string_view sentence, const GrammarSurface& surface) {
  std::vector<std::string> words;
  for (std::string& word : cut_blanks(sentence, " \t")) {
    std::vector<std::string> tail;
    for (bool again = true; again;) {
      again = false;
      for (const std::string& mark : surface.attached)
        if (word.size() > mark.size() && word.ends_with(mark)) {
          tail.push_back(mark);
          word.resize(word.size() - mark.size());
          again = true;
          break;
        }
    }
    words.push_back(word);
    words.insert(words.end(), tail.rbegin(), tail.rend());
  }
  return words;
}

std::vector<std::vector<std::string>> token_words(std::string_view token) {
  std::vector<std::vector<std::string>> choices;
  while (true) {
    const std::size_t bar = token.find('|');
    choices.push_back(cut_blanks(without_mark(token.substr(0, bar)), "_"));
    if (bar == std::string_view::npos) return choices;
    token.remove_prefix(bar + 1);
  }
}

}  // namespace glassformer
