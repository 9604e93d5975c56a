#include "app/session/paths.h"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

fs::path home() {
  const char* folder = std::getenv("HOME");
  return folder != nullptr && *folder != '\0' ? fs::path(folder) : fs::temp_directory_path();
}

// XDG: a relative value counts as unset.
fs::path xdg(const char* variable, const char* fallback) {
  const char* folder = std::getenv(variable);
  if (folder != nullptr && fs::path(folder).is_absolute()) return fs::path(folder) / "glassformer";
  return home() / fallback / "glassformer";
}

std::vector<fs::path> program_roots() {
  std::vector<fs::path> roots;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    const fs::path above = program.parent_path().parent_path();
    roots.push_back(above);                            // build/glassformer
    roots.push_back(above / "share" / "glassformer");  // prefix/bin/glassformer
  }
  roots.emplace_back(GLASSFORMER_SOURCE_DIR);
  return roots;
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

// Blanks around it and one pair of quotes, as a terminal or a file manager copies a path.
std::string without_quotes(const std::string& typed) {
  constexpr std::pair<std::string_view, std::string_view> kQuotes[] = {{"\"", "\""}, {"'", "'"}, {"“", "”"}};
  std::string_view path = trimmed(typed);
  for (const auto& [open, close] : kQuotes) {
    if (path.size() < open.size() + close.size() || !path.starts_with(open) || !path.ends_with(close))
      continue;
    path.remove_prefix(open.size());
    path.remove_suffix(close.size());
    break;
  }
  return std::string(path);
}

// "file:///home/a%20b" is "/home/a b". Of another machine, or with a sign that is not written right:
// unchanged.
std::string path_of_address(const std::string& address) {
  std::string_view rest = std::string_view(address).substr(std::string_view("file:").size());
  if (rest.starts_with("//localhost/")) rest.remove_prefix(std::string_view("//localhost").size());
  if (rest.starts_with("///")) rest.remove_prefix(2);
  if (!rest.starts_with('/') || rest.starts_with("//")) return address;
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    unsigned byte = 0;
    if (rest[i] != '%') {
      path += rest[i];
      continue;
    }
    const std::string_view digits = rest.substr(i + 1, 2);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() < 2 || read.ptr != digits.data() + 2 || byte == 0) return address;
    path += static_cast<char>(byte);
    i += 2;
  }
  return path;
}

}  // namespace

fs::path program_file(const std::string& relative) {
  for (const fs::path& root : program_roots()) {
    if (is_there(root / relative)) return root / relative;
  }
  throw Error(relative,
              "this part of the program is missing; run app/run from a complete copy of Glassformer");
}

std::string resolved(const std::string& path) {
  const fs::path wanted = expanded(path);
  if (path.empty() || is_there(wanted) || wanted.is_absolute()) return wanted.string();
  for (const fs::path& root : program_roots()) {
    if (is_there(root / wanted)) return (root / wanted).string();
  }
  return wanted.string();
}

fs::path ready_file(const std::string& name) {
  for (const fs::path& root : program_roots()) {
    if (is_there(root / "ready" / name)) return root / "ready" / name;
  }
  return fs::path(GLASSFORMER_READY) / name;
}

fs::path own_fonts() {
  for (const fs::path& root : program_roots()) {
    if (is_there(root / "fonts" / "fonts.conf")) return root / "fonts" / "fonts.conf";
  }
  return {};
}

fs::path settings_file() {
  return xdg("XDG_CONFIG_HOME", ".config") / "settings.json";
}

fs::path cache_folder() {
  return xdg("XDG_CACHE_HOME", ".cache");
}

fs::path plain_path(const fs::path& path) {
  std::error_code failed;
  const fs::path plain = fs::weakly_canonical(path, failed);
  return failed ? path : plain;
}

fs::path runs_folder() {
  return plain_path(xdg("XDG_DATA_HOME", ".local/share") / "runs");
}

std::string expanded(const std::string& typed) {
  const std::string path = is_there(typed) ? typed : without_quotes(typed);
  if (path.starts_with("file:")) return path_of_address(path);
  if (path == "~") return home().string();
  if (path.starts_with("~/")) return (home() / path.substr(2)).string();
  return path;
}

}  // namespace glassformer
