#include "engine/export/onnx_graph.h"

#include <algorithm>
#include <cstring>

#include "engine/math/error.h"

namespace glassformer {
namespace {

template <class Number>
std::string bytes_of(const Number* numbers, std::size_t count) {
  std::string bytes(count * sizeof(Number), '\0');
  if (count > 0) std::memcpy(bytes.data(), numbers, bytes.size());
  return bytes;
}

std::string in_words(const OnnxShape& shape) {
  std::string words;
  for (const std::string& extent : shape) words += (words.empty() ? "" : " x ") + extent;
  return shape.empty() ? "a scalar" : words;
}

}  // namespace

OnnxId OnnxGraph::add_value(OnnxValue value) {
  values_.push_back(std::move(value));
  return values_.size() - 1;
}

// "encoder.layers.0.norm1/Mul", the second time "encoder.layers.0.norm1/Mul_2".
std::string OnnxGraph::fresh_name(const std::string& kind) {
  const std::string name = (scope_.empty() ? name_ : scope_) + "/" + kind;
  const int count = ++names_[name];
  return count == 1 ? name : name + "_" + std::to_string(count);
}

OnnxId OnnxGraph::input(const std::string& name, OnnxType type, OnnxShape shape) {
  inputs_.push_back(add_value({name, type, std::move(shape)}));
  return inputs_.back();
}

void OnnxGraph::output(const std::string& name, OnnxId value) {
  values_.at(value).name = name;
  outputs_.push_back(value);
}

OnnxId OnnxGraph::constant(OnnxValue value) {
  const auto [found, added] = constants_.try_emplace(value.name, values_.size());
  if (added) add_value(std::move(value));
  return found->second;
}

OnnxId OnnxGraph::weight(const std::string& name, const OnnxShape& shape, const float* numbers) {
  std::size_t count = 1;
  for (const std::string& extent : shape) count *= std::stoul(extent);
  if (!constants_.contains(name)) return constant({name, OnnxType::float32, shape, bytes_of(numbers, count)});
  const OnnxId known = constants_.at(name);
  if (this->shape(known) != shape)
    throw Error(name, "is " + in_words(this->shape(known)) + ", not " + in_words(shape));
  return known;
}

OnnxId OnnxGraph::number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "number:%.9g", static_cast<double>(value));
  return constant({text, OnnxType::float32, {}, bytes_of(&value, 1)});
}

OnnxId OnnxGraph::whole(long value) {
  return constant({"whole:" + std::to_string(value), OnnxType::int64, {}, bytes_of(&value, 1)});
}

OnnxId OnnxGraph::wholes(const std::vector<long>& values) {
  std::string name = "wholes:";
  for (const long value : values) name += std::to_string(value) + ",";
  return constant(
      {name, OnnxType::int64, {std::to_string(values.size())}, bytes_of(values.data(), values.size())});
}

OnnxId OnnxGraph::node(const std::string& kind, const std::vector<OnnxId>& inputs, OnnxType type,
                       OnnxShape result, std::vector<OnnxAttribute> attributes) {
  const std::string name = fresh_name(kind);
  const OnnxId out = add_value({name, type, std::move(result)});
  nodes_.push_back({name, kind, inputs, {out}, std::move(attributes)});
  return out;
}

void OnnxGraph::refuse(const std::string& kind, const std::vector<OnnxId>& inputs) const {
  std::string shapes;
  for (const OnnxId id : inputs)
    shapes += (shapes.empty() ? "" : ", ") + value(id).name + " (" + in_words(shape(id)) + ")";
  throw Error((scope_.empty() ? name_ : scope_) + "/" + kind, "these do not fit together: " + shapes);
}

}  // namespace glassformer
