// A configuration for the words that it will read and write.
#pragma once

#include "engine/text/tokenizer.h"

namespace glassformer {

// A Transformer's Config or a RecurrentConfig with the vocabularies and special pieces of these, which are
// not null.
template <class AnyConfig>
AnyConfig fitted_config(AnyConfig config, const Tokenizers& tokenizers) {
  config.source_vocab = tokenizers.source->size();
  config.target_vocab = tokenizers.target->size();
  const SpecialIds& special = tokenizers.source->special();
  config.pad_id = special.pad;
  config.unk_id = special.unk;
  config.bos_id = special.bos;
  config.eos_id = special.eos;
  return config;
}

}  // namespace glassformer
