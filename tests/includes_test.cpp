// The house rule of who may include whom, read off the sources themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/source_folder.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = source_folder();
// Each folder of the engine may include itself and those before it.
const std::array<std::string, 7> kLadder = {"math", "files", "text", "layers", "model", "decode", "train"};

struct Include {
  fs::path file;
  std::string target;  // as written: "engine/math/error.h"
};

std::vector<Include> includes_below(const fs::path& folder) {
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const std::string start = "#include \"";
      if (line.starts_with(start))
        found.push_back({entry.path(), line.substr(start.size(), line.rfind('"') - start.size())});
    }
  }
  return found;
}

long rung(const std::string& folder) {
  return std::find(kLadder.begin(), kLadder.end(), folder) - kLadder.begin();
}

}  // namespace

TEST_CASE("the engine never includes the app") {
  const auto includes = includes_below(kRoot / "engine");
  REQUIRE(includes.size() > 50);
  for (const Include& include : includes) {
    INFO(include.file.string() << " includes " << include.target);
    CHECK(include.target.starts_with("engine/"));
  }
}

TEST_CASE("inside the engine each folder includes only itself and those before it") {
  for (const Include& include : includes_below(kRoot / "engine")) {
    const fs::path from = fs::relative(include.file, kRoot / "engine"),
                   to = fs::path(include.target).lexically_relative("engine");
    INFO(include.file.string() << " includes " << include.target);
    REQUIRE(rung(from.begin()->string()) < static_cast<long>(kLadder.size()));
    REQUIRE(rung(to.begin()->string()) < static_cast<long>(kLadder.size()));
    CHECK(rung(to.begin()->string()) <= rung(from.begin()->string()));
  }
}

TEST_CASE("the engine knows no window, no drawing and no command line") {
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "engine")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("#include <")) continue;
      INFO(entry.path().string() << ": " << line);
      for (const char* library : {"imgui", "GLFW", "cairo", "fontconfig", "CLI/", "EGL", "GL/"}) {
        CHECK(line.find(library) == std::string::npos);
      }
    }
  }
}
