#include "engine/import/pickle_names.h"

#include <algorithm>
#include <array>

namespace glassformer {

namespace {

struct NamedType {
  std::string_view name, type;
};
// What PyTorch calls a storage (Storage left out) or a dtype, and the format of its numbers.
constexpr auto kStorages = std::to_array<NamedType>({{"Float", "F32"},
                                                     {"Half", "F16"},
                                                     {"BFloat16", "BF16"},
                                                     {"Double", "F64"},
                                                     {"Long", "I64"},
                                                     {"Int", "I32"},
                                                     {"Short", "I16"},
                                                     {"Char", "I8"},
                                                     {"Byte", "U8"},
                                                     {"Bool", "BOOL"}});
constexpr auto kDtypes = std::to_array<NamedType>({{"torch.float32", "F32"},
                                                   {"torch.float", "F32"},
                                                   {"torch.float16", "F16"},
                                                   {"torch.half", "F16"},
                                                   {"torch.bfloat16", "BF16"},
                                                   {"torch.float64", "F64"},
                                                   {"torch.double", "F64"},
                                                   {"torch.int64", "I64"},
                                                   {"torch.int32", "I32"},
                                                   {"torch.int16", "I16"},
                                                   {"torch.int8", "I8"},
                                                   {"torch.uint8", "U8"},
                                                   {"torch.uint16", "U16"},
                                                   {"torch.uint32", "U32"},
                                                   {"torch.uint64", "U64"},
                                                   {"torch.bool", "BOOL"},
                                                   {"torch.float8_e4m3fn", "F8_E4M3"},
                                                   {"torch.float8_e4m3fnuz", "F8_E4M3"},
                                                   {"torch.float8_e5m2", "F8_E5M2"},
                                                   {"torch.float8_e5m2fnuz", "F8_E5M2"}});

template <std::size_t N>
std::string_view format_of(const std::array<NamedType, N>& types, std::string_view name) {
  const auto found = std::ranges::find(types, name, &NamedType::name);
  return found == types.end() ? std::string_view() : found->type;
}

// Read, and kept as nothing.
bool is_inert(std::string_view name) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"torch.Size", "torch.device", "numpy.core.multiarray.scalar", "numpy._core.multiarray.scalar",
       "numpy.dtype", "_codecs.encode", "argparse.Namespace", "collections.defaultdict"});
  return std::ranges::find(kNames, name) != kNames.end() || !format_of(kDtypes, name).empty();
}

}  // namespace

std::string_view storage_format(std::string_view name) {
  constexpr std::string_view kTorch = "torch.", kStorage = "Storage";
  if (!name.starts_with(kTorch) || !name.ends_with(kStorage)) return {};
  name.remove_prefix(kTorch.size());
  name.remove_suffix(std::min(name.size(), kStorage.size()));
  return format_of(kStorages, name);
}

std::string_view dtype_format(std::string_view name) {
  return format_of(kDtypes, name);
}

bool makes_tensors(std::string_view name) {
  return name == "torch._utils._rebuild_tensor_v2" || name == "torch._utils._rebuild_tensor" ||
         name == "torch._utils._rebuild_tensor_v3" || name == "torch._utils._rebuild_parameter" ||
         name == "torch._utils._rebuild_parameter_with_state";
}

bool is_known_name(std::string_view name) {
  return name == kOrderedDictionary || name == kUntypedStorage || makes_tensors(name) || is_inert(name) ||
         !storage_format(name).empty();
}

}  // namespace glassformer
