#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>

#include "tests/session/session_helpers.h"

namespace glassformer {

namespace {

std::optional<Home> current;

struct HomeOfEachTest : doctest::IReporter {
  explicit HomeOfEachTest(const doctest::ContextOptions&) {}
  void test_case_start(const doctest::TestCaseData&) override { renew_home(); }
  void test_case_reenter(const doctest::TestCaseData&) override { renew_home(); }
  void test_case_end(const doctest::CurrentTestCaseStats&) override { current.reset(); }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("home", 1, HomeOfEachTest);

}  // namespace

const Home& home_of_test() {
  return *current;
}

const Home& renew_home() {
  current.emplace();
  setenv("XDG_CONFIG_HOME", current->scratch.path("config").c_str(), 1);
  setenv("XDG_DATA_HOME", current->scratch.path("data").c_str(), 1);
  return *current;
}

}  // namespace glassformer
