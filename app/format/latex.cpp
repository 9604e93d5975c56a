#include "app/format/latex.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>
#include <string_view>

#include "app/format/number_format.h"
#include "engine/text/compose.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

// With T1 and textcomp, as the LaTeX kernel's utf8 has them.
bool is_known(char32_t letter) {
  constexpr std::u32string_view kMissing = U"ĦħĸĿŀŉŦŧſ", kSigns = U"–—‘’‚“”„†‡•…‰‹›€";
  if (letter < 0xA0) return letter < 0x80;
  return letter < 0x180 ? kMissing.find(letter) == kMissing.npos : kSigns.find(letter) != kSigns.npos;
}

// As it is in a formula; empty: there is none.
std::string_view sign_of(char32_t letter) {
  struct Sign {
    char32_t letter;
    std::string_view tex;
  };
  static constexpr std::array kSigns{Sign{U'→', "\\rightarrow"},
                                     Sign{U'←', "\\leftarrow"},
                                     Sign{U'↑', "\\uparrow"},
                                     Sign{U'↓', "\\downarrow"},
                                     Sign{U'√', "\\surd"},
                                     Sign{U'∞', "\\infty"},
                                     Sign{U'−', "-"},
                                     Sign{U'′', "'"},
                                     Sign{U'″', "''"},
                                     Sign{U'∂', "\\partial"},
                                     Sign{U'∇', "\\nabla"},
                                     Sign{U'∑', "\\sum"},
                                     Sign{U'≤', "\\le"},
                                     Sign{U'≥', "\\ge"},
                                     Sign{U'≈', "\\approx"},
                                     Sign{U'≠', "\\ne"},
                                     Sign{U'∈', "\\in"},
                                     Sign{U'∘', "\\circ"},
                                     Sign{U'⊙', "\\odot"},
                                     Sign{U'⁻', "^{-}"},
                                     Sign{U'⁰', "^{0}"},
                                     Sign{U'⁴', "^{4}"},
                                     Sign{U'⁵', "^{5}"},
                                     Sign{U'⁶', "^{6}"},
                                     Sign{U'⁷', "^{7}"},
                                     Sign{U'⁸', "^{8}"},
                                     Sign{U'⁹', "^{9}"},
                                     Sign{U'₀', "_{0}"},
                                     Sign{U'₁', "_{1}"},
                                     Sign{U'₂', "_{2}"},
                                     Sign{U'α', "\\alpha"},
                                     Sign{U'β', "\\beta"},
                                     Sign{U'γ', "\\gamma"},
                                     Sign{U'δ', "\\delta"},
                                     Sign{U'ε', "\\varepsilon"},
                                     Sign{U'η', "\\eta"},
                                     Sign{U'θ', "\\theta"},
                                     Sign{U'λ', "\\lambda"},
                                     Sign{U'μ', "\\mu"},
                                     Sign{U'π', "\\pi"},
                                     Sign{U'ρ', "\\rho"},
                                     Sign{U'σ', "\\sigma"},
                                     Sign{U'τ', "\\tau"},
                                     Sign{U'φ', "\\varphi"},
                                     Sign{U'ω', "\\omega"},
                                     Sign{U'Δ', "\\Delta"},
                                     Sign{U'Σ', "\\Sigma"},
                                     Sign{U'Ω', "\\Omega"},
                                     Sign{U'▁', "\\_"},
                                     Sign{U'⁇', "??"}};
  const auto found = std::ranges::find(kSigns, letter, &Sign::letter);
  return found == kSigns.end() ? std::string_view() : found->tex;
}

std::string with_plain_minus(double value, int decimals) {
  std::string text = format_fixed(value, decimals);
  const std::string minus = "−";
  if (const std::size_t at = text.find(minus); at != std::string::npos) text.replace(at, minus.size(), "-");
  return text;
}

}  // namespace

std::string tex_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      result += std::string("\\") + c + "{}";
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

namespace {

std::string hex_of(char32_t letter) {
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "%04X", static_cast<unsigned>(letter));
  return number.data();
}

// A line for each letter of the text that pdfLaTeX does not know: what names it, and what is set for it.
template <class Line>
std::string lines_of_letters(const std::string& text, Line&& line) {
  const std::vector<char32_t> all = code_points(text);
  std::string lines;
  for (const char32_t letter : std::set<char32_t>(all.begin(), all.end())) {
    if (is_known(letter)) continue;
    const std::string_view sign = sign_of(letter);
    lines +=
        line(letter, sign.empty() ? "[" + hex_of(letter) + "]" : "\\ensuremath{" + std::string(sign) + "}");
  }
  return lines;
}

}  // namespace

std::string tex_letters(const std::string& document) {
  return lines_of_letters(document, [](char32_t letter, const std::string& set) {
    return "  \\DeclareUnicodeCharacter{" + hex_of(letter) + "}{" + set + "}\n";
  });
}

std::string tex_declared(const std::string& part) {
  const std::string text = composed(part);
  // What \DeclareUnicodeCharacter does, which is for the preamble alone.
  return lines_of_letters(text,
                          [](char32_t letter, const std::string& set) {
                            return "\\expandafter\\def\\csname u8:\\detokenize{" + to_utf8({letter}) +
                                   "}\\endcsname{" + set + "}\n";
                          }) +
         text;
}

std::string plain_number(const MeanAndDeviation& value, int decimals, const std::string& between) {
  if (value.count == 0) return "-";
  return with_plain_minus(value.mean, decimals) +
         (std::isfinite(value.deviation) ? between + with_plain_minus(value.deviation, decimals) : "");
}

std::string tex_number(const MeanAndDeviation& value, int decimals) {
  return value.count == 0 ? "--" : "$" + plain_number(value, decimals, " \\pm ") + "$";
}

}  // namespace glassformer
