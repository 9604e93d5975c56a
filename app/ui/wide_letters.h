// Dear ImGui, as Debian builds it, keeps 16 bits of a letter. Those beyond (emoji) go through its fields as
// rare letters that replace them, each for one that was met, and come out as themselves.
#pragma once

#include <string>
#include <string_view>

namespace glassformer::ui {

// As Dear ImGui can hold it; '\uFFFD' where more than a thousand different ones were met.
char32_t narrow_letter(char32_t letter);
std::string narrow_letters(std::string_view text);
std::string wide_letters(std::string_view text);

// A field has one line: line ends and tabs between words are one blank.
std::string one_line(std::string_view text);

// While it lives the clipboard is read as one line, and read and written so.
class NarrowClipboard {
 public:
  NarrowClipboard();
  ~NarrowClipboard();
  NarrowClipboard(const NarrowClipboard&) = delete;
  NarrowClipboard& operator=(const NarrowClipboard&) = delete;
};

}  // namespace glassformer::ui
