/* SPDX-License-Identifier: MIT */
/* What a kernel in OpenCL C needs to be compiled once more, for a machine or a device. */
#ifndef LITSCOPE_PROGRAM_KERNEL_LAUNCH_H
#define LITSCOPE_PROGRAM_KERNEL_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What it is called with: a number, a struct, or a pointer. */
struct kernel_argument {
  const char *name;
  int location;               /* the first of what it points to; -1: none, or no pointer */
  bool pointer, local;        /* local: to memory of the work-group, which has no contents at first */
  const unsigned char *image; /* the bytes of what is passed, or of what it points to at first; `size` of them */
  size_t size;
};

/* Where a location is. */
struct kernel_cell {
  int argument;    /* in what this one points to; -1: no argument */
  unsigned offset; /* in that, or in its variable */
  unsigned size;
  const char *variable; /* outside the kernel, in which it is; NULL: none */
  bool hidden;          /* nothing accesses it: wider elements are accessed in its place */
  unsigned group;       /* 1 + the work-group whose it is; 0: all have it */
  unsigned local;       /* 1 + the number of its variable in the work-group's memory; 0: it is in none */
};

/* A variable in the memory of a work-group (1 + its number; 0: of each). */
struct kernel_variable {
  const char *name;
  unsigned size, align, group;
};

struct kernel_launch {
  const char *name;                        /* of its function */
  const char *const *options;              /* for the compiler, NULL after the last; NULL: none */
  unsigned items, groups;                  /* work-items in a group, and groups */
  unsigned sub_groups;                     /* of a group */
  unsigned item_shape[3], group_shape[3];  /* both in x, y and z */
  const struct kernel_variable *variables; /* in work-groups' memory, of the first group, of the second, ... */
  unsigned variable_count;                 /* of all groups */
  const struct kernel_argument *arguments; /* of the first group, of the second, ... */
  unsigned argument_count;                 /* of one group */
  const struct kernel_cell *cells;         /* by location */
  const char *unfit;                       /* why its machine code cannot be run; NULL: it can */
  const char *missing;                     /* why nobody can call it; NULL: one can */
};

#endif
