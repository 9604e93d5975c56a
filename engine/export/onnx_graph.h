// A graph of ONNX operators in the making (opset 17). Each value knows its type and shape, and each operator
// checks what it is given: runtimes notice a wrong declared shape late or never.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace glassformer {

enum class OnnxType { float32 = 1, int64 = 7, boolean = 9 };  // as ONNX numbers them

// Each extent a number ("64"), a name for what depends on the sentence ("words"), or a product
// ("sentences*words").
using OnnxShape = std::vector<std::string>;

struct OnnxValue {
  std::string name;
  OnnxType type = OnnxType::float32;
  OnnxShape shape;
  std::string data = {};  // of a weight or a constant: its numbers, little-endian
};

struct OnnxAttribute {
  std::string name;
  std::variant<long, float, std::vector<long>> value;
};

using OnnxId = std::size_t;  // of a value in its graph

struct OnnxNode {
  std::string name, kind;  // kind: ONNX's name of the operator
  std::vector<OnnxId> inputs, outputs;
  std::vector<OnnxAttribute> attributes;
};

// All operators throw Error, naming the node and the shapes, where what they are given does not fit.
class OnnxGraph {
 public:
  explicit OnnxGraph(std::string name) : name_(std::move(name)) {}

  // What nodes are named after from now on: "encoder.layers.0.self_attn".
  void enter(std::string scope) { scope_ = std::move(scope); }
  const std::string& scope() const { return scope_; }

  OnnxId input(const std::string& name, OnnxType type, OnnxShape shape);
  void output(const std::string& name, OnnxId value);  // which is called so from now on

  // Stored once, however often a name is asked for.
  OnnxId weight(const std::string& name, const OnnxShape& shape, const float* numbers);
  OnnxId number(float value);                      // a scalar
  OnnxId whole(long value);                        // a scalar
  OnnxId wholes(const std::vector<long>& values);  // (n)

  // x (n, a), weight (b, a), bias (b) where there is one -> (n, b). The weight is stored as it is in a
  // checkpoint, so that a table of embeddings can serve as projection too.
  OnnxId linear(OnnxId x, OnnxId weight, const OnnxId* bias);
  OnnxId gather(OnnxId table, OnnxId ids);                      // (n, d), (..) -> (.., d)
  OnnxId matmul(OnnxId a, OnnxId b);                            // (.., m, k), (.., k, n) -> (.., m, n)
  OnnxId each(const std::string& kind, OnnxId x);               // Relu, Exp, Sqrt ..
  OnnxId both(const std::string& kind, OnnxId a, OnnxId b);     // Add, Mul .. of shapes that fit
  OnnxId compare(const std::string& kind, OnnxId a, OnnxId b);  // Less ..
  OnnxId where(OnnxId condition, OnnxId then, OnnxId otherwise);
  OnnxId softmax(OnnxId x);
  OnnxId row_means(OnnxId x);  // (.., d) -> (.., 1)
  OnnxId cast(OnnxId x, OnnxType type);

  OnnxId extent(OnnxId x, long axis);                                 // (1)
  OnnxId range(OnnxId first, OnnxId end, const std::string& extent);  // of (1) each -> first .. end - 1
  OnnxId unsqueeze(OnnxId x, const std::vector<long>& axes);
  OnnxId reshape(OnnxId x, OnnxId to, const OnnxShape& shape);  // to: its extents, one of them -1 or none
  OnnxId transpose(OnnxId x, const std::vector<long>& order);
  std::vector<OnnxId> split(OnnxId x, long axis, int parts);  // into equal ones
  OnnxId concat(const std::vector<OnnxId>& parts, long axis,
                const std::string& extent);  // what they add up to

  const std::string& name() const { return name_; }
  const OnnxValue& value(OnnxId id) const { return values_.at(id); }
  const std::vector<OnnxValue>& values() const { return values_; }
  const std::vector<OnnxNode>& nodes() const { return nodes_; }  // each behind those whose values it reads
  const std::vector<OnnxId>& inputs() const { return inputs_; }
  const std::vector<OnnxId>& outputs() const { return outputs_; }

 private:
  OnnxId add_value(OnnxValue value);
  OnnxId constant(OnnxValue value);
  std::string fresh_name(const std::string& kind);
  const OnnxShape& shape(OnnxId id) const { return values_.at(id).shape; }
  OnnxId node(const std::string& kind, const std::vector<OnnxId>& inputs, OnnxType type, OnnxShape result,
              std::vector<OnnxAttribute> attributes = {});
  [[noreturn]] void refuse(const std::string& kind, const std::vector<OnnxId>& inputs) const;
  void need(bool fits, const std::string& kind, const std::vector<OnnxId>& inputs) const {
    if (!fits) refuse(kind, inputs);
  }

  std::string name_, scope_;
  std::vector<OnnxValue> values_;
  std::vector<OnnxNode> nodes_;
  std::vector<OnnxId> inputs_, outputs_;
  std::map<std::string, OnnxId> constants_;  // by name
  std::map<std::string, int> names_;         // how often each was wanted
};

}  // namespace glassformer
