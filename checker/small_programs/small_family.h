/* SPDX-License-Identifier: MIT */
/* Families of small programs: every program of a size, once up to renaming, or lists.
 *
 *     2x2   3x1,orders=na+rlx+sc,language=c   2x2,scopes=wg+dev+sys,remote,devices=2   G2   FILE
 *
 * THREADSxOPS, then in any order
 *   orders=A+B       na ordinary, rlx relaxed, ra acquire, release or both by the
 *                    kind of access, sc sequentially consistent; default na+ra
 *   scopes=A+B       wg (PTX: cta), qf (Vulkan), cluster (PTX), dev (gpu, dv), sys; default
 *                    wg+dev and, in languages that have it, `remote`; with devices=2 also
 *                    sys (qf), with clusters=N cluster
 *   remote           remote operations at each scope beyond wg; said only with scopes=
 *   fences           fences, of each scope: ra acquires and releases, sc
 *   barriers         barriers of the work-group, at which other threads of it wait
 *   guarded          also with everything after a thread's first operation guarded,
 *                    where that reads
 *   words=N          also with any other words of the language (PTX, Vulkan) in up to N
 *                    operations: availability, visibility, storage classes, proxies and
 *                    aliases, ..., as its dialect's templates (litmus/repair_moves.h) have them
 *   locations=N      so many at most, default 2
 *   devices=N        threads on so many devices at most (Vulkan: queue families)
 *   clusters=N       PTX: threads in so many clusters at most, 2 where a scope is cluster;
 *                    they name them in programs of which some operation does
 *   classes=2        Vulkan: locations of two storage classes, too, in programs that come
 *                    before the others
 *   language=L       opencl (default), hsa, c, ptx, vulkan: what the language does
 *                    not have is not in the family
 *
 * or lists, which are OpenCL's, joined by commas, with a size or without
 *   G2               guarded message passing: A1 A2 | F ! G
 *   M3               chains of three threads and the classic shapes, with mixed scopes,
 *                    fences, barriers, local memory
 *   guarded          as the first word: G2 and M3
 *
 * or a file with a program on each line, in the notation of small_program.h. A file that
 * is named like a list or a size has its folder before its name: ./G2.
 */
#ifndef LITSCOPE_SMALL_PROGRAMS_SMALL_FAMILY_H
#define LITSCOPE_SMALL_PROGRAMS_SMALL_FAMILY_H

#include <stdatomic.h>

#include "checker/small_programs/small_program.h"

/* Sets of orders and scopes, as bits. */
enum small_order { SMALL_NA = 1, SMALL_RA = 2, SMALL_RLX = 4, SMALL_SC = 8 };
enum small_scope { SMALL_WG = 1, SMALL_QF = 2, SMALL_DEV = 4, SMALL_SYS = 8 };

/* A program of a list. */
struct small_listed {
  const char *kind; /* of M3; NULL */
  struct small_program program;
};

struct small_list {
  struct small_listed *at;
  size_t count, room;
};

/* All words of an operation of PTX or Vulkan, `st.av.dv.sc0` (small_program.h). */
struct small_form {
  char kind;
  uint8_t class;    /* accesses: of the locations that they are for */
  uint8_t contexts; /* bits: 1 in programs of one storage class, 2 of two */
  uint16_t twin;    /* the number of the form that it is where the classes change places, from 1; 0: there is none */
  const char *words;
  unsigned rarity; /* how many forms have the rarest of them */
};

struct small_forms {
  struct small_form *at;
  size_t count, room;
};

struct small_family {
  const char *name; /* as it was read */
  const struct small_language *language;
  unsigned threads, ops; /* each thread has 1 .. ops operations; 0: no programs but the list's */
  bool guarded, fences, barriers;
  bool remote;             /* where `scopes` is given */
  unsigned devices;        /* 0 and 1: one */
  unsigned classes;        /* of storage; 0: one */
  unsigned clusters;       /* 0: threads name none */
  unsigned orders, scopes; /* 0: the default */
  unsigned locations;      /* 0: two */
  unsigned words;          /* so many operations at most have other words of the language: */
  struct small_forms forms;
  uint64_t budget;        /* visits no more programs; 0: all */
  struct small_list list; /* besides, in this order */
  bool from_file;         /* the list is */
};

/* Reads the notation above; lists live in `arena`.  `option` is what messages name;
 * `language` is that of a family that names none.  false, with diagnostics, where it is
 * not well formed or asks for what its language does not have, or a file cannot be read. */
bool small_family_read(struct arena *arena, const char *text, const char *option, const struct small_language *language,
                       struct small_family *family, struct diags *diags);

/* Reads a line of such a file that is a program.  false, with diagnostics: it is none, or
 * not one of the language. */
bool small_read_line(const struct source *source, struct span span, const struct small_language *language,
                     struct small_program *program, struct diags *diags);

/* Leaves out remote operations, which compilers and translations do not have, where
 * nobody asked for them. */
void small_family_without_remote(struct small_family *family);

/* Finds the forms of a family with `words`, in `arena`. */
void small_family_find_forms(struct arena *arena, struct small_family *family);

/* What forms are not wanted. */
struct small_unwanted {
  const struct small_op *own; /* those of these operations */
  size_t own_count;
  const char *words[8];  /* those with one of these words of scopes; ends in NULL */
  const char *innermost; /* but for barriers this one */
  bool clusters;         /* cluster scope is wanted as another than that of work-groups */
  unsigned classes;      /* of locations of programs */
};

/* Adds the forms of operations of these kinds, those of barriers and fences first and of
 * each kind those with the rarest words. */
void small_forms_find(struct arena *arena, const struct small_language *language, const char *kinds,
                      const struct small_unwanted *unwanted, struct small_forms *forms);

/* Adds the programs of G2, M3 or `guarded` to a list; false: the name is none of these. */
bool small_list_add(struct arena *arena, struct small_list *list, const char *name);

/* Does a family begin with one of these names? */
bool small_list_is_first(const char *text);

/* All programs of a family as one list. */
struct small_list small_family_list(struct arena *arena, const struct small_family *family);

/* Visits every program of the family once up to renaming of threads, locations
 * and values: locations in the order of first use; threads of equal length are not
 * told apart; threads hang together by the locations they share; values by reading
 * order; every placement.  Programs with barriers come first; of these and of the others
 * first those without other words, then those with each form.  Lists come last, as they are.  The order is always the
 * same. `visit` returns false to stop. */
void small_generate(const struct small_family *family,
                    bool (*visit)(void *context, const struct small_program *program), void *context);

/* The same programs in another order: those that differ in scopes, orders and places
 * alone come one after the other. */
void small_generate_by_shape(const struct small_family *family,
                             bool (*visit)(void *context, const struct small_program *program), void *context);

/* Every placement of a program's threads: work-groups numbered by first use, each in one of so many clusters if an
 * operation names clusters (0: threads name none), and on one of so many devices. */
struct small_places {
  bool apart, together; /* only those with a thread in each work-group; with all in one */
  unsigned clusters, devices;
  bool (*visit)(void *context); /* returns false to stop */
  void *context;
};
bool small_place(const struct small_places *places, struct small_program *program);

/* Which of two programs of one size and language does small_generate visit first? */
int small_compare(const struct small_program *a, const struct small_program *b);

/* Has the first fewer operations, or does it come first of two that have as many? */
bool small_is_simpler(const struct small_program *a, const struct small_program *b);

/* About how many programs, at once: without going through them.  Threads that do not
 * hang together are counted too, and threads that are equal too seldom. */
uint64_t small_estimate(const struct small_family *family);

/* A program as a sequence of numbers; equal ones up to renaming, as above, have
 * equal ones. */
enum { SMALL_CODE = SMALL_THREADS * (SMALL_OPS + 1) };
struct small_code {
  uint32_t at[SMALL_CODE]; /* 0 after its end */
};
struct small_code small_canonical(const struct small_program *program);

/* The program without the operations of a set, bits by thread, with values numbered
 * anew.  false: that is no program of a family with as many
 * threads, since a thread is left empty or does not hang together with the others. */
bool small_without(const struct small_program *program, const uint16_t *left_out, struct small_program *rest);

#endif
