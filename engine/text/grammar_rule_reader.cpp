#include <algorithm>

#include "engine/text/grammar_reader.h"

namespace glassformer {
namespace {

constexpr std::size_t kMostVariables = 16;
constexpr std::size_t kMostChildren = 8;

// "noun#2(G C).present(N P)" cut into its pieces.
struct Reference {
  std::string name, label;  // "noun", "noun#2"
  std::vector<GrammarToken> arguments;
  bool has_arguments = false;
  std::string form;
  std::vector<GrammarToken> form_arguments;
  bool has_form = false;
};

class RuleReader {
 public:
  RuleReader(const GrammarText& grammar, int category)
      : grammar_(grammar), category_(grammar.categories[static_cast<std::size_t>(category)]) {}

  GrammarRule read(const GrammarLine& line) {
    rule_.line = line.tokens[0].line;
    std::size_t at = 0;
    if (line.tokens[0].text.size() > 1 && line.tokens[0].text[0] == '*')
      rule_.weight = read_weight(grammar_, line.tokens[at++], line.tokens[0].text.substr(1));

    // Left: one value for each feature of the category.
    std::vector<GrammarToken> left;
    for (; at < line.tokens.size() && line.tokens[at].text != ":"; ++at) left.push_back(line.tokens[at]);
    if (at == line.tokens.size())
      fail(line.tokens.back(),
           "expected \"values : source / target\", found no \":\" alone between blanks; add it");
    rule_.left = arguments(line.tokens[at], left, category_.features, in_quotes(category_.name));
    const GrammarToken colon = line.tokens[at++];

    // Right: the source, then the parts of the target.
    bool target = false;
    for (; at < line.tokens.size(); ++at) {
      const GrammarToken& token = line.tokens[at];
      if (token.text == "/") {
        if (target) fail(token, "a rule has one \"/\" between source and target, found a second; remove it");
        target = true;
        rule_.target.emplace_back();
      } else if (token.text == ";") {
        if (!target) fail(token, "only the target side has parts; remove \";\" or put it behind \"/\"");
        rule_.target.emplace_back();
      } else if (token.text != "-") {
        (target ? rule_.target.back() : rule_.source).push_back(term(token, target));
      }
    }
    if (!target)
      fail(line.tokens.back(), "expected \"source / target\", found no \"/\"; add the target side");
    check_variables(colon);
    return std::move(rule_);
  }

 private:
  [[noreturn]] void fail(const GrammarToken& token, const std::string& what) const {
    refuse(grammar_.where, token, what);
  }

  static bool is_reference(std::string_view text) {
    const std::size_t point = text.find('.');
    return text.find('(') != std::string_view::npos ||
           (point != std::string_view::npos && point > 0 && point + 1 < text.size());
  }

  Reference split(const GrammarToken& token) const {
    Reference reference;
    std::string_view text = token.text;
    const auto list = [&](std::vector<GrammarToken>& into) {
      const std::size_t close = text.find(')');
      std::string word;
      for (const char c : text.substr(1, close)) {
        if (c != ' ' && c != ')') {
          word += c;
        } else if (!word.empty()) {
          into.push_back({word, token.line, token.column});
          word.clear();
        }
      }
      text.remove_prefix(close + 1);
    };
    const std::size_t end = std::min(text.find_first_of("(."), text.size());
    reference.label = text.substr(0, end);
    reference.name = reference.label.substr(0, reference.label.find('#'));
    text.remove_prefix(end);
    if (!text.empty() && text.front() == '(') {
      reference.has_arguments = true;
      list(reference.arguments);
    }
    if (!text.empty() && text.front() == '.') {
      reference.has_form = true;
      const std::size_t open = std::min(text.find('('), text.size());
      reference.form = text.substr(1, open - 1);
      text.remove_prefix(open);
      if (!text.empty()) list(reference.form_arguments);
    }
    if (!text.empty())
      fail(token, in_quotes(token.text) + " goes on behind its parentheses; put a blank between words");
    return reference;
  }

  // Values or variables for a list of features.
  std::vector<GrammarArgument> arguments(const GrammarToken& place, const std::vector<GrammarToken>& words,
                                         const std::vector<int>& features, const std::string& owner) {
    if (words.size() != features.size()) {
      std::string names;
      for (const int feature : features)
        names += (names.empty() ? "" : " ") + grammar_.features[static_cast<std::size_t>(feature)].name;
      fail(place, owner + " takes " + std::to_string(features.size()) + " features (" + names + "), found " +
                      std::to_string(words.size()) + "; write one value or variable for each");
    }
    std::vector<GrammarArgument> list;
    for (std::size_t i = 0; i < words.size(); ++i) {
      GrammarArgument argument;
      const std::string& word = words[i].text;
      if (word[0] >= 'A' && word[0] <= 'Z') {
        argument.variable = variable(words[i], features[i]);
      } else if (word != "_") {
        argument.value = read_value(grammar_, features[i], words[i]);
      }
      list.push_back(argument);
    }
    return list;
  }

  int variable(const GrammarToken& word, int feature) {
    for (std::size_t i = 0; i < rule_.variables.size(); ++i) {
      if (rule_.variables[i] != word.text) continue;
      if (rule_.variable_features[i] != feature)
        fail(word, "variable " + in_quotes(word.text) + " stands for " +
                       feature_name(rule_.variable_features[i]) + " and here for " + feature_name(feature) +
                       "; use two names");
      return static_cast<int>(i);
    }
    if (rule_.variables.size() == kMostVariables)
      fail(word, "a rule has at most 16 variables; split it in two");
    rule_.variables.push_back(word.text);
    rule_.variable_features.push_back(feature);
    return static_cast<int>(rule_.variables.size()) - 1;
  }

  const std::string& feature_name(int feature) const {
    return grammar_.features[static_cast<std::size_t>(feature)].name;
  }

  GrammarTerm term(const GrammarToken& token, bool target) {
    GrammarTerm result;
    if (!is_reference(token.text)) {
      result.text = token.text;
      return result;
    }
    const Reference reference = split(token);
    for (std::size_t i = 0; i < grammar_.tables.size(); ++i) {
      const GrammarCells& shape = grammar_.tables[i].shape;
      if (shape.name != reference.label) continue;
      result.kind = GrammarTerm::Kind::table;
      result.table = static_cast<int>(i);
      result.features = shape.features;
      result.arguments =
          arguments(token, reference.arguments, shape.features, "table " + in_quotes(shape.name));
      return result;
    }
    const int category = index_of_name(grammar_.categories, reference.name);
    if (category < 0)
      fail(token, "no table, words or rules are called " + in_quotes(reference.name) +
                      "; correct the name, or declare it with \"table\", \"words\" or \"rules\"");
    result.kind = GrammarTerm::Kind::child;
    result.child = target ? known_child(token, reference) : new_child(token, reference, category);
    choose_form(token, reference, category, target, result);
    return result;
  }

  int new_child(const GrammarToken& token, const Reference& reference, int category) {
    const auto same = std::find_if(rule_.children.begin(), rule_.children.end(),
                                   [&](const GrammarChild& child) { return child.label == reference.label; });
    if (same != rule_.children.end())
      fail(token, in_quotes(reference.label) + " stands twice on the source side; call the second one " +
                      in_quotes(reference.name + "#2"));
    if (rule_.children.size() == kMostChildren) fail(token, "a rule joins at most 8 parts; split it in two");
    const auto& features = grammar_.categories[static_cast<std::size_t>(category)].features;
    rule_.children.push_back({category, reference.label,
                              arguments(token, reference.arguments, features, in_quotes(reference.name))});
    return static_cast<int>(rule_.children.size()) - 1;
  }

  int known_child(const GrammarToken& token, const Reference& reference) const {
    if (!reference.arguments.empty())
      fail(token, "the source side has fixed the features of " + in_quotes(reference.label) + "; write \"" +
                      reference.label + "()\" or its form alone");
    for (std::size_t i = 0; i < rule_.children.size(); ++i)
      if (rule_.children[i].label == reference.label) return static_cast<int>(i);
    fail(token, "the source side has no " + in_quotes(reference.label) + "; say it there or remove it here");
  }

  void choose_form(const GrammarToken& token, const Reference& reference, int category_index, bool target,
                   GrammarTerm& result) {
    const GrammarCategory& category = grammar_.categories[static_cast<std::size_t>(category_index)];
    if (!category.lexical) {
      if (!reference.has_form) return;
      const bool digit = reference.form.size() == 1 && reference.form[0] >= '1' && reference.form[0] <= '9';
      if (!target || !digit)
        fail(token, in_quotes(category.name) + " is built by rules and has no form " +
                        in_quotes(reference.form) + "; on the target side \".1\" and \".2\" place its parts");
      result.part = reference.form[0] - '1';
      return;
    }
    const GrammarForms& forms =
        grammar_.forms[static_cast<std::size_t>(target ? category.target_forms : category.source_forms)];
    const int form = reference.has_form ? index_of_name(forms.forms, reference.form) : -1;
    if (form < 0) {
      std::string names;
      for (const GrammarCells& cells : forms.forms)
        names += (names.empty() ? "\"." : ", \".") + cells.name + "\"";
      fail(token, "expected a form of " + in_quotes(reference.name) + " (" + names + "), found " +
                      in_quotes(token.text));
    }
    const GrammarCells& cells = forms.forms[static_cast<std::size_t>(form)];
    result.offset = cells.offset;
    result.features = cells.features;
    result.arguments = arguments(token, reference.form_arguments, cells.features, "this form");
  }

  // A variable that is alone is a slip of the pen, and one that nothing fixes would leave a form open.
  void check_variables(const GrammarToken& place) const {
    std::vector<int> uses(rule_.variables.size(), 0), fixed(rule_.variables.size(), 0);
    const auto count = [](const std::vector<GrammarArgument>& list, std::vector<int>& into) {
      for (const GrammarArgument& argument : list)
        if (argument.variable >= 0) ++into[static_cast<std::size_t>(argument.variable)];
    };
    const auto count_terms = [&](const std::vector<GrammarTerm>& terms, std::vector<int>& into) {
      for (const GrammarTerm& term : terms) {
        count(term.arguments, into);
        for (const GrammarArgument& argument : term.arguments)
          if (argument.variable < 0 && argument.value < 0)
            fail(place, "\"_\" cannot choose a form or a cell of a table; write a value or a variable");
      }
    };
    count(rule_.left, fixed);
    for (const GrammarChild& child : rule_.children) count(child.arguments, fixed);
    count_terms(rule_.source, fixed);
    for (const auto& part : rule_.target) count_terms(part, uses);
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (fixed[i] == 0)
        fail(place, "nothing fixes variable " + in_quotes(rule_.variables[i]) +
                        "; name it on the left or on the source side");
      if (fixed[i] + uses[i] == 1)
        fail(place, "variable " + in_quotes(rule_.variables[i]) +
                        " stands only once in this rule; write \"_\" for any value");
    }
  }

  const GrammarText& grammar_;
  const GrammarCategory& category_;
  GrammarRule rule_;
};

}  // namespace

GrammarRule read_rule(const GrammarText& grammar, int category, const GrammarLine& line) {
  return RuleReader(grammar, category).read(line);
}

}  // namespace glassformer
