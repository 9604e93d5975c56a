#include "engine/text/grammar_reader.h"

#include <algorithm>

#include "engine/math/error.h"

namespace glassformer {
namespace {

struct Section {
  GrammarLine header;
  std::vector<GrammarLine> body;
  int category = -1;
  const GrammarToken& word(std::size_t i) const { return header.tokens[i]; }
  std::size_t size() const { return header.tokens.size(); }
};

void require(const GrammarText& grammar, const GrammarLine& line, std::size_t tokens,
             const std::string& expected) {
  if (line.tokens.size() < tokens)
    refuse(grammar.where, line.tokens.back(), "the line ends too early; expected " + expected);
}

void check_name(const GrammarText& grammar, const GrammarToken& token, std::string_view name) {
  const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  if (!good)
    refuse(
        grammar.where, token,
        "a name is made of lower-case letters, digits and hyphens, found " + in_quotes(name) + "; rename it");
}

void read_feature(GrammarText& grammar, const Section& section) {
  require(grammar, section.header, 3, "\"feature NAME value value ...\"");
  GrammarFeature feature{section.word(1).text, {}, {}};
  check_name(grammar, section.word(1), feature.name);
  if (index_of_name(grammar.features, feature.name) >= 0)
    refuse(grammar.where, section.word(1),
           "feature " + in_quotes(feature.name) + " is already there; remove one of the two");
  for (std::size_t i = 2; i < section.size(); ++i) {
    const GrammarToken& token = section.word(i);
    const std::size_t star = token.text.find('*');
    const std::string value = token.text.substr(0, star);
    check_name(grammar, token, value);
    if (std::find(feature.values.begin(), feature.values.end(), value) != feature.values.end())
      refuse(grammar.where, token, "value " + in_quotes(value) + " stands twice in this feature; remove one");
    feature.values.push_back(value);
    feature.weights.push_back(
        star == std::string::npos ? 1 : read_weight(grammar, token, token.text.substr(star + 1)));
  }
  if (feature.values.size() > 100)
    refuse(grammar.where, section.word(1), "a feature has at most 100 values; split it");
  grammar.features.push_back(std::move(feature));
}

void read_surface(GrammarText& grammar, const Section& section) {
  if (section.size() != 2 || (section.word(1).text != "source" && section.word(1).text != "target"))
    refuse(grammar.where, section.word(section.size() - 1),
           "expected \"surface source\" or \"surface target\"");
  GrammarSurface& surface = section.word(1).text == "source" ? grammar.source : grammar.target;
  for (const GrammarLine& line : section.body) {
    const std::string& kind = line.tokens[0].text;
    if (kind == "vowels" || kind == "attach") {
      require(grammar, line, 2, "what belongs to \"" + kind + "\"");
      auto& list = kind == "vowels" ? surface.vowels : surface.attached;
      for (std::size_t i = 1; i < line.tokens.size(); ++i) list.push_back(line.tokens[i].text);
    } else if (kind == "contract" && &surface == &grammar.target) {
      if (line.tokens.size() != 4)
        refuse(grammar.where, line.tokens.back(), "expected \"contract FIRST SECOND TOGETHER\", three words");
      surface.contractions.push_back({line.tokens[1].text, line.tokens[2].text, line.tokens[3].text});
    } else {
      refuse(grammar.where, line.tokens[0],
             "expected \"vowels\", \"attach\" or, for the target, \"contract\", found " + in_quotes(kind));
    }
  }
}

int cell_count(const GrammarText& grammar, const GrammarToken& token, const std::vector<int>& features) {
  std::size_t cells = 1;
  for (const int feature : features) {
    cells *= grammar.features[static_cast<std::size_t>(feature)].values.size();
    if (cells > 1000)
      refuse(grammar.where, token, "these features give more than 1000 cells; use fewer features");
  }
  return static_cast<int>(cells);
}

void read_forms(GrammarText& grammar, const Section& section) {
  require(grammar, section.header, 3, "\"forms NAME form form(feature) ...\"");
  GrammarForms forms;
  forms.name = section.word(1).text;
  check_name(grammar, section.word(1), forms.name);
  if (index_of_name(grammar.forms, forms.name) >= 0)
    refuse(grammar.where, section.word(1),
           "forms " + in_quotes(forms.name) + " are already there; rename one of the two");
  for (std::size_t i = 2; i < section.size(); ++i) {
    GrammarCells form;
    form.features = read_signature(grammar, section.word(i), form.name);
    form.cells = cell_count(grammar, section.word(i), form.features);
    form.offset = forms.cells;
    forms.cells += form.cells;
    forms.forms.push_back(std::move(form));
  }
  for (const GrammarLine& line : section.body) {
    GrammarPattern pattern;
    std::size_t first = 0;
    if (line.tokens[0].text.front() == ':') pattern.name = line.tokens[first++].text.substr(1);
    for (std::size_t i = first; i < line.tokens.size(); ++i) {
      const std::string& item = line.tokens[i].text;
      for (const char c : item)
        if (c >= '1' && c <= '9') pattern.stems = std::max(pattern.stems, c - '0');
      if (const std::size_t letter = item.find_first_of("ABCDEFGHIJKLMNOP"); letter != std::string::npos)
        pattern.stems = std::max(pattern.stems, item[letter] - 'A' + 10);
      pattern.items.push_back(item);
    }
    if (static_cast<int>(pattern.items.size()) != forms.cells)
      refuse(grammar.where, line.tokens.back(),
             "forms " + in_quotes(forms.name) + " have " + std::to_string(forms.cells) +
                 " cells and this pattern fills " + std::to_string(pattern.items.size()) +
                 "; write one item for each");
    forms.patterns.push_back(std::move(pattern));
  }
  if (forms.patterns.empty())
    refuse(grammar.where, section.word(1), "expected indented patterns below, such as \"1 1s\", found none");
  grammar.forms.push_back(std::move(forms));
}

void read_table(GrammarText& grammar, const Section& section) {
  require(grammar, section.header, 3, "\"table NAME(features) cell cell ...\"");
  GrammarTable table;
  table.shape.features = read_signature(grammar, section.word(1), table.shape.name);
  table.shape.cells = cell_count(grammar, section.word(1), table.shape.features);
  for (std::size_t i = 2; i < section.size(); ++i) table.cells.push_back(section.word(i).text);
  if (static_cast<int>(table.cells.size()) != table.shape.cells)
    refuse(grammar.where, section.word(section.size() - 1),
           "table " + in_quotes(table.shape.name) + " has " + std::to_string(table.shape.cells) +
               " cells, found " + std::to_string(table.cells.size()) +
               "; write one word for each, or \"-\" for nothing");
  const bool twice =
      std::any_of(grammar.tables.begin(), grammar.tables.end(),
                  [&](const GrammarTable& other) { return other.shape.name == table.shape.name; });
  if (twice) refuse(grammar.where, section.word(1), "this table is already there; rename one of the two");
  grammar.tables.push_back(std::move(table));
}

// The name, features and forms of a "words" or "rules" section; several sections may add to one category.
int read_category(GrammarText& grammar, const Section& section) {
  const bool lexical = section.word(0).text == "words";
  if (lexical ? section.size() != 6 || section.word(2).text != "=" || section.word(4).text != "/"
              : section.size() != 2)
    refuse(grammar.where, section.word(section.size() - 1),
           lexical ? "expected \"words NAME(features) = SOURCE-FORMS / TARGET-FORMS\""
                   : "expected \"rules NAME(features)\"");
  GrammarCategory category;
  category.line = section.word(1).line;
  category.lexical = lexical;
  category.features = read_signature(grammar, section.word(1), category.name);
  if (lexical) {
    for (const std::size_t place : {std::size_t{3}, std::size_t{5}}) {
      const int forms = index_of_name(grammar.forms, section.word(place).text);
      if (forms < 0)
        refuse(grammar.where, section.word(place),
               "no forms are called " + in_quotes(section.word(place).text) +
                   "; declare them with \"forms\" above");
      (place == 3 ? category.source_forms : category.target_forms) = forms;
    }
  }
  for (const GrammarTable& table : grammar.tables)
    if (table.shape.name == category.name)
      refuse(grammar.where, section.word(1), "a table has this name already; rename one of the two");
  if (const int old = index_of_name(grammar.categories, category.name); old >= 0) {
    const GrammarCategory& first = grammar.categories[static_cast<std::size_t>(old)];
    if (first.lexical != lexical || first.features != category.features ||
        first.source_forms != category.source_forms || first.target_forms != category.target_forms)
      refuse(grammar.where, section.word(1),
             "line " + std::to_string(first.line) + " declares " + in_quotes(category.name) +
                 " with other features or forms; make the two headers the same or rename one");
    return old;
  }
  grammar.categories.push_back(std::move(category));
  return static_cast<int>(grammar.categories.size()) - 1;
}

// Whether both may be in one place: in every feature a value is common.
bool meet(const GrammarWord& a, const GrammarWord& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i)
    if (std::find_first_of(a.values[i].begin(), a.values[i].end(), b.values[i].begin(), b.values[i].end()) ==
        a.values[i].end())
      return false;
  return true;
}

void add_word(GrammarText& grammar, int category, const GrammarLine& line) {
  GrammarCategory& words = grammar.categories[static_cast<std::size_t>(category)];
  GrammarWord word = read_word(grammar, category, line);
  for (const GrammarWord& other : words.words)
    if (other.source == word.source && meet(other, word))
      refuse(grammar.where, line.tokens[0],
             in_quotes(other.source[0]) + " is in line " + std::to_string(other.line) +
                 " already, and a source word must have one translation; remove one of the two or give them "
                 "different features");
  words.words.push_back(std::move(word));
}

void add_rule(GrammarText& grammar, int category, const GrammarLine& line) {
  GrammarRule rule = read_rule(grammar, category, line);
  GrammarCategory& rules = grammar.categories[static_cast<std::size_t>(category)];
  const int parts = static_cast<int>(rule.target.size());
  if (rules.parts != 0 && rules.parts != parts)
    refuse(grammar.where, line.tokens.back(),
           "the other rules of " + in_quotes(rules.name) + " have " + std::to_string(rules.parts) +
               " target parts (separated by \";\") and this one has " + std::to_string(parts) +
               "; make them equal");
  rules.parts = parts;
  rules.rules.push_back(std::move(rule));
}

// A rule may place a part of what another rule builds only if that part exists, and it must place them all.
void check_parts(const GrammarText& grammar) {
  for (const GrammarCategory& category : grammar.categories)
    for (const GrammarRule& rule : category.rules)
      for (std::size_t child = 0; child < rule.children.size(); ++child) {
        const auto& built = grammar.categories[static_cast<std::size_t>(rule.children[child].category)];
        std::vector<bool> placed(static_cast<std::size_t>(std::max(built.parts, 1)), false);
        for (const auto& part : rule.target)
          for (const GrammarTerm& term : part) {
            if (term.kind != GrammarTerm::Kind::child || term.child != static_cast<int>(child)) continue;
            if (static_cast<std::size_t>(term.part) >= placed.size())
              refuse(grammar.where, {"", rule.line, 1},
                     in_quotes(built.name) + " has " + std::to_string(placed.size()) +
                         " target parts; there is no part " + std::to_string(term.part + 1) + " to place");
            placed[static_cast<std::size_t>(term.part)] = true;
          }
        if (const auto gap = std::find(placed.begin(), placed.end(), false); gap != placed.end())
          refuse(grammar.where, {"", rule.line, 1},
                 "the target side leaves out " + in_quotes(rule.children[child].label) +
                     (placed.size() > 1 ? ", part " + std::to_string(gap - placed.begin() + 1) : "") +
                     ", which the source side says; place it");
      }
}

}  // namespace

GrammarText read_grammar(std::string_view text, const std::string& where) {
  GrammarText grammar;
  grammar.where = where;

  // Group the lines into sections.
  std::vector<Section> sections;
  for (GrammarLine& line : grammar_lines(text, where)) {
    if (!line.indented) {
      const std::string& kind = line.tokens[0].text;
      const std::vector<std::string> kinds = {"feature", "surface", "forms", "table", "words", "rules"};
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
        refuse(where, line.tokens[0],
               "expected a section (feature, surface, forms, table, words or rules), found " +
                   in_quotes(kind) + "; lines that belong to a section begin with two blanks");
      sections.push_back({std::move(line), {}, -1});
    } else if (sections.empty()) {
      refuse(where, line.tokens[0],
             "expected a section before the first indented line, found " + in_quotes(line.tokens[0].text) +
                 "; begin with \"feature\"");
    } else {
      sections.back().body.push_back(std::move(line));
    }
  }

  // Declare every name before the words and rules that use them.
  for (Section& section : sections) {
    const std::string& kind = section.word(0).text;
    require(grammar, section.header, 2, "a name behind \"" + kind + "\"");
    if ((kind == "feature" || kind == "table") && !section.body.empty())
      refuse(where, section.body[0].tokens[0],
             "nothing may be indented by two blanks below \"" + kind +
                 "\"; go on in a line that begins with four blanks");
    if (kind == "feature") read_feature(grammar, section);
    if (kind == "surface") read_surface(grammar, section);
    if (kind == "forms") read_forms(grammar, section);
    if (kind == "table") read_table(grammar, section);
    if (kind == "words" || kind == "rules") section.category = read_category(grammar, section);
  }
  for (const Section& section : sections)
    for (const GrammarLine& line : section.body) {
      if (section.word(0).text == "words") add_word(grammar, section.category, line);
      if (section.word(0).text == "rules") add_rule(grammar, section.category, line);
    }
  check_parts(grammar);

  grammar.start = index_of_name(grammar.categories, "sentence");
  if (grammar.start < 0)
    throw Error(
        where,
        "a grammar needs a section \"rules sentence()\" to begin from, and this file has none; add it");
  const GrammarCategory& start = grammar.categories[static_cast<std::size_t>(grammar.start)];
  if (start.lexical || !start.features.empty() || start.parts != 1)
    refuse(where, {"", start.line, 1},
           "\"sentence\" must be rules without features and with one target part");
  return grammar;
}

}  // namespace glassformer
