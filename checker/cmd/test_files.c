/* SPDX-License-Identifier: MIT */
/* The words of a command line as a list of files: folders are walked, indexes
 * followed, each up to a depth that no sane one has; and names of tests that
 * occur in several files, found by reading each file's first line. */
#include "checker/cmd/test_files.h"

#include <errno.h>
#ifdef __linux__
#include <linux/magic.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/hash_table.h"
#include "checker/base/infile.h"
#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/select_tests.h"
#include "checker/cmd/terminal.h"
#include "checker/litmus/vulkan_cts_names.h"

enum { INDEX_DEPTH = 16, FOLDER_DEPTH = 64, MOST_FILES = 250000 };

/* What one word leads to.  Links can lead to a folder in as many ways as they
 * like: each is walked once. */
struct walk {
  struct arena *arena;
  struct files *files;
  struct diags *diags;
  struct hash_table walked; /* as a set: devices and inodes of folders */
  struct progress progress;
  uint64_t folders;   /* walked so far */
  const char *kernel; /* one in a folder; NULL: there is none */
  bool stopped;       /* by a mistake in an index that would go on for ever */
};

static bool walked_before(struct walk *walk, const char *folder) {
  struct stat status;
  if (stat(folder, &status) != 0) return false;
  const uint64_t which[] = {status.st_dev, status.st_ino};
  return !hash_is_new(walk->arena, &walk->walked, hash_bytes(which, sizeof which));
}

/* Adds a test; too many are a mistake in an index, and end the walk. */
static void add_file(struct walk *walk, const char *path) {
  if (walk->stopped) return;
  walk->stopped = walk->files->count >= MOST_FILES;
  if (walk->stopped)
    diag_fail(walk->diags, "more than %d tests", MOST_FILES);
  else
    *vec_push(walk->arena, walk->files) = path;
}

static bool is_folder(const char *path) {
  struct stat status;
  return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* Does the kernel tell of processes or devices there?  Such folders hold no tests, and lead by links to all others. */
static bool is_made_up(const char *folder) {
#ifdef __linux__
  struct statfs status;
  return !statfs(folder, &status) && (status.f_type == PROC_SUPER_MAGIC || status.f_type == SYSFS_MAGIC);
#else
  (void)folder;
  return false;
#endif
}

/* Tests, which a folder stands for; and kernels, of which one does not know how they are to be run. */
static const char *const test_endings[] = {".litmus", ".test", ".spvasm", ".spv", NULL}, *const kernel_endings[] = {
                                                                                             ".cl", ".comp", ".ptx",
                                                                                             NULL};

static bool ends_in(const char *path, const char *const *endings) {
  while (*endings && !text_ends_in(path, *endings)) endings++;
  return *endings;
}

/* All .litmus files, Khronos' .test files and kernels below a folder, by name. */
static void add_folder(struct walk *walk, const char *folder, int depth) {
  if (walked_before(walk, folder) || is_made_up(folder)) return;
  progress_show(&walk->progress, ++walk->folders, 0, "folders");
  const char **names = folder_names(walk->arena, folder, "");
  if (!names) diag_fail(walk->diags, "%s: %s", folder, strerror(errno));
  for (; names && *names; names++) {
    const char *path = arena_printf(walk->arena, "%s/%s", folder, *names);
    if (is_folder(path)) {
      if (depth < FOLDER_DEPTH) add_folder(walk, path, depth + 1);
    } else if (ends_in(path, test_endings)) {
      add_file(walk, path);
    } else if (ends_in(path, kernel_endings)) {
      walk->kernel = path;
    }
  }
}

static void add_word(struct walk *walk, const char *path, int depth);

/* The lines of an index: paths from the index's folder; `#` begins a comment. */
static void add_index(struct walk *walk, const char *path, int depth) {
  struct arena *arena = walk->arena;
  if (depth >= INDEX_DEPTH) {
    diag_fail(walk->diags, "%s: indexes within indexes are nested more than %d deep", path, INDEX_DEPTH);
    walk->stopped = true;
    return;
  }
  const struct source *source = source_read(arena, path, walk->diags);
  if (!source) return;
  const char *folder = path_folder(arena, path);
  struct cursor lines = cursor_at_start(source);
  for (struct span span; !walk->stopped && cursor_take_line(&lines, &span);) {
    struct cursor c = {source->text, span.at, (uint32_t)source->size};
    span = cursor_trim(&c, span.at + span.length);
    const char *line = arena_strndup(arena, source->text + span.at, span.length);
    bool whole = *line == '/' || cts_is_name(line);
    if (*line && *line != '#') add_word(walk, whole ? line : arena_printf(arena, "%s%s", folder, line), depth + 1);
  }
}

static void add_cts_test(void *context, const char *name) {
  add_file(context, name);
}

/* A name of the Vulkan CTS, or those that a pattern matches. */
static void add_cts(struct walk *walk, const char *name) {
  if (!strchr(name, '*'))
    add_file(walk, name);
  else if (!cts_each(walk->arena, name, add_cts_test, walk))
    diag_fail(walk->diags, "%s: the Vulkan CTS has no test of the memory model with such a name", name);
}

/* An index is named `@x`, or asked for as `@x` where the file is `x`. */
static void add_word(struct walk *walk, const char *path, int depth) {
  walk->walked = (struct hash_table){0};
  if (*path_last(path) == '@')
    add_index(walk, access(path, F_OK) == 0 ? path : path + 1, depth);
  else if (path[0] == '@')
    add_index(walk, path + 1, depth);
  else if (is_folder(path))
    add_folder(walk, path, 0);
  else if (cts_is_name(path))
    add_cts(walk, path);
  else
    add_file(walk, path);
}

const struct source *files_read(struct arena *arena, const char *path, struct diags *diags) {
  return cts_is_name(path) ? cts_source(arena, path, diags) : source_read(arena, path, diags);
}

/* ---- languages ---- */

/* False: it cannot be known. */
static bool note_language(const char *path, bool found[LANGUAGES]) {
  struct stat status;
  if (cts_is_name(path)) return found[LANG_VULKAN] = true;
  if (path[0] == '@' || *path_last(path) == '@' || stat(path, &status) || !S_ISREG(status.st_mode)) return false;
  struct arena *own = arena_new();
  struct diags quiet = diags_new(own);
  const struct source *source = source_read(own, path, &quiet);
  enum litmus_language language;
  bool known = source && litmus_find_language(source, &language);
  if (known) found[language] = true;
  arena_free(own);
  return known;
}

void files_find_languages(struct invocation *call, bool found[LANGUAGES]) {
  enum { FEW = 16 };
  bool known = call->word_count && call->word_count <= FEW;
  for (int i = 0; i < LANGUAGES; i++) found[i] = false;
  for (size_t i = 0; i < call->word_count && known; i++) known = note_language(call->words[i], found);
  for (int i = 0; i < LANGUAGES && !known; i++) found[i] = true;
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
  if (cts_is_name(path)) return path;
  if (stat(path, &status) || !S_ISREG(status.st_mode)) return NULL;
  struct arena *own = arena_new();
  struct diags quiet = diags_new(own);
  const struct source *source = source_read(own, path, &quiet);
  const char *name = source ? selection_peek_name(arena, source) : NULL;
  arena_free(own);
  return name;
}

unsigned *files_count_namesakes(struct arena *arena, const struct files *files, const struct selection *selection) {
  struct named *all = ARENA_ARRAY(arena, struct named, files->count);
  unsigned *namesakes = ARENA_ARRAY(arena, unsigned, files->count);
  for (size_t i = 0; i < files->count; i++)
    all[i] = (struct named){selection_name(selection, read_name(arena, files->at[i])), i};
  qsort(all, files->count, sizeof *all, compare_named);
  for (size_t i = 1; i < files->count && all[i].name; i++)
    if (!strcmp(all[i].name, all[i - 1].name)) namesakes[all[i].file] = namesakes[all[i - 1].file] + 1;
  return namesakes;
}

bool files_list(const struct invocation *call, struct files *files, struct diags *diags) {
  struct walk walk = {.arena = call->arena, .files = files, .diags = diags};
  walk.progress = progress_new(!option_on(call, OPTION_QUIET));
  for (size_t i = 0; i < call->word_count && !walk.stopped; i++) add_word(&walk, call->words[i], 0);
  progress_clear(&walk.progress);
  if (walk.stopped) return false;
  if (walk.kernel && !option_on(call, OPTION_QUIET))
    diag_warning(diags, NULL, (struct span){0, 0},
                 "a folder stands for its tests, not for kernels in source form such as %s: name their files",
                 walk.kernel);
  if (files->count || diags->errors) return files->count > 0;
  return diag_fail(diags, "no tests to %s: name .litmus files, a folder, or an index @FILE",
                   command_table[call->command].name);
}

bool files_read_pipes(struct arena *arena, struct files *files, struct diags *diags) {
  size_t before = diags->errors;
  files->sources = ARENA_ARRAY(arena, const struct source *, files->count);
  for (size_t i = 0; i < files->count; i++) {
    struct stat status;
    if (strcmp(files->at[i], "-") != 0 && (stat(files->at[i], &status) != 0 || S_ISREG(status.st_mode))) continue;
    files->sources[i] = source_read(arena, files->at[i], diags);
  }
  return diags->errors == before;
}

/* ---- results ---- */

/* The folder that a path names a file in; its last name in `name`. */
static bool find_folder(const char *path, struct stat *folder, const char **name) {
  struct arena *own = arena_new();
  const char *within = path_folder(own, path);
  bool found = stat(*within ? within : ".", folder) == 0;
  *name = path_last(path);
  arena_free(own);
  return found;
}

/* Do the names stand for one file, though it may not be there yet? */
static bool same_file(const char *a, const char *b) {
  struct stat x, y;
  bool one = stat(a, &x) == 0, other = stat(b, &y) == 0;
  if (!strcmp(a, b)) return true;
  if (!one && !other) {
    one = find_folder(a, &x, &a);
    other = find_folder(b, &y, &b) && !strcmp(a, b);
  }
  return one && other && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Written anew: no device or pipe, nor standard output. */
static bool is_file(const char *path) {
  struct stat status;
  return path && strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

/* Is it what a test is read from?  The test `-` is standard input, which may be a file. */
static bool is_test(const char *path, const char *test) {
  struct stat x, y;
  if (strcmp(test, "-") != 0) return same_file(path, test);
  return !stat(path, &x) && !fstat(STDIN_FILENO, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* What a command writes for an option. */
struct result_file {
  enum option_id id;
  const char *path;
};

static bool spares(const struct result_file *result, const struct files *files, struct diags *diags) {
  const char *path = result->path, *name = option_table[result->id].name;
  if (result->id == OPTION_JOURNAL) return true; /* it is read to go on with it */
  for (size_t i = 0; i < files->count; i++) {
    if (!is_test(path, files->at[i])) continue;
    return diag_fail(diags, "option -%s would overwrite the test %s", name, files->at[i]);
  }
  if (ends_in(path, test_endings) || ends_in(path, kernel_endings))
    return diag_fail(diags, "option -%s would write to %s, which is a test by its name", name, path);
  if (!infile_was_read(path)) return true;
  return diag_fail(diags, "option -%s would overwrite %s, which this command reads", name, path);
}

enum { RESULT_OPTIONS = 5 };
static const enum option_id RESULTS[RESULT_OPTIONS] = {OPTION_JSON, OPTION_JUNIT, OPTION_CERTIFY, OPTION_SYNTH_OUTPUT,
                                                       OPTION_JOURNAL};

/* The files that are written anew, at most two for an option. */
static size_t list_results(const struct invocation *call, struct result_file results[2 * RESULT_OPTIONS]) {
  size_t count = 0;
  for (size_t i = 0; i < RESULT_OPTIONS; i++) {
    const char *path = option_text(call, RESULTS[i]);
    if (is_file(path)) results[count++] = (struct result_file){RESULTS[i], path};
    if (!path || RESULTS[i] != OPTION_SYNTH_OUTPUT || option_given(call, OPTION_TARGET)) continue;
    const char *certificate = arena_printf(call->arena, "%s.certificate", path);
    if (is_file(certificate)) results[count++] = (struct result_file){RESULTS[i], certificate};
  }
  return count;
}

/* Only JSON has standard output to itself. */
static bool name_files(const struct invocation *call, struct diags *diags) {
  for (size_t i = 0; i < RESULT_OPTIONS; i++) {
    if (RESULTS[i] == OPTION_JSON || !option_is(call, RESULTS[i], "-")) continue;
    return diag_fail(diags, "option -%s writes to a file; a file named - is ./-", option_table[RESULTS[i]].name);
  }
  return true;
}

bool files_spare(const struct invocation *call, const struct files *files, struct diags *diags) {
  struct result_file results[2 * RESULT_OPTIONS];
  size_t count = list_results(call, results);
  if (!name_files(call, diags)) return false;
  for (size_t i = 0; i < count; i++) {
    if (!spares(&results[i], files, diags)) return false;
    for (size_t k = 0; k < i; k++) {
      if (!same_file(results[i].path, results[k].path)) continue;
      return diag_fail(diags, "options -%s and -%s would write the same file", option_table[results[k].id].name,
                       option_table[results[i].id].name);
    }
  }
  return true;
}
