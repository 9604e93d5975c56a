#include "engine/text/huggingface.h"

#include <algorithm>
#include <string>

#include "tests/fuzz/readers.h"

void glassformer::fuzz_huggingface(std::string_view bytes) {
  refused_or_read([&] {
    const auto tokenizer = load_huggingface(std::string(bytes), "tokenizer.json");
    for (const char* text :
         {"<s> the cat, l'\xC3\xA9t\xC3\xA9 12-3\xF0\x9F\x98\x80\xFF", "ab e\xCC\xA3\xCC\x82", ""}) {
      std::vector<int> ids;
      for (const Piece& piece : tokenizer->encode(text)) {
        must_hold(piece.id >= 0 && piece.id < tokenizer->size(), "an id is of the list");
        ids.push_back(piece.id);
      }
      tokenizer->decode(ids);
      tokenizer->normalized(text);
    }
    for (int id = -1; id <= std::min(tokenizer->size(), 100); ++id) tokenizer->decode({id, id});
  });
}
