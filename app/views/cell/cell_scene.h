// One number and how it came about: the step that made it, its operands, and the way that led here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/step_reader.h"
#include "engine/model/steps/cell_work.h"

namespace glassformer {

// Which cells of an input the work reads.
struct CellReads {
  bool any = false, one_row = true, one_column = true;
  CellNumber first;
};

// The work, and what the picture asks about it again and again.
struct CellSheet {
  CellWork work;
  std::vector<int> order;        // of the terms: as they come, or, of a long row, the largest first
  std::vector<CellReads> reads;  // one an input
  double largest = 0;            // number among the terms
};

struct CellKey {
  std::shared_ptr<const Trace> trace = {};
  std::shared_ptr<const SentenceGradients> pass = {};
  std::shared_ptr<const Transformer<float>> weights = {};
  CellRef cell = {};
  bool operator==(const CellKey&) const = default;
};

// What the cell view keeps from frame to frame; copies of it share one.
struct CellCaches {
  StepLists lists;
  Background<CellKey, CellSheet> sheets;
};

class CellScene {
 public:
  // `cell`, or, where that is not in this sentence, the weight of the pinned query and key.
  CellScene(const ViewInput& input, CellCaches& caches, const std::optional<CellRef>& cell);

  StepReader reader;
  CellRef cell;
  Operand operand;             // whose number it is
  int row = 0, column = 0;     // there
  const Step* step = nullptr;  // that made it; null: a weight, where the way back ends
  int also = -1;
  double value = 0;  // as recorded

  // A gradient that the session has not made yet: there are no numbers.
  bool waiting() const { return cell.gradient && !reader.has_gradients(); }
  const CellSheet& sheet() const;
  const CellWork& work() const { return sheet().work; }

  bool is_weight() const { return step == nullptr; }
  bool is_id() const { return operand.store == OperandStore::ids; }
  std::string name() const;                // "A [une, voit]"
  std::string place_words() const;         // "query une, key voit, head 2"
  int own_column() const;                  // -1: the operand has one number a row
  std::vector<std::string> place() const;  // "Decoder", "Layer 1", "Cross-attention", "Head 2"
  std::optional<CellRef> source(const CellNumber& number) const;  // the cell that an operand is
  // The word or place that a term of the sum stands for.
  std::string term_label(const CellTerm& term) const;
  // "dQ W_Q, layer 2": one of several products.
  std::string product_name(const CellProduct& product) const;
  // Differs from what the formula gives: only a what-if does that.
  bool changed() const;

 private:
  CellCaches& caches_;
  mutable std::shared_ptr<const CellSheet> sheet_;
};

}  // namespace glassformer
