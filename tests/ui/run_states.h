// Runs as they can be on screen, and what a person does with them: pictures, sessions and reports.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "engine/files/read_file.h"
#include "tests/ui/built_program.h"
#include "tests/ui/variant_runs.h"

namespace glassformer::run_states {

using variant_runs::run_of;

// Nothing is open but the run, which is kept as it is in the window of a person.
inline OffscreenOptions with_runs() {
  return {.model = "/nowhere/at/all", .keep_runs = true, .threads = 1};
}

inline NewRun small_run(long steps, long validate_every) {
  NewRun run = run_of(steps);
  run.training.validate_every = validate_every;
  return run;
}

// The result is of all that is wanted, at the newest step or the one looked back at.
inline bool still(OffscreenProgram& program) {
  Session& session = program.session();
  const bool shown = program.wait([&] {
    const auto result = session.result();
    const Compared* const two = session.compared();
    return result && !session.working() &&
           (session.looked_back() || !session.snapshot() ||
            result->untouched_snapshot->step == session.snapshot()->step) &&
           (!two || two->second);
  });
  program.frame(30);
  return shown && program.settle();
}

inline void steps_to(OffscreenProgram& program, long step) {
  while (program.session().run().step < step) {
    const long before = program.session().run().step;
    program.session().apply({TrainOneStep{}});
    REQUIRE(program.wait([&] { return program.session().run().step > before; }));
  }
}

inline void to_the_end(OffscreenProgram& program, long steps) {
  program.session().apply({small_run(steps, 4), Train{}});
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::stopped; }));
}

inline void begin_run(OffscreenProgram& program, long validate_every) {
  program.session().apply({small_run(1000, validate_every)});
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::ready; }));
}

inline std::string figure(OffscreenProgram& program, const std::string& view, const std::string& ending) {
  const ScratchFolder scratch;
  const std::string path = scratch.path("figure" + ending);
  program.program().shell().apply({OpenView{view}}, 0);
  program.frame(30);
  REQUIRE(program.settle());
  program.program().shell().apply({SaveFigure{.path = path}}, 0);
  REQUIRE(program.wait([&] { return !program.program().shell().writing(); }));
  return read_file(path);
}

inline void save(OffscreenProgram& program, const std::string& file) {
  program.press(ui::Key::save);
  program.frame(2);
  REQUIRE(program.text("dialog") == "Save session");
  REQUIRE(program.type("Session file", file));
  REQUIRE(program.click("Save the session"));
  program.frame(3);
  CHECK(program.text("session error") == "");
  REQUIRE(std::filesystem::exists(file));
}

inline constexpr const char* kAllHeads = "All heads of the encoder, the decoder and between them";
inline constexpr const char* kOutput = "Output: what it would write at each place";
inline constexpr const char* kTables = "Tokens, embedding, positions, masks";
inline constexpr const char* kWalk = "Walk: a training step, one operation at a time";
inline constexpr const char* kForming = "Heads forming";

// `turned`: what is ticked that was not, or the other way round.
inline void report(OffscreenProgram& program, const std::string& folder,
                   const std::vector<const char*>& turned = {kAllHeads}) {
  program.press(ui::Key::report);
  program.frame(3);
  REQUIRE(program.text("dialog") == "Report");
  REQUIRE(program.type("Report folder", folder));
  for (const char* const label : turned) REQUIRE(program.click(label));
  program.frame(2);
  REQUIRE(program.click("Write the report"));
  REQUIRE(program.wait(
      [&] { return !program.text("report done").empty() || !program.text("report problem").empty(); }));
  CHECK(program.text("report problem") == "");
  program.press(ui::Key::escape);
  program.frame(2);
}

inline bool opens(OffscreenProgram& program) {
  if (!program.wait([&] { return !program.program().shell().opening_session(); })) return false;
  CHECK(program.text("session problem") == "");
  return still(program);
}

// The report's own command lines, run where it lies, make every figure and every number of it again.
inline void made_again(const std::string& folder) {
  const std::string start = "    glassformer render ";
  std::istringstream lines(read_file(folder + "/report.md"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(start)) run_program(line.substr(start.find("render")), folder);
  int made = 0;
  for (const char* const part : {"/figures", "/numbers"})
    for (const auto& entry : std::filesystem::directory_iterator(folder + part)) {
      CAPTURE(entry.path().string());
      const std::string again = folder + "/again-" + entry.path().filename().string();
      REQUIRE(std::filesystem::exists(again));
      const bool same = read_file(entry.path().string()) == read_file(again);  // not both printed whole
      CHECK(same);
      ++made;
    }
  CHECK(made > 0);
}

}  // namespace glassformer::run_states
