// Every input that broke a reader once, or shows it something new, read again.
#include <doctest/doctest.h>

#include <filesystem>

#include "engine/files/read_file.h"
#include "source_folder.h"
#include "tests/fuzz/readers.h"

using namespace glassformer;

TEST_CASE("every kept input of the fuzzers is read or refused in a sentence") {
  for (const FuzzedReader& reader : fuzzed_readers()) {
    CAPTURE(reader.name);
    int seeds = 0;
    for (const auto& seed :
         std::filesystem::directory_iterator(source_folder() + "/tests/fuzz/seeds/" + reader.name)) {
      CAPTURE(seed.path().string());
      const std::string bytes = read_file(seed.path().string());
      CHECK_NOTHROW(reader.read(bytes));
      // Cut short and with one byte changed, it is another input.
      for (std::size_t part = 1; part < 8; ++part) {
        CHECK_NOTHROW(reader.read(bytes.substr(0, bytes.size() * part / 8)));
        std::string changed = bytes;
        if (!changed.empty()) changed[changed.size() * part / 8] ^= static_cast<char>(1 << part);
        CHECK_NOTHROW(reader.read(changed));
      }
      ++seeds;
    }
    CHECK(seeds >= 3);
  }
}
