// What the files of this view share, part by part.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/views/common/view.h"
#include "engine/analysis/statistics.h"
#include "engine/model/initial_weights.h"
#include "engine/model/parameter_counts.h"
#include "engine/train/options.h"

namespace glassformer {

// One weight matrix as the Parameters view draws it: small enough for the screen, with its histogram and
// figures. And the tree of blocks that leads to it.

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

// What the inspector and a file say of how a tensor began, before the first step of training.

// The limits of Xavier with their formula and how many numbers lie outside now; of other tensors what they
// begin with. `sheet`: of the weights at this step; null while they are being looked through.
bool is_embedding_table(const std::string& name);  // "source_embedding.weight"
// As a run of these settings begins it: embeddings may be wider, and some of their rows given.
InitialWeights as_begun(InitialWeights begin, const std::string& name, const TrainingOptions& options);
InspectorSection beginning_section(const InitialWeights& begin, long step, const TensorSheet* sheet,
                                   bool given_rows = false);
NumberTable beginning_numbers(const std::string& name, const InitialWeights& begin, const TensorSheet& sheet);

// Every weight of the model: how many there are and where, each matrix as colours and as a histogram, and
// what Adam knows about it while it learns.

class ParametersView : public View {
 public:
  ParametersView();
  std::unique_ptr<View> clone() const override { return std::make_unique<ParametersView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  static bool shows(const CellRef& cell) { return !cell.gradient && is_name_of_parameter(cell.name); }
  bool show_like(const View& first) override {
    tensor_ = dynamic_cast<const ParametersView&>(first).tensor_;
    return true;
  }
  std::string no_difference(const ViewInput& input) const override;

 private:
  struct Parts {
    Rect tree, name, map, figures, learning;
    float row_height = 24;
  };
  static Parts parts(const Rect& area, std::size_t tree_rows);

  std::string open_tensor(const ViewInput& input) const;
  SheetKey sheet_key(const ViewInput& input, SheetKind kind) const;  // without a model: not kept
  SheetCache::Found sheet(const ViewInput& input, SheetKind kind, bool at_once) const;

  void draw_tree(Canvas& canvas, const Rect& part, const std::vector<TreeRow>& rows, float row_height) const;
  void draw_weight(Canvas& canvas, const Parts& at, const ViewInput& input, const TensorSheet& sheet) const;
  void draw_figures(Canvas& canvas, const Rect& part, const ViewInput& input, const TensorSheet& sheet) const;
  void draw_learning(Canvas& canvas, const Rect& part, const ViewInput& input) const;

  std::string tensor_;  // chosen in the tree; empty: the first, or the one of the pinned cell
  std::shared_ptr<std::array<SheetCache, kSheetKinds.size()>> caches_;  // shared with copies
};

}  // namespace glassformer
