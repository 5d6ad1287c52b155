/* SPDX-License-Identifier: MIT */
/* SPIRV-Tools, from C.  Where its memory runs out, C++ throws, which ends a program that is not C++. */
#ifndef LITSCOPE_SPIRV_TOOLS_H
#define LITSCOPE_SPIRV_TOOLS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls what calls SPIRV-Tools; false: it ran out of memory on the way, and what it had is lost. */
bool tools_complete(void (*call)(void *context), void *context);

#ifdef __cplusplus
}
#endif

#endif
