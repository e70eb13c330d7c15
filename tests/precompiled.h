// The headers that every test includes, compiled once (TEXLATE_PRECOMPILED_HEADERS).
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
