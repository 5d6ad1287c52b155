/* SPDX-License-Identifier: MIT */
/* Whole or not at all: what is written goes to a file without a name in the
 * folder of the wanted one, which gets its name when all of it is there; where
 * the file system has no such files, to a temporary one that is renamed. */
#include "checker/base/outfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checker/base/infile.h"
#include "checker/base/path.h"
#include "checker/base/text.h"

/* A file without a name, which nothing is left of when the process is killed;
 * -1: the file system has none, or there is no way to name it later. */
static int open_nameless(const char *folder) {
  if (access("/proc/self/fd", X_OK) != 0) return -1;
  return open(*folder ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

bool outfile_open(struct arena *arena, const char *path, struct outfile *file) {
  const char *folder = path_folder(arena, path);
  int descriptor = open_nameless(folder);
  *file = (struct outfile){.path = path, .asked = path, .nameless = descriptor >= 0};
  unsigned attempt = 0;
  do {
    file->unfinished = arena_printf(arena, "%s.litscope-%ld-%u", folder, (long)getpid(), attempt);
    if (!file->nameless) descriptor = open(file->unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST && ++attempt);
  file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  file->error = errno;
  if (descriptor >= 0 && !file->stream) {
    close(descriptor);
    if (!file->nameless) unlink(file->unfinished);
  }
  return file->stream != NULL;
}

bool outfile_open_named(struct arena *arena, const char *path, struct outfile *file) {
  struct stat status;
  bool exists = stat(path, &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    int descriptor = infile_descriptor(path, true);
    *file = (struct outfile){.path = path, .asked = path, .stream = descriptor < 0 ? NULL : fdopen(descriptor, "w")};
    file->error = errno;
    return file->stream != NULL;
  }
  char *real = exists ? realpath(path, NULL) : NULL;
  const char *kept = real ? arena_strdup(arena, real) : path;
  free(real);
  bool opened = outfile_open(arena, kept, file);
  file->asked = path;
  return opened;
}

/* A stream remembers that writing failed, not why: writing once more says. */
static int reason_of_error(FILE *stream) {
  clearerr(stream);
  return fputc('\n', stream) == EOF || fflush(stream) != 0 ? errno : EIO;
}

/* Gives the nameless file its name: at once where that is free, else by way of
 * another, as only renaming replaces: a process that is killed between the two
 * calls leaves the whole file under that other name. */
static bool put_nameless(const struct outfile *file) {
  char self[64];
  snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(file->stream));
  if (linkat(AT_FDCWD, self, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno != EEXIST) return false;
  unlink(file->unfinished);
  if (linkat(AT_FDCWD, self, AT_FDCWD, file->unfinished, AT_SYMLINK_FOLLOW) != 0) return false;
  if (rename(file->unfinished, file->path) == 0) return true;
  int error = errno;
  unlink(file->unfinished);
  errno = error;
  return false;
}

bool outfile_close(struct outfile *file, bool good) {
  if (!file->stream) {
    errno = file->error;
    return false;
  }
  errno = 0;
  bool written = fflush(file->stream) == 0 && !ferror(file->stream) && good;
  int error = ferror(file->stream) && !errno ? reason_of_error(file->stream) : errno ? errno : EIO;
  if (written && file->nameless && !put_nameless(file)) {
    error = errno;
    written = false;
  }
  if (fclose(file->stream) != 0 && written) {
    error = errno;
    written = false;
  }
  file->stream = NULL;
  bool named = file->unfinished && !file->nameless;
  if (written && (!named || rename(file->unfinished, file->path) == 0)) return true;
  if (written) error = errno;
  if (named) unlink(file->unfinished);
  errno = error;
  return false;
}

bool outfile_finish(struct outfile *file, bool good, struct diags *diags) {
  if (outfile_close(file, good)) return true;
  if (good) diag_fail(diags, "%s: %s", file->asked, strerror(errno));
  return false;
}

/* Most bytes of a text that its name keeps: names end at 255, and others join
 * several with an ending. */
enum { NAME_LIMIT = 80 };

const char *outfile_name(struct arena *arena, const char *text) {
  char *name = arena_strndup(arena, text, strnlen(text, NAME_LIMIT));
  bool changed = strlen(text) > NAME_LIMIT;
  for (char *p = name; *p; p++) {
    if (isalnum((unsigned char)*p) || strchr("+-_~", *p) || (*p == '.' && p > name)) continue;
    *p = '_';
    changed = true;
  }
  return changed ? arena_printf(arena, "%s~%08x", name, text_hash(TEXT_HASH, text)) : name;
}
