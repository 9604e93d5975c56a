// What the rows of change_kinds.h are made of: words that several kinds share, what they read, whom they
// touch.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/model/what_if/change_kinds.h"
#include "engine/model/what_if/change_text.h"

namespace glassformer::change_parts {

// As a text has it: "cross", " cross 2.1", " voit sees", " at voit by mean", " encoder", "a.weight[3,7]".
const char* spelling(AttentionKind kind);
std::string layer_and_head(const Change& change);
std::string places(const Change& change, const ChangeWords& words);
std::string replacement(const Change& change, const ChangeWords& words);
std::string side(const Change& change);
std::string entry(const Change& change);
std::string ids_text(const std::vector<int>& ids, const std::function<std::string(int)>& word);

// As a chip has it: "cross 2, head 1", "encoder feed-forward 1, unit 17", "encoder layer 1,
// linear1.weight[3,7]", "“voit”", " muted", " of the encoder".
std::string shown_number(double value);  // "−0.5"
std::string head_words(const Change& change);
std::string unit_words(const Change& change);
std::string entry_words(const Change& change);
std::string in_marks(int place, const std::vector<std::string>& words);
std::string pair_words(const Change& change, const ChangeWords& words, const char* between);
std::string replaced_words(const Change& change, const ChangeWords& words);
std::string side_words(const Change& change);
// The words at the rows of what is changed.
const std::vector<std::string>& rows_of(const Change& change, const ChangeWords& words);

// What follows the words with which a kind begins.
void read_side(ChangeReader& reader, Change& change);
void read_pair(ChangeReader& reader, Change& change);
void read_head(ChangeReader& reader, Change& change);
void read_swap(ChangeReader& reader, Change& change);
void read_order(ChangeReader& reader, Change& change);  // positions, each once
void read_parameter(ChangeReader& reader, Change& change);
std::vector<int> ids_of(ChangeReader& reader, const ChangeReader::Token& token,
                        const std::function<std::vector<int>(const std::string&)>& ids);

bool touches_its_block(const Change& change, const ValueName& block);
bool touches_all_layers(const Change& change, const ValueName& block);  // of its attention, or of all
bool touches_masked(const Change& change, const ValueName& block);
bool touches_embedding(const Change& change, const ValueName& block);
bool touches_source(const Change& change, const ValueName& block);
bool touches_output(const Change& change, const ValueName& block);
bool touches_parameter(const Change& change, const ValueName& block);

}  // namespace glassformer::change_parts
