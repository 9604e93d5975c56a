#include "engine/model/steps/step_formula.h"

#include <array>
#include <cctype>
#include <functional>

namespace glassformer {
namespace {

using Word = std::function<std::string(const Operand&, bool transposed)>;

const Operand* operand_at(const Step& step, char place) {
  if (place == '=') return &step.output;
  const bool digit = std::isdigit(static_cast<unsigned char>(place)) != 0;
  const std::vector<Operand>& list = digit ? step.inputs : step.also;
  const auto index = static_cast<std::size_t>(place - (digit ? '0' : 'a'));
  return index < list.size() ? &list[index] : nullptr;
}

// The text cut at every {operand}; a part in square brackets goes when it lacks one of them.
std::vector<FormulaPart> parts_of(const Step& step, std::string_view text) {
  constexpr std::string_view kTransposed = "ᵀ";
  std::vector<FormulaPart> result, optional;
  bool inside = false, complete = true;
  const auto add = [&](const FormulaPart& part) {
    std::vector<FormulaPart>& to = inside ? optional : result;
    if (part.operand == nullptr && !to.empty() && to.back().operand == nullptr) {
      to.back().text += part.text;
    } else {
      to.push_back(part);
    }
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool operand = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}';
    const bool part = text[i] == '[' && (text.substr(i + 1, 2) == " +" || text.substr(i + 1, 1) == ",");
    if (operand) {
      const Operand* found = operand_at(step, text[i + 1]);
      i += 2;
      const bool transposed = text.substr(i + 1).starts_with(kTransposed);
      if (found == nullptr) {
        complete = false;
      } else {
        add({.text = found->symbol + (transposed ? "ᵀ" : ""), .operand = found, .transposed = transposed});
      }
      if (transposed) i += kTransposed.size();
    } else if (part) {
      inside = complete = true;
      optional.clear();
    } else if (inside && text[i] == ']') {
      inside = false;
      if (complete) {
        for (const FormulaPart& each : optional) add(each);
      }
    } else {
      add({.text = std::string(1, text[i]), .operand = nullptr, .transposed = false});
    }
  }
  return result;
}

std::string fill(const Step& step, std::string_view text, const Word& word) {
  const std::vector<FormulaPart> parts = parts_of(step, text);
  std::string result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].operand == nullptr) {
      result += parts[i].text;
      continue;
    }
    std::string filled = word(*parts[i].operand, parts[i].transposed);
    // A shape has its own parentheses: exp(S × T), not exp((S × T)).
    const bool enclosed = result.ends_with('(') && i + 1 < parts.size() && parts[i + 1].text.starts_with(')');
    if (enclosed && filled.starts_with('(')) filled = filled.substr(1, filled.size() - 2);
    result += filled;
  }
  return result;
}

std::string parenthesis(const std::string& rows, const std::string& columns, bool transposed) {
  if (rows == "1") return "(" + columns + ")";
  if (columns == "1") return "(" + rows + ")";
  return transposed ? "(" + columns + " × " + rows + ")" : "(" + rows + " × " + columns + ")";
}

}  // namespace

std::vector<FormulaPart> formula_parts(const Step& step) {
  return parts_of(step, step.formula);
}

std::string symbols_formula(const Step& step) {
  return fill(step, step.formula, [](const Operand& operand, bool transposed) {
    return operand.symbol + (transposed ? "ᵀ" : "");
  });
}

std::string explanation(const Step& step) {
  return fill(step, step.why, [](const Operand& operand, bool) { return operand.symbol; });
}

std::string plain_symbol(std::string_view symbol) {
  constexpr std::array kDigits{"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  std::string text;
  bool lower = false;
  for (const char c : symbol) {
    const bool digit = c >= '0' && c <= '9';
    if (c == '_') {
      lower = true;
    } else if (lower && digit) {
      text += kDigits[static_cast<std::size_t>(c - '0')];
    } else if (lower && c == 't') {
      text += "ₜ";
    } else {
      text += c;
      lower = false;
    }
  }
  return text;
}

std::string shapes_formula(const Step& step) {
  return fill(step, step.formula, [](const Operand& operand, bool transposed) {
    return parenthesis(extent_letter(operand.rows), extent_letter(operand.columns), transposed);
  });
}

std::string sizes_formula(const Step& step, const StepSizes& sizes) {
  return fill(step, step.formula, [&](const Operand& operand, bool transposed) {
    return parenthesis(std::to_string(sizes.of(operand.rows)), std::to_string(sizes.of(operand.columns)),
                       transposed);
  });
}

std::string extent_letter(Extent extent) {
  switch (extent) {
    case Extent::one:
      return "1";
    case Extent::source:
      return "S";
    case Extent::target:
      return "T";
    case Extent::model:
      return "d";
    case Extent::head:
      return "k";
    case Extent::hidden:
      return "f";
    case Extent::source_vocab:
      return "V_s";
    case Extent::target_vocab:
      return "V_t";
    case Extent::positions:
      return "max_length";
  }
  return {};
}

int StepSizes::of(Extent extent) const {
  switch (extent) {
    case Extent::one:
      return 1;
    case Extent::source:
      return source;
    case Extent::target:
      return target;
    case Extent::model:
      return config.d_model;
    case Extent::head:
      return config.head_width();
    case Extent::hidden:
      return config.d_ff;
    case Extent::source_vocab:
      return config.source_vocab;
    case Extent::target_vocab:
      return config.target_vocab;
    case Extent::positions:
      return config.max_length;
  }
  return 0;
}

std::string shape_text(const Operand& operand) {
  return extent_letter(operand.rows) + " × " + extent_letter(operand.columns);
}

std::string shape_text(const Operand& operand, const StepSizes& sizes) {
  return std::to_string(sizes.of(operand.rows)) + " × " + std::to_string(sizes.of(operand.columns));
}

}  // namespace glassformer
