// What sine and cosine positions are made for (paper, section 3.5): near places look alike wherever they
// are, and moving k places along is one and the same rotation everywhere, so that a head can learn "one
// word back" once.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/layers/wave_form.h"
#include "engine/model/trace.h"

namespace glassformer {

// The table of sines and cosines, row-major (length, d_model), as a model with sinusoidal positions adds it.
std::vector<float> sinusoidal_table(int length, int d_model, const WaveForm& form = {});

// The simplest signal there could be: the position itself, as one more number beside the word's. (length, 1)
std::vector<float> index_table(int length);

// How long the rows are: the mean of the sum of their squared numbers. What one signal has of the sum of two
// is its share of what attention compares. rows: (L, d)
double mean_squared_length(const Plane& rows);

// A learned table before its first step, drawn as Transformer::initialize draws it: normal, deviation
// 1/sqrt(d). Row-major (length, d_model).
std::vector<float> untrained_positions(int length, int d_model, std::uint64_t seed);

// Dot products of every pair of rows: row-major (L, L). table: (L, d).
std::vector<float> dot_products(const Plane& table);

// The mean dot product of all pairs `distance` apart, for distances 0 to `distances` - 1, and how
// much it differs from pair to pair (0 for sines and cosines of even width, where the distance alone counts).
// table: (L, d).
struct DistanceSimilarity {
  double mean = 0, smallest = 0, largest = 0;
  long pairs = 0;
};
std::vector<DistanceSimilarity> similarity_by_distance(const Plane& table, int distances);

// Columns 2i and 2i + 1 of the table hold sin(w p) and cos(w p) with w = 10000^(-2i/d), or as the form has
// it.
struct Frequency {
  int pair = 0;           // i
  double frequency = 0;   // w, radians per position
  double wavelength = 0;  // positions until the wave repeats: 2 pi / w
};
// d / 2 of them, the odd last column of an odd d left out.
std::vector<Frequency> position_frequencies(int d_model, const WaveForm& form = {});

// The linear map that turns the row of position p into the row of position p + shift, one 2 x 2 rotation a
// pair:
//   sin(w (p + k)) =  cos(w k) sin(w p) + sin(w k) cos(w p)
//   cos(w (p + k)) = -sin(w k) sin(w p) + cos(w k) cos(w p)
struct ShiftRotation {
  double angle = 0;             // w k in radians, not reduced
  double cosine = 1, sine = 0;  // of the angle
};
std::vector<ShiftRotation> shift_rotations(int d_model, int shift, const WaveForm& form = {});

// The two numbers of a pair in one row, turned by the rotation, beside those of the row that it leads to.
struct MovedPair {
  ShiftRotation rotation;
  double sine = 0, cosine = 0;              // of the row at `from`, as the table has them
  double moved_sine = 0, moved_cosine = 0;  // these, turned by the rotation
  double there_sine = 0, there_cosine = 0;  // of the row at from + shift, as the table has them
  double sine_difference() const { return moved_sine - there_sine; }
  double cosine_difference() const { return moved_cosine - there_cosine; }
};
// table: (L, d) of sines and cosines; from and from + shift are rows of it, pair < d / 2.
MovedPair moved_pair(const Plane& table, int pair, int from, int shift, const WaveForm& form = {});

// How far the two ways to compute a frequency, 1 / 10000^(2i/d) and exp(-log(10000) 2i/d), lie apart: the
// largest difference of any pair, and of any number of the tables of `length` rows made with them, rounded to
// 32 bits as the model has them.
struct FrequencyWays {
  double frequency = 0, table = 0;
};
FrequencyWays compare_frequency_ways(int length, int d_model, const WaveForm& form = {});

}  // namespace glassformer
