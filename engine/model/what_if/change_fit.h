// When a change does nothing in a model or a sentence: a sentence that says why, or nothing where it fits.
// For the rows of change_kinds.h.
#pragma once

#include <string>

#include "engine/model/what_if/change_kinds.h"

namespace glassformer {

std::string sub_block_misfit(const Change& change, const ChangeFit& fit);
std::string head_misfit(const Change& change, const ChangeFit& fit);
std::string unit_misfit(const Change& change, const ChangeFit& fit);
std::string weight_misfit(const Change& change, const ChangeFit& fit);
std::string row_misfit(const Change& change, const ChangeFit& fit);
std::string pair_misfit(const Change& change, const ChangeFit& fit);
std::string no_misfit(const Change& change, const ChangeFit& fit);
std::string scale_misfit(const Change& change, const ChangeFit& fit);
std::string positions_misfit(const Change& change, const ChangeFit& fit);
std::string swap_misfit(const Change& change, const ChangeFit& fit);
std::string force_misfit(const Change& change, const ChangeFit& fit);
std::string parameter_misfit(const Change& change, const ChangeFit& fit);

}  // namespace glassformer
