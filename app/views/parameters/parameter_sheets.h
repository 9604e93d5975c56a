// One weight matrix as the Parameters view draws it: small enough for the screen, with its histogram and
// figures. And the tree of blocks that leads to it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/views/common/view.h"
#include "engine/model/initial_weights.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/parameters.h"
#include "engine/model/statistics.h"

namespace glassformer {

// The weights, and what belongs to each of them while it learns.
enum class SheetKind { weight, gradient, first_moment, second_moment };
inline constexpr std::array kSheetKinds{SheetKind::weight, SheetKind::gradient, SheetKind::first_moment,
                                        SheetKind::second_moment};
const char* sheet_title(SheetKind kind);  // "Weight", "Gradient", "Adam's m", "Adam's v"

struct TensorSheet {
  int rows = 0, columns = 0;  // of the tensor itself
  Pooled picture;
  Histogram histogram;
  Summary summary;
  double limit = 0;  // of Xavier, where these are weights that began by it: marked on the histogram
  long outside = 0;  // numbers beyond it
};

// Which sheet: the model that holds the numbers (kept alive by the key), and the tensor's name. Beside
// another model the colours and the histograms of both end alike; or the other's numbers less these are
// meant. Of weights the histogram has room for the limits that they began within.
struct SheetKey {
  std::shared_ptr<const Transformer<float>> model = {};
  std::string name = {};
  std::shared_ptr<const Transformer<float>> beside = {};
  bool difference = false;
  bool weights = true;  // false: gradients or moments
  bool operator==(const SheetKey&) const = default;
};
using SheetCache = Background<SheetKey, TensorSheet>;

// Null when the snapshot does not keep this kind.
std::shared_ptr<const Transformer<float>> sheet_model(const Snapshot& snapshot, SheetKind kind);
// The tensor of that name, when the model has it.
std::optional<ParameterView> find_parameter(const Transformer<float>& model, const std::string& name);
// Of two tensors of one shape.
std::vector<float> tensor_difference(const SheetKey& key);
// How it began. Nothing for a name that the model does not have.
std::optional<InitialWeights> beginning_of(const Transformer<float>& model, const std::string& name);
// `most_cells` along a side of its picture.
TensorSheet make_sheet(const SheetKey& key, int most_cells = 256);

// "0 %", "34.2 %": of its numbers beyond the limits.
std::string share_outside(const TensorSheet& sheet);

// A line of the tree: a part of the model, a block of it, or a tensor. The part and the block of the open
// tensor are open; choosing a closed one opens its first tensor.
struct TreeRow {
  int level = 0;
  std::string title;
  std::string tensor;  // what choosing this line opens
  long count = 0;
  bool open = false;  // holds the open tensor
  bool leaf = false;  // is a tensor itself
};
std::vector<TreeRow> parameter_tree(const Config& config, const std::string& open_tensor);
// "query, key, value", "from hidden": what a tensor does.
std::string tensor_role(const std::string& name);
// The block that holds a tensor.
std::optional<ParameterBlock> block_of(const Config& config, const std::string& tensor);

}  // namespace glassformer
