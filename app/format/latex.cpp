#include "app/format/latex.h"

#include <array>
#include <cstdio>
#include <set>
#include <string_view>

#include "app/format/number_format.h"
#include "engine/text/compose.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

// With T1 and textcomp, as the LaTeX kernel's utf8 has them.
bool is_known(char32_t letter) {
  constexpr std::u32string_view kMissing = U"ĦħĸĿŀŉŦŧſ", kSigns = U"–—‘’‚“”„†‡•…‰‹›€";
  if (letter < 0xA0) return letter < 0x80;
  return letter < 0x180 ? kMissing.find(letter) == kMissing.npos : kSigns.find(letter) != kSigns.npos;
}

// Each letter and what it is in a formula.
constexpr std::string_view kTexSigns =
    R"( → \rightarrow ← \leftarrow ↑ \uparrow ↓ \downarrow √ \surd ∞ \infty − - ′ ' ″ '' ∂ \partial)"
    R"( ∇ \nabla ∑ \sum ≤ \le ≥ \ge ≈ \approx ≠ \ne ∈ \in ∘ \circ ⊙ \odot ⁻ ^{-} ⁰ ^{0} ⁴ ^{4} ⁵ ^{5})"
    R"( ⁶ ^{6} ⁷ ^{7} ⁸ ^{8} ⁹ ^{9} ₀ _{0} ₁ _{1} ₂ _{2} α \alpha β \beta γ \gamma δ \delta)"
    R"( ε \varepsilon η \eta θ \theta λ \lambda μ \mu π \pi ρ \rho σ \sigma τ \tau φ \varphi ω \omega)"
    R"( Δ \Delta Σ \Sigma Ω \Omega ▁ \_ ⁇ ?? )";

std::string_view sign_of(char32_t letter) {  // empty: there is none
  const std::string wanted = " " + to_utf8({letter}) + " ";
  const std::size_t at = kTexSigns.find(wanted), from = at + wanted.size();
  return at == kTexSigns.npos ? std::string_view() : kTexSigns.substr(from, kTexSigns.find(' ', from) - from);
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

std::string tex_words(const std::string& text) {
  return tex_text(composed(printable(to_file_text(text))));
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

}  // namespace glassformer
