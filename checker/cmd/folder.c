/* SPDX-License-Identifier: MIT */
/* Folders that -o names: made where they are missing, with those above them. */
#include "checker/cmd/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool folder_make(struct arena *arena, const char *path, struct diags *diags) {
  char *prefix = arena_strdup(arena, path);
  for (char *slash = strchr(prefix + (*prefix == '/'), '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(prefix, 0777);
    *slash = '/';
  }
  errno = 0;
  struct stat status;
  bool made = !mkdir(prefix, 0777);
  int reason = errno == EEXIST ? ENOTDIR : errno;
  if (made || (!stat(prefix, &status) && S_ISDIR(status.st_mode))) return true;
  diag_error(diags, NULL, (struct span){0}, "%s: %s", path, strerror(reason));
  return false;
}
