#include "app/reading/step_words.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace glassformer {

Formula walk_formula(std::string_view text) {
  std::vector<Formula> parts;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool index = text[i] == '_' && !plain.empty() && i + 1 < text.size() &&
                       std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0;
    if (!index) {
      plain += text[i];
      continue;
    }
    // The base is the word before the underscore.
    const std::size_t start = plain.find_last_of(" ([") + 1;
    std::string base = plain.substr(start), low;
    plain.resize(start);
    while (i + 1 < text.size() && std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0)
      low += text[++i];
    if (!plain.empty()) parts.push_back(formula_text(plain));
    plain.clear();
    parts.push_back(formula_index(formula_text(base), formula_text(low)));
  }
  if (!plain.empty()) parts.push_back(formula_text(plain));
  return formula_row(std::move(parts));
}

std::string_view without_prime(std::string_view symbol) {
  constexpr std::string_view kPrime = "′";
  if (symbol.ends_with(kPrime)) symbol.remove_suffix(kPrime.size());
  return symbol;
}

std::string operand_which(const Step& step, const Operand& operand) {
  const auto same = [&](const Operand& other) {
    return other.symbol == operand.symbol && other.name != operand.name;
  };
  const auto like = [&](const Operand& input) {
    return same(input) || (is_gradient(input.store) && same(value_of(input)));
  };
  if (std::ranges::none_of(step.inputs, like)) return {};
  const std::optional<ValueName> read = read_name(operand.name);
  if (read && in_layer(read->block)) return "layer " + std::to_string(read->layer + 1);
  const bool ids = operand.store == OperandStore::ids;
  if (!ids && !(read && in_embedding(read->block))) return operand.name;
  const bool source = ids ? operand.rows == Extent::source : read->encoder;
  return source ? "source" : "target";
}

}  // namespace glassformer
