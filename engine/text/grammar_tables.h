// What a grammar file says, after reading: features, forms, words, tables and rules, with names turned into
// indices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

// A property with a few values (number: sg pl). A value with a weight is chosen that much more often.
struct GrammarFeature {
  std::string name;
  std::vector<std::string> values;
  std::vector<long> weights;
};

// One place between parentheses: a variable of the rule, a fixed value, or neither (any value).
struct GrammarArgument {
  int variable = -1;
  int value = -1;
};

// Cells chosen by features, the last feature changing fastest: a form of a word, or a table of function
// words.
struct GrammarCells {
  std::string name;
  std::vector<int> features;
  int offset = 0;  // of its first cell within the forms of a word
  int cells = 1;
};

// How a word is written out from its stems: "1er" is the first stem with "er" behind it.
struct GrammarPattern {
  std::string name;
  int stems = 0;
  std::vector<std::string> items;  // one for each cell
};

struct GrammarForms {
  std::string name;
  std::vector<GrammarCells> forms;
  int cells = 0;
  std::vector<GrammarPattern> patterns;
};

struct GrammarTable {
  GrammarCells shape;
  std::vector<std::string> cells;
};

struct GrammarWord {
  long line = 0;
  std::vector<std::string> source, target;  // every cell of its forms
  std::vector<std::vector<int>> values;     // for each feature of the category, the values that it may take
};

struct GrammarTerm {
  enum class Kind { literal, table, child };
  Kind kind = Kind::literal;
  std::string text;                        // literal
  int table = -1;                          // table
  int child = -1;                          // child: its place among the children of the rule
  int part = 0;                            // child: which of its target parts (from 0)
  int offset = 0;                          // child that is a word: first cell of the form
  std::vector<int> features;               // what arguments represent
  std::vector<GrammarArgument> arguments;  // select the cell of a table or a form
};

struct GrammarChild {
  int category = -1;
  std::string label;  // "noun" or "noun#2"
  std::vector<GrammarArgument> arguments;
};

struct GrammarRule {
  long line = 0;
  long weight = 1;
  std::vector<GrammarArgument> left;
  std::vector<std::string> variables;
  std::vector<int> variable_features;
  std::vector<GrammarChild> children;            // in source order
  std::vector<GrammarTerm> source;               // contiguous
  std::vector<std::vector<GrammarTerm>> target;  // one or more parts, placed apart by the rule above
};

// A name that rules build (has rules) or that represents words (has words).
struct GrammarCategory {
  std::string name;
  long line = 0;
  std::vector<int> features;
  bool lexical = false;
  int source_forms = -1, target_forms = -1;
  int parts = 0;  // of its target side; 0 while no rule has been read
  std::vector<GrammarWord> words;
  std::vector<GrammarRule> rules;
};

// The spelling rules of one side.
struct GrammarSurface {
  struct Contraction {
    std::string first, second, together;
  };
  std::vector<std::string> vowels;    // letters, one character each
  std::vector<std::string> attached;  // tokens without a blank before them
  std::vector<Contraction> contractions;
};

struct GrammarText {
  std::string where;
  std::vector<GrammarFeature> features;
  std::vector<GrammarForms> forms;
  std::vector<GrammarTable> tables;
  std::vector<GrammarCategory> categories;
  GrammarSurface source, target;
  int start = -1;  // the category "sentence"
};

// An index kept as an int (-1: none) where a list wants one.
inline std::size_t place_of(int index) {
  return static_cast<std::size_t>(index);
}

// The index of a name in a list of named things, -1 if it is not there.
template <typename List>
int index_of_name(const List& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace glassformer
