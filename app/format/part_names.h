// Names of the parts of views, as lessons, reports and `render --panel` have them: small letters and hyphens.
#pragma once

#include <string>

namespace glassformer {

// As older lessons and scripts write it: with blanks, each of which is a hyphen.
std::string part_named(std::string given);
// In a sentence: "one head".
std::string part_words(std::string name);

}  // namespace glassformer
