// What views and panels ask for. They never change the session themselves: they push commands, which the session
// carries out after the frame.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "app/session/scene.h"
#include "app/session/selection.h"

namespace glassformer {

struct OpenView { std::string view; };                         // a name of the view table
struct SetHover { Selection selection; };                      // lasts while the mouse stays
struct SetPin { Selection selection; };                        // a click: becomes the selection
struct ClearPin {};
struct SetSource { std::string text; };                        // undoable, as all Scene changes are
struct SetTarget { std::optional<std::string> text; };
struct SetWhatIf { WhatIf what_if; };
struct SetDecode { DecodeOptions options; };
struct ShowDecodeStep { int steps; };                          // how many output tokens are shown; -1: all
struct Undo {};
struct Redo {};
struct Train {};                                               // start or go on
struct PauseTraining {};
struct TrainOneStep {};
struct ResetTraining { bool new_seed = false; };
struct SetLearning { double rate_factor = 1, dropout = -1, smoothing = -1, clip = -1; };  // while running; -1: as it is
struct OpenModel { std::string folder; };
struct OpenDialog { std::string name; };                       // "new model", "open model", "open corpus", "save figure", "keys", ...
struct SaveFigure { std::string path; double scale = 2; bool white = true; };
struct CopyText { std::string text; };

using Command = std::variant<OpenView, SetHover, SetPin, ClearPin, SetSource, SetTarget, SetWhatIf, SetDecode, ShowDecodeStep,
                             Undo, Redo, Train, PauseTraining, TrainOneStep, ResetTraining, SetLearning, OpenModel,
                             OpenDialog, SaveFigure, CopyText>;

using Commands = std::vector<Command>;

}  // namespace glassformer
