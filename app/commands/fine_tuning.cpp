#include "app/commands/fine_tuning.h"

#include <algorithm>

#include "engine/math/error.h"
#include "engine/math/typed_number.h"

namespace glassformer {

std::optional<Checkpoint> tuned_model(const TrainArguments& arguments, DataOptions& options) {
  if (arguments.fine_tune.empty()) return std::nullopt;
  const auto is_size = [](const auto& option) { return option.first != "dropout"; };
  if (std::ranges::any_of(arguments.model, is_size) || !arguments.preset.empty() || options.tokenizer ||
      options.pieces > 0 || options.shared_vocabulary)
    throw CLI::ValidationError(
        "a model that is tuned keeps its sizes and pieces; leave out --preset and the options of model and "
        "tokenizer");
  Checkpoint from = load_checkpoint(arguments.fine_tune);
  if (!from.tokenizers.source || !from.tokenizers.target)
    throw Error(arguments.fine_tune, "it has no tokenizer, so other pairs cannot be cut into its pieces");
  Config& config = from.snapshot.config;
  const int longest = config.max_length - 2;
  options.max_tokens = options.max_tokens > 0 ? std::min(options.max_tokens, longest) : longest;
  if (const auto dropout = arguments.model.find("dropout"); dropout != arguments.model.end()) {
    const std::optional<double> share = typed_number(dropout->second);
    if (!share || *share < 0 || *share >= 1)
      throw CLI::ValidationError("--dropout must be from 0 to below 1, found " + dropout->second);
    config.dropout = *share;
  }
  return from;
}

}  // namespace glassformer
