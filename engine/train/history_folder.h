// The kept steps of a run as files: history/STEP.safetensors in its folder, each whole or not there at all.
// A kill between two of them loses steps to look back at, never the run.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "engine/files/owned_folder.h"
#include "engine/train/history.h"
#include "engine/train/run_folder.h"

namespace glassformer {

// Makes the files those of the history. `written`: the steps whose files are this run's already; others of
// this program that lie there go, and what is new is added to it. Throws Error when a file cannot be written,
// or is somebody's.
template <class Model>
void write_history(const HistoryOf<Model>& history, OwnedFolder& folder, std::set<long>& written);

// "history/120.safetensors": 120.
std::optional<long> history_step(std::string_view name);

// What lies there of steps up to `last`; their numbers are read when they are asked for. Files that are not
// named like a step are passed over; no folder, or a link to one, is an empty history.
template <class Model>
typename HistoryOf<Model>::Kept read_history(const std::string& folder, const ConfigOf<Model>& config,
                                             long last);

}  // namespace glassformer
