// A folder for others to read, whole or not at all.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/files/owned_folder.h"
#include "engine/files/safetensors.h"

namespace glassformer {

// One of these is in every export, and none in another folder of ours.
inline constexpr const char *kExportedWeights = "model.safetensors", *kExportedEncoder = "encoder.onnx",
                            *kTrainingScript = "train.py";

// Has `fill` write the files, and puts them there as one: an error leaves what was there. Where something is
// there it must be an older export as it was written, nothing added: else Error, before anything is written.
// What people may edit `fill` writes by write_unless_changed().
void write_export(const std::string& folder, const std::function<void(OwnedFolder&)>& fill);

// Of `fill`: model.safetensors, which somebody may train on with and save under its name.
void write_exported_weights(OwnedFolder& to, std::vector<TensorToWrite> tensors);

}  // namespace glassformer
