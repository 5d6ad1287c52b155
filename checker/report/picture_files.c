/* SPDX-License-Identifier: MIT */
/* Pictures of a test's executions, file by file, with names that tell test,
 * model and number apart. */
#include "checker/report/picture_files.h"

#include "checker/base/outfile.h"

struct files {
  struct grapher *grapher;
  const struct litmus_test *test;
  const struct draw_options *options;
  struct diags *diags;
  unsigned count;
};

static bool write_file(void *context, const struct exhibit *exhibit, bool forbidden, unsigned number) {
  struct files *f = context;
  struct arena *arena = arena_new();
  const char *path = arena_printf(arena, "%s/%s-%s%s-%u.%s", f->options->folder, outfile_name(arena, f->options->label),
                                  outfile_name(arena, f->options->model), forbidden ? "-forbidden" : "", number,
                                  graph_format_name(f->options->format));
  struct outfile file;
  bool opened = outfile_open(arena, path, &file);
  bool drawn = opened && grapher_write(f->grapher, exhibit, &f->options->look, f->options->format, file.stream);
  bool done = outfile_finish(&file, drawn || !opened, f->diags);
  if (opened && !drawn) diag_fail(f->diags, "%s: Graphviz could not draw it", path);
  if (done && f->options->told) fprintf(f->options->told, "%s\n", path);
  f->count += done;
  arena_free(arena);
  return done || (opened && !drawn);
}

unsigned draw_executions(struct grapher *grapher, const struct litmus_test *test, const struct cat_model *model,
                         const struct enumerate_options *options, const struct draw_options *draw,
                         struct diags *diags) {
  struct files files = {.grapher = grapher, .test = test, .options = draw, .diags = diags};
  struct exhibit_sink sink = {&files, write_file};
  if (!exhibit_each(test, model, options, &draw->executions, &sink))
    diag_warning(diags, NULL, (struct span){0}, "%s: a limit was reached: some graphs of %s are missing",
                 test->source->name, test->name);
  return files.count;
}
