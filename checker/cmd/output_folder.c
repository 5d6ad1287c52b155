/* SPDX-License-Identifier: MIT */
/* Folders that -o names: made where they are missing, with those above them. */
#include "checker/cmd/output_folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

const char *pictures_folder(const struct invocation *call) {
  bool asked = option_on(call, OPTION_SVG) || option_on(call, OPTION_PDF) || option_on(call, OPTION_DOT) ||
               option_on(call, OPTION_TIKZ);
  const char *folder = option_text(call, OPTION_OUTPUT);
  return folder || !asked ? folder : ".";
}

FILE *pictures_told(const struct invocation *call, FILE *err) {
  return option_given(call, OPTION_OUTPUT) || option_on(call, OPTION_QUIET) ? NULL : err;
}

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
  return diag_fail(diags, "%s: %s", path, strerror(reason));
}

struct grapher *pictures_open(const struct invocation *call, const char *folder, struct diags *diags) {
  if (!folder_make(call->arena, folder, diags)) return NULL;
  struct grapher *grapher = grapher_new(search_program(call->arena, "litscope-draw"));
  if (!grapher) diag_fail(diags, "%s", grapher_fault());
  return grapher;
}
