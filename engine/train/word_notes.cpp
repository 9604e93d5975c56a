#include "engine/train/word_notes.h"

#include <algorithm>

#include "engine/train/scoring.h"

namespace glassformer {

std::vector<std::string> notes_on_words(const std::vector<std::string>& lines, const std::string& name,
                                        const BleuOptions& options) {
  constexpr std::size_t kLongWord = 8;         // characters, none of them a blank
  constexpr char32_t kFirstUnbroken = 0x0E00;  // Thai, Khmer, Chinese, Japanese: written without blanks
  std::size_t filled = 0, unbroken = 0, marked = 0, apart = 0;
  for (const std::string& line : lines) {
    const std::string text = with_blanks_as(line, " ");
    if (text.empty()) continue;
    ++filled;
    const std::vector<char32_t> letters = code_points(text);
    const bool unbroken_script = std::ranges::any_of(letters, [](char32_t c) { return c >= kFirstUnbroken; });
    unbroken += text.find(' ') == text.npos && letters.size() >= kLongWord && unbroken_script ? 1 : 0;
    marked += (text + " ").find("@@ ") != text.npos ? 1 : 0;
    apart += text.ends_with(" .") || text.find("&apos;") != text.npos || text.find("&quot;") != text.npos;
  }
  const auto says = [&](std::size_t count, const std::string& what) {
    return name + ": " + std::to_string(count) + " of " + std::to_string(filled) + " lines " + what;
  };
  std::vector<std::string> notes;
  if (2 * unbroken > filled && options.words != BleuWords::characters)
    notes.push_back(
        says(unbroken,
             "have no blank, so each is one word to BLEU; “bleu” and “evaluate” count characters with "
             "--tokenize char"));
  if (marked > 0)
    notes.push_back(says(marked, "hold the subword mark “@@ ”: join the pieces before they are scored"));
  if (2 * apart > filled && options.words == BleuWords::wmt_13a)
    notes.push_back(says(apart,
                         "look cut into words already (“ .”, “&apos;”): BLEU is comparable with others on "
                         "text as it is written"));
  return notes;
}

}  // namespace glassformer
