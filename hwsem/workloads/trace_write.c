/* SPDX-License-Identifier: MIT */
/* Traces as text: the writer, and the words that reader and writer share. */
#include "hwsem/workloads/trace_write.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "checker/base/infile.h"

const char *const work_kind_names[WORK_KINDS + 1] = {"load",    "store",   "amo",     "gather",
                                                     "scatter", "compute", "barrier", NULL};
const char *const work_amo_names[WORK_AMOS + 1] = {"add", "min", "max", "or", "swap", "cas", NULL};
const char *const work_scope_names[WORK_SCOPES + 1] = {"plain", "group", "device", "remote", NULL};

struct work_record {
  gzFile file;
  const char *path;
};

bool trace_record(struct work *work, const char *path, struct diags *diags) {
  size_t length = strlen(path);
  bool compressed = length > 3 && !strcmp(path + length - 3, ".gz");
  struct work_record *record = ARENA_NEW(work->arena, struct work_record);
  if (infile_was_read(path)) return diag_fail(diags, "%s: the trace would overwrite what this command reads", path);
  int descriptor = infile_descriptor(path, true);
  *record = (struct work_record){descriptor < 0 ? NULL : gzdopen(descriptor, compressed ? "wb6" : "wbT"), path};
  if (!record->file) {
    diag_fail(diags, "%s: %s", path, infile_reason());
    if (descriptor >= 0) close(descriptor);
    return false;
  }
  work->record = record;
  gzprintf(record->file, "litscope-trace 1\nthreads %u\nwords %" PRIu32 "\n", work->threads, work->words);
  for (uint32_t i = 0; i < work->words; i++)
    if (work->memory[i]) gzprintf(record->file, "init %" PRIu32 " %" PRId32 "\n", i, work->memory[i]);
  return true;
}

bool trace_close(struct work *work, struct diags *diags) {
  struct work_record *record = work->record;
  work->record = NULL;
  if (gzclose(record->file) == Z_OK) return true;
  return diag_fail(diags, "%s: the trace could not be written", record->path);
}

void trace_write(struct work_record *record, unsigned thread, const struct work_request *r) {
  gzFile file = record->file;
  const char *scope = work_scope_names[r->scope];
  gzprintf(file, "%u %s", thread, work_kind_names[r->kind]);
  switch (r->kind) {
    case WORK_LOAD:
      gzprintf(file, " %" PRIu32 " %s", r->address, scope);
      break;
    case WORK_STORE:
      gzprintf(file, " %" PRIu32 " %" PRId32 " %s", r->address, r->value, scope);
      break;
    case WORK_AMO:
      gzprintf(file, " %s %" PRIu32 " %" PRId32 " %s", work_amo_names[r->amo], r->address, r->value, scope);
      if (r->amo == WORK_CAS)
        gzprintf(file, " %" PRId32, r->expected);
      else if (r->forgets)
        gzputs(file, " forget");
      break;
    case WORK_GATHER:
      for (unsigned i = 0; i < r->lanes; i++) gzprintf(file, " %" PRIu32, r->at[i]);
      break;
    case WORK_SCATTER:
      for (unsigned i = 0; i < r->lanes; i++) gzprintf(file, " %" PRIu32 "=%" PRId32, r->at[i], r->values[i]);
      break;
    case WORK_COMPUTE:
      gzprintf(file, " %" PRId64, r->cycles);
      break;
    case WORK_BARRIER:
    case WORK_KINDS:
      break;
  }
  gzputs(file, "\n");
}
