#include "engine/files/text_file.h"

#include <zip.h>
#include <zlib.h>
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

struct Close {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Close>;
using Entry = std::unique_ptr<zip_file_t, Close>;

Error damaged(const std::string& where) {
  return {where, "the zip archive is damaged or cut short; pack it or download it anew"};
}

Archive opened(std::string_view bytes, const std::string& where) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  Archive archive(source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error));
  if (!archive && source != nullptr) zip_source_free(source);
  zip_error_fini(&error);
  if (!archive) throw damaged(where);
  return archive;
}

// A folder, or what macOS and file managers put beside the files.
bool is_aside(std::string_view name) {
  const std::string_view bare = name.substr(name.rfind('/') + 1);
  return bare.empty() || bare.starts_with('.') || name.starts_with("__MACOSX/");
}

zip_uint64_t only_file(zip_t* archive, const std::string& where) {
  std::optional<zip_uint64_t> only;
  std::string names;
  int files = 0;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
    const char* const raw = zip_get_name(archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_GUESS);
    const std::string name = raw == nullptr ? "" : raw;
    if (name == "[Content_Types].xml" || name == "mimetype")
      throw Error(where, "this is an office document; save its text as plain text or as CSV");
    if (is_aside(name)) continue;
    if (++files <= 3) names += (names.empty() ? "" : ", ") + shown(name);
    only = static_cast<zip_uint64_t>(i);
  }
  if (files == 0) throw Error(where, "the zip archive holds no file; expected one text");
  if (files > 1)
    throw Error(where, "the zip archive holds " + std::to_string(files) + " files (" + names +
                           (files > 3 ? ", ..." : "") +
                           "); unpack it, and give the one that is meant, or both sides of a pair of files");
  return *only;
}

}  // namespace

bool is_zip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04");
}

std::string unzipped(std::string_view bytes, const std::string& where, long max_bytes) {
  const Archive archive = opened(bytes, where);
  const zip_uint64_t index = only_file(archive.get(), where);
  zip_stat_t about;
  if (zip_stat_index(archive.get(), index, 0, &about) != 0) throw damaged(where);
  if ((about.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && about.encryption_method != ZIP_EM_NONE)
    throw Error(where, "the zip archive is locked with a password; unpack it first");
  const Entry file(zip_fopen_index(archive.get(), index, 0));
  if (!file && zip_error_code_zip(zip_get_error(archive.get())) == ZIP_ER_COMPNOTSUPP)
    throw Error(where, "the zip archive is packed in a way that is not known here; unpack it first");
  if (!file) throw damaged(where);
  std::string text;
  std::vector<char> chunk(1 << 16);
  while (true) {
    const zip_int64_t got = zip_fread(file.get(), chunk.data(), chunk.size());
    if (got < 0) throw damaged(where);
    if (got == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
    check_size(where, text.size(), max_bytes);
    refuse_bomb(where, text.size(), bytes.size());
  }
}

namespace {

constexpr std::size_t kChunk = 1 << 16;

}  // namespace

// Takes packed bytes in pieces, and adds what they hold to `bytes`.
class Unpacker {
 public:
  Unpacker(const std::string& path, long max_bytes) : path_(path), max_bytes_(max_bytes), chunk_(kChunk) {
    constexpr int kGzipAlone = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipAlone) != Z_OK) throw Error(path, "no memory to unpack the file");
  }
  ~Unpacker() { inflateEnd(&stream_); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  void add(std::string_view packed, std::string& bytes) {
    taken_ += packed.size();
    while (true) {
      // Another member may follow; zeros that fill up a tape or a disk block do not count.
      if (between_members_) packed.remove_prefix(std::min(packed.find_first_not_of('\0'), packed.size()));
      if (packed.empty()) return;
      if (between_members_ && inflateReset(&stream_) != Z_OK) throw damaged("damaged");
      between_members_ = false;
      inflate_member(packed, bytes);
    }
  }

  void finish() const {
    if (!between_members_) throw damaged("cut short");
  }

 private:
  Error damaged(const std::string& how) const {
    return {path_, "the gzip file is " + how + "; pack it or download it anew"};
  }

  // Until the member or the packed bytes end. What a stream took out of `bytes` counts too.
  void inflate_member(std::string_view& packed, std::string& bytes) {
    int status = Z_OK;
    do {
      // zlib reads the input alone, but its interface is older than const.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
      stream_.avail_in = static_cast<uInt>(packed.size());
      stream_.next_out = chunk_.data();
      stream_.avail_out = static_cast<uInt>(chunk_.size());
      status = inflate(&stream_, Z_NO_FLUSH);
      packed.remove_prefix(packed.size() - stream_.avail_in);
      bytes.append(reinterpret_cast<const char*>(chunk_.data()), chunk_.size() - stream_.avail_out);
      made_ += chunk_.size() - stream_.avail_out;
      check_size(path_, made_, max_bytes_);
      refuse_bomb(path_, made_, taken_ - stream_.avail_in);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) throw damaged("damaged");
      between_members_ = status == Z_STREAM_END;
    } while (!between_members_ && (!packed.empty() || stream_.avail_out == 0));
  }

  std::string path_;
  long max_bytes_;
  z_stream stream_{};
  std::vector<unsigned char> chunk_;
  std::size_t taken_ = 0, made_ = 0;  // bytes, packed and unpacked
  bool between_members_ = false;
};

namespace {

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1F\x8B");
}

}  // namespace

struct TextStream::State {
  InputFile file;
  std::string part = std::string(kChunk, '\0');
  long max_bytes;
  std::optional<Unpacker> unpacker = {};
  bool begun = false, over = false;

  std::string_view next() { return std::string_view(part).substr(0, file.read(part.data(), kChunk)); }
};

TextStream::TextStream(const std::string& path, long max_bytes)
    : state_(new State{.file = InputFile(path), .max_bytes = max_bytes}) {}

TextStream::~TextStream() = default;

bool TextStream::add_to(std::string& bytes) {
  State& s = *state_;
  if (s.over) return false;
  const std::string_view part = s.next();
  if (!std::exchange(s.begun, true)) {
    if (is_gzip(part)) s.unpacker.emplace(s.file.path(), s.max_bytes);
    if (is_zip(part)) {
      std::string all(part);
      s.file.append_rest(all, kMostFileBytes);
      bytes += unzipped(all, s.file.path(), kMostFileBytes);
      s.over = true;
      return true;
    }
  }
  if (s.unpacker) {
    s.unpacker->add(part, bytes);
  } else {
    bytes += part;
  }
  s.over = part.size() < kChunk;
  if (s.over && s.unpacker) s.unpacker->finish();
  return true;
}

std::string unpacked(std::string_view bytes, const std::string& where, long max_bytes) {
  check_size(where, bytes.size(), max_bytes);
  if (is_zip(bytes)) return unzipped(bytes, where, max_bytes);
  if (!is_gzip(bytes)) return std::string(bytes);
  Unpacker unpacker(where, max_bytes);
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kChunk, bytes.size())))
    unpacker.add(bytes.substr(0, kChunk), text);
  unpacker.finish();
  return text;
}

std::string read_unpacked(const std::string& path, long max_bytes) {
  return read_start(path, std::numeric_limits<std::size_t>::max(), max_bytes).bytes;
}

TextStart read_start(const std::string& path, std::size_t enough, long max_bytes) {
  InputFile file(path, InputFile::Pipes::read);
  std::string first(kChunk, '\0');
  first.resize(file.read(first.data(), first.size()));
  if (is_zip(first)) {
    file.append_rest(first, max_bytes);
    return {unzipped(first, path, max_bytes)};
  }
  if (!is_gzip(first)) {
    if (file.size() <= enough) {  // as is a pipe, which cannot be read again
      file.append_rest(first, max_bytes);
      return {std::move(first)};
    }
    check_size(path, file.size(), max_bytes);
    const std::size_t begun = first.size();
    first.resize(std::max(enough, begun));
    first.resize(begun + file.read(first.data() + begun, first.size() - begun));
    return {.bytes = std::move(first), .whole = false};
  }
  Unpacker unpacker(path, max_bytes);
  TextStart text;
  for (std::size_t got = first.size(); got > 0; got = file.read(first.data(), first.size())) {
    if (text.bytes.size() >= enough && file.size() > 0) {
      text.whole = false;
      return text;
    }
    unpacker.add(std::string_view(first).substr(0, got), text.bytes);
  }
  unpacker.finish();
  return text;
}

}  // namespace glassformer
