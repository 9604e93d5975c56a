// Text and numbers of LaTeX tables.
#pragma once

#include <string>

#include "engine/train/sweep.h"

namespace glassformer {

// With the signs that LaTeX would read as commands escaped.
std::string tex_text(const std::string& text);
// For the preamble: what pdfLaTeX, which knows Latin letters and their marks alone, is to set for each other
// letter of the document; one that it has no sign for stands as its number, "[4E2D]".
std::string tex_letters(const std::string& document);
// A part of a document, such as a table for \input, with that before it in a form that is allowed there.
std::string tex_declared(const std::string& part);
// "$12.5 \pm 0.3$"; "--" when there is none.
std::string tex_number(const MeanAndDeviation& value, int decimals);
// In ASCII: "12.5 ± 0.3" with `between` as given; "-" when there is none.
std::string plain_number(const MeanAndDeviation& value, int decimals, const std::string& between);

}  // namespace glassformer
