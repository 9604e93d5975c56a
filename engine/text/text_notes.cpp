#include "engine/text/text_notes.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/text/clean.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

// Thai, Lao, Burmese, Khmer, Japanese and Chinese are written without blanks.
bool is_unbroken(char32_t c) {
  constexpr std::pair<char32_t, char32_t> kRanges[] = {{0x0E00, 0x0EFF},  {0x1000, 0x109F}, {0x1780, 0x17FF},
                                                       {0x3040, 0x30FF},  {0x3400, 0x9FFF}, {0xF900, 0xFAFF},
                                                       {0x20000, 0x3FFFF}};
  return std::ranges::any_of(kRanges,
                             [c](const auto& range) { return c >= range.first && c <= range.second; });
}

bool is_one_run(std::string_view text) {
  if (text.find(' ') != text.npos) return false;
  return std::ranges::count_if(code_points(text), is_unbroken) > 1;
}

// What tools leave between the pieces of a word: subword-nmt, sentencepiece, WordPiece, OpenNMT, and
// byte-pair encoding as first published.
constexpr std::array<const char*, 5> kMarks = {"@@ ", "▁", " ##", "￭", "</w>"};

bool holds(const std::string& line, const std::string& mark) {
  const std::string text = " " + line + " ";
  if (mark != " ##") return text.find(mark) != text.npos;
  // Behind a blank and before the rest of a word: no heading, no row of signs.
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    const char next = text[at + mark.size()];
    if (next != ' ' && next != '#') return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> notes_on_text(const std::vector<std::string>& lines, const std::string& name,
                                       const TextNoteOptions& options) {
  std::size_t filled = 0, unbroken = 0, apart = 0;
  std::array<std::size_t, kMarks.size()> marked{};
  for (const std::string& line : lines) {
    const std::string text = cleaned(line);
    if (text.empty()) continue;
    ++filled;
    unbroken += is_one_run(text) ? 1 : 0;
    for (std::size_t i = 0; i < kMarks.size(); ++i) marked[i] += holds(text, kMarks[i]) ? 1 : 0;
    apart += text.ends_with(" .") || text.find("&apos;") != text.npos || text.find("&quot;") != text.npos;
  }
  const auto says = [&](std::size_t count, const std::string& what) {
    return name + ": " + std::to_string(count) + " of " + std::to_string(filled) + " lines " + what;
  };
  std::vector<std::string> notes;
  if (2 * unbroken > filled && options.by_words)
    notes.push_back(
        says(unbroken,
             "have no blank, so each is one word to BLEU; “bleu” and “evaluate” count characters with "
             "--tokenize char"));
  for (std::size_t i = 0; i < kMarks.size(); ++i)
    if (marked[i] > 0)
      notes.push_back(says(marked[i], "hold the subword mark “" + std::string(trimmed(kMarks[i])) +
                                          "”: join the pieces to words first"));
  if (2 * apart > filled && options.cut_by_rule)
    notes.push_back(says(apart,
                         "look cut into words already (“ .”, “&apos;”): BLEU is comparable with others on "
                         "text as it is written"));
  return notes;
}

}  // namespace glassformer
