/* SPDX-License-Identifier: MIT */
/* The seam between machines and the explorer (the shape of LTSmin's PINS).
 *
 * A machine is a state of fixed size, an initial state, successors with labels,
 * and a test for final states.  The explorer (explore.h) sees states as bytes:
 * equal states must be equal bytes, so machines keep unused bytes zero.  A new
 * machine is one file that fills this struct; the explorer does not change.
 */
#ifndef LITSCOPE_HWSEM_MACHINE_H
#define LITSCOPE_HWSEM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What kind of step a label is: reports tell them apart. */
enum step_kind { STEP_THREAD, STEP_ENVIRONMENT };

/* A step's label, small enough to make at every transition; the machine alone
 * knows what `code` and the arguments mean. */
struct step {
  uint16_t code;
  uint16_t agent; /* thread, or cache, or device: by `code` */
  uint32_t detail;
};

/* Receives successors.  `next` is copied at once, unless it was made in `place`,
 * where the sink offers one (else NULL): there, bytes from the state's end to
 * MACHINE_SPARE more may be written too.  emit sets the place of the next one.
 * Returns false to ask the machine to stop (a limit was reached). */
struct successor_sink {
  bool (*emit)(struct successor_sink *sink, struct step step, const void *next);
  void *place;
};

enum { MACHINE_SPARE = 32 };

/* How long code is, and how much of it orders memory accesses: on AMD's GPUs waits, invalidates and write-backs; in PTX
 * fences, and accesses that acquire or release. */
struct code_size {
  bool ptx;
  unsigned instructions, waits, invalidates, write_backs, fences, ordered;
};

struct machine {
  const char *name;
  size_t state_size; /* bytes of a state, fixed once the program is known */
  void *self;        /* the machine's own data, read-only while exploring */

  void (*initial)(const struct machine *m, void *state);

  /* Calls sink->emit once for every enabled step. Returns false when the sink
   * asked to stop, or when the machine cannot go on from this state (a value
   * outgrew its packed field): the explorer tells the two apart and ends with
   * EXPLORE_MACHINE in the second case. Must be reentrant. */
  bool (*successors)(const struct machine *m, const void *state, struct successor_sink *sink);

  /* A state in which the program has run to its end and nothing is pending.  A
   * state that is not final is a deadlock if it has no successor; or, where the
   * machine has idle steps, if none but those can ever follow. */
  bool (*final)(const struct machine *m, const void *state);

  /* Optional (NULL: no step is idle).  Steps of the environment that can undo
   * each other without end, such as fetching and dropping a line: going on with
   * these alone, the program gets no further. */
  bool (*idle)(const struct machine *m, struct step step);

  /* Optional (NULL: none).  Rewrites a state to the representative of its
   * class under a symmetry of the machine (-no-symmetry switches it off). */
  void (*canonical)(const struct machine *m, void *state);

  /* With `canonical`: a final state stands for its whole class, and its class
   * may show other outcomes than it does.  Writes image `k` (0 .. image_count -
   * 1, the identity among them) of a state to `image`.  image_count 0: every
   * state of a class shows the same outcome. */
  unsigned image_count;
  void (*image)(const struct machine *m, unsigned k, const void *state, void *image);

  /* Optional (NULL: none).  Partial-order reduction: an ample subset.  Fills
   * sink with a subset of the successors that suffices to reach every final
   * state and deadlock (-no-por switches it off). */
  bool (*ample)(const struct machine *m, const void *state, struct successor_sink *sink);

  /* For questions of progress (fair_progress.h); NULL, both: the machine has none.  Sets
   * of threads, bit i for thread i: those that have not ended, and those that a
   * step moves. */
  uint64_t (*running)(const struct machine *m, const void *state);
  uint64_t (*movers)(const struct machine *m, struct step step, const void *before);

  /* Optional (NULL: none), besides these.  Is the thread's only step one that no other sees or changes, that no
   * loop goes through, and after which it has not ended? */
  bool (*alone)(const struct machine *m, const void *state, unsigned thread);

  /* For reports. */
  enum step_kind (*step_kind)(const struct machine *m, struct step step);
  void (*print_step)(const struct machine *m, struct step step, const void *before, const void *after, FILE *out);
  void (*print_state)(const struct machine *m, const void *state, FILE *out);

  /* Optional (NULL: it has none).  A step's name in certificates (checker/certify/check_machine.c):
   * who makes it, and what to, but not its values. */
  void (*name_step)(const struct machine *m, struct step step, FILE *out);

  /* Optional (NULL: it knows none).  The line of the test that a step does a part of; 0: of none. */
  unsigned (*line)(const struct machine *m, struct step step);

  /* Optional (NULL: it knows none).  The instruction of the program that a step does a
   * part of, by thread and number; false: of none. */
  bool (*source)(const struct machine *m, struct step step, unsigned *thread, unsigned *instr);

  /* Optional (NULL: it runs none).  The code of all threads, once where several share it. */
  struct code_size (*code_size)(const struct machine *m);

  /* For sequence diagrams.  Lanes are the columns (threads, caches, memory),
   * left to right; a step goes from lane *from to lane *to (equal: it stays).
   * lane_count 0: the machine has no diagram. */
  unsigned lane_count;
  void (*print_lane)(const struct machine *m, unsigned lane, FILE *out);
  void (*route)(const struct machine *m, struct step step, const void *before, const void *after, unsigned *from,
                unsigned *to);
  /* Optional (NULL: to no other).  Whether a step that is sent to several lanes
   * reaches this one too: a flush of all caches of a device. */
  bool (*also_reaches)(const struct machine *m, struct step step, unsigned lane);

  /* Observed value `i` (0 .. observable_count - 1) in a final state. */
  unsigned observable_count;
  int64_t (*observe)(const struct machine *m, const void *state, unsigned i);

  /* Optional (0: none).  Observable `fault` - 1, which nobody asked for, is not 0
   * in a final state where a run has gone wrong: code that no hardware gives a
   * meaning.  The state's other values then say nothing. */
  unsigned fault;
  void (*print_fault)(const struct machine *m, int64_t value, FILE *out);

  /* Optional (NULL).  Where the machine's one step is a whole run: what reports
   * call it ("Execution under ptx"). */
  const char *whole_run;
  /* Optional (NULL: there are none).  Why the machine lacks runs that the program
   * has: that none of its runs does something then says nothing. */
  const char *lacks;
};

#endif
