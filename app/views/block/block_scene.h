// What one block (a layer of the encoder or the decoder) is drawn from: its steps in the order in which they
// are made, without the inside of the heads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/reading/step_reader.h"
#include "engine/model/names.h"
#include "engine/model/steps/step_values.h"

namespace glassformer {

enum class BlockWork { attend, add, norm, expand, activate, contract };

struct BlockStage {
  BlockWork work;
  const Step* step;  // of the scene's steps
  ValueName value;   // what it gives
  int sublayer() const { return step->place.sublayer; }
};

// The row and, where it has one, the column of the number that is looked at.
struct BlockFocus {
  std::string name;
  Extent words = Extent::source;  // what its row counts
  int row = 0;
  std::optional<int> column = {};
};

struct BlockScene {
  BlockScene(const ViewInput& input, StepLists& lists);

  StepReader reader;
  Selection shown;  // inside the model and the sentence
  bool encoder = false;
  int layer = 0;
  Operand stream;  // what the block reads
  std::vector<BlockStage> stages;
  std::optional<BlockFocus> focus;   // hovered or pinned
  std::optional<BlockFocus> pinned;  // large matrices show what lies around it

  const BlockStage& at(int stage) const { return stages[static_cast<std::size_t>(stage)]; }
  int count() const { return static_cast<int>(stages.size()); }
  // The stage that makes this value, of whatever layer, or one of the attention or the feed-forward that it
  // lies in.
  std::optional<int> stage_of(const ValueName& value) const;
  // The stage whose result this is; -1: the stream below the block.
  int made_by(const Operand& operand) const;
  // The attention whose heads an attending stage joins.
  AttentionKind kind(const BlockStage& stage) const;

  std::string short_name(const BlockStage& stage) const;  // "× W_1"
  std::string title(const BlockStage& stage) const;       // "First product"
  std::string sublayer_name(int sublayer) const;          // "Feed-forward"
  std::string place() const;                              // "decoder, layer 1"
  // Of the word looked at, among the rows of this operand.
  std::optional<int> lit_row(const Operand& operand) const;

  // The numbers of a value of the Trace, real rows alone.
  Plane plane(const Operand& operand) const;
};

}  // namespace glassformer
