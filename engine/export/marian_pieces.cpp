#include "engine/export/marian_pieces.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace glassformer {

namespace {

// From pieces to ids; nothing where one piece has two ids or a special token is not called as it must be.
std::optional<nlohmann::json> vocabulary_of(const Tokenizer& tokenizer) {
  nlohmann::json vocabulary = nlohmann::json::object();
  const std::string lines = tokenizer.list_bytes();
  std::string_view rest = lines;
  for (int id = 0; !rest.empty(); ++id) {
    const std::string piece(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(piece.size() + 1, rest.size()));
    if (piece.empty()) continue;  // an id without a piece
    if (vocabulary.contains(piece)) return std::nullopt;
    vocabulary[piece] = id;
  }
  const SpecialIds& special = tokenizer.special();
  const auto is = [&](const char* name, int id) { return vocabulary.value(name, -1) == id; };
  if (!is("<pad>", special.pad) || !is("<unk>", special.unk) || !is("</s>", special.eos)) return std::nullopt;
  return vocabulary;
}

}  // namespace

std::string write_marian_pieces(OwnedFolder& to, const Tokenizers& tokenizers) {
  const std::string rest = ": ids go in and out";
  if (!tokenizers.source) return "the model has no tokenizers" + rest;
  if (tokenizers.source->list_bytes().empty() || tokenizers.target->list_bytes().empty())
    return "its tokenizers are not what MarianTokenizer reads, sentencepiece models with a list of ids" +
           rest;
  const auto source = vocabulary_of(*tokenizers.source), target = vocabulary_of(*tokenizers.target);
  if (!source || !target)
    return "its lists of pieces name one twice, or their special tokens not <pad>, <unk> and </s>" + rest;
  const bool apart = *source != *target;
  to.write("source.spm", tokenizers.source->bytes());
  to.write("target.spm", tokenizers.target->bytes());
  to.write("vocab.json", source->dump(1) + "\n");
  if (apart) to.write("target_vocab.json", target->dump(1) + "\n");
  const nlohmann::json about{{"tokenizer_class", "MarianTokenizer"},
                             {"separate_vocabs", apart},
                             {"source_lang", nullptr},
                             {"target_lang", nullptr},
                             {"unk_token", "<unk>"},
                             {"eos_token", "</s>"},
                             {"pad_token", "<pad>"}};
  to.write_unless_changed("tokenizer_config.json", about.dump(1) + "\n");
  return {};
}

}  // namespace glassformer
