#include "engine/files/zip_file.h"

#include <zip.h>

#include <memory>
#include <optional>
#include <vector>

#include "engine/files/json_file.h"
#include "engine/files/packed_size.h"
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

}  // namespace glassformer
