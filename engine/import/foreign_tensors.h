// The tensors of a file that another program wrote: PyTorch's, NumPy's, or safetensors. They are known by
// name and shape; their numbers are read when they are asked for.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct ForeignTensor {
  std::string name;                          // as the file has it
  std::string file;                          // that it lies in
  std::string type;                          // of its numbers, as safetensors writes it: "F32", "BF16", "I64"
  std::vector<long> shape;                   // outermost first
  std::function<std::vector<float>()> read;  // of a type of floats; numbers() asks first

  bool holds_floats() const { return type == "F32" || type == "F16" || type == "BF16" || type == "F64"; }
  // In the order of the shape. Throws Error: also for numbers that are no floats.
  std::vector<float> numbers() const;
};

struct ForeignTensors {
  std::string where;                                          // the file or folder
  std::map<std::string, ForeignTensor, std::less<>> tensors;  // by the name without `prefix`
  std::string prefix;                                         // that all names had in common: "module."
  std::vector<std::string> others;                            // beside the state dict: "epoch", "optimizer"
  std::string settings;                                       // text in the file: Marian's special:model.yml
  int files = 1;
};

// Takes off "module.", "_orig_mod.", "model." and "net." as long as all names begin with one of them.
void take_prefixes_off(ForeignTensors& found);

// A state dict as torch.save writes it: a zip archive, or the five pickles in a row of PyTorch before 1.6.
// Nothing in the file is run (pickle.h). Throws Error.
ForeignTensors read_torch_file(const std::string& path);
// Marian's archive of NumPy arrays; objects are refused. Throws Error.
ForeignTensors read_npz_file(const std::string& path);
ForeignTensors read_safetensors_file(const std::string& path);
// Of the index that says which file of its folder holds which tensor. Throws Error naming a file that is
// missing, or that lies elsewhere.
ForeignTensors read_sharded_safetensors(const std::string& index);

// By content, whatever the file is called. Throws Error in one sentence: what it is, when it is known.
ForeignTensors read_foreign_file(const std::string& path);

// "2 x 3"; "a number" for none.
std::string shape_text(const std::vector<long>& shape);

}  // namespace glassformer
