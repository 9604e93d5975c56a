// The tokenizers that come with an imported model.
#pragma once

#include "engine/import/import_plan.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// Of the files that `options` names, or that lie beside the weights as Marian's do. Sets the special ids of
// the plan's configuration where the lists name them. None where there are no files, or a
// tokenizer.json has a part that is not read: then ids go in and out, and the plan says so under `assumed`.
// Throws Error for a list that is broken or does not fit the tables of the model.
Tokenizers import_tokenizers(ImportPlan& plan, const ForeignModel& model, const ImportOptions& options);

}  // namespace glassformer
