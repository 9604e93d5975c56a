// What most sources of the screen include, read once by the compiler. Every file still includes what it uses.
#pragma once

#include "app/session/session.h"
#include "app/ui/ui.h"
#include "app/views/view.h"
#include "app/widgets/number_format.h"
#include "engine/model/transformer.h"
#include "engine/precompiled.h"
