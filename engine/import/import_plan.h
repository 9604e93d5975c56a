// What becomes of a file that another program wrote: the settings of the model, and of which of the file's
// tensors each of its own is made.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/import/foreign_tensors.h"
#include "engine/model/config.h"

namespace glassformer {

// How a tensor of the model is made of the file's.
enum class TensorForm {
  same,          // the numbers unchanged; a row (1 x n) serves as a vector
  transposed,    // inputs x outputs, as Marian has them
  spread,        // one number for all, as early versions of a tutorial's norm have it
  one_row_more,  // and a row of zeros after the last
  transposed_one_row_more,
  first_rows,  // of a longer table
};

struct TensorSource {
  std::vector<std::string> from;  // without the file's prefix; several are stacked by rows, in this order
  TensorForm form = TensorForm::same;
  double factor = 1;  // that the numbers are multiplied by
};

struct ImportPlan {
  struct Assumed {
    std::string key;
    nlohmann::json value;
    std::string why;
  };
  struct Note {
    std::string name, why;
  };
  struct Change {
    std::string_view what;  // a literal
    double error = 0;       // relative
  };

  std::string kind;  // "annotated-transformer"
  Config config;
  bool own = false;  // an export of this program: its tensors have the model's names
  std::map<std::string, TensorSource> sources;  // by the names of the model
  std::vector<std::string> positions;  // tables of the file, the source's first: checked against the formula
  std::vector<Assumed> assumed;
  std::vector<Note> ignored;
  std::vector<Change> changed;
  nlohmann::json suggested = nlohmann::json::object();  // "beam", "alpha"
};

// What a person says of a model beside its files.
struct ImportOptions {
  std::map<std::string, std::string> settings;       // keys of config.json: they win
  std::string source_vocabulary, target_vocabulary;  // files; empty: as the folder has them
  std::vector<std::string> ignored_prefixes;         // of tensors
};

// A file or folder as found.
struct ForeignModel {
  ForeignTensors weights;
  std::string folder;         // that it lies in
  nlohmann::json config;      // config.json beside the weights; null: there is none
  nlohmann::json generation;  // generation_config.json likewise

  bool has(std::string_view name) const { return weights.tensors.contains(name); }
  // Throws Error when it is missing.
  const ForeignTensor& at(const std::string& name) const;
  int rows(const std::string& name) const;     // of a matrix, else Error
  int columns(const std::string& name) const;  // likewise
  // Layers whose names begin with `prefix` and their number from `first` on. Throws Error on a gap, and
  // where there is none.
  int layers(const std::string& prefix, int first = 0) const;
};

// A kind of file that is read.
struct ImportKind {
  std::string_view name;   // in reports: "annotated-transformer"
  std::string_view words;  // "The Annotated Transformer"
  bool (*is)(const ForeignModel&);
  // Throws Error where the file asks for what is not computed here.
  ImportPlan (*plan)(const ForeignModel&, const ImportOptions&);
};
extern const ImportKind kTutorial;   // "Language Translation with nn.Transformer", pytorch.org
extern const ImportKind kAnnotated;  // The Annotated Transformer, Harvard NLP
extern const ImportKind kHkproj;     // hkproj/pytorch-transformer
extern const ImportKind kMarianMt;   // MarianMT in Hugging Face's layout
extern const ImportKind kMarianNpz;  // Marian's own
extern const ImportKind kOwnExport;  // of this program: config.json and a file of weights

// The kind of a report in words.
std::string_view import_kind_words(std::string_view name);

// Of the kind that it is. Throws Error in one sentence where it is none: what it is, and why not.
ImportPlan plan_import(const ForeignModel& model, const ImportOptions& options);

}  // namespace glassformer
