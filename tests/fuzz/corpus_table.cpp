#include <sys/mman.h>
#include <unistd.h>

#include "engine/text/corpus_reader.h"
#include "tests/fuzz/readers.h"

// The reader takes a path: the file lies in memory, and has one all the same.
void glassformer::fuzz_corpus_table(std::string_view bytes) {
  const int handle = ::memfd_create("table.tsv", MFD_CLOEXEC);
  if (handle < 0 || ::write(handle, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) return;
  refused_or_read([&] {
    const Corpus corpus = read_tab_separated("/proc/self/fd/" + std::to_string(handle));
    must_hold(corpus.line_numbers.size() == corpus.pairs.size(), "every pair has its line");
    for (const SentencePair& pair : corpus.pairs)
      must_hold(!pair.source.empty() && !pair.target.empty(), "no side is empty");
  });
  ::close(handle);
}
