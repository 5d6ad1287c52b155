/* SPDX-License-Identifier: MIT */
/* Driving llc and clang: IR or source on their standard input, assembly from their
 * standard output. */
#include "checker/compiler/llc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/hash_table.h"
#include "checker/base/path.h"
#include "checker/base/process.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/compiler/clang_source.h"

/* ---- finding compilers ---- */

enum { ANY_VERSION = 999 }; /* of code that is there already */

/* What each tool is called, how it tells its version, and the first version that
 * has what is asked of it. */
static const struct {
  const char *name, *version, *release;
  unsigned since;
} TOOLS[] = {{"llc", "LLVM version ", "llvm-", 14}, {"clang", "clang version ", "clang-", 15}};

/* *why: what it did instead of telling its version. */
static bool ask_version(struct arena *arena, enum llc_tool tool, const char *path, struct llc *llc, const char **why) {
  const char *argv[] = {path, "--version", NULL};
  struct process_limits limits = {20, 1 << 20};
  struct process_result result = process_run(arena, argv, "", 0, &limits);
  *why = result.end == PROCESS_FAILED    ? "cannot be run"
         : result.end == PROCESS_TIMEOUT ? "did not tell its version in 20 seconds"
         : tool == LLC_TOOL              ? "does not report an LLVM version"
                                         : "does not report a clang version";
  const char *text = result.end == PROCESS_EXITED ? strstr(result.out, TOOLS[tool].version) : NULL;
  if (!text) return false;
  text += strlen(TOOLS[tool].version);
  *llc = (struct llc){.tool = tool,
                      .path = path,
                      .version = (unsigned)strtoul(text, NULL, 10),
                      .release = arena_strndup(arena, text, strspn(text, "0123456789.")),
                      .build = arena_strndup(arena, text, strcspn(text, "\r\n"))};
  llc->name = arena_printf(arena, "%s%u", TOOLS[tool].release, llc->version);
  return llc->version > 0;
}

/* `llc` and `llc-22`: the number, 0 without one, -1 for other names. */
static int number_of(enum llc_tool tool, const char *file) {
  size_t length = strlen(TOOLS[tool].name);
  if (strncmp(file, TOOLS[tool].name, length) != 0) return -1;
  file += length;
  if (!*file) return 0;
  if (*file != '-' || !file[1] || file[1 + strspn(file + 1, "0123456789")]) return -1;
  return atoi(file + 1);
}

struct found {
  int number;
  const char *path;
};

static int by_number(const void *a, const void *b) {
  return ((const struct found *)b)->number - ((const struct found *)a)->number;
}

static struct found *search_path(struct arena *arena, enum llc_tool tool, size_t *count) {
  VEC(struct found) all = {0};
  const char *path = getenv("PATH");
  for (const char **at = text_split(arena, path ? path : "", ":", NULL), *folder; (folder = *at); at++) {
    for (const char **name = folder_names(arena, folder, ""); name && *name; name++) {
      int number = number_of(tool, *name);
      const char *file = number >= 0 ? arena_printf(arena, "%s/%s", folder, *name) : NULL;
      if (file && access(file, X_OK) == 0) *vec_push(arena, &all) = (struct found){number, file};
    }
  }
  if (all.count) qsort(all.at, all.count, sizeof *all.at, by_number);
  *count = all.count;
  return all.at;
}

static bool has_version(const struct llc *all, unsigned count, unsigned version) {
  for (unsigned i = 0; i < count; i++)
    if (all[i].version == version) return true;
  return false;
}

static int by_version(const void *a, const void *b) {
  return (int)((const struct llc *)b)->version - (int)((const struct llc *)a)->version;
}

struct llc *llc_list(struct arena *arena, enum llc_tool tool, unsigned *count) {
  size_t found_count;
  const struct found *found = search_path(arena, tool, &found_count);
  VEC(struct llc) all = {0};
  struct llc llc;
  const char *why;
  for (size_t i = 0; i < found_count; i++)
    if (ask_version(arena, tool, found[i].path, &llc, &why) && !has_version(all.at, (unsigned)all.count, llc.version))
      *vec_push(arena, &all) = llc;
  if (all.count) qsort(all.at, all.count, sizeof *all.at, by_version);
  *count = (unsigned)all.count;
  return all.at;
}

static bool is_old(const struct llc *llc, struct diags *diags) {
  if (llc->version >= TOOLS[llc->tool].since) return false;
  diag_fail(diags, "%s (LLVM %s) is too old: %s %u and newer can be used", llc->path, llc->release,
            TOOLS[llc->tool].name, TOOLS[llc->tool].since);
  return true;
}

/* `llvm-22`, for both tools, and `clang-22`: the digits, or NULL. */
static const char *wanted_number(enum llc_tool tool, const char *wanted) {
  if (text_begins(wanted, "llvm-")) return wanted + 5;
  size_t length = strlen(TOOLS[tool].release);
  return !strncmp(wanted, TOOLS[tool].release, length) ? wanted + length : NULL;
}

/* `mp.ptx`, `mp.s`: what a compiler has written. */
static bool is_assembly(const char *path) {
  return text_ends_in(path, ".ptx") || text_ends_in(path, ".s");
}

static bool read_assembly(struct arena *arena, enum llc_tool tool, const char *path, struct llc *llc,
                          struct diags *diags) {
  const char *name = path_last(path);
  const struct source *written = source_read(arena, path, diags);
  *llc = (struct llc){
      .tool = tool, .path = path, .version = ANY_VERSION, .release = "assembly", .build = "", .written = written};
  llc->module = ARENA_NEW(arena, _Atomic uint64_t);
  llc->name = arena_strndup(arena, name, (size_t)(strrchr(name, '.') - name));
  return written != NULL;
}

static bool find_named(struct arena *arena, enum llc_tool tool, const char *wanted, struct llc *llc,
                       struct diags *diags) {
  const char *path = wanted, *number = wanted_number(tool, wanted), *name = TOOLS[tool].name, *why;
  size_t count;
  if (is_assembly(wanted)) return read_assembly(arena, tool, wanted, llc, diags);
  if (number) {
    const struct found *found = search_path(arena, tool, &count);
    path = NULL;
    for (size_t i = 0; i < count && !path; i++)
      if (found[i].number == atoi(number) && found[i].number > 0) path = found[i].path;
    if (!path)
      return diag_fail(diags, "no compiler %s: there is no %s-%s on PATH; -compiler PATH names one elsewhere", wanted,
                       name, number);
  }
  if (ask_version(arena, tool, path, llc, &why)) {
    const char *file = path_last(path);
    if (!number && number_of(tool, file) < 0) llc->name = arena_printf(arena, "%s(%s)", file, llc->release);
    return !is_old(llc, diags);
  }
  return diag_fail(diags, "'%s' is not %s: it %s", wanted, name, why);
}

bool llc_find(struct arena *arena, enum llc_tool tool, const char *wanted, struct llc *llc, struct diags *diags) {
  size_t count;
  const char *name = TOOLS[tool].name, *why;
  if (wanted) return find_named(arena, tool, wanted, llc, diags);
  const struct found *found = search_path(arena, tool, &count);
  for (size_t i = 0; i < count; i++)
    if (ask_version(arena, tool, found[i].path, llc, &why)) return !is_old(llc, diags);
  const char *path = getenv("PATH");
  return diag_fail(
      diags,
      "no compiler: there is neither %s nor %s-N on PATH (%s); 'make deps' installs LLVM 22 on Debian, -compiler "
      "PATH names one elsewhere",
      name, name, path ? path : "");
}

/* ---- batches ---- */

struct lines {
  struct span *at;
  size_t count, room;
};

struct llc_batch {
  struct arena *arena;
  const struct llc *llc;
  struct llc_options options;
  VEC(struct ir_kernel) kernels;
  struct hash_table by_text; /* kernels */
  const struct source *source;
  struct lines *lines; /* by kernel */
  const char **errors; /* by kernel; NULL: compiled, or not yet */
};

struct llc_batch *llc_batch_new(struct arena *arena, const struct llc *llc, const struct llc_options *options) {
  return ARENA_MAKE(arena, struct llc_batch, .arena = arena, .llc = llc, .options = *options);
}

unsigned llc_batch_add(struct llc_batch *batch, const struct ir_kernel *kernel) {
  int known = llc_batch_find(batch, kernel);
  if (known >= 0) return (unsigned)known;
  unsigned number = (unsigned)batch->kernels.count;
  hash_add(batch->arena, &batch->by_text, hash_bytes(kernel->text, strlen(kernel->text)), number);
  *vec_push(batch->arena, &batch->kernels) = *kernel;
  return number;
}

int llc_batch_find(const struct llc_batch *batch, const struct ir_kernel *kernel) {
  HASH_EACH (at, &batch->by_text, hash_bytes(kernel->text, strlen(kernel->text))) {
    uint32_t number = hash_number(&batch->by_text, at);
    if (!strcmp(batch->kernels.at[number].text, kernel->text)) return (int)number;
  }
  return -1;
}

static const char *module_without(struct llc_batch *batch, const bool *skip) {
  return TEXT_PRINTED(
      batch->arena, out,
      source_write_module(batch->kernels.at, (unsigned)batch->kernels.count, skip, &batch->options.ir, out));
}

const char *llc_batch_shown(struct llc_batch *batch) {
  struct text text = text_new();
  for (const char *at = module_without(batch, NULL); *at;) {
    size_t length = strcspn(at, "\n") + 1;
    if (!text_begins(at, "#line ")) fprintf(text.out, "%.*s", (int)length, at);
    at += length - !at[length - 1];
  }
  return text_keep(&text, batch->arena);
}

typedef VEC(const char *) words;

static void add_word(struct arena *arena, words *argv, const char *word) {
  *vec_push(arena, argv) = word;
}

/* The options that every version needs to leave kernels alone.  No symbols in
 * stack dumps: looking them up takes longer than compiling. */
static void add_llc_words(const struct llc_batch *batch, words *argv) {
  const struct llc_options *o = &batch->options;
  struct arena *arena = batch->arena;
  add_word(arena, argv, "-disable-symbolication");
  add_word(arena, argv, arena_printf(arena, "-mcpu=%s", o->processor));
  if (o->features) add_word(arena, argv, arena_printf(arena, "-mattr=%s", o->features));
  if (o->ir.machine == IR_AMDGPU)
    add_word(
        arena, argv,
        batch->llc->version >= 17 ? "-amdgpu-atomic-optimizer-strategy=None" : "-amdgpu-atomic-optimizations=false");
  if (batch->llc->version == 14) add_word(arena, argv, "-opaque-pointers");
}

/* Locations are integers and atomic ones at once: no aliasing by types.  clang
 * chooses PTX's version itself. */
static void add_clang_words(const struct llc_batch *batch, words *argv) {
  static const char *const ALL[] = {"-S", "-nogpulib", "-fno-strict-aliasing", "-w"};
  const struct llc_options *o = &batch->options;
  struct arena *arena = batch->arena;
  bool amd = o->ir.machine == IR_AMDGPU, kernel = o->ir.form == IR_KERNEL, opencl = kernel || o->ir.form == IR_OPENCL;
  for (size_t i = 0; i < ARRAY_COUNT(ALL); i++) add_word(arena, argv, ALL[i]);
  add_word(arena, argv, "-x");
  add_word(arena, argv, opencl ? "cl" : "c");
  add_word(arena, argv, kernel ? "-cl-std=CL2.0" : opencl ? "-cl-std=CL3.0" : "-std=gnu17");
  if (opencl && !kernel) add_word(arena, argv, "-cl-no-stdinc");
  if (kernel) add_word(arena, argv, "-ffp-contract=off"); /* as in SPIR-V, each operation rounds */
  add_word(arena, argv, amd ? "--target=amdgcn-amd-amdhsa" : "--target=nvptx64-nvidia-cuda");
  add_word(arena, argv, arena_printf(arena, amd ? "-mcpu=%s" : "-march=%s", o->processor));
  if (!amd) add_word(arena, argv, "-fwrapv"); /* as tests compute */
  if (!amd && opencl) {
    add_word(arena, argv, "-Xclang");
    add_word(arena, argv, "-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics");
  }
  if (amd && o->features) {
    add_word(arena, argv, "-Xclang");
    add_word(arena, argv, "-target-feature");
    add_word(arena, argv, "-Xclang");
    add_word(arena, argv, o->features);
  }
  if (amd) {
    add_word(arena, argv, "-mllvm");
    add_word(
        arena, argv,
        batch->llc->version >= 17 ? "-amdgpu-atomic-optimizer-strategy=None" : "-amdgpu-atomic-optimizations=false");
  }
  if (amd && kernel) { /* private arrays stay in private memory: else each work-item's is in local memory of 1024 */
    add_word(arena, argv, "-mllvm");
    add_word(arena, argv, "-disable-promote-alloca-to-lds");
  }
  if (o->ir.lines) add_word(arena, argv, "-gline-tables-only");
}

static const char *const *arguments(const struct llc_batch *batch) {
  const struct llc_options *o = &batch->options;
  bool clang = batch->llc->tool == CLANG_TOOL;
  struct arena *arena = batch->arena;
  words argv = {0};
  add_word(arena, &argv, batch->llc->path);
  (clang ? add_clang_words : add_llc_words)(batch, &argv);
  add_word(arena, &argv, o->level);
  for (unsigned i = 0; i < o->extra_count; i++) add_word(arena, &argv, o->extra[i]);
  add_word(arena, &argv, "-o");
  add_word(arena, &argv, "-");
  if (clang) add_word(arena, &argv, "-");
  add_word(arena, &argv, NULL);
  return argv.at;
}

/* Keeps the compiler's input for whoever wants to see what it choked on. */
static const char *keep_input(struct arena *arena, enum ir_form form, const char *module) {
  static const char *const ENDINGS[] = {".ll", ".cl", ".c", ".cl"};
  const char *path;
  int fd = temporary_file(arena, ENDINGS[form], &path);
  if (fd < 0) return NULL;
  FILE *file = fdopen(fd, "w");
  if (!file) {
    close(fd);
    return NULL;
  }
  fputs(module, file);
  return fclose(file) ? NULL : path;
}

static const char *first_error(struct arena *arena, const char *err) {
  const char *at = strstr(err, "error: ");
  if (!at) at = strstr(err, "LLVM ERROR: ");
  const char *line = at ? at : err;
  while (line > err && line[-1] != '\n') line--;
  return arena_strndup(arena, line, strcspn(line, "\n"));
}

/* `<stdin>:12:3: error: ...` has the line of the compiler's input. */
static const char *quoted_line(struct arena *arena, const char *error, const char *module) {
  const char *at = strstr(error, "<stdin>:");
  unsigned long line = at ? strtoul(at + strlen("<stdin>:"), NULL, 10) : 0;
  for (; line > 1 && module; line--) {
    module = strchr(module, '\n');
    if (module) module++;
  }
  return line && module ? arena_printf(arena, "; there it has: %.*s", (int)strcspn(module, "\n"), module) : "";
}

static bool fail(struct llc_batch *batch, const char *module, const struct process_result *result, const char *error,
                 struct diags *diags) {
  static const char *const ENDS[] = {[PROCESS_EXITED] = "ended with status",
                                     [PROCESS_KILLED] = "crashed with signal",
                                     [PROCESS_TIMEOUT] = "took too long: ended with signal",
                                     [PROCESS_TOO_LONG] = "wrote too much: ended with signal",
                                     [PROCESS_FAILED] = "could not be started: status"};
  if (batch->llc->written) return diag_fail(diags, "%s: %s", batch->llc->path, error);
  const char *kept = keep_input(batch->arena, batch->options.ir.form, module);
  return diag_fail(diags, "%s %s %d%s%s%s%s%s", batch->llc->path, ENDS[result->end], result->status, *error ? ": " : "",
                   error, quoted_line(batch->arena, error, module), kept ? "; its input is in " : "", kept ? kept : "");
}

/* `t12:` at the start of a line begins kernel 12. */
static bool is_kernel_label(const char *line, size_t length, unsigned *number) {
  size_t digits = length > 1 && *line == 't' ? strspn(line + 1, "0123456789") : 0;
  if (!digits || 1 + digits >= length || line[1 + digits] != ':') return false;
  *number = (unsigned)strtoul(line + 1, NULL, 10);
  return true;
}

/* `.visible .entry t12(`: in PTX. */
static bool is_kernel_entry(const char *line, unsigned *number) {
  static const char head[] = ".visible .entry t";
  if (strncmp(line, head, sizeof head - 1) != 0) return false;
  *number = (unsigned)strtoul(line + sizeof head - 1, NULL, 10);
  return true;
}

/* Each kernel's lines: from its label to the label of its end; in PTX what is
 * between braces.  false: the text is wrong, which a compiler's own is not thought to be. */
static bool split(struct llc_batch *batch, struct diags *diags) {
  const struct source *source = batch->source;
  unsigned kernel = UINT32_MAX, entry = UINT32_MAX, next;
  struct span begun = {0};
  batch->lines = ARENA_ARRAY(batch->arena, struct lines, batch->kernels.count + 1);
  struct cursor lines = cursor_at_start(source);
  for (struct span line; cursor_take_line(&lines, &line);) {
    const char *at = source->text + line.at;
    bool ptx = batch->options.ir.machine == IR_NVPTX, begins = false;
    if (ptx && is_kernel_entry(at, &next))
      entry = next, begun = line;
    else if (ptx && *at == '{')
      kernel = entry, begins = true;
    else if (!ptx && is_kernel_label(at, line.length, &next))
      kernel = next, begun = line, begins = true;
    else if (ptx ? *at == '}' : text_begins(at, ".Lfunc_end"))
      kernel = entry = UINT32_MAX;
    else if (kernel < batch->kernels.count)
      *vec_push(batch->arena, &batch->lines[kernel]) = line;
    if (begins && kernel < batch->kernels.count && batch->lines[kernel].count)
      return diag_error(diags, source, begun, "kernel t%u begins twice", kernel);
  }
  return kernel >= batch->kernels.count || diag_error(diags, source, begun, "kernel t%u has no end", kernel);
}

/* Kernels are told by their numbers, which mean something in one module only. */
static const char *take_written(struct llc_batch *batch, const char *module) {
  const struct llc *llc = batch->llc;
  uint64_t none = 0, digest = hash_bytes(module, strlen(module)) | 1;
  if (atomic_compare_exchange_strong(llc->module, &none, digest) || none == digest) return NULL;
  return "it is the code of one test, and was taken for another's";
}

/* The compiler's first error, NULL where there is none. */
static const char *run(struct llc_batch *batch, const char *module, struct process_result *result) {
  struct process_limits limits = {300, (size_t)256 << 20};
  *result = (struct process_result){.end = PROCESS_EXITED};
  if (batch->llc->written) return take_written(batch, module);
  *result = process_run(batch->arena, arguments(batch), module, strlen(module), &limits);
  bool unknown =
      strstr(result->err, "is not a recognized processor") || strstr(result->err, "is not a recognized feature");
  if (unknown) return arena_strndup(batch->arena, result->err, strcspn(result->err, "\n"));
  return result->end != PROCESS_EXITED || result->status != 0 ? first_error(batch->arena, result->err) : NULL;
}

/* Does it begin functions as code for the other kind of GPU does? */
static bool is_other_assembly(const struct source *source, bool ptx) {
  return strstr(source->text, ptx ? ".amdgcn_target" : ".address_size") != NULL;
}

/* false: some kernel is missing, so this is no compiler's output. */
static bool keep_output(struct llc_batch *batch, const struct process_result *result, struct diags *diags) {
  const struct source *written = batch->llc->written;
  const bool ptx = batch->options.ir.machine == IR_NVPTX;
  batch->source = written ? written : source_from_text(batch->arena, "assembly", result->out, result->out_size);
  if (written && is_other_assembly(written, ptx))
    return diag_fail(
        diags,
        ptx ? "%s is assembly of an AMD GPU, and the target one of NVIDIA" : "%s is PTX, and the target a GPU of AMD",
        batch->llc->path);
  if (!split(batch, diags)) return false;
  for (unsigned k = 0; k < batch->kernels.count; k++) {
    if (batch->lines[k].count || llc_batch_error(batch, k)) continue;
    return diag_fail(diags, written ? "%s has no kernel t%u" : "%s wrote no code for kernel t%u", batch->llc->path, k);
  }
  return true;
}

bool llc_batch_run(struct llc_batch *batch, struct diags *diags) {
  const char *module = module_without(batch, NULL);
  struct process_result result;
  const char *error = run(batch, module, &result);
  if (error) return fail(batch, module, &result, error, diags);
  return keep_output(batch, &result, diags);
}

enum { ONE_BY_ONE = 4 }; /* so few kernels are halved no more */

/* Compiles the kernels first .. end - 1 alone: the compiler's error, or NULL. */
static const char *run_some(struct llc_batch *batch, unsigned first, unsigned end, struct process_result *result) {
  bool *skip = ARENA_ARRAY(batch->arena, bool, batch->kernels.count + 1);
  for (unsigned i = 0; i < batch->kernels.count; i++) skip[i] = i < first || i >= end;
  return run(batch, module_without(batch, skip), result);
}

static void blame(struct llc_batch *batch, unsigned kernel, const char *error) {
  batch->errors[kernel] = *error ? error : "the compiler crashed";
}

/* Which of the kernels first .. end - 1 cannot be compiled?  Some cannot. */
static void halve(struct llc_batch *batch, unsigned first, unsigned end) {
  unsigned step = end - first > ONE_BY_ONE ? (end - first + 1) / 2 : 1;
  for (unsigned from = first; from < end; from += step) {
    unsigned to = end - from > step ? from + step : end;
    struct process_result result;
    const char *error = run_some(batch, from, to, &result);
    if (error && to - from == 1)
      blame(batch, from, error);
    else if (error)
      halve(batch, from, to);
  }
}

/* The kernel that a compiler which crashed was at, from its stack dump; the count of kernels: it does not say. */
static unsigned crashed_at(const struct llc_batch *batch, const struct process_result *result, unsigned first) {
  static const char head[] = "on function '@t";
  const char *at = strstr(result->err, head);
  unsigned count = (unsigned)batch->kernels.count;
  unsigned long number = at ? strtoul(at + sizeof head - 1, NULL, 10) : count;
  return number >= first && number < count ? (unsigned)number : count;
}

/* Kernels are compiled in order: those before the one that crashed can be. */
static void find_errors(struct llc_batch *batch) {
  unsigned count = (unsigned)batch->kernels.count, first = 0;
  struct process_result result;
  for (const char *error; first < count && (error = run_some(batch, first, count, &result));) {
    unsigned kernel = crashed_at(batch, &result, first);
    if (kernel == count) {
      halve(batch, first, count);
      return;
    }
    blame(batch, kernel, error);
    first = kernel + 1;
  }
}

bool llc_batch_run_each(struct llc_batch *batch, struct diags *diags) {
  unsigned count = (unsigned)batch->kernels.count;
  struct process_result result;
  batch->errors = ARENA_ARRAY(batch->arena, const char *, count + 1);
  if (!run(batch, module_without(batch, NULL), &result)) return keep_output(batch, &result, diags);
  const char *error = run_some(batch, 0, 0, &result);
  bool *skip = ARENA_ARRAY(batch->arena, bool, count + 1);
  memset(skip, true, count);
  if (error) return fail(batch, module_without(batch, skip), &result, error, diags);
  find_errors(batch);
  for (unsigned i = 0; i < count; i++) skip[i] = batch->errors[i] != NULL;
  error = run(batch, module_without(batch, skip), &result);
  if (error) return fail(batch, module_without(batch, skip), &result, error, diags);
  return keep_output(batch, &result, diags);
}

const char *llc_batch_error(const struct llc_batch *batch, unsigned kernel) {
  return batch->errors ? batch->errors[kernel] : NULL;
}

const struct source *llc_batch_source(const struct llc_batch *batch) {
  return batch->source;
}

const struct span *llc_batch_lines(const struct llc_batch *batch, unsigned kernel, size_t *count) {
  *count = batch->lines[kernel].count;
  return batch->lines[kernel].at;
}
