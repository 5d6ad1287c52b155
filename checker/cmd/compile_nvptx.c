/* SPDX-License-Identifier: MIT */
/* What LLVM's NVPTX back end makes of a test: for people, and as a PTX test. */
#include <string.h>

#include "checker/base/text.h"
#include "checker/cmd/compile.h"
#include "checker/translate/nvptx.h"

struct compiled {
  const struct litmus_test *test;
  struct composed composed;
  struct nvptx_text text;
};

/* An instruction, and the cells that it is read as. */
static void print_instruction(const struct column *column, const struct source *source, uint32_t at, FILE *out) {
  const char *text = source->text + at;
  int length = (int)strcspn(text, "\n"), width = 0;
  const char *comment = memmem(text, (size_t)length, "//", 2);
  if (comment) length = (int)(comment - text);
  while (length && strchr(" \t", text[length - 1])) length--;
  fputs("         ", out);
  for (int i = 0; i < length; i++) width += fprintf(out, "%c", text[i] == '\t' ? ' ' : text[i]);
  bool some = false;
  for (size_t i = 0; i < column->count; i++) {
    if (column->at[i].from.at != at || column->at[i].label) continue;
    if (some)
      fputs(" ; ", out);
    else
      fprintf(out, "%*s// ", width < 48 ? 48 - width : 1, "");
    fputs(column->at[i].text, out);
    some = true;
  }
  fputc('\n', out);
}

/* Instructions and labels; directives, comments and declarations are not shown. */
static bool is_shown(const char *text, size_t length, uint32_t *skip) {
  size_t blanks = 0;
  while (blanks < length && strchr(" \t", text[blanks])) blanks++;
  *skip = (uint32_t)blanks;
  text += blanks;
  length -= blanks;
  if (!length || strchr("./){}(", *text)) return false;
  return *text != '$' || text_begins(text, "$L__BB");
}

static void print_thread(const struct compiled *c, unsigned t, FILE *out) {
  const struct column *column = &c->composed.columns[t];
  unsigned line = 0;
  fprintf(out, "%s:\n", c->test->program->threads[t].name);
  for (size_t i = 0; i < c->text.line_count[t]; i++) {
    struct span span = c->text.lines[t][i];
    uint32_t skip, at;
    if (!is_shown(c->text.source->text + span.at, span.length, &skip)) continue;
    at = span.at + skip;
    for (size_t k = 0; k < column->count; k++)
      if (column->at[k].from.at == at && column->at[k].line && column->at[k].line != line) {
        line = column->at[k].line;
        compile_source_line(c->test->source, line, out);
      }
    print_instruction(column, c->text.source, at, out);
  }
}

bool compile_for_nvptx(const struct target *target, const struct litmus_test *test, const struct compile_wanted *wanted,
                       struct test_output *output, struct diags *diags) {
  struct translated_setup setup = *(const struct translated_setup *)target->settings;
  struct compiled c = {.test = test};
  const struct program *program = test->program;
  setup.nvptx = nvptx_copy(output->arena, setup.nvptx);
  setup.translator = translator_by_compiler(output->arena, setup.nvptx);
  bool good = !program_is_adsm(program) && !program->assembly;
  if (!good) diag_fail(diags, "%s: tests of ADSM and of machine code are not compiled", test->name);
  good = good && nvptx_prepare_test(setup.nvptx, program, diags) &&
         translate(output->arena, &setup, test, &c.composed, diags) &&
         nvptx_text_of(setup.nvptx, output->arena, program, &c.text);
  if (!good) return false;
  if (wanted->ir) {
    fprintf(output->out, "%s\n", c.text.module);
  } else {
    fprintf(output->out, "Test %s %s\n", test->name, target->name);
    for (unsigned t = 0; t < program->thread_count; t++) print_thread(&c, t, output->out);
    fputc('\n', output->out);
  }
  char *name = arena_printf(output->arena, "%s.%s", output->label, target->name);
  for (char *p = name; *p; p++)
    if (*p == '/') *p = '.';
  if (wanted->folder) compile_save(wanted->folder, name, c.composed.text, output, diags);
  return true;
}
