/* SPDX-License-Identifier: MIT */
/* Files of sequence diagrams. */
#include "checker/cmd/run_picture.h"

#include "checker/cmd/output_folder.h"
#include "checker/report/sequence_diagram.h"

void run_picture_write(const struct invocation *call, struct test_output *output, const char *subject, const char *what,
                       const struct run_picture *p) {
  struct arena *arena = output->arena;
  const char *folder = pictures_folder(call);
  if (!folder) return;
  const char *path = arena_printf(arena, "%s/%s-%s-%s.svg", folder, outfile_name(arena, output->label),
                                  outfile_name(arena, subject), what);
  struct outfile file;
  if (outfile_open(arena, path, &file))
    sequence_write_svg(p->machine, p->program, p->steps, p->length, p->title, file.stream);
  if (test_output_finish(&file, output) && pictures_told(call, output->err)) fprintf(output->err, "%s\n", path);
}
