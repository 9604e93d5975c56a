// One number and how it came about: the step that made it, its operands, and the way that led here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/views/step_reader.h"
#include "engine/model/steps/cell_work.h"

namespace glassformer {

struct CellScene {
  // `cell`, or, where that is not in this sentence, the weight of the pinned query and key.
  CellScene(const ViewInput& input, StepLists& lists, const std::optional<CellRef>& cell);

  StepReader reader;
  CellRef cell;
  Operand operand;             // whose number it is
  int row = 0, column = 0;     // there
  const Step* step = nullptr;  // that made it; null: a weight, where the way back ends
  int also = -1;
  CellWork work;
  double value = 0;  // as recorded

  bool is_weight() const { return step == nullptr; }
  bool is_id() const { return operand.store == OperandStore::ids; }
  std::string name() const;                // "A [une, voit]"
  std::vector<std::string> place() const;  // "Decoder", "Layer 1", "Cross-attention", "Head 2"
  std::optional<CellRef> source(const CellNumber& number) const;  // the cell that an operand is
  // The word or place that a term of the sum stands for.
  std::string term_label(int place) const;
  // Differs from what the formula gives: only a what-if does that.
  bool changed() const;
};

// The name of any cell, for the way that led here.
std::string cell_name(const ViewInput& input, StepLists& lists, const CellRef& cell);

}  // namespace glassformer
