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

TEST_CASE("a table for a document declares its letters in a form that is allowed behind the preamble") {
  CHECK(tex_declared("Setting & plain “é” \\\\\n") == "Setting & plain “é” \\\\\n");
  CHECK(tex_declared("α → 中 e\u0301") ==
        "\\expandafter\\def\\csname u8:\\detokenize{α}\\endcsname{\\ensuremath{\\alpha}}\n"
        "\\expandafter\\def\\csname u8:\\detokenize{→}\\endcsname{\\ensuremath{\\rightarrow}}\n"
        "\\expandafter\\def\\csname u8:\\detokenize{中}\\endcsname{[4E2D]}\n"
        "α → 中 é");
}
