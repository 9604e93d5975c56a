// Graphs as ONNX files: opset 17, IR version 8, in protobuf's wire format.
//
// Of protobuf no more is needed than these few lines, and its library cannot be in this program: Debian's
// sentencepiece brings symbols of an older one under the same names. libonnx checks the files in the tests.
#pragma once

#include <string>

#include "engine/export/onnx_graph.h"

namespace glassformer {

// The bytes of a .onnx file.
std::string onnx_bytes(const OnnxGraph& graph);

}  // namespace glassformer
