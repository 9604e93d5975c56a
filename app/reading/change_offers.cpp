#include "app/reading/change_offers.h"

#include <algorithm>
#include <utility>

#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/scene/compared.h"
#include "engine/analysis/prediction.h"
#include "engine/model/names.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

namespace {

Offer offer(std::string words, const WhatIf& what_if, const Change& change) {
  const bool there = std::ranges::find(what_if.changes, change) != what_if.changes.end();
  Offer made{std::move(words), what_if, there};
  made.what_if.toggle(change);
  return made;
}

// A line between this group and those before it.
void begin_group(std::vector<Offer>& offers, std::size_t first) {
  if (first > 0 && first < offers.size()) offers[first].divider = true;
}

std::string in_marks(const std::string& word) {
  return "“" + word + "”";
}

// Places of the words that a value has rows of.
std::size_t places_of(const Trace& trace, const Change& change) {
  const auto kind = attention_of(change.block);
  const bool source = kind ? kind == AttentionKind::encoder : change.block.encoder;
  const std::vector<std::vector<int>>& sentences = source ? trace.source : trace.target_in;
  return sentences.empty() ? 0 : sentences.front().size();
}

std::string word_at(const SceneResult& result, const Change& change, int place) {
  const auto kind = attention_of(change.block);
  const bool source = kind ? kind == AttentionKind::encoder : change.block.encoder;
  const std::vector<std::string>& words = source ? result.source_words : result.target_in_words;
  const auto at = static_cast<std::size_t>(place);
  return at < words.size() ? in_marks(words[at]) : "place " + std::to_string(place);
}

// The value that the second Scene has: for all places, and for the one that is selected.
void add_from_second(std::vector<Offer>& offers, const ViewInput& input, Change change,
                     const std::string& what, std::optional<int> place) {
  change.by = Replacement::other;
  const auto add = [&](const std::string& words) {
    Offer made = offer(words, open_changes(input), change);
    made.note = why_not_from_second(input.result, input.other, change);
    made.enabled = made.note.empty() || made.in_force;
    if (made.note.empty() && change.row == kEverywhere) made.note = "place by place: as many in both";
    offers.push_back(std::move(made));
  };
  add("Take " + what + " from the second");
  if (!place || !input.other || *place >= static_cast<int>(places_of(*input.result.trace, change))) return;
  change.row = *place;
  add("Take it at " + word_at(input.result, change, *place) + " alone from the second");
}

// The same at the place that is selected and nowhere else.
void add_at_place(std::vector<Offer>& offers, const ViewInput& input, Change change,
                  std::optional<int> place) {
  if (!place || *place < 0 || *place >= static_cast<int>(places_of(*input.result.trace, change))) return;
  change.row = *place;
  offers.push_back(
      offer("Mute it at " + word_at(input.result, change, *place) + " alone", open_changes(input), change));
}

void add_replacements(std::vector<Offer>& offers, const ViewInput& input, Change change,
                      const std::string& what, std::optional<int> place = std::nullopt) {
  const WhatIf& what_if = open_changes(input);
  const std::size_t first = offers.size();
  offers.push_back(offer("Mute " + what, what_if, change));
  add_at_place(offers, input, change, place);
  change.by = Replacement::mean;
  offers.push_back(offer("Replace " + what + " by its mean", what_if, change));
  change.by = Replacement::times;
  change.amount = 2;
  offers.push_back(offer("Double " + what, what_if, change));
  change.amount = 0;
  add_from_second(offers, input, change, what, place);
  begin_group(offers, first);
}

void add_head(std::vector<Offer>& offers, const ViewInput& input, const Selection& at) {
  if (at.head < 0) return;
  add_replacements(offers, input, mute_head(at.kind, at.layer, at.head),
                   head_name(at.kind, at.layer, at.head), at.query);
}

// A weight of attention: of the Scene's own sentence alone, as a place speaks of that.
void add_weight(std::vector<Offer>& offers, const ViewInput& input, const Selection& at) {
  const WhatIf& what_if = open_changes(input);
  const int query = *at.query, key = *at.key;
  const AttentionTable table = attention_table(*input.result.trace, at.kind, at.layer, at.head, 0);
  if (query >= table.rows || key >= table.columns) return;
  Change hide = change_of(ChangeKind::hide_pair);
  hide.block = value_in(at.kind, 0, ValueKind::whole);
  hide.row = query;
  hide.column = key;
  const bool hidden_by_hand = std::ranges::find(what_if.changes, hide) != what_if.changes.end();
  const bool masked = table.is_hidden(query, key) && !hidden_by_hand;
  if (masked) {  // it has no weight to change
    if (at.kind == AttentionKind::decoder && key > query)
      offers.push_back(offer("Causal mask off", what_if, change_of(ChangeKind::causal_mask_off)));
    return;
  }
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

// Each other word of the sentence to change places with.
void add_word(std::vector<Offer>& offers, const ViewInput& input, int place) {
  const std::vector<std::string>& words = input.result.source_words;
  const int begin = input.snapshot.config.source_bos ? 1 : 0;
  const int end =
      std::min(begin + static_cast<int>(input.result.source_pieces.size()), static_cast<int>(words.size()));
  if (place < begin || place >= end) return;
  const std::size_t first = offers.size();
  Change swap = change_of(ChangeKind::swap_words);
  for (int other = begin; other < end; ++other) {
    if (other == place) continue;
    swap.row = std::min(place, other);
    swap.column = std::max(place, other);
    const std::string& word = words[static_cast<std::size_t>(other)];
    const bool twice = std::ranges::count(words, word) > 1;
    offers.push_back(offer("Swap " + in_marks(words[static_cast<std::size_t>(place)]) + " with " +
                               in_marks(word) + (twice ? ", place " + std::to_string(other) : ""),
                           open_changes(input), swap));
  }
  begin_group(offers, first);
}

// The word of the source that is selected.
std::optional<int> source_word(const Selection& at) {
  if (at.kind == AttentionKind::encoder && !at.key) return at.query;
  return at.kind == AttentionKind::decoder ? std::nullopt : at.key;
}

void add_positions(std::vector<Offer>& offers, const ViewInput& input) {
  const Config& config = input.snapshot.config;
  if (!position_traits(config.positions).encodes_order()) return;
  offers.push_back(offer("Positions off", open_changes(input), change_of(ChangeKind::positions_off)));
  Change shift = change_of(ChangeKind::shift_positions);
  shift.shift = 5;
  offers.push_back(offer("All words stand 5 places further on", open_changes(input), shift));
}

// What the sum and the norm of so many a place in the layer belong to.
ValueName sub_block_of(const ValueName& norm) {
  const bool last = norm.sublayer == (norm.encoder ? 2 : 3);
  const BlockKind block = last                 ? BlockKind::feed_forward
                          : norm.sublayer == 1 ? BlockKind::self_attention
                                               : BlockKind::cross_attention;
  return {block, ValueKind::whole, norm.encoder, norm.layer};
}

void add_parameter(std::vector<Offer>& offers, const ViewInput& input, const CellRef& cell) {
  const std::vector<ParameterView> all = parameters(*input.snapshot.weights);
  const auto parameter = std::ranges::find(all, cell.name, &ParameterView::name);
  if (parameter == all.end() || cell.index.empty()) return;
  const WhatIf& what_if = open_changes(input);
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

void add_unit(std::vector<Offer>& offers, const ViewInput& input, const ValueName& name, int row, int unit) {
  const WhatIf& what_if = open_changes(input);
  Change change = change_of(ChangeKind::mute_unit);
  change.block = name;
  change.block.value = ValueKind::whole;
  change.unit = unit;
  offers.push_back(offer("Mute this unit for every word", what_if, change));
  change.row = row;
  offers.push_back(offer("Mute this unit for this word alone", what_if, change));
  change.row = kEverywhere;
  add_from_second(offers, input, change, "this unit", row);
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
  offers.push_back(offer("Force " + in_marks(word) + " after " + word_at(input.result, force, place),
                         open_changes(input), force));
}

// The likeliest words of a place of the output.
void add_candidates(std::vector<Offer>& offers, const ViewInput& input, int place) {
  constexpr int kOffered = 5;
  const std::vector<std::vector<int>>& targets = input.result.trace->target_out;
  if (place < 0 || targets.empty() || place >= std::ssize(targets.front())) return;
  for (const WordShare& share : prediction_at(*input.result.trace, 0, place, kOffered).strongest)
    add_candidate(offers, input, place, share.id);
}

}  // namespace

std::vector<Offer> change_offers(const ViewInput& input, const Selection& selection) {
  std::vector<Offer> offers;
  if (selection.cell && is_name_of_parameter(selection.cell->name)) {
    add_parameter(offers, input, *selection.cell);
    return offers;
  }
  if (selection.sentence != 0) return offers;
  std::optional<ValueName> name = selection.cell ? read_name(selection.cell->name) : std::nullopt;
  const std::vector<int> index =
      selection.cell && !selection.cell->gradient ? selection.cell->index : std::vector<int>();
  if (name && of_unit(name->value) && index.size() == 3) {
    add_unit(offers, input, *name, index[1], index[2]);
    return offers;
  }
  if (name && name->block == BlockKind::output && index.size() >= 2) {
    if (index.size() == 3) add_candidate(offers, input, index[1], index[2]);
    if (index.size() == 2) add_candidates(offers, input, index[1]);
    return offers;
  }
  if (name && in_embedding(name->block)) {
    add_positions(offers, input);
    const int place = index.size() >= 2 ? index[index.size() - 2] : -1;
    if (name->encoder && place >= 0) add_word(offers, input, place);
    if (!name->encoder) add_candidates(offers, input, place - 1);  // of this word
    return offers;
  }
  // A number of no head is its block's.
  if (name && (!is_attention(name->block) || name->value == ValueKind::output)) {
    name->value = ValueKind::whole;
    return block_offers(input, *name);
  }
  if (selection.query && selection.key && selection.head >= 0) add_weight(offers, input, selection);
  add_head(offers, input, selection);
  if (const std::optional<int> word = source_word(selection)) add_word(offers, input, *word);
  return offers;
}

std::vector<Offer> beginning_offers(const ViewInput& input, const std::vector<int>& words) {
  if (words.empty()) return {};
  Change force = change_of(ChangeKind::force_words);
  force.numbers = words;
  Offer made =
      offer("Force " + in_marks(target_text(input, words)) + " as the beginning", open_changes(input), force);
  if (words.back() == input.snapshot.config.eos_id && !made.in_force) {
    made.enabled = false;
    made.note = "it ends there: nothing is left to search";
  }
  return {made};
}

Command about_beginning(std::vector<int> words) {
  Change force = change_of(ChangeKind::force_words);
  force.numbers = std::move(words);
  return SetWhatIf{{{std::move(force)}}};
}

const WhatIf& open_changes(const ViewInput& input) {
  const bool second = input.second_of_two && input.other;
  return (second ? *input.other : input.result).scene.what_if;
}

std::string why_not_from_second(const SceneResult& first, const SceneResult* second, const Change& change) {
  if (!second) return "needs a second sentence beside: C";
  if (std::string other = unlike(first.snapshot->config, second->snapshot->config); !other.empty())
    return other;
  return places_apart(*first.trace, *second->trace, change);
}

std::string places_apart(const Trace& first, const Trace& second, const Change& change) {
  const std::size_t here = places_of(first, change), there = places_of(second, change);
  if (change.row == kEverywhere && here != there)
    return "other length, " + std::to_string(here) + " and " + std::to_string(there) +
           " places: pick one place";
  if (change.row != kEverywhere && static_cast<std::size_t>(change.row) >= there)
    return "the second ends before this place";
  return {};
}

std::vector<Offer> block_offers(const ViewInput& input, const ValueName& block) {
  const Config& config = input.snapshot.config;
  const WhatIf& what_if = open_changes(input);
  std::vector<Offer> offers;
  if (in_embedding(block.block)) {
    add_positions(offers, input);
    const std::optional<int> word = source_word(input.pinned);
    if (block.encoder && word) add_word(offers, input, *word);
    return offers;
  }
  if (block.block == BlockKind::output) {
    const bool of_target = input.pinned.kind != AttentionKind::encoder;
    add_candidates(offers, input, of_target ? input.pinned.query.value_or(0) : 0);
    return offers;
  }
  if (block.block == BlockKind::add_norm) return block_offers(input, sub_block_of(block));
  const std::optional<AttentionKind> kind = attention_of(block);
  if (!kind && block.block != BlockKind::feed_forward) return offers;
  add_replacements(offers, input, mute_sub_block(block), sub_block_name(block));
  if (!kind) return offers;
  constexpr int kMostHeads = 8;
  const std::size_t heads = offers.size();
  for (int head = 0; head < std::min(config.heads, kMostHeads); ++head)
    offers.push_back(
        offer("Mute " + head_name(*kind, block.layer, head), what_if, mute_head(*kind, block.layer, head)));
  begin_group(offers, heads);
  const std::size_t rest = offers.size();
  if (kind == AttentionKind::decoder)
    offers.push_back(offer("Causal mask off", what_if, change_of(ChangeKind::causal_mask_off)));
  if (config.attention_scale)
    offers.push_back(offer("Scores not divided by √k", what_if, change_of(ChangeKind::scale_off)));
  begin_group(offers, rest);
  return offers;
}

}  // namespace glassformer
