/* SPDX-License-Identifier: MIT */
/* What the search for one cell (synth.c) and that for several (synth_joint.c) share:
 * the programs, trials of mappings on them, and the examples that have refuted something. */
#ifndef LITSCOPE_PROGRAM_SEARCH_SYNTH_INTERNAL_H
#define LITSCOPE_PROGRAM_SEARCH_SYNTH_INTERNAL_H

#include "checker/base/vec.h"
#include "checker/program_search/synth.h"

/* A race-free program that has some of the operations. */
struct known_program {
  struct small_program program;
  struct outcomes allowed;
  unsigned cells; /* bit i: it has operation keys[i] */
};

typedef VEC(size_t) numbers;

enum trial { TRIAL_SOUND, TRIAL_UNSOUND, TRIAL_STUCK, TRIAL_UNDECIDED };

struct trials;
struct joint;

struct synth {
  struct arena *arena;
  const struct synth_options *options;
  const struct mapping *mapping;
  VEC(struct known_program) programs; /* by size */
  struct trials *trials;              /* of the only operation */
  struct joint *joint;                /* of several */
  numbers examples;                   /* programs that have refuted something; the last to do so first */
  struct synth_result result;
};

/* A trial: a mapping on all programs that have one of some operations, and none of others: the first that does not do.
 */
struct mapping_trial {
  struct synth *synth;
  const struct mapping *mapping;
  unsigned cells, without;
  size_t bad;
  unsigned order;
  enum trial trial;
};

enum trial synth_try_order(const struct synth_options *o, const struct mapping *mapping,
                           const struct small_program *program, const struct outcomes *allowed, unsigned order);

/* The same, asking the model first; undecided, too, where the program is racy. */
enum trial synth_ask(const struct synth_options *o, const struct mapping *mapping, const struct small_program *program,
                     unsigned order);

/* In both orders; `*order` is the first that does not do. */
enum trial synth_try_program(const struct synth_options *o, const struct mapping *mapping,
                             const struct known_program *program, unsigned *order);

/* The programs, first those that have refuted something. */
void synth_try_mapping(struct synth *s, struct mapping_trial *tried);

/* Puts a program before the other examples. */
void synth_note_example(struct synth *s, size_t program);

/* What was found out of one mapping: `TRIAL PROGRAM ORDER;`. */
void synth_print_trial(const struct mapping_trial *tried, FILE *out);

/* false: there is no other. */
bool synth_read_trial(const struct synth *s, const char **text, struct mapping_trial *tried);

/* Has some trial of a text come out so? */
bool synth_has(const struct synth *s, const char *text, enum trial trial);

/* The mapping that there is now on all programs, as a text in s->arena. */
const char *synth_whole_text(struct synth *s);

/* Is it sound there?  A part of its own. */
bool synth_whole_is_sound(struct synth *s, uint64_t part);

/* Several operations: the candidates of each. */
struct joint *joint_new(struct synth *s);

/* What is to be done here.  false: it was cancelled, or something was undecided. */
bool joint_do_parts(struct synth *s);

/* Does the rest, and has the results in s->result and the cells in s->mapping. */
void joint_solve(struct synth *s);

#endif
