#include "app/reading/change_offers.h"

#include <algorithm>
#include <utility>

#include "app/reading/attention_table.h"
#include "engine/model/parameters.h"

namespace glassformer {

namespace {

Offer offer(std::string words, const WhatIf& what_if, const Change& change) {
  const bool there = std::ranges::find(what_if.changes, change) != what_if.changes.end();
  Offer made{std::move(words), what_if, there};
  made.what_if.toggle(change);
  return made;
}

void add_replacements(std::vector<Offer>& offers, const WhatIf& what_if, Change change,
                      const std::string& what) {
  offers.push_back(offer("Mute " + what, what_if, change));
  change.by = Replacement::mean;
  offers.push_back(offer("Replace " + what + " by its mean", what_if, change));
  change.by = Replacement::times;
  change.amount = 2;
  offers.push_back(offer("Double " + what, what_if, change));
}

void add_head(std::vector<Offer>& offers, const WhatIf& what_if, AttentionKind kind, int layer, int head) {
  if (head < 0) return;
  const char* of = kind == AttentionKind::encoder   ? "encoder"
                   : kind == AttentionKind::decoder ? "decoder"
                                                    : "cross";
  // As the changes themselves are written: layer 2, head 1.
  const std::string name =
      std::string(of) + " head " + std::to_string(layer + 1) + "." + std::to_string(head + 1);
  add_replacements(offers, what_if, mute_head(kind, layer, head), name);
}

// A weight of attention: of the Scene's own sentence alone, as a place speaks of that.
void add_weight(std::vector<Offer>& offers, const ViewInput& input, const Selection& at) {
  const WhatIf& what_if = input.result.scene.what_if;
  const int query = *at.query, key = *at.key;
  const AttentionTable table = attention_table(*input.result.trace, at.kind, at.layer, at.head, 0);
  if (query >= table.rows || key >= table.columns) return;
  Change hide = change_of(ChangeKind::hide_pair);
  hide.block = value_in(at.kind, 0, ValueKind::whole);
  hide.row = query;
  hide.column = key;
  const bool hidden_by_hand = std::ranges::find(what_if.changes, hide) != what_if.changes.end();
  const bool masked = table.is_hidden(query, key) && !hidden_by_hand;
  if (masked) return;  // it has no weight to change
  Change change = mute_head(at.kind, at.layer, at.head);
  change.row = query;
  change.column = key;
  change.kind = ChangeKind::cut_weight;
  offers.push_back(offer("Cut this weight", what_if, change));
  change.kind = ChangeKind::set_weight;
  change.renormalise = true;
  change.amount = 0.5;
  offers.push_back(offer("Set it to 0.5, the others share the rest", what_if, change));
  std::vector<float> row(static_cast<std::size_t>(table.columns), 0.0f);
  row[static_cast<std::size_t>(key)] = 1;
  offers.push_back(offer("Let its row read this word alone", what_if,
                         edit_row(at.kind, at.layer, at.head, query, std::move(row))));
  offers.push_back(offer("Hide this pair from all heads and layers", what_if, hide));
}

void add_word(std::vector<Offer>& offers, const ViewInput& input, int place) {
  const std::vector<std::string>& words = input.result.source_words;
  const int count = static_cast<int>(input.result.source_pieces.size());
  Change swap = change_of(ChangeKind::swap_words);
  for (const int other : {place - 1, place + 1}) {
    if (place >= count || other < 0 || other >= count) continue;
    swap.row = std::min(place, other);
    swap.column = std::max(place, other);
    offers.push_back(offer("Swap with “" + words[static_cast<std::size_t>(other)] + "”",
                           input.result.scene.what_if, swap));
  }
}

void add_parameter(std::vector<Offer>& offers, const ViewInput& input, const CellRef& cell) {
  const std::vector<ParameterView> all = parameters(*input.snapshot.weights);
  const auto parameter = std::ranges::find(all, cell.name, &ParameterView::name);
  if (parameter == all.end() || cell.index.empty()) return;
  const WhatIf& what_if = input.result.scene.what_if;
  Change change = change_of(ChangeKind::edit_parameter);
  change.parameter = cell.name;
  change.row = cell.index.size() > 1 ? cell.index[0] : 0;
  change.column = cell.index.back();
  if (change.row >= parameter->rows() || change.column >= parameter->columns()) return;
  const auto value = static_cast<double>(
      parameter->data[static_cast<std::ptrdiff_t>(change.row) * parameter->columns() + change.column]);
  const auto edited =
      std::ranges::find_if(what_if.changes, [&](const Change& each) { return same_thing(each, change); });
  if (edited != what_if.changes.end()) {
    const auto at = static_cast<std::size_t>(edited - what_if.changes.begin());
    offers.push_back({"As it was learned", what_if.without(at), false});
  }
  const std::pair<const char*, double> values[] = {{"Set it to 0", 0},
                                                   {"Set it to 1", 1},
                                                   {"Double it", 2 * value},
                                                   {"Turn its sign", -value},
                                                   {"Add 0.1", value + 0.1}};
  for (const auto& [words, to] : values) {
    if (to == value) continue;
    change.amount = to;
    offers.push_back(offer(words, what_if, change));
  }
}

void add_unit(std::vector<Offer>& offers, const WhatIf& what_if, const ValueName& name, int row, int unit) {
  Change change = change_of(ChangeKind::mute_unit);
  change.block = name;
  change.block.value = ValueKind::whole;
  change.unit = unit;
  offers.push_back(offer("Mute this unit for every word", what_if, change));
  change.row = row;
  offers.push_back(offer("Mute this unit for this word alone", what_if, change));
}

// The output begins with the words before this place, and with this one.
void add_candidate(std::vector<Offer>& offers, const ViewInput& input, int place, int id) {
  const std::vector<int>& read = input.result.trace->target_in.front();
  if (place < 0 || place >= std::ssize(read)) return;
  Change force = change_of(ChangeKind::force_words);
  force.numbers.assign(read.begin() + 1, read.begin() + 1 + place);
  force.numbers.push_back(id);
  const std::string word = id == input.snapshot.config.eos_id ? "<eos>"
                           : input.tokenizers.target          ? input.tokenizers.target->piece(id)
                                                              : std::to_string(id);
  offers.push_back(offer("Force “" + word + "” here", input.result.scene.what_if, force));
}

}  // namespace

std::vector<Offer> change_offers(const ViewInput& input, const Selection& selection) {
  std::vector<Offer> offers;
  const WhatIf& what_if = input.result.scene.what_if;
  if (selection.cell && is_name_of_parameter(selection.cell->name)) {
    add_parameter(offers, input, *selection.cell);
    return offers;
  }
  if (selection.sentence != 0) return offers;
  const std::optional<ValueName> name =
      selection.cell && !selection.cell->gradient ? read_name(selection.cell->name) : std::nullopt;
  const std::vector<int> index = selection.cell ? selection.cell->index : std::vector<int>();
  if (name && name->value == ValueKind::hidden && index.size() == 3) {
    add_unit(offers, what_if, *name, index[1], index[2]);
    return offers;
  }
  if (name && name->block == BlockKind::output) {
    if (index.size() == 3) add_candidate(offers, input, index[1], index[2]);
    return offers;
  }
  if (selection.query && selection.key && selection.head >= 0) add_weight(offers, input, selection);
  if (selection.kind != AttentionKind::decoder && selection.key) add_word(offers, input, *selection.key);
  add_head(offers, what_if, selection.kind, selection.layer, selection.head);
  return offers;
}

std::vector<Offer> block_offers(const WhatIf& what_if, const ValueName& block, const Config& config) {
  std::vector<Offer> offers;
  if (in_embedding(block.block)) {
    if (!config.adds_positions() && !config.turns_queries()) return offers;
    offers.push_back(offer("Positions off", what_if, change_of(ChangeKind::positions_off)));
    Change shift = change_of(ChangeKind::shift_positions);
    shift.shift = 5;
    offers.push_back(offer("All words stand 5 places further on", what_if, shift));
    return offers;
  }
  const std::optional<AttentionKind> kind = attention_of(block);
  if (!kind && block.block != BlockKind::feed_forward) return offers;
  add_replacements(offers, what_if, mute_sub_block(block), kind ? "this attention" : "this feed-forward");
  if (!kind) return offers;
  constexpr int kMostHeads = 8;
  for (int head = 0; head < std::min(config.heads, kMostHeads); ++head)
    offers.push_back(
        offer("Mute head " + std::to_string(head + 1), what_if, mute_head(*kind, block.layer, head)));
  if (kind == AttentionKind::decoder)
    offers.push_back(offer("Causal mask off", what_if, change_of(ChangeKind::causal_mask_off)));
  if (config.attention_scale)
    offers.push_back(offer("Scores not divided by √k", what_if, change_of(ChangeKind::scale_off)));
  return offers;
}

}  // namespace glassformer
