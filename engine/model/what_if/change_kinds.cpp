#include "engine/model/what_if/change_kinds.h"

#include <algorithm>
#include <array>

#include "engine/model/names.h"
#include "engine/model/what_if/change_fit.h"
#include "engine/model/what_if/change_parts.h"
#include "engine/model/what_if/change_text.h"

namespace glassformer {

namespace {

using namespace change_parts;

constexpr auto kReadNothing = [](ChangeReader&, Change&) {};
constexpr auto kWriteNothing = [](const Change&, const ChangeWords&) { return std::string(); };

// Of kinds that begin alike the longer is first.
const std::array kKinds = {
    ChangeTraits{
        .kind = ChangeKind::mute_head,
        .begins = "mute head",
        .read =
            [](ChangeReader& reader, Change& change) {
              read_head(reader, change);
              reader.replacement(reader.words().rows_of(kind_of(change)), change);
            },
        .write = [](const Change& change,
                    const ChangeWords& words) { return layer_and_head(change) + replacement(change, words); },
        .chip = [](const Change& change,
                   const ChangeWords& words) { return head_words(change) + replaced_words(change, words); },
        .touches = touches_its_block,
        .misfit = head_misfit},
    ChangeTraits{
        .kind = ChangeKind::mute_unit,
        .begins = "mute unit",
        .read =
            [](ChangeReader& reader, Change& change) {
              change.block = {BlockKind::feed_forward, ValueKind::whole, reader.encoder()};
              reader.layer_and("unit", change, change.unit);
              reader.replacement(rows_of(change, reader.words()), change);
            },
        .write =
            [](const Change& change, const ChangeWords& words) {
              return (change.block.encoder ? " encoder " : " decoder ") + counted(change.block.layer) + "." +
                     counted(change.unit) + replacement(change, words);
            },
        .chip = [](const Change& change,
                   const ChangeWords& words) { return unit_words(change) + replaced_words(change, words); },
        .touches = touches_its_block,
        .misfit = unit_misfit},
    ChangeTraits{
        .kind = ChangeKind::mute_sub_block,
        .begins = "mute",
        .read =
            [](ChangeReader& reader, Change& change) {
              const AttentionKind kind = reader.attention();
              change.block = value_in(kind, 0, ValueKind::whole);
              if (kind != AttentionKind::cross && reader.accept("feed-forward"))
                change.block = {BlockKind::feed_forward, ValueKind::whole, kind == AttentionKind::encoder};
              change.block.layer = reader.layer();
              reader.replacement(rows_of(change, reader.words()), change);
            },
        .write =
            [](const Change& change, const ChangeWords& words) {
              const std::string layer = " " + counted(change.block.layer) + replacement(change, words);
              if (const auto kind = attention_of(change.block)) return " " + (spelling(*kind) + layer);
              return (change.block.encoder ? " encoder" : " decoder") + (" feed-forward" + layer);
            },
        .chip =
            [](const Change& change, const ChangeWords& words) {
              return sub_block_name(change.block) + replaced_words(change, words);
            },
        .touches = touches_its_block,
        .misfit = sub_block_misfit},
    ChangeTraits{
        .kind = ChangeKind::cut_weight,
        .begins = "cut",
        .read =
            [](ChangeReader& reader, Change& change) {
              read_head(reader, change);
              read_pair(reader, change);
            },
        .write = [](const Change& change,
                    const ChangeWords& words) { return layer_and_head(change) + places(change, words); },
        .chip =
            [](const Change& change, const ChangeWords& words) {
              return head_words(change) + ": " + pair_words(change, words, " does not read ");
            },
        .touches = touches_its_block,
        .misfit = weight_misfit},
    ChangeTraits{.kind = ChangeKind::set_weight,
                 .begins = "set",
                 .read =
                     [](ChangeReader& reader, Change& change) {
                       read_head(reader, change);
                       read_pair(reader, change);
                       change.amount = reader.number("a weight");
                       change.renormalise = reader.accept("renormalise");
                     },
                 .write =
                     [](const Change& change, const ChangeWords& words) {
                       return layer_and_head(change) + places(change, words) + " " +
                              written_number(change.amount) + (change.renormalise ? " renormalise" : "");
                     },
                 .chip =
                     [](const Change& change, const ChangeWords& words) {
                       return head_words(change) + ": " + pair_words(change, words, " reads ") + " by " +
                              shown_number(change.amount) +
                              (change.renormalise ? ", the others the rest" : "");
                     },
                 .touches = touches_its_block,
                 .misfit = weight_misfit},
    ChangeTraits{.kind = ChangeKind::edit_row,
                 .begins = "row",
                 .read =
                     [](ChangeReader& reader, Change& change) {
                       read_head(reader, change);
                       change.row = reader.place(reader.words().rows_of(kind_of(change)), "the rows");
                       reader.expect("=");
                       do {
                         change.weights.push_back(static_cast<float>(reader.number("a weight")));
                       } while (!reader.at_end());
                     },
                 .write =
                     [](const Change& change, const ChangeWords& words) {
                       std::string text = layer_and_head(change) + " " +
                                          written_place(change.row, rows_of(change, words)) + " =";
                       for (const float weight : change.weights)
                         text += " " + written_number(static_cast<double>(weight));
                       return text;
                     },
                 .chip =
                     [](const Change& change, const ChangeWords& words) {
                       return head_words(change) + ", row " + in_marks(change.row, rows_of(change, words)) +
                              " by hand";
                     },
                 .touches = touches_its_block,
                 .misfit = row_misfit},
    ChangeTraits{.kind = ChangeKind::causal_mask_off,
                 .begins = "causal mask off",
                 .read = kReadNothing,
                 .write = kWriteNothing,
                 .chip = [](const Change&, const ChangeWords&) { return std::string("causal mask off"); },
                 .touches = touches_masked,
                 .misfit = no_misfit},
    ChangeTraits{.kind = ChangeKind::padding_mask_off,
                 .begins = "padding mask off",
                 .read =
                     [](ChangeReader& reader, Change& change) {
                       if (!reader.at_end()) change.block = value_in(reader.attention(), 0, ValueKind::whole);
                     },
                 .write =
                     [](const Change& change, const ChangeWords&) {
                       const auto kind = attention_of(change.block);
                       return kind ? std::string(" ") + spelling(*kind) : std::string();
                     },
                 .chip =
                     [](const Change& change, const ChangeWords&) {
                       const auto kind = attention_of(change.block);
                       return "padding mask off" +
                              (kind ? std::string(": ") + spelling(*kind) : std::string());
                     },
                 .touches = touches_all_layers,
                 .misfit = no_misfit},
    ChangeTraits{.kind = ChangeKind::hide_pair,
                 .begins = "hide",
                 .read =
                     [](ChangeReader& reader, Change& change) {
                       change.block = value_in(reader.attention(), 0, ValueKind::whole);
                       read_pair(reader, change);
                     },
                 .write =
                     [](const Change& change, const ChangeWords& words) {
                       return std::string(" ") + spelling(kind_of(change)) + places(change, words);
                     },
                 .chip =
                     [](const Change& change, const ChangeWords& words) {
                       return std::string(spelling(kind_of(change))) + ": " +
                              pair_words(change, words, " may not read ");
                     },
                 .touches = touches_all_layers,
                 .misfit = pair_misfit},
    ChangeTraits{
        .kind = ChangeKind::scale_off,
        .begins = "scale off",
        .read = kReadNothing,
        .write = kWriteNothing,
        .chip = [](const Change&, const ChangeWords&) { return std::string("scores not divided by √k"); },
        .touches = touches_all_layers,
        .misfit = scale_misfit},
    ChangeTraits{.kind = ChangeKind::positions_off,
                 .begins = "positions off",
                 .read = read_side,
                 .write = [](const Change& change, const ChangeWords&) { return side(change); },
                 .chip = [](const Change& change,
                            const ChangeWords&) { return "positions" + side_words(change) + " off"; },
                 .touches = touches_embedding,
                 .misfit = positions_misfit},
    ChangeTraits{
        .kind = ChangeKind::shift_positions,
        .begins = "shift positions",
        .read =
            [](ChangeReader& reader, Change& change) {
              change.shift = reader.whole("a whole number");
              read_side(reader, change);
            },
        .write = [](const Change& change,
                    const ChangeWords&) { return " " + std::to_string(change.shift) + side(change); },
        .chip =
            [](const Change& change, const ChangeWords&) {
              return "positions" + side_words(change) + " shifted by " + shown_number(change.shift);
            },
        .touches = touches_embedding,
        .misfit = positions_misfit},
    ChangeTraits{.kind = ChangeKind::swap_positions,
                 .begins = "swap positions",
                 .read =
                     [](ChangeReader& reader, Change& change) {
                       for (int* place : {&change.row, &change.column}) {
                         *place = reader.whole("a place, from 0");
                         if (*place < 0) reader.refuse("places from 0");
                       }
                       read_side(reader, change);
                     },
                 .write =
                     [](const Change& change, const ChangeWords&) {
                       return " " + std::to_string(change.row) + " " + std::to_string(change.column) +
                              side(change);
                     },
                 .chip =
                     [](const Change& change, const ChangeWords&) {
                       return "positions " + std::to_string(change.row) + " and " +
                              std::to_string(change.column) + side_words(change) + " swapped";
                     },
                 .touches = touches_embedding,
                 .misfit = positions_misfit},
    ChangeTraits{
        .kind = ChangeKind::permute_positions,
        .begins = "permute positions",
        .read = read_order,
        .write = [](const Change& change,
                    const ChangeWords&) { return " " + ids_text(change.numbers, {}) + side(change); },
        .chip = [](const Change& change,
                   const ChangeWords&) { return "positions" + side_words(change) + " permuted"; },
        .touches = touches_embedding,
        .misfit = positions_misfit},
    ChangeTraits{.kind = ChangeKind::swap_words,
                 .begins = "swap",
                 .read = read_swap,
                 .write =
                     [](const Change& change, const ChangeWords& words) {
                       const std::string first = " " + written_place(change.row, words.source) + " ";
                       if (change.numbers.empty()) return first + written_place(change.column, words.source);
                       return first + quoted_where_needed(ids_text(change.numbers, words.source_word));
                     },
                 .chip =
                     [](const Change& change, const ChangeWords& words) {
                       const std::string first = in_marks(change.row, words.source);
                       if (change.numbers.empty())
                         return first + " and " + in_marks(change.column, words.source) + " swapped";
                       return first + " becomes “" + ids_text(change.numbers, words.source_word) + "”";
                     },
                 .touches = touches_source,
                 .misfit = swap_misfit},
    ChangeTraits{.kind = ChangeKind::force_words,
                 .begins = "force",
                 .read =
                     [](ChangeReader& reader, Change& change) {
                       do {
                         const std::vector<int> ids =
                             ids_of(reader, reader.word("words"), reader.words().target_ids);
                         change.numbers.insert(change.numbers.end(), ids.begin(), ids.end());
                       } while (!reader.at_end());
                     },
                 .write =
                     [](const Change& change, const ChangeWords& words) {
                       return words.target_word ? " \"" + ids_text(change.numbers, words.target_word) + '"'
                                                : " " + ids_text(change.numbers, {});
                     },
                 .chip =
                     [](const Change& change, const ChangeWords& words) {
                       return "begins with “" + ids_text(change.numbers, words.target_word) + "”";
                     },
                 .touches = touches_output,
                 .misfit = force_misfit},
    ChangeTraits{
        .kind = ChangeKind::edit_parameter,
        .begins = "weight",
        .read = read_parameter,
        .write =
            [](const Change& change, const ChangeWords&) {
              return " " + entry(change) + " = " + written_number(change.amount);
            },
        .chip = [](const Change& change,
                   const ChangeWords&) { return entry_words(change) + " = " + shown_number(change.amount); },
        .touches = touches_parameter,
        .misfit = parameter_misfit},
};

}  // namespace

std::span<const ChangeTraits> change_kinds() {
  return kKinds;
}

const ChangeTraits& traits_of(ChangeKind kind) {
  return *std::ranges::find(kKinds, kind, &ChangeTraits::kind);
}

std::string chip_words(const Change& change, const ChangeWords& words) {
  return traits_of(change.kind).chip(change, words);
}

bool touches(const WhatIf& what_if, const ValueName& block) {
  return std::ranges::any_of(
      what_if.changes, [&](const Change& change) { return traits_of(change.kind).touches(change, block); });
}

std::string misfit(const Change& change, const ChangeFit& fit) {
  return traits_of(change.kind).misfit(change, fit);
}

}  // namespace glassformer
