#include "engine/export/pytorch_export.h"

#include <nlohmann/json.hpp>

#include "engine/export/export_folder.h"
#include "engine/files/read_file.h"
#include "engine/model/config_json.h"
#include "engine/model/weights_file.h"

namespace glassformer {

void export_pytorch(const Checkpoint& model, const std::string& scripts, const std::string& folder) {
  write_export(folder, [&](OwnedFolder& to) {
    for (const char* const script : {"model.py", "load.py"})
      to.write_unless_changed(script, read_file(scripts + "/" + script));
    to.write_unless_changed("config.json", all_keys(model.snapshot.config).dump(1) + "\n");
    save_tokenizers(to, model.tokenizers);
    std::vector<TensorToWrite> tensors;
    add_tensors(tensors, "", *model.snapshot.weights);
    write_exported_weights(to, std::move(tensors));
  });
}

}  // namespace glassformer
