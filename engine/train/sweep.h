// A sweep: the same training with one thing changed at a time, each over several seeds, all scored on one
// test set (the ablations of section 6.2 of the paper). The file says what varies, a line each:
//
//   # a comment
//   base = --grammar assets/grammars/english-french.grammar --preset tiny --steps 2000
//   vary layers = 1, 2, 4
//   variant "no positions, 8 heads" = --positions none --heads 8
//   variant "base" =
//   seeds = 1, 2, 3
//   test = held-out 500
//
// The options are those of `glassformer train`. A `vary` line makes a setting of each value; a `variant` line
// one setting, of any number of options (none: the base itself). What a setting names replaces what the base
// says. `layers` sets both stacks of a Transformer; a recurrent model (--architecture recurrent) has an
// option of that name. `beam`, `alpha` and `penalty` say how the models of a setting translate; settings that
// differ in these alone share their models. `test` is a file of pairs, or so many pairs that are split off
// the data, never trained on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

// What is compared: a row of the table.
struct SweepSetting {
  std::string name;                  // "layers 2", "no positions, 8 heads"
  long line = 0;                     // of the file, that made it
  std::vector<std::string> options;  // "--encoder-layers=2", without seed and folder
  std::vector<std::string> search;   // "--beam=4": how its models translate
  bool recurrent = false;            // the kind of model that they make
};

struct SweepTest {
  std::string file;   // empty: pairs of the data
  long held_out = 0;  // so many of them
};

struct Sweep {
  std::string path;
  long base_line = 0;
  std::vector<SweepSetting> settings;
  std::vector<std::uint64_t> seeds;
  SweepTest test;
};

// Throw Error: "FILE:LINE: expected ..., found ...". Whether `train` takes the options is not asked here.
Sweep read_sweep(const std::string& path);
Sweep sweep_from_text(std::string_view text, const std::string& path);
// What varies alone, upon a base that is known: lines "vary" and "seeds". The settings have no options but
// their own.
Sweep sweep_of_settings(std::string_view text, const std::string& where);
// "path:3"
std::string sweep_place(const Sweep& sweep, long line);
// "no positions, 8 heads" as "no-positions-8-heads".
std::string sweep_folder_name(const std::string& setting);
// What a message says of a text in such a file: in quotes, cut where it is long, "nothing" when it is empty.
std::string as_found(std::string_view text);
constexpr long kMostSweepBytes = 1L << 20;

// One training: a setting with a seed.
struct SweepRun {
  std::string name;    // "layers-2-seed1"
  std::string folder;  // of its model: its name, or that of an earlier run of the same options
  std::size_t setting = 0;
  std::uint64_t seed = 1;
  std::vector<std::string> options;  // of `train`, without folder and threads
};
// What all settings have, files without their folders: "--grammar=english-french.grammar --preset=nano".
std::string common_options(const Sweep& sweep);
// Seed by seed: after the first round every setting has a result.
std::vector<SweepRun> planned_runs(const Sweep& sweep);

// What a run came to on the test set.
struct SweepScore {
  double exact_match = 0, bleu = 0, loss = 0;       // BLEU NaN: left out (too_short_for_bleu)
  std::map<long, std::pair<long, long>> by_length;  // of the source: {right, all}
  std::map<std::string, double> figures = {};       // of a study: what else it measures, by name
};

// Over the seeds of a setting. The deviation is the sample's; of a single number it is NaN.
struct MeanAndDeviation {
  double mean = 0, deviation = 0;
  long count = 0;
};
MeanAndDeviation mean_and_deviation(const std::vector<double>& values);

// As wide as makes eight ranges of lengths at most: 1, 2, 5, 10, 20, ... The range of a length n is
// (n - 1) / width.
long length_width(long longest);

}  // namespace glassformer
