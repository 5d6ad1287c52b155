/* SPDX-License-Identifier: MIT */
/* litscope: reads the command line by the tables and runs one command, whose
 * result is the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/cmd/command.h"
#include "checker/cmd/mpi_ranks.h"
#include "checker/cmd/option_conflicts.h"
#include "checker/cmd/shard_options.h"
#include "checker/cmd/terminal.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

static bool is_option(const char *word, const char *name) {
  return word[0] == '-' && !strcmp(word + (word[1] == '-' ? 2 : 1), name);
}

/* `-help`, `-h` and `-version` win wherever they stand before `--`. */
static bool wants(int argc, char **argv, const char *name) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (is_option(argv[i], name)) return true;
  return false;
}

static int show_help(int argc, char **argv) {
  int id = argc > 1 ? ROW_INDEX(command_table, COMMAND_COUNT, name, argv[1]) : -1;
  if (id >= 0)
    help_print_command((enum command_id)id, wants(argc, argv, "all"), stdout);
  else
    help_print_usage(stdout);
  return STATUS_DONE;
}

/* The process's arguments, and the status that it ends with. */
struct command_run {
  int argc;
  char **argv;
  struct ranks *ranks;
  int status;
  char *successor; /* a program that goes on with the same arguments; NULL: none */
};

/* A build for a place where not all of them make sense has some (checker/page/browser.h). */
#ifndef BUILT_COMMANDS
#define BUILT_COMMANDS COMMAND_LIST
#endif

static int dispatch(struct invocation *call) {
  static int (*const commands[COMMAND_COUNT])(struct invocation * call) = {
#define COMMAND_FUNCTION(id, name, ...) [COMMAND_##id] = command_##name,
      BUILT_COMMANDS(COMMAND_FUNCTION)
#undef COMMAND_FUNCTION
  };
  if (commands[call->command]) return commands[call->command](call);
  fprintf(stderr, "litscope: error: this litscope was built without `%s`\n", command_table[call->command].name);
  return STATUS_BAD;
}

/* What cannot be divided is done by the first rank. */
static int run_call(struct invocation *call) {
  bool divides = division_applies(call), alone = call->ranks && !divides;
  if (!divides && (option_given(call, OPTION_SHARD) || option_given(call, OPTION_JOURNAL)))
    return division_refuse(call);
  if (alone && ranks_own(call->ranks)) return STATUS_DONE;
  if (alone) fputs("litscope: warning: this is not divided: one rank does all of it\n", stderr);
  if (alone) call->ranks = NULL;
  return dispatch(call);
}

static void run_guarded(void *context) {
  struct command_run *run = context;
  struct arena *arena = arena_new();
  struct invocation *call = ARENA_MAKE(arena, struct invocation, .arena = arena, .ranks = run->ranks, .run = dispatch);
  struct diags diags = diags_new(arena);
  int status = STATUS_BAD;
  if (invocation_parse(call, run->argc, run->argv, &diags) && options_go_together(call, &diags)) {
    if (!option_on(call, OPTION_QUIET)) diags_report(&diags); /* warnings */
    status = run_call(call);
    if (call->successor && !(run->successor = strdup(call->successor))) guard_out_of_memory();
  } else {
    diags_report(&diags);
    if (call->command == COMMAND_HELP)
      fputs("litscope: `litscope help` lists the commands\n", stderr);
    else
      fprintf(stderr, "litscope: `litscope help %s` lists its options\n", command_table[call->command].name);
  }
  arena_free(arena);
  run->status = status;
}

static int run_command(int argc, char **argv) {
  struct command_run run = {argc, argv, ranks_open(), STATUS_LIMIT, NULL};
  if (!guard_run(run_guarded, &run)) fprintf(stderr, "litscope: %s\n", guard_reason());
  int status = ranks_close(run.ranks, output_finish(run.status));
  if (!run.successor) return status;
  execv(run.successor, argv);
  fprintf(stderr, "litscope: error: %s: %s\n", run.successor, strerror(errno));
  free(run.successor);
  return STATUS_BAD;
}

/* A stream that was closed (`>&-`) must not become the first file that is
 * opened: what is written to it fails. */
static void occupy_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    if (fcntl(stream, F_GETFD) < 0) (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Readers descend as deep as they let inputs nest. */
enum { STACK_KIB = 1024 };

static bool has_stack(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur / 1024 >= STACK_KIB) return true;
  fprintf(stderr, "litscope: error: the stack is limited to %llu KiB, and %d are needed (ulimit -s)\n",
          (unsigned long long)limit.rlim_cur / 1024, STACK_KIB);
  return false;
}

/* One search's memory is the next one's: to give it back to the system and to touch it anew costs more than many a
 * search. */
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

int main(int argc, char **argv) {
  keep_memory();
  occupy_streams();
  if (!has_stack()) return STATUS_BAD;
  signal(SIGPIPE, SIG_IGN); /* writing fails then, as on a full disk */
  signal(SIGXFSZ, SIG_IGN);
  if (argc < 2) {
    help_print_usage(stderr);
    return STATUS_BAD;
  }
  if (wants(argc, argv, "help") || wants(argc, argv, "h")) return output_finish(show_help(argc, argv));
  if (wants(argc, argv, "version")) {
    puts("litscope " LITSCOPE_VERSION);
    return output_finish(STATUS_DONE);
  }
  return run_command(argc, argv);
}
