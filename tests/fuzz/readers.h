// What reads the files of strangers, each as a function of the bytes alone. Any bytes are read or refused
// with an Error; all else that a reader does (a crash, another exception, a wrong result, hanging) is a
// fault. libFuzzer calls these with bytes that it makes up (tests/fuzz/run), an ordinary test with those kept
// under seeds/.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/math/error.h"

namespace glassformer {

void fuzz_json_config(std::string_view bytes);    // config.json
void fuzz_safetensors(std::string_view bytes);    // header and numbers
void fuzz_vocabulary(std::string_view bytes);     // first byte: words, characters or sentencepiece
void fuzz_listed_pieces(std::string_view bytes);  // two bytes: length of the list, then it, then its model
void fuzz_huggingface(std::string_view bytes);    // tokenizer.json of Hugging Face
void fuzz_gzip_text(std::string_view bytes);      // packed text, and its lines
void fuzz_corpus_table(std::string_view bytes);   // tab-separated sentence pairs
void fuzz_grammar(std::string_view bytes);
void fuzz_pickle(std::string_view bytes);           // of a state dict
void fuzz_foreign_file(std::string_view bytes);     // of PyTorch, NumPy or safetensors
void fuzz_marian_settings(std::string_view bytes);  // special:model.yml

struct FuzzedReader {
  std::string name;  // of its folder under seeds/
  void (*read)(std::string_view);
};

inline std::vector<FuzzedReader> fuzzed_readers() {
  return {{"json_config", fuzz_json_config},
          {"safetensors", fuzz_safetensors},
          {"vocabulary", fuzz_vocabulary},
          {"listed_pieces", fuzz_listed_pieces},
          {"huggingface", fuzz_huggingface},
          {"gzip_text", fuzz_gzip_text},
          {"corpus_table", fuzz_corpus_table},
          {"grammar", fuzz_grammar},
          {"pickle", fuzz_pickle},
          {"foreign_file", fuzz_foreign_file},
          {"marian_settings", fuzz_marian_settings}};
}

// Ends the program, for libFuzzer to see, when what must hold does not.
inline void must_hold(bool truth, const char* what) {
  if (truth) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Does the work; an Error is an answer.
template <class Work>
void refused_or_read(Work work) {
  try {
    work();
  } catch (const Error& error) {
    must_hold(std::string_view(error.what()).size() < 2000, "a message is short");
  }
}

}  // namespace glassformer
