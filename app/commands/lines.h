// Lines of text in and out of the commands.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "engine/math/error.h"
#include "engine/model/batch.h"
#include "engine/train/bleu.h"

namespace glassformer {

// A line of input, and why it cannot be read when it cannot: it is not UTF-8, or longer than any sentence.
struct InputLine {
  std::string text;     // UTF-8; a line that is too long is empty
  std::string problem;  // empty: none
};
// Hands on the lines of standard input in groups of at most `most`: as many as have arrived, so that a person
// or a program that waits for an answer to a line gets it at once. LF, CRLF and CR CR LF end a line, a byte
// order mark is taken off. Ends with the input. Throws Error for UTF-16 and gzip, which come as a file.
void read_standard_input(std::size_t most, const std::function<void(std::vector<InputLine>)>& handle);

// "--encoding": how files are read that are neither UTF-8 nor marked as UTF-16.
void add_encoding_option(CLI::App& command, std::string& encoding);
// "--tokenize": what a word is to BLEU.
void add_bleu_words_option(CLI::App& command, BleuWords& words);

// Each on a line of standard error, behind what it is about (a folder, say) when that is named.
void print_notes(const std::vector<std::string>& notes, const std::string& about = "");

// What makes BLEU low though the text is right (engine/text/text_notes.h).
std::vector<std::string> notes_for_bleu(const std::vector<std::string>& lines, const std::string& name,
                                        const BleuOptions& options);

// The batches that `trace` and `step` read.

// safetensors with source (B, S), target_in (B, T) and target_out (B, T) as I32 or I64. Throws Error.
Batch read_batch(const std::string& path, const Config& config);

}  // namespace glassformer
