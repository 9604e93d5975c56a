// The operators of ONNX that models are written in, each with its rule of shapes.
#include <algorithm>
#include <charconv>

#include "engine/export/onnx_graph.h"

namespace glassformer {
namespace {

// What a shape has room for: the product of its numbers, and its names in order.
std::pair<long, std::vector<std::string>> room(const OnnxShape& shape) {
  std::pair<long, std::vector<std::string>> found{1, {}};
  for (const std::string& extent : shape) {
    for (std::size_t begin = 0; begin <= extent.size();) {
      const std::size_t end = std::min(extent.find('*', begin), extent.size());
      const std::string factor = extent.substr(begin, end - begin);
      long number = 0;
      if (std::from_chars(factor.data(), factor.data() + factor.size(), number).ptr ==
          factor.data() + factor.size())
        found.first *= number;
      else
        found.second.push_back(factor);
      begin = end + 1;
    }
  }
  std::ranges::sort(found.second);
  return found;
}

// The shape of two broadcast against each other, from the last extent on; false where they do not fit.
bool broadcast(const OnnxShape& a, const OnnxShape& b, OnnxShape& result) {
  result.assign(std::max(a.size(), b.size()), "1");
  const auto at = [&](const OnnxShape& shape, std::size_t from_end) {
    return from_end < shape.size() ? shape[shape.size() - 1 - from_end] : "1";
  };
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::string one = at(a, i), other = at(b, i);
    if (one != other && one != "1" && other != "1") return false;
    result[result.size() - 1 - i] = one == "1" ? other : one;
  }
  return true;
}

}  // namespace

OnnxId OnnxGraph::linear(OnnxId x, OnnxId weight, const OnnxId* bias) {
  std::vector<OnnxId> inputs = {x, weight};
  if (bias) inputs.push_back(*bias);
  const OnnxShape &rows = shape(x), &table = shape(weight);
  need(rows.size() == 2 && table.size() == 2 && rows[1] == table[1] &&
           (!bias || shape(*bias) == OnnxShape{table[0]}),
       "Gemm", inputs);
  return node("Gemm", inputs, OnnxType::float32, {rows[0], table[0]}, {{"transB", 1L}});
}

OnnxId OnnxGraph::gather(OnnxId table, OnnxId ids) {
  need(!shape(table).empty() && value(ids).type == OnnxType::int64, "Gather", {table, ids});
  OnnxShape result = shape(ids);
  result.insert(result.end(), shape(table).begin() + 1, shape(table).end());
  return node("Gather", {table, ids}, value(table).type, result);
}

OnnxId OnnxGraph::matmul(OnnxId a, OnnxId b) {
  const OnnxShape &left = shape(a), &right = shape(b);
  const std::size_t rank = left.size();
  need(rank >= 2 && right.size() == rank && left[rank - 1] == right[rank - 2] &&
           std::equal(left.begin(), left.end() - 2, right.begin()),
       "MatMul", {a, b});
  OnnxShape result = left;
  result.back() = right.back();
  return node("MatMul", {a, b}, OnnxType::float32, result);
}

OnnxId OnnxGraph::each(const std::string& kind, OnnxId x) {
  return node(kind, {x}, value(x).type, shape(x));
}

OnnxId OnnxGraph::both(const std::string& kind, OnnxId a, OnnxId b) {
  OnnxShape result;
  need(value(a).type == value(b).type && broadcast(shape(a), shape(b), result), kind, {a, b});
  return node(kind, {a, b}, value(a).type, result);
}

OnnxId OnnxGraph::compare(const std::string& kind, OnnxId a, OnnxId b) {
  OnnxShape result;
  need(value(a).type == value(b).type && broadcast(shape(a), shape(b), result), kind, {a, b});
  return node(kind, {a, b}, OnnxType::boolean, result);
}

OnnxId OnnxGraph::where(OnnxId condition, OnnxId then, OnnxId otherwise) {
  OnnxShape values, result;
  need(value(condition).type == OnnxType::boolean && value(then).type == value(otherwise).type &&
           broadcast(shape(then), shape(otherwise), values) && broadcast(shape(condition), values, result),
       "Where", {condition, then, otherwise});
  return node("Where", {condition, then, otherwise}, value(then).type, result);
}

OnnxId OnnxGraph::softmax(OnnxId x) {
  return node("Softmax", {x}, OnnxType::float32, shape(x), {{"axis", -1L}});
}

OnnxId OnnxGraph::row_means(OnnxId x) {
  need(!shape(x).empty(), "ReduceMean", {x});
  OnnxShape result = shape(x);
  result.back() = "1";
  return node("ReduceMean", {x}, OnnxType::float32, result, {{"axes", std::vector<long>{-1}}});
}

OnnxId OnnxGraph::cast(OnnxId x, OnnxType type) {
  return node("Cast", {x}, type, shape(x), {{"to", static_cast<long>(type)}});
}

OnnxId OnnxGraph::extent(OnnxId x, long axis) {
  need(axis >= 0 && axis < std::ssize(shape(x)), "Shape", {x});
  return node("Shape", {x}, OnnxType::int64, {"1"}, {{"start", axis}, {"end", axis + 1}});
}

OnnxId OnnxGraph::range(OnnxId first, OnnxId end, const std::string& extent) {
  const auto scalar = [&](OnnxId x) {
    need(value(x).type == OnnxType::int64 && shape(x) == OnnxShape{"1"}, "Squeeze", {x});
    return node("Squeeze", {x}, OnnxType::int64, {});
  };
  return node("Range", {scalar(first), scalar(end), whole(1)}, OnnxType::int64, {extent});
}

OnnxId OnnxGraph::unsqueeze(OnnxId x, const std::vector<long>& axes) {
  OnnxShape result = shape(x);
  for (const long axis : axes) {
    need(axis >= 0 && axis <= std::ssize(result), "Unsqueeze", {x});
    result.insert(result.begin() + axis, "1");
  }
  return node("Unsqueeze", {x, wholes(axes)}, value(x).type, result);
}

OnnxId OnnxGraph::reshape(OnnxId x, OnnxId to, const OnnxShape& result) {
  need(room(shape(x)) == room(result) && shape(to) == OnnxShape{std::to_string(result.size())}, "Reshape",
       {x, to});
  return node("Reshape", {x, to}, value(x).type, result);
}

OnnxId OnnxGraph::transpose(OnnxId x, const std::vector<long>& order) {
  std::vector<long> sorted = order;
  std::ranges::sort(sorted);
  need(order.size() == shape(x).size(), "Transpose", {x});
  OnnxShape result;
  for (std::size_t i = 0; i < order.size(); ++i) {
    need(sorted[i] == static_cast<long>(i), "Transpose", {x});
    result.push_back(shape(x)[static_cast<std::size_t>(order[i])]);
  }
  return node("Transpose", {x}, value(x).type, result, {{"perm", order}});
}

std::vector<OnnxId> OnnxGraph::split(OnnxId x, long axis, int parts) {
  need(axis >= 0 && axis < std::ssize(shape(x)), "Split", {x});
  OnnxShape part = shape(x);
  std::string& extent = part[static_cast<std::size_t>(axis)];
  const auto [numbers, names] = room({extent});
  need(names.empty() && numbers % parts == 0, "Split", {x});
  extent = std::to_string(numbers / parts);
  const std::string name = fresh_name("Split");
  OnnxNode split{name, "Split", {x}, {}, {{"axis", axis}}};
  for (int i = 0; i < parts; ++i)
    split.outputs.push_back(add_value({name + ":" + std::to_string(i), value(x).type, part}));
  nodes_.push_back(split);
  return split.outputs;
}

OnnxId OnnxGraph::concat(const std::vector<OnnxId>& parts, long axis, const std::string& extent) {
  const auto at = static_cast<std::size_t>(axis);
  OnnxShape result = shape(parts.front());
  need(axis >= 0 && at < result.size(), "Concat", parts);
  result[at] = extent;
  long sum = 0;  // of numbers alone
  bool named = false;
  for (const OnnxId part : parts) {
    OnnxShape like = shape(part);
    need(like.size() == result.size() && value(part).type == value(parts.front()).type, "Concat", parts);
    const auto [numbers, names] = room({like[at]});
    sum += numbers;
    named = named || !names.empty();
    like[at] = extent;
    need(like == result, "Concat", parts);
  }
  need(named == !room({extent}).second.empty() && (named || extent == std::to_string(sum)), "Concat", parts);
  return node("Concat", parts, value(parts.front()).type, result, {{"axis", axis}});
}

}  // namespace glassformer
