#include "engine/import/zip_archive.h"

#include <zip.h>

#include <algorithm>
#include <span>

#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 32;  // of all files together, unpacked
constexpr zip_int64_t kMostEntries = 1 << 17;

// Inside is no way to a file outside.
bool is_plain(std::string_view name) {
  if (name.starts_with('/') || name.find('\\') != name.npos) return false;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    if (name.substr(at, end - at) == "..") return false;
    at = end + 1;
  }
  return true;
}

std::string lower(std::string_view name) {
  std::string result(name);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

}  // namespace

struct ZipArchive::Library {
  struct Close {
    void operator()(zip_t* open) const { zip_discard(open); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
  };
  std::unique_ptr<zip_t, Close> archive;
};

ZipArchive::ZipArchive(const std::string& path) : path_(path), library_(std::make_unique<Library>()) {
  const InputFile regular(path);  // no pipe, no device
  int error = 0;
  library_->archive.reset(zip_open(path.c_str(), ZIP_RDONLY, &error));
  if (!library_->archive)
    throw Error(path, "the zip archive is damaged or cut off; download or save it anew");
  const zip_int64_t count = zip_get_num_entries(library_->archive.get(), 0);
  if (count > kMostEntries)
    throw Error(path, "the zip archive holds " + std::to_string(count) + " files, more than any model");
  for (zip_int64_t i = 0; i < count; ++i) add(static_cast<std::uint64_t>(i));
  std::size_t bytes = 0;
  for (const auto& [name, entry] : entries_)
    if (entry.size > kMostBytes || (bytes += entry.size) > kMostBytes)
      throw Error(path, "the zip archive announces more than " + std::to_string(kMostBytes >> 30) + " GB");
}

ZipArchive::~ZipArchive() = default;

void ZipArchive::add(std::uint64_t index) {
  zip_stat_t about;
  if (zip_stat_index(library_->archive.get(), index, ZIP_FL_ENC_RAW, &about) != 0 || about.name == nullptr ||
      (about.valid & ZIP_STAT_SIZE) == 0 || (about.valid & ZIP_STAT_COMP_SIZE) == 0)
    throw Error(path_, "the zip archive is damaged or cut off; download or save it anew");
  const std::string name = about.name;
  if (!is_plain(name))
    throw Error(path_, "its entry " + shown(name) + " names a file outside of the archive; nothing was read");
  if (name.ends_with('/') || lower(name).starts_with("__macosx/")) return;
  refuse_bomb(path_ + ", entry " + shown(name), static_cast<std::size_t>(about.size),
              static_cast<std::size_t>(about.comp_size));
  const bool fresh =
      entries_.insert({lower(name), {name, index, static_cast<std::size_t>(about.size)}}).second;
  if (!fresh) throw Error(path_, "the entry " + shown(name) + " is in it twice; the file is damaged");
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
  const auto found = entries_.find(lower(name));
  return found == entries_.end() ? nullptr : &found->second;
}

// An entry that is being unpacked.
struct ZipArchive::OpenEntry {
  OpenEntry(const ZipArchive& archive, const Entry& entry)
      : where(archive.path_ + ", entry " + shown(entry.name)),
        file(zip_fopen_index(archive.library_->archive.get(), entry.index, 0)) {
    if (!file)
      throw Error(where, "it is locked or packed in a way that is not known here; save the model anew");
  }
  // As many as `to` has room for, fewer at the end.
  std::size_t read(std::span<char> to) const {
    std::size_t have = 0;
    while (have < to.size()) {
      const zip_int64_t got = zip_fread(file.get(), to.data() + have, to.size() - have);
      if (got < 0)
        throw Error(where, zip_error_code_zip(zip_file_get_error(file.get())) == ZIP_ER_CRC
                               ? "its checksum is wrong; the file is damaged"
                               : "it cannot be unpacked; the file is damaged or cut off");
      if (got == 0) break;
      have += static_cast<std::size_t>(got);
    }
    return have;
  }

  std::string where;
  std::unique_ptr<zip_file_t, Library::Close> file;
};

std::string ZipArchive::read(const Entry& entry) const {
  const OpenEntry open(*this, entry);
  std::string bytes(entry.size, '\0');
  if (open.read(bytes) != bytes.size())
    throw Error(open.where, "it ends early; the file is damaged or cut off");
  // The checksum is compared by the read that finds the end.
  if (char more = 0; open.read({&more, 1}) != 0)
    throw Error(open.where, "it unpacks to more than the archive says; the file is damaged");
  return bytes;
}

std::string ZipArchive::beginning(const Entry& entry, std::size_t most) const {
  std::string bytes(std::min(entry.size, most), '\0');
  bytes.resize(OpenEntry(*this, entry).read(bytes));
  return bytes;
}

}  // namespace glassformer
