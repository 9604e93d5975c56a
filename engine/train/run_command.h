// The command that makes a run again: what training.json records of it, as options of `glassformer train`.
#pragma once

#include <string>
#include <vector>

#include "engine/model/config.h"
#include "engine/recurrent/config.h"
#include "engine/text/data.h"
#include "engine/train/options.h"

namespace glassformer {

// What a run was made by.
template <class Configuration>
struct RecipeOf {
  Configuration config;
  TrainingOptions training;
  DataOptions data;
};
using Recipe = RecipeOf<Config>;
using RecurrentRecipe = RecipeOf<RecurrentConfig>;

// "--task=reverse", "--preset=tiny", "--seed=1", ...: they make the run again from its first step, bit for
// bit. Left out is what `train` chooses for these data and this size; the learning rate and the
// length of the run are always there.
std::vector<std::string> train_options(const Recipe& recipe);
std::vector<std::string> train_options(const RecurrentRecipe& recipe);

// The other way round, for what the model is made of and how it learns: the recipe with these options in
// place of its own. `--layers` sets both stacks. Throws Error that names the option, or what it does
// not fit.
Recipe with_options(const Recipe& recipe, const std::vector<std::string>& options);
// Their names, without dashes in front: "heads", "warmup".
std::vector<std::string> recipe_settings();

// For a shell: unquoted where that is safe, else in single quotes.
std::string shell_quoted(const std::string& word);

// "glassformer train --task reverse --preset tiny ... --out reverse", for a shell, of such options.
std::string train_command(const std::vector<std::string>& options, const std::string& out);

}  // namespace glassformer
