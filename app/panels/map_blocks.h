// The blocks of the map: which of them the stage shows, and where a click on one leads.
#pragma once

#include <optional>
#include <string>

#include "app/panels/map.h"
#include "app/panels/panel_input.h"
#include "app/reading/attention_table.h"
#include "engine/model/names.h"
#include "engine/model/what_if/what_if.h"

namespace glassformer {

// One head's thumbnail: the tokens of the first sentence, without the padding of the batch.
AttentionTable map_tile(const Trace& trace, const MapItem& item, int head);

// The name of a value of this block.
std::string name_in(const MapItem& item, BlockKind block, ValueKind value);

// What of the model it draws; nothing for a norm.
std::optional<ValueName> block_of(const MapItem& item);

// Whether a change reaches into this block, or into any of a closed layer's.
bool touched(const WhatIf& what_if, const MapItem& item);
bool touched(const WhatIf& what_if, const MapFrame& frame);

void open_map_item(ui::Ui& ui, const PanelInput& in, const MapItem& item);
bool map_item_open(const PanelInput& in, const MapItem& item);
// Its menu of changes, where it was asked for.
void offer_changes(ui::Ui& ui, const PanelInput& in, const MapItem& item, const Rect& at,
                   const ui::Response& response);

}  // namespace glassformer
