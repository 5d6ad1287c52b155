/* SPDX-License-Identifier: MIT */
/* -json and -junit. */
#include "checker/cmd/result_files.h"

#include <errno.h>
#include <string.h>

#include "checker/base/vec.h"
#include "checker/report/json.h"
#include "checker/report/junit.h"

bool result_files_open(struct invocation *call, struct result_files *files, struct diags *diags) {
  *files = (struct result_files){.call = call, .out = stdout};
  const char *path = option_text(call, OPTION_JSON);
  if (!path) return true;
  bool alone = !strcmp(path, "-");
  if (!alone) outfile_open_named(call->arena, path, &files->json_file);
  int error = alone ? 0 : files->json_file.error;
  files->json = alone ? stdout : files->json_file.stream;
  if (alone) files->out = fopen("/dev/null", "w");
  if (files->json && files->out) {
    json_open_document(files->json, command_table[call->command].name);
    return true;
  }
  return diag_fail(diags, "%s: %s", path, strerror(error ? error : errno));
}

FILE *result_files_begin_json(struct result_files *files) {
  files->line = text_new();
  return files->line.out;
}

void result_files_end_json(struct result_files *files) {
  text_end(&files->line);
  result_files_add_json(files, files->line.at, files->line.size);
  text_free(&files->line);
}

void result_files_add_json(struct result_files *files, const char *lines, size_t size) {
  if (!files->json) return;
  for (const char *at = lines, *end = lines + size; at < end;) {
    size_t length = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) - at);
    fprintf(files->json, "%s\n    %.*s", files->begun ? "," : "", (int)length, at);
    files->begun = true;
    at += length + 1;
  }
}

int result_status(enum result_kind kind) {
  static const int STATUSES[] = {[RESULT_DONE] = STATUS_DONE,
                                 [RESULT_DIFFERS] = STATUS_DIFFERS,
                                 [RESULT_BAD] = STATUS_BAD,
                                 [RESULT_LIMIT] = STATUS_LIMIT};
  return STATUSES[kind];
}

int result_files_add_result(struct result_files *files, struct result result) {
  if (option_given(files->call, OPTION_JUNIT)) *vec_push(files->call->arena, &files->results) = result;
  return result_status(result.kind);
}

static void close_json(struct result_files *files, bool whole, struct diags *diags) {
  json_close_document(files->json);
  if (files->out != stdout) fclose(files->out);
  /* What is lost of standard output is reported once for all, at the end. */
  if (files->json != stdout) outfile_finish(&files->json_file, whole, diags);
}

static void write_junit(const struct result_files *files, const char *path, struct diags *diags) {
  struct outfile file;
  if (outfile_open_named(files->call->arena, path, &file))
    junit_write(file.stream, command_table[files->call->command].name, &files->results);
  outfile_finish(&file, true, diags);
}

int result_files_close(struct result_files *files, bool whole) {
  struct diags diags = diags_new(files->call->arena);
  const char *junit = option_text(files->call, OPTION_JUNIT);
  if (files->json) close_json(files, whole, &diags);
  if (junit) write_junit(files, junit, &diags);
  return diags_report(&diags);
}

void result_files_drop(struct result_files *files) {
  if (files->json && files->json != stdout) outfile_close(&files->json_file, false);
}

void totals_print(const struct invocation *call, const char *const *names, const size_t *counts, unsigned kinds) {
  enum { MANY = 10 };
  size_t all = 0;
  for (unsigned i = 0; i < kinds; i++) all += counts[i];
  const char *json = option_text(call, OPTION_JSON);
  if (all < MANY || (json && !strcmp(json, "-"))) return;
  printf("Total %zu", all);
  for (unsigned i = 0; i < kinds; i++)
    if (counts[i]) printf(" %s %zu", names[i], counts[i]);
  putchar('\n');
}
