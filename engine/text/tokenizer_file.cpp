#include "engine/text/tokenizer_file.h"

#include <filesystem>

#include "engine/files/read_file.h"
#include "engine/text/bert_vocabulary.h"
#include "engine/text/sentencepiece.h"

namespace glassformer {

std::shared_ptr<const Tokenizer> open_tokenizer_file(const std::string& path) {
  constexpr long kMostBytes = 64L << 20;
  const std::string bytes = read_file(path, kMostBytes);
  const std::string name = std::filesystem::path(path).filename().string();
  // A model begins with its first piece, whose field is a line break, and has zeros in its numbers.
  const bool model = bytes.starts_with('\n') && bytes.find('\0') != std::string::npos;
  if (model || std::filesystem::path(path).extension() == ".model") return load_sentencepiece(bytes, name);
  return load_bert_vocabulary(bytes, name);
}

}  // namespace glassformer
