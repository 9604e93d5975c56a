// The names of Python that a state dict may ask for, compared whole: dots lead nowhere.
#pragma once

#include <string_view>

namespace glassformer {

constexpr std::string_view kOrderedDictionary = "collections.OrderedDict";
constexpr std::string_view kUntypedStorage = "torch.storage.UntypedStorage";  // its tensors say their format

// The format of the numbers, as safetensors calls it: "torch.FloatStorage" is of "F32", "torch.float16" is
// "F16". Empty for anything else.
std::string_view storage_format(std::string_view name);
std::string_view dtype_format(std::string_view name);

bool makes_tensors(std::string_view name);  // "torch._utils._rebuild_tensor_v2" and its like
bool is_known_name(std::string_view name);  // these, and what is read and kept as nothing ("torch.Size")

}  // namespace glassformer
