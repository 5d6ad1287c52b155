/* SPDX-License-Identifier: MIT */
/* What a compiler makes of a test: for people, and as a test of its own. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/cmd/compile.h"
#include "checker/compiler/compiled_machine.h"

struct compiled {
  const struct compiled_setup *setup;
  const struct litmus_test *test;
  struct amd_build *build;
  unsigned *kernels;
  struct amd_program code;
};

/* ---- for people ---- */

/* Nodes of control belong to whichever instruction comes next. */
static bool is_control(const struct amd_node *node) {
  return node->kind == AMD_NODE_FORK || node->kind == AMD_NODE_MOVE || node->kind == AMD_NODE_JOIN ||
         node->kind == AMD_NODE_END;
}

static const struct amd_node *node_of(const struct amd_tree *tree, const struct amd_instr *instr) {
  for (unsigned i = 0; i < tree->count; i++)
    if (tree->nodes[i].instr == instr && !is_control(&tree->nodes[i])) return &tree->nodes[i];
  return NULL;
}

/* Those that have been issued; in loops some slots hold what was computed. */
static unsigned operations_before(const struct amd_node *node) {
  unsigned count = 0;
  for (unsigned slot = 0; slot < node->slots; slot++) count += node->by_slot[slot] != AMD_NO_NODE;
  return count;
}

static void print_caches(unsigned caches, const char *before, FILE *out) {
  static const char *const NAMES[] = {"L0", "GL1", "L2"};
  for (unsigned i = 0; i < 3; i++)
    if (caches >> i & 1) {
      fprintf(out, "%s%s", before, NAMES[i]);
      before = ", ";
    }
}

static void print_meaning(const struct amd_node *node, const struct location *locations, FILE *out) {
  static const char *const KINDS[] = {"load", "store", "read-modify-write", "compare-and-swap"};
  if (amd_node_is_access(node)) {
    fprintf(out, "%s of %s%s", KINDS[node->kind], locations[node->location].name, node->local ? " (local)" : "");
    if (amd_node_is_scalar(node))
      fputs(" through the scalar cache", out);
    else
      print_caches(node->passes, " past ", out);
    if (node->through) fputs(" through to memory", out);
  } else if (node->kind == AMD_NODE_INVALIDATE) {
    fputs("invalidate", out);
    print_caches(node->caches, " ", out);
  } else if (node->kind == AMD_NODE_WRITE_BACK) {
    fputs("write back L2", out);
  } else if (node->kind == AMD_NODE_WAIT) {
    fprintf(out, node->must ? "wait for %d of %u operations" : "wait for none", amd_count(node->must),
            operations_before(node));
  } else if (node->kind == AMD_NODE_HAZARD) {
    fputs("hazard", out);
  } else {
    fputs(node->kind == AMD_NODE_ARRIVE ? "arrive at the barrier" : "barrier", out);
  }
}

void compile_source_line(const struct source *source, unsigned line, FILE *out) {
  const char *at = text_line(source->text, line);
  if (!at) return;
  at += strspn(at, " \t");
  fprintf(out, "  %3u  %.*s\n", line, (int)strcspn(at, "\n"), at);
}

static void print_instr(const struct compiled *c, const struct amd_instr *instr, const struct amd_tree *tree,
                        FILE *out) {
  const char *text = llc_batch_source(amd_build_batch(c->build))->text + instr->span.at;
  const struct amd_node *node = node_of(tree, instr);
  int length = (int)instr->span.length;
  fprintf(out, "         %.*s", length, text);
  if (node) {
    fprintf(out, "%*s; ", length < 48 ? 48 - length : 1, "");
    print_meaning(node, c->code.locations, out);
  }
  fputc('\n', out);
}

static void print_thread(const struct compiled *c, unsigned t, struct diags *diags, FILE *out) {
  const struct amd_code *code = amd_build_code(c->build, c->kernels[t], diags);
  unsigned line = 0;
  fprintf(out, "%s:\n", c->test->program->threads[t].name);
  for (unsigned i = 0; i < code->count; i++) {
    if (code->instrs[i].source_line && code->instrs[i].source_line != line)
      compile_source_line(c->test->source, code->instrs[i].source_line, out);
    if (code->instrs[i].source_line) line = code->instrs[i].source_line;
    print_instr(c, &code->instrs[i], c->code.threads[t].tree, out);
  }
}

/* ---- as a test ---- */

static void write_init(const struct compiled *c, struct diags *diags, FILE *out) {
  const struct program *p = c->test->program;
  fputs("{ ", out);
  for (unsigned x = 0; x < p->location_count; x++)
    fprintf(out, "%s%s=%" PRId64 "; ", p->locations[x].region == REGION_LOCAL ? "lds " : "", p->locations[x].name,
            p->locations[x].init);
  for (unsigned t = 0; t < p->thread_count; t++) {
    int kernarg = amd_build_code(c->build, c->kernels[t], diags)->kernarg;
    if (kernarg >= 0) fprintf(out, "%u:s[%d:%d]=kernarg; ", t, kernarg, kernarg + 1);
  }
  fputs("}\nkernarg { 0x0 out", out);
  unsigned offset = 8;
  for (unsigned x = 0; x < p->location_count; x++) {
    if (p->locations[x].region == REGION_LOCAL) continue;
    fprintf(out, ", 0x%x %s", offset, p->locations[x].name);
    offset += 8;
  }
  fputs(" }\n", out);
}

/* The lines that are code: no directives, no notes of the assembler. */
static void write_lines(const struct compiled *c, unsigned t, FILE *out) {
  size_t count;
  const struct span *lines = llc_batch_lines(amd_build_batch(c->build), c->kernels[t], &count);
  const char *text = llc_batch_source(amd_build_batch(c->build))->text;
  fprintf(out, "P%u {\n", t);
  for (size_t i = 0; i < count; i++) {
    const char *line = text + lines[i].at, *end = line + lines[i].length;
    const char *word = line + strspn(line, " \t"), *colon = memchr(word, ':', (size_t)(end - word));
    bool label = colon && word == line && *word == '.' && !text_begins(word, ".Ltmp") && !text_begins(word, ".Lfunc");
    bool instruction = word < end && word > line && *word != '.' && *word != ';';
    const char *comment = memchr(word, ';', (size_t)(end - word));
    if (comment) end = comment;
    while (end > word && isspace((unsigned char)end[-1])) end--;
    if (label) fprintf(out, "%.*s:\n", (int)(colon - word), word);
    if (instruction) fprintf(out, "  %.*s\n", (int)(end - word), word);
  }
  fputs("}\n", out);
}

static void write_tree(const struct program *p, FILE *out) {
  fputs("scopeTree (device", out);
  for (unsigned g = 0; g < p->wg_count; g++) {
    fputs(" (work_group", out);
    for (unsigned t = 0; t < p->thread_count; t++)
      if (p->threads[t].wg == g) fprintf(out, " P%u", t);
    fputs(")", out);
  }
  fputs(")\n", out);
}

static unsigned result_of(const struct thread *thread, unsigned reg) {
  unsigned result = 0;
  for (unsigned r = 0; r < reg; r++) result += thread->reg_names[r] != NULL;
  return result;
}

/* The condition with registers as results: `1:r0` is `1:out0`. */
static void write_condition(const struct litmus_test *test, FILE *out) {
  for (const char *at = test->condition_text; *at; at++) {
    char name[64];
    unsigned t;
    int used = 0;
    bool begins = at == test->condition_text || !isalnum((unsigned char)at[-1]);
    int reg = -1;
    if (begins && isdigit((unsigned char)*at) && sscanf(at, "%3u:%63[A-Za-z0-9_]%n", &t, name, &used) == 2 &&
        t < test->program->thread_count)
      reg = thread_find_register(&test->program->threads[t], name);
    if (reg >= 0) {
      fprintf(out, "%u:out%u", t, result_of(&test->program->threads[t], (unsigned)reg));
      at += used - 1;
    } else {
      fputc(*at, out);
    }
  }
  fputc('\n', out);
}

static void write_test(const struct compiled *c, const char *name, struct diags *diags, FILE *out) {
  fprintf(out, "AMDGPU %s\n\"%s by %s %s\"\ntarget %s\n", name, c->test->name, c->setup->llc.name,
          c->setup->llc.release, c->setup->target->full);
  write_init(c, diags, out);
  for (unsigned t = 0; t < c->test->program->thread_count; t++) write_lines(c, t, out);
  write_tree(c->test->program, out);
  write_condition(c->test, out);
}

static void save_test(const struct compiled *c, const char *folder, struct test_output *output, struct diags *diags) {
  char *name = arena_printf(output->arena, "%s.%s.%s", c->test->name, c->setup->target->full, c->setup->llc.name);
  for (char *p = name; *p; p++)
    if (*p == ':') *p = '-';
  compile_save(folder, name, TEXT_PRINTED(output->arena, out, write_test(c, name, diags, out)), output, diags);
}

/* ---- both ---- */

static bool compile(struct compiled *c, struct arena *arena, struct diags *diags) {
  const struct program *program = c->test->program;
  c->kernels = ARENA_ARRAY(arena, unsigned, program->thread_count + 1);
  struct amd_build_settings settings = compiled_settings(arena, c->setup, program);
  c->build = amd_build_new(arena, c->setup->target, &c->setup->llc, &settings, diags);
  return c->build && amd_build_add(c->build, program, c->kernels, diags) && amd_build_run(c->build, diags) &&
         amd_build_program(arena, c->build, program, c->kernels, &c->code, diags);
}

bool compile_for_target(const struct target *target, const struct litmus_test *test,
                        const struct compile_wanted *wanted, struct test_output *output, struct diags *diags) {
  struct compiled c = {.setup = target->settings, .test = test};
  if (!compile(&c, output->arena, diags)) return false;
  if (wanted->ir) {
    fprintf(output->out, "%s\n", llc_batch_shown((struct llc_batch *)(uintptr_t)amd_build_batch(c.build)));
  } else {
    fprintf(output->out, "Test %s %s\n", test->name, target->name);
    for (unsigned t = 0; t < test->program->thread_count; t++) print_thread(&c, t, diags, output->out);
    fputc('\n', output->out);
  }
  if (!wanted->folder) return true;
  if (test->kernel)
    return diag_fail(
        diags, "%s: the code of a kernel is not written as a test: its arguments and work-items have no form there",
        test->source->name);
  save_test(&c, wanted->folder, output, diags);
  return true;
}
