#include "engine/text/sign_escape.h"

#include <utility>

namespace glassformer {
namespace {

constexpr std::string_view kBlankSign = "\xE2\x96\x81", kUnknownSign = "\xE2\x96\x85";
constexpr std::string_view kLostSign = "\xEF\xBF\xBD";
constexpr std::string_view kTokenNames[] = {"<s>", "</s>", "<unk>", "<pad>"};

void replace_all(std::string& text, std::string_view sign, std::string_view other) {
  for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos; at += other.size())
    text.replace(at, sign.size(), other);
}

}  // namespace

std::string escaped_signs(std::string text, const SignEscapes& escapes) {
  for (const std::string_view stand_in : {kBlankStandIn, kUnknownStandIn, kBracketStandIn})
    replace_all(text, stand_in, kLostSign);
  if (escapes.blank) replace_all(text, kBlankSign, kBlankStandIn);
  if (escapes.unknown) replace_all(text, kUnknownSign, kUnknownStandIn);
  if (!escapes.bracket || text.find('<') == std::string::npos) return text;
  for (const std::string_view name : kTokenNames)
    replace_all(text, name, std::string(kBracketStandIn) + std::string(name.substr(1)));
  return text;
}

std::string unescaped_signs(std::string text) {
  if (text.find('\xF4') == std::string::npos) return text;
  replace_all(text, kBlankStandIn, kBlankSign);
  replace_all(text, kUnknownStandIn, kUnknownSign);
  replace_all(text, kBracketStandIn, "<");
  return text;
}

}  // namespace glassformer
