// The tap: the one hook for everything that looks into a pass or reaches in.
//
// At each named value of the model specification the forward and the backward pass call the tap, which may
// read the value or change it. Recording a trace, recording gradients, muting a head, editing a row of
// attention, nudging one number for a finite difference: all are taps. The tap is a template argument of the
// passes. With NoTap the calls compile to nothing, so that training pays nothing; everything else is a Tap,
// of which there is one compiled copy.
#pragma once

#include <string>

#include "engine/math/matrix.h"

namespace glassformer {

enum class Side { source, target };

enum class TapShape {
  rows,       // (rows, n): tokens of one or more sentences
  per_row,    // (rows, 1): one number a token
  heads,      // (rows, H * k): head h owns columns h*k .. h*k+k-1
  attention,  // (L_q, L_k): one sentence, one head
  table,      // (L, n): the same for every sentence
};

// Which value is passing.
struct TapPoint {
  std::string name;       // as in the model specification: "encoder.layers.0.self_attn.weights"
  bool gradient = false;  // the value is d loss / d <name>
  TapShape shape = TapShape::rows;
  Side side = Side::source;  // whose tokens the rows are (attention: the queries)
  int first_row = 0;         // of the packed batch; rows, per_row, heads
  int heads = 1;             // H, of the shapes heads and attention
  int sentence = 0;          // attention
  int first_query = 0;       // attention: the place of the first row, of a decoder that writes word by word
  int head = 0;              // attention
  Side key_side = Side::source;  // attention: whose tokens the columns are
};

template <class Scalar>
class Tap {
 public:
  static constexpr bool kActive = true;
  virtual ~Tap() = default;
  // `value` is the pass's own memory: what is written here is what the pass continues with. (A few values are
  // copies made for looking at, "smoothed_target" for one; changing those changes nothing.)
  virtual void operator()(const TapPoint& point, MatrixRef<Scalar> value) = 0;
};

struct NoTap {
  static constexpr bool kActive = false;
};

// A tap together with the name of the block that is being computed; what the layers call.
template <class T>
struct Probe {
  T& tap;
  bool gradient = false;
  Side side = Side::source;
  int first_row = 0;
  std::string block;  // "encoder.layers.0.self_attn", no dot at the end; empty: the whole model
  int first_query = 0;

  Probe inside(const std::string& part) const {
    return {tap, gradient, side, first_row, block.empty() ? part : block + "." + part, first_query};
  }
  Probe inside(const char* part, std::size_t index) const {
    return inside(std::string(part) + "." + std::to_string(index));
  }
  template <class Value>
  void rows(const char* value, Value&& matrix) const {
    tap(point(value, TapShape::rows), matrix);
  }
  template <class Value>
  void per_row(const char* value, Value&& matrix) const {
    tap(point(value, TapShape::per_row), matrix);
  }
  template <class Value>
  void table(const char* value, Value&& matrix) const {
    tap(point(value, TapShape::table), matrix);
  }
  template <class Value>
  void heads(const char* value, Value&& matrix, int heads) const {
    TapPoint at = point(value, TapShape::heads);
    at.heads = heads;
    tap(at, matrix);
  }
  template <class Value>
  void attention(const char* value, Value&& matrix, int heads, int sentence, int head, Side key_side) const {
    TapPoint at = point(value, TapShape::attention);
    at.heads = heads;
    at.sentence = sentence;
    at.head = head;
    at.key_side = key_side;
    tap(at, matrix);
  }

 private:
  TapPoint point(const char* value, TapShape shape) const {
    TapPoint at;
    at.name = block.empty() ? value : block + "." + value;
    at.gradient = gradient;
    at.shape = shape;
    at.side = side;
    at.first_row = first_row;
    at.first_query = first_query;
    return at;
  }
};

// Nobody looks: every call compiles to nothing.
template <>
struct Probe<NoTap> {
  NoTap& tap;
  bool gradient = false;
  Side side = Side::source;
  int first_row = 0;
  const char* block = "";

  Probe inside(const char*) const { return *this; }
  Probe inside(const char*, std::size_t) const { return *this; }
  template <class... Arguments>
  void rows(Arguments&&...) const {}
  template <class... Arguments>
  void per_row(Arguments&&...) const {}
  template <class... Arguments>
  void table(Arguments&&...) const {}
  template <class... Arguments>
  void heads(Arguments&&...) const {}
  template <class... Arguments>
  void attention(Arguments&&...) const {}
};

}  // namespace glassformer
