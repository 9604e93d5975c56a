// How fast the window answers to somebody who looks: at every step of the Walk, and back through a training.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/benchmark/run.h"

namespace glassformer {

// trace_ms: everything a Scene of 32 source and 32 target words needs, forward, translation and every
// gradient. steps and frame: the Walk of a fresh model of this preset, Right held down from its first step to
// its last, in a window of 1600 x 1000. Throws Error when this machine cannot draw.
nlohmann::json bench_walk(const BenchRun& options);

// A run that learned for `seconds`, dragged from its first kept step to its newest: from asking for a step
// until the window shows its attention and its translation. Throws Error when this machine cannot draw.
nlohmann::json bench_slider(const BenchRun& options);

// The model that comes with the program, each of its heads muted in turn: from the change until the window
// shows what it did, with nothing else under way and while it trains. Throws Error when this machine cannot
// draw.
nlohmann::json bench_change(const BenchRun& options);

// The model that comes with the program, Train pressed at once and again after its data were made ready: from
// the press until the first step of a fresh model is there. Throws Error when this machine cannot draw.
nlohmann::json bench_begin(const BenchRun& options);
// From the beginning of the program until its first picture is drawn whole, with the whole window and with
// the first screen; the graphics context's own time by itself, and what a frame takes afterwards to build;
// model_ms: opening the model that comes along with every step that is kept of it; studies_ms: what
// the view of studies reads.
nlohmann::json bench_start(const BenchRun& options);
// A report of six figures, written while the window is looked at: how long it takes, and the frames
// meanwhile.
nlohmann::json bench_report(const BenchRun& options);
// From the click in the list until the first page of each lesson is on its card.
nlohmann::json bench_lessons(const BenchRun& options);

}  // namespace glassformer
