// The numbers of the sentence that is looked at, with the steps that made them, and, of a comparison, with
// those of the other side.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/number_reader.h"
#include "app/widgets/matrix_cells.h"
#include "engine/model/steps/step_sources.h"
#include "engine/model/steps/steps.h"

namespace glassformer {

// Forward, loss and backward, numbered as in the Walk. Kept while the configuration stays; copies of a view
// share it.
using StepLists = Background<Config, std::vector<Step>>;

// What the places of an axis are: "query", "word", "dimension", "unit"; empty for a single one.
std::string axis_word(const Operand& operand, bool columns);
// ", query “une”, key “voit”" for the texts of a row and a column.
std::string cell_text(const Operand& operand, const std::string& row, const std::string& column);
// "8 queries × 8 keys", "16 × 64 dimensions"
std::string axes_text(const Operand& operand, bool transposed, int rows, int columns);

// Valid as long as the input.
class StepReader : public NumberReader {
 public:
  // `backward`: the numbers of the pass that has the gradients, once the session has made them.
  StepReader(const ViewInput& input, StepLists& lists, bool backward = false);

  const ViewInput& input() const { return input_; }
  const std::vector<Step>& steps() const { return *steps_; }
  // The same numbers of the Scene that this one is compared with; none where there is none of the same shape.
  OperandNumbers beside(const Operand& operand) const;
  // The same operand of the other Scene where that has other words: its rows are none of these.
  OperandNumbers beside_of_other_words(const Operand& operand) const;
  int sentence() const { return sentence_; }
  // Whether scores are divided by √k here: not by every model, nor under every what-if.
  bool scales() const { return scales_; }
  bool has_gradients() const { return pass_ != nullptr; }

  // The step with this output; null when the model has none.
  const Step* step_making(const Operand& output) const;

  MatrixAxis axis(const Operand& operand, bool columns) const;

  // Where a number of an operand is kept, as the selection names it; nothing for masks, which are rules.
  std::optional<CellRef> cell(const Operand& operand, int row, int column) const;
  Maker maker(const CellRef& cell) const;

 private:
  StepReader(const ViewInput& input, StepLists& lists, int sentence,
             std::shared_ptr<const SentenceGradients> pass);

  const ViewInput& input_;
  int sentence_;
  bool scales_ = true;
  std::shared_ptr<const SentenceGradients> pass_;  // null: not asked for, or not there yet
  std::optional<StepNumbers> beside_;
  bool same_words_ = false;
  std::shared_ptr<const std::vector<Step>> steps_;
};

// Numbers of a gradient are often too small to be read: thousands of them are not. 1 for all others.
double shown_factor(const Operand& operand, double largest);

// The numbers of an operand, in its own rows and columns or transposed. Cells that a mask hides are hatched.
MatrixNumbers operand_matrix(const StepReader& reader, const Operand& operand, bool transposed = false);
// The same on axes cut already.
MatrixNumbers operand_matrix(const StepReader& reader, const Operand& operand, bool transposed,
                             MatrixAxis rows, MatrixAxis columns);

// What a hover and a click on its cells do, and what is said about them; `label` makes them unique on screen:
// "K 3 0" by the operand's own row and column. Asked after the drawing, so it keeps all it needs.
std::function<HitRegion(int, int)> operand_hits(const StepReader& reader, const Operand& operand,
                                                const MatrixNumbers& matrix, bool transposed,
                                                const std::string& label);

}  // namespace glassformer
