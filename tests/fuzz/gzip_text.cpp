#include "engine/files/text_file.h"
#include "engine/text/lines.h"
#include "tests/fuzz/readers.h"

void glassformer::fuzz_gzip_text(std::string_view bytes) {
  constexpr long kMost = 1 << 20;
  refused_or_read([&] {
    std::string text = unpacked(bytes, "text.gz", kMost);
    must_hold(text.size() <= static_cast<std::size_t>(kMost), "no more is unpacked than allowed");
    const DecodedText decoded = decoded_text(std::move(text), "text.gz");
    for (const std::string_view line : split_lines(decoded.text))
      must_hold(line.find('\n') == std::string_view::npos, "a line holds no line end");
  });
}
