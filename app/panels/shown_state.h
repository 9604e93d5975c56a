// What the window shows, as a session keeps it.
#pragma once

#include <functional>
#include <string>

#include "app/lessons/session_text.h"
#include "app/lessons/shown_model.h"
#include "app/panels/stage.h"
#include "app/session/session.h"

namespace glassformer {

// What the value of a model line is, asked for where it is needed; `role`: "model", "other" or "recurrent".
using ModelValue = std::function<std::string(const ShownModel&, const std::string& role)>;

// Without the weights' fingerprint and the window's panels. Throws Error when there is no sentence to keep.
SessionState shown_state(const Session& session, const std::string& view, const ViewControls& controls,
                         const ModelValue& value);

}  // namespace glassformer
