/* Complete executions: events with rf and co, and the fixed relations of the
 * event structure.
 *
 * The enumerator (enumerate.h) hands one out for each consistent execution;
 * verdicts count them, reports draw and explain them.
 */
#ifndef LITSCOPE_EXEC_EXECUTION_H
#define LITSCOPE_EXEC_EXECUTION_H

#include "base/rel.h"
#include "program/program.h"

enum event_kind { EVENT_READ, EVENT_WRITE, EVENT_FENCE };

/* One event.  Read-modify-writes are a read and a write joined by rmw, both
 * carrying order, scope and remote flag of the operation. */
struct event {
  enum event_kind kind;
  int thread;              /* -1: an initial write */
  unsigned po_index;       /* position in its thread */
  int instr;               /* instruction it comes from; -1: initial */
  int location;            /* -1: fences */
  int64_t value;           /* read or written */
  enum order order;        /* ORDER_NA: ordinary access (and initial writes) */
  enum scope scope;
  bool remote;
  bool rmw;                /* a half of a read-modify-write */
  unsigned regions;        /* set of enum region */
  bool barrier_entry, barrier_exit;
  int barrier_instance;    /* events of one barrier have equal ones; -1: none */
};

struct execution {
  const struct program *program;
  struct shape shape;
  const struct event *events; /* initial writes first, then by thread and po */
  /* n * w words each. */
  const word *po, *rf, *co, *rmw, *addr, *data, *ctrl;
  /* Final values: registers of each thread, then locations. */
  const int64_t *const *registers;
  const int64_t *final;
  /* A loop bound cut this execution short (never among the counted ones). */
  bool cut;
};

/* Writes an event as reports show it: `P1 R(acq,dev,remote) y=1`. */
void event_print(const struct program *program, const struct event *event, FILE *out);

#endif
