/* SPDX-License-Identifier: MIT */
/* Faults, put into a program from outside: a shared object that is loaded before
 * the C library (LD_PRELOAD), and runs the program over and over.
 *
 * Before main begins, the process forks once for the good run, which counts its
 * allocations (or readings of the clock), and then once for each fault: in the
 * k-th child the k-th of them goes wrong.  Starting costs a fork that way, not a
 * program with its libraries, so that thousands of faults are tried in seconds.
 * A child passes when it ends with the good run's status, output and files, or
 * with status 2 or 3 (3 after a limit or a signal), a message, and no verdict
 * that the good run does not have.
 *
 * FAULTS=KIND:FIRST:STEP says where, FIRST below 0 counting from the last (threads that
 * share work allocate as often as they meet), and what goes wrong: `once` (one allocation fails),
 * `on` (it and all that follow), `clock` (from one reading on it is a million
 * seconds later: a time limit met at a point that is the same on every machine),
 * `signal` (SIGINT at an allocation).  FAULTS_DIR is a folder for outputs, and
 * FAULTS_FILE a file that the program writes (optional).  With FAULTS_TRACE set the
 * first fault shows where it is, and no more is tried.  FAULTS_PAGES=N alone: a machine
 * of so many pages of memory.  The idea is SQLite's:
 * its out-of-memory tests do the same with an instrumented allocator. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum kind { FAULT_NONE, FAULT_ONCE, FAULT_ON, FAULT_CLOCK, FAULT_SIGNAL };

/* What a child does; set before its main begins. */
static struct {
  enum kind kind;
  long at;           /* the number, from 1, that goes wrong; 0: only count */
  atomic_long *made; /* shared with the parent: calls so far */
  bool trace;        /* show where, and end */
  const char *folder, *file;
} fault;

/* ---- what goes wrong ---- */

static bool fails(void) {
  if (fault.kind == FAULT_NONE || fault.kind == FAULT_CLOCK) return false;
  long number = atomic_fetch_add(fault.made, 1) + 1;
  if (fault.kind == FAULT_SIGNAL) {
    if (number == fault.at) raise(SIGINT);
    return false;
  }
  bool wrong = fault.at && (number == fault.at || (fault.kind == FAULT_ON && number > fault.at));
  if (wrong && number == fault.at && fault.trace) {
    void *frames[32];
    fault.kind = FAULT_NONE;
    backtrace_symbols_fd(frames, backtrace(frames, 32), STDERR_FILENO);
    _exit(126);
  }
  if (wrong) errno = ENOMEM;
  return wrong;
}

void *malloc(size_t size) {
  return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (!made) return ENOMEM;
  *memory = made;
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, now);
  if (fault.kind == FAULT_CLOCK) {
    long number = atomic_fetch_add(fault.made, 1) + 1;
    if (fault.at && number >= fault.at) now->tv_sec += 1000000;
  }
  return result;
}

/* ---- outputs ---- */

struct result {
  int status; /* as from wait */
  char *out, *err, *file;
};

static char *path_of(const char *name) {
  char *path = NULL;
  if (asprintf(&path, "%s/%s", fault.folder, name) < 0) _exit(125);
  return path;
}

/* The text of a file without what differs from run to run; NULL: there is none. */
static char *read_text(const char *path) {
  FILE *in = path ? fopen(path, "r") : NULL;
  if (!in) return NULL;
  char *text = NULL, *line = NULL;
  size_t size = 0, room = 0;
  FILE *out = open_memstream(&text, &size);
  while (getline(&line, &room, in) > 0) {
    if (!strncmp(line, "Time ", 5)) continue;
    static const char *const varying[] = {"\"seconds\": ", "time=\"", "timestamp=\""};
    for (size_t i = 0; i < sizeof varying / sizeof *varying; i++) {
      char *value = strstr(line, varying[i]);
      if (value) value += strlen(varying[i]);
      size_t length = value ? strspn(value, "0123456789.:+-eTZ") : 0;
      if (!length) continue;
      *value = '?';
      memmove(value + 1, value + length, strlen(value + length) + 1);
    }
    fputs(line, out);
  }
  free(line);
  fclose(in);
  fclose(out);
  return text;
}

static void redirect(int descriptor, const char *name) {
  int file = open(path_of(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(125);
  close(file);
}

/* ---- children ---- */

/* Returns in the child alone; the parent gets its result. */
static bool run_child(enum kind kind, long at, struct result *result) {
  if (fault.file) unlink(fault.file);
  atomic_store(fault.made, 0);
  pid_t child = fork();
  if (child < 0) _exit(125);
  if (child == 0) {
    redirect(STDOUT_FILENO, "out");
    redirect(STDERR_FILENO, "err");
    fault.at = at;
    fault.kind = kind;
    alarm(600); /* what hangs is to end */
    return true;
  }
  waitpid(child, &result->status, 0);
  result->out = read_text(path_of("out"));
  result->err = read_text(path_of("err"));
  result->file = read_text(fault.file);
  return false;
}

static void free_result(struct result *result) {
  free(result->out);
  free(result->err);
  free(result->file);
}

static bool same(const char *a, const char *b) {
  return a && b ? !strcmp(a, b) : a == b;
}

/* Does a line say what only a search that came to its end can say? */
static bool is_verdict(const char *line) {
  static const char *const verdicts[] = {"Observation ", "Verify ", "Progress "};
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
    if (!strncmp(line, verdicts[i], strlen(verdicts[i]))) return true;
  return !strncmp(line, "Why ", strlen("Why ")) && strstr(line, "no candidate can");
}

/* Each verdict of the result, if it is one, is a verdict of the good one. */
static bool agrees(const struct result *good, const struct result *result) {
  for (const char *line = result->out; *line;) {
    size_t length = strcspn(line, "\n");
    char copy[300];
    snprintf(copy, sizeof copy, "%.*s\n", (int)length, line);
    if (is_verdict(copy) && !strstr(copy, "Undecided") && !strstr(good->out, copy)) return false;
    line += length + (line[length] == '\n');
  }
  return true;
}

/* What is wrong with a result; NULL: nothing. */
static const char *judge(enum kind kind, const struct result *good, const struct result *result) {
  bool early = kind == FAULT_SIGNAL && WIFSIGNALED(result->status) && WTERMSIG(result->status) == SIGINT;
  if (early && !*result->out) return NULL; /* before the command began to watch for it */
  if (WIFSIGNALED(result->status)) return strsignal(WTERMSIG(result->status));
  int status = WEXITSTATUS(result->status);
  if (result->status == good->status && same(result->out, good->out) && same(result->file, good->file)) return NULL;
  if (!agrees(good, result)) return "another verdict";
  const char *undecided = strstr(result->out, "\nUndecided ");
  /* Beside an answer that stands a part may be missing, if it is said. */
  bool says = strstr(result->err, "limit was reached") || strstr(result->out, "limit was reached") ||
              strstr(result->out, "was cut by a limit") || (undecided && undecided[strlen("\nUndecided ")] != '0');
  if (says && *result->out && status == WEXITSTATUS(good->status)) return NULL;
  if (status != 3 && (status != 2 || kind == FAULT_CLOCK || kind == FAULT_SIGNAL))
    return result->status == good->status ? "another result" : "another status";
  if (!*result->err && !strstr(result->out, "Undecided") && !strstr(result->out, "Reason")) return "no message";
  return NULL;
}

static void complain(const char *what, long at, const struct result *result) {
  fprintf(stderr, "fault %ld: %s (status %d)\n--- stderr\n%.400s--- stdout\n%.1500s", at, what,
          WIFEXITED(result->status) ? WEXITSTATUS(result->status) : -1, result->err, result->out);
}

static enum kind kind_of(const char *word) {
  static const char *const names[] = {"", "once", "on", "clock", "signal"};
  for (int i = 1; i < 5; i++)
    if (!strncmp(word, names[i], strlen(names[i])) && word[strlen(names[i])] == ':') return (enum kind)i;
  _exit(125);
}

long sysconf(int name) {
  static long (*real)(int name);
  const char *pages = name == _SC_PHYS_PAGES ? getenv("FAULTS_PAGES") : NULL;
  if (!real) real = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  return pages ? atol(pages) : real(name);
}

__attribute__((constructor)) static void begin(void) {
  const char *wish = getenv("FAULTS");
  if (!wish) return;
  enum kind kind = kind_of(wish);
  long first = 1, step = 1;
  if (sscanf(strchr(wish, ':'), ":%ld:%ld", &first, &step) != 2 || step < 1) _exit(125);
  fault.folder = getenv("FAULTS_DIR");
  fault.file = getenv("FAULTS_FILE");
  fault.trace = getenv("FAULTS_TRACE");
  fault.made = mmap(NULL, sizeof *fault.made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  unsetenv("LD_PRELOAD"); /* programs that this one starts are not meant */
  struct result good = {0};
  if (run_child(kind, 0, &good)) return;
  long count = atomic_load(fault.made), tried = 0, failed = 0;
  if (WIFSIGNALED(good.status)) complain("the good run", 0, &good), _exit(1);
  if (first < 0) first = count + first > 0 ? count + first : 1;
  for (long at = first; at <= count && failed < 5; at += step, tried++) {
    struct result result = {0};
    if (run_child(kind, at, &result)) return;
    const char *wrong = judge(kind, &good, &result);
    if (wrong) complain(wrong, at, &result), failed++;
    free_result(&result);
  }
  printf("%ld of %ld faults, %ld failed; the good run ends with %d\n", tried, count, failed, WEXITSTATUS(good.status));
  fflush(stdout);
  _exit(failed || !tried ? 1 : 0);
}
