// State dicts of PyTorch: what is read, and what is refused before it means anything.
#include <doctest/doctest.h>

#include "engine/files/read_file.h"
#include "engine/import/foreign_tensors.h"
#include "engine/import/pickle.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"
#include "tests/torch_files.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

const std::vector<float> kSix = {1, 2, 3, 4, 5, 6};

std::string refused(const std::string& value) {
  return refusal([&] { Pickle(pickle(value), "x"); });
}
bool says(const std::string& message, const std::string& part) {
  CAPTURE(message);
  return message.find(part) != std::string::npos;
}

// A zip archive with one storage of six numbers, and what reading it gives.
struct TorchFile {
  explicit TorchFile(const std::string& value, std::vector<ZipFile> more = {}, bool deflated = false) {
    std::vector<ZipFile> files = {{"archive/data.pkl", pickle(value), deflated},
                                  {"archive/data/0", bytes_of(kSix), deflated}};
    files.insert(files.end(), more.begin(), more.end());
    write_zip(path, files);
  }
  ForeignTensors read() const { return read_foreign_file(path); }
  std::string error() const {
    return refusal([&] { read(); });
  }

  ScratchFolder folder;
  std::string path = folder.path("model.pt");
};

std::string six() {
  return storage("FloatStorage", "0", 6);
}

}  // namespace

TEST_CASE("tensors of a state dict are read in the order of their shape, strided and shared ones too") {
  for (const bool deflated : {false, true}) {
    const TorchFile file(dictionary({{"whole", tensor(six(), 0, {2, 3}, {3, 1})},
                                     {"turned", tensor(six(), 0, {3, 2}, {1, 3})},
                                     {"every other", tensor(six(), 1, {3}, {2})},
                                     {"one", tensor(six(), 5, {}, {})},
                                     {"none", tensor(six(), 0, {0, 4}, {4, 1})}}),
                         {}, deflated);
    const ForeignTensors found = file.read();
    CHECK(found.tensors.at("whole").numbers() == kSix);
    CHECK(found.tensors.at("turned").numbers() == std::vector<float>{1, 4, 2, 5, 3, 6});
    CHECK(found.tensors.at("every other").numbers() == std::vector<float>{2, 4, 6});
    CHECK(found.tensors.at("one").numbers() == std::vector<float>{6});
    CHECK(found.tensors.at("none").numbers().empty());
    CHECK(found.tensors.at("turned").shape == std::vector<long>{3, 2});
  }
}

TEST_CASE("a state dict below a usual name is found, and prefixes that all names share go") {
  const std::string inner = dictionary({{"module._orig_mod.a", tensor(six(), 0, {6}, {1})},
                                        {"module._orig_mod.model.b", tensor(six(), 0, {6}, {1})}});
  for (const char* const name : {"model_state_dict", "state_dict", "model", "net"}) {
    CAPTURE(name);
    const TorchFile file(dictionary({{"epoch", number(3)}, {name, inner}}));
    ForeignTensors found = file.read();
    take_prefixes_off(found);
    CHECK(found.prefix == "module._orig_mod.");
    CHECK(found.tensors.contains("a"));
    CHECK(found.tensors.contains("model.b"));
    CHECK(found.others == std::vector<std::string>{"epoch"});
  }
  CHECK(says(TorchFile(dictionary({{"weights", inner}})).error(), "no state dict"));
  CHECK(says(TorchFile(number(5)).error(), "no state dict"));
}

TEST_CASE("what PyTorch wrote before version 1.6 is read") {
  const ScratchFolder folder;
  const std::string magic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
  const std::string head =
      magic + pickle("M" + raw(std::uint16_t{1001})) + pickle("}") +
      pickle(dictionary({{"a", tensor(storage("FloatStorage", "77", 6), 0, {6}, {1})}})) +
      pickle("](" + text("77") + "e");
  const std::string whole = head + raw(std::int64_t{6}) + bytes_of(kSix);
  CHECK(read_foreign_file(folder.write("old.pt", whole)).tensors.at("a").numbers() == kSix);
  const auto error = [&](const std::string& bytes) {
    return refusal([&] { read_foreign_file(folder.write("bad.pt", bytes)); });
  };
  CHECK(says(error(whole.substr(0, whole.size() - 3)), "cut off"));
  CHECK(says(error(head + raw(std::int64_t{5}) + bytes_of(kSix)), "should hold 6 numbers, found 5"));
  for (std::size_t cut = 15; cut < whole.size(); cut += 7) CHECK(error(whole.substr(0, cut)) != "no error");
}

TEST_CASE("a name that no state dict needs is refused, whole and with its dots") {
  CHECK(says(refused(global("datetime", "date") + ")R"), "it asks for `datetime.date`, which no file"));
  CHECK(says(refused(global("collections", "OrderedDict.fromkeys")), "`collections.OrderedDict.fromkeys`"));
  CHECK(says(refused(global("torch._utils", "_rebuild_tensor_v4")), "`torch._utils._rebuild_tensor_v4`"));
  CHECK(says(refused(text("datetime") + text("date") + "\x93"), "`datetime.date`"));
  CHECK(says(refused(global("torch", "QUInt8Storage")), "quantised"));
  CHECK(says(refused(global("torch", "ComplexDoubleStorage")), "`torch.ComplexDoubleStorage`"));
  CHECK(says(refused(global("models.mine", "Translator") + ")\x81"), "class `Translator`, not a state dict"));
  CHECK(says(refused(global("torch.nn.modules.linear", "Linear")), "class `Linear`"));
  // Known, and of no use.
  for (const char* const inert : {"Size", "device", "float32"})
    CHECK(refused(global("torch", inert)) == "no error");
  CHECK(refused(global("argparse", "Namespace") + ")\x81}(" + text("a") + number(1) + "ub") == "no error");
}

TEST_CASE("opcodes outside the list are refused by their number") {
  for (int code = 0; code < 256; ++code) {
    const std::string known =
        "\x80\x95(01N\x88\x89JKM\x8aGX\x8cTUBC}])t\x85\x86\x87"
        "aesuhjqr\x94"
        "c\x93R\x81"
        "bQ.";
    if (known.find(static_cast<char>(code)) != std::string::npos) continue;
    CAPTURE(code);
    const std::string message = refused(std::string(1, static_cast<char>(code)) + "00");
    CHECK(says(message, "opcode 0x"));
  }
}

TEST_CASE("a pickle that is no pickle ends in one sentence") {
  const std::string good = pickle(dictionary({{"a", tensor(six(), 0, {2, 3}, {3, 1})}}));
  for (std::size_t cut = 0; cut < good.size(); ++cut)
    CHECK(refusal([&] { Pickle(good.substr(0, cut), "x"); }) != "no error");
  CHECK(says(refused(std::string(1500, '(')), "nested"));
  CHECK(says(refused("]" + std::string(1500, '\x85')), "nested"));
  CHECK(says(refused(std::string("h\x07", 2)), "memo"));
  CHECK(says(refused("X" + raw(std::uint32_t{4000000000u})), "4000000000 bytes"));
  for (const char* const empty : {"0", "1", "s", "u", "a", "e", "t", "R", "b", "Q", "\x93", "\x86"})
    CHECK(refused(empty) != "no error");
}

TEST_CASE("a tensor stays within its storage, and a storage has the size that is announced") {
  const auto error_of = [](const std::string& value) {
    return TorchFile(dictionary({{"a", value}})).error();
  };
  CHECK(says(error_of(tensor(six(), 1, {6}, {1})), "outside"));
  CHECK(says(error_of(tensor(six(), 0, {2, 2}, {5, 1})), "outside"));
  CHECK(says(error_of(tensor(six(), 0, {7}, {0})), "larger than its storage"));
  CHECK(says(error_of(tensor(six(), 0, {65536, 65536, 65536, 65536}, {1, 1, 1, 1})),
             "larger than its storage"));
  CHECK(says(error_of(tensor(six(), 0, {6}, {-1})), "stride"));
  CHECK(says(error_of(tensor(six(), -1, {6}, {1})), "damaged"));
  CHECK(says(error_of(tensor(storage("FloatStorage", "0", 7), 0, {6}, {1})), "should hold 7 numbers"));
  CHECK(says(error_of(tensor(storage("FloatStorage", "4", 6), 0, {6}, {1})), "data/4"));
}

TEST_CASE("numbers are of one type, and of floats") {
  const ForeignTensors whole =
      TorchFile(dictionary({{"a", tensor(storage("LongStorage", "0", 3), 0, {3}, {1})}})).read();
  CHECK(says(refusal([&] { whole.tensors.at("a").numbers(); }), "`a` is of the format I64"));
  const auto typed = [](const std::string& kind, const char* type) {
    return global("torch._utils", "_rebuild_tensor_v3") +
           tuple({storage(kind, "0", 6), number(0), numbers({3}), numbers({1}), "\x89",
                  global("collections", "OrderedDict") + ")R", global("torch", type)}) +
           "R";
  };
  CHECK(refused(typed("FloatStorage", "float32")) == "no error");
  CHECK(says(refused(typed("FloatStorage", "float64")), "damaged"));
  CHECK(says(refused(typed("FloatStorage", "float16")), "damaged"));
}

TEST_CASE("a storage of an old file that is announced twice is announced alike") {
  const ScratchFolder folder;
  const std::string magic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
  const auto read = [&](const std::string& second) {
    const std::string file =
        magic + pickle("M" + raw(std::uint16_t{1001})) + pickle("}") +
        pickle(dictionary({{"a", tensor(storage("FloatStorage", "7", 6), 0, {6}, {1})}, {"b", second}})) +
        pickle("](" + text("7") + "e") + raw(std::int64_t{6}) + bytes_of(kSix);
    return read_foreign_file(folder.write("old.pt", file));
  };
  CHECK(read(tensor(storage("FloatStorage", "7", 6), 4, {2}, {1})).tensors.at("b").numbers() ==
        std::vector<float>{5, 6});
  CHECK(says(refusal([&] { read(tensor(storage("FloatStorage", "7", 3), 0, {3}, {1})); }), "two ways"));
  CHECK(says(refusal([&] { read(tensor(storage("HalfStorage", "7", 6), 0, {3}, {1})); }), "two ways"));
}

TEST_CASE("dictionaries that copy each other are given up before they fill the memory") {
  std::string bytes = "](";
  for (int i = 0; i < 1000; ++i) bytes += number(i) + number(i) + "\x86";
  bytes += std::string("eq\x01", 3);
  for (int i = 0; i < 2100; ++i)
    bytes += global("collections", "OrderedDict") + std::string("(h\x01tR", 5) + "0";
  CHECK(says(refused(bytes), "4 million"));
}

TEST_CASE("archives that point outside, repeat a name or are no archive are refused") {
  const std::string good = dictionary({{"a", tensor(six(), 0, {6}, {1})}});
  CHECK(says(TorchFile(good, {{"archive/../../b", "x"}}).error(), "outside of the archive"));
  CHECK(says(TorchFile(good, {{"/etc/b", "x"}}).error(), "outside of the archive"));
  CHECK(says(TorchFile(good, {{"other/data.pkl", "x"}}).error(), "data.pkl twice"));
  CHECK(says(TorchFile(good, {{"ARCHIVE/DATA/0", "x"}}).error(), "twice"));
  CHECK(TorchFile(good, {{"__MACOSX/archive/._data.pkl", "x"}}).error() == "no error");
  const ScratchFolder folder;
  const auto error = [&](const std::string& bytes) {
    return refusal([&] { read_foreign_file(folder.write("x.pt", bytes)); });
  };
  const std::string whole = read_file(TorchFile(good).path);
  CHECK(says(error(whole.substr(0, whole.size() / 2)), "cut off"));
  std::string changed = whole;
  changed[whole.find(bytes_of({3})) + 1] ^= 1;
  const std::string path = folder.write("y.pt", changed);
  CHECK(says(refusal([&] { read_foreign_file(path).tensors.at("a").numbers(); }), "checksum"));
  CHECK(says(error(""), "empty"));
  CHECK(says(error("<!DOCTYPE html><title>404</title>"), "HTML"));
  CHECK(says(error("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), "Git LFS"));
  CHECK(says(error("words and words"), "no file of weights"));
}
