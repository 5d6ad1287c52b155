/* SPDX-License-Identifier: MIT */
/* What a command is given and what it may rely on.
 *
 * main.c reads the command line by the tables of command_table.h and calls
 *
 *     int command_NAME(struct invocation *call);
 *
 * with every option checked: an option that the command does not have, a
 * missing or a bad value has been refused before.  The command asks for its
 * options by identifier (OPTION_MODEL, ...), prints, and returns the exit
 * status.  Commands that do something with each test of a list use each_test.h,
 * which gives them selection, worker threads, ordered output and limits.
 */
#ifndef LITSCOPE_CMD_COMMAND_H
#define LITSCOPE_CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"
#include "checker/cmd/command_table.h"

/* Exit statuses. */
enum {
  STATUS_DONE = 0,
  STATUS_DIFFERS = 1, /* a failure: of what a test claims or what was expected; a mapping is unsound */
  STATUS_BAD = 2,     /* bad usage or bad input; output could not be written */
  STATUS_LIMIT = 3    /* a limit was reached: some answer is missing */
};

/* The status of two things done one after the other: bad input before a
 * difference before a limit. */
int status_join(int a, int b);

enum command_id {
#define COMMAND_ID(id, name, operands, summary) COMMAND_##id,
  COMMAND_LIST(COMMAND_ID)
#undef COMMAND_ID
      COMMAND_COUNT
};

/* A set of one command. */
#define FOR(command) (UINT32_C(1) << COMMAND_##command)

enum option_id {
#define OPTION_ID(id, name, kind, argument, initial, low, high, commands, help) OPTION_##id,
  OPTION_LIST(OPTION_ID)
#undef OPTION_ID
      OPTION_COUNT
};

enum option_kind { OPTION_SWITCH, OPTION_BOOL, OPTION_CHOICE, OPTION_NUMBER, OPTION_REAL, OPTION_TEXT, OPTION_LIST_OF };

struct invocation;
struct ranks;
struct files;

struct command {
  const char *name, *operands, *summary;
};

struct option {
  const char *name;
  enum option_kind kind;
  const char *argument; /* NULL for switches; the words of a choice, separated by `|` */
  const char *initial;  /* default, or NULL */
  double low, high;
  uint32_t commands; /* bit i: command i has it */
  const char *help;
};

extern const struct command command_table[COMMAND_COUNT];
extern const struct option option_table[OPTION_COUNT];

/* What exit status 1 of a command says; NULL: it has none. */
extern const char *const command_failures[COMMAND_COUNT];

/* The values given for one option, in the order of the command line. */
struct option_values {
  const char **at;
  size_t count, room;
};

/* One call of the program. */
struct invocation {
  struct arena *arena; /* lives as long as the call */
  enum command_id command;
  const char **words; /* what is no option: tests, or the operands of `cost`, `help`, ... */
  size_t word_count;
  struct option_values values[OPTION_COUNT];
  const char *const *merged;      /* `merge`: files whose parts stand for the work; ends in NULL. Else NULL */
  struct ranks *ranks;            /* the processes of this run (mpi_ranks.h); NULL: this one alone */
  const struct files *tests;      /* of tests_run, which lists them: test_files.h. Else NULL */
  struct option_values compilers; /* that were found, as they call themselves, each with its release */
  unsigned at_once;               /* tests that are run at the same time; 0: not known, or one */
  bool one_by_one;                /* tests are run in their order: some input can serve one of them only */
  char **arguments;               /* the command line, the program's name at its head; ends in NULL */
  char **command_words;           /* `merge`: what comes after `--`, a command line; ends in NULL. Else NULL */
  bool recorded;                  /* the command line comes from a file (recorded_command.h): set before it is parsed */
  const char *successor;          /* the program that goes on with this command line; NULL: none */
  int (*run)(struct invocation *call); /* runs a command; from main, for commands that run another */
};

/* Reads a command line.  On failure adds errors and returns false; the command is `help` where none was found. */
bool invocation_parse(struct invocation *call, int argc, char **argv, struct diags *diags);

/* Values of options.  Text, choices and numbers: the last one given, or the
 * default; NULL or 0 when there is neither. */
bool option_given(const struct invocation *call, enum option_id id);
bool option_on(const struct invocation *call, enum option_id id); /* switches and booleans */
const char *option_text(const struct invocation *call, enum option_id id);
bool option_is(const struct invocation *call, enum option_id id, const char *word); /* choices */
uint64_t option_number(const struct invocation *call, enum option_id id);
double option_real(const struct invocation *call, enum option_id id);
/* How many threads the call is to have. */
unsigned option_jobs(const struct invocation *call);

/* All values of an option, each split at commas; ends in NULL. */
const char **option_words(const struct invocation *call, enum option_id id, size_t *count);

/* Calls set(context, name, word, diags) for each `NAME=WORD` of these; what has no `=` is an error. */
void option_each_pair(const struct invocation *call, enum option_id id,
                      void (*set)(void *context, const char *name, const char *word, struct diags *diags),
                      void *context, struct diags *diags);

/* Folders in which files of a kind ("models", "mappings") are searched, in
 * this order: -I, LITSCOPE_LIB (folders separated by colons), the folder of
 * the program when it has not been installed, the installation's.  Each is
 * tried itself and with `kind` below it.  Ends in NULL. */
const char **search_folders(const struct invocation *call, const char *kind, size_t *count);

/* The folders of mappings and machines. */
struct xml_folders mapping_search(const struct invocation *call);

/* The first file `name` or `name` + `suffix` in those folders, or NULL.  A name
 * with a slash, or one that opens from the working folder, is taken as it is. */
const char *search_file(const struct invocation *call, const char *kind, const char *name, const char *suffix);

/* The path of a program that comes with litscope: next to it where it was built, below
 * libexec where it was installed.  NULL: it is not there. */
const char *search_program(struct arena *arena, const char *name);

/* Writes errors to standard error and returns STATUS_BAD, or STATUS_DONE when
 * there are none. */
int diags_report(const struct diags *diags);

/* Help texts (help.c). */
void help_print_usage(FILE *out);
void help_print_command(enum command_id id, bool all, FILE *out); /* `all` its options, or those that matter first */

#define COMMAND_DECLARE(id, name, operands, summary) int command_##name(struct invocation *call);
COMMAND_LIST(COMMAND_DECLARE)
#undef COMMAND_DECLARE

#endif
