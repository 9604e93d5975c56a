#include "engine/model/steps/step_numbers.h"

#include <doctest/doctest.h>

#include "engine/model/trace.h"
#include "random_models.h"

using namespace glassformer;

// A cell's row is read by an operand that begins at the cell, and whose columns nobody has to know.
TEST_CASE("a row is read to its end, also where it is wider than the model") {
  Config config = small_config();
  config.target_vocab = 50;
  config.d_ff = 40;
  const Transformer<float> model = random_model<float>(config, 3);
  TraceOptions options;
  options.pad = true;
  const Trace trace = record_trace(model, {{{5, 6, 7}, {4, 5}}, {{4, 5}, {6, 7, 8}}}, options);
  for (int sentence = 0; sentence < 2; ++sentence) {
    const StepNumbers numbers(model, trace, sentence);
    for (const char* name :
         {"smoothed_target", "logits", "decoder.layers.1.feed_forward.hidden", "decoder.output"}) {
      CAPTURE(std::string(name));
      const Plane plane = trace.plane(name, sentence);
      Operand operand;
      operand.store = OperandStore::trace;
      operand.name = name;
      operand.columns = Extent::model;
      operand.first_row = 1;
      const OperandNumbers row = numbers.of(operand);
      REQUIRE(row.recorded());
      for (int column = 0; column < plane.columns; ++column) CHECK(row(0, column) == plane(1, column));
    }
  }
}
