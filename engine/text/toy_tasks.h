// Small tasks with one right answer each: any number of sentence pairs from a seed, and no reading of files.
// They show what attention does with order (copy, reverse), with comparison (sort), with carrying (add), with
// form (dates) and with distance (recall); symbols is the smallest of all, to look at without any training.
//
//   copy      "d a c"          "d a c"        letters apart, tokenized as words; length 1 to L over N letters
//   reverse   "d a c"          "c a d"
//   sort      "d a c a"        "a a c d"
//   add       "12+345"         "357"          characters; numbers of 1 to L digits, no leading zeros
//   dates     "3 march 2021"   "2021-03-03"   characters; real days from 1970-01-01 to 2069-12-31
//   recall    "... . fruit ?"  "grape"        words; 0 to L sentences in between
//   symbols   "2 5 3"          "2 5 3"        words; a copy of 1 to L of the ten digits
//
// Dates come in five forms: "3 march 2021", "march 3, 2021", "3 mar 2021", "3.3.2021", "03/03/21". The forms
// with numbers alone put the day first, always ("03/04/21" is the third of April); two-digit years 70 to 99
// are 1970 to 1999, 00 to 69 are 2000 to 2069. So the source always determines the target.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/math/random.h"
#include "engine/text/corpus.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

enum class ToyTask { copy, reverse, sort, add, dates, recall, symbols };

struct ToyOptions {
  int length = 0;    // L; 0: 12 letters, 3 digits, 8 sentences or symbols; no meaning for dates
  int symbols = 20;  // N letters from a on, 1 to 26; copy, reverse, sort
  bool operator==(const ToyOptions&) const = default;
};

ToyTask toy_task(const std::string& name);  // "copy", "reverse", ... as toy_task_name; else Error
std::string toy_task_name(ToyTask task);
std::vector<ToyTask> toy_tasks();           // all of them
std::string toy_task_names();               // "copy, reverse, ... or symbols", for sentences
TokenizerKind toy_tokenizer(ToyTask task);  // word or character

// How many different sources the task has, at most 10^18.
long toy_sources(ToyTask task, const ToyOptions& options);

// `pairs` pairs, all sources different, lengths evenly spread as far as short ones last. The same arguments
// give the same pairs on any machine. Throws Error when there are not so many sources or an option is out of
// range.
std::vector<SentencePair> toy_pairs(ToyTask task, const ToyOptions& options, long pairs, std::uint64_t seed);

// What the task answers to a source of its form ("1+2" to "3"); empty when the text has not that form.
std::string toy_answer(ToyTask task, const std::string& source);

// The task "recall": who carries what is said once, other things follow, and at the end it is asked for.
//
//   "alice carries a grape . bob walks . alice sings . fruit ?"    "grape"
//
// How many sentences are between is the distance over which it has to be remembered: a recurrent model
// takes it through every state in between, attention reaches it in one step.

// Words of such a text: 4 and a full stop, 3 a sentence in between, and the question.
constexpr int recall_words(int between) {
  return 7 + 3 * between;
}

// Different texts of this distance, 8 names, fruits and verbs; 64^(between + 1), at most 10^18.
long recall_sources(int between);
std::string recall_source(int between, Random& random);
std::string recall_answer(const std::string& source);  // empty when the text has not that form

}  // namespace glassformer
