#include "engine/import/pickle.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <unordered_map>

#include "engine/files/json_file.h"
#include "engine/files/safetensors.h"
#include "engine/import/pickle_names.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

using Value = PickleValue;

constexpr int kDeepest = 1000;
constexpr int kMostRank = 64;
constexpr std::size_t kMostValues = 4'000'000;

class Machine {
 public:
  Machine(std::string_view bytes, const std::string& where, std::deque<Value>& values)
      : bytes_(bytes), where_(where), values_(values) {}

  PickleRef run() {
    for (;;) {
      const auto opcode = static_cast<unsigned char>(take(1).front());
      if (opcode == '.') break;
      step(opcode);
    }
    if (stack_.empty()) fail("it ends without a value");
    return stack_.back();
  }
  std::size_t read() const { return at_; }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(where_, what); }
  [[noreturn]] void damaged() const { fail("the pickle is damaged at byte " + std::to_string(at_)); }

  // ---- bytes

  std::string_view take(std::size_t count) {
    if (count > bytes_.size() - at_)
      fail("it announces " + std::to_string(count) + " bytes where " + std::to_string(bytes_.size() - at_) +
           " are left; it is cut off or damaged");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  std::uint64_t number(std::size_t width) {  // little-endian
    std::uint64_t value = 0;
    std::memcpy(&value, take(width).data(), width);
    return value;
  }
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == bytes_.npos) damaged();
    const std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }
  double real() {  // big-endian
    std::uint64_t bits = 0;
    for (const char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
    return std::bit_cast<double>(bits);
  }
  void push_whole(std::size_t width) { push(static_cast<long>(number(width))); }
  void push_signed() { push(static_cast<long>(static_cast<std::int32_t>(number(4)))); }
  void push_text(std::size_t width) { push(std::string(take(number(width)))); }
  // Of two's complement, the last byte the highest. One that is too long for a long is nobody's here.
  void push_long() {
    const std::string_view digits = take(number(1));
    if (digits.size() > 8) return push(Value::Inert());
    std::uint64_t value = !digits.empty() && (digits.back() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    std::memcpy(&value, digits.data(), digits.size());
    push(static_cast<long>(value));
  }

  // ---- the stack

  template <class Content>
  void push(Content content) {
    if (values_.size() == kMostValues) too_many();
    values_.push_back({std::move(content), 0});
    stack_.push_back(&values_.back());
  }
  [[noreturn]] void too_many() const { fail("it holds more than 4 million values; no state dict does"); }
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  Value* top() const {
    if (stack_.size() <= floor()) damaged();
    return stack_.back();
  }
  Value* pop() {
    Value* const value = top();
    stack_.pop_back();
    return value;
  }
  void mark() {
    if (marks_.size() >= kDeepest) fail("it is nested deeper than 1 000; no state dict is");
    marks_.push_back(stack_.size());
  }
  std::vector<PickleRef> pop_to_mark() {
    if (marks_.empty()) damaged();
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleRef> items(from, stack_.end());
    stack_.erase(from, stack_.end());
    marks_.pop_back();
    return items;
  }
  void pop_or_unmark() {
    if (!marks_.empty() && marks_.back() == stack_.size())
      marks_.pop_back();
    else
      pop();
  }
  void nest(Value& outer, PickleRef inner) const {
    outer.depth = std::max(outer.depth, inner->depth + 1);
    if (outer.depth > kDeepest) fail("it is nested deeper than 1 000; no state dict is");
  }
  void push_tuple(std::vector<PickleRef> items) {
    push(Value::Sequence{std::move(items)});
    for (const PickleRef item : stack_.back()->as<Value::Sequence>()->items) nest(*stack_.back(), item);
  }
  void push_tuple_of(std::size_t count) {
    std::vector<PickleRef> items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    push_tuple(std::move(items));
  }
  void append(const std::vector<PickleRef>& items) {
    Value& list = *top();
    if (list.as<Value::Inert>()) return;
    auto* const sequence = std::get_if<Value::Sequence>(&list.content);
    if (!sequence) damaged();
    for (const PickleRef item : items) sequence->items.push_back(item), nest(list, item);
  }
  void set_items(const std::vector<PickleRef>& items) {
    Value& target = *top();
    if (target.as<Value::Inert>()) return;
    auto* const dictionary = std::get_if<Value::Dictionary>(&target.content);
    if (!dictionary || items.size() % 2 != 0) damaged();
    if ((entries_ += items.size()) > kMostValues) too_many();
    for (std::size_t i = 0; i < items.size(); i += 2) {
      dictionary->entries.push_back({items[i], items[i + 1]});
      nest(target, items[i]), nest(target, items[i + 1]);
    }
  }

  // ---- the memo

  void remember(std::uint64_t key) { memo_[key] = top(); }
  void recall(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end())
      fail("it uses entry " + std::to_string(key) + " of its memo, which it never made");
    stack_.push_back(found->second);
  }

  // ---- what it asks for

  const std::string& text(PickleRef value) const {
    const std::string* const found = value->as<std::string>();
    if (!found) damaged();
    return *found;
  }
  long whole(PickleRef value) const {
    const long* const found = value->as<long>();
    if (!found) damaged();
    return *found;
  }
  const std::vector<PickleRef>& items(PickleRef value) const {
    const auto* const found = value->as<Value::Sequence>();
    if (!found) damaged();
    return found->items;
  }
  const std::string& global(PickleRef value) const {
    const auto* const found = value->as<Value::Global>();
    if (!found) damaged();
    return found->name;
  }

  // Whether what follows makes an object of the class just named, as a pickle of a whole model does.
  bool makes_object() const {
    std::string_view rest = bytes_.substr(at_);
    const auto skip_memo = [&rest] {
      if (rest.starts_with('q')) rest.remove_prefix(std::min<std::size_t>(2, rest.size()));
      if (rest.starts_with('r')) rest.remove_prefix(std::min<std::size_t>(5, rest.size()));
      if (rest.starts_with('\x94')) rest.remove_prefix(1);
    };
    skip_memo();
    if (!rest.starts_with(')')) return false;
    rest.remove_prefix(1), skip_memo();
    return rest.starts_with('\x81');
  }

  void find_global(std::string_view module, std::string_view name) {
    const std::string full = std::string(module) + "." + std::string(name);
    if (is_known_name(full)) return push(Value::Global{full});
    const std::string quoted = "`" + full.substr(0, kLongestShown) + "`";
    if (full.starts_with("torch.Q") && full.ends_with("Storage"))
      fail(quoted + " is a quantised format; convert it to float32");
    if (full.starts_with("torch.") && full.ends_with("Storage"))
      fail(quoted + " is a format of numbers that is not read; convert it to float32");
    if (makes_object() || module == "__main__" || module.starts_with("torch.nn."))
      fail("it holds a Python object of class `" + std::string(name.substr(0, kLongestShown)) +
           "`, not a state dict: save `model.state_dict()`");
    fail("it asks for " + quoted + ", which no file of weights needs; nothing was run");
  }

  void push_storage(PickleRef id) {
    const std::vector<PickleRef>& parts = items(id);
    if (parts.size() < 5 || text(parts[0]) != "storage") damaged();
    const std::string& kind = global(parts[1]);
    if (storage_format(kind).empty() && kind != kUntypedStorage) damaged();
    if (parts.size() > 5 && !parts[5]->as<std::monostate>())
      fail("it holds views of storages as only PyTorch before 0.4 wrote them; save it with a newer one");
    PickledStorage storage{std::string(storage_format(kind)), text(parts[2]), whole(parts[4])};
    if (storage.count < 0) fail("a storage of " + std::to_string(storage.count) + " numbers cannot be");
    push(std::move(storage));
  }

  std::vector<long> extents(PickleRef value, const char* what) const {
    std::vector<long> result;
    for (const PickleRef item : items(value)) {
      const long* const number = item->as<long>();
      if (!number || *number < 0) fail("a tensor has a " + std::string(what) + " that cannot be");
      result.push_back(*number);
    }
    if (result.size() > kMostRank) damaged();
    return result;
  }

  // storage, offset, shape, strides, and what is of no use here; the third kind says the type.
  void push_tensor(const std::vector<PickleRef>& given, bool says_type) {
    if (given.size() < (says_type ? 7u : 4u)) damaged();
    const auto* const storage = given[0]->as<PickledStorage>();
    if (!storage) damaged();
    PickledTensor tensor{storage, storage->type, extents(given[2], "size"), extents(given[3], "stride"),
                         whole(given[1])};
    if (says_type) tensor.type = dtype_format(global(given[6]));
    if (tensor.type.starts_with("F8"))
      fail("`" + tensor.type + "` is a quantised format; convert it to float32");
    if (tensor.type.empty() || (!storage->type.empty() && storage->type != tensor.type)) damaged();
    check_tensor(tensor);
    push(std::move(tensor));
  }

  void check_tensor(const PickledTensor& tensor) const {
    if (tensor.shape.size() != tensor.strides.size() || tensor.offset < 0) damaged();
    const long room = tensor.storage->type.empty()
                          ? tensor.storage->count / static_cast<long>(bytes_per_number(tensor.type))
                          : tensor.storage->count;
    if (std::ranges::find(tensor.shape, 0) != tensor.shape.end()) return;
    long count = 1, last = tensor.offset;
    for (std::size_t i = 0; i < tensor.shape.size() && last < room; ++i) {
      const long extent = tensor.shape[i], stride = tensor.strides[i];
      if (count > room / extent)
        fail("a tensor is larger than its storage of " + std::to_string(room) + " numbers");
      count *= extent;
      if (stride > 0 && extent - 1 > (room - last) / stride)
        last = room;
      else
        last += (extent - 1) * stride;
    }
    if (last >= room) fail("a tensor reaches outside of its storage of " + std::to_string(room) + " numbers");
  }

  void reduce() {
    const std::vector<PickleRef>& given = items(pop());
    const std::string& name = global(pop());
    if (name == kOrderedDictionary) return push_ordered(given);
    if (!makes_tensors(name)) return push(Value::Inert());
    if (name.starts_with("torch._utils._rebuild_tensor")) return push_tensor(given, name.ends_with("_v3"));
    if (given.empty() || !given[0]->as<PickledTensor>()) damaged();
    push(*given[0]->as<PickledTensor>());
  }
  void push_ordered(const std::vector<PickleRef>& given) {
    push(Value::Dictionary());
    if (given.empty()) return;
    std::vector<PickleRef> all;
    for (const PickleRef pair : items(given[0])) {
      if (items(pair).size() != 2) damaged();
      all.insert(all.end(), items(pair).begin(), items(pair).end());
    }
    set_items(all);
  }

  // ---- opcodes, by the names that Python's pickletools gives them; there are no others

  struct Opcode {
    unsigned char code;
    const char* name;
    void (*run)(Machine&);
  };
  static const Opcode* find_opcode(unsigned char code) {
    static constexpr Opcode kOpcodes[] = {
        {0x80, "PROTO", [](Machine& m) { m.take(1); }},
        {0x95, "FRAME", [](Machine& m) { m.number(8); }},
        {'(', "MARK", [](Machine& m) { m.mark(); }},
        {'0', "POP", [](Machine& m) { m.pop_or_unmark(); }},
        {'1', "POP_MARK", [](Machine& m) { m.pop_to_mark(); }},
        {'N', "NONE", [](Machine& m) { m.push(std::monostate()); }},
        {0x88, "NEWTRUE", [](Machine& m) { m.push(true); }},
        {0x89, "NEWFALSE", [](Machine& m) { m.push(false); }},
        {'J', "BININT", [](Machine& m) { m.push_signed(); }},
        {'K', "BININT1", [](Machine& m) { m.push_whole(1); }},
        {'M', "BININT2", [](Machine& m) { m.push_whole(2); }},
        {0x8a, "LONG1", [](Machine& m) { m.push_long(); }},
        {'G', "BINFLOAT", [](Machine& m) { m.push(m.real()); }},
        {'X', "BINUNICODE", [](Machine& m) { m.push_text(4); }},
        {0x8c, "SHORT_BINUNICODE", [](Machine& m) { m.push_text(1); }},
        {'T', "BINSTRING", [](Machine& m) { m.push_text(4); }},
        {'U', "SHORT_BINSTRING", [](Machine& m) { m.push_text(1); }},
        {'B', "BINBYTES", [](Machine& m) { m.push_text(4); }},
        {'C', "SHORT_BINBYTES", [](Machine& m) { m.push_text(1); }},
        {'}', "EMPTY_DICT", [](Machine& m) { m.push(Value::Dictionary()); }},
        {']', "EMPTY_LIST", [](Machine& m) { m.push(Value::Sequence()); }},
        {')', "EMPTY_TUPLE", [](Machine& m) { m.push(Value::Sequence()); }},
        {'t', "TUPLE", [](Machine& m) { m.push_tuple(m.pop_to_mark()); }},
        {0x85, "TUPLE1", [](Machine& m) { m.push_tuple_of(1); }},
        {0x86, "TUPLE2", [](Machine& m) { m.push_tuple_of(2); }},
        {0x87, "TUPLE3", [](Machine& m) { m.push_tuple_of(3); }},
        {'a', "APPEND", [](Machine& m) { m.append({m.pop()}); }},
        {'e', "APPENDS", [](Machine& m) { m.append(m.pop_to_mark()); }},
        {'s', "SETITEM", [](Machine& m) { m.set_item(); }},
        {'u', "SETITEMS", [](Machine& m) { m.set_items(m.pop_to_mark()); }},
        {'h', "BINGET", [](Machine& m) { m.recall(m.number(1)); }},
        {'j', "LONG_BINGET", [](Machine& m) { m.recall(m.number(4)); }},
        {'q', "BINPUT", [](Machine& m) { m.remember(m.number(1)); }},
        {'r', "LONG_BINPUT", [](Machine& m) { m.remember(m.number(4)); }},
        {0x94, "MEMOIZE", [](Machine& m) { m.remember(m.memo_.size()); }},
        {'c', "GLOBAL", [](Machine& m) { m.name_in_lines(); }},
        {0x93, "STACK_GLOBAL", [](Machine& m) { m.name_on_stack(); }},
        {'R', "REDUCE", [](Machine& m) { m.reduce(); }},
        {0x81, "NEWOBJ", [](Machine& m) { m.reduce(); }},
        {'b', "BUILD", [](Machine& m) { m.build(); }},
        {'Q', "BINPERSID", [](Machine& m) { m.push_storage(m.pop()); }},
    };
    const Opcode* const found = std::ranges::find(kOpcodes, code, &Opcode::code);
    return found == std::end(kOpcodes) ? nullptr : found;
  }
  void step(unsigned char code) {
    const Opcode* const opcode = find_opcode(code);
    if (!opcode) refuse(code);
    opcode->run(*this);
  }
  void build() { pop(), top(); }  // of the attributes of an object, none is of use
  void set_item() {
    const PickleRef value = pop(), key = pop();
    set_items({key, value});
  }
  void name_in_lines() {
    const std::string_view module = line();
    find_global(module, line());
  }
  void name_on_stack() {
    const std::string &name = text(pop()), &module = text(pop());
    find_global(module, name);
  }
  [[noreturn]] void refuse(unsigned char opcode) const {
    constexpr std::string_view kHex = "0123456789abcdef";
    fail(std::string("it uses the pickle opcode 0x") + kHex[opcode >> 4] + kHex[opcode & 15] +
         ", which no file of weights needs; nothing was run");
  }

  std::string_view bytes_;
  const std::string& where_;
  std::deque<Value>& values_;
  std::size_t at_ = 0, entries_ = 0;  // entries: of all dictionaries
  std::vector<Value*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Value*> memo_;
};

}  // namespace

Pickle::Pickle(std::string_view bytes, const std::string& where) {
  Machine machine(bytes, where, values_);
  root_ = machine.run();
  size_ = machine.read();
}

}  // namespace glassformer
