/* SPDX-License-Identifier: MIT */
/* Colour and progress, for terminals that can show them and people who have
 * not said NO_COLOR. */
#include "checker/cmd/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/clock.h"
#include "checker/base/escape.h"
#include "checker/base/progress_gauge.h"
#include "checker/base/text.h"
#include "checker/cmd/command.h"

static bool wants_colour(void) {
  const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDERR_FILENO) && !(no_colour && *no_colour) && !(term && !strcmp(term, "dumb"));
}

/* The severity in a message's first line, and its colour; NULL: none. */
static const char *find_severity(const char *line, size_t length, const char **word) {
  static const struct {
    const char *text, *word, *colour;
  } severities[] = {{": error: ", "error", "\033[1;31m"}, {": warning: ", "warning", "\033[1;35m"}};
  for (size_t i = 0; i < ARRAY_COUNT(severities); i++) {
    const char *found = memmem(line, length, severities[i].text, strlen(severities[i].text));
    if (!found) continue;
    *word = found + 2;
    return severities[i].colour;
  }
  return NULL;
}

/* Names of files are in messages, and may hold anything: what a terminal might take
 * for a command, or is no UTF-8, is written as \xNN. */
static void write_plainly(const char *text, size_t size, FILE *out) {
  size_t written = 0;
  for (size_t i = 0; i < size;) {
    unsigned char c = (unsigned char)text[i];
    int length = utf8_length(text + i);
    if (c == '\n' || c == '\t' || (length && !control_length(text + i))) {
      i += length ? (size_t)length : 1;
      continue;
    }
    fwrite(text + written, 1, i - written, out);
    fprintf(out, "\\x%02x", c);
    written = ++i;
  }
  fwrite(text + written, 1, size - written, out);
}

static void write_line(const char *line, size_t length, FILE *out) {
  const char *word = NULL;
  const char *colour = find_severity(line, length, &word);
  if (!colour) {
    write_plainly(line, length, out);
    return;
  }
  size_t before = (size_t)(word - line), size = strcspn(word, ":");
  write_plainly(line, before, out);
  fprintf(out, "%s%.*s\033[0m", colour, (int)size, word);
  write_plainly(word + size, length - before - size, out);
}

static void write_lines(const char *text, size_t size, FILE *out) {
  while (size) {
    const char *newline = memchr(text, '\n', size);
    size_t length = newline ? (size_t)(newline - text) + 1 : size;
    write_line(text, length, out);
    text += length;
    size -= length;
  }
}

/* Standard error has no buffer: it gets all at once. */
void terminal_write_messages(const char *text, size_t size) {
  struct text plain = text_new();
  if (wants_colour())
    write_lines(text, size, plain.out);
  else
    write_plainly(text, size, plain.out);
  text_end(&plain);
  fwrite(plain.at, 1, plain.size, stderr);
  text_free(&plain);
}

int diags_report(const struct diags *diags) {
  struct text text = text_new();
  diags_print(diags, text.out);
  text_end(&text);
  terminal_write_messages(text.at, text.size);
  text_free(&text);
  return diags->errors ? STATUS_BAD : STATUS_DONE;
}

static bool is_pipe(FILE *file) {
  struct stat status;
  return !fstat(fileno(file), &status) && S_ISFIFO(status.st_mode);
}

int output_finish(int status) {
  bool failed = ferror(stdout) != 0;
  errno = 0;
  if (!fflush(stdout) && !failed) return status;
  if (!is_pipe(stdout))
    fprintf(stderr, "litscope: error: standard output: %s\n", errno ? strerror(errno) : "not everything was written");
  return STATUS_BAD;
}

struct progress progress_new(bool wanted) {
  double start = monotonic_seconds();
  return (struct progress){.shown = wanted && isatty(STDERR_FILENO), .start = start, .last = start};
}

enum { PATIENCE = 2 }; /* seconds after which it is said how long work may take */

static bool is_due(struct progress *progress) {
  double time = progress->shown ? monotonic_seconds() : 0;
  if (!progress->shown || time - progress->start < 0.5 || time - progress->last < 0.1) return false;
  progress->last = time;
  return true;
}

void progress_show(struct progress *progress, uint64_t done, uint64_t total, const char *what) {
  if (!is_due(progress)) return;
  double taken = progress->last - progress->start;
  fprintf(stderr, "\r\033[K%" PRIu64, done);
  if (total) fprintf(stderr, " of %" PRIu64, total);
  fprintf(stderr, " %s, %.0f s", what, taken);
  if (done && total && taken >= PATIENCE)
    fprintf(stderr, ", about %.0f s more", taken / (double)done * (double)(total - done));
  fflush(stderr);
  progress->on_line = true;
}

/* ---- work in one piece ---- */

/* A thread that tells how long the work takes, second by second; there is one at most. */
static struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool runs, over, shown;
  const char *what;
  double limit, start;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

/* How far the work is: what is counted, and of a search the share that is done, from which follows what is left. */
static void write_gauge(void) {
  struct gauge g = gauge_read();
  if (g.steps_name) fprintf(stderr, ", %" PRIu64 " %s", g.steps, g.steps_name);
  if (g.count_name) fprintf(stderr, ", %" PRIu64 " %s", g.count, g.count_name);
  if (g.share < 0.005 || g.share >= 1) return;
  fprintf(stderr, ", %.0f %% of a search", 100 * g.share);
  if (g.seconds >= PATIENCE) fprintf(stderr, ", about %.0f s more", g.seconds * (1 / g.share - 1));
}

static void *keep_telling(void *context) {
  struct timespec until;
  (void)context;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += PATIENCE;
  pthread_mutex_lock(&watch.lock);
  while (!watch.over) {
    if (pthread_cond_timedwait(&watch.ended, &watch.lock, &until) != ETIMEDOUT) continue;
    double taken = monotonic_seconds() - watch.start;
    fputs("\r\033[K", stderr);
    write_plainly(watch.what, strlen(watch.what), stderr);
    fprintf(stderr, ", %.0f s", taken);
    if (watch.limit > taken) fprintf(stderr, ", %.0f s more at most", watch.limit - taken);
    write_gauge();
    fflush(stderr);
    watch.shown = true;
    until.tv_sec++;
  }
  pthread_mutex_unlock(&watch.lock);
  return NULL;
}

void progress_watch(const struct progress *progress, const char *what, double limit) {
  if (!progress->shown || watch.runs) return;
  watch.what = what;
  watch.limit = limit;
  watch.start = monotonic_seconds();
  watch.over = watch.shown = false;
  watch.runs = !pthread_create(&watch.thread, NULL, keep_telling, NULL);
}

static void end_watch(void) {
  if (!watch.runs) return;
  pthread_mutex_lock(&watch.lock);
  watch.over = true;
  pthread_cond_signal(&watch.ended);
  pthread_mutex_unlock(&watch.lock);
  pthread_join(watch.thread, NULL);
  watch.runs = false;
  if (watch.shown) fputs("\r\033[K", stderr);
}

void progress_clear(struct progress *progress) {
  end_watch();
  if (!progress->on_line) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  progress->on_line = false;
}
