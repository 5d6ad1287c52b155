/* SPDX-License-Identifier: MIT */
/* PTX as compilers write it, read as a column of a PTX test. */
#ifndef LITSCOPE_TRANSLATE_NVPTX_READ_H
#define LITSCOPE_TRANSLATE_NVPTX_READ_H

#include "checker/translate/translated_thread.h"

/* What the kernel's parameters and shared memory are. */
struct ptx_kernel {
  const struct source *source;
  const struct span *lines;
  size_t line_count;
  const char *thread;        /* its name, for messages */
  const unsigned *locations; /* of the parameters after the first, which points to the results */
  unsigned location_count;
  const unsigned *shared; /* locations in shared memory, in order, each so many bytes after the one before */
  unsigned shared_count, shared_stride;
  const unsigned *bytes;      /* of locations; NULL: 4 each */
  const char *const *names;   /* of locations in the test */
  const char *const *results; /* registers of the column that hold results, in order */
  unsigned result_count;
  unsigned next;   /* number of the first register that is free */
  unsigned block;  /* 0: all reach their barriers in the order of the text; else how many meet at the k-th that each
                      reaches */
  unsigned number; /* of the thread */
};

/* May a jump lead past one of its barriers, or back to it? */
bool ptx_barriers_depend(const struct ptx_kernel *kernel);

/* Adds the kernel's cells.  false, with diagnostics that show the line, for what
 * the test's notation cannot say: instructions that are not known, addresses that
 * are not known before running. */
bool ptx_read(struct arena *arena, const struct ptx_kernel *kernel, struct column *column, struct diags *diags);

#endif
