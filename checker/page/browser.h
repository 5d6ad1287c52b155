/* SPDX-License-Identifier: MIT */
/* What is different in a browser.  Comes before every source of the page's program. */
#ifndef LITSCOPE_PAGE_BROWSER_H
#define LITSCOPE_PAGE_BROWSER_H

#include <stddef.h>

/* The commands that the page's program has: nobody can call the others. */
#define BUILT_COMMANDS(X) X(CHECK, check) X(EXPLORE, explore) X(VERIFY, verify) X(PROGRESS, progress)

/* glibc's, which Emscripten's C library lacks. */
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *context),
             void *context);

#endif
