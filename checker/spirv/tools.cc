/* SPDX-License-Identifier: MIT */
/* The boundary of SPIRV-Tools' C++: no exception goes beyond.  It is built without exceptions of its own, so that none
 * of its objects is freed on the way. */
#include "checker/spirv/tools.h"

#include <new>

bool tools_complete(void (*call)(void *context), void *context) {
  try {
    call(context);
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}
