#include "app/inspector/value_words.h"

#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/session/run_scene.h"
#include "engine/model/place_words.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

std::string quoted(const std::string& word) {
  return "“" + word + "”";
}
std::string bold(const std::string& word) {
  return "**" + word + "**";
}
std::string number(int column) {
  return ", number " + std::to_string(column);
}

// A cell of a head's table of queries and keys: its two words.
struct Pair {
  int query = 0, key = 0;
  std::string query_word, key_word;
};

Pair pair_of(const InspectedCell& inspected, AttentionKind kind) {
  const std::vector<int> index = inspected.index();
  return {index[1], index[2], inspected.stack_word(kind == AttentionKind::encoder, index[1]),
          inspected.stack_word(kind != AttentionKind::decoder, index[2])};
}

// "93 % of its attention"; what a ReLU gives is no share of a whole.
std::string weight_words(const InspectedCell& inspected, double weight) {
  const bool relu = inspected.config().attention_activation == AttentionActivation::relu;
  return relu ? "the weight " + format_short(weight) : share_words(weight);
}

std::string meaning_of_weight(const InspectedCell& inspected, AttentionKind kind, const Pair& pair) {
  const bool relu = inspected.config().attention_activation == AttentionActivation::relu;
  const std::string share =
      relu ? format_short(inspected.value()) + " times the value" : share_words(inspected.value());
  const std::string from = (relu ? " of " : " from ") + quoted(pair.key_word);
  if (kind == AttentionKind::encoder)
    return "To describe " + quoted(pair.query_word) + " in this sentence the head takes " + share + from +
           ".";
  const bool own = !has_right_words(inspected.input(), inspected.sentence());
  const std::string written = quoted(inspected.written_word(pair.query));
  return "The decoder has just read " + quoted(pair.query_word) + ". To choose the next word it takes " +
         share + from + (own ? ", and writes " + written + "." : "; the right word is " + written + ".");
}

std::string meaning_of_mask(const InspectedCell& inspected, AttentionKind kind, const Pair& pair) {
  if (!std::isinf(inspected.value()))
    return quoted(pair.query_word) + " may look at " + quoted(pair.key_word) + ".";
  if (kind == AttentionKind::decoder && pair.key > pair.query)
    return quoted(pair.key_word) + " comes later: while " + quoted(pair.query_word) +
           " is read it is not yet written.";
  if (pair.key_word != "<pad>")
    return "Hidden by hand: " + quoted(pair.query_word) + " may not look at " + quoted(pair.key_word) + ".";
  return "Padding fills the row of a shorter sentence; nobody may look at it.";
}

std::string meaning_of_match(const InspectedCell& inspected, AttentionKind kind, int layer,
                             const Pair& pair) {
  const double weight =
      inspected.value_at(attention_value(kind, layer, ValueKind::weights), inspected.index());
  return "A match is the two lengths times the cosine between them: large for long vectors that point the "
         "same "
         "way in this head. Here " +
         quoted(pair.query_word) + " gives " + quoted(pair.key_word) + " " + weight_words(inspected, weight) +
         (inspected.config().attention_activation == AttentionActivation::relu ? "." : " of its attention.");
}

// What is in the table of queries and keys of one head.
ValueWords words_of_pair(const InspectedCell& inspected, AttentionKind kind, const ValueName& name) {
  const Pair pair = pair_of(inspected, kind);
  const std::string asks = bold(pair.query_word) + " asks " + bold(pair.key_word);
  const bool scaled =
      config_under(inspected.config(), inspected.input().result.scene.what_if).attention_scale;
  switch (name.value) {
    case ValueKind::weights:
      return {"Attention weight", weight_subject(inspected, kind, pair.query, pair.key),
              meaning_of_weight(inspected, kind, pair)};
    case ValueKind::scores:
      if (!scaled)
        return {"Score", asks, "Nothing is divided by √k here: the score is the match as it stands."};
      return {"Score, scaled", asks,
              "Divided by √k, the spread of the scores does not grow with the width of the vectors" +
                  std::string(inspected.config().attention_activation == AttentionActivation::relu
                                  ? "."
                                  : ", and softmax keeps a usable gradient.")};
    case ValueKind::masked_scores:
      return {"Score, after the mask", asks, meaning_of_mask(inspected, kind, pair)};
    default:
      return {scaled ? "Match before scaling" : "Match", asks,
              meaning_of_match(inspected, kind, name.layer, pair)};
  }
}

// Queries, keys, values, and what a head gathered.
ValueWords words_of_head_row(const InspectedCell& inspected, AttentionKind kind, const ValueName& name) {
  const std::vector<int> index = inspected.index();
  const bool source = kind == AttentionKind::encoder || (kind == AttentionKind::cross && of_keys(name.value));
  const std::string word = inspected.stack_word(source, index[1]);
  const std::string subject = "the " + std::string(word_of(name.value)) + " of " + bold(word);
  switch (name.value) {
    case ValueKind::query:
      return {"Query" + number(index[2]), subject,
              "The query is what " + quoted(word) + " is looking for in this head."};
    case ValueKind::key:
      return {"Key" + number(index[2]), subject,
              "The key is what " + quoted(word) + " can be found by in this head."};
    case ValueKind::value:
      return {"Value" + number(index[2]), subject,
              "The value is what " + quoted(word) + " hands over to whoever reads it in this head."};
    case ValueKind::rotated_query:
    case ValueKind::rotated_key: {
      const bool query = name.value == ValueKind::rotated_query;
      return {(query ? "Rotated query" : "Rotated key") + number(index[2]),
              "the " + std::string(query ? "query" : "key") + " of " + bold(word),
              "Queries and keys are turned as far as their position says, so a match depends on how far "
              "apart " +
                  quoted(word) + " and the other word stand, not on where (RoFormer, section 3.4.2)."};
    }
    default:
      return {"What the head gathered" + number(index[2]),
              "for " + bold(word) + ", " + head_words(name.layer, index[0]),
              "The values of all words, mixed by the attention weights of " + quoted(word) + "."};
  }
}

ValueWords words_in_attention(const InspectedCell& inspected, AttentionKind kind, const ValueName& name) {
  const std::vector<int> index = inspected.index();
  if (has_heads(name.value)) return words_of_head_row(inspected, kind, name);
  if (index.size() == 3) return words_of_pair(inspected, kind, name);
  const std::string subject = "for " + bold(inspected.stack_word(kind == AttentionKind::encoder, index[0]));
  if (name.value == ValueKind::concat)
    return {"Heads side by side", subject,
            "Each head owns " + std::to_string(inspected.config().head_width()) +
                " columns; side by side they are as wide as the model."};
  return {"Attention output" + number(index[1]), subject,
          "The output projection mixes what the heads gathered into one vector, which is added to the "
          "stream."};
}

// Where the what-ifs put the token of a row.
std::string position_words(const InspectedCell& inspected, const ValueName& name, int row) {
  const GivenPositions given = changed_positions(inspected.input().result.scene.what_if, name.encoder);
  return given.none ? "no position" : "position " + bold(std::to_string(given.at(row)));
}

ValueWords words_of_embedding(const InspectedCell& inspected, const ValueName& name, const std::string& word,
                              int row, int column) {
  const std::string same =
      "Every " + quoted(word) + " starts with the same numbers, whatever stands around it.";
  switch (name.value) {
    case ValueKind::lookup:
      return {"Looked up" + number(column), "for " + bold(word), same};
    case ValueKind::embedding:
      return {"Embedding" + number(column), "of " + bold(word), same};
    case ValueKind::positions:
      return {"Position" + number(column),
              position_words(inspected, name, row) + " of the " + (name.encoder ? "source" : "target"),
              "It tells the model where the word stands; attention alone does not see the order."};
    case ValueKind::sum:
      return {"Word and place" + number(column), "of " + bold(word),
              "Word and place in one vector, before " +
                  std::string(norm_traits(inspected.config().norm_kind).name) + "."};
    default:
      return {"Input" + number(column), "of " + bold(word),
              "Word and place in one vector: what the first layer reads."};
  }
}

ValueWords words_of_moment(const InspectedCell& inspected, const ValueName& name, const std::string& word) {
  const char* of = name.value == ValueKind::mean        ? "Mean"
                   : name.value == ValueKind::deviation ? "Deviation"
                                                        : "Root mean square";
  return {std::string(of) + " of the row", "for " + bold(word),
          "Taken over the " + std::to_string(inspected.config().d_model) +
              " numbers of one word, not over the sentence."};
}

std::string meaning_of_norm(const InspectedCell& inspected, const std::string& word) {
  return "The row of " + quoted(word) + " " + std::string(norm_traits(inspected.config().norm_kind).does) +
         ".";
}

std::string sublayer_words(const ValueName& name) {
  if (name.sublayer == 1) return "self-attention";
  return name.encoder || name.sublayer == 3 ? "feed-forward" : "cross-attention";
}

// Feed-forward, residual sums, LayerNorm, and what layers and stacks hand on.
ValueWords words_in_layer(const InspectedCell& inspected, const ValueName& name, const std::string& word,
                          int column) {
  const std::string subject = "for " + bold(word), unit = std::to_string(column);
  const bool gated = feed_forward_traits(inspected.config().feed_forward).gated;
  const std::string alone =
      std::string("The same ") + (gated ? "three" : "two") +
      " matrices work on every word alone; words do not meet in the feed-forward network.";
  switch (name.value) {
    case ValueKind::pre_activation:
      return {"Hidden unit " + unit + " before the activation", subject, alone};
    case ValueKind::gate:
      return {"Gate of hidden unit " + unit, subject,
              "Its swish is what the value of unit " + unit + " is multiplied by: about 0 for a gate far " +
                  "below 0, about the gate itself far above."};
    case ValueKind::gated_value:
      return {"Value of hidden unit " + unit, subject,
              "What unit " + unit + " would say of " + quoted(word) +
                  "; the swish of its gate says how much of it counts."};
    case ValueKind::hidden:
      if (gated)
        return {"Hidden unit " + unit, subject, "Its value, times the swish of its gate (Shazeer 2020)."};
      return {"Hidden unit " + unit, subject,
              "Unit " + unit + (inspected.value() == 0 ? " stays silent for " : " fires for ") +
                  quoted(word) + "."};
    case ValueKind::residual:
      return {"Residual sum" + number(column), subject + ", with " + sublayer_words(name),
              "The sublayer adds to what was there before; nothing is overwritten."};
    case ValueKind::normed:
      return {std::string(norm_traits(inspected.config().norm_kind).name) + number(column), subject,
              meaning_of_norm(inspected, word)};
    default:
      break;
  }
  const std::string layer = std::to_string(name.layer + 1);
  switch (name.block) {
    case BlockKind::feed_forward:
      return {"Feed-forward output" + number(column), subject, alone};
    case BlockKind::layer:
      return {"Layer " + layer + " output" + number(column), subject,
              "What layer " + layer + " hands on about " + quoted(word) + "."};
    default:
      break;
  }
  const std::string caption = (name.encoder ? "Memory" : "Decoder output") + number(column);
  if (inspected.config().final_norm) return {caption, subject, meaning_of_norm(inspected, word)};
  if (!name.encoder) return {caption, subject, {}};
  return {caption, subject,
          "What the encoder found out about " + quoted(word) + ", for the decoder to read."};
}

ValueWords words_of_prediction(const InspectedCell& inspected, const ValueName& name, int row, int id) {
  const std::string after = "after " + bold(inspected.target_word(row)),
                    right = bold(inspected.written_word(row)),
                    asked = the_asked_word(inspected.input(), inspected.sentence());
  if (name.value == ValueKind::token_loss)
    return {"Loss of one word", "given " + asked + " " + right,
            "The loss cannot fall below the entropy of the smoothed target; the rest is what learning "
            "removes."};
  const std::string token =
      quoted(word_of(inspected.input().tokenizers.target.get(), inspected.config(), id));
  switch (name.value) {
    case ValueKind::logits:
      return {"Logit of " + token, after,
              "How well " + token + " would fit as the next word, before softmax makes shares of it."};
    case ValueKind::log_probabilities:
      return {
          "Log-probability of " + token, after,
          "The model gives " + token + " " + share_words(std::exp(inspected.value())) + " as the next word."};
    default:
      return {"Target for " + token, asked + " is " + right,
              "Label smoothing leaves every word a small share: no word is asked for with certainty."};
  }
}

}  // namespace

ValueWords words_of_value(const InspectedCell& inspected, const ValueName& name) {
  if (const auto kind = attention_of(name)) return words_in_attention(inspected, *kind, name);
  const std::vector<int> index = inspected.index();
  const int row = index[0], column = index.size() > 1 ? index[1] : 0;
  const std::string word = inspected.stack_word(name.encoder, row);
  if (of_norm(name.value)) return words_of_moment(inspected, name, word);
  if (name.block == BlockKind::embedding) return words_of_embedding(inspected, name, word, row, column);
  if (name.block == BlockKind::output) return words_of_prediction(inspected, name, row, column);
  return words_in_layer(inspected, name, word, column);
}

std::string weight_subject(const InspectedCell& inspected, AttentionKind kind, int query, int key) {
  if (kind == AttentionKind::encoder)
    return bold(inspected.source_word(query)) + " reads " + bold(inspected.source_word(key));
  const std::string row = row_name(bold(inspected.target_word(query)), bold(inspected.written_word(query)));
  if (kind == AttentionKind::cross) return row + ", it reads " + bold(inspected.source_word(key));
  return row + (key > query ? ", it looks ahead at " : ", it looks back at ") +
         bold(inspected.target_word(key));
}

std::string weight_words(const InspectedCell& inspected, AttentionKind kind, int query, int key) {
  return inspected.stack_word(kind == AttentionKind::encoder, query) + " reads " +
         inspected.stack_word(kind != AttentionKind::decoder, key);
}

}  // namespace glassformer
