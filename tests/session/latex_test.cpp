#include "app/format/latex.h"

#include <doctest/doctest.h>

#include <string>

using namespace glassformer;

TEST_CASE("pdfLaTeX is told of every letter that it does not know, once") {
  CHECK(tex_letters("plain ~ text, “été” – Žofie Müller’s œuvre…").empty());
  CHECK(tex_letters("α′ → α") ==
        "  \\DeclareUnicodeCharacter{03B1}{\\ensuremath{\\alpha}}\n"
        "  \\DeclareUnicodeCharacter{2032}{\\ensuremath{'}}\n"
        "  \\DeclareUnicodeCharacter{2192}{\\ensuremath{\\rightarrow}}\n");
  CHECK(tex_letters("日😀ħ") ==
        "  \\DeclareUnicodeCharacter{0127}{[0127]}\n"
        "  \\DeclareUnicodeCharacter{65E5}{[65E5]}\n"
        "  \\DeclareUnicodeCharacter{1F600}{[1F600]}\n");
}
