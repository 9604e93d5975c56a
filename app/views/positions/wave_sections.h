// What the inspector tells about the waves of a table (paper, section 3.5): their wavelengths, and the map
// that moves a row k places on.
#pragma once

#include <optional>
#include <string>

#include "app/views/positions/position_tables.h"

namespace glassformer {

// Which pair of columns is moved, from where and how far.
struct ShiftChoice {
  int pair = 0, from = 0, shift = 1;  // from + shift is a row of the table as well
};
// Of the pinned number or word, else of the first pair at position 0. Nothing for a table without pairs.
std::optional<ShiftChoice> shift_choice(const PositionTable& table, const std::optional<PositionCell>& cell,
                                        int shift);

// A wavelength in positions: "6.28", "125.7", "47 117".
std::string wavelength_text(double wavelength);
// The last position that the model can read: no sentence is longer.
int longest_position(const Config& config);

// Frequency and wavelength of the pair that a column belongs to, beside the model's longest position.
std::vector<InspectorRow> wave_rows(const PositionTable& table, const Config& config, int dimension);
// Of all pairs, with how many come full circle within the model's positions.
InspectorSection wavelength_section(const PositionTable& table, const Config& config);
// The 2 x 2 map of one pair with its numbers, applied, beside the row it leads to; with the sentence on the
// two ways to its frequency where the page has not said it yet.
InspectorSection shift_section(const PositionTable& table, const ShiftChoice& choice, bool with_ways);
// One sentence: 1 / 10000^(2i/d) and exp(-log(10000) 2i/d) are equal to rounding.
std::string frequency_ways(const PositionTable& table);

// For files: every pair's frequency and wavelength; every pair moved.
NumberTable wavelength_numbers(const PositionTable& table);
NumberTable shift_numbers(const PositionTable& table, const ShiftChoice& choice);

}  // namespace glassformer
