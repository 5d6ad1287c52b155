/* SPDX-License-Identifier: MIT */
/* Where models and their includes are found: next to the file that includes
 * them, then in the folders of the search; see find_models.h. */
#include "checker/cat/find_models.h"

#include <string.h>
#include <sys/stat.h>

#include "checker/base/path.h"
#include "checker/base/text.h"

bool find_is_same_file(const char *a, const char *b) {
  struct stat sa, sb;
  return !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

const char *find_model(struct arena *arena, const struct cat_search *search, const char *name) {
  const char *file = text_ends_in(name, ".cat") ? name : arena_printf(arena, "%s.cat", name);
  bool path = file == name || strchr(name, '/');
  if (path && path_is_file(name)) return name;
  const char *found = path_in_folders(arena, search->folders, search->folder_count, file);
  if (found) return found;
  return path_is_file(file) ? file : path_is_file(name) ? name : NULL;
}

const char *find_include(struct arena *arena, const struct cat_search *search, const char *from, const char *name) {
  if (*name == '/') return path_is_file(name) ? name : NULL;
  const char *path = arena_printf(arena, "%s%s", path_folder(arena, from), name);
  if (!path_is_file(path)) path = path_in_folders(arena, search->folders, search->folder_count, name);
  return path ? path : path_is_file(name) ? name : NULL;
}

const char *find_suggestion(struct arena *arena, const struct cat_search *search, const char *name) {
  return suggest(name, names_in_folders(arena, search->folders, search->folder_count, ".cat"));
}
