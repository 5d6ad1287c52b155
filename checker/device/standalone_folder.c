/* SPDX-License-Identifier: MIT */
/* Emitting: what is the same for every test is text of hosts/, taken into the
 * library as it is; what the test makes of itself is test.h (or test.js). */
#include "checker/device/standalone_folder.h"

#include <inttypes.h>

#include "checker/base/embed.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

/* ---- the texts of hosts/ ---- */

/* clang-format off */
#define HOST_LIST(X) \
  X(tables, "tables.h") \
  X(host, "host.h") \
  X(scoped, "scoped.h") \
  X(ptx, "ptx.h") \
  X(gpu, "gpu.h") \
  X(cuda, "main.cu") \
  X(hip, "main.hip") \
  X(opencl, "main_opencl.c") \
  X(vulkan, "main_vulkan.c") \
  X(webgpu, "webgpu.html")
/* clang-format on */

#define HOST_TEXT(id, file) EMBED_TEXT(emit_host_##id, "checker/device/hosts/" file)
HOST_LIST(HOST_TEXT)
#undef HOST_TEXT

/* ---- one language's folder ---- */

struct emitted {
  const struct dialect *dialect;
  const char *kernel;    /* file of the kernel */
  const char *build;     /* rules of its Makefile, "" where nothing is built */
  const char *needs;     /* what the page says is needed */
  const char *run;       /* how it is run */
  const char *lacks;     /* what the language cannot say, or says otherwise */
  unsigned most_items;   /* of a work-group; on some devices fewer, which say so */
  const char *hosts[12]; /* names of files, each with its text after it */
};

#define FILE_OF(name, id) name, emit_host_##id

static const struct emitted languages[] = {
    [EMIT_OPENCL] =
        {&dialect_opencl,
         "kernel.cl",
         "litmus: main.c tables.h test.h host.h\n\t$(CC) -O2 -o $@ main.c -lOpenCL\n",
         "a C compiler, OpenCL's headers and loader, and a driver with OpenCL 2.0 or later",
         "make && ./litmus > device.log\n\nThe environment's `PLATFORM` and `DEVICE` choose another device.",
         "",
         1024,
         {FILE_OF("tables.h", tables), FILE_OF("host.h", host), FILE_OF("main.c", opencl)}},
    [EMIT_CUDA] = {&dialect_cuda,
                   "kernel.cu",
                   "NVCC ?= nvcc\nlitmus: main.cu kernel.cu scoped.h gpu.h tables.h test.h host.h\n"
                   "\t$(NVCC) -O2 -std=c++17 -arch=native -o $@ main.cu\n",
                   "CUDA 12 or later (libcu++), and a GPU of compute capability 7.0 or later",
                   "make && ./litmus > device.log\n\nWithout a toolkit, `clang++ -x cuda --cuda-device-only "
                   "--cuda-gpu-arch=sm_70 -nogpulib -nogpuinc -S kernel.cu` compiles the kernel alone.",
                   "CUDA has no scope of a warp: by `cuda::atomic_ref`, sub-group scope is that of the block.\n",
                   1024,
                   {FILE_OF("tables.h", tables), FILE_OF("host.h", host), FILE_OF("scoped.h", scoped),
                    FILE_OF("gpu.h", gpu)}},
    [EMIT_HIP] = {&dialect_hip,
                  "kernel.hip",
                  "HIPCC ?= hipcc\nlitmus: main.hip kernel.hip scoped.h gpu.h tables.h test.h host.h\n"
                  "\t$(HIPCC) -O2 -std=c++17 -o $@ main.hip\n",
                  "ROCm with a clang of version 20 or later",
                  "make && ./litmus > device.log\n\nWithout ROCm, `clang++ -x hip --offload-device-only "
                  "--offload-arch=gfx942 -nogpulib -nogpuinc -S kernel.hip` compiles the kernel alone.",
                  "",
                  1024,
                  {FILE_OF("tables.h", tables), FILE_OF("host.h", host), FILE_OF("scoped.h", scoped),
                   FILE_OF("gpu.h", gpu)}},
    [EMIT_VULKAN] =
        {&dialect_vulkan,
         "kernel.comp",
         "all: litmus kernel.spv\nlitmus: main.c tables.h test.h host.h\n\t$(CC) -O2 -o $@ main.c -lvulkan\n"
         "kernel.spv: kernel.comp\n\tglslangValidator --target-env vulkan1.2 -o $@ kernel.comp\n",
         "a C compiler, Vulkan's headers and loader, glslangValidator, and a driver with the Vulkan memory "
         "model",
         "make && ./litmus > device.log\n\nThe environment's `DEVICE` chooses another device.",
         "The Vulkan memory model has no sequential consistency. All-devices scope is device scope: a test "
         "runs on one device.\n",
         1024,
         {FILE_OF("tables.h", tables), FILE_OF("host.h", host), FILE_OF("main.c", vulkan)}},
    [EMIT_WEBGPU] =
        {&dialect_webgpu,
         "kernel.wgsl",
         "",
         "a browser with WebGPU",
         "Open `index.html`, and save what it shows as `device.log`. Options follow the address, such as "
         "`index.html?n=10000&runs=5`.",
         "WGSL has relaxed atomic operations only, at the scope of the device, and barriers of a work-group: "
         "acquire, release, seq_cst and fences cannot be said, narrower scopes run as the device's, and an "
         "ordinary access to a location that is atomic elsewhere runs as a relaxed one.\n",
         256,
         {FILE_OF("index.html", webgpu)}},
};

/* CUDA, for tests of PTX. */
static const struct emitted ptx_in_cuda = {
    &dialect_ptx,
    "kernel.cu",
    "NVCC ?= nvcc\nlitmus: main.cu kernel.cu scoped.h ptx.h gpu.h tables.h test.h host.h\n"
    "\t$(NVCC) -O2 -std=c++17 -arch=native -o $@ main.cu\n",
    "CUDA 12.6 or later, and a GPU of compute capability 7.0 or later (9.0 for `fence.acquire` and `fence.release`)",
    "make && ./litmus > device.log",
    "",
    1024,
    {FILE_OF("tables.h", tables), FILE_OF("host.h", host), FILE_OF("scoped.h", scoped), FILE_OF("ptx.h", ptx),
     FILE_OF("gpu.h", gpu)}};

/* ---- conditions, for C and JavaScript alike ---- */

static const struct prop_words c_words = {{[PROP_TRUE] = "1",
                                           [PROP_FALSE] = "0",
                                           [PROP_AND] = "((@) && (@))",
                                           [PROP_OR] = "((@) || (@))",
                                           [PROP_IMPLIES] = "(!(@) || (@))",
                                           [PROP_NOT] = "!(@)"},
                                          {"@ == @", "@ != @", "@ < @", "@ <= @", "@ > @", "@ >= @"},
                                          false};

static void write_operand(const void *layout, const struct operand *operand, const struct operand *beside, FILE *out) {
  (void)beside;
  if (operand->constant)
    fprintf(out, "%" PRId64, operand->value);
  else
    fprintf(out, "v[%u]", layout_place(layout, operand->what));
}

static void write_condition(const char *before, const struct layout *layout, const struct prop *prop, FILE *out) {
  static const struct prop none = {.kind = PROP_TRUE};
  fputs(before, out);
  prop_print(prop ? prop : &none, &c_words, write_operand, layout, out);
}

/* ---- the test ---- */

/* As a literal of C and JavaScript. */
static void write_literal(const char *text, FILE *out) {
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '\n')
      fputs("\\n", out);
    else if (*text == '"' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else if ((unsigned char)*text >= ' ')
      fputc(*text, out);
  }
  fputc('"', out);
}

static void define_text(const char *name, const char *text, FILE *out) {
  fprintf(out, "#define %s ", name);
  write_literal(text, out);
  fputc('\n', out);
}

static int64_t initial_of(const struct layout *layout, unsigned cell) {
  for (unsigned i = 0; i < layout->program->location_count; i++)
    if (layout->cell[i] == (int)cell) return layout->program->locations[i].init;
  return 0;
}

static void write_shape(const struct layout *layout, const struct kernel_options *options, FILE *out) {
  fprintf(out,
          "static const struct table_shape test_shape = {%u, %u, %u, %u, %u, %u, %u};"
          " /* parts, items, lanes, cells, results, wide, turns */\n",
          layout->part_count, kernel_items(layout, options), options->lanes, layout->cell_count,
          layout->result_count + layout->local_count, layout->wide ? 8 : 4, 1);
  fputs("static const long long test_initial[] = {", out);
  for (unsigned k = 0; k < layout->cell_count; k++) fprintf(out, "%" PRId64 ", ", initial_of(layout, k));
  fputs("0};\n", out);
}

static void write_test_h(const struct layout *layout, const struct emit_test *test,
                         const struct kernel_options *options, FILE *out) {
  fputs("/* The test, written by litscope. */\n", out);
  define_text("TEST_NAME", test->name, out);
  define_text("TEST_KIND", test->kind, out);
  define_text("TEST_HASH", test->hash, out);
  define_text("TEST_CONDITION", test->condition_text, out);
  fprintf(out, "enum { TEST_WIDTH = %u, TEST_SHOWN = %u };\n",
          layout->result_count + layout->local_count + layout->cell_count, test->observable_count);
  write_shape(layout, options, out);
  fputs("static const char *const test_names[] = {", out);
  for (unsigned k = 0; k < test->observable_count; k++) {
    write_literal(test->observable_names[k], out);
    fputs(", ", out);
  }
  fputs("\"\"};\nstatic const unsigned test_places[] = {", out);
  for (unsigned k = 0; k < test->observable_count; k++)
    fprintf(out, "%u, ", layout_place(layout, test->observables[k]));
  fputs("0};\n", out);
  write_condition("static int test_condition(const long long *v) { (void)v; return ", layout, test->condition, out);
  fputs("; }\n", out);
  write_condition("static int test_filter(const long long *v) { (void)v; return ", layout, test->filter, out);
  fputs("; }\n", out);
}

static void write_js_text(const char *name, const char *text, FILE *out) {
  fprintf(out, "  %s: ", name);
  write_literal(text, out);
  fputs(",\n", out);
}

static void write_js_cells(const struct layout *layout, FILE *out) {
  bool any = false;
  fputs("  initial: [", out);
  for (unsigned k = 0; k < layout->cell_count; k++) fprintf(out, "%s%" PRId64, k ? ", " : "", initial_of(layout, k));
  fputs("],\n  isPlain: [", out);
  for (unsigned i = 0, k = 0; i < layout->program->location_count; i++) {
    if (layout->cell[i] < 0) continue;
    bool plain = !kernel_atomic(layout, i);
    fprintf(out, "%s%s", k++ ? ", " : "", plain ? "true" : "false");
    any |= plain;
  }
  fprintf(out, "],\n  plain: %s,\n", any ? "true" : "false");
}

static void write_test_js(const struct layout *layout, const struct emit_test *test,
                          const struct kernel_options *options, const char *kernel, FILE *out) {
  fputs("// The test, written by litscope.\nconst test = {\n", out);
  write_js_text("name", test->name, out);
  write_js_text("kind", test->kind, out);
  write_js_text("hash", test->hash, out);
  write_js_text("text", test->condition_text, out);
  write_js_text("kernel", kernel, out);
  fprintf(out, "  parts: %u, items: %u, lanes: %u, results: %u,\n", layout->part_count, kernel_items(layout, options),
          options->lanes, layout->result_count + layout->local_count);
  write_js_cells(layout, out);
  fputs("  names: [", out);
  for (unsigned k = 0; k < test->observable_count; k++) {
    fputs(k ? ", " : "", out);
    write_literal(test->observable_names[k], out);
  }
  fputs("],\n  places: [", out);
  for (unsigned k = 0; k < test->observable_count; k++)
    fprintf(out, "%s%u", k ? ", " : "", layout_place(layout, test->observables[k]));
  write_condition("],\n  condition: v => ", layout, test->condition, out);
  write_condition(",\n  filter: v => ", layout, test->filter, out);
  fputs(",\n};\n", out);
}

/* ---- the folder ---- */

typedef VEC(struct emit_file) file_list;

static void add(struct arena *arena, file_list *files, const char *name, const char *text) {
  *vec_push(arena, files) = (struct emit_file){name, text};
}

static const char *page_text(struct arena *arena, const struct emitted *language, const struct emit_test *test) {
  return arena_printf(
      arena,
      "# %s\n\nA litmus test for %s, written by litscope: `%s` holds the kernel, %s what it is run with.\n\n"
      "Needed: %s.\n\n## Run\n\n%s%s\n\n"
      "The log is litmus7's. To compare with what a model or a machine allows:\n\n"
      "    litscope check test.litmus > model.log; litscope compare model.log device.log\n\n"
      "%s%s"
      "Options of the program: `-n INSTANCES` for each launch, `-runs LAUNCHES`, `-seed N`, and those that it lists "
      "when\n"
      "it is given a wrong one. The number of testing work-groups (`-groups`) should be what the device runs at "
      "once.\n",
      test->name, language->dialect->name, language->kernel,
      language->dialect == &dialect_webgpu ? "index.html" : "main", language->needs,
      language->dialect == &dialect_webgpu ? "" : "    ", language->run, *language->lacks ? "Note: " : "",
      *language->lacks ? arena_printf(arena, "%s\n", language->lacks) : "");
}

/* Has the language room for the test's work-groups? */
static bool has_room(const struct emitted *emitted, const struct layout *layout, const struct kernel_options *options,
                     struct diags *diags) {
  unsigned items = kernel_items(layout, options);
  if (items <= emitted->most_items) return true;
  return diag_fail(diags, "%s needs work-groups of %u work-items, but those of %s have at most %u%s",
                   layout->program->source->name, items, emitted->dialect->name, emitted->most_items,
                   options->lanes > 1 ? "; fewer lanes (-params) need less" : "");
}

const struct emit_file *emit_files(struct arena *arena, enum emit_language language, const struct layout *layout,
                                   const struct emit_test *test, size_t *count, struct diags *diags) {
  bool ptx = language == EMIT_CUDA && layout->worded;
  const struct emitted *emitted = ptx ? &ptx_in_cuda : &languages[language];
  struct kernel_options options = {.name = test->name, .lanes = test->lanes};
  if (!options.lanes) options.lanes = kernel_lanes(layout, emitted->most_items);
  if (!has_room(emitted, layout, &options, diags)) return NULL;
  const char *kernel = kernel_write(arena, layout, emitted->dialect, &options, diags);
  if (!kernel) return NULL;
  file_list files = {0};
  add(arena, &files, emitted->kernel, kernel);
  for (int i = 0; emitted->hosts[i]; i += 2) add(arena, &files, emitted->hosts[i], emitted->hosts[i + 1]);
  if (language == EMIT_CUDA) add(arena, &files, "main.cu", emit_host_cuda);
  if (language == EMIT_HIP) add(arena, &files, "main.hip", emit_host_hip);
  struct text about = text_new();
  if (language == EMIT_WEBGPU)
    write_test_js(layout, test, &options, kernel, about.out);
  else
    write_test_h(layout, test, &options, about.out);
  add(arena, &files, language == EMIT_WEBGPU ? "test.js" : "test.h", text_keep(&about, arena));
  if (*emitted->build) add(arena, &files, "Makefile", emitted->build);
  add(arena, &files, "README.md", page_text(arena, emitted, test));
  add(arena, &files, "test.litmus", test->text);
  *count = files.count;
  return files.at;
}
