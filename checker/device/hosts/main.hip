/* SPDX-License-Identifier: MIT */
/* Kernel and host program in one: hipcc -std=c++17 main.hip */
#include "kernel.hip"
#ifdef HAVE_RUNTIME
#include "tables.h"
#include "test.h"
#include "host.h"
#define API(call) hip##call
#include "gpu.h"
#endif
