#include "engine/export/onnx_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace glassformer {
namespace {

constexpr long kOpset = 17, kIrVersion = 8;

// A message of protobuf: fields one after another, each a key (number and kind) and what belongs to it.
class Message {
 public:
  void whole(int field, long value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
  }
  void real(int field, float value) {
    key(field, 5);
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(bits >> shift & 0xff);
  }
  void text(int field, std::string_view bytes) {
    key(field, 2);
    varint(bytes.size());
    bytes_ += bytes;
  }
  void message(int field, const Message& inner) { text(field, inner.bytes_); }

  std::string bytes() && { return std::move(bytes_); }

 private:
  void key(int field, int kind) { varint(static_cast<std::uint64_t>(field * 8 + kind)); }
  void varint(std::uint64_t value) {  // seven bits a byte, the lowest first
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// The numbers of fields, from onnx.proto.
namespace model_field {
constexpr int kIrVersion = 1, kProducer = 2, kProducerVersion = 3, kGraph = 7, kOpsets = 8;
}
namespace opset_field {
constexpr int kDomain = 1, kVersion = 2;
}
namespace graph_field {
constexpr int kNodes = 1, kName = 2, kConstants = 5, kInputs = 11, kOutputs = 12, kBetween = 13;
}
namespace node_field {
constexpr int kInputs = 1, kOutputs = 2, kName = 3, kOperator = 4, kAttributes = 5;
}
namespace attribute_field {
constexpr int kName = 1, kReal = 2, kWhole = 3, kWholes = 8, kKind = 20;
constexpr long kIsReal = 1, kIsWhole = 2, kIsWholes = 7;
}  // namespace attribute_field
namespace tensor_field {
constexpr int kExtents = 1, kType = 2, kName = 8, kRawData = 9;
}
namespace value_field {
constexpr int kName = 1, kType = 2, kTensor = 1, kElement = 1, kShape = 2;
constexpr int kExtents = 1, kExtent = 1, kExtentName = 2;
}  // namespace value_field

Message typed(const OnnxValue& value) {
  using namespace value_field;
  Message shape, tensor, type, all;
  for (const std::string& extent : value.shape) {
    Message one;
    long number = 0;
    const char* const end = extent.data() + extent.size();
    if (std::from_chars(extent.data(), end, number).ptr == end)
      one.whole(kExtent, number);
    else if (extent.find('*') == std::string::npos)
      one.text(kExtentName, extent);  // a product is left open: names are identifiers
    shape.message(kExtents, one);
  }
  tensor.whole(kElement, static_cast<long>(value.type));
  tensor.message(kShape, shape);
  type.message(kTensor, tensor);
  all.text(kName, value.name);
  all.message(kType, type);
  return all;
}

Message constant(const OnnxValue& value) {
  using namespace tensor_field;
  Message tensor;
  for (const std::string& extent : value.shape) tensor.whole(kExtents, std::stol(extent));
  tensor.whole(kType, static_cast<long>(value.type));
  tensor.text(kName, value.name);
  tensor.text(kRawData, value.data);
  return tensor;
}

Message written(const OnnxAttribute& attribute) {
  using namespace attribute_field;
  Message all;
  all.text(kName, attribute.name);
  if (const long* const whole = std::get_if<long>(&attribute.value)) {
    all.whole(kWhole, *whole);
    all.whole(kKind, kIsWhole);
  } else if (const float* const real = std::get_if<float>(&attribute.value)) {
    all.real(kReal, *real);
    all.whole(kKind, kIsReal);
  } else {
    for (const long each : std::get<std::vector<long>>(attribute.value)) all.whole(kWholes, each);
    all.whole(kKind, kIsWholes);
  }
  return all;
}

Message written(const OnnxGraph& graph, const OnnxNode& node) {
  using namespace node_field;
  Message all;
  for (const OnnxId input : node.inputs) all.text(kInputs, graph.value(input).name);
  for (const OnnxId output : node.outputs) all.text(kOutputs, graph.value(output).name);
  all.text(kName, node.name);
  all.text(kOperator, node.kind);
  for (const OnnxAttribute& attribute : node.attributes) all.message(kAttributes, written(attribute));
  return all;
}

// Types of all that is in between, too: checkers compare them with what they find.
Message written(const OnnxGraph& graph) {
  using namespace graph_field;
  Message all;
  for (const OnnxNode& node : graph.nodes()) all.message(kNodes, written(graph, node));
  all.text(kName, graph.name());
  for (const OnnxValue& value : graph.values())
    if (!value.data.empty()) all.message(kConstants, constant(value));
  for (const OnnxId input : graph.inputs()) all.message(kInputs, typed(graph.value(input)));
  for (const OnnxId output : graph.outputs()) all.message(kOutputs, typed(graph.value(output)));
  for (const OnnxNode& node : graph.nodes())
    for (const OnnxId output : node.outputs)
      if (std::ranges::find(graph.outputs(), output) == graph.outputs().end())
        all.message(kBetween, typed(graph.value(output)));
  return all;
}

}  // namespace

std::string onnx_bytes(const OnnxGraph& graph) {
  using namespace model_field;
  Message opset, model;
  opset.text(opset_field::kDomain, "");
  opset.whole(opset_field::kVersion, kOpset);
  model.whole(model_field::kIrVersion, glassformer::kIrVersion);
  model.text(kProducer, "glassformer");
  model.text(kProducerVersion, GLASSFORMER_VERSION);
  model.message(kGraph, written(graph));
  model.message(kOpsets, opset);
  return std::move(model).bytes();
}

}  // namespace glassformer
