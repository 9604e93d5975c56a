#include "engine/math/error.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <new>
#include <string>
#include <system_error>
#include <vector>

TEST_CASE("an error says where it happened before what happened") {
  const glassformer::Error error("config.json", "heads must divide d_model, found 3 and 16");
  CHECK(std::string(error.what()) == "config.json: heads must divide d_model, found 3 and 16");
}

TEST_CASE("what the library throws is told as path and reason, or that memory is short") {
  namespace fs = std::filesystem;
  const auto said = [](const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& error) {
      return glassformer::failure_words(error);
    }
    return std::string();
  };
  CHECK(said([] { (void)fs::file_size(fs::path("/") / std::string(300, 'n')); }) ==
        "/" + std::string(300, 'n') + ": File name too long");
  CHECK(said([] { fs::directory_iterator("/nowhere at all"); }) ==
        "/nowhere at all: No such file or directory");
  CHECK(said([] { throw std::bad_alloc(); }).starts_with("memory is short: "));
  CHECK(said([] {
          std::vector<int>().reserve(std::vector<int>().max_size() + 1);
        }).starts_with("memory is short: "));
  CHECK(said([] {
          throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
        }).find("no more threads") != std::string::npos);
  CHECK(said([] { throw glassformer::Error("a", "b"); }) == "a: b");
}
