// Text as the model should meet it: free of what the eye does not see.
//
// A no-break space, a soft hyphen or a decomposed accent looks like nothing special, yet each would be a
// separate piece and unknown where the training text has the usual form. Sentences from files and sentences
// that are typed are cleaned the same way.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// Blanks at both ends go; every run of blanks inside (tab, U+00A0, U+202F, U+2028 and the like) becomes one
// space. Invisible marks that carry no text go: U+FEFF, soft hyphen, zero width space, word joiner, marks of
// writing direction, control characters. Joiners stay (emoji, Persian, Hindi need them). Letters are composed
// (compose.h). Bytes that are not UTF-8 become U+FFFD. Nothing else changes: no folding of case, width or
// ligatures.
std::string cleaned(std::string_view text);

// The first characters of a line, cleaned, to show in a message; "…" at the end when there are more.
std::string excerpt_of(std::string_view line);

}  // namespace glassformer
