/* SPDX-License-Identifier: MIT */
/* PTX as compilers write it, read as a column of a PTX test. */
#ifndef LITSCOPE_PTX_READ_H
#define LITSCOPE_PTX_READ_H

#include "checker/base/vec.h"
#include "checker/ptx/column.h"

/* An instruction with its semicolon, a label with its colon, or a line of a compiler's text, which may be neither. */
struct ptx_statement {
  const char *text;
  struct span span; /* where it stands */
};

/* What an address register is known to be: a number, or so many bytes after where a parameter points to, and so on; and
 * `scale` times what a register of the test holds after that. */
enum known_kind { KNOWN_NUMBER, KNOWN_PARAMETER, KNOWN_SHARED, KNOWN_PRIVATE, KNOWN_CONTENT };

struct ptx_joined;

struct ptx_known {
  const char *reg;
  enum known_kind kind;
  unsigned parameter; /* that of the array's first element */
  int64_t offset;     /* from there; in shared memory, from `start` */
  int64_t start;      /* shared memory: of the array, where `based` */
  const char *index;  /* NULL: none */
  int64_t scale;
  bool based;
  unsigned bytes;                  /* of a member of a structure; 0: as many as are loaded */
  const char *content;             /* the address of the parameter itself, which is called so */
  const struct ptx_joined *joined; /* the register that it comes from, where that may point into several arrays */
};

/* What each takes from the others when they meet. */
enum ptx_gathering {
  PTX_NOTHING, /* it is a barrier */
  PTX_SOURCE,  /* what one of them gives */
  PTX_ALL,
  PTX_ANY,
  PTX_UNIFORM,
  PTX_BALLOT,
  PTX_MATCH_ANY,
  PTX_MATCH_ALL,
  PTX_ADD,
  PTX_AND,
  PTX_OR,
  PTX_XOR,
  PTX_MIN,
  PTX_MAX,
  PTX_MIN_UNSIGNED,
  PTX_MAX_UNSIGNED
};

/* What threads of a block meet at, by its name in the column. */
struct ptx_meeting {
  const char *name;
  enum ptx_gathering gathers;
  bool wide;                      /* of 64 bits */
  bool of_warp, aligned, counted; /* aligned: all come to the same instruction; counted: one says of how many */
  unsigned warp;                  /* of its block */
  uint32_t mask;                  /* of the lanes that meet */
};

struct ptx_meetings {
  VEC(struct ptx_meeting) all;
};

/* What the kernel's parameters and shared memory are. */
struct ptx_kernel {
  const struct source *source;
  const struct ptx_statement *statements;
  size_t statement_count;
  const char *thread;            /* its name, for messages */
  const struct ptx_known *known; /* special registers, variables, and of parameters what `[name+0]` holds; NULL: the
                                    thread is alone in its block, and its parameters go by their numbers */
  size_t known_count;
  const unsigned *locations; /* of the parameters after the first, which points to the results */
  unsigned location_count;
  const unsigned *shared; /* locations in shared memory, in order, each so many bytes after the one before */
  unsigned shared_count, shared_stride;
  const unsigned *bytes;      /* of locations; NULL: 4 each; 0: not known, */
  const char **found;         /* and here the type of what the first access is of is put, where reading ends */
  const char *const *names;   /* of locations in the test */
  const char *const *results; /* registers of the column that hold results, in order */
  unsigned result_count;
  unsigned next;   /* number of the first register that is free */
  unsigned block;  /* 0: all reach their barriers in the order of the text; else how many meet at the k-th that each
                      reaches */
  unsigned number; /* of the thread */
  unsigned warp, lane, warp_size; /* warp_size 0: it is in none */
  struct ptx_meetings *meetings;  /* are put in here; NULL: where `block` is 0 */
  const char *gathered; /* a location, in whose place what they give and take stands: see ptx_module_gatherings.h */
};

/* The lines of a compiler's text. */
const struct ptx_statement *ptx_lines(struct arena *arena, const struct source *source, const struct span *lines,
                                      size_t count);

/* May a jump lead past one of its barriers, or back to it; or have they names or numbers of threads? */
bool ptx_barriers_depend(const struct ptx_kernel *kernel);

/* Adds the kernel's cells.  false, with diagnostics that show the line, for what
 * the test's notation cannot say: instructions that are not known, addresses that
 * are not known before running. */
bool ptx_read(struct arena *arena, const struct ptx_kernel *kernel, struct column *column, struct diags *diags);

/* A whole number as PTX writes it: 12, -3, 017, 0x1FU, 0b101.  false: it is none, or does not fit in 64 bits. */
bool ptx_number(const char *text, int64_t *value);

/* The same, or the bits of a float, such as 0f3F800000. */
bool ptx_constant(const char *text, int64_t *value);

/* Of a type such as `b32`; 0: it is none. */
unsigned nvptx_bits(const char *type);

#endif
