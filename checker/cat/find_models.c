/* SPDX-License-Identifier: MIT */
/* Where models and their includes are found: next to the file that includes
 * them, then in the folders of the search; see find_models.h. */
#include "checker/cat/find_models.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"

static bool is_file(const char *path) {
  struct stat status;
  return !stat(path, &status) && !S_ISDIR(status.st_mode);
}

bool find_is_same_file(const char *a, const char *b) {
  struct stat sa, sb;
  return !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

static const char *in_folder(struct arena *arena, const char *folder, const char *name) {
  const char *path = arena_printf(arena, "%s/%s", folder, name);
  return is_file(path) ? path : NULL;
}

static const char *in_folders(struct arena *arena, const struct cat_search *search, const char *name) {
  for (unsigned i = 0; i < search->folder_count; i++) {
    const char *path = in_folder(arena, search->folders[i], name);
    if (path) return path;
  }
  return NULL;
}

const char *find_model(struct arena *arena, const struct cat_search *search, const char *name) {
  const char *file = text_ends_in(name, ".cat") ? name : arena_printf(arena, "%s.cat", name);
  bool path = file == name || strchr(name, '/');
  if (path && is_file(name)) return name;
  const char *found = in_folders(arena, search, file);
  if (found) return found;
  return is_file(file) ? file : is_file(name) ? name : NULL;
}

const char *find_include(struct arena *arena, const struct cat_search *search, const char *from, const char *name) {
  if (*name == '/') return is_file(name) ? name : NULL;
  const char *slash = strrchr(from, '/');
  const char *folder = slash ? arena_strndup(arena, from, (size_t)(slash - from) + (slash == from)) : ".";
  const char *path = !slash && is_file(name) ? name : in_folder(arena, folder, name);
  if (!path) path = in_folders(arena, search, name);
  return path ? path : is_file(name) ? name : NULL;
}

const char *find_suggestion(struct arena *arena, const struct cat_search *search, const char *name) {
  VEC(const char *) names = {0};
  for (unsigned i = 0; i < search->folder_count; i++) {
    DIR *folder = opendir(search->folders[i]);
    if (!folder) continue;
    for (const struct dirent *entry; (entry = readdir(folder));)
      if (text_ends_in(entry->d_name, ".cat"))
        *vec_push(arena, &names) = arena_strndup(arena, entry->d_name, strlen(entry->d_name) - strlen(".cat"));
    closedir(folder);
  }
  *vec_push(arena, &names) = NULL;
  return suggest(name, names.at);
}
