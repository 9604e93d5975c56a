// Ways to make weights of the same dot products, to be looked at beside each other. A model of this program
// computes the second (or, with `attention_scale` off, the first).
#pragma once

#include <span>
#include <vector>

namespace glassformer {

enum class ScoreFunction {
  dot,         // softmax(q·k), Luong et al. 2015
  scaled_dot,  // softmax(q·k / √k), the paper, section 3.2.1
  relu,        // max(0, q·k / √k) / n, Wortsman et al. 2023: nothing makes them add up to 1
};

// The n weights of one query, of its dot products with n keys of so many numbers each.
std::vector<double> weights_by(ScoreFunction function, std::span<const float> dots, int head_width);

}  // namespace glassformer
