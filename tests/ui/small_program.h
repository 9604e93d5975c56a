// The whole program without a display, with a small model of its own, for tests that click and type.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "app/offscreen.h"
#include "engine/model/checkpoint.h"
#include "tests/scratch_folder.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {

// A small seeded model with words of its own, written where the program can open it.
inline std::string model_folder(const ScratchFolder& scratch, const SampleOptions& options = {}) {
  const SampleScene scene = make_sample_scene(options);
  const std::string folder = scratch.path("small");
  std::filesystem::create_directories(folder);
  save_model(folder, *scene.snapshot, scene.tokenizers);
  return folder;
}

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

// The model that ships, which names its languages.
inline void begin_bundled(OffscreenProgram& program) {
  REQUIRE(program.settle());
  REQUIRE(program.type("English sentence", "the tired girl sees a red car"));
  program.press(ui::Key::enter);
  program.press(ui::Key::escape);
  REQUIRE(program.settle());
}

}  // namespace glassformer
