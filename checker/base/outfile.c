/* SPDX-License-Identifier: MIT */
/* Whole or not at all: what is written goes to a temporary file beside the
 * wanted one, which is renamed when all of it is there. */
#include "checker/base/outfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

bool outfile_open(struct arena *arena, const char *path, struct outfile *file) {
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0, descriptor;
  *file = (struct outfile){.path = path};
  unsigned attempt = 0;
  do {
    file->unfinished = arena_printf(arena, "%.*s.litscope-%ld-%u", folder, path, (long)getpid(), attempt);
    descriptor = open(file->unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST && ++attempt);
  file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  file->error = errno;
  if (descriptor >= 0 && !file->stream) {
    close(descriptor);
    unlink(file->unfinished);
  }
  return file->stream != NULL;
}

/* A stream remembers that writing failed, not why: writing once more says. */
static int reason_of_error(FILE *stream) {
  clearerr(stream);
  return fputc('\n', stream) == EOF || fflush(stream) != 0 ? errno : EIO;
}

bool outfile_close(struct outfile *file, bool good) {
  if (!file->stream) {
    errno = file->error;
    return false;
  }
  errno = 0;
  bool written = fflush(file->stream) == 0 && !ferror(file->stream) && good;
  int error = ferror(file->stream) && !errno ? reason_of_error(file->stream) : errno ? errno : EIO;
  if (fclose(file->stream) != 0 && written) {
    error = errno;
    written = false;
  }
  file->stream = NULL;
  if (written && rename(file->unfinished, file->path) == 0) return true;
  if (written) error = errno;
  unlink(file->unfinished);
  errno = error;
  return false;
}

/* Most bytes of a text that its name keeps: names end at 255, and others join
 * several with an ending. */
enum { NAME_LIMIT = 80 };

static uint32_t hash(const char *text) {
  uint32_t h = 2166136261u; /* FNV-1a */
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
  return h;
}

const char *outfile_name(struct arena *arena, const char *text) {
  char *name = arena_strndup(arena, text, strnlen(text, NAME_LIMIT));
  bool changed = strlen(text) > NAME_LIMIT;
  for (char *p = name; *p; p++) {
    if (isalnum((unsigned char)*p) || strchr("+-_~", *p) || (*p == '.' && p > name)) continue;
    *p = '_';
    changed = true;
  }
  return changed ? arena_printf(arena, "%s~%08x", name, hash(text)) : name;
}
