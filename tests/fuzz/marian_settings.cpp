#include "engine/import/import_plan.h"
#include "tests/fuzz/readers.h"

// The YAML that Marian keeps in its archives.
void glassformer::fuzz_marian_settings(std::string_view bytes) {
  refused_or_read([&] {
    ForeignModel model{.weights = {.where = "model.npz", .settings = std::string(bytes)}, .folder = "."};
    const auto matrix = [&](const char* name, long rows, long columns) {
      model.weights.tensors[name] = {name, "model.npz", "F32", {rows, columns}, {}};
    };
    matrix("Wemb", 9, 8), matrix("encoder_l1_self_Wq", 8, 8), matrix("decoder_l1_self_Wq", 8, 8);
    if (!kMarianNpz.is(model)) return;
    const ImportPlan plan = kMarianNpz.plan(model, {});
    must_hold(plan.config.source_vocab == 10, "a row for padding is added");
  });
}
