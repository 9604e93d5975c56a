#include <algorithm>

#include "engine/text/tokenizer.h"
#include "tests/fuzz/readers.h"

void glassformer::fuzz_vocabulary(std::string_view bytes) {
  if (bytes.empty()) return;
  const int kind = static_cast<unsigned char>(bytes[0]) % 3;
  const std::string file(bytes.substr(1));
  refused_or_read([&] {
    const auto tokenizer = load_tokenizer(kind == 0   ? "words"
                                          : kind == 1 ? "characters"
                                                      : "sentencepiece",
                                          file, {}, "source.vocab");
    std::vector<int> ids;
    for (const Piece& piece : tokenizer->encode("the cat, \xC3\xA9\xF0\x9F\x98\x80\xFF")) {
      must_hold(piece.id >= 0 && piece.id < std::max(tokenizer->size(), kSpecials),
                "an id is of the vocabulary");
      ids.push_back(piece.id);
    }
    tokenizer->decode(ids);
    for (int id = -1; id <= std::min(tokenizer->size(), 100); ++id) tokenizer->piece(id);
  });
}
