/* SPDX-License-Identifier: MIT */
/* From a text to a test: the header, then the steps of test_draft.h in order.
 *
 *   test   = word name newline {info} init threads [scope tree] [condition]
 *   info   = a line before the first "{": a comment, "a quoted cycle", Key=value
 *
 * or, from its first word on, a text of a dialect without such a header.
 */
#include "checker/litmus/litmus.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/escape.h"
#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/litmus/ptx_module.h"
#include "checker/litmus/test_draft.h"
#include "checker/program/barriers_for_all.h"
#include "checker/program/possible_cells.h"
#include "checker/program/well_formed.h"
#include "checker/ptx/module.h"
#include "checker/spirv/operation_changes.h"
#include "checker/spirv/spirv.h"

#define DIALECT_ROW(name) &name##_dialect,
static const struct dialect *const dialects[] = {DIALECT_LIST(DIALECT_ROW)};
enum { DIALECTS = ARRAY_COUNT(dialects) };

static const struct dialect *dialect_of(enum litmus_language language) {
  int i = 0;
  while (dialects[i]->language != language) i++;
  return dialects[i];
}

const char *litmus_default_model(enum litmus_language language) {
  return dialect_of(language)->model;
}

const struct move_words *litmus_move_words(enum litmus_language language) {
  return dialect_of(language)->moves;
}

const char *litmus_language_word(enum litmus_language language) {
  return dialect_of(language)->words[0];
}

void litmus_set_traits(enum litmus_language language, struct program *program) {
  const struct dialect *dialect = dialect_of(language);
  program->partial_coherence = dialect->partial_coherence;
  program->free_values = dialect->free_values;
  program->scope_words = dialect->scope_words;
  program->level_words = dialect->level_words;
}

/* --- the header --------------------------------------------------------------------- */

/* Comments may stand before the header and between it and the init section. */
static bool skip_comment(struct cursor *c) {
  static const char *const pairs[][2] = {{"(*", "*)"}, {"/*", "*/"}, {"//", "\n"}};
  for (int i = 0; i < 3; i++)
    if (cursor_looks_at(c, pairs[i][0])) {
      cursor_skip_comment(c, pairs[i][0], pairs[i][1], false);
      return true;
    }
  return false;
}

static void skip_blanks_and_comments(struct cursor *c) {
  do cursor_skip_blanks(c);
  while (skip_comment(c));
}

static const struct dialect *dialect_named(const struct cursor *c, struct span span) {
  for (int i = 0; i < DIALECTS; i++)
    for (const char *const *word = dialects[i]->words; *word; word++)
      if (cursor_is(c, span, *word)) return dialects[i];
  return NULL;
}

struct cursor litmus_header(const struct source *source) {
  struct cursor c = {source->text, source_start(source), (uint32_t)source->size};
  skip_blanks_and_comments(&c);
  return c;
}

bool litmus_find_language(const struct source *source, enum litmus_language *language) {
  if (spirv_is_kernel(source) || ptx_is_module(source)) return false;
  struct cursor c = litmus_header(source);
  const struct dialect *dialect = dialect_named(&c, cursor_take_word(&c, "{"));
  if (dialect) *language = dialect->language;
  return dialect != NULL;
}

/* What to do with a text that is no test, by its first word and its name; NULL: these do not tell. */
static const char *advice_for(const char *word, const char *file) {
  static const char *const cudas[] = {"__global__", "__device__", NULL};
  static const char *const herds[] = {"AArch64", "ARM",  "PPC", "X86", "X86_64", "RISCV", "MIPS",
                                      "LISA",    "JAVA", "BPF", "ASL", "CPP",    NULL};
  static const char *const kernels[] = {
      "__kernel",     "kernel",      "#include",      "#define", "#pragma", "typedef", "#version",
      "OpCapability", "OpExtension", "OpMemoryModel", "void",    ";",       NULL};
  if (text_is_one_of(word, herds)) return ", which herd7 reads";
  if (text_ends_in(file, ".cu") || text_is_one_of(word, cudas))
    return "; CUDA's kernels are read as PTX: compile the file with nvcc -ptx, and give FILE.ptx comments that say "
           "what the kernel is given and asked (litmus/kernels/README.md)";
  if (text_is_one_of(word, kernels))
    return "; a kernel is read from a file NAME.cl (OpenCL C), NAME.comp (GLSL), NAME.spvasm or NAME.spv (SPIR-V), "
           "with "
           "comments that say what it is given and asked (litmus/kernels/README.md)";
  return NULL;
}

static void find_dialect(struct draft *draft, struct span span) {
  const char *words[32] = {NULL};
  size_t count = 0;
  draft->dialect = dialect_named(&(struct cursor){.text = draft->reader.source->text}, span);
  if (draft->dialect) return;
  for (int i = 0; i < DIALECTS; i++) {
    assert(dialects[i]);
    for (const char *const *word = dialects[i]->words; *word; word++) words[count++] = *word;
  }
  assert(count < ARRAY_COUNT(words)); /* NULL after the last */
  if (!span.length) {
    reader_fail(&draft->reader, span, "expected the language and the name of a test, such as 'OpenCL MP'");
    return;
  }
  bool text = span.length <= 40;
  for (uint32_t i = 0; i < span.length && text; i++)
    text = isprint((unsigned char)draft->reader.source->text[span.at + i]);
  if (!text) {
    reader_fail(&draft->reader, span, "expected the language of a test, such as OpenCL; is this a litmus test?");
    return;
  }
  const char *word = arena_strndup(draft->reader.arena, draft->reader.source->text + span.at, span.length);
  const char *hint = reader_hint(&draft->reader, word, words), *advice = advice_for(word, draft->reader.source->name);
  reader_fail(&draft->reader, span, "unknown language '%s'%s", word,
              advice  ? advice
              : *hint ? hint
                      : "; a test begins with OpenCL, C, HSA, PTX, VULKAN, AMDGPU or ADSM and its name");
}

/* Does a thread begin here, such as `P0 (`, `P0 |` or `P0 {`, or a kernel? */
static bool at_thread(const struct cursor *c, bool kernels) {
  uint32_t i = c->at;
  if (kernels && cursor_looks_at(c, "kernel ")) return true;
  if (i >= c->end || c->text[i] != 'P' || !isdigit((unsigned char)c->text[i + 1])) return false;
  for (i++; isdigit((unsigned char)c->text[i]); i++) continue;
  while (c->text[i] == ' ' || c->text[i] == '\t') i++;
  return c->text[i] && strchr("(|@;{", c->text[i]);
}

/* Moves past one line of the header's information; a brace ends it too. */
static void skip_info(struct cursor *c) {
  bool quoted = false;
  for (; c->at < c->end && c->text[c->at] != '\n' && (quoted || c->text[c->at] != '{'); c->at++)
    if (c->text[c->at] == '"') quoted = !quoted;
}

/* The file's name up to its last point, with spaces and what cannot be shown made `_`. */
static const char *name_of_file(const struct draft *draft) {
  const char *base = path_last(draft->reader.source->name), *point = strrchr(base, '.');
  char *name = arena_strndup(draft->reader.arena, base, point > base ? (size_t)(point - base) : strlen(base));
  for (char *at = name; *at; at++)
    if (!isgraph((unsigned char)*at)) *at = '_';
  return name;
}

/* Returns where the init section begins; after all, where there is no header. */
static uint32_t parse_header(struct draft *draft) {
  const struct source *source = draft->reader.source;
  struct cursor c = litmus_header(source);
  find_dialect(draft, cursor_take_word(&c, "{"));
  if (draft->dialect && draft->dialect->nameless) {
    draft->name = name_of_file(draft);
    return (uint32_t)source->size;
  }
  while (c.at < c.end && (c.text[c.at] == ' ' || c.text[c.at] == '\t')) c.at++;
  struct span name = cursor_take_word(&c, "{");
  if (!name.length) reader_fail(&draft->reader, name, "expected the name of the test after its language");
  for (uint32_t at = name.at, length; at < name.at + name.length; at += length ? length : 1) {
    length = (uint32_t)utf8_length(source->text + at);
    if (control_length(source->text + at) || !source->text[at])
      reader_fail(&draft->reader, (struct span){at, 1}, "the test's name contains control characters");
  }
  static const char extension[] = ".litmus"; /* of no meaning, as in herd */
  size_t tail = sizeof extension - 1;
  if (name.length > tail && !memcmp(source->text + name.at + name.length - tail, extension, tail))
    name.length -= (uint32_t)tail;
  draft->name = arena_strndup(draft->reader.arena, source->text + name.at, name.length);
  bool kernels = draft->dialect && draft->dialect->kernels;
  for (skip_blanks_and_comments(&c); c.at < c.end && c.text[c.at] != '{' && !at_thread(&c, kernels);
       skip_blanks_and_comments(&c))
    skip_info(&c);
  if (at_thread(&c, kernels))
    reader_fail(&draft->reader, cursor_take_word(&c, "{"),
                "expected '{' and the initial values before the first thread");
  return c.at;
}

/* --- putting the program together ---------------------------------------------------------- */

static int compare_threads(const void *left, const void *right) {
  const struct draft_thread *a = left, *b = right;
  return a->number < b->number ? -1 : a->number > b->number;
}

static void check_threads(struct draft *draft) {
  if (!draft->threads.count) {
    reader_fail_expected(&draft->reader, "a thread such as P0");
    return;
  }
  qsort(draft->threads.at, draft->threads.count, sizeof *draft->threads.at, compare_threads);
  for (unsigned i = 0; i < draft->threads.count; i++)
    if (draft->threads.at[i].number != i) {
      reader_fail(&draft->reader, draft->threads.at[i].span, "threads are numbered from P0 on, but there is no P%u", i);
      return;
    }
}

static void apply_register_inits(struct draft *draft) {
  ARRAY_EACH (const struct draft_register_init, init, draft->register_inits.at, draft->register_inits.count) {
    if (init->number >= draft->threads.count) {
      reader_fail(&draft->reader, init->span, "there is no thread P%u", init->number);
      return;
    }
    struct draft_thread *thread = &draft->threads.at[init->number];
    if (draft_find_register(thread, init->name) >= 0)
      reader_fail(&draft->reader, init->span, "'%u:%s' is initialised twice", init->number, init->name);
    unsigned index = draft_use_register(draft, thread, init->name, init->span);
    struct draft_register *reg = &thread->registers.at[index];
    reg->init = init->value;
    reg->assigned = true;
    reg->pointer = init->pointer;
  }
}

static void number_cells(struct draft *draft) {
  unsigned next = 0;
  for (size_t i = 0; i < draft->locations.count; i++) {
    draft->locations.at[i].first = next;
    next += draft->locations.at[i].size;
  }
}

static void assemble_locations(struct draft *draft, struct program *program) {
  struct arena *arena = draft->reader.arena;
  unsigned count = 0;
  for (size_t i = 0; i < draft->locations.count; i++) count += draft->locations.at[i].size;
  program->location_count = count;
  program->locations = ARENA_ARRAY(arena, struct location, count);
  for (size_t i = 0; i < draft->locations.count; i++) {
    const struct draft_location *l = &draft->locations.at[i];
    for (unsigned cell = 0; cell < l->size; cell++)
      program->locations[l->first + cell] = (struct location){
          .name = l->array ? arena_printf(arena, "%s[%u]", l->name, cell) : l->name,
          .init = width_fit(l->width, l->init[cell]),
          .region = l->regions == REGION_LOCAL || l->regions == REGION_PRIVATE ? l->regions : REGION_GLOBAL,
          .cell = cell,
          .atomic = !l->plain,
          .width = l->width,
          .physical = l->physical == i ? 0 : draft->locations.at[l->physical].first + cell + 1,
          .generic = l->generic == i ? 0 : draft->locations.at[l->generic].first + cell + 1,
      };
  }
}

static void assemble_thread(struct draft *draft, const struct draft_thread *from, struct thread *to) {
  struct arena *arena = draft->reader.arena;
  unsigned regs = (unsigned)from->registers.count;
  *to = (struct thread){.name = from->name,
                        .sg = from->place.sg,
                        .wg = from->place.wg,
                        .qf = from->place.qf,
                        .dev = from->place.dev,
                        .instr_count = (unsigned)from->code.count,
                        .instrs = from->code.at,
                        .reg_count = regs};
  to->reg_names = ARENA_ARRAY(arena, const char *, regs);
  to->reg_init = ARENA_ARRAY(arena, int64_t, regs);
  struct width *widths = ARENA_ARRAY(arena, struct width, regs + 1);
  to->reg_widths = widths;
  to->reg_typed = regs;
  for (unsigned i = 0; i < regs; i++) {
    widths[i] = from->registers.at[i].width;
    to->reg_names[i] = from->registers.at[i].name;
    to->reg_init[i] = from->registers.at[i].init;
  }
}

static struct program *assemble(struct draft *draft) {
  struct program *program =
      ARENA_MAKE(draft->reader.arena, struct program, .name = draft->name, .source = draft->reader.source,
                 .placed = draft->placed, .addresses = draft->takes_addresses);
  litmus_set_traits(draft->dialect->language, program);
  program->pair_count = (unsigned)draft->pairs.count;
  program->pairs = draft->pairs.at;
  assemble_locations(draft, program);
  program->thread_count = (unsigned)draft->threads.count;
  program->threads = ARENA_ARRAY(draft->reader.arena, struct thread, program->thread_count);
  for (unsigned i = 0; i < program->thread_count; i++) {
    const struct placement *place = &draft->threads.at[i].place;
    assemble_thread(draft, &draft->threads.at[i], &program->threads[i]);
    if (place->sg >= program->sg_count) program->sg_count = place->sg + 1;
    if (place->wg >= program->wg_count) program->wg_count = place->wg + 1;
    if (place->qf >= program->qf_count) program->qf_count = place->qf + 1;
    if (place->dev >= program->dev_count) program->dev_count = place->dev + 1;
  }
  program->barrier_label_count = (unsigned)draft->barrier_labels.count;
  program->barrier_labels = draft->barrier_labels.at;
  program->annotation_count = (unsigned)draft->annotations.count;
  program->annotations = draft->annotations.at;
  if (draft->dialect->assemble) draft->dialect->assemble(draft, program);
  return program;
}

/* --- the entry ---------------------------------------------------------------------------- */

static void check_text(struct draft *draft) {
  const struct source *source = draft->reader.source;
  const char *nul = memchr(source->text, '\0', source->size);
  if (source->size > DRAFT_SIZE_LIMIT)
    reader_fail(&draft->reader, (struct span){0, 0}, "larger than 1 MiB: is this a litmus test?");
  else if (nul)
    reader_fail(&draft->reader, (struct span){(uint32_t)(nul - source->text), 1}, "a NUL byte: a test must be text");
}

static void parse(struct draft *draft) {
  uint32_t start = parse_header(draft);
  if (draft->reader.failed) return;
  reader_open(&draft->reader, start, draft->dialect->lexis);
  draft->dialect->parse(draft);
  if (draft_at_scope_tree(draft)) draft_parse_scope_tree(draft);
  draft->condition.at = draft->reader.token->span.at;
  draft_parse_condition(draft);
  reader_finish(&draft->reader);
  if (draft->options->condition && !draft->reader.failed) draft_replace_condition(draft, draft->options->condition);
}

static void lower(struct draft *draft) {
  check_threads(draft);
  if (draft->reader.failed) return;
  draft_resolve_places(draft);
  draft_add_addressed(draft);
  number_cells(draft);
  draft_resolve_addresses(draft);
  apply_register_inits(draft);
  if (!draft->reader.failed) draft->dialect->lower(draft);
  if (draft->reader.failed) return;
  draft_check_registers(draft);
  draft_check_orders(draft);
  draft_warn(draft);
}

/* ---- kernels ---- */

static struct litmus_test *kernel_test(struct draft *draft, const char *name, enum litmus_language language,
                                       struct program *program, const struct kernel_question *asks) {
  struct litmus_test *test = ARENA_NEW(draft->reader.arena, struct litmus_test);
  *test = (struct litmus_test){.name = name,
                               .language = language,
                               .source = draft->reader.source,
                               .program = program,
                               .kernel = true,
                               .quantifier = asks->quantifier,
                               .condition = asks->condition,
                               .filter = asks->filter,
                               .condition_text = asks->condition_text,
                               .observable_count = asks->observable_count,
                               .observables = asks->observables};
  program->hexadecimal = draft->options->hexadecimal;
  draft_hash(draft, test);
  return test;
}

/* Its room makes the program. */
struct litmus_test *litmus_of_kernel(struct arena *arena, const struct source *source, const struct spirv_code *code,
                                     const struct spirv_changes *changes, const struct litmus_options *options,
                                     struct diags *diags) {
  struct draft draft = {.reader = {.arena = arena, .source = source, .diags = diags}, .options = options};
  struct spirv_test kernel;
  if (!spirv_make(arena, code, *changes, &kernel, diags)) return NULL;
  enum litmus_language language = kernel.vulkan ? LANG_VULKAN : LANG_OPENCL;
  litmus_set_traits(language, kernel.program);
  return kernel_test(&draft, kernel.name, language, kernel.program, &kernel.asks);
}

static struct litmus_test *read_kernel(struct draft *draft) {
  const struct reader *reader = &draft->reader;
  const struct spirv_code *code = spirv_open(reader->arena, reader->source, &draft->options->kernel, reader->diags);
  if (!code) return NULL;
  return litmus_of_kernel(reader->arena, reader->source, code, &(struct spirv_changes){NULL, 0}, draft->options,
                          reader->diags);
}

static struct program *make_program(struct draft *draft) {
  parse(draft);
  if (!draft->reader.failed) lower(draft);
  return draft->reader.failed ? NULL : assemble(draft);
}

static void find_facts(struct arena *arena, struct program *program) {
  possible_cells_find(arena, program);
  barriers_for_all_find(program);
  assert(program_is_well_formed(program));
}

/* A kernel in PTX is read as a test, whose text is of no interest. */
static struct litmus_test *read_ptx_module(struct draft *draft) {
  const struct reader *reader = &draft->reader;
  struct ptx_module_test *module =
      ptx_module_open(reader->arena, reader->source, &draft->options->kernel, reader->diags);
  if (!module) return NULL;
  struct diags said = diags_new(reader->arena);
  struct litmus_options options = *draft->options;
  options.condition = NULL;
  struct draft inner = {.reader = {.arena = reader->arena, .source = ptx_module_text(module), .diags = &said},
                        .options = &options};
  struct program *program = make_program(&inner);
  struct kernel_question asks;
  ptx_module_tell(module, &said, reader->diags);
  if (!program || !ptx_module_finish(module, program, &asks)) return NULL;
  program->name = ptx_module_name(module);
  find_facts(reader->arena, program);
  return kernel_test(draft, program->name, LANG_PTX, program, &asks);
}

struct litmus_test *litmus_parse(struct arena *arena, const struct source *source, const struct litmus_options *options,
                                 struct diags *diags) {
  static const struct litmus_options defaults = {0};
  struct draft draft = {.reader = {.arena = arena, .source = source, .diags = diags},
                        .options = options ? options : &defaults};
  if (spirv_is_kernel(source)) return read_kernel(&draft);
  if (ptx_is_module(source)) return read_ptx_module(&draft);
  check_text(&draft);
  struct program *program = draft.reader.failed ? NULL : make_program(&draft);
  if (!program) return NULL;
  struct litmus_test *test =
      ARENA_MAKE(arena, struct litmus_test, .name = draft.name, .language = draft.dialect->language, .source = source);
  test->program = program;
  test->program->hexadecimal = draft.options->hexadecimal;
  test->assertions = draft.assertions.at;
  test->assertion_count = draft.assertions.count;
  draft_resolve_condition(&draft, test);
  if (draft.reader.failed) return NULL;
  find_facts(arena, program);
  draft_hash(&draft, test);
  return test;
}
