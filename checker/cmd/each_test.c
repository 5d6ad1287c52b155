/* SPDX-License-Identifier: MIT */
/* The run over a list of tests. Threads take tests as they come; what they leave
 * is printed in the order of the files. */
#include "checker/cmd/each_test.h"

#include <string.h>
#include <sys/stat.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/outfile.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/output_folder.h"
#include "checker/cmd/result_files.h"
#include "checker/cmd/select_tests.h"
#include "checker/cmd/shard_options.h"
#include "checker/cmd/small_program_arguments.h"
#include "checker/cmd/terminal.h"
#include "checker/cmd/test_files.h"
#include "checker/litmus/macros.h"

/* ---- one test ---- */

struct run {
  struct invocation *call;
  struct test_runner *runner;
  struct selection *selection;
  struct litmus_options options;
  struct files files;
  unsigned workers_each;
  bool wants_json;
  struct result_files results;
  struct outfile certificates; /* -certify; stream NULL: not wanted */
  bool lost;                   /* writing to standard output failed */
  bool stopped;                /* -exit, and a test was bad */
  int status;
  size_t done, selected;
  unsigned *namesakes; /* under -o and -emit, by file: how many before it have a test of the same name; else NULL */
  struct progress progress;
};

/* -outcome: a condition as in tests, or the proposition alone. */
static const char *asked_condition(struct arena *arena, const char *text) {
  static const char *const words[] = {"exists", "forall", "final", "observed"};
  const char *first = text + strspn(text, " \t~");
  if (text_begins(first, "not ")) first += 4 + strspn(first + 4, " \t");
  for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
    size_t length = strlen(words[i]);
    if (!strncmp(first, words[i], length) && !is_word_char(first[length])) return text;
  }
  return arena_printf(arena, "exists (%s)", text);
}

/* What is given for kernels changes no test, whose text has its own of all this. */
static void warn_of_kernel_options(const struct run *run, const struct litmus_test *test, FILE *err) {
  static const enum option_id for_kernels[] = {OPTION_CONFIG,           OPTION_KERNEL, OPTION_INPUT,
                                               OPTION_OUTPUT_CONDITION, OPTION_FILTER, OPTION_SOURCE_OPTIONS};
  for (size_t i = 0; i < ARRAY_COUNT(for_kernels); i++)
    if (option_given(run->call, for_kernels[i]))
      fprintf(err, "%s: warning: -%s is for kernels, and changes nothing of %s\n", test->source->name,
              option_table[for_kernels[i]].name, test->name);
}

static void run_source(struct run *run, const struct source *source, unsigned namesakes, struct test_buffer *o,
                       struct diags *diags) {
  struct test_output *output = &o->output;
  struct litmus_options options = run->options;
  const char *peeked = selection_name(run->selection, selection_peek_name(output->arena, source));
  if (peeked) options.condition = selection_condition(run->selection, peeked);
  const char *outcome = option_text(run->call, OPTION_OUTCOME);
  if (outcome) options.condition = asked_condition(output->arena, outcome);
  options.kernel.condition = options.condition;
  struct litmus_test *test = litmus_parse(output->arena, source, &options, diags);
  guard_end_patience();
  if (test) test->name = selection_name(run->selection, test->name);
  const char *name = o->name = test ? test->name : peeked;
  size_t errors = diags->errors;
  if (name && !selection_wants(run->selection, name, diags)) {
    o->unwanted = diags->errors == errors;
    if (o->unwanted) return;
    test = NULL; /* not known to be wanted: its result is that error */
  }
  bool quiet = option_on(run->call, OPTION_QUIET);
  if (!test || !quiet) diags_print(diags, output->err);
  if (!test) {
    tests_add_bad(output, source->name, source->name, "", diags);
    return;
  }
  if (!quiet && !test->kernel) warn_of_kernel_options(run, test, output->err);
  selection_apply(run->selection, output->arena, test);
  if (option_given(run->call, OPTION_CHECKFILTER) && !option_on(run->call, OPTION_CHECKFILTER)) test->filter = NULL;
  output->label = namesakes ? arena_printf(output->arena, "%s~%u", test->name, namesakes + 1) : test->name;
  output->reading = &options;
  run->runner->run(run->runner->context, test, run->workers_each, output);
  output->reading = NULL;
}

/* One file, on its way through a guard. */
struct attempt {
  struct run *run;
  size_t index;
  struct test_buffer *o;
};

static void try_file(void *context) {
  struct attempt *attempt = context;
  struct run *run = attempt->run;
  size_t index = attempt->index;
  struct test_buffer *o = attempt->o = buffer_open(run->wants_json, run->certificates.stream != NULL);
  o->output.label = run->files.at[index];
  struct diags diags = diags_new(o->output.arena);
  tests_limit_reading(run->call, run->runner->cancel);
  const struct source *source = run->files.sources ? run->files.sources[index] : NULL;
  if (!source) source = programs_read_word(run->call, o->output.arena, run->files.at[index], &diags);
  if (source) {
    run_source(run, source, run->namesakes ? run->namesakes[index] : 0, o, &diags);
  } else {
    guard_end_patience();
    diags_print(&diags, o->output.err);
    tests_add_bad(&o->output, run->files.at[index], run->files.at[index], "", &diags);
  }
  buffer_close(o);
}

/* A test that there was no memory for, or no time to read it, is undecided, and the
 * others go on: what it held is free again. */
static void give_up(void *context) {
  struct attempt *attempt = context;
  const char *path = attempt->run->files.at[attempt->index];
  struct test_buffer *o = attempt->o = buffer_open(attempt->run->wants_json, false);
  struct diags diags = diags_new(o->output.arena);
  diag_fail(&diags, "%s: undecided: %s", path, guard_reason());
  o->output.label = path;
  diags_print(&diags, o->output.err);
  tests_add_bad(&o->output, path, path, "", &diags);
  o->output.status = STATUS_LIMIT;
  buffer_close(o);
}

static void *work(void *context, size_t index) {
  struct attempt attempt = {context, index, NULL};
  if (!guard_run(try_file, &attempt)) give_up(&attempt);
  return attempt.o;
}

/* ---- printing, in order ---- */

static void keep_results(struct run *run, const struct test_buffer *o) {
  if (!option_given(run->call, OPTION_JUNIT) && !run->runner->collect) return; /* of many tests nothing stays */
  struct results kept = buffer_keep_results(o, run->call->arena);
  for (size_t i = 0; i < kept.count; i++) result_files_add_result(&run->results, kept.at[i]);
  if (run->runner->collect && kept.count) run->runner->collect(run->runner->context, &kept);
}

static bool finish(void *context, size_t index, void *result) {
  (void)index;
  struct run *run = context;
  struct test_buffer *o = result;
  if (o->err.size || o->out.size) progress_clear(&run->progress);
  if (o->err.size) {
    fflush(stdout);
    terminal_write_messages(o->err.at, o->err.size);
  }
  fwrite(o->out.at, 1, o->out.size, run->runner->out ? run->runner->out : run->results.out);
  result_files_add_json(&run->results, o->json.at, o->json.size);
  if (run->certificates.stream) fwrite(o->certificate.at, 1, o->certificate.size, run->certificates.stream);
  bool written = run->files.count - index > 1 && o->out.size ? fflush(stdout) == 0 : !ferror(stdout);
  keep_results(run, o);
  run->stopped = option_on(run->call, OPTION_EXIT) && o->output.status == STATUS_BAD;
  run->status = status_join(run->status, o->output.status);
  run->selected += !o->unwanted;
  run->done++;
  if (o->name) selection_note(run->selection, o->name);
  if (run->files.count > 1) progress_show(&run->progress, run->done, run->files.count, "tests");
  buffer_free(o);
  return written && !*run->runner->cancel && !run->stopped;
}

static void drop(void *context, void *result) {
  (void)context;
  buffer_free(result);
}

/* ---- the whole run ---- */

static bool is_alone(const struct run *run) {
  return run->runner->alone || run->call->one_by_one;
}

static void warn_of_names(struct run *run) {
  struct diags diags = diags_new(run->call->arena);
  selection_warn(run->selection, &diags);
  diags_report(&diags);
}

static void tell_stopped(const struct run *run) {
  if (run->done < run->files.count)
    fprintf(stderr, "litscope: -exit: stopped after %zu of %zu tests\n", run->done, run->files.count);
}

static void run_all(struct run *run) {
  unsigned workers = option_jobs(run->call), together = is_alone(run) ? 1 : workers;
  run->workers_each = run->files.count && run->files.count < together ? workers / (unsigned)run->files.count : 1;
  if (is_alone(run)) run->workers_each = workers;
  run->call->at_once = run->files.count < together ? (unsigned)run->files.count : together;
  struct pool_jobs jobs = {run, work, finish, drop};
  run->runner->cancel = tests_watch_interrupt();
  run->progress = progress_new(!option_on(run->call, OPTION_QUIET));
  if (run->files.count == 1) progress_watch(&run->progress, run->files.at[0], option_real(run->call, OPTION_TIMEOUT));
  bool complete = pool_run(run->files.count, together, &jobs);
  progress_clear(&run->progress);
  bool quiet = option_on(run->call, OPTION_QUIET);
  if (complete && !*run->runner->cancel && !quiet) warn_of_names(run);
  if (*run->runner->cancel) {
    fprintf(stderr, "litscope: interrupted after %zu of %zu tests\n", run->done, run->files.count);
    run->status = status_join(run->status, STATUS_LIMIT);
  } else if (run->stopped) {
    tell_stopped(run);
  } else if (!complete) {
    run->lost = true;
    run->status = status_join(run->status, STATUS_BAD);
  } else if (!run->selected && !quiet) {
    fprintf(stderr, "litscope: warning: no test has any of the names asked for\n");
  }
}

/* Where memory runs out between tests, the run ends, and an unfinished file with it. */
static void run_whole(void *context) {
  run_all(context);
}

/* ---- divided ---- */

/* A file is a part; one in which the run was stopped is not done. */
static bool do_part(void *context, uint64_t part, FILE *out) {
  struct run *run = context;
  struct test_buffer *o = work(run, (size_t)part);
  bool whole = !*run->runner->cancel;
  if (whole) buffer_write(o, out);
  buffer_free(o);
  return whole;
}

/* The results of all files, as if they had been made now. */
static void print_parts(struct run *run, struct division *division, struct diags *diags) {
  for (size_t i = 0; i < run->files.count && !run->stopped; i++) {
    struct test_buffer *o = buffer_read(parts_text(division->parts, i));
    if (o)
      finish(run, i, o);
    else
      diag_fail(diags, "part %zu: this is not a result of a test", i);
  }
  if (run->stopped)
    tell_stopped(run);
  else if (!option_on(run->call, OPTION_QUIET))
    warn_of_names(run);
}

static int run_divided(struct run *run, struct diags *diags) {
  struct division division;
  int status;
  run->workers_each = 1;
  run->call->tests = &run->files;
  if (!files_read_pipes(run->call->arena, &run->files, diags)) return STATUS_BAD;
  if (!division_open(run->call, &division, diags)) return STATUS_BAD;
  run->runner->cancel = tests_watch_interrupt();
  parts_set_total(division.parts, run->files.count);
  run->call->at_once = is_alone(run) ? 1 : option_jobs(run->call);
  parts_run(division.parts, run->call->at_once, do_part, run);
  run->runner->partial = division_ends(&division, *run->runner->cancel, &status);
  if (run->runner->partial) return status;
  if (!result_files_open(run->call, &run->results, diags)) return status_join(STATUS_BAD, division_close(&division));
  print_parts(run, &division, diags);
  status = result_files_close(&run->results, !run->lost);
  return status_join(status, division_close(&division));
}

static bool open_certificates(struct run *run, const char *path, struct diags *diags) {
  if (!path || outfile_open_named(run->call->arena, path, &run->certificates)) return true;
  return diag_fail(diags, "%s: %s", path, strerror(run->certificates.error));
}

static void close_certificates(struct run *run, bool whole, struct diags *diags) {
  if (run->certificates.stream) outfile_finish(&run->certificates, whole, diags);
}

static int run_at_once(struct run *run, struct diags *diags) {
  const char *certify = option_text(run->call, OPTION_CERTIFY);
  if (!open_certificates(run, certify, diags) || !result_files_open(run->call, &run->results, diags)) return STATUS_BAD;
  if (!guard_run(run_whole, run)) {
    result_files_drop(&run->results);
    close_certificates(run, false, diags);
    guard_out_of_memory();
  }
  close_certificates(run, !run->lost, diags);
  if (run->runner->conclude) run->runner->conclude(run->runner->context, &run->results);
  /* Once standard output is lost, what was done is not the whole of it. */
  return result_files_close(&run->results, !run->lost);
}

/* -macros */
static const struct macros *read_macros(const struct invocation *call, struct diags *diags) {
  const char *path = models_find_file(call, OPTION_MACROS, ".def", diags);
  const struct source *source = path ? source_read(call->arena, path, diags) : NULL;
  return source ? macros_parse(call->arena, source, diags) : NULL;
}

/* -config, -kernel, -input, -output and -filter as the lines that a kernel would have; NULL: none is given. */
static const struct source *kernel_header(struct invocation *call) {
  static const struct {
    enum option_id option;
    const char *word;
  } lines[] = {{OPTION_CONFIG, "Config"},
               {OPTION_KERNEL, "Kernel"},
               {OPTION_INPUT, "Input"},
               {OPTION_OUTPUT_CONDITION, "Output"},
               {OPTION_FILTER, "Filter"}};
  const char *text = "";
  for (size_t i = 0; i < ARRAY_COUNT(lines); i++) {
    const struct option_values *values = &call->values[lines[i].option];
    bool one = lines[i].option == OPTION_CONFIG || lines[i].option == OPTION_KERNEL; /* the last that is given */
    for (size_t v = one && values->count ? values->count - 1 : 0; v < values->count; v++)
      text = arena_printf(call->arena, "%s// @%s: %s\n", text, lines[i].word, values->at[v]);
  }
  return *text ? source_from_text(call->arena, "(options)", text, strlen(text)) : NULL;
}

/* -source-options */
static const char *const *compiler_words(struct invocation *call) {
  const struct option_values *values = &call->values[OPTION_SOURCE_OPTIONS];
  VEC(const char *) words = {0};
  for (size_t v = 0; v < values->count; v++)
    for (const char *at = values->at[v] + strspn(values->at[v], " "); *at; at += strspn(at, " ")) {
      size_t length = strcspn(at, " ");
      *vec_push(call->arena, &words) = arena_strndup(call->arena, at, length);
      at += length;
    }
  *vec_push(call->arena, &words) = NULL;
  return words.at;
}

int tests_run(struct invocation *call, struct test_runner *runner) {
  struct run run = {.call = call, .runner = runner};
  struct diags diags = diags_new(call->arena);
  size_t variant_count;
  const char **variants = option_words(call, OPTION_VARIANT, &variant_count);
  for (size_t i = 0; i < variant_count; i++) {
    run.options.cas_keeps_expected |= !strcmp(variants[i], "cas-keeps-expected");
    run.options.linux_v2 |= !strcmp(variants[i], "lkmmv2");
  }
  if (option_text(call, OPTION_MACROS)) run.options.macros = read_macros(call, &diags);
  run.options.hexadecimal = option_on(call, OPTION_HEXA);
  run.options.kernel = (struct spirv_options){
      .compiler = compiler_words(call), .header = kernel_header(call), .asks_all = call->command == COMMAND_VERIFY};
  struct selection *selection = selection_new(call, &diags);
  run.selection = selection;
  run.wants_json = option_given(call, OPTION_JSON);
  if (selection && !diags.errors && files_list(call, &run.files, &diags) && files_spare(call, &run.files, &diags)) {
    if (pictures_folder(call) || option_given(call, OPTION_COMPILE_OUTPUT) || option_given(call, OPTION_EMIT))
      run.namesakes = files_count_namesakes(call->arena, &run.files, selection);
    bool divided = division_wanted(call) && division_applies(call);
    int status = divided ? run_divided(&run, &diags) : run_at_once(&run, &diags);
    run.status = status_join(run.status, status);
  }
  if (selection) selection_free(selection);
  return status_join(run.status, diags_report(&diags));
}
