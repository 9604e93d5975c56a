#include "app/panels/map_blocks.h"

#include <algorithm>
#include <string>

#include "app/panels/navigation.h"

namespace glassformer {

namespace {

// The first number that a block computes: where its steps begin in the Walk.
CellRef first_cell(const PanelInput& in, const MapItem& item) {
  const std::string side = item.decoder ? "target" : "source";
  const std::string stack = item.decoder ? "decoder" : "encoder";
  const std::string layer = stack + ".layers." + std::to_string(item.layer);
  const Selection& pinned = in.session.pinned();
  const int sentence = pinned.sentence;
  switch (item.part) {
    case MapPart::attention:
      return {attention_name(item.kind, item.layer) + ".query", {sentence, std::max(0, pinned.head), 0, 0}};
    case MapPart::feed_forward:
      return {layer + ".feed_forward.pre_activation", {sentence, 0, 0}};
    case MapPart::add_norm:
      return {layer + ".residual" + std::to_string(item.norm), {sentence, 0, 0}};
    case MapPart::norm:
      return {layer + ".norm" + std::to_string(item.norm), {sentence, 0, 0}};
    case MapPart::embedding: {
      const bool scaled =
          in.result && in.result->trace && in.result->trace->find(side + ".lookup") != nullptr;
      return {side + (scaled ? ".lookup" : ".embedding"), {sentence, 0, 0}};
    }
    case MapPart::positions:
      return {side + ".positions", {0, 0}};
    case MapPart::output:
      return {"logits", {sentence, 0, 0}};
  }
  return {};
}

// Which value of the Trace a block's click explains.
CellRef map_cell(const PanelInput& in, const MapItem& item) {
  const std::string layer =
      std::string(item.decoder ? "decoder" : "encoder") + ".layers." + std::to_string(item.layer);
  const int row = in.session.pinned().query.value_or(0);
  switch (item.part) {
    case MapPart::feed_forward:
      return {layer + ".feed_forward.hidden", {0, row, 0}};
    case MapPart::add_norm:
    case MapPart::norm:
      return {layer + ".norm" + std::to_string(item.norm), {0, row, 0}};
    default:
      return {std::string(item.decoder ? "target" : "source") + ".input", {0, row, 0}};
  }
}

// The pinned number belongs to another block than an attention.
bool cell_outside_attention(const Session& session) {
  const auto& cell = session.pinned().cell;
  return cell && cell->name.find("_attn") == std::string::npos;
}

bool shows_one_attention(const View& view) {
  const ViewTraits traits = view.traits();
  return traits.shows_weights || traits.follows_kind;
}

void open_map_view(ui::Ui& ui, const PanelInput& in, const MapItem& item) {
  switch (item.part) {
    case MapPart::attention: {
      Selection s = selection_of(in.session, item.kind);
      s.layer = item.layer;
      s.cell.reset();
      ui.push(SetPin{s});
      if (in.view_name != "masks" || item.kind != AttentionKind::decoder) ui.push(OpenView{"attention"});
      break;
    }
    case MapPart::embedding:
      ui.push(OpenView{"embedding"});
      break;
    case MapPart::positions:
      ui.push(OpenView{"positions"});
      break;
    case MapPart::output:
      ui.push(OpenView{"output"});
      break;
    case MapPart::feed_forward:
    case MapPart::add_norm:
    case MapPart::norm:
      break;
  }
}

}  // namespace

void open_map_item(ui::Ui& ui, const PanelInput& in, const MapItem& item) {
  const bool around =
      item.part == MapPart::feed_forward || item.part == MapPart::add_norm || item.part == MapPart::norm;
  const bool walks =
      in.view_name == "walk" || around || (item.part == MapPart::attention && in.view->traits().shows_block);
  if (walks) ui.push(OpenStep{.cell = first_cell(in, item), .pin = false});
  if (!walks) open_map_view(ui, in, item);
  if (in.opened.map && in.layout.map_place == MapPlace::hidden) in.opened.map = false;
}

bool map_item_open(const PanelInput& in, const MapItem& item) {
  if (!in.computing.empty()) {
    const std::string name = first_cell(in, item).name;
    const bool block = item.part == MapPart::attention || item.part == MapPart::feed_forward;
    if (block) return in.computing.starts_with(name.substr(0, name.rfind('.') + 1));
    if (item.part == MapPart::output) return in.computing == name || in.computing == "log_probabilities";
    if (item.part == MapPart::embedding)
      return in.computing.starts_with(name.substr(0, name.find('.'))) &&
             !in.computing.ends_with(".positions");
    if (item.part == MapPart::positions) return in.computing == name;
    return in.computing == name ||
           in.computing == name.substr(0, name.rfind('.')) + ".norm" + std::to_string(item.norm);
  }
  const Selection& s = in.session.pinned();
  switch (item.part) {
    case MapPart::attention:
      return in.input && in.view && shows_one_attention(*in.view) &&
             in.view->place(*in.input).attention.value_or(s.kind) == item.kind && s.layer == item.layer &&
             !cell_outside_attention(in.session);
    case MapPart::embedding:
      return in.view_name == "embedding" || in.view_name == "tokens";
    case MapPart::positions:
      return in.view_name == "positions";
    case MapPart::output:
      return in.view_name == "output";
    default:
      return s.cell && s.cell->name == map_cell(in, item).name;
  }
}

}  // namespace glassformer
