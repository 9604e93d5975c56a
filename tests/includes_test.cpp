// The house rules that the sources themselves show: who may include whom, and
// no class in more than two sources.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/source_folder.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = source_folder();
// Each folder of the engine may include itself and those before it.
const std::array<std::string, 11> kLadder = {"math",   "files",     "text",  "layers", "model", "analysis",
                                             "decode", "recurrent", "train", "import", "export"};

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

namespace {

// The app's floors. Folders of views are side by side; so do the sources that
// lie in app itself.
const std::array<std::string, 20> kFloors = {
    "format", "scene",   "theme",     "fonts",        "canvas",       "widgets", "session",
    "ui",     "reading", "inspector", "views/common", "views/a view", "views",   "lessons",
    "figure", "report",  "panels",    "the window",   "commands",     "main.cpp"};

std::string floor_of(const fs::path& path) {  // relative to app
  const std::vector<std::string> parts(path.begin(), path.end());
  if (parts.size() == 1) return parts[0] == "main.cpp" ? parts[0] : "the window";
  if (parts[0] != "views") return parts[0];
  if (parts.size() == 2) return "views";
  return parts[1] == "common" ? "views/common" : "views/a view";
}

long height(const std::string& floor) {
  return std::find(kFloors.begin(), kFloors.end(), floor) - kFloors.begin();
}

}  // namespace

TEST_CASE(
    "inside the app each floor includes only itself and those below it, "
    "and no view another") {
  const auto includes = includes_below(kRoot / "app");
  REQUIRE(includes.size() > 500);
  for (const Include& include : includes) {
    INFO(include.file.string() << " includes " << include.target);
    const fs::path from = fs::relative(include.file, kRoot / "app");
    if (from.filename() == "precompiled.h") continue;  // for the compiler alone
    if (include.target.starts_with("engine/")) continue;
    REQUIRE(include.target.starts_with("app/"));
    const fs::path to = fs::path(include.target).lexically_relative("app");
    const std::string below = floor_of(to), above = floor_of(from);
    REQUIRE(height(below) < static_cast<long>(kFloors.size()));
    REQUIRE(height(above) < static_cast<long>(kFloors.size()));
    CHECK(height(below) <= height(above));
    if (below == "views/a view" && above == below) CHECK(to.parent_path() == from.parent_path());
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

namespace {

// By class, as written in front of "::" (names of functions are at the
// beginning of a line), the sources that define functions of it.
std::map<std::string, std::set<fs::path>> sources_of_classes() {
  const std::regex definition(R"(^(?![ #}/])[^=;]*?((?:[A-Z]\w*(?:<\w+>)?::)+)~?\w+\()");
  std::map<std::string, std::set<fs::path>> found;
  for (const char* const part : {"app", "engine"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / part)) {
      if (entry.path().extension() != ".cpp") continue;
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);)
        if (std::regex_search(line, match, definition)) found[match[1]].insert(entry.path());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("no class has its functions in more than two sources") {
  const auto classes = sources_of_classes();
  REQUIRE(classes.size() > 100);
  REQUIRE(classes.at("RunDesk::").size() == 2);
  for (const auto& [name, sources] : classes) {
    const auto& this_name = name;
    INFO(this_name);
    CHECK(sources.size() <= 2);
  }
}

TEST_CASE("what another system or a build without Cairo has to replace lies in one source each") {
  const std::map<std::string, std::set<std::string>> seams = {
      {"EGL/", {"app/gl_context.cpp"}},
      {"cairo", {"app/canvas/cairo_file_canvas.cpp"}},
      {"fontconfig/", {"app/canvas/cairo_file_canvas.cpp", "app/fonts/font_files.cpp"}},
      {"sys/file.h", {"engine/files/folder_lock.cpp"}},
      {"sys/resource.h", {"app/session/priority.cpp"}},
      {"sched.h", {"app/session/priority.cpp"}}};
  std::map<std::string, std::set<std::string>> found;
  for (const char* const part : {"app", "engine"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / part)) {
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);)
        for (const auto& [header, sources] : seams)
          if (line.starts_with("#include <" + header))
            found[header].insert(fs::relative(entry.path(), kRoot).string());
    }
  }
  CHECK(found == seams);
}
