/* SPDX-License-Identifier: MIT */
/* Parts of paths, and folders read by readdir. */
#include "checker/base/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

const char *path_last(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *path_folder(struct arena *arena, const char *path) {
  return arena_strndup(arena, path, (size_t)(path_last(path) - path));
}

bool path_is_file(const char *path) {
  struct stat status;
  return !stat(path, &status) && !S_ISDIR(status.st_mode);
}

const char *path_in_folders(struct arena *arena, const char *const *folders, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    const char *path = arena_printf(arena, "%s/%s", folders[i], name);
    if (path_is_file(path)) return path;
  }
  return NULL;
}

const char **folder_names(struct arena *arena, const char *folder, const char *ending) {
  VEC(const char *) names = {0};
  DIR *dir = opendir(folder);
  if (!dir && errno == ENOMEM) guard_out_of_memory();
  if (!dir) return NULL;
  for (const struct dirent *entry; (entry = readdir(dir));) {
    size_t length = strlen(entry->d_name), size = strlen(ending);
    if (*entry->d_name != '.' && length > size && text_ends_in(entry->d_name, ending))
      *vec_push(arena, &names) = arena_strndup(arena, entry->d_name, length - size);
  }
  closedir(dir);
  if (names.count) qsort(names.at, names.count, sizeof *names.at, text_compare);
  *vec_push(arena, &names) = NULL;
  return names.at;
}

const char **names_in_folders(struct arena *arena, const char *const *folders, size_t count, const char *ending) {
  VEC(const char *) names = {0};
  for (size_t i = 0; i < count; i++)
    for (const char **name = folder_names(arena, folders[i], ending); name && *name; name++)
      *vec_push(arena, &names) = *name;
  size_t distinct = 0;
  if (names.count) qsort(names.at, names.count, sizeof *names.at, text_compare);
  for (size_t i = 0; i < names.count; i++)
    if (!distinct || strcmp(names.at[i], names.at[distinct - 1]) != 0) names.at[distinct++] = names.at[i];
  names.count = distinct;
  *vec_push(arena, &names) = NULL;
  return names.at;
}
