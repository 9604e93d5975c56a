// The words on axes and chips, for any sentence of the Scene's batch.
//
// A decoder row has two words: the one it has just read (target in, "<bos>" first) and the one it is asked to
// write next (target out, "<eos>" last). They are the same sentence shifted by one: that is teacher forcing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/reading/view_input.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

std::vector<std::string> source_words(const ViewInput& input, int sentence);  // L_source, "<eos>" included
// What every translation begins with: "<bos>", or the name of the id that the model starts with.
std::string start_word(const ViewInput& input);
std::vector<std::string> target_in_words(const ViewInput& input, int sentence);   // L_target, "<bos>" first
std::vector<std::string> target_out_words(const ViewInput& input, int sentence);  // L_target, "<eos>" last

// The two axes of an attention: what each row asks from, and what each column offers.
std::vector<std::string> query_words(const ViewInput& input, AttentionKind kind, int sentence);
std::vector<std::string> key_words(const ViewInput& input, AttentionKind kind, int sentence);

// What a row of the decoder is called wherever more than its first word is said: "after chat, writing voit";
// both words with the marks that they are to have. Where there is room for one word it is the first.
std::string row_name(const std::string& read, const std::string& written);

// A word of the target vocabulary as it is in a picture: "·v" inside a word, "␣" for a blank.
std::string target_word(const ViewInput& input, int id);
// Words of the target vocabulary as one text, with "<eos>" where it ends.
std::string target_text(const ViewInput& input, const std::vector<int>& ids);
// Marked by a bar in lists, as on chips: "cat" that begins a word is another piece than "cat" inside one.
bool begins_word(const Tokenizer* tokenizer, int id);
// "; a bar begins a word" below such a list, where words are cut into pieces.
const char* bar_words(const Tokenizer* tokenizer);
bool inside_word(const ViewInput& input, int id);  // it continues a word that another piece began

// Whether these are right words: a translation that was typed or is known. Else the decoder is given what the
// model itself writes (the first of two that are compared), and nobody may call it right.
bool has_right_words(const ViewInput& input, int sentence);
// Whether every row of the decoder, given these words, writes the one that it is asked for.
bool writes_what_is_asked(const Trace& trace, int sentence);
// "right word" or "own word"; "the right word" or "its own word"; "given the right words" or "given its own".
std::string asked_word(const ViewInput& input, int sentence);
std::string the_asked_word(const ViewInput& input, int sentence);
std::string given_words(const ViewInput& input, int sentence);
std::string given_words(const ViewInput& input);  // of all sentences together

int attention_layers(const Config& config, AttentionKind kind);

// "English words", "words" and so on are built on these; "source" and "target" when the languages are
// unknown.
std::string source_language(const ViewInput& input);
std::string target_language(const ViewInput& input);

bool is_special_word(const std::string& word);  // "<bos>", "<eos>", "<pad>", "<unk>"
// "(end)" for the sign that ends a sentence, for who has not met it yet.
std::string plain_word(const std::string& word);

// "cross-attention", "encoder self-attention", "masked self-attention"
std::string attention_title(AttentionKind kind);

// Two outputs laid side by side, word by word: what is changed in a translation says the same on the chips of
// the window and in the What if view.

// One column: the place in each of the two outputs, nothing where it has none.
struct OutputColumn {
  std::optional<int> before, after;
  bool same = false;   // it belongs to a word that both have
  bool begins = true;  // the first column of its word
  bool operator==(const OutputColumn&) const = default;
};

// Along a longest common subsequence of their words; what differs between two common words is in one
// column as far as both have words there. A word is what is between blanks, with all its pieces: the same
// word is the same however it is cut. In a pair of words their pieces are laid side by side in the same way.
// Without a tokenizer every id is a word.
std::vector<OutputColumn> aligned(const std::vector<int>& before, const std::vector<int>& after,
                                  const Tokenizer* tokenizer = nullptr);
int words_in(const std::vector<OutputColumn>& columns);       // of both; those in the same column count once
int changed_words(const std::vector<OutputColumn>& columns);  // those that differ

}  // namespace glassformer
