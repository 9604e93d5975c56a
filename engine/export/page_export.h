// A web page that translates with a model and shows all its heads, for any browser.
#pragma once

#include <string>
#include <vector>

#include "engine/model/checkpoint.h"

namespace glassformer {

struct PageWords {
  std::string title, description;  // "English → French", "2 + 2 layers · 4 heads · 493 472 weights"
  std::string example;             // a sentence to begin with; may be empty
};

// The page's files from `assets` (assets/ of the program), encoder.onnx and decoder.onnx with all weights of
// attention, settings.json, page.json, and tokenizer.json, or source_tokenizer.json and target_tokenizer.json
// where the sides differ. Returns what cannot be promised of the page, a sentence each. Throws Error as
// write_export, check_onnx_size and tokenizer_json do, and for a model without tokenizers.
std::vector<std::string> export_page(const Checkpoint& model, const PageWords& words,
                                     const std::string& assets, const std::string& folder);

}  // namespace glassformer
