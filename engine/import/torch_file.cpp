// PyTorch's files: torch.save of a state dict.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/import/foreign_tensors.h"
#include "engine/import/pickle.h"
#include "engine/import/zip_archive.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostPickleBytes = std::size_t{1} << 26;
constexpr long kMostLegacyBytes = 1L << 33;

// All numbers of a tensor in the order of its shape, from those of its storage.
std::vector<float> in_shape_order(const std::vector<float>& storage, const PickledTensor& tensor) {
  std::size_t count = 1;
  for (const long extent : tensor.shape) count *= static_cast<std::size_t>(extent);
  std::vector<float> numbers;
  numbers.reserve(count);
  std::vector<long> index(tensor.shape.size(), 0);
  for (long at = tensor.offset; numbers.size() < count;) {
    numbers.push_back(storage[static_cast<std::size_t>(at)]);
    for (std::size_t i = index.size(); i-- > 0;) {
      at += tensor.strides[i];
      if (++index[i] < tensor.shape[i]) break;
      at -= index[i] * tensor.strides[i], index[i] = 0;
    }
  }
  return numbers;
}

// Gives the bytes of a storage; tensors that share one in a row read it once.
class Storages {
 public:
  virtual ~Storages() = default;
  std::vector<float> numbers(const PickledTensor& tensor) {
    if (key_ != tensor.storage->key || type_ != tensor.type) {
      const std::string bytes = read(*tensor.storage);
      kept_.resize(bytes.size() / bytes_per_number(tensor.type));
      convert_floats(tensor.type, bytes, kept_.data());
      key_ = tensor.storage->key, type_ = tensor.type;
    }
    return in_shape_order(kept_, tensor);
  }
  // Throws Error when it is not there, or not of the size that the pickle announces.
  virtual void check(const PickledStorage& storage) const = 0;

 protected:
  virtual std::string read(const PickledStorage& storage) const = 0;

 private:
  std::string key_, type_;
  std::vector<float> kept_;
};

std::size_t bytes_of(const PickledStorage& storage) {
  const std::size_t width = storage.type.empty() ? 1 : bytes_per_number(storage.type);
  const auto count = static_cast<std::size_t>(storage.count);
  return count > SIZE_MAX / 16 ? SIZE_MAX : count * width;
}

// ---- the zip archive of PyTorch 1.6 and later: ROOT/data.pkl, ROOT/data/0, ROOT/data/1, ...

class ZipStorages : public Storages {
 public:
  ZipStorages(std::shared_ptr<const ZipArchive> archive, std::string root)
      : archive_(std::move(archive)), root_(std::move(root)) {}
  void check(const PickledStorage& storage) const override {
    const std::size_t found = entry(storage).size;
    if (bytes_of(storage) == found) return;
    throw Error(archive_->path(), "the storage " + shown(storage.key) + " should hold " +
                                      std::to_string(storage.count) +
                                      (storage.type.empty() ? " bytes" : " numbers of " + storage.type) +
                                      ", found " + std::to_string(found) + " bytes; the file is damaged");
  }

 protected:
  std::string read(const PickledStorage& storage) const override { return archive_->read(entry(storage)); }

 private:
  const ZipArchive::Entry& entry(const PickledStorage& storage) const {
    const std::string name = root_ + "data/" + storage.key;
    if (const auto* const found = archive_->find(name)) return *found;
    throw Error(archive_->path(), "the storage " + shown(name) + " is missing; the file is damaged");
  }

  std::shared_ptr<const ZipArchive> archive_;
  std::string root_;  // "archive/"
};

const ZipArchive::Entry& data_pickle(const ZipArchive& archive) {
  const ZipArchive::Entry* found = nullptr;
  for (const auto& [name, entry] : archive.entries()) {
    if (name != "data.pkl" && !name.ends_with("/data.pkl")) continue;
    if (found) throw Error(archive.path(), "it holds data.pkl twice; the file is damaged");
    found = &entry;
  }
  if (!found) throw Error(archive.path(), "the zip archive holds no data.pkl, so PyTorch did not write it");
  if (found->size > kMostPickleBytes)
    throw Error(archive.path(), "its data.pkl is larger than any state dict's");
  return *found;
}

// ---- before PyTorch 1.6: magic number, version, system, the object, the keys of the storages; then for each
// key a count (8 bytes) and its numbers

constexpr std::string_view kLegacyMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);

class LegacyStorages : public Storages {
 public:
  LegacyStorages(std::shared_ptr<const InputFile> file, std::size_t begin, const Pickle& keys)
      : file_(std::move(file)), at_(begin) {
    const auto* const list = keys.root()->as<PickleValue::Sequence>();
    if (!list) throw Error(file_->path(), "its list of storages is no list; the file is damaged");
    for (const PickleRef key : list->items)
      if (const auto* const text = key->as<std::string>()) keys_.push_back(*text);
  }
  // The storages follow each other in the order of the keys; how long each is says the pickle alone.
  void place(const std::map<std::string, const PickledStorage*>& storages) {
    for (const std::string& key : keys_) {
      const auto found = storages.find(key);
      if (found == storages.end())
        throw Error(file_->path(), "nothing is known of its storage " + shown(key) + "; the file is damaged");
      std::int64_t count = -1;
      if (file_->read_at(at_, reinterpret_cast<char*>(&count), sizeof count) != sizeof count) cut(key);
      if (count != found->second->count)
        throw Error(file_->path(), "its storage " + shown(key) + " should hold " +
                                       std::to_string(found->second->count) + " numbers, found " +
                                       std::to_string(count) + "; the file is damaged");
      at_ += sizeof count;
      begins_[key] = at_;
      const std::size_t bytes = bytes_of(*found->second);
      if (bytes > file_->size() - at_) cut(key);
      at_ += bytes;
    }
  }
  void check(const PickledStorage& storage) const override { begin(storage); }

 protected:
  std::string read(const PickledStorage& storage) const override {
    std::string bytes(bytes_of(storage), '\0');
    if (file_->read_at(begin(storage), bytes.data(), bytes.size()) != bytes.size()) cut(storage.key);
    return bytes;
  }

 private:
  [[noreturn]] void cut(const std::string& key) const {
    throw Error(file_->path(), "it ends within its storage " + shown(key) + "; the file is cut off");
  }
  std::size_t begin(const PickledStorage& storage) const {
    const auto found = begins_.find(storage.key);
    if (found == begins_.end())
      throw Error(file_->path(), "the storage " + shown(storage.key) + " is missing; the file is damaged");
    return found->second;
  }

  std::shared_ptr<const InputFile> file_;
  std::vector<std::string> keys_;
  std::size_t at_;
  std::map<std::string, std::size_t> begins_;
};

// ---- the state dict in the pickle

std::vector<std::pair<std::string, PickleRef>> named_entries(const PickleValue::Dictionary& dictionary) {
  std::vector<std::pair<std::string, PickleRef>> result;
  for (const auto& [key, value] : dictionary.entries)
    if (const auto* const name = key->as<std::string>()) result.push_back({*name, value});
  return result;
}
bool holds_tensors(PickleRef value) {
  const auto* const dictionary = value->as<PickleValue::Dictionary>();
  if (!dictionary) return false;
  const auto named = named_entries(*dictionary);
  return std::ranges::any_of(named,
                             [](const auto& entry) { return entry.second->template as<PickledTensor>(); });
}

// The root, or the first dictionary of tensors below one of the names that people give it.
const PickleValue::Dictionary& state_dict(const Pickle& pickle, ForeignTensors& found) {
  const PickleRef root = pickle.root();
  if (holds_tensors(root)) return *root->as<PickleValue::Dictionary>();
  if (const auto* const outer = root->as<PickleValue::Dictionary>()) {
    const auto named = named_entries(*outer);
    for (const std::string_view name : {"model_state_dict", "state_dict", "model", "net"})
      for (const auto& [key, value] : named) {
        if (key != name || !holds_tensors(value)) continue;
        for (const auto& [other, ignored] : named)
          if (other != name) found.others.push_back(other);
        return *value->as<PickleValue::Dictionary>();
      }
  }
  throw Error(found.where, "it holds no state dict: save `model.state_dict()` with torch.save");
}

void add_tensors(ForeignTensors& found, std::shared_ptr<const Pickle> pickle,
                 const std::shared_ptr<Storages>& storages) {
  for (const auto& [name, value] : named_entries(state_dict(*pickle, found))) {
    const auto* const tensor = value->as<PickledTensor>();
    if (!tensor) {
      found.others.push_back(name);
      continue;
    }
    storages->check(*tensor->storage);
    const auto read = [pickle, storages, tensor] { return storages->numbers(*tensor); };
    if (!found.tensors.insert({name, {name, found.where, tensor->type, tensor->shape, read}}).second)
      throw Error(found.where, "the tensor " + shown(name) + " is in it twice");
  }
}

ForeignTensors read_zip(const std::string& path) {
  const auto archive = std::make_shared<const ZipArchive>(path);
  const ZipArchive::Entry& entry = data_pickle(*archive);
  const auto pickle = std::make_shared<const Pickle>(archive->read(entry), path + ", " + entry.name);
  const std::string root = entry.name.substr(0, entry.name.size() - std::string_view("data.pkl").size());
  ForeignTensors found{.where = path};
  add_tensors(found, pickle, std::make_shared<ZipStorages>(archive, root));
  return found;
}

// Every storage that a tensor of the state dict, or of what is beside it, lies in.
std::map<std::string, const PickledStorage*> storages_of(const Pickle& pickle, const std::string& path) {
  std::map<std::string, const PickledStorage*> result;
  for (const PickleValue& value : pickle.values())
    if (const auto* const storage = value.as<PickledStorage>()) {
      const auto& [place, fresh] = result.insert({storage->key, storage});
      const PickledStorage& first = *place->second;
      if (!fresh && (first.count != storage->count || first.type != storage->type))
        throw Error(path,
                    "its storage " + shown(storage->key) + " is announced in two ways; the file is damaged");
    }
  return result;
}

ForeignTensors read_legacy(const std::string& path) {
  const auto file = std::make_shared<const InputFile>(path);
  check_size(path, file->size(), kMostLegacyBytes);
  std::string bytes(std::min(file->size(), kMostPickleBytes), '\0');
  bytes.resize(file->read_at(0, bytes.data(), bytes.size()));
  std::string_view rest = bytes;
  std::shared_ptr<const Pickle> object, keys;
  // Magic number, version and system say nothing that is needed.
  for (int i = 0; i < 5; ++i) {
    const auto pickle = std::make_shared<const Pickle>(rest, path);
    rest.remove_prefix(pickle->size());
    if (i == 3) object = pickle;
    if (i == 4) keys = pickle;
  }
  ForeignTensors found{.where = path};
  const auto storages = std::make_shared<LegacyStorages>(file, bytes.size() - rest.size(), *keys);
  storages->place(storages_of(*object, path));
  add_tensors(found, object, storages);
  return found;
}

}  // namespace

ForeignTensors read_torch_file(const std::string& path) {
  std::array<char, kLegacyMagic.size()> first{};
  const InputFile file(path);
  const std::string_view begin(first.data(), file.read_at(0, first.data(), first.size()));
  if (begin == kLegacyMagic) return read_legacy(path);
  if (begin.starts_with('\x80'))
    throw Error(path,
                "it is a pickle that torch.save did not write; save `model.state_dict()` with torch.save");
  return read_zip(path);
}

}  // namespace glassformer
