/* SPDX-License-Identifier: MIT */
/* Driving clang and glslangValidator; see compile.h. */
#include "checker/spirv/compile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/path.h"
#include "checker/base/process.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

static const struct process_limits limits = {60, 256 << 20};

static bool is_glsl(const struct source *source) {
  return text_ends_in(source->name, ".comp");
}

bool compile_is_source(const struct source *source) {
  return text_ends_in(source->name, ".cl") || is_glsl(source);
}

/* ---- what a compiler says ---- */

static struct span line_span(const struct source *source, unsigned line, unsigned column) {
  uint32_t at = 0;
  for (; line > 1 && at < source->size; at++) line -= source->text[at] == '\n';
  uint32_t length = (uint32_t)strcspn(source->text + at, "\n");
  uint32_t skip = column ? column - 1 : (uint32_t)strspn(source->text + at, " \t");
  if (skip > length || (!column && skip == length)) skip = 0; /* the column after the last is one too */
  return (struct span){at + skip, column || !length ? 1 : length - skip};
}

/* `<stdin>:3:5: error: what`, and glslang's `ERROR: stdin:3: what`: the first error. */
static void fail_as(struct arena *arena, const struct source *source, const char *compiler, const char *said,
                    struct diags *diags) {
  const char *error = strstr(said, "error: "), *place = strstr(said, "ERROR: ");
  unsigned line = 0, column = 0;
  if (place && !error) {
    char *end;
    error = place + 7;
    if (!strncmp(error, "stdin:", 6) && (line = (unsigned)strtoul(error + 6, &end, 10)) && !strncmp(end, ": ", 2))
      error = end + 2;
  } else if (error) {
    const char *start = error;
    while (start > said && start[-1] != '\n') start--;
    if (!strncmp(start, "<stdin>:", 8)) sscanf(start + 8, "%u:%u", &line, &column);
    error += 7;
  }
  const char *what = error ? error : said;
  while (isspace((unsigned char)*what)) what++;
  size_t length = strcspn(what, "\n");
  while (length && what[length - 1] == ' ') length--;
  if (line)
    diag_error(diags, source, line_span(source, line, column), "%s: %.*s", compiler, (int)length, what);
  else
    diag_fail(diags, "%s: %s: %s", source->name, compiler,
              length ? arena_strndup(arena, what, length) : "it failed and did not say why");
}

/* What a compiler said, or that it is not there. */
struct compiler_run {
  struct process_result result;
  bool missing;
};

/* Runs a compiler; its messages are about lines of `quoted`.  False: it is not there, or an error was added. */
static bool run(struct arena *arena, const struct source *source, const char *const *argv, const struct source *input,
                const struct source *quoted, struct compiler_run *run, struct diags *diags) {
  const struct process_result *result = &run->result;
  run->result = process_run(arena, argv, input->text, input->size, &limits);
  run->missing = result->end == PROCESS_FAILED;
  if (result->end == PROCESS_EXITED && !result->status) return true;
  if (result->end == PROCESS_TIMEOUT)
    diag_fail(diags, "%s: %s was not done in %.0f s", source->name, argv[0], limits.seconds);
  else if (!run->missing)
    fail_as(arena, quoted, argv[0], *result->err ? result->err : result->out, diags);
  return false;
}

static void fail_missing(const struct source *source, const char *what, const char *compiler, const char *package,
                         struct diags *diags) {
  diag_fail(diags, "%s: kernels in %s are compiled by %s, which is not there: install %s", source->name, what, compiler,
            package);
}

/* ---- OpenCL C ---- */

typedef VEC(const char *) words;

static void add(struct arena *arena, words *all, const char *word) {
  *vec_push(arena, all) = word;
}

static void add_all(struct arena *arena, words *all, const char *const *more) {
  for (; more && *more; more++) add(arena, all, *more);
}

/* The folder for what the source includes. */
static const char *folder_of(struct arena *arena, const struct source *source) {
  const char *folder = path_folder(arena, source->name);
  return *folder ? folder : ".";
}

/* Copies of a work-group, whose events clang's back end for SPIR-V makes no module of. */
static const char *const group_copies[] = {
    "-Devent_t=int",
    "-Dasync_work_group_copy(to, from, count, event)=async_work_group_strided_copy(to, from, count, 1, event)",
    "-Dasync_work_group_strided_copy(to, from, count, stride, event)=({ event_t " MODULE_COPY
    "(volatile generic void *, const volatile generic void *, size_t, size_t, event_t, size_t); " MODULE_COPY
    "((to), (from), (count), (stride), (event), sizeof *(to)); })",
    "-Dwait_group_events(count, events)=({ void " MODULE_WAIT "(int, event_t *); " MODULE_WAIT
    "((count), (events)); })",
    NULL};

/* clang calls functions that nobody has; the numbers are SPIR-V's storage classes. */
static const char *const address_spaces[] = {
    "-Dto_local(pointer)=__builtin_spirv_generic_cast_to_ptr_explicit((pointer), 4)",
    "-Dto_global(pointer)=__builtin_spirv_generic_cast_to_ptr_explicit((pointer), 5)",
    "-Dto_private(pointer)=__builtin_spirv_generic_cast_to_ptr_explicit((pointer), 7)", NULL};

static bool compile_opencl(struct arena *arena, const struct source *source, const char *const *options,
                           struct compiled *compiled, struct diags *diags) {
  static const char *const compilers[] = {"clang-22", "clang"};
  static const char *const plain[] = {
      "--target=spirv64", "-x", "cl", "-cl-std=CL2.0", "-O0", "-g", "-S", "-emit-llvm", "-fno-discard-value-names",
      "-fgnu89-inline",   NULL}; /* bodies of inline functions, too */
  struct compiler_run said = {.missing = true};
  bool made = false;
  words argv = {0};
  for (size_t i = 0; i < 2 && said.missing; i++) {
    argv.count = 0;
    add(arena, &argv, compilers[i]);
    add_all(arena, &argv, plain);
    add_all(arena, &argv, group_copies);
    add_all(arena, &argv, address_spaces);
    add_all(arena, &argv, (const char *const[]){"-iquote", folder_of(arena, source), NULL});
    add_all(arena, &argv, options);
    add_all(arena, &argv, (const char *const[]){"-o", "-", "-", NULL});
    add(arena, &argv, NULL);
    made = run(arena, source, argv.at, source, source, &said, diags);
  }
  if (said.missing) fail_missing(source, "OpenCL C", "clang", "clang-22", diags);
  const char *text =
      made ? ir_prepare(arena, source, said.result.out, &compiled->arguments, &compiled->argument_count, diags) : NULL;
  if (!text) return false;
  const char *back[] = {argv.at[0], "--target=spirv64", "-O0", "-x", "ir", "-c", "-o", "-", "-", NULL, NULL, NULL};
  if (strstr(text, "AtomicFAddEXT")) {
    back[9] = "-mllvm";
    back[10] = "-spirv-ext=+SPV_EXT_shader_atomic_float_add";
  }
  const struct source *between =
      source_from_text(arena, arena_printf(arena, "%s, as LLVM IR", source->name), text, strlen(text));
  made = run(arena, source, back, between, between, &said, diags);
  compiled->words = said.result.out;
  compiled->size = said.result.out_size;
  return made;
}

/* ---- GLSL ---- */

/* The source as one that may include files without asking for the extension, as in other compilers of GLSL. */
static const struct source *with_includes(struct arena *arena, const struct source *source) {
  unsigned line = 1;
  const char *at = source->text;
  while (at && strncmp(at + strspn(at, " \t"), "#version", 8) != 0) {
    at = strchr(at, '\n');
    at = at ? at + 1 : NULL;
    line++;
  }
  const char *end = at ? strchr(at, '\n') : NULL;
  if (!end || !strstr(end, "#include") || strlen(source->text) < source->size) return source;
  const char *text = arena_printf(arena, "%.*s#extension GL_GOOGLE_include_directive : enable\n#line %u\n%s",
                                  (int)(end + 1 - source->text), source->text, line + 1, end + 1);
  return source_from_text(arena, source->name, text, strlen(text));
}

/* It writes to a file only. */
static bool compile_glsl(struct arena *arena, const struct source *source, const char *const *options,
                         struct compiled *compiled, struct diags *diags) {
  static const char *const plain[] = {"glslangValidator", "-V", "--target-env", "vulkan1.2", "-g", NULL};
  const char *path;
  int file = temporary_file(arena, ".spv", &path);
  if (file < 0)
    return diag_fail(diags, "%s: glslangValidator writes to a file, and none can be made in %s", source->name, path);
  close(file);
  words argv = {0};
  add_all(arena, &argv, plain);
  add(arena, &argv, arena_printf(arena, "-I%s", folder_of(arena, source)));
  add_all(arena, &argv, options);
  add_all(arena, &argv, (const char *const[]){"--stdin", "-S", "comp", "-o", path, NULL});
  add(arena, &argv, NULL);
  struct compiler_run said;
  bool made = run(arena, source, argv.at, with_includes(arena, source), source, &said, diags);
  if (said.missing) fail_missing(source, "GLSL", "glslangValidator", "glslang-tools", diags);
  const struct source *module = made ? source_read(arena, path, diags) : NULL;
  unlink(path);
  if (!module) return false;
  compiled->words = module->text;
  compiled->size = module->size;
  return true;
}

bool compile_source(struct arena *arena, const struct source *source, const char *const *options,
                    struct compiled *compiled, struct diags *diags) {
  *compiled = (struct compiled){0};
  return (is_glsl(source) ? compile_glsl : compile_opencl)(arena, source, options, compiled, diags);
}
