/* SPDX-License-Identifier: MIT */
/* -json and -junit of sweeps over generated programs. */
#include "checker/cmd/sweep_reports.h"

#include <errno.h>
#include <string.h>

#include "checker/base/vec.h"
#include "checker/cmd/files.h"
#include "checker/report/json.h"
#include "checker/report/junit.h"

static const struct span nowhere;

bool sweep_files_open(struct invocation *call, struct sweep_files *files, struct diags *diags) {
  *files = (struct sweep_files){.call = call, .out = stdout};
  const char *path = option_text(call, OPTION_JSON);
  if (diags->errors || !files_spare(call, &(struct files){0}, diags) || !path) return !diags->errors;
  bool alone = !strcmp(path, "-");
  if (!alone) outfile_open_named(call->arena, path, &files->json_file);
  int error = alone ? 0 : files->json_file.error;
  files->json = alone ? stdout : files->json_file.stream;
  if (alone) files->out = fopen("/dev/null", "w");
  if (files->json && files->out) {
    json_open_document(files->json, command_table[call->command].name);
    return true;
  }
  diag_error(diags, NULL, nowhere, "%s: %s", path, strerror(error));
  return false;
}

FILE *sweep_files_begin_json(struct sweep_files *files) {
  text_open(&files->line);
  return files->line.out;
}

void sweep_files_end_json(struct sweep_files *files) {
  text_end(&files->line);
  const char *line = files->line.at;
  if (files->json) fprintf(files->json, "%s\n    %.*s", files->begun ? "," : "", (int)strcspn(line, "\n"), line);
  files->begun = true;
  text_free(&files->line);
}

void sweep_files_add_result(struct sweep_files *files, struct result result) {
  *vec_push(files->call->arena, &files->results) = result;
}

static void close_json(struct sweep_files *files, struct diags *diags) {
  json_close_document(files->json);
  if (files->out != stdout) fclose(files->out);
  /* What is lost of standard output is reported once for all, at the end. */
  if (files->json != stdout && !outfile_close(&files->json_file, true))
    diag_error(diags, NULL, nowhere, "%s: %s", option_text(files->call, OPTION_JSON), strerror(errno));
}

int sweep_files_close(struct sweep_files *files) {
  struct diags diags = diags_new(files->call->arena);
  const char *junit = option_text(files->call, OPTION_JUNIT);
  if (files->json) close_json(files, &diags);
  if (!junit) return diags_report(&diags);
  struct outfile file;
  if (outfile_open_named(files->call->arena, junit, &file))
    junit_write(file.stream, command_table[files->call->command].name, &files->results);
  if (!outfile_close(&file, true)) diag_error(&diags, NULL, nowhere, "%s: %s", junit, strerror(errno));
  return diags_report(&diags);
}
