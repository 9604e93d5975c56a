// From a description of where data comes from to everything that training needs: pairs for training and for
// validation, a tokenizer for each side, ids, and a report for people. The train and corpus commands and the
// window's preview all come through here, so they always agree.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/text/corpus_reader.h"
#include "engine/text/given_embeddings.h"
#include "engine/text/tokenizer.h"
#include "engine/text/toy_tasks.h"

namespace glassformer {

// Exactly one of: a task, a grammar, a tab-separated file, two line-aligned files.
struct DataSource {
  std::string task;            // "copy", "reverse", ... (toy_tasks.h)
  std::string grammar;         // a grammar file
  std::string corpus;          // a tab-separated file
  std::string source, target;  // two line-aligned files
  FileChoices choices;         // of these files
  long pairs = 0;  // how many; 0: 20 000 for a task (or all there are), 50 000 for a grammar, all of a file
  ToyOptions toy;  // tasks alone
  bool operator==(const DataSource&) const = default;

  bool empty() const {
    return task.empty() && grammar.empty() && corpus.empty() && source.empty() && target.empty();
  }
  std::string kind() const {  // a task's name, "grammar" or "corpus"
    if (!task.empty()) return task;
    return grammar.empty() ? "corpus" : "grammar";
  }
};

struct DataOptions {
  DataSource training;
  DataSource validation;      // empty: split off the training data by source side
  long validation_pairs = 0;  // of that split; 0: a tenth, at most 1 000
  long test_pairs = 0;        // split off as well, never trained on
  std::uint64_t seed = 1;     // of tasks, grammar and split; the run's own seed changes none of them
  std::string leave_out;      // a table: no pair whose source is in it, but for capitals and the marks
                              // at its end, is trained on or validates; empty: nothing is left out

  std::optional<TokenizerKind> tokenizer;  // unset: what suits (words or characters for tasks and
                                           // for less than some hundred pairs, else bpe)
  int pieces = 0;                          // V wanted; 0: what suits
  bool shared_vocabulary = false;          // one tokenizer, trained on both sides
  // Files of vectors that the embeddings begin with (given_embeddings.h); empty: none.
  std::string source_embedding, target_embedding;
  int max_tokens = 0;  // longest side in pieces, bos and eos not counted; 0: any
  CorpusLimits limits;
  bool operator==(const DataOptions&) const = default;
};

// As training.json keeps it under "data". Unknown keys are an Error; missing ones take their default.
nlohmann::json to_json(const DataOptions& options);
DataOptions data_options_from_json(const nlohmann::json& json);

struct EncodedPair {
  std::vector<int> source, target;  // ids, no bos, no eos
};

struct DataPart {
  std::vector<SentencePair> pairs;
  std::vector<EncodedPair> encoded;  // as long as pairs
};

// One side of the training pairs, counted in pieces.
struct SideReport {
  std::vector<long> lengths;       // lengths[n]: sentences of n pieces
  long shortest = 0, longest = 0;  // pieces
  double mean = 0;
  long median = 0, percentile_95 = 0;
  long tokens = 0;
  long unknown = 0;  // of them
  long validation_tokens = 0;
  long validation_unknown = 0;
  long vocabulary = 0;           // V, special tokens included
  long smallest_vocabulary = 0;  // that this text allows in pieces of that kind; 0: they were given
  long vocabulary_used = 0;      // pieces that occur in the training pairs, special tokens not counted
  long distinct_words = 0;       // split at blanks
  double coverage() const { return tokens > 0 ? 1.0 - double(unknown) / double(tokens) : 1.0; }
  double validation_coverage() const {
    return validation_tokens > 0 ? 1.0 - double(validation_unknown) / double(validation_tokens) : 1.0;
  }
};

struct DataReport {
  std::string name;                    // "train.de, train.en", "task reverse"
  long lines = 0, kept = 0;            // of the training data, the split-off parts included
  std::vector<RejectedLine> rejected;  // every one
  std::vector<std::string> notes;
  ReadColumns columns;
  std::string validation_name;  // "split by source side", or the file
  long validation_lines = 0;    // of its own file
  std::vector<RejectedLine> validation_rejected;
  std::vector<std::string> validation_notes;
  SideReport source, target;
  long pass_tokens() const { return source.tokens + target.tokens; }  // of all training pairs
};

struct PreparedData {
  DataPart training, validation, test;
  Tokenizers tokenizers;
  TokenizerKind kind = TokenizerKind::bpe;
  DataReport report;
  std::shared_ptr<const GivenEmbeddings> source_vectors, target_vectors;  // null: none
};

// Called with a stage ("reading", "learning pieces", ...) and the part done, from 0 to 1; false stops the
// work, which then throws Error.
using DataProgress = std::function<bool(const std::string& stage, double fraction)>;

// `given` tokenizers (of a model that is trained further, or evaluated) are used unchanged; else they are
// learned from the training pairs. Throws Error as the readers and train_tokenizer do, and on options that
// contradict.
PreparedData prepare_data(const DataOptions& options, const DataProgress& progress = {},
                          const Tokenizers& given = {});

// The pairs to be trained on and those that validate, before any tokenizer.
struct PlainPairs {
  std::vector<SentencePair> training, validation;
};
PlainPairs plain_pairs(const DataOptions& options);

// The first part of it: what the files hold, or what the task or grammar gives.
Corpus read_pairs(const DataSource& source, std::uint64_t seed, const CorpusLimits& limits = {},
                  const DataProgress& progress = {});

// Every kept pair of a part as ids.
std::vector<EncodedPair> encode_pairs(const std::vector<SentencePair>& pairs, const Tokenizers& tokenizers);

}  // namespace glassformer
