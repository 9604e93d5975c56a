// A reader of Python's pickles that can make lists, dictionaries, numbers, texts and tensors, and nothing
// else: of the names that a pickle asks for only those that PyTorch writes into a state dict are known, and
// none of them is called. Anything else is refused before it means anything.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace glassformer {

// A storage is a run of numbers beside the pickle.
struct PickledStorage {
  std::string type;  // of its numbers: "F32", "F16", "BF16", "F64", "I64", ... ; "": bytes
  std::string key;   // its name among the storages of the file
  long count = 0;    // numbers, or bytes
};

// Where the numbers of a tensor are in a storage.
struct PickledTensor {
  const PickledStorage* storage = nullptr;
  std::string type;
  std::vector<long> shape, strides;  // in numbers
  long offset = 0;
};

struct PickleValue;
using PickleRef = const PickleValue*;

struct PickleValue {
  struct Dictionary {
    std::vector<std::pair<PickleRef, PickleRef>> entries;  // in the order of the file
  };
  struct Sequence {  // a list or a tuple
    std::vector<PickleRef> items;
  };
  struct Global {
    std::string name;  // "torch.FloatStorage"
  };
  struct Inert {};  // known, and of no use here
  std::variant<std::monostate, bool, long, double, std::string, Dictionary, Sequence, Global, Inert,
               PickledStorage, PickledTensor>
      content;
  int depth = 0;  // of what nests in it

  template <class T>
  const T* as() const {
    return std::get_if<T>(&content);
  }
};

// The values of one pickle; they live as long as it.
class Pickle {
 public:
  // Reads one pickle from the beginning of `bytes`. `where`: of what, in messages. Throws Error: an opcode or
  // a name that no state dict needs, a whole model instead of a state dict, nesting deeper than 1 000, a
  // length or a place beyond the bytes, a storage or a tensor that cannot be.
  Pickle(std::string_view bytes, const std::string& where);

  PickleRef root() const { return root_; }
  std::size_t size() const { return size_; }                         // bytes read
  const std::deque<PickleValue>& values() const { return values_; }  // all, in the order they were made

 private:
  std::deque<PickleValue> values_;
  PickleRef root_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace glassformer
