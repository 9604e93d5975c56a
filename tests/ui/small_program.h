// The whole program without a display, with a small model of its own, for tests that click and type.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "app/offscreen.h"
#include "engine/model/checkpoint.h"
#include "tests/scratch_folder.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/text_checks.h"

namespace glassformer {

// A small seeded model with words of its own, written where the program can open it.
inline std::string model_folder(const ScratchFolder& scratch, const SampleOptions& options = {}) {
  const SampleScene scene = make_sample_scene(options);
  const std::string folder = scratch.path("small");
  std::filesystem::create_directories(folder);
  save_model(folder, *scene.snapshot, scene.tokenizers);
  return folder;
}

// What a person does, and the frames in which the screen answers.
inline void click(OffscreenProgram& program, const std::string& label, bool control = false) {
  REQUIRE_MESSAGE(program.click(label, control), label);
  program.frame(3);
}
inline void type(OffscreenProgram& program, const std::string& field, const std::string& text) {
  REQUIRE_MESSAGE(program.type(field, text), field);
  program.frame(3);
}
template <class Key>
void press(OffscreenProgram& program, Key key) {
  program.press(key);
  program.frame(3);
}
inline void apply(OffscreenProgram& program, const Commands& commands) {
  program.program().shell().apply(commands, 0);
  program.frame(3);
}
inline void settle(OffscreenProgram& program) {
  REQUIRE(program.settle());
  program.frame(3);
}

// Nothing is being worked out any more when it is there.
struct SettledProgram : OffscreenProgram {
  explicit SettledProgram(const OffscreenOptions& options) : OffscreenProgram(options) {
    REQUIRE(settle());
    frame(3);
  }
};

// And back on the stage, where letters are keys.
inline void translate(OffscreenProgram& program, const std::string& sentence) {
  REQUIRE(program.type("Source sentence", sentence));
  program.press(ui::Key::enter);
  program.press(ui::Key::escape);
  REQUIRE(program.settle());
}

// Open, with a sentence translated.
inline void begin(OffscreenProgram& program) {
  REQUIRE(program.settle());
  translate(program, "the cat sees a bird");
}

// That small model is open, and a sentence translated.
class SmallProgram : private ScratchFolder, public OffscreenProgram {
 public:
  explicit SmallProgram(const OffscreenOptions& options = {}) : OffscreenProgram(on_small(options)) {
    begin(*this);
  }

 private:
  OffscreenOptions on_small(OffscreenOptions options) const {
    options.model = model_folder(*this);
    return options;
  }
};

// The model that ships, which names its languages.
inline void begin_bundled(OffscreenProgram& program) {
  REQUIRE(program.settle());
  REQUIRE(program.type("English sentence", "the tired girl sees a red car"));
  program.press(ui::Key::enter);
  program.press(ui::Key::escape);
  REQUIRE(program.settle());
}

}  // namespace glassformer
