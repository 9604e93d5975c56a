#include <algorithm>
#include <string>

#include "engine/text/listed_pieces.h"
#include "tests/fuzz/readers.h"

void glassformer::fuzz_listed_pieces(std::string_view bytes) {
  if (bytes.size() < 2) return;
  const std::size_t list = static_cast<unsigned char>(bytes[0]) * 256U + static_cast<unsigned char>(bytes[1]);
  bytes.remove_prefix(2);
  const std::string lines(bytes.substr(0, list)), model(bytes.substr(std::min(list, bytes.size())));
  refused_or_read([&] {
    const SpecialIds special{.pad = 0, .unk = 1, .bos = 0, .eos = 0};
    const auto tokenizer = load_listed_pieces(model, lines, special, "source.pieces");
    for (const char* text : {">>fr<< the cat, \xC3\xA9\xF0\x9F\x98\x80\xFF", ">>", ""}) {
      std::vector<int> ids;
      for (const Piece& piece : tokenizer->encode(text)) {
        must_hold(piece.id >= 0 && piece.id < tokenizer->size(), "an id is of the list");
        must_hold(piece.id != special.pad, "no text gives a special piece");
        ids.push_back(piece.id);
      }
      tokenizer->decode(ids);
      tokenizer->normalized(text);
    }
    for (int id = -1; id <= std::min(tokenizer->size(), 100); ++id) tokenizer->decode({id, id});
  });
}
