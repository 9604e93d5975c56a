// What most tests of the engine include, read once by the compiler. Every file still includes what it uses.
#pragma once

#include <doctest/doctest.h>

#include "engine/math/error.h"
#include "engine/model/transformer.h"
#include "engine/precompiled.h"
#include "engine/train/trainer.h"
