// Models as ONNX graphs. What the numbers are, onnx_command_test.sh has onnxruntime compute.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "engine/export/onnx_file.h"
#include "engine/export/onnx_model.h"
#include "tests/random_models.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

namespace glassformer {
namespace {

std::vector<OnnxGraph> graphs_of(const Config& config) {
  const Transformer<float> model = random_model<float>(config, 5);
  std::vector<OnnxGraph> graphs;
  graphs.push_back(onnx_encoder(model, true));
  graphs.push_back(onnx_decoder(model, true));
  return graphs;
}

OnnxShape shape_of(const OnnxGraph& graph, const std::string& name) {
  for (const OnnxId output : graph.outputs())
    if (graph.value(output).name == name) return graph.value(output).shape;
  return {"no such output"};
}

}  // namespace

TEST_CASE("ONNX: nodes stand behind what they read, and no name comes twice") {
  for (const NamedConfig& kind : varied_configs()) {
    for (const OnnxGraph& graph : graphs_of(kind.config)) {
      INFO(kind.name << ", " << graph.name());
      std::set<OnnxId> known(graph.inputs().begin(), graph.inputs().end()), read;
      for (OnnxId id = 0; id < graph.values().size(); ++id)
        if (!graph.value(id).data.empty()) known.insert(id);
      for (const OnnxNode& node : graph.nodes()) {
        for (const OnnxId input : node.inputs) CHECK(known.contains(input));
        known.insert(node.outputs.begin(), node.outputs.end());
        read.insert(node.inputs.begin(), node.inputs.end());
      }
      std::set<std::string> values, nodes;
      for (const OnnxValue& value : graph.values()) CHECK(values.insert(value.name).second);
      for (const OnnxNode& node : graph.nodes()) CHECK(nodes.insert(node.name).second);

      // And nothing is there for nothing.
      read.insert(graph.outputs().begin(), graph.outputs().end());
      for (OnnxId id = 0; id < graph.values().size(); ++id) {
        INFO(graph.value(id).name);
        CHECK(read.contains(id));
      }
    }
  }
}

TEST_CASE("ONNX: outputs have the shapes that the header promises") {
  const auto graphs = graphs_of(small_config());  // d 12, 3 heads, 13 target words
  CHECK(shape_of(graphs[0], "memory") == OnnxShape{"sentences", "words", "12"});
  CHECK(shape_of(graphs[0], "cross_value.1") == OnnxShape{"sentences", "3", "words", "4"});
  CHECK(shape_of(graphs[0], "encoder.layers.1.self_attn.weights") ==
        OnnxShape{"sentences", "3", "words", "words"});
  CHECK(shape_of(graphs[1], "logits") == OnnxShape{"sentences", "steps", "13"});
  CHECK(shape_of(graphs[1], "present_key.0") == OnnxShape{"sentences", "3", "so_far", "4"});
  CHECK(shape_of(graphs[1], "decoder.layers.0.self_attn.weights") ==
        OnnxShape{"sentences", "3", "steps", "so_far"});
  CHECK(shape_of(graphs[1], "decoder.layers.1.cross_attn.weights") ==
        OnnxShape{"sentences", "3", "steps", "words"});
  const Transformer<float> model = random_model<float>(small_config(), 5);
  CHECK(shape_of(onnx_decoder(model, false), "decoder.layers.0.self_attn.weights") ==
        OnnxShape{"no such output"});
}

TEST_CASE("ONNX: a tied table is stored once in a file") {
  Config config = small_config();
  config.source_vocab = config.target_vocab = 5000;
  const std::size_t table = 4 * 5000 * 12;
  for (const Sharing sharing : {Sharing::none, Sharing::output, Sharing::all}) {
    config.sharing = sharing;
    const auto graphs = graphs_of(config);
    CHECK(onnx_bytes(graphs[0]).size() / table == 1);
    CHECK(onnx_bytes(graphs[1]).size() / table == (sharing == Sharing::none ? 2 : 1));
  }
}

TEST_CASE("ONNX: what does not fit together is refused with its shapes") {
  using testing::refusal;
  OnnxGraph graph("graph");
  const std::vector<float> numbers(12);
  const OnnxId x = graph.input("x", OnnxType::float32, {"words", "3"});
  const OnnxId ids = graph.input("ids", OnnxType::int64, {"words"});
  const OnnxId weight = graph.weight("weight", {"3", "4"}, numbers.data());
  graph.enter("block");
  CHECK(refusal([&] { graph.linear(x, weight, nullptr); }) ==
        "block/Gemm: these do not fit together: x (words x 3), weight (3 x 4)");
  CHECK(graph.value(graph.matmul(x, weight)).shape == OnnxShape{"words", "4"});
  CHECK(refusal([&] { graph.matmul(weight, x); }) != "no error");
  CHECK(refusal([&] { graph.both("Add", x, weight); }) != "no error");
  CHECK(refusal([&] { graph.both("Add", ids, graph.number(1)); }) != "no error");  // types
  CHECK(refusal([&] { graph.gather(weight, x); }) != "no error");
  CHECK(refusal([&] { graph.reshape(x, graph.wholes({-1, 4}), {"words", "4"}); }) != "no error");
  CHECK(refusal([&] { graph.reshape(x, graph.wholes({-1}), {"words", "3"}); }) != "no error");
  CHECK(refusal([&] { graph.transpose(x, {0, 0}); }) != "no error");
  CHECK(refusal([&] { graph.split(x, 1, 2); }) != "no error");
  CHECK(refusal([&] { graph.concat({x, weight}, 0, "more"); }) != "no error");
  CHECK(refusal([&] { graph.concat({x, x}, 1, "5"); }) != "no error");
  CHECK(refusal([&] {
          graph.weight("weight", {"4", "3"}, numbers.data());
        }) == "weight: is 3 x 4, not 4 x 3");
}

TEST_CASE("ONNX: settings say what drives it, and weights that no file holds are refused") {
  Config config = small_config();
  config.start_id = 0;
  config.forbidden_ids = {0, 1};
  const nlohmann::json settings = onnx_settings(config, true);
  CHECK(settings["start_id"] == 0);
  CHECK(settings["forbidden_ids"] == nlohmann::json{0, 1});
  CHECK(settings["head_width"] == 4);
  CHECK(settings["attention"] == true);
  CHECK(testing::refusal([&] { check_onnx_size(config); }) == "no error");
  config.target_vocab = 100'000'000;
  CHECK(testing::refusal([&] { check_onnx_size(config); }).starts_with("ONNX: the weights are 10"));
}

#ifdef TEST_ONNX_CHECK
TEST_CASE("ONNX: libonnx's checker and its shape inference pass every kind of model") {
  const ScratchFolder scratch;
  for (const NamedConfig& kind : varied_configs()) {
    std::string command = std::string("'") + TEST_ONNX_CHECK + "'";
    for (const OnnxGraph& graph : graphs_of(kind.config))
      command += " '" + scratch.write(graph.name() + ".onnx", onnx_bytes(graph)) + "'";
    INFO(kind.name);
    CHECK(std::system(command.c_str()) == 0);
  }
}
#endif

}  // namespace glassformer
