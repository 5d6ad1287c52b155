/* SPDX-License-Identifier: MIT */
/* The kinds of machines: what commands do with a machine they do through a row
 * of this table, so that none of them knows which there are.
 *
 * To add one: its file, which ends in `const struct machine_kind NAME_kind`; a
 * line in MACHINE_KIND_LIST; and a description, mappings/NAME.xml (checked
 * against machine.rng, or a schema of its own when it has settings).
 */
#ifndef LITSCOPE_HWSEM_MACHINES_KINDS_H
#define LITSCOPE_HWSEM_MACHINES_KINDS_H

#include "checker/program/program.h"
#include "hwsem/execution_rf_co.h"
#include "hwsem/machine_with_mapping.h"
#include "hwsem/machines/knobs.h"
#include "hwsem/xml_folders.h"

struct prop;
struct rules;

/* A program is run on the first kind that runs it and has usual machines, unless
 * others are chosen. */
#define MACHINE_KIND_LIST(X) X(gpu) X(adsm) X(sc) X(amo) X(amd)

/* How a kind's executions are followed (execution_rf_co.h): by a machine around it whose
 * outcomes they are. */
struct machine_follow {
  /* Why a machine cannot be followed, or NULL when it can. */
  const char *(*refuses)(const struct machine *inner);
  void (*around)(struct arena *arena, const struct machine *inner, struct machine *outer);
  /* An execution as the outer machine's outcomes are written. */
  void (*key)(const struct machine *outer, const struct execution_words *execution, int64_t *key);
  /* An outcome of the outer machine in words, in `arena`. */
  const char *(*describe)(struct arena *arena, const struct machine *outer, const int64_t *key);
};

/* What a test becomes that runs on a machine: nothing else, what a compiler mapping makes (one machine, a target for
 * every mapping), a compiler's code, or a test of another language. */
enum machine_code { CODE_ITSELF, CODE_MAPPED, CODE_COMPILED, CODE_TRANSLATED };

struct machine_kind {
  const char *title;        /* in messages: "GPU" */
  const char *root;         /* root element of its descriptions (mappings/NAME.xml) */
  const char *prefix;       /* of their names, which the command line may leave out; NULL: none */
  const char *const *usual; /* those for programs that no machine was chosen for, ending in NULL; NULL: none */
  enum machine_code code;
  bool certified;  /* litscope-certify has a machine of this kind */
  bool one_device; /* programs on several do not fit */
  /* What it does to a program that the model gives no meaning is worth seeing:
   * ownership of ADSM objects is there for the protocols' sake.  What a GPU does
   * to one with a data race is not. */
  bool explains_undefined;
  size_t settings_size;         /* all zero: settings that a description has not changed */
  unsigned attempts;            /* how often `build` may be asked again after EXPLORE_MACHINE; 0 and 1: once */
  struct machine_follow follow; /* all NULL: executions cannot be followed */

  /* Is this a program of the kind's language? */
  bool (*runs)(const struct program *program);

  /* As machine_kind_load.  NULL: a description is an element of this schema, and all it says are `knobs`. */
  const char *schema;
  const char *(*load)(struct arena *arena, const char *name, const struct xml_folders *search, void *settings,
                      struct diags *diags);

  /* Settings that are words (-knob), and where they begin among all settings.  NULL: there are none. */
  const struct knobs *knobs;
  size_t knobs_at;

  /* Those that are no words; NULL, both, where there are none.  Is this the name of one?
   * Changes one, given by any name; on failure adds a diagnostic. */
  bool (*has)(const char *name);
  bool (*set)(void *settings, const char *name, const char *word, struct diags *diags);

  /* Does a machine tell operations that have a memory order from others of the same code?
   * NULL: with no settings. */
  bool (*tells_orders)(const void *settings);

  /* As target_check.  NULL: nothing is seen before building. */
  bool (*check)(const struct target *target, const struct program *program, struct arena *arena, struct diags *diags);

  /* The machine for a request's program, in its arena.  `attempt` numbers those
   * to which the machine before was too small.  On failure adds diagnostics and
   * returns false. */
  bool (*build)(const struct target *target, const struct explore_request *request, unsigned attempt,
                struct machine *machine, struct diags *diags);

  /* Optional (NULL: they cannot be said).  The rules that the machine for a request's program has, as text, and when
   * its final states meet `wanted`.  On failure adds diagnostics and returns false. */
  bool (*write_rules)(const struct target *target, const struct explore_request *request, const struct prop *wanted,
                      struct rules *rules, struct diags *diags);
};

#define MACHINE_KIND_DECLARE(name) extern const struct machine_kind name##_kind;
MACHINE_KIND_LIST(MACHINE_KIND_DECLARE)
#undef MACHINE_KIND_DECLARE

/* All of them, in the order of the list; NULL at the end. */
extern const struct machine_kind *const machine_kinds[];

/* Reads a description into settings that are zero, and returns its own name.  On failure adds diagnostics and returns
 * NULL. */
const char *machine_kind_load(const struct machine_kind *kind, struct arena *arena, const char *name,
                              const struct xml_folders *search, void *settings, struct diags *diags);

/* Has a kind settings that can be given by name (-knob), and one of this name?  Sets one; on failure adds a diagnostic.
 */
bool machine_kind_sets(const struct machine_kind *kind);
bool machine_kind_has(const struct machine_kind *kind, const char *name);
bool machine_kind_set(const struct machine_kind *kind, void *settings, const char *name, const char *word,
                      struct diags *diags);

/* For `runs`: a program of threads on one memory, in instructions. */
static inline bool machine_runs_threads(const struct program *program) {
  return !program_is_adsm(program) && !program->assembly;
}

/* The kind whose descriptions have this root element, or NULL. */
const struct machine_kind *machine_kind_of_root(const char *root);

#endif
