/* SPDX-License-Identifier: MIT */
/* The run over a list of tests: files, selection, threads, ordered output. */
#include "checker/cmd/tests.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/select.h"
#include "checker/cmd/terminal.h"
#include "checker/report/json.h"
#include "checker/report/junit.h"

/* ---- the list of files ---- */

struct files {
  const char **at;
  size_t count, room;
};

enum { INDEX_DEPTH = 16, FOLDER_DEPTH = 64 };

static bool is_folder(const char *path) {
  struct stat status;
  return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static bool ends_in(const char *name, const char *suffix) {
  size_t length = strlen(name), size = strlen(suffix);
  return length >= size && !strcmp(name + length - size, suffix);
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

/* All .litmus files below a folder, by name. */
static void add_folder(struct arena *arena, const char *folder, struct files *files, int depth, struct diags *diags) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_visible, compare_names);
  if (count < 0) {
    diag_error(diags, NULL, (struct span){0}, "%s: %s", folder, strerror(errno));
    return;
  }
  for (int i = 0; i < count; i++) {
    const char *path = arena_printf(arena, "%s/%s", folder, entries[i]->d_name);
    if (is_folder(path)) {
      if (depth < FOLDER_DEPTH) add_folder(arena, path, files, depth + 1, diags);
    } else if (ends_in(path, ".litmus")) {
      *vec_push(arena, files) = path;
    }
    free(entries[i]);
  }
  free(entries);
}

static void add_word(struct arena *arena, const char *path, struct files *files, int depth, struct diags *diags);

/* The lines of an index: paths from the index's folder; `#` begins a comment. */
static void add_index(struct arena *arena, const char *path, struct files *files, int depth, struct diags *diags) {
  if (depth >= INDEX_DEPTH) {
    diag_error(diags, NULL, (struct span){0}, "%s: indexes within indexes are nested more than %d deep", path,
               INDEX_DEPTH);
    return;
  }
  const struct source *source = source_read(arena, path, diags);
  if (!source) return;
  const char *slash = strrchr(path, '/');
  const char *folder = slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : "";
  for (size_t start = 0; start < source->size;) {
    size_t end = start + strcspn(source->text + start, "\n");
    size_t stop = end;
    while (start < stop && strchr(" \t\r", source->text[start])) start++;
    while (stop > start && strchr(" \t\r", source->text[stop - 1])) stop--;
    const char *line = arena_strndup(arena, source->text + start, stop - start);
    if (*line && *line != '#')
      add_word(arena, *line == '/' ? line : arena_printf(arena, "%s%s", folder, line), files, depth + 1, diags);
    start = end + 1;
  }
}

/* An index is named `@x`, or asked for as `@x` where the file is `x`. */
static void add_word(struct arena *arena, const char *path, struct files *files, int depth, struct diags *diags) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  if (name[0] == '@')
    add_index(arena, access(path, F_OK) == 0 ? path : path + 1, files, depth, diags);
  else if (path[0] == '@')
    add_index(arena, path + 1, files, depth, diags);
  else if (is_folder(path))
    add_folder(arena, path, files, 0, diags);
  else
    *vec_push(arena, files) = path;
}

/* ---- names that occur twice ---- */

struct named {
  const char *name; /* NULL: none is known */
  size_t file;
};

static int compare_named(const void *a, const void *b) {
  const struct named *x = a, *y = b;
  int order = x->name && y->name ? strcmp(x->name, y->name) : !x->name - !y->name;
  return order ? order : x->file < y->file ? -1 : x->file > y->file;
}

/* The name of the test in a file that can be read more than once; NULL: none. */
static const char *read_name(struct arena *arena, const char *path) {
  struct stat status;
  if (stat(path, &status) || !S_ISREG(status.st_mode)) return NULL;
  struct arena *own = arena_new();
  struct diags quiet = diags_new(own);
  const struct source *source = source_read(own, path, &quiet);
  const char *name = source ? selection_peek_name(arena, source) : NULL;
  arena_free(own);
  return name;
}

/* For each file, how many before it have a test of the same name. */
static unsigned *count_namesakes(struct arena *arena, const struct files *files) {
  struct named *all = ARENA_ARRAY(arena, struct named, files->count);
  unsigned *namesakes = ARENA_ARRAY(arena, unsigned, files->count);
  for (size_t i = 0; i < files->count; i++) all[i] = (struct named){read_name(arena, files->at[i]), i};
  qsort(all, files->count, sizeof *all, compare_named);
  for (size_t i = 1; i < files->count && all[i].name; i++)
    if (!strcmp(all[i].name, all[i - 1].name)) namesakes[all[i].file] = namesakes[all[i - 1].file] + 1;
  return namesakes;
}

/* ---- one test ---- */

struct run {
  struct invocation *call;
  struct test_runner *runner;
  struct selection *selection;
  struct litmus_options options;
  struct files files;
  unsigned workers_each;
  struct records records; /* all, in order; for JUnit */
  FILE *json;             /* NULL: none */
  bool json_alone;        /* JSON takes standard output */
  bool json_first;
  int status;
  size_t done, selected;
  unsigned *namesakes; /* under -o, by file: how many before it have a test of the same name; else NULL */
  struct progress progress;
};

/* A finished test on its way to the printer. */
struct run_result {
  struct test_output output;
  const char *name; /* the test's; NULL: not known */
  char *out, *err, *json;
  size_t out_size, err_size, json_size;
};

static struct run_result *open_result(bool json) {
  struct run_result *o = calloc(1, sizeof *o);
  if (!o) abort();
  o->output.arena = arena_new();
  o->output.out = open_memstream(&o->out, &o->out_size);
  o->output.err = open_memstream(&o->err, &o->err_size);
  if (json) o->output.json = open_memstream(&o->json, &o->json_size);
  if (!o->output.out || !o->output.err || (json && !o->output.json)) abort();
  return o;
}

static void close_streams(struct run_result *o) {
  fclose(o->output.out);
  fclose(o->output.err);
  if (o->output.json) fclose(o->output.json);
}

static void free_result(struct run_result *o) {
  arena_free(o->output.arena);
  free(o->out);
  free(o->err);
  free(o->json);
  free(o);
}

void tests_add_bad(struct test_output *output, const char *test, const char *file, const char *subject,
                   const struct diags *diags) {
  const char *message = diags->count ? diags->at[0].message : "";
  struct text text;
  text_open(&text);
  diags_print(diags, text.out);
  *vec_push(output->arena, &output->records) = (struct record){.test = test,
                                                               .file = file,
                                                               .subject = subject,
                                                               .verdict = "",
                                                               .kind = RECORD_BAD,
                                                               .message = message,
                                                               .detail = text_keep(&text, output->arena)};
  output->status = STATUS_BAD;
}

static void record_bad(struct test_output *output, const char *file, const struct diags *diags) {
  tests_add_bad(output, file, file, "", diags);
}

/* What has no result of its own is in the JSON all the same. */
static void write_bad(struct test_output *output) {
  for (size_t i = 0; output->json && i < output->records.count; i++) {
    const struct record *record = &output->records.at[i];
    if (record->kind == RECORD_BAD) json_write_error(output->json, record);
  }
}

static void run_source(struct run *run, const struct source *source, unsigned namesakes, struct run_result *o,
                       struct diags *diags) {
  struct test_output *output = &o->output;
  struct litmus_options options = run->options;
  const char *peeked = selection_peek_name(output->arena, source);
  if (peeked) options.condition = selection_condition(run->selection, peeked);
  struct litmus_test *test = litmus_parse(output->arena, source, &options, diags);
  const char *name = o->name = test ? test->name : peeked;
  if (name && !selection_wants(run->selection, name)) return;
  bool quiet = option_on(run->call, OPTION_QUIET);
  if (!test || !quiet) diags_print(diags, output->err);
  if (!test) {
    record_bad(output, source->name, diags);
    return;
  }
  selection_apply(run->selection, output->arena, test);
  output->label = namesakes ? arena_printf(output->arena, "%s~%u", test->name, namesakes + 1) : test->name;
  run->runner->run(run->runner->context, test, run->workers_each, output);
}

static void *work(void *context, size_t index) {
  struct run *run = context;
  struct run_result *o = open_result(run->json != NULL);
  o->output.label = run->files.at[index];
  struct diags diags = diags_new(o->output.arena);
  const struct source *source = source_read(o->output.arena, run->files.at[index], &diags);
  if (source) {
    run_source(run, source, run->namesakes ? run->namesakes[index] : 0, o, &diags);
  } else {
    diags_print(&diags, o->output.err);
    record_bad(&o->output, run->files.at[index], &diags);
  }
  write_bad(&o->output);
  close_streams(o);
  return o;
}

/* ---- printing, in order ---- */

static const char *keep(struct arena *arena, const char *text) {
  return text ? arena_strdup(arena, text) : NULL;
}

static void keep_records(struct run *run, const struct test_output *output) {
  struct arena *arena = run->call->arena;
  const char *label = keep(arena, output->label);
  const struct records *records = &output->records;
  struct records kept = {0};
  for (size_t i = 0; i < records->count; i++) {
    struct record record = records->at[i];
    record.test = keep(arena, record.test);
    record.file = keep(arena, record.file);
    record.subject = keep(arena, record.subject);
    record.verdict = keep(arena, record.verdict);
    record.message = keep(arena, record.message);
    record.detail = keep(arena, record.detail);
    record.label = label;
    *vec_push(arena, &kept) = record;
    if (option_given(run->call, OPTION_JUNIT)) *vec_push(arena, &run->records) = record;
  }
  if (run->runner->collect && kept.count) run->runner->collect(run->runner->context, &kept);
}

/* Each line of a test's JSON is one object of the results array. */
static void print_json(struct run *run, const struct run_result *o) {
  for (const char *at = o->json, *end = o->json + o->json_size; at < end;) {
    size_t length = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) - at);
    fprintf(run->json, "%s\n    %.*s", run->json_first ? "" : ",", (int)length, at);
    run->json_first = false;
    at += length + 1;
  }
}

static bool finish(void *context, size_t index, void *result) {
  (void)index;
  struct run *run = context;
  struct run_result *o = result;
  if (o->err_size || o->out_size) progress_clear(&run->progress);
  if (o->err_size) {
    fflush(stdout);
    terminal_write_messages(o->err, o->err_size);
  }
  FILE *out = run->runner->out ? run->runner->out : stdout;
  if (!run->json_alone || out != stdout) fwrite(o->out, 1, o->out_size, out);
  if (run->json) print_json(run, o);
  bool written = run->files.count - index > 1 && o->out_size ? fflush(stdout) == 0 : !ferror(stdout);
  keep_records(run, &o->output);
  run->status = status_join(run->status, o->output.status);
  run->selected += o->output.records.count || o->out_size || o->err_size;
  run->done++;
  if (o->name) selection_note(run->selection, o->name);
  progress_show(&run->progress, run->done, run->files.count);
  free_result(o);
  return written && !*run->runner->cancel;
}

static void drop(void *context, void *result) {
  (void)context;
  free_result(result);
}

/* ---- the whole run ---- */

/* What the signal handler sets: that a signal came, and when the first did. */
static volatile int interrupted;
static struct timespec interrupted_at;

/* The first signal asks the engines to stop; a later one ends the program.
 * What follows within half a second is the same wish: timeout(1) signals the
 * process and then its group, a terminal's user presses a key twice. */
static void on_interrupt(int signal_number) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!interrupted) {
    interrupted_at = now;
    interrupted = 1;
    return;
  }
  time_t seconds = now.tv_sec - interrupted_at.tv_sec;
  if ((double)seconds + (double)(now.tv_nsec - interrupted_at.tv_nsec) * 1e-9 < 0.5) return;
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* Both signals are blocked while one is handled. */
static void watch_interrupt(void) {
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

const volatile int *tests_watch_interrupt(void) {
  watch_interrupt();
  return &interrupted;
}

static volatile sig_atomic_t late;

static void on_time(int signal_number) {
  (void)signal_number;
  late = 1;
  interrupted = 1;
}

const volatile int *tests_watch_limits(const struct invocation *call) {
  watch_interrupt();
  double seconds = option_real(call, OPTION_TIMEOUT);
  if (seconds <= 0) return &interrupted;
  struct sigaction action = {.sa_handler = on_time, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
  timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6) + 1;
  setitimer(ITIMER_REAL, &timer, NULL);
  return &interrupted;
}

const char *tests_stop_reason(void) {
  return late ? "time limit met" : "interrupted";
}

static bool open_json(struct run *run, const char *path, struct diags *diags) {
  if (!path) return true;
  run->json_alone = !strcmp(path, "-");
  run->json = run->json_alone ? stdout : fopen(path, "w");
  run->json_first = true;
  if (run->json)
    json_open_document(run->json, command_table[run->call->command].name);
  else
    diag_error(diags, NULL, (struct span){0}, "%s: %s", path, strerror(errno));
  return run->json != NULL;
}

static void close_json(struct run *run, const char *path, struct diags *diags) {
  if (!run->json) return;
  json_close_document(run->json);
  bool written = fflush(run->json) == 0 && !ferror(run->json);
  if (!run->json_alone) written &= fclose(run->json) == 0;
  if (!written && !run->json_alone) diag_error(diags, NULL, (struct span){0}, "%s: %s", path, strerror(errno));
}

static void write_junit(struct run *run, const char *path, struct diags *diags) {
  if (path && !junit_write(path, command_table[run->call->command].name, &run->records))
    diag_error(diags, NULL, (struct span){0}, "%s: %s", path, strerror(errno));
}

static unsigned workers_wanted(const struct invocation *call) {
  uint64_t wanted = option_number(call, OPTION_JOBS);
  return wanted ? (unsigned)wanted : pool_processors();
}

static void warn_of_names(struct run *run) {
  struct diags diags = diags_new(run->call->arena);
  selection_warn(run->selection, &diags);
  diags_report(&diags);
}

static void run_all(struct run *run) {
  unsigned workers = workers_wanted(run->call);
  if (option_given(run->call, OPTION_OUTPUT)) run->namesakes = count_namesakes(run->call->arena, &run->files);
  run->workers_each = run->files.count < workers ? workers / (unsigned)run->files.count : 1;
  struct pool_jobs jobs = {run, work, finish, drop};
  watch_interrupt();
  run->progress = progress_new(!option_on(run->call, OPTION_QUIET) && run->files.count > 1);
  bool complete = pool_run(run->files.count, workers, &jobs);
  progress_clear(&run->progress);
  bool quiet = option_on(run->call, OPTION_QUIET);
  if (complete && !interrupted && !quiet) warn_of_names(run);
  if (interrupted) {
    fprintf(stderr, "litscope: interrupted after %zu of %zu tests\n", run->done, run->files.count);
    run->status = status_join(run->status, STATUS_LIMIT);
  } else if (!complete) {
    run->status = status_join(run->status, STATUS_BAD);
  } else if (!run->selected && !quiet) {
    fprintf(stderr, "litscope: warning: no test has a name that was asked for\n");
  }
}

/* Collects the files; an empty list is a mistake. */
static bool list_files(struct run *run, struct diags *diags) {
  struct invocation *call = run->call;
  for (size_t i = 0; i < call->word_count; i++) add_word(call->arena, call->words[i], &run->files, 0, diags);
  if (run->files.count || diags->errors) return run->files.count > 0;
  diag_error(diags, NULL, (struct span){0}, "no tests to %s: name .litmus files, a folder, or an index @FILE",
             command_table[call->command].name);
  return false;
}

int tests_run(struct invocation *call, struct test_runner *runner) {
  struct run run = {.call = call, .runner = runner};
  struct diags diags = diags_new(call->arena);
  runner->cancel = &interrupted;
  size_t variant_count;
  const char **variants = option_words(call, OPTION_VARIANT, &variant_count);
  for (size_t i = 0; i < variant_count; i++) run.options.cas_writeback |= !strcmp(variants[i], "cas-writeback");
  struct selection *selection = selection_new(call, &diags);
  run.selection = selection;
  const char *json = option_text(call, OPTION_JSON);
  if (selection && list_files(&run, &diags) && open_json(&run, json, &diags)) {
    run_all(&run);
    close_json(&run, json, &diags);
    write_junit(&run, option_text(call, OPTION_JUNIT), &diags);
  }
  if (selection) selection_free(selection);
  return status_join(run.status, diags_report(&diags));
}
