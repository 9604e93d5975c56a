#include <algorithm>
#include <charconv>

#include "engine/text/grammar_reader.h"

namespace glassformer {
namespace {

// Stems for a pattern, named "1" to "9" and "A" on.
std::string fill(std::string_view item, const std::vector<std::string>& stems) {
  std::string text;
  for (const char c : item) {
    if (c >= '1' && c <= '9') {
      text += stems[static_cast<std::size_t>(c - '1')];
    } else if (c >= 'A' && c <= 'P') {
      text += stems[static_cast<std::size_t>(c - 'A' + 9)];
    } else {
      text += c;
    }
  }
  return text;
}

std::vector<std::string> cells_of(const GrammarText& grammar, int forms_index,
                                  const std::vector<GrammarToken>& side) {
  const GrammarForms& forms = grammar.forms[static_cast<std::size_t>(forms_index)];
  std::vector<std::string> stems;
  std::string name;
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (side[i].text.front() != ':') {
      stems.push_back(side[i].text);
    } else if (i + 1 < side.size()) {
      refuse(grammar.where, side[i + 1],
             "a pattern name such as " + in_quotes(side[i].text) + " comes last on its side, found " +
                 in_quotes(side[i + 1].text) + " behind it");
    } else {
      name = side[i].text.substr(1);
    }
  }
  std::string counts;
  bool known = false;
  for (const GrammarPattern& pattern : forms.patterns) {
    if (pattern.name != name) continue;
    known = true;
    if (pattern.stems == static_cast<int>(stems.size())) {
      std::vector<std::string> cells;
      for (const std::string& item : pattern.items) cells.push_back(fill(item, stems));
      return cells;
    }
    counts += (counts.empty() ? "" : " or ") + std::to_string(pattern.stems);
  }
  if (!known)
    refuse(grammar.where, side.back(),
           "forms " + in_quotes(forms.name) + " have no pattern " + in_quotes(":" + name) +
               "; use one that is declared");
  refuse(grammar.where, side.back(),
         "expected " + counts + (counts == "1" ? " form" : " forms") +
             (name.empty() ? "" : " for \":" + name + "\"") + ", found " + std::to_string(stems.size()) +
             "; write the missing ones or remove what is too much");
}

}  // namespace

std::string feature_values(const GrammarFeature& feature) {
  std::string text;
  for (const std::string& value : feature.values) text += (text.empty() ? "" : " ") + value;
  return text;
}

int read_value(const GrammarText& grammar, int feature, const GrammarToken& token) {
  const GrammarFeature& known = grammar.features[static_cast<std::size_t>(feature)];
  const auto value = std::find(known.values.begin(), known.values.end(), token.text);
  if (value == known.values.end())
    refuse(grammar.where, token,
           "expected a value of " + known.name + " (" + feature_values(known) + "), found " +
               in_quotes(token.text));
  return static_cast<int>(value - known.values.begin());
}

long read_weight(const GrammarText& grammar, const GrammarToken& token, std::string_view digits) {
  long weight = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), weight);
  if (error != std::errc() || end != digits.data() + digits.size() || weight < 1 || weight > 10000)
    refuse(grammar.where, token,
           "a weight is a whole number from 1 to 10000 behind \"*\", found " + in_quotes(token.text));
  return weight;
}

std::vector<int> read_signature(const GrammarText& grammar, const GrammarToken& token, std::string& name) {
  const std::size_t open = token.text.find('(');
  name = token.text.substr(0, open);
  const bool good_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  if (!good_name && !(name.empty() && open == 0))
    refuse(
        grammar.where, token,
        "a name is made of lower-case letters, digits and hyphens, found " + in_quotes(name) + "; rename it");
  std::vector<int> features;
  if (open == std::string::npos) return features;
  if (token.text.back() != ')')
    refuse(grammar.where, token, "expected \")\" at the end of " + in_quotes(token.text));
  std::string word;
  for (std::size_t i = open + 1; i < token.text.size(); ++i) {
    const char c = token.text[i];
    if (c != ' ' && c != ')') {
      word += c;
    } else if (!word.empty()) {
      const int feature = index_of_name(grammar.features, word);
      if (feature < 0)
        refuse(grammar.where, token,
               "no feature is called " + in_quotes(word) + "; declare it above with \"feature\"");
      features.push_back(feature);
      word.clear();
    }
  }
  if (features.size() > 12) refuse(grammar.where, token, "at most 12 features are possible here; use fewer");
  return features;
}

GrammarWord read_word(const GrammarText& grammar, int category_index, const GrammarLine& line) {
  const GrammarCategory& category = grammar.categories[static_cast<std::size_t>(category_index)];
  std::vector<std::vector<GrammarToken>> sides(1);
  for (const GrammarToken& token : line.tokens) {
    if (token.text == "/") {
      sides.emplace_back();
    } else {
      sides.back().push_back(token);
    }
  }
  const std::size_t wanted = category.features.empty() ? 2 : 3;
  const std::string shape =
      wanted == 2 ? "\"source forms / target forms\"" : "\"source forms / target forms / features\"";
  if (sides.size() != wanted)
    refuse(grammar.where, line.tokens.back(),
           "expected " + shape + ", found " + std::to_string(sides.size()) +
               " parts between \"/\"; add or remove a part");
  for (const auto& side : sides)
    if (side.empty())
      refuse(grammar.where, line.tokens.back(), "expected " + shape + ", and one part is empty; fill it");

  GrammarWord word;
  word.line = line.tokens[0].line;
  word.source = cells_of(grammar, category.source_forms, sides[0]);
  word.target = cells_of(grammar, category.target_forms, sides[1]);
  if (wanted == 2) return word;

  // The features, in the order of the header; "a|b" is either, "*" any.
  if (sides[2].size() != category.features.size()) {
    std::string expected;
    for (const int feature : category.features)
      expected += (expected.empty() ? "" : " ") + grammar.features[static_cast<std::size_t>(feature)].name;
    refuse(grammar.where, sides[2].back(),
           "expected the features " + in_quotes(expected) + ", found " + std::to_string(sides[2].size()) +
               "; write one value for each");
  }
  for (std::size_t i = 0; i < category.features.size(); ++i) {
    const int feature = category.features[i];
    std::vector<int> values;
    std::string_view rest = sides[2][i].text;
    if (rest == "*") {
      for (std::size_t v = 0; v < grammar.features[static_cast<std::size_t>(feature)].values.size(); ++v)
        values.push_back(static_cast<int>(v));
    } else {
      for (bool more = true; more;) {
        const std::size_t bar = rest.find('|');
        GrammarToken token = sides[2][i];
        token.text = std::string(rest.substr(0, bar));
        values.push_back(read_value(grammar, feature, token));
        more = bar != std::string_view::npos;
        if (more) rest.remove_prefix(bar + 1);
      }
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
    }
    word.values.push_back(std::move(values));
  }
  return word;
}

}  // namespace glassformer
