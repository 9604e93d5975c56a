// onnx_check FILE...: libonnx's checker and its strict shape inference, of files of ours. A program of its
// own, since libprotobuf and Debian's sentencepiece cannot be in one. Ends with status 1 where a file is
// refused.
#define ONNX_NAMESPACE onnx
#define ONNX_ML 1
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <fstream>
#include <iostream>
#include <stdexcept>

namespace {

void check(const char* path) {
  onnx::ModelProto model;
  std::ifstream file(path, std::ios::binary);
  if (!model.ParseFromIstream(&file)) throw std::runtime_error("is no ONNX file");
  onnx::checker::check_model(model);
  // Types, shapes and what is known of extents, against those that the file declares.
  onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                     onnx::ShapeInferenceOptions{true, 1, true});
}

}  // namespace

int main(int count, char** paths) {
  int status = 0;
  for (int i = 1; i < count; ++i) {
    try {
      check(paths[i]);
    } catch (const std::exception& error) {
      std::cerr << paths[i] << ": " << error.what() << "\n";
      status = 1;
    }
  }
  return status;
}
