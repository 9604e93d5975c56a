// What most sources of the session include, read once by the compiler. Every file still includes what it
// uses.
#pragma once

#include "app/session/session.h"
#include "engine/model/transformer.h"
#include "engine/precompiled.h"
