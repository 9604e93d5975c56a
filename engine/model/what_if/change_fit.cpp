#include "engine/model/what_if/change_fit.h"

#include <algorithm>

#include "engine/model/transformer.h"
#include "engine/model/what_if/change_text.h"

namespace glassformer {

namespace {

constexpr const char* kSwappedWithItself = "a place that is swapped with itself stays as it is";

std::string no_such(const std::string& what, int most, const std::string& found) {
  return "this model has " + std::to_string(most) + " " + what + "; there is no " + found;
}

std::string block_misfit(const Change& change, const ChangeFit& fit) {
  const Config& config = fit.model.config;
  const int layers = change.block.encoder ? config.encoder_layers : config.decoder_layers;
  if (change.block.layer < layers) return "";
  return no_such(change.block.encoder ? "encoder layers" : "decoder layers", layers,
                 "layer " + counted(change.block.layer));
}

std::string place_misfit(int place, int length) {
  if (length == 0 || place < length) return "";
  return "the sentence has " + std::to_string(length) + " places; there is no place " + std::to_string(place);
}

int row_length(const Change& change, const ChangeFit& fit) {
  const auto kind = attention_of(change.block);
  const bool source = kind ? kind == AttentionKind::encoder : change.block.encoder;
  return source ? fit.source_length : fit.target_length;
}
int column_length(const Change& change, const ChangeFit& fit) {
  return kind_of(change) == AttentionKind::decoder ? fit.target_length : fit.source_length;
}

}  // namespace

std::string sub_block_misfit(const Change& change, const ChangeFit& fit) {
  if (const std::string wrong = block_misfit(change, fit); !wrong.empty()) return wrong;
  return place_misfit(change.row, row_length(change, fit));
}
std::string head_misfit(const Change& change, const ChangeFit& fit) {
  const int heads = fit.model.config.heads;
  if (change.head >= heads) return no_such("heads", heads, "head " + counted(change.head));
  return sub_block_misfit(change, fit);
}
std::string unit_misfit(const Change& change, const ChangeFit& fit) {
  const int units = fit.model.config.d_ff;
  if (change.unit >= units) return no_such("hidden units", units, "unit " + counted(change.unit));
  return sub_block_misfit(change, fit);
}
std::string weight_misfit(const Change& change, const ChangeFit& fit) {
  if (const std::string wrong = head_misfit(change, fit); !wrong.empty()) return wrong;
  return place_misfit(change.column, column_length(change, fit));
}
std::string row_misfit(const Change& change, const ChangeFit& fit) {
  if (const std::string wrong = head_misfit(change, fit); !wrong.empty()) return wrong;
  const int keys = column_length(change, fit), given = static_cast<int>(change.weights.size());
  if (keys == 0 || kind_of(change) == AttentionKind::decoder) return "";
  const int words = keys - fit.source_padding;  // padding has no weight
  if (given == words) return "";
  return "the row has " + std::to_string(given) + " weights, this sentence " + std::to_string(words) +
         (fit.source_padding > 0 ? " columns before its padding" : " columns");
}
std::string pair_misfit(const Change& change, const ChangeFit& fit) {
  if (const std::string wrong = place_misfit(change.row, row_length(change, fit)); !wrong.empty())
    return wrong;
  return place_misfit(change.column, column_length(change, fit));
}
std::string no_misfit(const Change&, const ChangeFit&) {
  return "";
}
std::string scale_misfit(const Change&, const ChangeFit& fit) {
  return fit.model.config.attention_scale ? "" : "this model never divides its scores";
}
std::string positions_misfit(const Change& change, const ChangeFit& fit) {
  const Config& config = fit.model.config;
  if (!position_traits(config.positions).encodes_order()) return "this model knows no positions";
  const bool source = !in_embedding(change.block.block) || change.block.encoder,
             target = !in_embedding(change.block.block) || !change.block.encoder;
  const int places = std::max(source ? fit.source_length : 1, target ? fit.target_length : 1);
  const auto outside = [&](int position) {
    return "this model has positions from 0 to " + std::to_string(config.max_length - 1) + ", and not " +
           std::to_string(position);
  };
  if (change.kind == ChangeKind::shift_positions) {
    const int first = change.shift, last = change.shift + std::max(places, 1) - 1;
    if (first < 0) return outside(first);
    if (last >= config.max_length) return outside(last);
  }
  for (const int position : change.numbers) {
    if (position < 0 || position >= config.max_length) return outside(position);
  }
  if (change.kind == ChangeKind::swap_positions && change.row == change.column) return kSwappedWithItself;
  for (const int place : {change.row, change.column}) {
    if (place != kEverywhere && place >= config.max_length) return outside(place);
  }
  return "";
}
std::string swap_misfit(const Change& change, const ChangeFit& fit) {
  if (change.numbers.empty() && change.row == change.column) return kSwappedWithItself;
  if (const std::string wrong = place_misfit(change.row, fit.source_length); !wrong.empty()) return wrong;
  for (const int id : change.numbers) {
    if (id < 0 || id >= fit.model.config.source_vocab) return "the source has no word " + std::to_string(id);
  }
  return change.numbers.empty() ? place_misfit(change.column, fit.source_length) : "";
}
std::string force_misfit(const Change& change, const ChangeFit& fit) {
  for (const int id : change.numbers) {
    if (id < 0 || id >= fit.model.config.target_vocab) return "the target has no word " + std::to_string(id);
  }
  const int most = fit.model.config.max_length - 1;
  return std::ssize(change.numbers) <= most ? ""
                                            : "the model writes at most " + std::to_string(most) + " words";
}
std::string parameter_misfit(const Change& change, const ChangeFit& fit) {
  std::string wrong = "this model has no parameter " + change.parameter;
  fit.model.visit([&](const std::string& name, const Parameter<const float>& parameter) {
    if (name != change.parameter) return;
    const bool inside = change.row >= 0 && change.row < parameter.rows && change.column >= 0 &&
                        change.column < parameter.columns;
    wrong = inside                ? ""
            : parameter.rows == 1 ? change.parameter + " is a row of " + std::to_string(parameter.columns) +
                                        " numbers, counted from 0"
                                  : change.parameter + " has " + std::to_string(parameter.rows) +
                                        " rows and " + std::to_string(parameter.columns) + " columns";
  });
  return wrong;
}

}  // namespace glassformer
