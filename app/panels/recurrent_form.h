// The New model dialog's fields of a recurrent model, and the run they stand for.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/panels/new_model_form.h"
#include "app/scene/recurrent_run.h"

namespace glassformer {

inline constexpr std::array kRecurrent{NumberField{"recurrent_width", "Width d"},
                                       NumberField{"recurrent_layers", "Layers"},
                                       NumberField{"recurrent_steps", "Steps (0: what suits)"}};
ChoiceField recurrent_attention();

// Both throw Error that names the field whose text cannot be.
NewRecurrentRun recurrent_of(const NewModelForm& form);
std::string recurrent_summary(const NewModelForm& form, const DataPreview* preview);

}  // namespace glassformer
