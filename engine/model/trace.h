// Every intermediate value of a forward pass, by the names of the model specification.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/what_if/what_if.h"
#include "engine/model/what_if/what_if_tap.h"

namespace glassformer {

template <class Scalar>
class Transformer;

// A row-major block of numbers, the last index running fastest.
struct Tensor {
  std::vector<int> shape;  // e.g. (B, H, L_q, L_k)
  std::vector<float> values;

  int rank() const { return static_cast<int>(shape.size()); }
  int rows() const { return rank() < 2 ? 1 : shape[shape.size() - 2]; }  // of the last two axes
  int columns() const { return shape.empty() ? 0 : shape.back(); }
  float at(std::span<const int> index) const;  // index has one entry per axis; throws Error outside
};

// The last two axes of a tensor at fixed leading indices: what a heatmap draws. Valid while the tensor lives.
struct Plane {
  const float* data = nullptr;
  int rows = 0;
  int columns = 0;
  float operator()(int row, int column) const {
    return data[static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column)];
  }
};

// One forward pass over a batch of sentences (a Scene's own sentence is number 0). Shapes are padded to the
// longest sentence; `source` and `target_in` say which rows are real.
class Trace {
 public:
  const Tensor* find(std::string_view name) const;  // null when the pass has no such value
  const Tensor& at(std::string_view name) const;    // throws Error naming the missing value
  Plane plane(std::string_view name, int sentence = 0,
              int head = 0) const;  // (B, L, n), (B, H, L, n) or (L, n)

  std::map<std::string, Tensor, std::less<>> tensors;    // name -> values, as in the model specification
  std::map<std::string, Tensor, std::less<>> gradients;  // name -> d loss / d value; empty unless asked for
  std::vector<std::vector<int>> source;                  // B rows of ids, eos included, unpadded
  std::vector<std::vector<int>> target_in;               // B rows of ids, bos first
  std::vector<std::vector<int>> target_out;              // B rows of ids, eos last
  // d loss / d parameter, by the parameters' names; null unless asked for.
  std::shared_ptr<const Transformer<float>> parameter_gradients;
  double loss = 0, nll = 0, kl = 0;   // means over the real target tokens, given the right words
  double token_accuracy = 0;          // from 0 to 1
  std::vector<double> sentence_loss;  // B means, each over the sentence's own target tokens
};

// Sentences to trace, as bare ids: bos, eos and the source's eos are added as the model wants them.
struct TraceInput {
  std::vector<std::vector<int>> sources;
  std::vector<std::vector<int>> targets;  // as many
};

struct TraceOptions {
  double smoothing = 0.1;
  WhatIf what_if;
  Substitutes substitutes;
  bool gradients = false;            // also run backward and keep the gradient of every value
  bool parameter_gradients = false;  // and, with these, those of the parameters: as large as the model
  bool pad = false;  // fill up with pad tokens to the longest sentence: rows that masks hide (the Masks view)
};

// Runs the model on the sentences and keeps everything. Uses no shared state: safe on any thread. Throws
// Error on an id outside the vocabulary and on a sentence that is too long.
Trace record_trace(const Transformer<float>& model, const TraceInput& input,
                   const TraceOptions& options = {});

}  // namespace glassformer
