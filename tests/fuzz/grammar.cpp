#include "engine/text/grammar.h"

#include "tests/fuzz/readers.h"

void glassformer::fuzz_grammar(std::string_view bytes) {
  refused_or_read([&] {
    const Grammar grammar = Grammar::parse(bytes, "my.grammar");
    must_hold(grammar.generate(3, 1).size() <= 3, "no more pairs are made than asked for");
  });
}
