// Text in LaTeX.
#pragma once

#include <string>

namespace glassformer {

// With the signs that LaTeX would read as commands escaped.
std::string tex_text(const std::string& text);
// Words of the screen: letters composed, signs of numbers in ASCII, nothing that does not print.
std::string tex_words(const std::string& text);
// For the preamble: what pdfLaTeX, which knows Latin letters and their marks alone, is to set for each other
// letter of the document; one that it has no sign for is set as its number, "[4E2D]".
std::string tex_letters(const std::string& document);
// A part of a document, such as a table for \input, with that before it in a form that is allowed there.
std::string tex_declared(const std::string& part);

}  // namespace glassformer
