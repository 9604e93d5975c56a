#include "app/reading/output_words.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/text/word_difference.h"

namespace glassformer {

namespace {

struct OutputWord {
  int first = 0, count = 0;         // its pieces
  std::string text;                 // no two words that differ have the same
  std::vector<std::string> pieces;  // of each the text
};

std::vector<OutputWord> words_among(const std::vector<int>& ids, const Tokenizer* tokenizer) {
  std::vector<OutputWord> words;
  bool apart = true;  // the next piece begins a word
  for (int place = 0; place < static_cast<int>(ids.size()); ++place) {
    const int id = ids[static_cast<std::size_t>(place)];
    const bool known = tokenizer && id >= 0 && id < tokenizer->size();
    const SpecialIds special = known ? tokenizer->special() : SpecialIds{};
    const bool alone =
        !known || id == special.pad || id == special.unk || id == special.bos || id == special.eos;
    const std::string text = alone ? "<" + std::to_string(id) + ">" : tokenizer->piece(id);
    const bool blank = !alone && text == " ";
    if (words.empty() || alone || apart || tokenizer->starts_word(id)) words.push_back({.first = place});
    OutputWord& word = words.back();
    ++word.count;
    if (!blank) word.text += text;
    word.pieces.push_back(text);
    apart = alone || blank;  // of letters a blank ends the word
  }
  return words;
}

// Texts to compare, each as one word without a blank.
std::string in_one_line(const std::vector<std::string>& texts, std::vector<std::string>& known) {
  std::string line;
  for (const std::string& text : texts) {
    const auto found = std::ranges::find(known, text);
    line += (line.empty() ? "" : " ") + std::to_string(found - known.begin());
    if (found == known.end()) known.push_back(text);
  }
  return line;
}

// Indices of both.
std::vector<OutputColumn> laid_out(const std::vector<std::string>& before,
                                   const std::vector<std::string>& after) {
  std::vector<std::string> known;
  const std::string first = in_one_line(before, known), second = in_one_line(after, known);
  const WordDifferences marked = compare_both(first, second);
  std::vector<OutputColumn> columns;
  std::size_t i = 0, j = 0;
  const auto common = [](const WordDifference& side, std::size_t at) {
    return at < side.words.size() && side.words[at].right;
  };
  while (i < before.size() || j < after.size()) {
    OutputColumn column;
    const bool first_common = common(marked.first, i), second_common = common(marked.second, j);
    column.same = first_common && second_common;
    if (i < before.size() && (column.same || !first_common)) column.before = static_cast<int>(i++);
    if (j < after.size() && (column.same || !second_common)) column.after = static_cast<int>(j++);
    columns.push_back(column);
  }
  return columns;
}

std::vector<std::string> texts_of(const std::vector<OutputWord>& words) {
  std::vector<std::string> texts;
  for (const OutputWord& word : words) texts.push_back(word.text);
  return texts;
}

}  // namespace

std::vector<OutputColumn> aligned(const std::vector<int>& before, const std::vector<int>& after,
                                  const Tokenizer* tokenizer) {
  const std::vector<OutputWord> first = words_among(before, tokenizer),
                                second = words_among(after, tokenizer);
  const OutputWord nothing;
  std::vector<OutputColumn> columns;
  for (const OutputColumn& pair : laid_out(texts_of(first), texts_of(second))) {
    const OutputWord& above = pair.before ? first[static_cast<std::size_t>(*pair.before)] : nothing;
    const OutputWord& below = pair.after ? second[static_cast<std::size_t>(*pair.after)] : nothing;
    bool begins = true;
    for (OutputColumn column : laid_out(above.pieces, below.pieces)) {
      if (column.before) *column.before += above.first;
      if (column.after) *column.after += below.first;
      column.same = pair.same;
      column.begins = std::exchange(begins, false);
      columns.push_back(column);
    }
  }
  return columns;
}

int words_in(const std::vector<OutputColumn>& columns) {
  return static_cast<int>(std::ranges::count(columns, true, &OutputColumn::begins));
}

int changed_words(const std::vector<OutputColumn>& columns) {
  return static_cast<int>(std::ranges::count_if(
      columns, [](const OutputColumn& column) { return column.begins && !column.same; }));
}

}  // namespace glassformer
