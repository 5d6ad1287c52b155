/* SPDX-License-Identifier: MIT */
/* A kernel of a PTX module as its threads run it: what is in memory, and each thread's code as a column of a PTX test.
 */
#ifndef LITSCOPE_PTX_KERNEL_H
#define LITSCOPE_PTX_KERNEL_H

#include "checker/program/header_comments.h"
#include "checker/ptx/module.h"
#include "checker/ptx/structures.h"

/* In columns, the place of what the threads of a warp give each other (struct ptx_kernel). */
#define PTX_GATHERED "gathered"

/* What a parameter points to, or a variable; of shared memory, that of one block. */
struct ptx_object {
  const char *name; /* as reports show it */
  const struct ptx_variable *variable;
  const struct header_input *input; /* NULL: none */
  const char *holder;               /* what holds its address: `[name+8]`; NULL: it is a variable */
  const char *type;                 /* of its elements, "b32"; NULL: of none is it known yet */
  bool pointed, real;               /* a parameter points to it; it holds floats */
  unsigned group;                   /* 1 + the number of the block; 0: all have it */
  unsigned first, count;            /* locations */
};

struct ptx_structure {
  const struct ptx_variable *parameter;
  struct ptx_members members;
};

struct ptx_launch {
  struct arena *arena;
  struct diags *diags;
  struct ptx_module module;
  const struct ptx_entry *entry;
  struct header header;
  VEC(struct ptx_object) objects;
  VEC(struct ptx_structure) structures; /* parameters that are */
  unsigned threads, threads_in_block;
  unsigned location_count;
  const char **names; /* of locations, in the columns: `o0[3]` */
  struct column *columns;
  struct ptx_meetings meetings;
  bool failed;
};

/* Reads the kernel that the header names, or the module's first.  false: an error was added. */
bool ptx_launch_read(struct arena *arena, const struct source *source, const struct header *header,
                     struct ptx_launch *launch, struct diags *diags);

/* The object that a header calls so, in the first block; NULL: there is none. */
const struct ptx_object *ptx_launch_find(const struct ptx_launch *launch, const char *name);

/* The type of an object's elements. */
struct width ptx_object_width(const struct ptx_object *object);

/* What an element holds at first; false: it is not known. */
bool ptx_object_initial(const struct ptx_object *object, unsigned element, int64_t *value);

#endif
