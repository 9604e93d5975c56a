// How a run learns, part by part: looks that a Trainer takes now and then and keeps with its curves.
//
// A look belongs to one step. Gradient and update are those of that step; heads and hidden units are those of
// the weights after it, reading the same few pairs each time, without dropout. Looking changes no number of
// the training.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/model/config.h"
#include "engine/model/names.h"

namespace glassformer {

class Trace;
template <class Scalar>
class Transformer;

// How one head spreads its attention: over the rows that may see two keys or more; NaN when there are none.
struct HeadLook {
  // Mean of -sum(p ln p) / ln(keys the row may see), p = w / sum(w): 1 reads all alike, 0 one word alone.
  float entropy = 0;
  // Share of the rows whose largest p is above 0.99. Rows that read nothing count in neither.
  float saturation = 0;
};

struct Look {
  long step = 0;
  std::vector<float> gradient_norms;  // of each part: L2, before clipping
  std::vector<float> update_ratios;   // of each part: |new - old| / |old|; NaN when it was all zeros
  std::vector<HeadLook> heads;        // of each attention, `heads` in a row
  // Of each feed-forward layer: the share of its units that are above 0 for no token. With ReLU such a unit
  // is dead: it passes nothing on and gets no gradient. With GELU and Swish it is only silent.
  std::vector<float> silent;
};

struct Diagnosis {
  std::vector<Look> looks;  // in step order
  long stride = 1;          // validations from one look to the next
};

// What the numbers of a look belong to, in its order.
struct DiagnosedPlaces {
  // "source embedding", "encoder layer 1", "output": a matrix that serves twice counts as an embedding, a
  // final norm as its stack's last layer.
  std::vector<std::string> parts;
  std::vector<ValueName> part_blocks;  // of each part: the embedding, the layer, the output
  std::vector<ValueName> attentions;   // "encoder.layers.0.self_attn"
  // "encoder.layers.0.feed_forward"; none of a gated one, whose units are as busy below 0 as above.
  std::vector<ValueName> feed_forwards;
};
DiagnosedPlaces diagnosed_places(const Config& config);
bool fits(const Diagnosis& diagnosis, const Config& config);
// Which part a tensor belongs to, by its name.
std::size_t part_of(const std::string& tensor, const Config& config);

// Heads and hidden units alone, over the real tokens of all sentences of a trace.
Look look_at(const Trace& trace, const Config& config);
// Of each part.
std::vector<float> part_norms(const Transformer<float>& gradient);
std::vector<float> update_ratios(const Transformer<float>& before, const Transformer<float>& after);

// Steps 1, 2, 4, 8, ... and those at which validation takes place, as often as the stride says.
bool wants_look(const Diagnosis& diagnosis, long step, long validate_every);
// Beyond 400 looks, every other validation's goes.
void add_look(Diagnosis& diagnosis, Look look, long validate_every);

// A column for each kind of number, in it a row for each look; a float comes back as the same float.
nlohmann::json to_json(const Diagnosis& diagnosis);
// Throws Error on what no Trainer can have found: columns of unequal length, steps out of order, shares
// outside 0 to 1.
Diagnosis diagnosis_from_json(const nlohmann::json& json, const std::string& where = "training.json");

}  // namespace glassformer
