#include "engine/model/what_if/change_parts.h"

#include <algorithm>

#include "engine/math/error.h"
#include "engine/model/names.h"

namespace glassformer::change_parts {

const char* spelling(AttentionKind kind) {
  return kind == AttentionKind::encoder ? "encoder" : kind == AttentionKind::decoder ? "decoder" : "cross";
}

std::string layer_and_head(const Change& change) {
  return std::string(" ") + spelling(kind_of(change)) + " " + counted(change.block.layer) + "." +
         counted(change.head);
}

std::string shown_number(double value) {
  const std::string text = written_number(value);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

std::string head_words(const Change& change) {
  return head_name(kind_of(change), change.block.layer, change.head);
}

std::string unit_words(const Change& change) {
  return sub_block_name(change.block) + ", unit " + counted(change.unit);
}

std::string in_marks(int place, const std::vector<std::string>& words) {
  return place >= 0 && place < std::ssize(words) ? "“" + words[static_cast<std::size_t>(place)] + "”"
                                                 : std::to_string(place);
}

const std::vector<std::string>& rows_of(const Change& change, const ChangeWords& words) {
  if (const auto kind = attention_of(change.block)) return words.rows_of(*kind);
  return change.block.encoder ? words.source : words.target_in;
}

std::string pair_words(const Change& change, const ChangeWords& words, const char* between) {
  const AttentionKind kind = kind_of(change);
  return in_marks(change.row, words.rows_of(kind)) + between + in_marks(change.column, words.keys_of(kind));
}

std::string places(const Change& change, const ChangeWords& words) {
  const AttentionKind kind = kind_of(change);
  return " " + written_place(change.row, words.rows_of(kind)) + " " +
         written_place(change.column, words.keys_of(kind));
}

std::string replacement(const Change& change, const ChangeWords& words) {
  std::string text;
  if (change.row != kEverywhere) text += " at " + written_place(change.row, rows_of(change, words));
  if (change.by == Replacement::mean) text += " by mean";
  if (change.by == Replacement::times) text += " times " + written_number(change.amount);
  if (change.by == Replacement::other) text += " from other";
  return text;
}

std::string replaced_words(const Change& change, const ChangeWords& words) {
  std::string text = " muted";
  if (change.by == Replacement::mean) text = " set to its mean";
  if (change.by == Replacement::times) text = " × " + shown_number(change.amount);
  if (change.by == Replacement::other) text = " from the second Scene";
  if (change.row != kEverywhere) text += " at " + in_marks(change.row, rows_of(change, words));
  return text;
}

// A side of the model, or both.
void read_side(ChangeReader& reader, Change& change) {
  if (!reader.at_end()) change.block = {BlockKind::embedding, ValueKind::whole, reader.encoder()};
}

std::string side(const Change& change) {
  if (!in_embedding(change.block.block)) return "";
  return change.block.encoder ? " encoder" : " decoder";
}

std::string side_words(const Change& change) {
  return in_embedding(change.block.block) ? " of the" + side(change) : "";
}

void read_pair(ChangeReader& reader, Change& change) {
  const AttentionKind kind = kind_of(change);
  change.row = reader.place(reader.words().rows_of(kind), "the rows");
  change.column = reader.place(reader.words().keys_of(kind), "the columns");
}

void read_head(ChangeReader& reader, Change& change) {
  change.block = value_in(reader.attention(), 0, ValueKind::whole);
  reader.layer_and("head", change, change.head);
}

bool touches_its_block(const Change& change, const ValueName& block) {
  return change.block == block;
}
bool touches_all_layers(const Change& change, const ValueName& block) {
  const auto attention = attention_of(block);
  return attention && attention == attention_of(change.block).value_or(*attention);
}
bool touches_masked(const Change&, const ValueName& block) {
  return attention_of(block) == AttentionKind::decoder;
}
bool touches_embedding(const Change& change, const ValueName& block) {
  return in_embedding(block.block) &&
         (!in_embedding(change.block.block) || change.block.encoder == block.encoder);
}
bool touches_source(const Change&, const ValueName& block) {
  return in_embedding(block.block) && block.encoder;
}
bool touches_output(const Change&, const ValueName& block) {
  return block.block == BlockKind::output;
}
bool touches_parameter(const Change& change, const ValueName& block) {
  std::optional<ValueName> name = read_name(change.parameter);
  if (!name) return false;
  if (in_embedding(name->block)) return in_embedding(block.block) && name->encoder == block.encoder;
  name->value = ValueKind::whole;
  return name == block;
}

std::string ids_text(const std::vector<int>& ids, const std::function<std::string(int)>& word) {
  std::string text;
  for (const int id : ids) text += (text.empty() ? "" : " ") + (word ? word(id) : std::to_string(id));
  return text;
}

// Ids of words, or the numbers themselves where nobody knows words.
std::vector<int> ids_of(ChangeReader& reader, const ChangeReader::Token& token,
                        const std::function<std::vector<int>(const std::string&)>& ids) {
  if (ids) return ids(token.text);
  ChangeReader numbers({{.text = token.text}}, reader.words());
  return {numbers.whole("the number of a word")};
}

void read_swap(ChangeReader& reader, Change& change) {
  const ChangeWords& words = reader.words();
  change.row = reader.place(words.source, "the source");
  const ChangeReader::Token token = reader.word("a word");
  ChangeReader again({token}, words);
  try {
    change.column = again.place(words.source, "the source");
    return;
  } catch (const Error&) {
    // No word of the sentence: it takes the place of the first.
  }
  change.numbers = ids_of(reader, token, words.source_ids);
  if (change.numbers.size() != 1) {
    throw Error("what-if", "“" + token.text + "” is " + std::to_string(change.numbers.size()) +
                               " pieces for this model; a word can be swapped for one piece");
  }
}

void read_order(ChangeReader& reader, Change& change) {
  std::vector<int>& positions = change.numbers;
  do {
    positions.push_back(reader.whole("a position, from 0"));
  } while (reader.number_is_next());
  std::vector<int> sorted = positions;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<int>(i))
      throw Error("what-if", "“permute positions " + ids_text(positions, {}) +
                                 "”: expected each position from 0 to " + std::to_string(sorted.size() - 1) +
                                 " once");
  read_side(reader, change);
}

void read_parameter(ChangeReader& reader, Change& change) {
  const char* expected = "a parameter's entry, as encoder.layers.0.linear1.weight[3,7]";
  const std::string name = reader.word(expected).text;
  const std::size_t open = name.find('[');
  if (open == std::string::npos || name.back() != ']') reader.refuse(expected);
  change.parameter = name.substr(0, open);
  const std::string index = name.substr(open + 1, name.size() - open - 2);
  const std::size_t comma = index.find(',');
  const auto number = [&](const std::string& text) {
    ChangeReader one({{.text = text}}, reader.words());
    const int read = one.whole("an index, from 0");
    if (read < 0) one.refuse("an index, from 0");
    return read;
  };
  change.row = comma == std::string::npos ? 0 : number(index.substr(0, comma));
  change.column = number(comma == std::string::npos ? index : index.substr(comma + 1));
  reader.expect("=");
  change.amount = reader.number("a number");
}

namespace {

std::string entry_of(const std::string& parameter, const Change& change) {
  const std::optional<ValueName> name = read_name(change.parameter);
  const bool vector = name && (is_bias(name->value) || name->value == ValueKind::gain);
  const std::string row = vector && change.row == 0 ? "" : std::to_string(change.row) + ",";
  return parameter + "[" + row + std::to_string(change.column) + "]";
}

}  // namespace

std::string entry(const Change& change) {
  return entry_of(change.parameter, change);
}

std::string entry_words(const Change& change) {
  const std::optional<ValueName> name = read_name(change.parameter);
  if (!name || !in_layer(name->block)) return entry(change);
  return std::string(name->encoder ? "encoder" : "decoder") + " layer " + counted(name->layer) + ", " +
         entry_of(name_in_layer(*name), change);
}

}  // namespace glassformer::change_parts
