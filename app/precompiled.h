// What most sources of the screen include, read once by the compiler. Every file still includes what it uses.
#pragma once

#include "app/format/number_format.h"
#include "app/session/session.h"
#include "app/ui/ui.h"
#include "app/views/common/view.h"
#include "engine/model/transformer.h"
#include "engine/precompiled.h"
